// A probe has no effect on play: whatever a seat answers to it, or whether it answers at all, the
// others are shown the same, and play goes on the same.
#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/watch.hpp"
#include "describe/draw.hpp"
#include "describe/value.hpp"
#include "text/counted.hpp"

namespace agon::conformance {
namespace {

using What = record::Entry::What;

/// Who is told an event: "everybody", or seats by their names.
std::string hearers(std::uint32_t audience, const std::vector<SeatCard>& cards) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < cards.size(); ++i)
    if ((audience >> i & 1U) != 0) names.push_back(cards[i].name);
  return names.size() == cards.size() ? "everybody" : fmt::format("{}", fmt::join(names, " and "));
}

/// What there is of a match beside one seat's probes: a line a question, an event, a draw, a score.
/// What that seat sees may repeat what it said itself, and notes for the record may hold it: both
/// are left out.
std::vector<std::string> lines_without(const Watched& watched, int seat,
                                       const std::vector<SeatCard>& cards) {
  std::vector<std::string> lines;
  std::map<std::uint32_t, const OwnedQuestion*> shown;
  for (const Shown& one : watched.shown) shown.emplace(one.question.number, &one.question);
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

Finding check_probes(const Subject& subject) {
  Finding finding{.check = "probes", .tried = ""};
  std::size_t matches = 0, changes = 0;
  std::uint64_t shortest = ~std::uint64_t{0};
  bool has_probes = false;
  for (const StageCard& stage : subject.game().stages) has_probes = has_probes || stage.probe;
  if (!has_probes) {
    finding.verdict = Verdict::skipped;
    finding.tried = "0 probes";
    finding.problem = "the game has no probes";
    return finding;
  }
  for (const Played* played : subject.finished(7)) {
    const Said said = said_in(subject.game(), played->history);
    const auto& cards = subject.situations()[played->casting.situation].settings->seating();
    std::set<int> probed;
    for (const record::Entry& entry : played->history.entries)
      if (entry.what == What::question && entry.probe) probed.insert(entry.seat);
    if (probed.empty()) continue;
    ++matches;
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
        finding.verdict = Verdict::fail;
        finding.problem =
            fmt::format("seat {} {}, and play goes on otherwise: {}", seat,
                        declines ? "declines its probes" : "answers its probes otherwise", parts);
        finding.command = subject.check_command("probes");
        finding.mend =
            "use what a probe brings for notes and metrics alone; what has an effect is a stage";
      }
    }
  }
  finding.tried =
      fmt::format("{}, probes answered otherwise or declined {}",
                  text::counted(matches, "match", "matches"), text::counted(changes, "time"));
  return finding;
}

}  // namespace agon::conformance
