#include "conformance/matches.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <memory>
#include <vector>

#include "describe/value.hpp"
#include "record/codec.hpp"
#include "record/transcript.hpp"

namespace agon::conformance {
namespace {

/// Answers as another agent does, and counts.
class CountingAgent final : public Agent {
 public:
  CountingAgent(const Agent& agent, LongMatch& match) : agent_(agent), match_(match) {}
  void answer(Question& question) const override {
    match_.asks();
    agent_.answer(question);
  }
  [[nodiscard]] bool answers_probes() const override { return agent_.answers_probes(); }

 private:
  const Agent& agent_;
  LongMatch& match_;
};

}  // namespace

MatchResult play_some(MatchSetup match) {
  LongMatch length;
  std::vector<std::unique_ptr<CountingAgent>> counted;
  for (SeatSetup& seat : match.seats) {
    counted.push_back(std::make_unique<CountingAgent>(*seat.agent, length));
    seat.agent = counted.back().get();
  }
  match.cancel = length.token();
  return play_match(match);
}

namespace {

/// A seat that answers at once by the script, and keeps what it is shown.
class WatchedSeat final : public WaitingAgent {
 public:
  WatchedSeat(const Watching& how, ObservedMatch& watched, const std::size_t& round,
              LongMatch& length)
      : how_(how), watched_(watched), round_(round), length_(length) {}

  void ask(OwnedQuestion question, Completion done) const override {
    if (question.attempt == 0) length_.asks();
    std::optional<std::string> answer;
    if (how_.instead) answer = how_.instead(question);
    if (!answer)
      if (const auto found = how_.script.find(question.number); found != how_.script.end())
        answer = found->second;
    watched_.shown.push_back({std::move(question), round_});
    if (answer)
      done({.json = std::move(*answer)});
    else
      done({.declined = watched_.shown.back().question.probe});
  }
  // So that the table says when answers are used.
  [[nodiscard]] bool is_costly() const override { return true; }

 private:
  const Watching& how_;
  ObservedMatch& watched_;
  const std::size_t& round_;
  LongMatch& length_;
};

}  // namespace

Script script_of(const Game& game, const record::History& history) {
  Script script;
  for (const record::Entry& entry : history.entries) {
    if (entry.what != record::Entry::What::question || entry.declined) continue;
    for (const StageCard& stage : game.stages) {
      if (stage.name != entry.name) continue;
      Value value(*stage.answer);
      record::Bytes bytes(entry.payload);
      if (record::decode(bytes, *stage.answer, value.get()))
        script[entry.number] = write_json(*stage.answer, value.get());
    }
  }
  return script;
}

std::string bytes_of(std::span<const LimitData> limits) {
  std::string out;
  for (const LimitData& l : limits) {
    for (const std::int64_t n :
         {std::int64_t{l.slot}, static_cast<std::int64_t>(l.kind), std::int64_t{l.n}, l.lo, l.hi})
      out += std::to_string(n) + " ";
    for (std::uint32_t i = 0; i < l.n; ++i)
      out += (l.each != nullptr ? std::to_string(l.each[i]) : std::string()) + ";" +
             (l.names != nullptr ? std::string(l.names[i]) : std::string()) + ";";
  }
  return out;
}

std::unique_ptr<ObservedMatch> watch(const GameUnderTest& subject, const Casting& casting,
                                     const Watching& how) {
  auto watched = std::make_unique<ObservedMatch>();
  std::size_t round = 0;
  LongMatch length;
  const WatchedSeat reader(how, *watched, round, length);
  MatchSetup setup = subject.setup(casting);
  for (SeatSetup& seat : setup.seats) seat.agent = &reader;
  setup.reasks = how.reasks;
  setup.given = how.given;
  setup.past = how.past;
  setup.probes = how.probes;
  setup.cancel = length.token();
  setup.make_durable = [&](const std::string& record) {
    ++round;
    watched->cuts.push_back(record.size());
  };
  if (how.every_telling) setup.tellings = &watched->tellings;
  watched->result = play_match(setup);
  subject.heed(watched->result, subject.command(casting));
  if (watched->result.end == End::game_fault) watched->broken = watched->result.problem;
  watched->history = record::read(watched->result.record);
  return watched;
}

void note_broken(const ObservedMatch& watched, CheckResult& finding) {
  if (watched.broken.empty() || finding.verdict != Verdict::pass) return;
  finding.skip(fmt::format("{}, the game broke (see 'plays'): {}", kWhenSeatsWait, watched.broken));
}

namespace {

/// An entry as one line of a transcript.
std::vector<std::string> lines_of(const MatchResult& result) {
  const record::History history = record::read(result.record);
  const record::RecordedTypes recorded(
      [&](const hash::Digest& digest) { return result.shapes->notation(digest); });
  record::TranscriptOptions options;
  for (int i = 0; i < static_cast<int>(kMaxSeats); ++i)
    options.seat_names.push_back("seat " + std::to_string(i));
  std::vector<std::string> lines;
  for (const record::Entry& entry : history.entries)
    lines.push_back(record::entry_line(entry, recorded, options));
  return lines;
}

}  // namespace

std::string first_difference(const MatchResult& a, const MatchResult& again) {
  if (!again.problem.empty()) return again.problem;
  if (a.record == again.record) return {};
  const std::vector<std::string> one = lines_of(a), other = lines_of(again);
  for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
    const std::string x = i < one.size() ? one[i] : "the end";
    const std::string y = i < other.size() ? other[i] : "the end";
    if (x != y) return "first '" + x + "', then '" + y + "'";
  }
  return "in what no transcript shows";
}

}  // namespace agon::conformance
