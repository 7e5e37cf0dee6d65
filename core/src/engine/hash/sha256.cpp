#include "hash/sha256.hpp"

#include <algorithm>

#include "hash/compress.hpp"

namespace agon::hash {

void Sha256::update(std::string_view part) {
  while (!part.empty()) {
    const std::size_t at = size_ % block_.size();
    const std::size_t fits = std::min(part.size(), block_.size() - at);
    std::copy_n(part.begin(), fits, block_.begin() + static_cast<std::ptrdiff_t>(at));
    part.remove_prefix(fits);
    size_ += fits;
    if (at + fits == block_.size()) compress(block_.data());
  }
}

void Sha256::compress(const std::uint8_t* block) {
  hash::compress(state_, block);
}

Digest Sha256::digest() const {
  // A bit, zeros up to eight bytes before the end of a block, and how many bits there are.
  std::array<char, 72> padding{'\x80'};
  const std::size_t zeros = (119 - size_ % block_.size()) % block_.size();
  for (std::size_t i = 0; i < 8; ++i)
    padding[1 + zeros + i] = static_cast<char>((size_ * 8) >> (56 - 8 * i) & 0xFFU);
  Sha256 last = *this;
  last.update({padding.data(), 1 + zeros + 8});
  Digest result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<std::uint8_t>(last.state_[i / 4] >> (24 - 8 * (i % 4)));
  return result;
}

Digest sha256(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.digest();
}

std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    out += digits[byte >> 4U];
    out += digits[byte & 0xFU];
  }
  return out;
}

std::optional<Digest> read_hex(std::string_view text) {
  Digest digest{};
  if (text.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    std::uint8_t nibble = 0;
    if (c >= '0' && c <= '9')
      nibble = static_cast<std::uint8_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      nibble = static_cast<std::uint8_t>(c - 'a' + 10);
    else
      return std::nullopt;
    digest[i / 2] = static_cast<std::uint8_t>(digest[i / 2] << 4U | nibble);
  }
  return digest;
}

}  // namespace agon::hash
