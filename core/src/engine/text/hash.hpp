#pragma once

#include <agon/export.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace agon::hash {

using State = std::array<std::uint32_t, 8>;

/// The rounds of SHA-256 over one block of 64 bytes, with the processor's own instructions where it
/// has them.
AGON_API void compress(State& state, const std::uint8_t* block);
/// The same on any processor.
AGON_API void compress_portably(State& state, const std::uint8_t* block);

/// A SHA-256 digest.
using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 (FIPS 180-4, section 6.2) of a text that comes in parts. Written here because Boost 1.81
/// has no SHA-2 (its uuid library holds SHA-1 and MD5, both broken) and a cryptographic library
/// would be a dependency for this alone. The digests name files and settings; they guard no secret.
class AGON_API Sha256 {
 public:
  /// Adds a part.
  void update(std::string_view part);

  /// The digest of all parts so far. More parts may follow.
  [[nodiscard]] Digest digest() const;

 private:
  void compress(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_{0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                      0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
  std::array<std::uint8_t, 64> block_{};
  std::uint64_t size_ = 0;  // bytes so far
};

/// SHA-256 of one text.
AGON_API Digest sha256(std::string_view text);

/// Bytes as lower-case hexadecimal digits, two each.
AGON_API std::string hex(std::span<const std::uint8_t> bytes);

/// Reads a digest from the 64 hexadecimal digits that `hex` writes; nothing for any other text.
AGON_API std::optional<Digest> read_hex(std::string_view text);

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
