#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace agon::llm {

/// A prompt file, ready to be filled. `{{name}}` stands for a text. A line whose names are all
/// empty is left out, and so is a paragraph that loses all its lines with names: a heading goes
/// with what it heads. What is filled in is never looked at again: names in it stay as they are.
class Template {
 public:
  /// A name, and the line of the file that it stands in, from 1.
  struct Use {
    std::string_view name;
    int line = 0;
  };

  /// Throws Error (invalid) with file and line for braces that do not fit together.
  Template(std::string text, const std::string& file);
  Template(const Template&) = delete;
  Template& operator=(const Template&) = delete;

  /// The text with `value(name)` in place of each name. Lines end in "\n" except for the last.
  [[nodiscard]] std::string fill(const std::function<std::string(std::string_view)>& value) const;
  [[nodiscard]] const std::vector<Use>& uses() const { return uses_; }

 private:
  struct Piece {
    std::string_view text;  ///< literal text, or a name
    bool is_name = false;
  };
  struct Line {
    std::vector<Piece> pieces;
    bool has_names = false;
    bool is_blank = false;
  };

  std::string text_;
  std::vector<Line> lines_;
  std::vector<Use> uses_;
};

}  // namespace agon::llm
