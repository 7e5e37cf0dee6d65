// A probe has no effect on play: whatever a seat answers to it, or whether it answers at all, the
// others are shown the same, and play goes on the same.
#include <fmt/format.h>

#include <agon/conversion.hpp>

#include "conformance/checks.hpp"
#include "conformance/watch.hpp"
#include "describe/draw.hpp"
#include "describe/value.hpp"
#include "text/counted.hpp"

namespace agon::conformance {
namespace {

using What = record::Entry::What;

/// What there is of a match beside one seat's probes: a line a question, an event, a draw, a score.
/// What that seat sees may repeat what it said itself, and notes for the record may hold it: both
/// are left out.
std::vector<std::string> lines_without(const Watched& watched, int seat) {
  std::vector<std::string> lines;
  std::map<std::uint32_t, const OwnedQuestion*> shown;
  for (const Shown& one : watched.shown) shown.emplace(one.question.number, &one.question);
  for (const record::Entry& e : watched.history.entries) {
    const bool is_own = e.seat == seat;
    if (e.what == What::question && !(e.probe && is_own)) {
      std::string line = fmt::format("question {} to seat {} at '{}'", e.number, e.seat, e.name);
      if (!is_own) line += ", shown " + std::string(e.view);
      if (const auto found = shown.find(e.number); found != shown.end())
        line +=
            ", to answer " + schema_json(*found->second->answer_type, found->second->limits.get());
      lines.push_back(line + (e.forced ? ", forced" : ""));
    } else if (e.what == What::event && e.audience != 0) {
      lines.push_back(fmt::format("event '{}' to {:x}: {}", e.name, e.audience, e.payload));
    } else if (e.what == What::draw) {
      lines.push_back(fmt::format("draw '{}'[{}]: {}", e.name, fmt::join(e.at, ","), e.payload));
    } else if (e.what == What::outcome) {
      for (int i = 0; i < e.outcome.seats(); ++i)
        lines.push_back(
            fmt::format("score of seat {}: {}, rank {}", i, e.outcome[i].score, e.outcome[i].rank));
    }
  }
  return lines;
}

/// Another answer to a probe than the script's.
std::string redrawn(const OwnedQuestion& question) {
  Value value(*question.answer_type);
  Dice dice(mix(question.number), static_cast<std::uint32_t>(question.attempt));
  draw_value(*question.answer_type, nullptr, value.get(), 0, question.limits.get(), dice);
  return write_json(*question.answer_type, value.get());
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
  for (const Played* played : subject.finished(10)) {
    const Watching as_played{.script = script_of(subject.game(), played->history), .reasks = 3};
    std::map<int, std::size_t> probed;
    for (const record::Entry& entry : played->history.entries)
      if (entry.what == What::question && entry.probe) ++probed[entry.seat];
    if (probed.empty()) continue;
    ++matches;
    const auto base = watch(subject, played->casting, as_played);
    for (const auto& [seat, times] : probed) {
      const std::vector<std::string> before = lines_without(*base, seat);
      for (const bool declines : {true, false}) {
        Watching how = as_played;
        for (const record::Entry& entry : played->history.entries)
          if (entry.what == What::question && entry.probe && entry.seat == seat)
            how.script.erase(entry.number);
        if (!declines)
          how.instead = [seat = seat](const OwnedQuestion& q) -> std::optional<std::string> {
            if (!q.probe || q.seat != seat) return std::nullopt;
            return redrawn(q);
          };
        const auto other = watch(subject, played->casting, how);
        ++changes;
        const std::string parts = parting(before, lines_without(*other, seat));
        if (parts.empty() || played->result.questions >= shortest) continue;
        shortest = played->result.questions;
        finding.verdict = Verdict::fail;
        finding.problem =
            fmt::format("seat {} {}, and play goes on otherwise: {}", seat,
                        declines ? "declines its probes" : "answers its probes otherwise", parts);
        finding.command = subject.command(played->casting);
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
