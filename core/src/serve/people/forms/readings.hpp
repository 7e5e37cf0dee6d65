#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/suite.hpp"

namespace agon::serve {

/// A text that people read, ready for their page.
struct Reading {
  std::string title;                  ///< its first heading; empty: it has none
  std::string blocks;                 ///< the rest, as JSON
  std::vector<std::size_t> pictures;  ///< their numbers
};

/// A picture of a text.
struct ReadingPicture {
  std::string type;  ///< "image/png"
  std::string bytes;
};

/// The instructions of a suite, each with a number, and their pictures.
class Readings {
 public:
  /// Throws Error for pictures that cannot be read.
  explicit Readings(const Suite& suite);

  [[nodiscard]] const Reading& at(std::size_t number) const { return all_[number]; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] const ReadingPicture& picture(std::size_t number) const {
    return pictures_[number];
  }
  /// Of the stage of that number, or of a scenario; nothing: it has none.
  [[nodiscard]] std::optional<std::size_t> of_stage(std::int64_t stage) const;
  [[nodiscard]] std::optional<std::size_t> of_scenario(std::string_view name) const;

 private:
  std::size_t add(const PeopleText& text);

  std::vector<Reading> all_;
  std::vector<ReadingPicture> pictures_;
  std::map<std::string, std::size_t> by_text_;     ///< one that is named twice is one
  std::map<std::string, std::size_t> by_picture_;  ///< likewise, by file
  std::map<std::int64_t, std::size_t> by_stage_;
  std::map<std::string, std::size_t, std::less<>> by_scenario_;
};

}  // namespace agon::serve
