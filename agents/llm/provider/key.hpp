#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "llm/model_spec.hpp"

namespace agon::llm {

/// The key of an endpoint. It is read from its variable here and nowhere else, is known to
/// agon::secrets from then on, and is handed out as a header only.
class Key {
 public:
  /// Throws Error for a key that cannot be kept out of what is written.
  explicit Key(const Endpoint& endpoint);

  [[nodiscard]] bool is_set() const { return !text_.empty(); }
  /// "Authorization: Bearer ...", or what the provider takes instead; empty without a key.
  [[nodiscard]] std::string header() const;
  /// Tells keys apart, and nothing else.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  std::string text_;
  std::string_view before_;  ///< all that stands before it in its header
};

}  // namespace agon::llm
