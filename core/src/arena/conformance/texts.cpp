// What players read is written for them: no names from the code, no noise of binary fractions, no
// line that has no end.
#include <fmt/format.h>

#include <agon/form.hpp>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/watch.hpp"
#include "text/counted.hpp"

namespace agon::conformance {
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

Finding check_texts(const Subject& subject) {
  Finding finding{.check = "texts", .tried = ""};
  const std::set<std::string> names = inner_names(subject.game());
  std::set<std::string> read;
  std::uint64_t shortest = ~std::uint64_t{0};
  std::size_t matches = 0;
  for (const Played* played : subject.finished(4)) {
    ++matches;
    const auto look = [&](const std::string& what, const std::string& text) {
      if (!read.insert(text).second || played->result.questions >= shortest) return;
      const std::string problem = problem_of(text, names);
      if (problem.empty()) return;
      shortest = played->result.questions;
      finding.verdict = Verdict::fail;
      finding.problem = what + " holds " + problem;
      finding.command = subject.command(played->casting);
      finding.mend =
          "say it in words (a telling, docs/plugins.md), round what is a fraction, and break lines";
    };
    const auto watched =
        watch(subject, played->casting, {.script = script_of(subject.game(), played->history)});
    if (!watched->broken.empty() && watched->result.questions < shortest) {
      shortest = watched->result.questions;
      finding.verdict = Verdict::fail;
      finding.problem = fmt::format("{}, the game broke: {}", kWhenSeatsWait, watched->broken);
      finding.command = subject.check_command("texts");
      finding.mend = "a text is to be made of every event, view and seat there can be";
    }
    std::map<int, std::size_t> told;
    for (const Shown& shown : watched->shown) {
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

}  // namespace agon::conformance
