#pragma once

#include <agon/agent.hpp>
#include <agon/plugin.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace agon::external {

class Pool;

/// Parameters of `external`.
struct ExternalParams {
  std::vector<std::string> command;
  std::map<std::string, std::string> options;
  std::string version;
  bool per_match = false;
  bool probes = true;
  bool costly = false;
  std::optional<bool> rendered{};
  double start_seconds = 30;
  double answer_seconds = 60;
  double ping_seconds = 10;
  double quit_seconds = 5;
  std::vector<std::string> environment;  ///< last, so that what an agent is reads as before it came
};
AGON_DESCRIBE(
    ExternalParams,
    (command, "program and arguments; it runs in the suite's folder", length(1, 1000)),
    (options, "values of options that the program declares, by name", data_file("json-values")),
    (version, "yours to raise when the program changes: matches of another version are not reused",
     length(0, 100)),
    (per_match,
     "a fresh process for every match and seat, instead of one that goes on to the next"),
    (probes, "also asks it for plans and beliefs, which it may decline"),
    (costly, "its answers cost money or time: each is kept before it is used"),
    (rendered,
     "hands it the messages too that a language model would be sent at each question (default: no)",
     left_out),
    (start_seconds, "how long it may take to say hello", range(0.001, 1e6), unit("seconds")),
    (answer_seconds, "how long an answer may take", range(0.001, 1e6), unit("seconds")),
    (ping_seconds, "how long a pong may take, between two matches", range(0.001, 1e6),
     unit("seconds")),
    (quit_seconds, "how long it may take to end when it is told to", range(0.001, 1e6),
     unit("seconds")),
    (environment,
     "names of environment variables that the program gets beside those that programs need to "
     "start, which hold no keys",
     operational))

/// A program in any language, over JSON Lines on its standard streams: docs/external-agents.md.
/// A process plays one seat of one match at a time; there are as many as seats are played at once.
class External final : public WaitingAgent {
 public:
  using Params = ExternalParams;
  /// Starts the program once, to learn its options. Throws Error if it cannot be started, says no
  /// proper hello, or has no such options.
  External(const Params& params, const AgentServices& services);
  ~External() override;

  [[nodiscard]] static std::vector<Access> accesses(const Params& params,
                                                    const AgentServices& services);
  void ask(OwnedQuestion question, Completion done) const override;
  void match_ended(MatchEnding ending) const override;
  void match_over(const void* table) const noexcept override;
  [[nodiscard]] bool answers_probes() const override { return probes_; }
  [[nodiscard]] bool is_costly() const override { return costly_; }
  [[nodiscard]] std::string language() const override { return rendered_ ? "en" : ""; }

 private:
  bool probes_;
  bool costly_;
  bool rendered_;
  std::unique_ptr<Pool> pool_;
};

/// Adds the agent `external` and the command `check-agent`.
void enter(Registry& registry);

}  // namespace agon::external
