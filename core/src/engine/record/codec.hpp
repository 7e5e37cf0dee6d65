#pragma once

#include <agon/export.hpp>
#include <agon/type.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace agon::record {

/// Bytes being read back; every read says whether it succeeded.
class AGON_API Bytes {
 public:
  explicit Bytes(std::string_view data) : rest_(data) {}
  [[nodiscard]] bool empty() const { return rest_.empty(); }
  bool byte(std::uint8_t& out);
  bool number(std::uint64_t& out);        ///< LEB128
  bool signed_number(std::int64_t& out);  ///< zigzag LEB128
  bool real(double& out);                 ///< eight bytes, little endian
  bool text(std::string_view& out);       ///< length, then bytes
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

}  // namespace agon::record
