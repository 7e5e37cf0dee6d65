#include "hash/sha256.hpp"

#include <algorithm>
#include <bit>

namespace agon::hash {
namespace {

constexpr std::array<std::uint32_t, 64> kRoundConstants{
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

}  // namespace

void Sha256::update(std::string_view part) {
  for (const char c : part) {
    block_[size_ % block_.size()] = static_cast<std::uint8_t>(c);
    if (++size_ % block_.size() == 0) compress(block_.data());
  }
}

Digest Sha256::digest() const {
  Sha256 last = *this;
  const std::uint64_t bits = size_ * 8;
  last.update(std::string_view("\x80", 1));
  while (last.size_ % last.block_.size() != 56) last.update(std::string_view("\0", 1));
  for (int shift = 56; shift >= 0; shift -= 8) {
    const char byte = static_cast<char>((bits >> shift) & 0xFFU);
    last.update({&byte, 1});
  }
  Digest result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<std::uint8_t>(last.state_[i / 4] >> (24 - 8 * (i % 4)));
  }
  return result;
}

void Sha256::compress(const std::uint8_t* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 64; ++t) {
    if (t < 16) {
      for (std::size_t i = 0; i < 4; ++i) w[t] = (w[t] << 8U) | block[4 * t + i];
      continue;
    }
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3U);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10U);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t choice = (e & f) ^ (~e & g);
    const std::uint32_t t1 = h + s1 + choice + kRoundConstants[t] + w[t];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + s0 + majority;
  }
  const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
  std::transform(state_.begin(), state_.end(), added.begin(), state_.begin(),
                 [](std::uint32_t x, std::uint32_t y) { return x + y; });
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
