#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/process.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>

#include "archive/archive.hpp"
#include "archive/database/file.hpp"
#include "conformance/checks.hpp"
#include "conformance/matches.hpp"
#include "plugin/search_path.hpp"
#include "process/isolation.hpp"
#include "text/words.hpp"

// A match follows from settings, chance and answers alone: played from its record it comes out the
// same. A game with dice or a clock of its own does not.

namespace agon::conformance {

CheckResult check_replay(const GameUnderTest& subject) {
  CheckResult finding;
  std::size_t matches = 0;
  for (const CheckedMatch* played : subject.finished(12)) {
    MatchSetup setup = subject.setup(played->casting);
    for (SeatSetup& seat : setup.seats) seat.agent = nullptr;
    setup.past = played->result.record;
    setup.strict_replay = true;
    const MatchResult again = play_match(setup);
    ++matches;
    subject.heed(again, subject.command(played->casting));
    if (again.record == played->result.record && again.end == End::finished) continue;
    if (finding.verdict == Verdict::fail) continue;
    finding.fail("played from its record, a match comes out otherwise: " +
                     first_difference(played->result, again),
                 subject.check_command("replay"),
                 "let all chance come from table.chance(): no dice, clock or address of its own, "
                 "and nothing that is left of the match before");
  }
  finding.tried = text::counted(matches, "match", "matches");
  return finding;
}

// Cut after any question and taken up again, a match comes out the same.

CheckResult check_resume(const GameUnderTest& subject) {
  /// Long matches are cut at some of their questions only.
  constexpr std::size_t kCuts = 15;
  CheckResult finding;
  std::size_t matches = 0, cuts = 0;
  for (const CheckedMatch* played : subject.finished(3)) {
    Watching how{.script = script_of(subject.game(), played->history)};
    const auto whole = watch(subject, played->casting, how);
    ++matches;
    const std::size_t step = 1 + whole->cuts.size() / kCuts;
    for (std::size_t i = 0; i < whole->cuts.size(); i += step) {
      how.past = std::string_view(whole->result.record).substr(0, whole->cuts[i]);
      const auto resumed = watch(subject, played->casting, how);
      if (resumed->result.end == End::stopped) continue;
      ++cuts;
      if (resumed->result.record == whole->result.record || finding.verdict == Verdict::fail)
        continue;
      finding.fail("cut after " + text::counted(i + 1, "answer") +
                       " and taken up again, a match comes out otherwise: " +
                       first_difference(whole->result, resumed->result),
                   subject.check_command("resume"),
                   "let a match follow from settings, chance and answers alone: nothing outside "
                   "play() remembers where it was");
    }
  }
  finding.tried = fmt::format("{}, cut {}", text::counted(matches, "match", "matches"),
                              text::counted(cuts, "time"));
  return finding;
}

// Nothing is left of one match in the next: the order in which matches are played makes no
// difference.

CheckResult check_order(const GameUnderTest& subject) {
  CheckResult finding;
  const std::vector<const CheckedMatch*> matches = subject.finished(8);
  std::size_t again = 0;
  // In reverse, and then each right after itself.
  for (const int times : {1, 2})
    for (auto played = matches.rbegin(); played != matches.rend(); ++played)
      for (int i = 0; i < times; ++i) {
        const auto other = subject.play((*played)->casting);
        ++again;
        if (other->result.record == (*played)->result.record || finding.verdict == Verdict::fail)
          continue;
        finding.fail(
            "played again, after others, a match comes out otherwise: " +
                first_difference((*played)->result, other->result),
            subject.check_command("order"),
            subject.wording("keep nothing between matches: no static or global that play() writes "
                            "to; what all matches share is made of the settings by prepare()",
                            "keep nothing between matches: no global, class variable or cache "
                            "that play() writes to"));
      }
  finding.tried = text::counted(matches.size(), "match", "matches") +
                  fmt::format(", played {} more times in other orders", again);
  return finding;
}

// Matches that are played at the same time do not touch each other.

CheckResult check_jobs(const GameUnderTest& subject) {
  constexpr std::size_t kJobs = 8;
  CheckResult finding;
  const std::vector<const CheckedMatch*> matches = subject.finished(4);
  // All agents are made before the threads begin.
  for (const CheckedMatch* played : matches) (void)subject.setup(played->casting);
  std::vector<std::vector<std::unique_ptr<CheckedMatch>>> played(kJobs);
  std::vector<std::exception_ptr> thrown(kJobs);
  std::vector<std::jthread> threads;
  for (std::size_t job = 0; job < kJobs; ++job)
    threads.emplace_back([&, job] {
      try {
        for (std::size_t i = 0; i < matches.size(); ++i)
          played[job].push_back(subject.play(matches[(i + job) % matches.size()]->casting));
      } catch (...) {
        thrown[job] = std::current_exception();
      }
    });
  threads.clear();
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
  for (std::size_t job = 0; job < kJobs; ++job)
    for (std::size_t i = 0; i < played[job].size(); ++i) {
      const MatchResult& alone = matches[(i + job) % matches.size()]->result;
      const MatchResult& together = played[job][i]->result;
      if (alone.record == together.record || finding.verdict == Verdict::fail) continue;
      finding.fail(
          "a match comes out otherwise while others are played: " +
              first_difference(alone, together),
          subject.check_command("jobs"),
          subject.wording("keep nothing that several matches write to: no static, global or cache",
                          "keep nothing that several matches write to: no file and "
                          "nothing else that processes share"));
    }
  finding.tried = fmt::format("{} at once, {} each", text::counted(kJobs, "thread"),
                              text::counted(matches.size(), "match", "matches"));
  return finding;
}

// A match comes out the same in another process, and in a worker that is locked in: nothing of it
// hangs on where it is played, on what was played there before, or on what a process may reach.
namespace {

namespace fs = std::filesystem;

/// The record of a match that another process has played; else why there is none.
struct Elsewhere {
  std::string record{};
  std::string problem{};
  bool is_late = false;  ///< it took too long, as it may on a crowded machine
};

Elsewhere play_elsewhere(const std::vector<std::string>& words, const fs::path& archive) {
  constexpr auto kPatience = std::chrono::seconds(60);
  Process child(words, "", kept_environment({"PATH", "HOME", "TMPDIR", "AGON_PLUGIN_PATH"}));
  const Process::Clock::time_point until = Process::Clock::now() + kPatience;
  std::string line;
  while (child.read(line, until, kPatience) == Process::Got::line) {
  }
  if (!child.quit("", until)) return {.is_late = true};
  try {
    return {.record = archive::Archive::open(archive).matches().at(1).record};
  } catch (const Error& error) {
    return {.problem = child.complaints().empty() ? error.problem() : child.complaints()};
  }
}

/// The command that plays it, in a worker or as the user has it.
std::vector<std::string> words_of(const GameUnderTest& subject, const CheckedMatch& played,
                                  bool in_worker) {
  std::vector<std::string> words = subject.command_words(played.casting);
  words.insert(words.end(), {"--quiet", "--trust"});
  if (!in_worker) return words;
  const auto isolate = std::find(words.begin(), words.end(), "--sandbox");
  words.erase(isolate, isolate == words.end() ? isolate : isolate + 2);
  words.insert(words.end(), {"--sandbox", "always"});
  return words;
}

}  // namespace

CheckResult check_process(const GameUnderTest& subject) {
  /// Each is played twice in processes of its own, and once in a worker.
  constexpr std::size_t kMatches = 3;
  CheckResult finding;
  const fs::path program = plugin::program_folder() / "agon";
  if (!fs::exists(program)) {
    finding.skip("there is no program 'agon' beside this one");
    return finding;
  }
  const bool can_lock = gaps_of(lock_support_of_machine()).empty();
  const archive::ScratchFolder scratch("agon-check");
  std::size_t matches = 0, plays = 0;
  for (const CheckedMatch* played : subject.finished(2)) {
    if (matches == kMatches) break;
    // Nothing can be left of earlier matches in the first that was played here.
    if (played->casting.seed == subject.effort().seed) continue;
    ++matches;
    const auto elsewhere = [&](bool in_worker) {
      const fs::path archive = scratch.path() / fmt::format("{}.agon", ++plays);
      std::vector<std::string> words = words_of(subject, *played, in_worker);
      words.front() = program.string();
      words.insert(words.end(), {"--out", archive.string()});
      return play_elsewhere(words, archive);
    };
    const auto blame = [&](const std::string& where, const Elsewhere& other, bool in_worker,
                           std::string_view hint) {
      if (finding.verdict == Verdict::fail) return;
      MatchResult result;
      result.record = other.record;
      result.shapes = played->result.shapes;
      result.problem = other.problem;
      finding.fail(
          where + ", a match comes out otherwise: " + first_difference(played->result, result),
          text::shell_line(words_of(subject, *played, in_worker)), hint);
    };
    const std::string& here = played->result.record;
    const Elsewhere first = elsewhere(false), second = elsewhere(false);
    const Elsewhere worker = can_lock ? elsewhere(true) : Elsewhere{.record = here};
    if (first.is_late || second.is_late || worker.is_late) {
      finding.verdict = finding.verdict == Verdict::fail ? Verdict::fail : Verdict::skipped;
      if (finding.problem.empty())
        finding.problem = "in a process of its own, a match did not end in a minute";
    } else if (first.record != second.record)
      blame("in one new process and in another", first.record == here ? second : first, false,
            "let all chance come from table.chance(): no dice, clock or address of its own");
    else if (first.record != here)
      blame("in a process of its own", first, false, "keep nothing between matches");
    else if (worker.record != here)
      blame("in a worker", worker, true, "reach for nothing outside: no file, no variable");
  }
  finding.tried = fmt::format(
      "{}, {} in other processes, {}", text::counted(matches, "match", "matches"),
      text::counted(plays, "time"),
      can_lock ? "one in three in a worker" : "none in a worker: this machine cannot lock it in");
  return finding;
}

// Chance belongs to places of the game, not to how often it was asked for: who else plays leaves it
// as it was.
//
// The same chance is played with one other agent. A stream that both matches read is read at the
// same places. Where an event marks the rounds in which a stream is read, as many draws of it come
// before the same round.
namespace {

using What = record::Entry::What;
using StreamName = std::pair<std::string, std::vector<std::int64_t>>;

/// How many draws of a stream came before each time that an event was said.
using DrawCounts = std::map<std::string, std::vector<std::size_t>>;

struct StreamReading {
  std::vector<std::string> drawn;  ///< in order
  DrawCounts before;
};

std::map<StreamName, StreamReading> readings(const record::History& history) {
  std::map<StreamName, StreamReading> all;
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

CheckResult check_luck(const GameUnderTest& subject) {
  CheckResult finding;
  std::size_t pairs = 0, equal = 0, scaled = 0;
  std::uint64_t shortest = ~std::uint64_t{0};
  for (const CheckedMatch* played : subject.finished(10)) {
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
        finding.fail(
            fmt::format("with another agent on seat 0, chance('{}'{}) has been read another number "
                        "of times at the same '{}', so that all that it brings later is other luck",
                        stream.first,
                        stream.second.empty() ? "" : ", " + text::joined(stream.second), *event),
            subject.command(played->casting) + " && " + subject.command(casting),
            fmt::format("name the place of each draw: table.chance(\"{}\", round), not one stream "
                        "for all",
                        stream.first));
      }
    }
  }
  finding.tried =
      fmt::format("{} of matches with one other agent, {} at the same places, {} otherwise bounded",
                  text::counted(pairs, "pair"), text::counted(equal + scaled, "draw"), scaled);
  if (pairs == 0) {
    finding.skip("the game draws nothing");
  }
  return finding;
}

}  // namespace agon::conformance
