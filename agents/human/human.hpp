#pragma once

#include <agon/agent.hpp>
#include <memory>
#include <string>

namespace agon::agents {

class Desk;

/// Parameters of `human`: who sits there, for the archive. Nothing of it is shown to other seats.
struct HumanParams {
  std::string pseudonym;
  std::string session;
  std::string consent;
  std::string told;
  bool probes = false;
};
AGON_DESCRIBE(HumanParams,
              (pseudonym, "what the person is called in the archive; never a real name",
               agon::length(0, 100)),
              (session, "the sitting that this match belongs to", agon::length(0, 100)),
              (consent, "SHA-256 of the text that the person agreed to", agon::length(0, 64)),
              (told, "what the person was told about the opponents", agon::length(0, 2000)),
              (probes,
               "also asks the person for plans and beliefs, which are no part of the game and may "
               "be passed over"))

/// A person at the terminal, or at the other end of a pipe. The dialogue is built from the
/// question's description alone, so people play any game of any plugin.
class Human final : public WaitingAgent {
 public:
  using Params = HumanParams;
  explicit Human(const Params& params);
  /// At another desk than the process's own.
  Human(const Params& params, std::shared_ptr<Desk> desk);
  ~Human() override;

  void ask(OwnedQuestion question, Completion done) const override;
  void match_ended(MatchEnding ending) const override;
  void match_over(const void* table) const noexcept override;
  [[nodiscard]] bool answers_probes() const override { return params_.probes; }
  [[nodiscard]] bool is_costly() const override { return true; }

 private:
  Params params_;
  std::shared_ptr<const Person> person_;
  std::shared_ptr<Desk> desk_;
};

}  // namespace agon::agents
