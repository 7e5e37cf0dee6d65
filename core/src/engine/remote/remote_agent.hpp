#pragma once

#include <memory>
#include <string>

#include "remote/card_json.hpp"
#include "remote/pool.hpp"

namespace agon::remote {

/// An agent of a plugin that is kept apart, as one of this process: at tables of its own plugin's
/// games it answers where the game is, at others it is asked in a process of the pool.
class RemoteAgent {
 public:
  /// `pool` must outlive this. Throws Error (invalid) that says where the card is wrong.
  RemoteAgent(const JsonNode& card, Pool& pool);
  /// For an agent of one game that the same plugin brings: it is asked whether it can play with
  /// settings, which are of that type.
  void play(const Type& type);
  RemoteAgent(const RemoteAgent&) = delete;
  RemoteAgent& operator=(const RemoteAgent&) = delete;

  [[nodiscard]] const AgentCard& agent() const { return card_.agent; }

 private:
  [[nodiscard]] std::unique_ptr<Agent> make(const void* params,
                                            const AgentServices& services) const;
  [[nodiscard]] std::string why_not(const void* settings) const;

  RemoteAgentCard card_;
  Pool& pool_;
  const Type* settings_ = nullptr;
};

}  // namespace agon::remote
