#pragma once

#include <agon/export.hpp>
#include <agon/outcome.hpp>
#include <agon/type.hpp>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace agon::record {

/// Bytes being read back; every read says whether it succeeded.
class Bytes {
 public:
  explicit Bytes(std::string_view data) : rest_(data) {}
  [[nodiscard]] bool empty() const { return rest_.empty(); }
  bool byte(std::uint8_t& out) {
    if (rest_.empty()) return false;
    out = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return true;
  }
  /// LEB128
  bool number(std::uint64_t& out) {
    if (!rest_.empty() && static_cast<std::uint8_t>(rest_.front()) < 0x80) {  // most of them
      out = static_cast<std::uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      return true;
    }
    out = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      std::uint8_t b = 0;
      if (!byte(b)) return false;
      out |= std::uint64_t{b & 0x7FU} << shift;
      if ((b & 0x80U) == 0) return true;
    }
    return false;
  }
  /// zigzag LEB128
  bool signed_number(std::int64_t& out) {
    std::uint64_t n = 0;
    if (!number(n)) return false;
    out = static_cast<std::int64_t>((n >> 1) ^ (0 - (n & 1)));
    return true;
  }
  /// eight bytes, little endian
  bool real(double& out) {
    std::uint64_t bits = 0;
    if (rest_.size() < sizeof bits) return false;
    for (unsigned i = 0; i < sizeof bits; ++i)
      bits |= std::uint64_t{static_cast<std::uint8_t>(rest_[i])} << 8 * i;
    rest_.remove_prefix(sizeof bits);
    out = std::bit_cast<double>(bits);
    return true;
  }
  /// length, then bytes
  bool text(std::string_view& out) {
    std::uint64_t n = 0;
    if (!number(n) || n > rest_.size()) return false;
    out = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return true;
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

inline void put_number(std::string& out, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) out.push_back(static_cast<char>(n | 0x80));
  out.push_back(static_cast<char>(n));
}
AGON_API void put_signed(std::string& out, std::int64_t n);
AGON_API void put_real(std::string& out, double v);
AGON_API void put_text(std::string& out, std::string_view text);

/// Appends the value in its compact binary form.
AGON_API void encode(std::string& out, const Type& type, const void* object);
/// Reads it back into a default-constructed object. False if the bytes do not fit the type.
AGON_API bool decode(Bytes& in, const Type& type, void* object);

/// Appends how a match came out: as records end with it, and as batches without records have it.
AGON_API void encode(std::string& out, const Outcome& outcome);
/// Reads it back, without what its metrics are. False if the bytes are none.
AGON_API bool decode(Bytes& in, Outcome& outcome);

}  // namespace agon::record
