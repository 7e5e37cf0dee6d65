// Chance belongs to places of the game, not to how often it was asked for: who else plays leaves it
// as it was.
//
// The same chance is played with one other agent. A stream that both matches read is read at the
// same places. Where an event marks the rounds in which a stream is read, as many draws of it come
// before the same round.
#include <fmt/format.h>

#include <optional>

#include "conformance/checks.hpp"
#include "text/counted.hpp"

namespace agon::conformance {
namespace {

using What = record::Entry::What;
using Stream = std::pair<std::string, std::vector<std::int64_t>>;

/// How many draws of a stream came before each time that an event was said.
using Before = std::map<std::string, std::vector<std::size_t>>;

struct StreamReading {
  std::vector<std::string> drawn;  ///< in order
  Before before;
};

std::map<Stream, StreamReading> readings(const record::History& history) {
  std::map<Stream, StreamReading> all;
  for (const record::Entry& e : history.entries)
    if (e.what == What::draw) all[{std::string(e.name), e.at}].drawn.emplace_back(e.payload);
  for (auto& [stream, reading] : all) {
    std::size_t drawn = 0;
    for (const record::Entry& e : history.entries) {
      if (e.what == What::draw && e.name == stream.first && e.at == stream.second) ++drawn;
      if (e.what == What::event) reading.before[std::string(e.name)].push_back(drawn);
    }
  }
  return all;
}

/// True if the stream is read between any two of them.
bool marks_rounds(const std::vector<std::size_t>& before) {
  for (std::size_t i = 1; i < before.size(); ++i)
    if (before[i] == before[i - 1]) return false;
  return before.size() > 1;
}

/// The event at whose same occurrence two matches have read a stream unequally often, and go on to
/// read it.
std::optional<std::string> shifted(const StreamReading& a, const StreamReading& b) {
  for (const auto& [event, before] : a.before) {
    const auto other = b.before.find(event);
    if (other == b.before.end() || !marks_rounds(before) || !marks_rounds(other->second)) continue;
    for (std::size_t i = 0; i < std::min(before.size(), other->second.size()); ++i)
      if (before[i] != other->second[i] && before[i] < a.drawn.size() &&
          other->second[i] < b.drawn.size())
        return event;
  }
  return std::nullopt;
}

}  // namespace

Finding check_luck(const Subject& subject) {
  Finding finding{.check = "luck", .tried = ""};
  std::size_t pairs = 0, equal = 0, scaled = 0;
  std::uint64_t shortest = ~std::uint64_t{0};
  for (const Played* played : subject.finished(10)) {
    const auto draws = readings(played->history);
    if (draws.empty()) continue;
    for (const char* agent : {"random", "edge", "default"}) {
      Casting casting = played->casting;
      if (casting.agents.front() == agent) continue;
      casting.agents.front() = agent;
      const auto other = subject.play(casting);
      if (other->result.end != End::finished) continue;
      ++pairs;
      for (const auto& [stream, theirs] : readings(other->history)) {
        const auto mine = draws.find(stream);
        if (mine == draws.end()) continue;
        for (std::size_t i = 0; i < std::min(mine->second.drawn.size(), theirs.drawn.size()); ++i)
          ++(mine->second.drawn[i] == theirs.drawn[i] ? equal : scaled);
        const auto event = shifted(mine->second, theirs);
        if (!event || played->result.questions >= shortest) continue;
        shortest = played->result.questions;
        finding.verdict = Verdict::fail;
        finding.problem = fmt::format(
            "with another agent on seat 0, chance('{}'{}) has been read another number of times at "
            "the same '{}', so that all that it brings later is other luck",
            stream.first,
            stream.second.empty() ? "" : fmt::format(", {}", fmt::join(stream.second, ", ")),
            *event);
        finding.command = subject.command(played->casting) + " && " + subject.command(casting);
        finding.mend = fmt::format(
            "name the place of each draw: table.chance(\"{}\", round), not one stream for all",
            stream.first);
      }
    }
  }
  finding.tried =
      fmt::format("{} of matches with one other agent, {} at the same places, {} otherwise bounded",
                  text::counted(pairs, "pair"), text::counted(equal + scaled, "draw"), scaled);
  if (pairs == 0) {
    finding.verdict = Verdict::skipped;
    finding.problem = "the game draws nothing";
  }
  return finding;
}

}  // namespace agon::conformance
