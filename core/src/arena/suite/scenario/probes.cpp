#include "suite/scenario/probes.hpp"

#include <fmt/format.h>

#include <agon/learning.hpp>
#include <algorithm>
#include <set>

#include "text/words.hpp"

namespace agon {
namespace {

/// Checks one entry against the card of the game.
class ProbeChecker {
 public:
  ProbeChecker(const FileText& text, const json::Path& path, const ProbeEntry& entry,
               const Game& game, const std::vector<std::vector<SeatCard>>& seatings)
      : text_(text), path_(path), entry_(entry), game_(game), seatings_(seatings) {}

  void check() const {
    check_name();
    check_after();
    check_seat(entry_.of, path_ / "of", {"all"});
    if (entry_.ask.find("{{") != std::string::npos)
      text_.fail("'{{' in the words of a probe: a probe shows a seat nothing", path_ / "ask",
                 "a seat knows what its game has told it; ask in words that are the same for all");
    check_form();
    if (entry_.truth) check_truth(*entry_.truth, path_ / "truth");
  }

 private:
  void check_name() const {
    const std::string& name = entry_.name;
    const bool plain =
        !name.empty() &&
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
    if (!plain)
      text_.fail("a probe's name has small letters, digits and hyphens", path_ / "name",
                 "write \"who-is-shill\"");
    const bool taken = name == kTakeAlong.name ||
                       std::any_of(game_.stages.begin(), game_.stages.end(),
                                   [&](const StageCard& stage) { return stage.name == name; });
    if (taken)
      text_.fail("'" + name + "' is a stage of " + std::string(game_.id), path_ / "name",
                 "give the probe another name");
  }

  [[nodiscard]] std::vector<std::string> moves() const {
    std::vector<std::string> names;
    for (const StageCard& stage : game_.stages)
      if (!stage.probe) names.emplace_back(stage.name);
    return names;
  }
  [[nodiscard]] std::vector<std::string> told_events() const {
    std::vector<std::string> names;
    for (const EventCard& event : game_.events)
      if (event.audience != Audience::record) names.emplace_back(event.name);
    return names;
  }
  [[nodiscard]] const StageCard& stage_of(const std::string& name, const json::Path& path) const {
    for (const StageCard& stage : game_.stages)
      if (stage.name == name && !stage.probe) return stage;
    fail_unknown("stage", name, moves(), path);
  }
  [[noreturn]] void fail_unknown(const std::string& what, const std::string& name,
                                 const std::vector<std::string>& known,
                                 const json::Path& path) const {
    text_.fail(fmt::format("unknown {} '{}' of {}{}", what, name, game_.id,
                           text::did_you_mean(name, known)),
               path, "expected " + text::joined(known));
  }

  void check_after() const {
    const json::Path path = path_ / "after";
    std::vector<std::string> known = moves();
    for (std::string& name : told_events()) known.push_back(std::move(name));
    if (std::find(known.begin(), known.end(), entry_.after) != known.end()) return;
    for (const EventCard& event : game_.events)
      if (event.name == entry_.after)
        text_.fail("'" + entry_.after +
                       "' is for the record alone: a question after it would let a seat know of it",
                   path, "ask after an event that the seat is told, or after a stage");
    fail_unknown("event or stage", entry_.after, known, path);
  }

  /// A seat by name or role, under every treatment.
  void check_seat(const std::string& word, const json::Path& path,
                  const std::vector<std::string>& others) const {
    if (std::find(others.begin(), others.end(), word) != others.end()) return;
    for (const std::vector<SeatCard>& seats : seatings_) {
      if (std::any_of(seats.begin(), seats.end(),
                      [&](const SeatCard& seat) { return means_seat(word, seat); }))
        continue;
      std::vector<std::string> known = others;
      for (const SeatCard& seat : seats) {
        known.push_back(seat.name);
        if (!seat.role.empty() && std::find(known.begin(), known.end(), seat.role) == known.end())
          known.push_back(seat.role);
      }
      fail_unknown("seat", word, known, path);
    }
  }

  void check_form() const {
    const json::Path path = path_ / "answer";
    const ProbeForm& form = entry_.answer;
    const int forms = form.choice.has_value() + form.probability.has_value() +
                      form.distribution.has_value() + form.number.has_value() +
                      form.interval.has_value() + form.text.has_value();
    if (forms != 1)
      text_.fail("a probe's answer has one form", path,
                 "one of choice, probability, distribution, number, interval and text");
    if (form.choice) check_options(*form.choice, path / "choice");
    if (form.distribution) check_options(*form.distribution, path / "distribution");
    if (form.number && !(form.number->min < form.number->max))
      text_.fail("min is not below max", path / "number");
    if (form.interval && !(form.interval->min < form.interval->max))
      text_.fail("min is not below max", path / "interval");
    if (form.text && entry_.truth)
      text_.fail("words are not scored", path_ / "truth", "leave it out, or ask for another form");
  }

  void check_options(const ProbeOptions& options, const json::Path& path) const {
    if (const auto* word = std::get_if<std::string>(&options)) {
      if (*word != "seats") text_.fail("must be a list, or \"seats\"", path);
      return;
    }
    const auto& words = std::get<std::vector<std::string>>(options);
    const std::set<std::string> different(words.begin(), words.end());
    if (words.size() < 2 || words.size() > 100 || different.size() != words.size() ||
        different.contains(""))
      text_.fail("must be 2 to 100 different words to choose from", path);
  }

  void check_truth(const ProbeTruth& truth, const json::Path& path) const {
    const int places = truth.event.has_value() + truth.next.has_value() + truth.view.has_value() +
                       truth.score.has_value();
    if (places != 1)
      text_.fail("the truth stands in one place", path, "one of event, next, view and score");
    if (truth.when && !truth.event)
      text_.fail("only an event has a 'when'", path / "when", "leave it out");
    if (truth.score) {
      check_seat(*truth.score, path / "score", {"asked"});
      if (truth.member || truth.seat) text_.fail("a score has no 'member' and no 'seat'", path);
      return check_kind(&type_of<double>(), truth, path);
    }
    if (truth.event) return check_event(truth, path);
    const bool is_next = truth.next.has_value();
    const json::Path place = path / (is_next ? "next" : "view");
    const StageCard& stage = stage_of(is_next ? *truth.next : *truth.view, place);
    const Type* type = is_next ? stage.answer : stage.view;
    if (type == nullptr)
      text_.fail("seats see nothing at stage '" + std::string(stage.name) + "'", place);
    if (!truth.seat)
      text_.fail("missing \"seat\"", path, "whose: a name, a role, \"asked\" or \"others\"");
    check_seat(*truth.seat, path / "seat", {"asked", "others", "all"});
    check_kind(member_of({type}, truth, path), truth, path);
  }

  void check_event(const ProbeTruth& truth, const json::Path& path) const {
    std::vector<const Type*> types;
    std::vector<std::string> known;
    bool is_private = false;
    for (const EventCard& event : game_.events) {
      known.emplace_back(event.name);
      if (event.name != *truth.event) continue;
      types.push_back(event.type);
      is_private = is_private || event.audience == Audience::one_seat;
    }
    if (types.empty()) fail_unknown("event", *truth.event, known, path / "event");
    if (truth.seat) {
      if (!is_private)
        text_.fail("'" + *truth.event + "' is told to no seat alone", path / "seat",
                   "leave it out");
      check_seat(*truth.seat, path / "seat", {"asked", "others"});
    }
    const Type* type = member_of(types, truth, path);
    if (is_of_seats(entry_.answer) && truth.is) {
      if (!is_private || truth.seat)
        text_.fail("with seats to choose from, 'is' finds the seat that was told so: '" +
                       *truth.event + "' " + (truth.seat ? "is asked of one" : "is told to all"),
                   path, "leave out 'is' or 'seat'");
      return;
    }
    check_kind(type, truth, path);
  }

  /// The type of the truth's member, in one of these; null: any JSON.
  [[nodiscard]] const Type* member_of(const std::vector<const Type*>& types,
                                      const ProbeTruth& truth, const json::Path& path) const {
    if (!truth.member) text_.fail("missing \"member\"", path, "which member of it: \"/price\"");
    const std::string& pointer = *truth.member;
    if (!pointer.starts_with("/") || pointer.size() < 2)
      text_.fail("a member begins with '/'", path / "member", "write \"/price\"");
    std::vector<const Type*> now = types;
    for (std::size_t at = 1; at <= pointer.size();) {
      const std::size_t end = std::min(pointer.find('/', at), pointer.size());
      now = step(now, pointer.substr(at, end - at), path / "member");
      if (now.empty()) return nullptr;
      at = end + 1;
    }
    return now.front();
  }

  /// What a step of a pointer leads to; nothing: any JSON.
  [[nodiscard]] std::vector<const Type*> step(const std::vector<const Type*>& from,
                                              const std::string& name,
                                              const json::Path& path) const {
    std::vector<const Type*> found;
    std::vector<std::string> known;
    std::vector<const Type*> look = from;
    for (std::size_t i = 0; i < look.size(); ++i) {
      const Type& type = *look[i];
      if (type.any_json) return {};
      if (type.kind == Kind::optional) look.push_back(type.element);
      if (type.kind == Kind::map) found.push_back(type.element);
      if (type.kind == Kind::list && name.find_first_not_of("0123456789") == std::string::npos)
        found.push_back(type.element);
      if (type.kind == Kind::variant) {
        if (name == "kind" && !type.forms) found.push_back(&type_of<std::string>());
        look.insert(look.end(), type.alternatives.begin(), type.alternatives.end());
      }
      if (type.kind != Kind::structure) continue;
      for (const Field& field : type.fields) {
        known.emplace_back(field.name);
        if (field.name == name) found.push_back(field.type);
      }
    }
    if (found.empty())
      text_.fail(fmt::format("there is no member '{}'{}", name, text::did_you_mean(name, known)),
                 path, known.empty() ? "" : "expected " + text::joined(known));
    return found;
  }

  /// Refuses a member that the form of the answer says nothing of.
  void check_kind(const Type* type, const ProbeTruth& truth, const json::Path& path) const {
    const ProbeForm& form = entry_.answer;
    const bool yes_or_no = form.probability.has_value();
    if (!yes_or_no && (truth.is || truth.at_least))
      text_.fail("'is' and 'at_least' make a statement true: the answer is no probability", path,
                 "leave them out, or ask for a probability");
    if (truth.is && truth.at_least)
      text_.fail("a statement is true by 'is' or by 'at_least', not by both", path);
    if (type == nullptr) return;
    while (type->kind == Kind::optional) type = type->element;
    const bool is_number = type->kind == Kind::integer || type->kind == Kind::number;
    const auto refuse = [&](const std::string& what, const std::string& hint) {
      text_.fail("the truth is no " + what, path / (truth.member ? "member" : "score"), hint);
    };
    if ((form.number || form.interval || truth.at_least) && !is_number)
      refuse("number", "name a member that is one");
    if (yes_or_no && !truth.is && !truth.at_least && type->kind != Kind::boolean)
      refuse("yes or no", "add \"is\": VALUE or \"at_least\": NUMBER");
    if ((form.choice || form.distribution) && type->kind != Kind::text &&
        type->kind != Kind::enumeration && type->kind != Kind::boolean &&
        type->kind != Kind::integer)
      refuse("word to choose", "name a member that is one of the answers");
  }

  const FileText& text_;
  const json::Path& path_;
  const ProbeEntry& entry_;
  const Game& game_;
  const std::vector<std::vector<SeatCard>>& seatings_;
};

}  // namespace

std::shared_ptr<const Probes> read_probes(const FileText& text, const Scenario& scenario,
                                          const std::optional<std::vector<ProbeEntry>>& of_suite,
                                          const std::optional<std::vector<ProbeEntry>>& own,
                                          const json::Path& path) {
  const auto& entries = own ? own : of_suite;
  if (!entries || entries->empty()) return nullptr;
  const json::Path list = (own ? path : json::Path()) / "probes";
  std::vector<std::vector<SeatCard>> seatings;
  for (const Treatment& treatment : scenario.treatments)
    seatings.push_back(treatment.settings->seating());
  std::set<std::string> names;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const json::Path place = list[i];
    const ProbeEntry& entry = (*entries)[i];
    ProbeChecker(text, place, entry, *scenario.game, seatings).check();
    if (!names.insert(entry.name).second)
      text.fail("duplicate probe '" + entry.name + "'", place / "name", "give each its own name");
  }
  return std::make_shared<const Probes>(*scenario.game, *entries);
}

std::vector<std::string> names_of_probes(const suite_file::SuiteDocument& suite) {
  std::vector<std::string> names;
  const auto add = [&](const std::optional<std::vector<ProbeEntry>>& probes) {
    if (probes)
      for (const ProbeEntry& probe : *probes) names.push_back(probe.name);
  };
  add(suite.probes);
  for (const suite_file::ScenarioEntry& scenario : suite.scenarios) add(scenario.probes);
  return names;
}

}  // namespace agon
