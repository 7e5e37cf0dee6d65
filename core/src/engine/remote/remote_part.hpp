#pragma once

#include <agon/json_reader.hpp>
#include <agon/model/model_parts.hpp>
#include <memory>

#include "remote/card_json.hpp"
#include "remote/channel.hpp"

namespace agon::remote {

/// A part of model agents in another process as one of this: what it does is asked of a process of
/// the pool, which may meanwhile ask back for what the turn can tell and do. Calls of the model are
/// so made here, by the agent, and recorded, priced and capped as all others.
class RemotePart {
 public:
  /// `pool` must outlive this, and the parts that the card makes. Throws Error (invalid) that says
  /// where the card is wrong.
  RemotePart(const JsonNode& card, Pool& pool);
  RemotePart(const RemotePart&) = delete;
  RemotePart& operator=(const RemotePart&) = delete;

  [[nodiscard]] const PartCard& part() const { return card_.part; }

 private:
  [[nodiscard]] std::shared_ptr<const void> make(const void* params) const;

  RemotePartCard card_;
  Pool& pool_;
};

}  // namespace agon::remote
