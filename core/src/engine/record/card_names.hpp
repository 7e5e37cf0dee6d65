#pragma once

#include <agon/game.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hash/sha256.hpp"
#include "record/shape.hpp"

namespace agon::record {

/// What entries of a record may be called, by the game's card and by the arena: for records that
/// are not the arena's own. Most records of a game name the same things in the same order, which
/// costs a comparison each.
class CardNames {
 public:
  /// What a name may be used for, as bits.
  enum Use : std::uint8_t { kAsked = 1, kProbed = 2, kAnnounced = 4, kTold = 8, kNoted = 16 };

  explicit CardNames(const Game& game);

  /// What a name may be used for that is the record's `place`th.
  [[nodiscard]] std::uint8_t uses(std::string_view name, std::size_t place);
  /// Whether the record's `place`th shape is one that is known.
  [[nodiscard]] bool has_shape(const hash::Digest& shape, std::size_t place, const Shapes& known);

  /// The use of an event that these seats hear, as a record has them; 0: there is none.
  static std::uint8_t use_of_event(std::uint32_t audience);

 private:
  std::vector<std::pair<std::string, std::uint8_t>> names_;
  std::vector<std::pair<std::string, std::uint8_t>> last_names_;  ///< by place
  std::vector<hash::Digest> last_shapes_;                         ///< likewise
};

}  // namespace agon::record
