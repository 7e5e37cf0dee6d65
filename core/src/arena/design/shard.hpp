#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "design/plan.hpp"

namespace agon::design {

/// One of the parts of a plan that are played apart, on other machines or at other times, and
/// merged. Its units are whole blocks, so that what is compared within a block stays together.
struct AGON_API Shard {
  static constexpr std::uint64_t kMost = 1'000'000;

  std::uint64_t number = 1;  ///< from 1
  std::uint64_t count = 1;

  /// Reads "3/16". Throws Error (usage) that names `where`, and the two numbers as in `form`.
  static Shard parse(std::string_view text, const std::string& where,
                     const std::string& form = "I/N");
  /// "3/16"
  [[nodiscard]] std::string text() const;
  /// Whether it has a unit. Units are dealt out in turn: the blocks of all scenarios, one scenario
  /// after the other, counted from 0. So shards have equally many blocks of each, to one.
  [[nodiscard]] bool has(std::uint64_t unit) const { return unit % count == number - 1; }
  /// Which blocks it has of a scenario whose blocks are the units from `first_unit` on.
  [[nodiscard]] BlockSteps blocks(std::uint64_t first_unit) const {
    return {.first = (number - 1 + count - first_unit % count) % count, .step = count};
  }
  /// How many it has of the units from `first` to before `end`.
  [[nodiscard]] std::uint64_t units(std::uint64_t first, std::uint64_t end) const;

  friend bool operator==(const Shard&, const Shard&) = default;
};
AGON_DESCRIBE(Shard, (number, "which of them, from 1", range(1, Shard::kMost)),
              (count, "how many there are", range(1, Shard::kMost)))

/// What falls on the parts after `from` and up to `to` of `of` equal ones, rounded so that what
/// falls on all of them is the whole amount.
[[nodiscard]] AGON_API std::int64_t part_of(std::int64_t amount, std::uint64_t from,
                                            std::uint64_t to, std::uint64_t of);

}  // namespace agon::design
