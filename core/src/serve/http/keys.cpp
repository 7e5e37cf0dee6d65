#include "http/keys.hpp"

#include <sys/random.h>

#include <agon/error.hpp>
#include <array>
#include <cstddef>
#include <cstdint>

#include "hash/sha256.hpp"

namespace agon::serve {

std::string random_key() {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<std::uint8_t, 32> bytes{};
  // As few bytes are given whole or not at all.
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(ErrorKind::failure, "the system gives no random numbers");
  std::string key;
  for (const std::uint8_t byte : bytes) key += kLetters[byte % kLetters.size()];
  return key;
}

std::string key_digest(std::string_view key) {
  return hash::hex(hash::sha256(key));
}

bool same_key(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differs = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    differs |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differs == 0;
}

}  // namespace agon::serve
