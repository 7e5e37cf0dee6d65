#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/matches.hpp"
#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "record/codec.hpp"
#include "record/shape.hpp"
#include "table/probes.hpp"
#include "text/words.hpp"

// What one seat alone is told stays its own: another draw of it changes nothing that others are
// shown, before something that everybody hears depends on it.
//
// A draw is changed, all others stay, and all seats answer as before. Who is shown something else
// first is whose the draw is. Any other seat that is shown something else before any public event
// is shown what it must not know: unless it is the same place of a view or the same private event,
// which then is common to both. Once the owner has answered, the same answer may mean another move;
// from there on only the drawn number itself gives it away.

namespace agon::conformance {
namespace {

namespace bj = boost::json;
using What = record::Entry::What;

/// A draw of a whole number: of which stream, and the how manyth of it.
struct DrawPosition {
  std::string name;
  std::vector<std::int64_t> at;
  std::size_t nth = 0;
  friend auto operator<=>(const DrawPosition&, const DrawPosition&) = default;
};

/// The draws of a match whose numbers can be given, in their order.
std::vector<std::pair<DrawPosition, std::int64_t>> draws_of(const record::History& history,
                                                            const record::Shapes& shapes) {
  std::vector<std::pair<DrawPosition, std::int64_t>> draws;
  std::map<std::pair<std::string, std::vector<std::int64_t>>, std::size_t> count;
  const record::RecordedTypes types(
      [&](const hash::Digest& digest) { return shapes.notation(digest); });
  for (const record::Entry& e : history.entries) {
    if (e.what != What::draw) continue;
    const std::size_t nth = count[{std::string(e.name), e.at}]++;
    const Type* type = types.find(e.shape);
    if (type == nullptr || type->kind != Kind::integer) continue;
    std::int64_t value = 0;
    record::Bytes bytes(e.payload);
    if (record::decode(bytes, type_of<std::int64_t>(), &value))
      draws.push_back({{std::string(e.name), e.at, nth}, value});
  }
  return draws;
}

/// The number that was drawn, and the one that was given in its place.
struct ReplacedDraw {
  std::int64_t was = 0;
  std::int64_t is = 0;
};

bool is_number(const bj::value& value, std::int64_t number) {
  return value.is_number() && value.to_number<double>() == static_cast<double>(number);
}

/// Places in which two JSON values differ; with `drawn`, only those that hold its numbers.
void add_places(const bj::value& a, const bj::value& b, const std::string& at,
                const ReplacedDraw* drawn, std::set<std::string>& places) {
  if (a == b) return;
  if (a.is_object() && b.is_object()) {
    for (const auto& [name, value] : a.get_object())
      if (const bj::value* other = b.get_object().if_contains(name); other != nullptr)
        add_places(value, *other, at + "." + std::string(name), drawn, places);
  } else if (a.is_array() && b.is_array() && a.get_array().size() == b.get_array().size()) {
    for (std::size_t i = 0; i < a.get_array().size(); ++i)
      add_places(a.get_array()[i], b.get_array()[i], at + "[" + std::to_string(i) + "]", drawn,
                 places);
  } else if (drawn == nullptr || (is_number(a, drawn->was) && is_number(b, drawn->is))) {
    places.insert(at);
  }
}

/// What a seat is shown otherwise.
struct Effect {
  std::set<std::string> told;    ///< private events
  std::set<std::string> places;  ///< of its views, and "limits"
};

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& x) { return b.contains(x); });
}

/// What seats were handed, in order, without what nobody hears.
std::vector<const record::Entry*> heard(const ObservedMatch& watched) {
  std::vector<const record::Entry*> entries;
  for (const record::Entry& e : watched.history.entries)
    if (e.what == What::question || (e.what == What::event && e.audience != 0))
      entries.push_back(&e);
  return entries;
}

/// Questions by their number, as they were put first.
std::map<std::uint32_t, const ObservedQuestion*> shown_in(const ObservedMatch& watched) {
  std::map<std::uint32_t, const ObservedQuestion*> shown;
  for (const ObservedQuestion& one : watched.shown) shown.emplace(one.question.number, &one);
  return shown;
}

/// Who is shown something else, in the order in which they are, before anything public differs or
/// play goes another way.
class Effects {
 public:
  using List = std::vector<std::pair<int, Effect>>;

  Effects(const ObservedMatch& a, const ObservedMatch& b, const ReplacedDraw& drawn)
      : drawn_(drawn), first_(shown_in(a)), second_(shown_in(b)) {
    const std::vector<const record::Entry*> one = heard(a), other = heard(b);
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
      if (!compare(*one[i], *other[i])) return;
  }
  [[nodiscard]] const List& list() const { return list_; }

 private:
  Effect& effect(int seat) {
    for (auto& [who, what] : list_)
      if (who == seat) return what;
    return list_.emplace_back(seat, Effect{}).second;
  }

  /// False where the comparison ends.
  bool compare(const record::Entry& x, const record::Entry& y) {
    if (x.what != y.what || x.name != y.name || x.seat != y.seat || x.audience != y.audience ||
        x.number != y.number)
      return false;
    if (x.what == What::question) return compare_questions(x, y);
    if (x.payload == y.payload) return true;
    if (std::popcount(x.audience) != 1) return false;
    if (!answered_) effect(std::countr_zero(x.audience)).told.insert(std::string(x.name));
    return true;
  }

  bool compare_questions(const record::Entry& x, const record::Entry& y) {
    const auto mine = first_.find(x.number), theirs = second_.find(y.number);
    if (mine == first_.end() || theirs == second_.end()) return true;
    const OwnedQuestion &one = mine->second->question, &other = theirs->second->question;
    const std::size_t round = mine->second->round;
    // Those who are asked together see nothing of each other's answers.
    const bool is_after = answered_ && *answered_ < round;
    std::set<std::string> places;
    if (one.view_json != other.view_json)
      add_places(json::parse(one.view_json, "a view"), json::parse(other.view_json, "a view"), "$",
                 is_after ? &drawn_ : nullptr, places);
    if (!is_after && bytes_of(one.limits.get()) != bytes_of(other.limits.get()))
      places.insert("the limits of '" + one.stage + "'");
    if (!places.empty()) effect(x.seat).places.merge(places);
    const bool is_affected =
        std::any_of(list_.begin(), list_.end(), [&](const auto& e) { return e.first == x.seat; });
    if (is_affected && !x.probe && !answered_) answered_ = round;
    return x.payload == y.payload && x.forced == y.forced && x.declined == y.declined;
  }

  ReplacedDraw drawn_;
  std::map<std::uint32_t, const ObservedQuestion*> first_, second_;
  List list_;
  std::optional<std::size_t> answered_;  ///< the round in which who is affected first answered
};

/// Values that chance has brought at a place, by situation: so that none is given that it never
/// could.
using DrawnValues = std::map<std::pair<std::size_t, DrawPosition>, std::set<std::int64_t>>;

DrawnValues drawn_values(const GameUnderTest& subject) {
  DrawnValues drawn;
  for (const auto& played : subject.sample())
    if (played->result.shapes != nullptr)
      for (const auto& [place, value] : draws_of(played->history, *played->result.shapes))
        drawn[{played->casting.situation, place}].insert(value);
  return drawn;
}

/// A seat whose own value another one can tell, first what the owner is shown.
void tell_leak(const Effects::List::value_type& owner, const Effects::List::value_type& other,
               const DrawPosition& place, const ReplacedDraw& draw, CheckResult& finding) {
  const Effect& theirs = other.second;
  const std::string what = theirs.told.empty() ? "shown at " + *theirs.places.begin()
                                               : "told by '" + *theirs.told.begin() + "'";
  finding.verdict = Verdict::fail;
  finding.problem = fmt::format(
      "seat {} can tell what seat {} alone was {}: with {} instead of {} for the draw "
      "'{}{}', "
      "something else is {} before anybody announced it",
      other.first, owner.first, owner.second.told.empty() ? "shown" : "told", draw.is, draw.was,
      place.name, place.at.empty() ? "" : " " + text::joined(place.at, " "), what);
  finding.hint =
      fmt::format("show seats their own values only; what all may know is announced to all first");
}

}  // namespace

CheckResult check_privacy(const GameUnderTest& subject) {
  /// Draws of one match that are changed.
  constexpr std::size_t kChanged = 6;
  CheckResult finding;
  std::size_t changes = 0, private_draws = 0, matches = 0;
  std::uint64_t shortest = ~std::uint64_t{0};
  DrawnValues seen = drawn_values(subject);
  for (const CheckedMatch* played : subject.finished(7)) {
    const Watching as_played{.script = script_of(subject.game(), played->history)};
    const auto base = watch(subject, played->casting, as_played);
    note_broken(*base, finding);
    if (base->result.end != End::finished) continue;
    ++matches;
    std::size_t changed = 0;
    const auto draws = draws_of(base->history, *base->result.shapes);
    for (const auto& [place, value] : draws) {
      const auto& values = seen[{played->casting.situation, place}];
      const auto another = std::find_if(values.begin(), values.end(),
                                        [value = value](std::int64_t v) { return v != value; });
      if (another == values.end()) continue;
      if (++changed > kChanged) break;
      GivenDraws given;
      for (const auto& [before, brought] : draws)
        if (before.name == place.name && before.at == place.at && before.nth <= place.nth)
          given[{place.name, place.at}].push_back(before.nth == place.nth ? *another : brought);
      Watching how = as_played;
      how.given = &given;
      const auto other = watch(subject, played->casting, how);
      if (other->result.end != End::finished) continue;
      ++changes;
      const Effects effects(*base, *other, {value, *another});
      const Effects::List& shown = effects.list();
      if (shown.empty()) continue;
      const Effect& own = shown.front().second;
      private_draws += 1;
      for (std::size_t i = 1; i < shown.size(); ++i) {
        const Effect& theirs = shown[i].second;
        const bool is_common =
            meet(own.told, theirs.told) || (own.told.empty() && meet(own.places, theirs.places));
        if (is_common || played->result.questions >= shortest) continue;
        shortest = played->result.questions;
        tell_leak(shown.front(), shown[i], place, {value, *another}, finding);
        finding.command = subject.command(played->casting);
      }
    }
  }
  finding.tried =
      fmt::format("{}, {} changed, {} of them private", text::counted(matches, "match", "matches"),
                  text::counted(changes, "draw"), private_draws);
  if (changes == 0 && finding.verdict == Verdict::pass) {
    finding.skip(seen.empty() ? "the game draws no whole number by chance"
                              : "no draw of chance is known to have another value");
  }
  return finding;
}

// A probe has no effect on play: whatever a seat answers to it, or whether it answers at all, the
// others are shown the same, and play goes on the same.
namespace {

/// Who is told an event: "everybody", or seats by their names.
std::string hearers(std::uint32_t audience, const std::vector<SeatCard>& cards) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < cards.size(); ++i)
    if ((audience >> i & 1U) != 0) names.push_back(cards[i].name);
  return names.size() == cards.size() ? "everybody" : text::joined(names, " and ");
}

/// What there is of a match beside one seat's probes: a line a question, an event, a draw, a score.
/// What that seat sees may repeat what it said itself, and notes for the record may hold it: both
/// are left out.
std::vector<std::string> lines_without(const ObservedMatch& watched, int seat,
                                       const std::vector<SeatCard>& cards) {
  std::vector<std::string> lines;
  std::map<std::uint32_t, const OwnedQuestion*> shown;
  for (const ObservedQuestion& one : watched.shown)
    shown.emplace(one.question.number, &one.question);
  for (const record::Entry& e : watched.history.entries) {
    const bool is_own = e.seat == seat;
    if (e.what == What::question && !(e.probe && is_own)) {
      std::string line = fmt::format("a question to seat {} at '{}'", e.seat, e.name);
      if (!is_own) line += ", shown " + std::string(e.view);
      if (const auto found = shown.find(e.number); found != shown.end())
        line += ", to answer within " + bytes_of(found->second->limits.get());
      lines.push_back(line + (e.forced ? ", forced" : ""));
    } else if (e.what == What::event && e.audience != 0) {
      lines.push_back(
          fmt::format("event '{}' to {}: {}", e.name, hearers(e.audience, cards), e.payload));
    } else if (e.what == What::draw) {
      lines.push_back(fmt::format("draw '{}'[{}]: {}", e.name, fmt::join(e.at, ","), e.payload));
    } else if (e.what == What::outcome) {
      for (int i = 0; i < e.outcome->seats(); ++i)
        lines.push_back(fmt::format("score of seat {}: {}, rank {}", i, (*e.outcome)[i].score,
                                    (*e.outcome)[i].rank));
    }
  }
  return lines;
}

/// Another answer to a probe than before.
std::string redrawn(const OwnedQuestion& question) {
  Value value(*question.answer_type);
  Dice dice(mix(question.number), static_cast<std::uint32_t>(question.attempt));
  draw_value(*question.answer_type, nullptr, value.get(), 0, question.limits.get(), dice);
  return write_json(*question.answer_type, value.get());
}

/// What each seat answered at each stage, in order: numbers of questions are others where a probe
/// is not even put any more, as its seat declined the one before.
using Said = std::map<std::pair<int, std::string>, std::vector<std::string>>;

Said said_in(const Game& game, const record::History& history) {
  const Script script = script_of(game, history);
  Said said;
  for (const record::Entry& e : history.entries)
    if (const auto found = script.find(e.number); e.what == What::question && found != script.end())
      said[{e.seat, std::string(e.name)}].push_back(found->second);
  return said;
}

/// How a seat takes its probes.
enum class Probed { as_before, declined, otherwise };

/// All seats answer as they did, but for the probes of one.
Watching answers(const Said& said, int seat, Probed probed) {
  Watching how;
  how.reasks = 3;
  how.instead = [&said, seat, probed, asked = std::map<std::pair<int, std::string>, std::size_t>{}](
                    const OwnedQuestion& q) mutable -> std::optional<std::string> {
    const std::pair key{q.seat, q.stage};
    const std::size_t nth = q.attempt == 0 ? asked[key]++ : asked[key] - 1;
    if (q.probe && q.seat == seat && probed == Probed::declined) return std::nullopt;
    if (q.probe && q.seat == seat && probed == Probed::otherwise) return redrawn(q);
    const auto found = said.find(key);
    if (found == said.end() || nth >= found->second.size()) return std::nullopt;
    return found->second[nth];
  };
  return how;
}

/// The beginning of the first line in which two matches differ; empty if they do not.
std::string parting(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (i >= a.size() || i >= b.size() || a[i] != b[i]) {
      const std::string& line = i < b.size() ? b[i] : a[i];
      return line.substr(0, line.find_first_of(":,"));
    }
  return {};
}

}  // namespace

namespace {

/// Names of the questions that the check asks as a suite would begin so.
constexpr std::string_view kOfSuite = "of-a-suite-";

/// A suite's question to all seats after every event that seats are told, and every stage.
Probes probes_everywhere(const Game& game) {
  std::vector<ProbeEntry> entries;
  std::set<std::string_view> after;
  for (const EventCard& event : game.events)
    if (event.audience != Audience::record) after.insert(event.name);
  for (const StageCard& stage : game.stages)
    if (!stage.probe) after.insert(stage.name);
  for (const std::string_view name : after) {
    ProbeEntry& entry = entries.emplace_back();
    entry.name = fmt::format("{}{}", kOfSuite, entries.size());
    entry.after = name;
    entry.ask = "Who will do best?";
    entry.answer.distribution = "seats";
  }
  return {game, std::move(entries)};
}

/// All that there is of a match beside a suite's questions: what each seat was shown, with its
/// numbers and its history, and the record.
std::vector<std::string> lines_beside_suite(const ObservedMatch& watched) {
  std::vector<std::string> lines;
  for (const ObservedQuestion& one : watched.shown) {
    const OwnedQuestion& q = one.question;
    if (q.stage.starts_with(kOfSuite)) continue;
    lines.push_back(fmt::format("question {} to seat {} at '{}', dice {}, after {} ({} seen): {}",
                                q.number, q.seat, q.stage, q.dice_place, q.history.size(),
                                q.unseen_from, q.view_json + q.memo + bytes_of(q.limits.get())));
  }
  for (const record::Entry& e : watched.history.entries)
    if (e.what != What::outcome && !e.name.starts_with(kOfSuite))
      lines.push_back(fmt::format("entry '{}' of the record, {} {}: {}", e.name, e.audience,
                                  e.number, e.payload));
  for (int i = 0; i < watched.result.outcome.seats(); ++i)
    lines.push_back(fmt::format("score of seat {}: {}, rank {}", i, watched.result.outcome[i].score,
                                watched.result.outcome[i].rank));
  return lines;
}

/// Plays a match again with a suite's questions, which are answered at random.
void check_of_suite(const GameUnderTest& subject, const CheckedMatch& played, const Said& said,
                    CheckResult& finding) {
  const auto base = watch(subject, played.casting, answers(said, -1, Probed::as_before));
  note_broken(*base, finding);
  if (!base->broken.empty()) return;
  const Probes probes = probes_everywhere(subject.game());
  Watching how = answers(said, -1, Probed::as_before);
  how.probes = &probes;
  how.instead = [own = how.instead](const OwnedQuestion& q) {
    return q.stage.starts_with(kOfSuite) ? std::optional(redrawn(q)) : own(q);
  };
  const auto asked = watch(subject, played.casting, how);
  if (asked->result.end == End::stopped) return;
  const std::string parts = parting(lines_beside_suite(*base), lines_beside_suite(*asked));
  if (!parts.empty())
    finding.fail("a suite's questions are asked, and play goes on otherwise: " + parts,
                 subject.check_command("probes"),
                 "a game must not depend on when what it calls returns");
}

}  // namespace

CheckResult check_probes(const GameUnderTest& subject) {
  CheckResult finding;
  std::size_t matches = 0, changes = 0;
  std::uint64_t shortest = ~std::uint64_t{0};
  for (const CheckedMatch* played : subject.finished(7)) {
    const Said said = said_in(subject.game(), played->history);
    const auto& cards = subject.situations()[played->casting.situation].settings->seating();
    std::set<int> probed;
    for (const record::Entry& entry : played->history.entries)
      if (entry.what == What::question && entry.probe) probed.insert(entry.seat);
    ++matches;
    check_of_suite(subject, *played, said, finding);
    if (probed.empty()) continue;
    const auto base = watch(subject, played->casting, answers(said, -1, Probed::as_before));
    note_broken(*base, finding);
    if (!base->broken.empty()) continue;
    for (const int seat : probed) {
      const std::vector<std::string> before = lines_without(*base, seat, cards);
      for (const bool declines : {true, false}) {
        const auto other =
            watch(subject, played->casting,
                  answers(said, seat, declines ? Probed::declined : Probed::otherwise));
        if (other->result.end == End::stopped) continue;
        ++changes;
        const std::string parts = parting(before, lines_without(*other, seat, cards));
        if (parts.empty() || played->result.questions >= shortest) continue;
        shortest = played->result.questions;
        finding.fail(
            fmt::format("seat {} {}, and play goes on otherwise: {}", seat,
                        declines ? "declines its probes" : "answers its probes otherwise", parts),
            subject.check_command("probes"),
            "use what a probe brings for notes and metrics alone; what has an effect is a stage");
      }
    }
  }
  finding.tried =
      fmt::format("{}, probes answered otherwise or declined {}",
                  text::counted(matches, "match", "matches"), text::counted(changes, "time"));
  return finding;
}

}  // namespace agon::conformance
