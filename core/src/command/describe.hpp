#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace agon {
class Skin;
struct Game;
struct Scenario;
struct Type;
}  // namespace agon

namespace agon::command {

class Invocation;

/// A file that people write, a part of one, or what a command prints.
struct FileCard {
  std::string name;
  std::string doc;
  const Type* type;
  std::string prefix;                   ///< of its members' names
  std::function<std::string()> schema;  ///< null: it has none
};

/// Lines of prose, indented and broken to the width of what is described.
[[nodiscard]] std::string paragraph(std::string_view text, std::size_t indent);

/// The skin of --skin, which is to fit the texts of a scenario. Throws Error if it does not.
[[nodiscard]] std::shared_ptr<const Skin> asked_skin(Invocation& call, const Scenario& scenario);

/// The rules of a game in the words of the skin of --skin, with what stands for what. Throws Error
/// for a skin that does not fit the game's texts.
void describe_skin(Invocation& call, const Game& game);

}  // namespace agon::command
