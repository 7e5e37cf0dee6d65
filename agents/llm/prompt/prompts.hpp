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

/// What the names of a template stand for.
struct TemplateValues {
  std::function<std::string(std::string_view)> text;  ///< the text of a name
  /// The elements of a list, or this itself for another value that is not null, empty or false.
  std::function<std::vector<TemplateValues>(std::string_view)> each{};
  bool is_single = false;  ///< of a value that is no list: it has no place of its own
};

/// A prompt file, ready to be filled. `{{name}}` stands for a text. A line whose names are all
/// empty is left out, as is one of empty sections alone, and so is a paragraph that loses all its
/// lines with names: a heading goes with what it heads. What is filled in is never looked at again:
/// names in it stay as they are. Sections are those of Mustache: `{{#list}}...{{/list}}` once for
/// each element, whose members are names in it, `{{^list}}...{{/list}}` where there is none.
/// `{{#list where hp < 1 by -bid}}` takes those with hp below 1, the highest bid first; `where goal
/// = profit` those with that text, `where name is seat` those with the text of another name.
/// `index` is the place of an element, from 1; `first` and `last` are true of those, `first.round`
/// of the first in a row with its round.
/// `{{index + 1}}` adds to a number. `{{'}}'}}` stands for the text in the quotes.
class Template {
 public:
  /// A name, the sections around it, the outermost first, and its line in the file, from 1.
  struct Use {
    std::string_view name;
    int line = 0;
    std::vector<std::string_view> lists{};
    bool heads_section = false;
  };
  using Aliases = std::map<std::string, std::string>;

  /// `aliases`: other words for names; must outlive this. Throws Error (invalid) with file and line
  /// for braces that do not fit together.
  Template(std::string text, const std::string& file, const Aliases& aliases);
  Template(std::string text, const std::string& file);
  Template(const Template&) = delete;
  Template& operator=(const Template&) = delete;

  /// The text with the values in place of the names. Lines end in "\n" except for the last.
  [[nodiscard]] std::string fill(const TemplateValues& values) const;
  [[nodiscard]] const std::vector<Use>& uses() const { return uses_; }
  /// Whether it has this name anywhere.
  [[nodiscard]] bool has(std::string_view name) const;

 private:
  struct Section;
  /// Literal text, a name, or a section.
  struct Piece {
    std::string_view text{};
    bool is_name = false;
    std::shared_ptr<const Section> section{};
    double added = 0;  ///< to the number that the name stands for
  };
  struct Line {
    std::vector<Piece> pieces;
    bool has_names = false;
    bool is_blank = true;
  };
  class Parser;

  static std::string filled(const Piece& piece, const TemplateValues& values);

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
  [[nodiscard]] const PromptFolder& folder() const { return set_->folder; }
  /// The words of a source, such as a paper: the dialogue around them stays as it was there.
  [[nodiscard]] bool have_source() const { return !set_->folder.source.empty(); }

 private:
  std::shared_ptr<const PromptSet> set_;
  std::map<std::string, Template, std::less<>> templates_;
};

/// Everything that is wrong with the prompts of a game for an agent with these parts: a file that
/// cannot be read or is not there, an unknown name, a name that must be there and is not.
[[nodiscard]] std::vector<Finding> check_prompts(const Game& game, const PromptSet& set,
                                                 std::span<const PromptUse> parts);

}  // namespace agon::llm
