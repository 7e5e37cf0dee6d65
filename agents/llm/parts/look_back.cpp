#include "llm/parts/look_back.hpp"

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

}  // namespace agon::llm
