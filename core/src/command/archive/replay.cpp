#include "replay/replay.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <mutex>
#include <thread>

#include "command/command.hpp"
#include "command/output.hpp"
#include "describe/value.hpp"
#include "run/manifest.hpp"
#include "run/play/jobs.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

struct Differing {
  std::int64_t number;
  std::string id;
  Divergence divergence;
};

/// What came of the recorded words of models under today's agents.
struct Reread {
  std::int64_t number;
  std::string id;
  Reparsed reparsed;
};

/// A change of class over all matches, and the match in which it comes first.
struct Changed {
  ClassChange change;
  std::int64_t match;
};

std::vector<Changed> changes_of(const std::vector<Reread>& all) {
  std::vector<Changed> changes;
  for (const Reread& r : all)
    for (const ClassChange& c : r.reparsed.changes) {
      const auto same = [&](const Changed& known) {
        return known.change.recorded == c.recorded && known.change.now == c.now;
      };
      const auto known = std::find_if(changes.begin(), changes.end(), same);
      if (known == changes.end())
        changes.push_back({c, r.number});
      else
        known->change.attempts += c.attempts;
    }
  return changes;
}

/// The first answers that come out otherwise.
void print_flips(const std::vector<Reread>& all) {
  constexpr std::size_t kShown = 10;
  std::size_t shown = 0;
  for (const Reread& r : all) {
    const Reparsed& p = r.reparsed;
    if (p.flipped + p.unknown == 0 && p.problem.empty()) continue;
    if (++shown > kShown) continue;
    print_line(
        fmt::format("match {} ({}): {} of {}{}{}", r.number, r.id.substr(0, 8), p.flipped,
                    text::counted(p.answers, "answer"), p.result_flips ? ", another result" : "",
                    p.problem.empty() ? "" : "; not finished: " + text::printable(p.problem)));
    if (p.first.problem.empty()) continue;
    print_line("  first at " + text::printable(p.first.problem));
    print_line("  recorded:\n" + p.first.recorded);
    print_line("  now:\n" + p.first.replayed);
  }
  if (shown > kShown) print_line(fmt::format("and {} more", shown - kShown));
}

int tell_reparsed(const Invocation& call, const std::vector<Reread>& all) {
  std::size_t answers = 0, flipped = 0, unknown = 0, results = 0, open = 0;
  for (const Reread& r : all) {
    answers += r.reparsed.answers;
    flipped += r.reparsed.flipped;
    unknown += r.reparsed.unknown;
    results += r.reparsed.result_flips ? 1 : 0;
    open += r.reparsed.problem.empty() ? 0 : 1;
  }
  const std::vector<Changed> changes = changes_of(all);
  if (call.json()) {
    bj::array classes;
    for (const auto& [change, match] : changes)
      classes.push_back(bj::object{{"recorded", name_of(change.recorded)},
                                   {"now", name_of(change.now)},
                                   {"attempts", change.attempts},
                                   {"match", match},
                                   {"first", change.first}});
    bj::array rows;
    for (const Reread& r : all)
      rows.push_back(bj::object{{"match", r.number},
                                {"id", r.id},
                                {"answers", r.reparsed.answers},
                                {"flipped", r.reparsed.flipped},
                                {"unknown", r.reparsed.unknown},
                                {"result_flips", r.reparsed.result_flips},
                                {"problem", r.reparsed.problem},
                                {"first", r.reparsed.first.problem},
                                {"recorded", r.reparsed.first.recorded},
                                {"now", r.reparsed.first.replayed}});
    print_json(bj::object{{"matches", all.size()},
                          {"answers", answers},
                          {"flipped", flipped},
                          {"unknown", unknown},
                          {"results_flipped", results},
                          {"not_finished", open},
                          {"classes", std::move(classes)},
                          {"rows", std::move(rows)}});
    return flipped + unknown == 0 ? 0 : static_cast<int>(ErrorKind::failure);
  }
  print_line(fmt::format("{} with model calls: {} of {} come out otherwise, {} not reached; {}, {}",
                         text::counted(all.size(), "match", "matches"), flipped,
                         text::counted(answers, "answer"), unknown,
                         text::counted(results, "result flips", "results flip"),
                         text::counted(open, "match does not finish", "matches do not finish")));
  for (const auto& [change, match] : changes)
    print_line(fmt::format("{} {} {} now {}, first in match {} at {}",
                           text::counted(change.attempts, "attempt", "attempts"),
                           change.attempts == 1 ? "that was" : "that were",
                           name_of(change.recorded), name_of(change.now), match, change.first));
  print_flips(all);
  return flipped + unknown == 0 ? 0 : static_cast<int>(ErrorKind::failure);
}

/// What came of replaying matches.
struct Replayed {
  std::vector<Differing> differing;
  std::size_t unrecorded = 0;  ///< played with --keep results
};

/// Replays the matches with these numbers on several threads, each with its own view of the
/// archive.
Replayed replay_all(const std::string& path, const Catalogue& catalogue,
                    const std::vector<std::int64_t>& numbers, int jobs, bool quiet) {
  Replayed all;
  std::mutex mutex;
  std::size_t next = 0, done = 0;
  Progress progress(numbers.size(), quiet);
  const auto work = [&](int) {
    try {
      const archive::Archive archive = archive::Archive::open(path);
      Replayer replayer(archive, catalogue);
      for (;;) {
        std::int64_t number = 0;
        {
          const std::lock_guard lock(mutex);
          if (next == numbers.size()) return;
          number = numbers[next++];
        }
        const archive::MatchRow match = archive.matches().at(number);
        if (match.record.empty()) {
          const std::lock_guard lock(mutex);
          ++all.unrecorded;
          progress.show(++done, 0, all.differing.size());
          continue;
        }
        std::optional<Divergence> divergence;
        try {
          divergence = replayer.replay(match);
        } catch (const Error& error) {
          // Without the game nothing can be said; a record that cannot be read is a difference.
          if (error.kind() == ErrorKind::not_found) throw;
          divergence = Divergence{error.problem(), "", ""};
        }
        const std::lock_guard lock(mutex);
        if (divergence) all.differing.push_back({number, match.key.id.hex(), *divergence});
        progress.show(++done, 0, all.differing.size());
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      next = numbers.size();  // nothing is left for the others
      throw;
    }
  };
  Jobs pool(
      static_cast<int>(std::clamp<std::size_t>(numbers.size(), 1, static_cast<std::size_t>(jobs))),
      work);
  pool.finish();
  std::sort(all.differing.begin(), all.differing.end(),
            [](const Differing& a, const Differing& b) { return a.number < b.number; });
  return all;
}

/// The plugins of the games of these matches that are not the ones that played them.
std::vector<ChangedPlugin> changed_since(const std::string& path, const Catalogue& catalogue,
                                         const std::vector<Differing>& differing) {
  if (differing.empty()) return {};
  const archive::Archive archive = archive::Archive::open(path);
  const auto scenarios = archive.scenarios();
  const auto rows = archive.games();
  std::vector<const Game*> games;
  for (const Differing& one : differing) {
    const archive::MatchRow match = archive.matches().at(one.number);
    const archive::ScenarioRow& scenario = archive.row(scenarios, match.key.scenario);
    const Game& game = catalogue.game(archive.row(rows, scenario.game).name);
    if (std::find(games.begin(), games.end(), &game) == games.end()) games.push_back(&game);
  }
  return changed_plugins(archive.runs(), catalogue, plugins_at_hand(catalogue), games);
}

/// One match, or all that can be replayed.
std::vector<std::int64_t> numbers_to_replay(const std::string& path, const std::string& named) {
  const archive::Archive archive = archive::Archive::open(path);
  std::vector<std::int64_t> numbers;
  // A match that was set aside was played to no end, and would take this process down too.
  if (!named.empty()) {
    numbers.push_back(archive.matches().find(named));
    if (archive.matches().at(numbers.front()).status == archive::MatchStatus::quarantined)
      throw Error(ErrorKind::failure, "match " + named + " is quarantined and cannot be replayed",
                  path, "'agon show' prints the reason; 'agon run --retry-quarantined' reruns it");
    return numbers;
  }
  archive.matches().each({.seats = false, .record = false, .scenarios = {}},
                         [&](std::int64_t number, const archive::MatchRow& match) {
                           if (match.status != archive::MatchStatus::quarantined)
                             numbers.push_back(number);
                           return true;
                         });
  return numbers;
}

/// Gives recorded words of models to today's agents.
std::vector<Reread> reread_all(const std::string& path, const Catalogue& catalogue,
                               const std::vector<std::int64_t>& numbers, bool quiet) {
  const archive::Archive archive = archive::Archive::open(path);
  Replayer replayer(archive, catalogue);
  std::vector<Reread> all;
  Progress progress(numbers.size(), quiet);
  std::size_t done = 0;
  for (const std::int64_t number : numbers) {
    const archive::MatchRow match = archive.matches().at(number);
    if (auto reparsed = replayer.reparse(match))
      all.push_back({number, match.key.id.hex(), std::move(*reparsed)});
    progress.show(++done, 0, 0);
  }
  progress.clear();
  return all;
}

bj::object differences_json(const std::vector<Differing>& found,
                            const std::vector<ChangedPlugin>& changed, std::size_t recorded,
                            std::size_t unrecorded) {
  bj::array differences;
  for (const Differing& f : found)
    differences.push_back(bj::object{{"match", f.number},
                                     {"id", f.id},
                                     {"problem", f.divergence.problem},
                                     {"recorded", f.divergence.recorded},
                                     {"replayed", f.divergence.replayed}});
  bj::array changed_files;
  for (const ChangedPlugin& one : changed) changed_files.emplace_back(bj::string(one.path));
  return {{"matches", recorded},
          {"unrecorded", unrecorded},
          {"same", recorded - found.size()},
          {"differences", std::move(differences)},
          {"changed_plugins", std::move(changed_files)}};
}

void print_differences(const std::vector<Differing>& found,
                       const std::vector<ChangedPlugin>& changed, std::size_t recorded,
                       std::size_t unrecorded) {
  print_line(fmt::format("{} of {} byte for byte the same", recorded - found.size(),
                         text::counted(recorded, "match comes out", "matches come out")));
  if (unrecorded > 0)
    print_line(fmt::format("{} played with --no-records: there is no record to replay",
                           text::counted(unrecorded, "match was", "matches were")));
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < std::min(found.size(), kShown); ++i) {
    print_line(fmt::format("match {} ({}): {}", found[i].number, found[i].id.substr(0, 8),
                           text::printable(found[i].divergence.problem)));
    if (found[i].divergence.recorded.empty() && found[i].divergence.replayed.empty()) continue;
    print_line("  recorded:\n" + found[i].divergence.recorded);
    print_line("  replayed:\n" + found[i].divergence.replayed);
  }
  if (found.size() > kShown) print_line(fmt::format("and {} more", found.size() - kShown));
  for (const ChangedPlugin& one : changed)
    print_line(fmt::format(
        "{} is not the file that played '{}' here: it was changed since, and the game's version\n"
        "was not. Replay with the file as it was; or, if the change is meant, raise the version\n"
        "and play again.",
        text::printable(one.path), text::printable(one.game)));
  if (!found.empty() && changed.empty())
    print_line(
        "A match comes out otherwise if its game or plugin was changed without another version,\n"
        "if the archive was changed, or if the game does not follow from its settings, chance "
        "and\n"
        "answers alone: a clock, dice of its own, or what is left of the match before.");
}

int replay(Invocation& call) {
  const std::string path = call.argument("ARCHIVE");
  const std::vector<std::int64_t> numbers = numbers_to_replay(path, call.argument("MATCH"));
  const bool quiet = call.quiet() || call.json();
  if (call.has("reparse"))
    return tell_reparsed(call, reread_all(path, call.catalogue(), numbers, quiet));
  const auto processors =
      static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  const auto [found, unrecorded] =
      replay_all(path, call.catalogue(), numbers,
                 static_cast<int>(call.number("jobs", processors, 1, kMostJobs)), quiet);
  if (unrecorded > 0 && unrecorded == numbers.size()) {
    const archive::Archive archive = archive::Archive::open(path);
    (void)archive.matches().record_of(
        archive.matches().at(numbers.front()));  // which says why there is none
  }
  const std::size_t recorded = numbers.size() - unrecorded;
  const std::vector<ChangedPlugin> changed = changed_since(path, call.catalogue(), found);
  if (call.json())
    print_json(differences_json(found, changed, recorded, unrecorded));
  else
    print_differences(found, changed, recorded, unrecorded);
  return found.empty() ? 0 : static_cast<int>(ErrorKind::failure);
}

}  // namespace

Command replay_command() {
  Command c{{"replay",
             "replay recorded matches and compare them byte for byte",
             "",
             {{"ARCHIVE", "archive of 'agon run' or 'agon play --out'"},
              {"MATCH", "number or id of a match (default: all)", false}}},
            &replay};
  c.synopsis.options.add_options()("jobs", po::value<std::string>()->value_name("N"),
                                   "number of parallel matches (default: number of processors)")(
      "reparse",
      "re-parse the recorded model output with the current parsers and list the answers that "
      "change");
  c.synopsis.details =
      "No agent is asked: every answer comes from the record. With --reparse, agents\n"
      "parse the recorded output of their models again. Neither calls a model or needs\n"
      "a key or a network.\n"
      "Exit code 1 if a match differs.\n";
  return c;
}

}  // namespace agon::command
