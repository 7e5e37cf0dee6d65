#include "results/suite_wishes.hpp"

#include <agon/describe.hpp>
#include <agon/error.hpp>

#include "describe/enumeration.hpp"
#include "describe/read.hpp"
#include "text/nearest.hpp"

namespace agon::report {
namespace {

struct WishOfReport {
  std::optional<std::string> against;
  std::optional<double> level;
  std::optional<std::string> aggregate;
};
AGON_DESCRIBE(WishOfReport, (against, "the reference agent"), (level, "of intervals"),
              (aggregate, "over games; its name may be one of another version"))

struct WishOfFaults {
  std::optional<std::string> policy;
};
AGON_DESCRIBE(WishOfFaults, (policy, "for forced answers; its name may be one of another version"))

struct WishesOfSuite {
  std::optional<WishOfReport> report;
  std::optional<WishOfFaults> faults;
};
AGON_DESCRIBE(WishesOfSuite, (report, "what reports say"), (faults, "how forced answers count"))

}  // namespace

SuiteWishes suite_wishes(const archive::Archive& archive) {
  SuiteWishes said;
  const auto runs = archive.runs();
  if (runs.empty() || !runs.back().suite) return said;
  const auto text = archive.content(*runs.back().suite);
  if (!text || text->empty()) return said;
  // A run without a suite file says so in its own words.
  const auto suite = read_recorded<WishesOfSuite>(*text);
  if (!suite) return said;
  if (suite->report) {
    said.against = suite->report->against.value_or("");
    said.level = suite->report->level.value_or(said.level);
    said.aggregate = suite->report->aggregate.value_or("");
  }
  if (suite->faults) said.policy = suite->faults->policy.value_or("");
  return said;
}

FaultPolicy policy_of(const std::string& asked, const SuiteWishes& suite, const std::string& path) {
  if (!asked.empty()) return fault_policy(asked, "--policy");
  return suite.policy.empty() ? FaultPolicy::as_played : fault_policy(suite.policy, path);
}

stats::Aggregate aggregate_of(const std::string& asked, const SuiteWishes& suite,
                              const std::string& path) {
  const std::string& name = asked.empty() ? suite.aggregate : asked;
  if (name.empty()) return stats::Aggregate::mean;
  if (const auto known = value_named<stats::Aggregate>(name)) return *known;
  throw Error(asked.empty() ? ErrorKind::invalid : ErrorKind::usage,
              "there is no aggregate '" + name + "'" +
                  text::did_you_mean(name, names_of<stats::Aggregate>()),
              asked.empty() ? path : "--aggregate", "name mean, winsorised or ranks");
}

}  // namespace agon::report
