#include "text/hash.hpp"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

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

#if defined(__x86_64__)

bool has_instructions() {
  constexpr unsigned kSsse3 = 1U << 9U, kSse41 = 1U << 19U, kSha = 1U << 29U;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kSsse3) == 0 || (c & kSse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0;
}

// Two registers hold the state, as the instructions want it: a, b, e, f and c, d, g, h.
__attribute__((target("sha,sse4.1,ssse3"))) void compress_by_instructions(
    State& state, const std::uint8_t* block) {
  const auto load = [](const void* from) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  };
  const __m128i low = _mm_shuffle_epi32(load(&state[0]), 0xB1);
  const __m128i high = _mm_shuffle_epi32(load(&state[4]), 0x1B);
  const __m128i abef = _mm_alignr_epi8(low, high, 8);
  const __m128i cdgh = _mm_blend_epi16(high, low, 0xF0);
  const __m128i big_endian = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  __m128i s0 = abef, s1 = cdgh;
  __m128i w[4];  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  for (std::size_t i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(load(&block[16 * i]), big_endian);
  for (std::size_t four = 0; four < 16; ++four) {
    __m128i& now = w[four % 4];
    const __m128i& last = w[(four + 3) % 4];
    if (four >= 4)
      now = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, w[(four + 1) % 4]),
                                               _mm_alignr_epi8(last, w[(four + 2) % 4], 4)),
                                 last);
    const __m128i added = _mm_add_epi32(now, load(&kRoundConstants[4 * four]));
    s1 = _mm_sha256rnds2_epu32(s1, s0, added);
    s0 = _mm_sha256rnds2_epu32(s0, s1, _mm_shuffle_epi32(added, 0x0E));
  }
  s0 = _mm_shuffle_epi32(_mm_add_epi32(s0, abef), 0x1B);
  s1 = _mm_shuffle_epi32(_mm_add_epi32(s1, cdgh), 0xB1);
  const auto store = [](void* to, __m128i value) {
    _mm_storeu_si128(static_cast<__m128i*>(to), value);
  };
  store(&state[0], _mm_blend_epi16(s0, s1, 0xF0));
  store(&state[4], _mm_alignr_epi8(s1, s0, 8));
}

#endif

}  // namespace

void compress(State& state, const std::uint8_t* block) {
#if defined(__x86_64__)
  static const bool by_instructions = has_instructions();
  if (by_instructions) return compress_by_instructions(state, block);
#endif
  compress_portably(state, block);
}

void compress_portably(State& state, const std::uint8_t* block) {
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
  auto [a, b, c, d, e, f, g, h] = state;
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
  std::transform(state.begin(), state.end(), added.begin(), state.begin(),
                 [](std::uint32_t x, std::uint32_t y) { return x + y; });
}

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
