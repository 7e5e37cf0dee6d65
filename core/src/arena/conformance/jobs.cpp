// Matches that are played at the same time do not touch each other.
#include <fmt/format.h>

#include <exception>
#include <thread>

#include "conformance/checks.hpp"
#include "conformance/difference.hpp"
#include "text/counted.hpp"

namespace agon::conformance {

Finding check_jobs(const Subject& subject) {
  constexpr std::size_t kJobs = 8;
  Finding finding{.check = "jobs", .tried = ""};
  const std::vector<const Played*> matches = subject.finished(4);
  // All agents are made before the threads begin.
  for (const Played* played : matches) (void)subject.setup(played->casting);
  std::vector<std::vector<std::unique_ptr<Played>>> played(kJobs);
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
      const Played& alone = *matches[(i + job) % matches.size()];
      const Played& together = *played[job][i];
      if (alone.result.record == together.result.record || finding.verdict == Verdict::fail)
        continue;
      finding.verdict = Verdict::fail;
      finding.problem =
          "a match comes out otherwise while others are played: " +
          (together.result.problem.empty() ? first_difference(alone.result, together.result)
                                           : together.result.problem);
      finding.command = subject.check_command("jobs");
      finding.mend =
          subject.wording("keep nothing that several matches write to: no static, global or cache",
                          "keep nothing that several matches write to: no file and "
                          "nothing else that processes share");
    }
  finding.tried = fmt::format("{} at once, {} each", text::counted(kJobs, "thread"),
                              text::counted(matches.size(), "match", "matches"));
  return finding;
}

}  // namespace agon::conformance
