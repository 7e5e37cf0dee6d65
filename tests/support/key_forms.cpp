#include "support/key_forms.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>

namespace agon::test {
namespace {

template <class Write>
std::string each(std::string_view text, Write write) {
  std::string out;
  for (const char c : text) out += write(c);
  return out;
}

std::string form(const char* format, char c) {
  char out[16];
  std::snprintf(out, sizeof out, format, static_cast<unsigned>(static_cast<unsigned char>(c)));
  return out;
}

std::string base64(std::string_view bytes, const char* last) {
  const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + std::string(last);
  std::string out;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char c : bytes) {
    held = held << 8U | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) out += digits[held >> (bits - 6) & 63U];
  }
  if (bits > 0) out += digits[held << (6 - bits) & 63U];
  return out;
}

std::string lower(std::string_view text) {
  return each(text, [](char c) {
    return std::string(1, static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  });
}

std::string letters(std::string_view text) {
  return each(lower(text), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ? std::string(1, c) : std::string();
  });
}

}  // namespace

std::string in_json(std::string_view text) {
  return each(text, [](char c) {
    if (c == '"' || c == '\\') return std::string{'\\', c};
    return static_cast<unsigned char>(c) < ' ' ? form("\\u%04x", c) : std::string(1, c);
  });
}

std::vector<std::string> key_forms(const std::string& key) {
  std::vector<std::string> forms{key, lower(key), "Bearer " + key};
  const auto add = [&](auto write) { forms.push_back(each(key, write)); };
  add([](char c) { return std::string(1, static_cast<char>(std::toupper(c))); });
  forms.emplace_back(key.rbegin(), key.rend());
  add([](char c) { return c == '/' ? "\\/" : std::string(1, c); });
  for (const char* format : {"\\u%04x", "\\u%04X", "\\\\u%04x", "&#%u;", "&#x%x;", "&#x%X;",
                             "&amp;#%u;", "%%%02x", "%%%02X", "%%25%02x", "\\x%02x", "%02x", "%02X",
                             "%02x ", "%02X:", "0x%02x, ", "%u, ", "&#92;u%04x", "%%5Cu%04x"})
    add([&](char c) { return form(format, c); });
  // Only what must be escaped.
  add([](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ? std::string(1, c) : form("%%%02X", c);
  });
  for (const char* gap : {" ", "\n", "\t ", "\",\"", "-"})
    add([&](char c) { return c + std::string(gap); });
  for (const char* last : {"+/", "-_"})
    for (const std::string& before : {std::string(), std::string("u:"), std::string("Bearer ")}) {
      forms.push_back(base64(before + key, last));
      std::string lines;
      for (const char c : forms.back())
        lines += (lines.size() % 12 == 10 ? "\r\n" : "") + std::string(1, c);
      forms.push_back(lines);
    }
  return forms;
}

std::string key_in(std::string_view text, const std::string& key) {
  const std::string own = lower(text);
  for (const std::string& f : key_forms(key)) {
    // Base64 of a whole header begins with what is no key.
    const std::string part = lower(f).substr(f.size() / 3);
    if (own.find(part) != std::string::npos) return f;
    if (own.find(lower(in_json(part))) != std::string::npos) return f;
  }
  return letters(text).find(letters(key)) != std::string::npos ? key : std::string();
}

}  // namespace agon::test
