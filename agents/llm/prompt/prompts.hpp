#pragma once

#include <agon/game.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/preflight.hpp>
#include <agon/model/prompt_set.hpp>
#include <functional>
#include <map>
#include <memory>
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

/// The templates of one prompt set.
class Prompts {
 public:
  /// Throws Error (invalid) with file and line for a template that cannot be read.
  explicit Prompts(std::shared_ptr<const PromptSet> set);

  /// Null if none has that name.
  [[nodiscard]] const Template* find(std::string_view name) const;
  /// Throws Error (not_found) with the nearest name if there is none.
  [[nodiscard]] const Template& get(std::string_view name) const;
  /// Where it is from, for messages.
  [[nodiscard]] const std::string& file(std::string_view name) const;

 private:
  std::shared_ptr<const PromptSet> set_;
  std::map<std::string, Template, std::less<>> templates_;
};

/// The names that stand for something in every prompt file (docs/prompts.md).
[[nodiscard]] std::span<const std::string_view> common_names();
/// The names of `system`.
[[nodiscard]] std::span<const std::string_view> system_names();

/// The names that a prompt for a stage must use, so that no part is dropped in silence.
[[nodiscard]] std::vector<std::string_view> required_names(Purpose purpose);

/// Everything that is wrong with the prompts of a game for an agent with these parts: a file that
/// cannot be read or is not there, an unknown name, a name that must be there and is not.
[[nodiscard]] std::vector<Finding> check_prompts(const Game& game, const PromptSet& set,
                                                 std::span<const PromptUse> parts);

}  // namespace agon::llm
