#include <algorithm>

#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"
#include "llm/parts/sentences.hpp"
#include "llm/parts/write_aside.hpp"

namespace agon::llm {

struct NotebookParams {
  int words = 200;
};
AGON_DESCRIBE(NotebookParams,
              (words, "how long the notes may be", agon::range(10, 5000), agon::unit("words")))

namespace {

constexpr std::string_view kNotes = "notebook";
constexpr std::string_view kNotesCover = "notebook-covers";
constexpr std::string_view kMissed = "notebook-missed";
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
    return turn.headed(ModelLine("Your notes"), held(turn));
  }

 private:
  static std::size_t covered(const ModelTurn& turn) {
    return std::max(turn.phase_from(0), static_cast<std::size_t>(std::strtoull(
                                            turn.note(kNotesCover).c_str(), nullptr, 10)));
  }

  static OwnText held(const ModelTurn& turn) {
    return {turn.note(kNotes), covered(turn), !turn.note(kMissed).empty()};
  }

  /// Notes for everything up to the end of the last phase.
  void rewrite(ModelTurn& turn, std::size_t from, std::size_t to) const {
    const PromptName names[] = {{"old", turn.headed(ModelLine("Your notes so far"), held(turn))},
                                {"events", turn.account(from, to)},
                                {"words", std::to_string(params_.words)}};
    ModelRequest request;
    request.purpose = "notebook";
    request.messages = {{"system", turn.render("system")},
                        {"user", turn.render("part-notebook", names)}};
    // What came back empty or was refused is no notebook: the old one stays, and so does the span
    // that the next try has to cover.
    const std::string text = write_words(turn, std::move(request));
    turn.write_note(kMissed, text.empty() ? "yes" : "");
    if (text.empty()) return;
    turn.write_note(kNotes, bounded(text, *turn.question().language));
    turn.write_note(kNotesCover, std::to_string(to));
  }

  /// Notes that are too long end with the last whole sentence within the limit.
  [[nodiscard]] std::string bounded(std::string_view text, const Language& language) const {
    const std::string_view kept = first_words(text, static_cast<std::size_t>(params_.words));
    if (kept.size() == text.size()) return std::string(text);
    return std::string(whole_sentences(kept)) + "\n" +
           language.say(ModelLine("[the rest was over {n} words, and is left out]"),
                        {{"n", std::to_string(params_.words)}});
  }

  Params params_;
};

}  // namespace

PartCard notebook_card() {
  return part<Notebook>(
      {.id = "notebook",
       .doc =
           "Notes of its own, written anew by the model after each phase, in place of all that "
           "happened before. What is over the limit of words is left out. One call more a phase."});
}

}  // namespace agon::llm
