#include "llm/parts/upkeep.hpp"

#include <algorithm>

#include "llm/parts/write_aside.hpp"

namespace agon::llm {

std::string kept_text(ModelTurn& turn, std::string_view note, std::string_view prompt,
                      Upkeep when) {
  std::string held = turn.note(note);
  if (turn.question().probe) return held;
  const std::string mark = std::string(note) + "-covers";
  const std::string covers = turn.note(mark);
  const std::size_t size = turn.question().history.size();
  const std::size_t phase = turn.phase_from(size);
  const bool is_first = covers.empty();
  // A play that knows nothing of the one before begins with no phase behind it.
  const bool phase_ended =
      phase > std::max(turn.phase_from(0),
                       static_cast<std::size_t>(std::strtoull(covers.c_str(), nullptr, 10)));
  const bool due = when == Upkeep::once          ? is_first
                   : when == Upkeep::every_phase ? is_first || phase_ended
                                                 : phase_ended;
  if (!due) return held;
  // As before a move, with the text as it is: what still holds is kept.
  const PromptName names[] = {{note, held}};
  const std::string& stage = turn.question().stage;
  const std::string text = write_aside(
      turn, note,
      turn.render(turn.has_prompt(stage) ? stage : "task", names) + "\n\n" + turn.render(prompt));
  if (text.empty()) return held;
  turn.write_note(note, text);
  turn.write_note(mark, std::to_string(phase));
  return text;
}

}  // namespace agon::llm
