#pragma once

#include <cstdint>
#include <string_view>

namespace agon::hash {

/// The offset basis of 64-bit FNV-1a: the hash of the empty text.
inline constexpr std::uint64_t kFnvBasis = 0xCBF29CE484222325U;

/// 64-bit FNV-1a (Fowler, Noll and Vo). Give the hash of what came before as `state` to hash a text
/// in parts. Fast and the same everywhere; not for anything that somebody gains by forging.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t state = kFnvBasis) {
  for (const char c : text) {
    state = (state ^ static_cast<unsigned char>(c)) * 0x00000100000001B3U;
  }
  return state;
}

/// Spreads the bits of a 64-bit number evenly; one-to-one (the finaliser of SplitMix64, Steele, Lea
/// and Flood 2014, section 4, with Stafford's thirteenth set of constants).
constexpr std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31U);
}

/// FNV-1a with its bits spread: fit to seed a generator, where FNV's high bits alone are not.
constexpr std::uint64_t mixed(std::string_view text) {
  return mix(fnv1a(text));
}

}  // namespace agon::hash
