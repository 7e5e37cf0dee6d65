#pragma once

#include <string>
#include <string_view>

namespace agon::llm {

/// What a model thought and said, told apart: `<think>...</think>` at the start, also without its
/// opening tag. One without an end stays where it is. `<thinking>` is the same.
void split_thought(std::string& text, std::string& reasoning);

/// True for a text that begins with a thought and does not end it: where the answer begins is not
/// known.
[[nodiscard]] bool is_open_thought(std::string_view text);

}  // namespace agon::llm
