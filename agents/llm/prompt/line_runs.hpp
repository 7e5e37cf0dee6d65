#pragma once

#include <agon/language.hpp>
#include <string>
#include <vector>

namespace agon::llm {

/// Lines one below the other. Four or more in a row that are equal, or differ in numbers alone that
/// change in equal steps, are one line: their first, how many there are, and their last. Nothing is
/// lost by it.
[[nodiscard]] std::string with_line_runs(const std::vector<std::string>& lines,
                                         const Language& language);

}  // namespace agon::llm
