#pragma once

#include <agon/export.hpp>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agon::serve {

/// The sentences of the pages in one language: those that ship, and over them what a suite says.
class AGON_API Texts {
 public:
  /// `own`: a JSON object of sentences by key, empty: none. Where a language does not ship, English
  /// stands for what `own` lacks. Throws Error at `where` for what is no such object, for a key
  /// that is not known, and for a hole that the sentence does not have.
  Texts(const std::string& language, const std::string& own, const std::string& where);

  /// The languages that ship.
  [[nodiscard]] static std::vector<std::string> shipped();

  /// The sentence with its {holes} filled.
  [[nodiscard]] std::string say(
      std::string_view key,
      std::initializer_list<std::pair<std::string_view, std::string_view>> holes = {}) const;
  /// All of them, as a JSON object.
  [[nodiscard]] const std::string& json() const { return json_; }

 private:
  std::map<std::string, std::string, std::less<>> sentences_;
  std::string json_;
};

}  // namespace agon::serve
