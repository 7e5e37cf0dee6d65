#pragma once

#include <agon/random.hpp>
#include <bit>

#include "text/hash.hpp"

namespace agon {

/// The key of a match's chance: the same for every treatment, assignment and repeat of a block.
inline std::uint64_t stream_key(std::uint64_t suite_seed, std::string_view scenario,
                                std::uint64_t block, std::uint64_t position) {
  const std::uint64_t key = combine(combine(mix(suite_seed), hash_of(scenario)), block);
  return position == 0 ? key : combine(key, position);
}

/// The key of an agent's own dice: of block, repeat, agent spec and seat.
inline std::uint64_t dice_key(std::uint64_t luck, std::uint64_t repeat, const hash::Digest& agent,
                              std::uint64_t seat) {
  std::uint64_t spec = 0;
  for (std::size_t i = 0; i < 8; ++i) spec = spec << 8 | agent[i];
  return combine(combine(combine(luck, repeat), spec), seat + 1);
}

}  // namespace agon
