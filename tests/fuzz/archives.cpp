// Spoils archives and lets every command read them. Nothing may crash, hang, take much memory, or
// tell a person an exception of a library.
//
//   fuzz_archives [--count N] [--seed S] [--first K] [--jobs J] [--keep FOLDER]
//
// Case K of a seed is always the same: a case that is named in a finding is done again with
// `--first K --count 1`, and `--keep` keeps its archive.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <agon/error.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "apart.hpp"
#include "archive_mutation.hpp"
#include "command/command.hpp"
#include "driver.hpp"
#include "games.hpp"
#include "mutation.hpp"
#include "process/sanitized.hpp"
#include "text/utf8.hpp"

namespace {

namespace fs = std::filesystem;
using namespace agon;
using namespace agon::fuzz;

constexpr std::uint64_t kMostMilliseconds = kSanitized ? 60'000 : 10'000;  // of one command
constexpr std::uint64_t kMostKilobytes = 500'000;  // not under sanitizers, which take their own

using Words = std::vector<std::string>;

struct Seed {
  std::string suite;
  fs::path archive;
  Words tables;  // of papers, by the games that it has
};

int call(const Words& words, const std::shared_ptr<Catalogue>& catalogue) {
  using namespace agon::command;
  static const std::vector<Command> kCommands = [] {
    std::vector<Command> all;
    all.push_back(show_command());
    all.push_back(report_command());
    all.push_back(replay_command());
    all.push_back(export_command());
    all.push_back(doctor_command());
    all.push_back(judge_command());
    all.push_back(plan_command());
    all.push_back(run_command());
    return all;
  }();
  for (const Command& c : kCommands)
    if (c.synopsis.name == words.front()) {
      Invocation invocation(c.synopsis, {words.begin() + 1, words.end()});
      invocation.use(catalogue);
      return c.run(invocation);
    }
  throw Error(ErrorKind::usage, "no such command");
}

/// A finished match becomes one in progress, so that there is one; a person took part.
void add_rows(const fs::path& archive) {
  sqlite3* db = nullptr;
  sqlite3_open(archive.c_str(), &db);
  const int code = sqlite3_exec(db, R"sql(
    insert into partial (id, scenario, block, repeat, position, line_up, assignment, agents, focal,
      sequence, reason, saved, record)
    select m.id, m.scenario, m.block, m.repeat, m.position, m.line_up, m.assignment,
      (select json_group_array(s.agent) from seat s where s.match = m.number), m.focal, 1,
      'the model does not answer', m.created, r.bytes
      from match m join record r on r.match = m.number
      where m.number = (select max(number) from match);
    delete from record where match = (select max(number) from match);
    delete from seat where match = (select max(number) from match);
    delete from match where number = (select max(number) from match);
    insert into person values ('p-1', 'p', null, null, 'the names of the seats', 1000);
    insert into person_answer select 1, 'p-1', id, 0, 1, 0, 1000, 1100, 1200, 0 from match limit 1;
    pragma journal_mode = delete;
  )sql",
                                nullptr, nullptr, nullptr);
  sqlite3_close(db);
  if (code != SQLITE_OK) throw std::runtime_error("the seed could not be completed");
}

/// The tables of papers for the games of a seed.
Words tables_of(const Catalogue& catalogue, const Words& games) {
  Words tables;
  for (const TableCard* card : catalogue.all<TableCard>())
    if (std::find(games.begin(), games.end(), card->game) != games.end())
      tables.emplace_back(card->id);
  return tables;
}

/// What every command is asked for, in the order in which it is done.
std::vector<Words> commands_for(const Seed& seed, const std::string& archive,
                                const fs::path& folder, Dice& dice) {
  const std::string match = std::to_string(1 + dice.below(9));
  const std::string out = (folder / "out").string();
  return {
      {"show", archive},
      {"show", archive, "--json"},
      {"show", archive, match},
      {"show", archive, match, "--json"},
      {"show", archive, match, "--calls", "--full"},
      {"report", archive},
      {"report", archive, "--full"},
      {"report", archive, "--full", "--json"},
      {"report", archive, "--metagame", "memory"},
      {"report", archive, "--paper-table", one_of(seed.tables, dice)},
      {"replay", archive, "--quiet", "--jobs", "2"},
      {"replay", archive, "--quiet", "--reparse"},
      {"export", archive, "--rows", "seats", "--out", out},
      {"export", archive, "--rows", "matches", "--format", "jsonl", "--out", out},
      {"export", archive, "--rows", "records", "--format", "jsonl", "--out", out},
      {"export", archive, "--rows", "calls", "--out", out},
      {"export", archive, "--rows", "calls", "--format", "jsonl", "--out", out},
      {"doctor", archive},
      {"judge", archive, "--records", "4", "--judges", "2", "--per-record", "1", "--out",
       (folder / "judging").string(), "--key", (folder / "key.csv").string()},
      {"plan", seed.suite, "--pilot", archive},
      {"run", seed.suite, "--quiet", "--no-preflight", "--jobs", "2", "--out", archive},
  };
}

/// Counted over all processes.
struct Totals {
  std::atomic<std::uint64_t> archives{0};
  std::atomic<std::uint64_t> commands{0};
  std::atomic<std::uint64_t> refused{0};  // with words of ours
  std::atomic<std::uint64_t> milliseconds{0};
  std::atomic<std::uint64_t> most_milliseconds{0};  // of one command
  std::atomic<std::uint64_t> most_kilobytes{0};
};

void raise(std::atomic<std::uint64_t>& most, std::uint64_t to) {
  std::uint64_t now = most;
  while (now < to && !most.compare_exchange_weak(now, to)) {
  }
}

/// Milliseconds of processor time that this process took.
std::uint64_t used() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 +
         static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

class Fuzzer {
 public:
  Fuzzer(const std::vector<Seed>& seeds, std::shared_ptr<Catalogue> catalogue, fs::path folder,
         fs::path keep, Totals& totals)
      : seeds_(seeds),
        catalogue_(std::move(catalogue)),
        folder_(std::move(folder)),
        keep_(std::move(keep)),
        totals_(totals) {}

  /// Does case `k`; false if it made a finding, which is printed.
  bool one(std::uint64_t key, std::uint64_t k) {
    Dice dice(combine(key, k));
    const Seed& seed = one_of(seeds_, dice);
    const fs::path archive = folder_ / "spoilt.agon";
    for (const auto& old : fs::directory_iterator(folder_)) fs::remove_all(old.path());
    fs::copy_file(seed.archive, archive);
    const std::string done = spoil(archive, dice);
    if (!keep_.empty())
      fs::copy_file(archive, keep_ / fmt::format("{}.agon", k),
                    fs::copy_options::overwrite_existing);
    const std::vector<Words> commands = commands_for(seed, archive.string(), folder_, dice);
    const Came came = apart(3.0 * kMostMilliseconds / 1000, [&](const Printed& printed) {
      std::string trouble;
      for (const Words& words : commands) {
        std::fprintf(stderr, "agon %s\n", words.front().c_str());  // where it stops, if it does
        trouble += trouble_of(words, printed);
      }
      return trouble;
    });
    ++totals_.archives;
    totals_.milliseconds += static_cast<std::uint64_t>(came.seconds * 1000);
    const auto kilobytes = static_cast<std::uint64_t>(came.kilobytes);
    raise(totals_.most_kilobytes, kilobytes);
    std::string trouble = came.trouble;
    if (!kSanitized && trouble.empty() && kilobytes > kMostKilobytes)
      trouble = fmt::format("{} kB of memory", kilobytes);
    if (trouble.empty()) return true;
    fmt::print("case {} ({}; {}):\n{}\n", k, seed.archive.stem().string(), done, trouble);
    std::fflush(stdout);
    return false;
  }

 private:
  /// Does one command; what is wrong, or nothing.
  std::string trouble_of(const Words& words, const Printed& printed) {
    const std::uint64_t before = used();
    std::string trouble;
    try {
      call(words, catalogue_);
    } catch (const Error& error) {
      ++totals_.refused;
      // What the words of libraries look like where they pass for ours.
      for (const std::string_view raw : {"::at", "std::", "boost", "basic_string", "[json", "_M_"})
        if (std::string_view(error.problem()).find(raw) != std::string_view::npos)
          trouble = fmt::format("a library's words: {}", error.what());
    } catch (const std::exception& error) {
      trouble = fmt::format("a library's exception: {}", error.what());
    }
    const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
    const std::string said = printed();
    if (!json && trouble.empty() && text::printable(said, text::Breaks::keep) != said)
      trouble = "characters that drive a terminal, or that nobody sees";
    const std::uint64_t milliseconds = used() - before;
    ++totals_.commands;
    raise(totals_.most_milliseconds, milliseconds);
    if (trouble.empty() && milliseconds > kMostMilliseconds)
      trouble = fmt::format("{} ms of processor time", milliseconds);
    return trouble.empty() ? ""
                           : fmt::format("{}\n  by: agon {}\n", trouble, fmt::join(words, " "));
  }

  const std::vector<Seed>& seeds_;
  const std::shared_ptr<Catalogue> catalogue_;
  const fs::path folder_;
  const fs::path keep_;
  Totals& totals_;
};

std::vector<Seed> make_seeds(const fs::path& folder, const std::shared_ptr<Catalogue>& catalogue) {
  std::vector<Seed> seeds;
  for (const std::string suite : {"rules", "models"}) {
    Seed seed{AGON_FUZZ_SEEDS "/" + suite + ".json", folder / (suite + ".agon"), {}};
    const Came came = apart(60, [&](const Printed&) {
      call({"run", seed.suite, "--quiet", "--out", seed.archive.string()}, catalogue);
      add_rows(seed.archive);
      return std::string();
    });
    if (!came.trouble.empty()) throw std::runtime_error(came.trouble);
    seed.tables =
        tables_of(*catalogue, suite == "rules" ? Words{"bargaining", "english-auction"}
                                               : Words{"deal-or-no-deal", "english-auction"});
    seeds.push_back(std::move(seed));
  }
  return seeds;
}

}  // namespace

int main(int argc, char** argv) {
  return drive(argc, argv, "fuzz_archives", [](const Drive& drive) {
    const auto totals = shared<Totals>();
    const std::shared_ptr<Catalogue> catalogue = all_games();
    const std::vector<Seed> seeds = make_seeds(drive.folder, catalogue);
    const std::uint64_t findings = drive.share_out([&](const Share& share) {
      const fs::path own = drive.folder / fmt::format("worker-{}", share.place);
      fs::create_directory(own);
      Fuzzer fuzzer(seeds, catalogue, own, drive.keep, *totals);
      std::uint64_t found = 0;
      for (std::uint64_t k = share.first; k < share.last; k += share.step)
        found += fuzzer.one(share.key, k) ? 0 : 1;
      return found;
    });
    fmt::print(
        "{} archives, {} commands, of which {} refused what they read; {} s of processor "
        "time, at most {} ms a command and {} MB of memory; {} findings\n",
        totals->archives.load(), totals->commands.load(), totals->refused.load(),
        totals->milliseconds / 1000, totals->most_milliseconds.load(),
        totals->most_kilobytes / 1000, findings);
    return findings == 0;
  });
}
