#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "json/position.hpp"

namespace agon::json {

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

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

  /// The path as text.
  [[nodiscard]] std::string str() const;

 private:
  std::vector<Step> steps_;
};

/// Where in `text` the member or element at `path` begins (for a member, its name). When the path
/// leads nowhere, the deepest part of it that exists; `text` should be JSON that `parse` accepts,
/// anything else gives some position inside it.
AGON_API Position position_of(std::string_view text, const Path& path);

/// The lines in which the first `count` elements of the array at `path` begin, from 1. `text` must
/// be JSON that `parse` accepts, with such an array at `path`.
AGON_API std::vector<std::size_t> lines_of_elements(std::string_view text, const Path& path,
                                                    std::size_t count);

/// How to name the place of a wrong setting: `file:line:column ($.path)`.
AGON_API std::string place(std::string_view file, std::string_view text, const Path& path);

}  // namespace agon::json
