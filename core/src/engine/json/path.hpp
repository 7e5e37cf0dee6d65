#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace agon::json {

/// A place in a text.
struct Position {
  std::size_t offset = 0;  ///< bytes from the start
  std::size_t line = 1;    ///< from 1; lines end with `\n`
  std::size_t column = 1;  ///< from 1, in code points
};

/// The line and column of a byte offset (at most `text.size()`).
AGON_API Position position_at(std::string_view text, std::size_t offset);

/// How a place is written in messages: `file:line:column`, or `line 3, column 5` without a file.
AGON_API std::string place(std::string_view file, const Position& position);

class Uncommented;

/// A place inside a JSON value, written `$.scenarios[2].set.factor`. Names that are not plain words
/// are written `["odd name"]`.
class AGON_API Path {
 public:
  /// A member's name or an element's index, from 0.
  using Step = std::variant<std::string, std::size_t>;

  /// The root, `$`.
  Path() = default;

  /// Reads what `str` writes; nothing when `text` is not a path.
  static std::optional<Path> read(std::string_view text);

  /// The path of the member `name` of the object at this path.
  [[nodiscard]] Path operator/(std::string_view name) const;

  /// The path of element `index` of the array at this path.
  [[nodiscard]] Path operator[](std::size_t index) const;

  /// The path `below`, which begins at this one.
  [[nodiscard]] Path operator/(const Path& below) const;

  /// What follows the first step; of the root, the root.
  [[nodiscard]] Path rest() const;

  /// All but the last step; of the root, the root.
  [[nodiscard]] Path parent() const;

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

  /// The path as text.
  [[nodiscard]] std::string str() const;

 private:
  std::vector<Step> steps_;
};

/// Where members and elements stand in one text. Each object and list is looked through once, so
/// that the places of many cost little more than that of one.
class AGON_API Positions {
 public:
  /// `text` must outlive this, and should be JSON that `parse` accepts; of anything else some
  /// position inside it comes out.
  explicit Positions(std::string_view text);
  ~Positions();

  /// Where the member or element at `path` begins (for a member, its name). When the path leads
  /// nowhere, the deepest part of it that exists.
  [[nodiscard]] Position of(const Path& path);

 private:
  struct Child {
    std::size_t shown = 0;  ///< offset of the name, or of the element
    std::size_t value = 0;  ///< offset of the value
  };
  using Children = std::map<Path::Step, Child>;
  /// Of the object or list that begins at this offset.
  const Children& children_at(std::size_t offset);
  Position position(std::size_t offset);

  std::string_view text_;
  std::unique_ptr<const Uncommented> bare_;
  std::vector<std::size_t> line_starts_;
  std::map<std::size_t, Children> known_;
  Position last_;  ///< columns of one line are counted on from here
};

/// The same for one place.
AGON_API Position position_of(std::string_view text, const Path& path);

/// The lines in which the first `count` elements of the list at `path` begin, from 1. `text` must
/// be JSON that `parse` accepts, with such a list at `path`.
AGON_API std::vector<std::size_t> lines_of_elements(std::string_view text, const Path& path,
                                                    std::size_t count);

/// How to name the place of a wrong setting: `file:line:column ($.path)`.
AGON_API std::string place(std::string_view file, std::string_view text, const Path& path);

}  // namespace agon::json
