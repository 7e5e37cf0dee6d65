#pragma once

#include <agon/agon.h>

#include <agon/agent.hpp>
#include <agon/describe.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "external/protocol.hpp"

namespace agon::c_interface {

/// Speaks to the program around Agon: lines of docs/external-agents.md that end with a question,
/// which `reply` is for, or with `over` and null.
using Tell = std::function<void(const std::string& agent, std::uint64_t seat,
                                const std::string& lines, agon_reply* reply)>;

/// The program around Agon.
struct AgentHost {
  Tell tell;
  mutable std::atomic<bool> asking_takes_long{false};  ///< some agent may answer while it is told
};

/// An agent that the program around Agon plays: it is told and asked what external agents are.
class FunctionAgent final : public WaitingAgent {
 public:
  struct Params {
    std::string name;
    std::string version;
    bool probes = true;
    std::optional<bool> rendered{};
    std::optional<bool> later{};
  };

  FunctionAgent(const Params& params, const AgentServices& services, const AgentHost& host)
      : params_(params),
        dry_run_(services.dry_run),
        render_(external::renderer_of(params.rendered.value_or(false), services)),
        tell_(host.tell) {
    if (!params.later.value_or(false)) host.asking_takes_long = true;
  }

  [[nodiscard]] bool answers_probes() const override { return params_.probes; }
  [[nodiscard]] std::string language() const override { return render_ ? "en" : ""; }
  void ask(OwnedQuestion question, Completion done) const override;
  void match_ended(MatchEnding ending) const override;
  void match_over(const void* table) const noexcept override;

 private:
  using Place = std::pair<const void*, int>;  ///< table and seat
  struct Seated {
    std::uint64_t number;
    external::Told told{};
  };

  const Params params_;
  const bool dry_run_;
  const RenderQuestion render_;
  const Tell& tell_;
  mutable std::mutex mutex_;  // of what follows
  mutable std::map<Place, Seated> seated_;
};

AGON_DESCRIBE(FunctionAgent::Params,
              (name, "that the program around Agon knows it by", length(1, 200)),
              (version, "another version is another agent"),
              (probes, "asks for plans and beliefs too, which may be declined"),
              (rendered,
               "hands on the messages too that a language model would be sent at each question "
               "(default: no)",
               left_out),
              (later,
               "never answers while it is asked, but soon returns, and answers later (default: no)",
               left_out, operational))

/// The agent "function" for a program that is spoken to through `host`, which outlives the card.
[[nodiscard]] AgentCard function_agent(const AgentHost& host);

}  // namespace agon::c_interface

/// One question to an agent of the program around Agon, until it is answered.
struct agon_reply {
  agon::Completion done;
  std::string id;
  bool probe;
  std::string agent;
  std::chrono::steady_clock::time_point deadline;
};
