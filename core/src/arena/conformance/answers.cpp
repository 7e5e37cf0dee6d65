#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/matches.hpp"
#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/words.hpp"

// Limits are exact: one beyond an edge is turned down, and an edge itself is not turned down each
// time by the game's own check, which would keep from people and models what they may answer.

namespace agon::conformance {
namespace {

/// A number in an answer, and what it may be.
struct Leaf {
  std::string path;
  const Type* type = nullptr;
  void* at = nullptr;
  double low = 0, high = 0;
};

/// Numbers that the moment or the description bounds, in an answer as it is.
void add_leaves(const Type& type, const Field* field, void* at, std::uint16_t slot,
                std::span<const LimitData> limits, const std::string& path,
                std::vector<Leaf>& leaves) {
  const auto inner = static_cast<std::uint16_t>(slot + 1);
  switch (type.kind) {
    case Kind::integer: {
      const IntegerBounds b = integer_bounds(type, field, slot, limits);
      // What a sum bounds has an end where it has none of its own.
      if (b.lo > type.low && (b.hi < type.high || is_summed(slot, limits)) && b.lo <= b.hi)
        leaves.push_back({path, &type, at, static_cast<double>(b.lo), static_cast<double>(b.hi)});
      return;
    }
    case Kind::number: {
      const NumberBounds b = number_bounds(field, slot, limits);
      if (std::isfinite(b.lo) && (std::isfinite(b.hi) || is_summed(slot, limits)) && b.lo <= b.hi)
        leaves.push_back({path, &type, at, b.lo, b.hi});
      return;
    }
    case Kind::structure:
      for (const Field& f : type.fields) {
        add_leaves(*f.type, &f, f.at(at), slot, limits, path + "." + std::string(f.name), leaves);
        slot = static_cast<std::uint16_t>(slot + f.type->slots);
      }
      return;
    case Kind::variant: {
      const std::size_t held = type.index(at);
      return add_leaves(*type.alternatives[held], nullptr, type.alternative(at),
                        alternative_slot(type, slot, held), limits,
                        path + "." + kind_of(*type.alternatives[held]), leaves);
    }
    case Kind::list:
      if (const LimitData* each = limit_at(limits, slot, LimitKind::each)) {
        for (std::uint32_t i = 0; i < each->n && i < type.count(at); ++i)
          leaves.push_back({path + "[" + std::to_string(i) + "]", type.element, type.item(at, i),
                            static_cast<double>(each->lo), static_cast<double>(each->each[i])});
        return;
      }
      [[fallthrough]];
    case Kind::optional:
      for (std::size_t i = 0; i < type.count(at); ++i)
        add_leaves(*type.element, field, type.item(at, i), inner, limits,
                   type.kind == Kind::list ? path + "[]" : path, leaves);
      return;
    default:
      return;
  }
}

/// What sums leave of a number's range while the other numbers are at their least.
void narrow(std::vector<Leaf>& leaves, std::span<const SummedNumber> sums) {
  for (Leaf& leaf : leaves)
    for (const SummedNumber& sum : sums)
      if (sum.at == leaf.at) leaf.low = sum.low, leaf.high = sum.high;
}

void put(const Leaf& leaf, double value) {
  if (leaf.type->kind == Kind::number)
    *static_cast<double*>(leaf.at) = value;
  else
    leaf.type->set(leaf.at, static_cast<std::int64_t>(value));
}

/// An edge, or one beyond it.
struct Tried {
  std::string path;
  bool high = false;
  bool beyond = false;
  double value = 0;
};

/// Answers first beyond one edge of one number, then at it, a few times with all else drawn again,
/// then at random. It keeps what it tried: it plays one match.
class Prober final : public Agent {
 public:
  static constexpr int kTimes = 8;

  void answer(Question& q) const override {
    if (q.is_probe()) return q.decline();
    std::vector<Tried>& tried = tried_[q.number()];
    if (q.attempt() > kTimes) return q.draw();
    Dice dice = q.dice();
    for (int i = 0; i < kTimes; ++i) {
      Value value(q.answer_type());
      draw_value(q.answer_type(), nullptr, value.get(), 0, q.limits(), dice);
      std::vector<Leaf> leaves;
      add_leaves(q.answer_type(), nullptr, value.get(), 0, q.limits(), "$", leaves);
      narrow(leaves, summed_numbers(q.answer_type(), value.get(), q.limits()));
      if (leaves.empty()) continue;
      const bool is_first = tried.empty();
      const Leaf* leaf = is_first ? &leaves[dice.below(leaves.size())] : nullptr;
      for (const Leaf& one : leaves)
        if (!is_first && one.path == tried.front().path) leaf = &one;
      if (leaf == nullptr) continue;
      const bool high = is_first ? dice.below(2) == 1 : tried.front().high;
      const double edge = high ? leaf->high : leaf->low;
      const double step =
          leaf->type->kind == Kind::number ? std::max(1e-6, std::abs(edge) * 1e-6) : 1;
      const double answer = !is_first ? edge : high ? edge + step : edge - step;
      put(*leaf, answer);
      // At the edge of one number the others give way to it.
      fit_sums_around(q.answer_type(), value.get(), q.limits(), dice, leaf->at);
      tried.push_back({leaf->path, high, is_first, answer});
      return q.answer_json(write_json(q.answer_type(), value.get()));
    }
    // What was tried has one entry for each attempt.
    tried.push_back({});
    q.draw();
  }
  [[nodiscard]] const std::map<std::uint32_t, std::vector<Tried>>& tried() const { return tried_; }

 private:
  mutable std::map<std::uint32_t, std::vector<Tried>> tried_;
};

/// How often an edge was tried.
struct Edge {
  std::size_t taken = 0;
  std::size_t refused = 0;  ///< questions at which it was never taken
  std::string complaint;
  double value = 0;
};

/// Edges by stage, place in the answer, and which end it is.
using Edges = std::map<std::tuple<std::string, std::string, bool>, Edge>;

/// What came of all that was tried.
struct Trials {
  Edges edges;
  std::size_t beyond = 0;
  std::string taken_beyond;  ///< an answer that should not have been; empty: none was
};

void note(const record::Entry& entry, const std::vector<Tried>& tried, Trials& trials) {
  bool at_edge = false, taken = false;
  std::string complaint;
  for (std::size_t i = 0; i < std::min(entry.attempts.size(), tried.size()); ++i) {
    if (tried[i].path.empty()) continue;
    const bool stood = i + 1 == entry.attempts.size() && !entry.forced;
    if (tried[i].beyond) {
      ++trials.beyond;
      if (stood)
        trials.taken_beyond =
            fmt::format("at stage '{}', {} for {}", entry.name, tried[i].value, tried[i].path);
      continue;
    }
    at_edge = true;
    taken = taken || stood;
    if (!stood) complaint = entry.attempts[i].complaint;
  }
  if (!at_edge) return;
  Edge& edge = trials.edges[{std::string(entry.name), tried.front().path, tried.front().high}];
  edge.value = tried.back().value;
  ++(taken ? edge.taken : edge.refused);
  if (!taken) edge.complaint = std::move(complaint);
}

}  // namespace

CheckResult check_limits(const GameUnderTest& subject) {
  /// Matches of each preset.
  constexpr std::uint64_t kMatches = 20;
  /// Questions at which an edge has to be turned down before it is one that never passes.
  constexpr std::size_t kOften = 5;
  CheckResult finding;
  const auto fail = [&](std::string problem, std::string_view hint) {
    if (finding.verdict == Verdict::fail) return;
    finding.fail(std::move(problem), subject.check_command("limits"), hint);
  };
  Trials trials;
  for (std::size_t s = 0; s < subject.presets(); ++s)
    for (std::uint64_t m = 0; m < kMatches; ++m) {
      MatchSetup setup =
          subject.setup({s, subject.effort().seed + m, seated({"random"}, subject.seats(s))});
      const Prober prober;
      for (SeatSetup& seat : setup.seats) seat.agent = &prober;
      setup.reasks = Prober::kTimes + 4;
      const MatchResult result = play_some(std::move(setup));
      subject.heed(result, subject.check_command("limits"));
      const record::History history = record::read(result.record);
      for (const record::Entry& entry : history.entries)
        if (const auto tried = prober.tried().find(entry.number);
            entry.what == record::Entry::What::question && tried != prober.tried().end())
          note(entry, tried->second, trials);
      if (broken_by(subject.game(), result) == Breach::play)
        fail("an answer within the limits breaks the game: " + result.problem,
             "its code has to take every answer within the limits: fix it, or narrow the limit to "
             "what the rules allow; a check says a reason and throws nothing");
    }
  finding.tried = fmt::format("{}, {} beyond", text::counted(trials.edges.size(), "edge"),
                              text::counted(trials.beyond, "answer"));
  if (!trials.taken_beyond.empty())
    fail(trials.taken_beyond + " is beyond the limits and was taken",
         "this is a fault of the arena: please tell its authors");
  for (const auto& [where, edge] : trials.edges)
    if (edge.taken == 0 && edge.refused >= kOften)
      fail(fmt::format("at stage '{}', the limits let {} be {}, and the game turns that down each "
                       "time: {}",
                       std::get<0>(where), std::get<1>(where), edge.value, edge.complaint),
           "narrow the limit to what the check lets pass: people and models are told the limits");
  return finding;
}

// What cannot be read is turned down and asked again: it never becomes a move.
//
// Two ways to break that are looked for. An answer of the wrong form ("yes" for a bool, a number in
// quotes, a member too many) is given to every stage. And where a stage takes free text, words are
// given: if some of them lead play elsewhere than others, the game reads a move out of the text;
// then a text that is no word at all has to be turned down.
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
std::string course_of(const ObservedMatch& watched) {
  std::string out;
  for (const ObservedQuestion& shown : watched.shown)
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
std::optional<std::size_t> taken_at(const ObservedMatch& watched, std::uint32_t number) {
  for (const record::Entry& e : watched.history.entries)
    if (e.what == record::Entry::What::question && e.number == number && !e.forced)
      return e.attempts.empty() ? 0 : e.attempts.size() - 1;
  return std::nullopt;
}

/// Looks at one question of a match.
class QuestionTrial {
 public:
  QuestionTrial(const GameUnderTest& subject, const CheckedMatch& played,
                const OwnedQuestion& question)
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
  const GameUnderTest& subject_;
  const CheckedMatch& played_;
  const OwnedQuestion& question_;
  Script script_;
};

}  // namespace

CheckResult check_reading(const GameUnderTest& subject) {
  CheckResult finding;
  std::size_t wrong = 0, words = 0;
  std::map<std::string, int> seen;
  for (const CheckedMatch* played : subject.finished(4)) {
    const auto watched =
        watch(subject, played->casting, {.script = script_of(subject.game(), played->history)});
    note_broken(*watched, finding);
    if (!watched->broken.empty()) continue;
    for (const ObservedQuestion& shown : watched->shown) {
      const OwnedQuestion& q = shown.question;
      // Few questions of each stage: all of them are read alike.
      if (q.probe || seen[q.stage] >= 3 || finding.verdict == Verdict::fail) continue;
      const QuestionTrial trial(subject, *played, q);
      ++seen[q.stage];
      if (const auto taken = trial.wrong_form(wrong)) {
        finding.fail(
            fmt::format("at stage '{}', {} was taken, which is of another form", q.stage, *taken),
            trial.command(*taken),
            "describe the answer by its own types, and let the table read it");
        continue;
      }
      const Field* field = free_text(q);
      if (field == nullptr) continue;
      if (const auto sense = trial.sense_in_text(*field, words)) {
        finding.fail(fmt::format("at stage '{}', the text '{}' is read as a move ('{}' leads "
                                 "elsewhere), and '{}' is taken as one too",
                                 q.stage, field->name, sense->first, sense->second),
                     trial.command(trial.answer_with(*field, sense->second)),
                     "ask for the move as an enumeration or a struct; else turn down with a check "
                     "what is no move");
      }
    }
  }
  finding.tried = fmt::format("{}, {} of another form, {} put into free texts",
                              text::counted(seen.size(), "stage"), text::counted(wrong, "answer"),
                              text::counted(words, "word"));
  return finding;
}

}  // namespace agon::conformance
