// The card says all that people, models and reports need to know of a game.
#include <fmt/format.h>

#include <set>

#include "conformance/checks.hpp"
#include "text/counted.hpp"

namespace agon::conformance {
namespace {

/// Goes over all that a card describes and notes what says nothing of itself.
class CardReader {
 public:
  void text(std::string_view text, const std::string& what) {
    ++read_;
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) silent_.push_back(what);
  }

  void type(const Type* type, const std::string& what) {
    if (type == nullptr || !seen_.insert(type).second) return;
    for (const Field& field : type->fields) {
      const std::string member = what + "." + std::string(field.name);
      text(field.doc, member);
      this->type(field.type, member);
    }
    for (const Enumerator& e : type->enumerators)
      text(e.doc, what + ", value '" + std::string(e.name) + "'");
    this->type(type->element, what);
    for (const Type* alternative : type->alternatives)
      this->type(alternative, what + "." + std::string(alternative->name));
  }

  [[nodiscard]] std::size_t read() const { return read_; }
  [[nodiscard]] const std::vector<std::string>& silent() const { return silent_; }

 private:
  std::set<const Type*> seen_;
  std::size_t read_ = 0;
  std::vector<std::string> silent_;
};

}  // namespace

Finding check_card(const Subject& subject) {
  const Game& game = subject.game();
  CardReader reader;
  reader.text(game.card.title, "the title");
  for (const Preset& preset : game.card.presets)
    reader.text(preset.doc, "preset '" + std::string(preset.name) + "'");
  reader.type(game.settings, "settings");
  reader.type(game.card.seat_metrics, "seat_metrics");
  reader.type(game.card.match_metrics, "match_metrics");
  reader.type(game.card.facts, "facts");
  for (const StageCard& stage : game.stages) {
    const std::string what = "stage '" + std::string(stage.name) + "'";
    reader.text(stage.doc, what);
    reader.type(stage.answer, what + ", answer");
    reader.type(stage.view, what + ", view");
  }
  for (const EventCard& event : game.events) {
    const std::string what = "event '" + std::string(event.name) + "'";
    reader.text(event.doc, what);
    reader.type(event.type, what);
  }
  bool has_pie = false;
  for (const auto& played : subject.sample())
    for (int i = 0; i < played->result.outcome.seats(); ++i)
      has_pie = has_pie || played->result.outcome[i].ideal == played->result.outcome[i].ideal;
  if (has_pie) {
    reader.text(game.card.disagreement, "the disagreement point");
    reader.text(game.card.ideal, "the ideal");
  }
  Finding finding{.check = "card", .tried = text::counted(reader.read(), "description")};
  if (reader.silent().empty()) {
    if (!game.card.score.empty()) return finding;
    finding.verdict = Verdict::warning;
    finding.problem = "the card does not say what the score is, and in which unit";
    finding.command = subject.describe_command();
    finding.mend = "say it in `score`: reports show it beside the figures";
    return finding;
  }
  finding.verdict = Verdict::fail;
  finding.problem = text::counted(reader.silent().size(), "thing says", "things say") +
                    " nothing of " + (reader.silent().size() == 1 ? "itself" : "themselves") +
                    ": " + reader.silent().front();
  for (std::size_t i = 1; i < std::min<std::size_t>(reader.silent().size(), 5); ++i)
    finding.problem += ", " + reader.silent()[i];
  finding.command = subject.describe_command();
  finding.mend = "say in its description what it means: people and models are told nothing else";
  return finding;
}

}  // namespace agon::conformance
