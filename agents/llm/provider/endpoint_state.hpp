#pragma once

#include <agon/model/preflight.hpp>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llm/model_spec.hpp"
#include "llm/provider/traffic.hpp"
#include "llm/wire/exchange.hpp"

namespace agon::llm {

/// What the built-in rules say about a model, with what its spec overrides.
[[nodiscard]] Capabilities capabilities_of(const ModelSpec& spec, const Endpoint& endpoint);

/// What all agents of the process share that ask one model of one endpoint with one key in the same
/// way: what was learned of the endpoint, over the traffic that they share with all others.
class EndpointState {
 public:
  EndpointState(const ModelSpec& spec, const Endpoint& endpoint, std::shared_ptr<Traffic> traffic);

  [[nodiscard]] Traffic& traffic() const { return *traffic_; }

  [[nodiscard]] Capabilities capabilities() const;
  /// The endpoint turned `parameter` down. True if there is something to try instead of `sent`;
  /// what was learned is told once on standard error.
  bool learn(const std::string& parameter, const Capabilities& sent, const ModelSpec& spec);
  /// A request at this level came through.
  void level_worked(Level level);
  /// It was looked at before a run: how the form of answers is asked for stays as it is.
  void settle() { is_settled_ = true; }
  [[nodiscard]] bool is_settled() const { return is_settled_; }
  [[nodiscard]] bool has_worked(Level level) const;

  /// What was found by `look` the first time it was called under this name: agents that ask one
  /// model alike need no look, and no paid call, of their own.
  std::vector<Finding> once(const std::string& name,
                            const std::function<std::vector<Finding>()>& look);

  /// Tells people something, on standard error.
  void say(const std::string& text) const;
  /// The same, once.
  void notice(const std::string& text);

  /// The one of this process; made on first use.
  static std::shared_ptr<EndpointState> shared(const ModelSpec& spec, const Endpoint& endpoint,
                                               std::uint64_t key_hash);

 private:
  const std::string name_;
  const std::shared_ptr<Traffic> traffic_;
  mutable std::mutex mutex_;
  Capabilities capabilities_;
  std::set<Level> worked_;
  std::atomic<bool> is_settled_{false};
  std::set<std::string> told_;
  std::mutex looking_;
  std::map<std::string, std::vector<Finding>> found_;  // under looking_
};

}  // namespace agon::llm
