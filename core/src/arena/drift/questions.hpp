#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <agon/model/model_agent.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hash/sha256.hpp"

namespace agon::drift {

/// One question of the drift check.
struct Question {
  std::string name;
  ModelProbe probe;
  std::string answer{};  ///< what is right; empty: nothing is right or wrong
};

/// The questions that show whether a model still is what it was.
struct AGON_API Questions {
  std::string text;       ///< of the file
  hash::Digest digest{};  ///< of that
  std::vector<Question> all;

  /// Reads a file of format "agon.drift". Throws Error for one that is not there or is none.
  static Questions read(const std::string& file);
  static Questions parse(std::string text, const std::string& file);
};

/// The JSON Schema of such files.
[[nodiscard]] AGON_API std::string questions_schema();

/// Case of ASCII letters, white space and a final stop are evened out.
[[nodiscard]] AGON_API std::string evened(std::string_view text);

/// Whether `said` is the right answer: the same text when evened out, or the same JSON value.
[[nodiscard]] AGON_API bool is_right(std::string_view said, std::string_view answer);

/// How far two texts are apart once they are evened out: the least number of bytes to insert, drop
/// or change (Levenshtein, Soviet Physics Doklady 10, 1966), over the length of the longer one. 0:
/// the same, 1: nothing in common. Of very long texts only the first 4000 bytes are looked at.
[[nodiscard]] AGON_API double distance(std::string_view a, std::string_view b);

}  // namespace agon::drift
