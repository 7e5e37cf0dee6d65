#include "llm/parts/upkeep.hpp"

#include <algorithm>

#include "llm/parts/write_aside.hpp"

namespace agon::llm {

OwnText kept_text(ModelTurn& turn, const KeptText& kept, Upkeep when) {
  const std::string mark = std::string(kept.note) + "-covers";
  const std::string missed = std::string(kept.note) + "-missed";
  const std::string covers = turn.note(mark);
  OwnText held{turn.note(kept.note),
               static_cast<std::size_t>(std::strtoull(covers.c_str(), nullptr, 10)),
               !turn.note(missed).empty()};
  if (turn.question().probe) return held;
  const std::size_t phase = turn.phase_from(turn.question().history.size());
  const bool is_first = covers.empty();
  // A play that knows nothing of the one before begins with no phase behind it.
  const bool phase_ended = phase > std::max(turn.phase_from(0), held.at);
  const bool due = when == Upkeep::once          ? is_first
                   : when == Upkeep::every_phase ? is_first || phase_ended
                                                 : phase_ended;
  if (!due) return held;
  // As before a move, with the text as it is: what still holds is kept.
  const PromptName names[] = {{kept.note, turn.headed(kept.title, held)}};
  const std::string& stage = turn.question().stage;
  const std::string text =
      write_aside(turn, kept.note,
                  turn.render(turn.has_prompt(stage) ? stage : "task", names) + "\n\n" +
                      turn.render(held.text.empty() ? kept.first : kept.again));
  turn.write_note(missed, text.empty() ? "yes" : "");
  if (text.empty()) {
    held.was_missed = true;
    return held;
  }
  turn.write_note(kept.note, text);
  turn.write_note(mark, std::to_string(phase));
  return {text, phase};
}

}  // namespace agon::llm
