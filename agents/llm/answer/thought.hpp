#pragma once

#include <string>
#include <string_view>

namespace agon::llm {

/// Parts what a model thought from what it said: thoughts in any delimiter that models or their
/// servers are known to write (docs/faults.md lists them), wherever they stand, also without their
/// opening one; and all but the final channel of OpenAI's harmony format. In JSON and between
/// <answer> tags delimiters are data. A thought without an end stays where it is.
void split_thought(std::string& text, std::string& reasoning);

/// Where a thought begins that does not end; npos: nowhere. What stands from there on is not said.
[[nodiscard]] std::size_t open_thought(std::string_view text);

/// True for a text that begins with a thought and does not end it: where the answer begins is not
/// known.
[[nodiscard]] bool is_open_thought(std::string_view text);

/// What stands in a text up to the first token that ends a turn: what comes after it is made up by
/// a model that ran on.
[[nodiscard]] std::string_view first_turn(std::string_view text);

}  // namespace agon::llm
