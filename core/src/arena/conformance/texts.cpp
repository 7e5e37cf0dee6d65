#include <fmt/format.h>

#include <agon/form.hpp>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/matches.hpp"
#include "text/words.hpp"

// The card says all that people, models and reports need to know of a game.

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

CheckResult check_card(const GameUnderTest& subject) {
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
  CheckResult finding{.tried = text::counted(reader.read(), "description")};
  if (reader.silent().empty()) {
    if (!game.card.score.empty()) return finding;
    finding.verdict = Verdict::warning;
    finding.problem = "the card does not say what the score is, and in which unit";
    finding.command = subject.describe_command();
    finding.hint = "say it in `score`: reports show it beside the figures";
    return finding;
  }
  const auto& silent = reader.silent();
  finding.fail(text::counted(silent.size(), "thing says", "things say") + " nothing of " +
                   (silent.size() == 1 ? "itself" : "themselves") + ": " +
                   text::joined(silent, ", ", {}, 5),
               subject.describe_command(),
               "say in its description what it means: people and models are told nothing else");
  return finding;
}

// What players read is written for them: no names from the code, no noise of binary fractions, no
// line that has no end.
namespace {

/// Most code points of one line.
constexpr std::size_t kLongestLine = 2000;
/// Digits behind a point from which on nobody reads them.
constexpr std::size_t kNoise = 9;

/// Adds the names of members that no text has by chance: those of several words.
void add_names(const Type* type, std::set<std::string>& names, std::set<const Type*>& seen) {
  if (type == nullptr || !seen.insert(type).second) return;
  for (const Field& field : type->fields) {
    if (field.name.find('_') != std::string_view::npos) names.emplace(field.name);
    add_names(field.type, names, seen);
  }
  add_names(type->element, names, seen);
  for (const Type* alternative : type->alternatives) add_names(alternative, names, seen);
}

/// Names of the code that players have no use for. What they answer with is theirs to know.
std::set<std::string> inner_names(const Game& game) {
  std::set<std::string> names, answers;
  std::set<const Type*> seen, of_answers;
  add_names(game.settings, names, seen);
  add_names(game.card.seat_metrics, names, seen);
  add_names(game.card.match_metrics, names, seen);
  add_names(game.card.facts, names, seen);
  for (const EventCard& event : game.events) {
    add_names(event.type, names, seen);
    if (event.name.find('-') != std::string_view::npos) names.emplace(event.name);
  }
  for (const StageCard& stage : game.stages) {
    add_names(stage.view, names, seen);
    add_names(stage.answer, answers, of_answers);
    if (stage.name.find('-') != std::string_view::npos) names.emplace(stage.name);
  }
  for (const std::string& name : answers) names.erase(name);
  return names;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// What is wrong with a text, empty if nothing is.
std::string problem_of(std::string_view text, const std::set<std::string>& names) {
  std::size_t line = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    line = c == '\n' ? 0 : line + ((c & 0xC0U) != 0x80U ? 1 : 0);
    if (line > kLongestLine) return fmt::format("a line of more than {} characters", kLongestLine);
    if (c < 0x20 && c != '\n' && c != '\t') return "a control character";
    if (c == '.' && i > 0 && is_digit(text[i - 1])) {
      std::size_t digits = 0;
      while (i + 1 + digits < text.size() && is_digit(text[i + 1 + digits])) ++digits;
      if (digits >= kNoise) {
        std::size_t begin = i;
        while (begin > 0 && is_digit(text[begin - 1])) --begin;
        return "the number " + std::string(text.substr(begin, i - begin + digits + 1));
      }
    }
    if (!is_word(text[i]) || (i > 0 && is_word(text[i - 1]))) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (const std::string word(text.substr(i, end - i)); names.contains(word))
      return "the name '" + word + "' of the code";
    ++i;
  }
  return {};
}

}  // namespace

CheckResult check_texts(const GameUnderTest& subject) {
  CheckResult finding;
  const std::set<std::string> names = inner_names(subject.game());
  std::set<std::string> read;
  std::uint64_t shortest = ~std::uint64_t{0};
  std::size_t matches = 0;
  for (const CheckedMatch* played : subject.finished(4)) {
    ++matches;
    const auto look = [&](const std::string& what, const std::string& text) {
      if (!read.insert(text).second || played->result.questions >= shortest) return;
      const std::string problem = problem_of(text, names);
      if (problem.empty()) return;
      shortest = played->result.questions;
      finding.fail(what + " holds " + problem, subject.command(played->casting),
                   "say it in words (a telling, docs/plugins.md), round what is a fraction, and "
                   "break lines");
    };
    const auto watched =
        watch(subject, played->casting, {.script = script_of(subject.game(), played->history)});
    if (!watched->broken.empty() && watched->result.questions < shortest) {
      shortest = watched->result.questions;
      finding.fail(fmt::format("{}, the game broke: {}", kWhenSeatsWait, watched->broken),
                   subject.check_command("texts"),
                   "a text is to be made of every event, view and seat there can be");
    }
    std::map<int, std::size_t> told;
    for (const ObservedQuestion& shown : watched->shown) {
      const OwnedQuestion& q = shown.question;
      look("the rules", q.rules);
      look("who the seat is", q.persona);
      look("what stage '" + q.stage + "' asks", q.stage_doc);
      // What is no sentence of the game's is laid out by the arena, with names as they are.
      const bool is_told = !q.view_told.empty();
      look("what is shown at '" + q.stage + "'",
           is_told ? q.view_told : plain_text(q.view_type, q.view_json));
      for (std::size_t& i = told[q.seat]; i < q.history.size(); ++i)
        look("the event '" + q.history[i].name + "'", q.history[i].told);
    }
  }
  finding.tried = fmt::format("{}, {}", text::counted(matches, "match", "matches"),
                              text::counted(read.size(), "text"));
  return finding;
}

// What a seat is told grows in bounds: a model's history has to fit where it is read.
namespace {

/// Most bytes that come new with one question: its view, and what was said since the one before.
constexpr std::size_t kMostAtOnce = std::size_t{32} << 10;
/// Most bytes of all that a seat is told in a match.
constexpr std::size_t kMostInAll = std::size_t{1} << 20;

std::size_t size_of(const Delivery& delivery) {
  return std::max(delivery.told.size(), delivery.json.size());
}

}  // namespace

CheckResult check_history(const GameUnderTest& subject) {
  CheckResult finding;
  std::size_t questions = 0, at_once = 0, in_all = 0, matches = 0;
  const CheckedMatch *first = nullptr, *worst = nullptr;
  for (const CheckedMatch* played : subject.finished(4)) {
    const auto watched =
        watch(subject, played->casting, {.script = script_of(subject.game(), played->history)});
    note_broken(*watched, finding);
    ++matches;
    for (const ObservedQuestion& shown : watched->shown) {
      const OwnedQuestion& q = shown.question;
      ++questions;
      std::size_t now = q.view_json.size(), all = 0;
      for (std::size_t i = 0; i < q.history.size(); ++i) {
        all += size_of(q.history[i]);
        if (i >= q.unseen_from) now += size_of(q.history[i]);
      }
      if (now > at_once) at_once = now, first = played;
      if (all > in_all) in_all = all, worst = played;
    }
  }
  finding.tried = fmt::format("{}, {}; at most {} bytes at once, {} in a match",
                              text::counted(matches, "match", "matches"),
                              text::counted(questions, "question"), at_once, in_all);
  if (finding.verdict == Verdict::skipped) return finding;
  if (at_once <= kMostAtOnce && in_all <= kMostInAll) return finding;
  finding.verdict = Verdict::fail;
  const bool is_at_once = at_once > kMostAtOnce;
  finding.problem =
      is_at_once
          ? fmt::format("a seat is told {} bytes with one question; {} is much", at_once,
                        kMostAtOnce)
          : fmt::format("a seat is told {} bytes in one match; {} is much", in_all, kMostInAll);
  finding.command = subject.command((is_at_once ? first : worst)->casting);
  finding.hint =
      "say what is new since the last question, in events; a view that repeats the past grows with "
      "the square of the match";
  return finding;
}

}  // namespace agon::conformance
