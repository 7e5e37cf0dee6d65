#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agon {
struct Game;
}

namespace agon::command {

class Invocation;

/// Lines of prose, indented and broken to the width of what is described.
[[nodiscard]] std::string paragraph(std::string_view text, std::size_t indent);

/// The rules of a game in the words of the skin of --skin, with what stands for what. Throws Error
/// for a skin that does not fit the game's texts.
void describe_skin(Invocation& call, const Game& game);

}  // namespace agon::command
