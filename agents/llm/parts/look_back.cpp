#include "llm/parts/look_back.hpp"

#include <algorithm>
#include <cstdlib>

namespace agon::llm {
namespace {

constexpr std::string_view kMoved = "moved";  ///< a note: the length of the history at the move

}  // namespace

void mark_move(ModelTurn& turn) {
  turn.write_note(kMoved, std::to_string(turn.question().history.size()));
}

bool has_moved(const ModelTurn& turn) {
  return !turn.note(kMoved).empty();
}

std::string told_since_move(const ModelTurn& turn) {
  const std::string place = turn.note(kMoved);
  const std::size_t from =
      place.empty() ? turn.news_from() : std::strtoul(place.c_str(), nullptr, 10);
  return turn.events(std::max(from, turn.remembered_from()), static_cast<std::size_t>(-1));
}

}  // namespace agon::llm
