#pragma once

#include <agon/json_reader.hpp>
#include <string>
#include <string_view>

#include "remote/card_json.hpp"
#include "remote/channel.hpp"
#include "remote/remote_plugin.hpp"

namespace agon::remote {

/// A provider whose models run in processes of a plugin: a process of the pool answers a call, as
/// an endpoint would.
class RemoteProvider {
 public:
  /// `pool` must outlive this. Throws Error (invalid) that says where the card is wrong.
  RemoteProvider(const JsonNode& card, Pool& pool);
  RemoteProvider(const RemoteProvider&) = delete;
  RemoteProvider& operator=(const RemoteProvider&) = delete;

  /// What it points to lives as long as this.
  [[nodiscard]] const ServedProvider& served() const { return served_; }

 private:
  [[nodiscard]] std::string complete(std::string_view body) const;

  CardStorage storage_;
  ServedProvider served_;
  Pool& pool_;
};

}  // namespace agon::remote
