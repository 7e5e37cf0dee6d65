// How long pages on an archive wait: for all of its matches to be read once, and then for lists of
// them by every kind of filter. `bench_match_index ARCHIVE`, such as one of a million matches:
//
//   echo '{"suite": "million", "agents": {"a": "random", "b": "random"}, "design": {"fixed":
//     [["a", "b"], ["b", "a"]], "blocks": 500000}, "scenarios": [{"game": "deal-or-no-deal"}]}' >
//     million.json
//   agon run million.json --keep results
#include "viewer/match_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "viewer/archive_watch.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Memory of this process in MB.
long resident() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      long kilobytes = 0;
      status >> kilobytes;
      return kilobytes / 1024;
    }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace agon;
  using namespace agon::serve;
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_match_index ARCHIVE\n");
    return 2;
  }
  const archive::Archive archive = archive::Archive::open(argv[1]);
  archive::Archive growing = archive.again();
  const long before = resident();
  auto begin = Clock::now();
  MatchIndex index;
  while (index.read(growing, 5'000)) {
  }
  fmt::print("{} matches read in {:.0f} ms, {} MB\n", index.size(), ms_since(begin),
             resident() - before);
  const ArchiveRows rows = read_rows(archive);
  const ArchiveHead head = archive_head(archive, rows, index, "");
  using Asked = std::map<std::string, std::string>;
  std::vector<Asked> all = {{},
                            {{"suite", "all"}},
                            {{"order", "last"}},
                            {{"from", std::to_string(head.matches - 50)}},
                            {{"block", "12345"}},
                            {{"faults", "forced"}},
                            {{"status", "game-error"}},
                            {{"luck", std::to_string(index.last())}}};
  for (const ShownTreatment& treatment : head.treatments)
    all.push_back({{"game", treatment.game}, {"treatment", treatment.treatment}});
  for (const ShownAgent& agent : head.agents) {
    all.push_back({{"agent", agent.name}});
    all.push_back({{"agent", agent.name}, {"other", agent.name}, {"order", "last"}});
  }
  double longest = 0;
  for (const Asked& asked : all) {
    double least = 1e9;
    std::int64_t total = 0;
    for (int turn = 0; turn < 3; ++turn) {
      begin = Clock::now();
      total = list_matches(archive, rows, index, asked).total;
      least = std::min(least, ms_since(begin));
    }
    std::string words;
    for (const auto& [name, value] : asked) words += " " + name + "=" + value;
    fmt::print("{:8.1f} ms {:9} matches {}\n", least, total, words);
    longest = std::max(longest, least);
  }
  begin = Clock::now();
  static_cast<void>(archive_head(archive, rows, index, ""));
  fmt::print("{:8.1f} ms           what the archive holds\nlongest {:.1f} ms\n", ms_since(begin),
             longest);
}
