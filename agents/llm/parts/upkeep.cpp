#include "llm/parts/upkeep.hpp"

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
  const bool phase_ended =
      phase > static_cast<std::size_t>(std::strtoull(covers.c_str(), nullptr, 10));
  const bool due = when == Upkeep::once          ? is_first
                   : when == Upkeep::every_phase ? is_first || phase_ended
                                                 : phase_ended;
  if (!due) return held;
  ModelRequest request;
  request.purpose = note;
  request.messages = turn.opening();
  const std::string asked = turn.render(prompt);
  if (request.messages.back().role == "user")
    request.messages.back().text += "\n\n" + asked;
  else
    request.messages.push_back({"user", asked});
  const ModelCall call = turn.call(request);
  if (call.fault != Fault::ok && call.fault != Fault::truncated) return held;
  turn.write_note(note, call.text);
  turn.write_note(mark, std::to_string(phase));
  return call.text;
}

}  // namespace agon::llm
