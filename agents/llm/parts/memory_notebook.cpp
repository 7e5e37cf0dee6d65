#include <algorithm>

#include "llm/answer/refusal.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {

struct NotebookParams {
  int words = 200;
};
AGON_DESCRIBE(NotebookParams,
              (words, "how long the notes may be", agon::range(10, 5000), agon::unit("words")))

namespace {

constexpr std::string_view kNotes = "notebook";
constexpr std::string_view kNotesCover = "notebook-covers";
constexpr std::string_view kNotebookNames[] = {"old", "events", "words"};

class Notebook final : public Memory {
 public:
  using Params = NotebookParams;
  explicit Notebook(const Params& params) : params_(params) {}

  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-notebook", kNotebookNames}};
  }
  [[nodiscard]] std::size_t from(const ModelTurn& turn) const override {
    return std::min(covered(turn), turn.news_from());
  }
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn& turn) const override {
    return turn.dialogue(from(turn), turn.news_from());
  }
  [[nodiscard]] std::string notes(ModelTurn& turn) const override {
    const std::size_t size = turn.question().history.size();
    const std::size_t phase = turn.phase_from(size);
    const std::size_t from = covered(turn);
    if (phase > from) rewrite(turn, from, phase);
    return turn.note(kNotes);
  }

 private:
  static std::size_t covered(const ModelTurn& turn) {
    return std::max(turn.phase_from(0), static_cast<std::size_t>(std::strtoull(
                                            turn.note(kNotesCover).c_str(), nullptr, 10)));
  }

  /// Notes for everything up to the end of the last phase.
  void rewrite(ModelTurn& turn, std::size_t from, std::size_t to) const {
    std::string events;
    for (const ChatMessage& m : turn.dialogue(from, to)) {
      if (!events.empty()) events += "\n";
      events += m.role == "assistant" ? "- you answered: " + m.text : m.text;
    }
    const PromptName names[] = {{"old", turn.note(kNotes)},
                                {"events", std::move(events)},
                                {"words", std::to_string(params_.words)}};
    ModelRequest request;
    request.purpose = "notebook";
    request.messages = {{"system", turn.render("system")},
                        {"user", turn.render("part-notebook", names)}};
    const ModelCall call = turn.call(request);
    // What came back empty or was refused is no notebook: the old one stays, and so does the span
    // that the next try has to cover.
    if ((call.fault != Fault::ok && call.fault != Fault::truncated) || is_refusal(call.text))
      return;
    turn.write_note(kNotes, call.text);
    turn.write_note(kNotesCover, std::to_string(to));
  }

  Params params_;
};

}  // namespace

PartCard notebook_card() {
  return part<Notebook>(
      {.id = "notebook",
       .doc = "Notes of its own, written anew by the model after each phase, in place of all that "
              "happened before. One call more a phase."});
}

}  // namespace agon::llm
