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

}  // namespace agon::hash
