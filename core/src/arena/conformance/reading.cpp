// What cannot be read is turned down and asked again: it never becomes a move.
//
// Two ways to break that are looked for. An answer of the wrong form ("yes" for a bool, a number in
// quotes, a member too many) is given to every stage. And where a stage takes free text, words are
// given: if some of them lead play elsewhere than others, the game reads a move out of the text;
// then a text that is no word at all has to be turned down.
#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/watch.hpp"
#include "describe/limits_at.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/counted.hpp"
#include "text/shell.hpp"

namespace agon::conformance {
namespace {

namespace bj = boost::json;

/// Values that are none of the type.
std::vector<bj::value> wrong_values(const Type& type) {
  switch (type.kind) {
    case Kind::boolean:
      return {"yes", "true", 1, nullptr};
    case Kind::integer:
    case Kind::number:
      return {"5", true, nullptr, bj::array{}};
    case Kind::enumeration:
      return {0, true, nullptr, "no such value"};
    case Kind::text:
      if (type.any_json) return {};
      return {5, true, bj::object{}};
    case Kind::list:
      return {"none", 3, bj::object{}};
    case Kind::map:
      return {"none", 3, bj::array{}};
    case Kind::optional: {
      std::vector<bj::value> wrong = wrong_values(*type.element);
      std::erase(wrong, bj::value(nullptr));
      return wrong;
    }
    case Kind::structure:
    case Kind::variant:
      return {"yes", 7, true};
  }
  return {};
}

/// Copies of an answer, each with one part that is of another form.
void add_wrong(const Type& type, const bj::value& answer, std::vector<bj::value>& wrong) {
  for (const bj::value& value : wrong_values(type)) wrong.push_back(value);
  if (type.kind == Kind::optional && !answer.is_null()) {
    add_wrong(*type.element, answer, wrong);
    std::erase(wrong, bj::value(nullptr));
  } else if (type.kind == Kind::structure && answer.is_object()) {
    bj::object more = answer.get_object();
    more["no_such_member"] = 1;
    wrong.emplace_back(std::move(more));
    for (const Field& field : type.fields) {
      const bj::value* member = answer.get_object().if_contains(field.name);
      if (member == nullptr) continue;
      std::vector<bj::value> inner;
      add_wrong(*field.type, *member, inner);
      for (bj::value& value : inner) {
        bj::object changed = answer.get_object();
        changed[field.name] = std::move(value);
        wrong.emplace_back(std::move(changed));
      }
    }
  }
}

/// What came of a match: where it went, but not what was said in it.
std::string course_of(const Watched& watched) {
  std::string out;
  for (const Shown& shown : watched.shown)
    out += fmt::format("{} {} {};", shown.question.seat, shown.question.stage,
                       bytes_of(shown.question.limits.get()));
  for (const record::Entry& e : watched.history.entries) {
    if (e.what == record::Entry::What::event && e.audience != 0) out += std::string(e.name) + ";";
    if (e.what == record::Entry::What::draw) out += fmt::format("{}={};", e.name, e.payload);
    if (e.what == record::Entry::What::outcome)
      for (int i = 0; i < e.outcome->seats(); ++i) out += fmt::format("{};", (*e.outcome)[i].score);
  }
  return out;
}

/// Words that may be moves where moves are words: those of the stage, of the rules and of choices
/// anywhere in the game.
std::vector<std::string> words_of(const Game& game, const OwnedQuestion& question) {
  constexpr std::size_t kWords = 150;
  std::vector<std::string> words{"yes", "no", "1", "0", "true", "false", "A", "B", "C", "D"};
  std::set<std::string> known(words.begin(), words.end());
  const auto add = [&](const std::string& word) {
    if (!word.empty() && words.size() < kWords && known.insert(word).second) words.push_back(word);
  };
  for (const StageCard& stage : game.stages)
    for (const Type* type : {stage.answer, stage.view}) {
      if (type == nullptr) continue;
      for (const Enumerator& e : type->enumerators) add(std::string(e.name));
      for (const Field& f : type->fields)
        for (const Enumerator& e : f.type->enumerators) add(std::string(e.name));
    }
  std::string text = question.stage_doc;
  for (const Field& f : question.answer_type->fields) text += " " + std::string(f.doc);
  text += " " + question.rules;
  std::string word;
  for (const char c : text + " ") {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-') {
      word += c;
    } else {
      add(word);
      word.clear();
    }
  }
  return words;
}

/// The member of an answer that takes any text or any JSON; null if it has none.
const Field* free_text(const OwnedQuestion& question) {
  std::uint16_t slot = 0;
  for (const Field& field : question.answer_type->fields) {
    if (field.type->kind == Kind::text &&
        limit_at(question.limits.get(), slot, LimitKind::names) == nullptr)
      return &field;
    slot = static_cast<std::uint16_t>(slot + field.type->slots);
  }
  return nullptr;
}

/// The first attempt that stood; nothing if none did.
std::optional<std::size_t> taken_at(const Watched& watched, std::uint32_t number) {
  for (const record::Entry& e : watched.history.entries)
    if (e.what == record::Entry::What::question && e.number == number && !e.forced)
      return e.attempts.empty() ? 0 : e.attempts.size() - 1;
  return std::nullopt;
}

/// Looks at one question of a match.
class QuestionTrial {
 public:
  QuestionTrial(const Subject& subject, const Played& played, const OwnedQuestion& question)
      : subject_(subject),
        played_(played),
        question_(question),
        script_(script_of(subject.game(), played.history)) {}

  /// Answers of the wrong form, one after another, then the script's. The one that was taken.
  std::optional<std::string> wrong_form(std::size_t& tried) const {
    const std::string& right = script_.at(question_.number);
    std::vector<bj::value> wrong;
    add_wrong(*question_.answer_type, json::parse(right, "an answer"), wrong);
    std::vector<std::string> attempts;
    for (const bj::value& value : wrong) attempts.push_back(json::write(value));
    attempts.emplace_back("I would rather not say");
    tried += attempts.size();
    Watching how{.script = script_};
    how.reasks = static_cast<int>(attempts.size()) + 1;
    how.instead = [&](const OwnedQuestion& q) -> std::optional<std::string> {
      const auto n = static_cast<std::size_t>(q.attempt);
      if (q.number != question_.number || n >= attempts.size()) return std::nullopt;
      return attempts[n];
    };
    const auto watched = watch(subject_, played_.casting, how);
    const auto taken = taken_at(*watched, question_.number);
    if (taken && *taken < attempts.size()) return attempts[*taken];
    return std::nullopt;
  }

  /// The word that play follows, and the text without sense that was taken all the same.
  std::optional<std::pair<std::string, std::string>> sense_in_text(const Field& field,
                                                                   std::size_t& tried) const {
    const auto course = [&](const std::string& word) -> std::optional<std::string> {
      Watching how{.script = script_};
      how.script[question_.number] = answer_with(field, word);
      const auto watched = watch(subject_, played_.casting, how);
      ++tried;
      if (watched->result.end != End::finished || !taken_at(*watched, question_.number))
        return std::nullopt;
      return course_of(*watched);
    };
    // As long as a word, so that no game that counts letters is taken for one that reads.
    const std::string senseless = "qzxvw";
    const auto without = course(senseless);
    if (!without || course("wvxzq") != without) return std::nullopt;
    for (const std::string& word : words_of(subject_.game(), question_))
      if (const auto with = course(word); with && *with != *without)
        if (course(std::string(word.size(), 'q')) == without) return std::pair(word, senseless);
    return std::nullopt;
  }

  /// The script's answer with another text in a member.
  [[nodiscard]] std::string answer_with(const Field& field, const std::string& text) const {
    bj::object answer = json::parse(script_.at(question_.number), "an answer").as_object();
    answer[field.name] = bj::string(text);
    return json::write(answer);
  }

  /// What plays it: all seats by script, with this answer in its place.
  [[nodiscard]] std::string command(const std::string& answer) const {
    Casting casting = played_.casting;
    std::vector<bj::array> said(casting.agents.size());
    for (const record::Entry& e : played_.history.entries) {
      if (e.what != record::Entry::What::question || e.probe || e.number > question_.number)
        continue;
      const auto found = script_.find(e.number);
      if (found != script_.end())
        said[static_cast<std::size_t>(e.seat)].push_back(
            bj::string(e.number == question_.number ? answer : found->second));
    }
    for (std::size_t i = 0; i < said.size(); ++i)
      casting.agents[i] =
          json::write(bj::object{{"script", bj::object{{"answers", std::move(said[i])}}}});
    constexpr std::size_t kLongCommand = 2000;
    const std::string words = subject_.command(casting);
    return words.size() <= kLongCommand ? words : subject_.check_command("reading");
  }

 private:
  const Subject& subject_;
  const Played& played_;
  const OwnedQuestion& question_;
  Script script_;
};

}  // namespace

Finding check_reading(const Subject& subject) {
  Finding finding{.check = "reading", .tried = ""};
  std::size_t wrong = 0, words = 0;
  std::map<std::string, int> seen;
  for (const Played* played : subject.finished(4)) {
    const auto watched =
        watch(subject, played->casting, {.script = script_of(subject.game(), played->history)});
    note_broken(*watched, finding);
    if (!watched->broken.empty()) continue;
    for (const Shown& shown : watched->shown) {
      const OwnedQuestion& q = shown.question;
      // Few questions of each stage: all of them are read alike.
      if (q.probe || seen[q.stage] >= 3 || finding.verdict == Verdict::fail) continue;
      const QuestionTrial trial(subject, *played, q);
      ++seen[q.stage];
      if (const auto taken = trial.wrong_form(wrong)) {
        finding.verdict = Verdict::fail;
        finding.problem =
            fmt::format("at stage '{}', {} was taken, which is of another form", q.stage, *taken);
        finding.command = trial.command(*taken);
        finding.mend = "describe the answer by its own types, and let the table read it";
        continue;
      }
      const Field* field = free_text(q);
      if (field == nullptr) continue;
      if (const auto sense = trial.sense_in_text(*field, words)) {
        finding.verdict = Verdict::fail;
        finding.problem = fmt::format(
            "at stage '{}', the text '{}' is read as a move ('{}' leads elsewhere), and '{}' is "
            "taken as one too",
            q.stage, field->name, sense->first, sense->second);
        finding.command = trial.command(trial.answer_with(*field, sense->second));
        finding.mend =
            "ask for the move as an enumeration or a struct; else turn down with a check what is "
            "no move";
      }
    }
  }
  finding.tried = fmt::format("{}, {} of another form, {} put into free texts",
                              text::counted(seen.size(), "stage"), text::counted(wrong, "answer"),
                              text::counted(words, "word"));
  return finding;
}

}  // namespace agon::conformance
