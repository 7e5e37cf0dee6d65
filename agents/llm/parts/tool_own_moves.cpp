#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>

#include "llm/answer/words.hpp"
#include "llm/parts/tool.hpp"

namespace agon::llm {

struct OwnMovesCall {
  int last = 10;
};
AGON_DESCRIBE(OwnMovesCall, (last, "how many of your moves, the latest ones", agon::range(1, 50),
                             agon::unit("moves")))

namespace {

constexpr std::size_t kLongestRow = 800;
constexpr std::size_t kLongestTable = 4000;

/// A move with when it was made and what was told after it, until the next one.
std::string move_row(const ModelTurn& turn, const OwnMove& move, std::size_t next) {
  std::string row = "- " + turn.date(move.at) + ": " + move.answer;
  if (const std::string followed = turn.events(move.at + 1, next); !followed.empty())
    row += "\n  What followed:\n" + followed;
  return beginning(row, kLongestRow);
}

std::string own_moves_table(const ModelTurn& turn, std::size_t last) {
  const std::vector<OwnMove> moves = turn.own_moves();
  if (moves.empty()) return "You have made no move yet.";
  std::string rows;
  std::size_t shown = 0;
  for (std::size_t next = turn.question().history.size(); shown < std::min(last, moves.size());
       ++shown) {
    const OwnMove& move = moves[moves.size() - shown - 1];
    const std::string row = move_row(turn, move, next);
    if (rows.size() + row.size() > kLongestTable) break;
    rows.insert(0, "\n" + row);
    next = move.at;
  }
  return "Your last " + std::to_string(shown) + " of " + std::to_string(moves.size()) +
         " moves, the oldest first:" + rows;
}

}  // namespace

const Tool& own_moves_tool() {
  static const Tool tool{
      {"own_moves",
       "Shows your own past moves in this game: when you made each, what it was, "
       "and what followed.",
       schema_json(type_of<OwnMovesCall>())},
      [](const ModelTurn& turn, std::string_view arguments) {
        OwnMovesCall call;
        if (const auto problem = read_json(call, arguments, Missing::keeps))
          throw Error(ErrorKind::invalid, "the arguments are wrong: " + problem->text());
        return own_moves_table(turn, static_cast<std::size_t>(call.last));
      }};
  return tool;
}

}  // namespace agon::llm
