#pragma once

#include <agon/agent.hpp>
#include <memory>

#include "people/participant.hpp"

namespace agon::serve {

class Session;

/// The agent of one person at one seat of one match: what is asked of the seat goes to the person's
/// page.
class Chair final : public WaitingAgent {
 public:
  /// The session must outlive the match. `substitute`: kept as long as this.
  Chair(Session& session, std::shared_ptr<Sitting> sitting, bool probes,
        std::shared_ptr<const Agent> substitute);

  void ask(OwnedQuestion question, Completion done) const override;
  void match_ended(MatchEnding ending) const override;
  void match_over(const void* table) const noexcept override;
  [[nodiscard]] bool is_costly() const override { return true; }
  [[nodiscard]] bool answers_probes() const override { return probes_; }

 private:
  Session& session_;
  std::shared_ptr<Sitting> sitting_;
  bool probes_;
  std::shared_ptr<const Agent> substitute_;
};

}  // namespace agon::serve
