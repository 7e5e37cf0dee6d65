#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "command/output.hpp"
#include "command/run/run.hpp"
#include "costs/forecast.hpp"
#include "design/shard.hpp"
#include "suite/suite.hpp"
#include "text/layout.hpp"
#include "text/words.hpp"

namespace agon::command {

using design::Shard;

namespace {

/// A whole number from the environment, where a scheduler puts it; none if it is not set. Throws
/// Error (usage) for something else.
std::optional<std::int64_t> number_in_environment(const char* name) {
  const char* set = std::getenv(name);
  if (set == nullptr) return std::nullopt;
  const auto number = text::number_in<std::int64_t>(set);
  if (!number || *number < 0)
    throw Error(ErrorKind::usage,
                fmt::format("invalid value '{}' of {}; expected a whole number", set, name), "",
                "--shard I/N says which shard it is");
  return number;
}

std::int64_t needed_number(const char* name, const std::string& hint) {
  if (const auto number = number_in_environment(name)) return *number;
  throw Error(ErrorKind::usage, fmt::format("{} is not set", name), "--shard", hint);
}

/// Index and number of tasks of a job array, which may begin at any number and go in steps.
/// `count`: what the option says, as an array of some shards, to run them again, looks like a
/// smaller one; 0: nothing.
Shard shard_of_slurm(std::uint64_t count) {
  if (count == 0)
    throw Error(ErrorKind::usage, "--shard slurm requires the number of shards", "",
                "write --shard slurm/N, with N as the number of tasks of the whole array");
  const std::string hint =
      "submit an array, such as sbatch --array=1-16, or say which shard it is: --shard I/N";
  const std::int64_t id = needed_number("SLURM_ARRAY_TASK_ID", hint);
  const std::int64_t low = needed_number("SLURM_ARRAY_TASK_MIN", hint);
  const std::int64_t high = needed_number("SLURM_ARRAY_TASK_MAX", hint);
  const std::int64_t tasks = needed_number("SLURM_ARRAY_TASK_COUNT", hint);
  const std::int64_t step = number_in_environment("SLURM_ARRAY_TASK_STEP").value_or(1);
  if (step < 1 || id < low || id > high || (high - low) / step + 1 != tasks ||
      (id - low) % step != 0)
    throw Error(ErrorKind::usage,
                fmt::format("the tasks of this array are not evenly spaced: task {} of {} from {} "
                            "to {} in steps of {}",
                            id, tasks, low, high, step),
                "--shard slurm", "to run some shards again, say which: --shard I/N");
  if (static_cast<std::uint64_t>(tasks) != count)
    throw Error(ErrorKind::usage,
                fmt::format("the array has {} tasks, and --shard says {} shards", tasks, count),
                "--shard slurm",
                fmt::format("submit an array of {0}, or to run some shards again, say which: "
                            "--shard I/{0}",
                            count));
  return Shard::parse(fmt::format("{}/{}", (id - low) / step + 1, tasks), "--shard slurm");
}

/// A job's pods know their index alone, from 0.
Shard shard_of_kubernetes(std::uint64_t count) {
  if (count == 0)
    throw Error(ErrorKind::usage, "--shard kubernetes requires the number of shards", "",
                "write --shard kubernetes/N, with N as the job's completions");
  const std::int64_t index = needed_number(
      "JOB_COMPLETION_INDEX",
      "set completionMode: Indexed in the job, or say which shard it is: --shard I/N");
  if (static_cast<std::uint64_t>(index) >= count)
    throw Error(ErrorKind::usage,
                fmt::format("the pod has index {}, and --shard says {} shards", index, count),
                "--shard kubernetes", "the job's completions and N of --shard must be the same");
  return Shard::parse(fmt::format("{}/{}", index + 1, count), "--shard kubernetes");
}

}  // namespace

std::optional<Shard> asked_shard(const Invocation& call) {
  if (!call.has("shard")) return std::nullopt;
  const std::string text = call.text("shard");
  const std::size_t slash = text.find('/');
  const std::string name = text.substr(0, slash);
  if (name != "slurm" && name != "kubernetes") return Shard::parse(text, "--shard");
  // "slurm/16": the count is checked as that of a shard is.
  const std::uint64_t count =
      slash == std::string::npos ? 0 : Shard::parse("1" + text.substr(slash), "--shard").count;
  return name == "slurm" ? shard_of_slurm(count) : shard_of_kubernetes(count);
}

std::optional<Shard> asked_cap_share(const Invocation& call) {
  if (!call.has("cap-share")) return std::nullopt;
  return Shard::parse(call.text("cap-share"), "--cap-share", "A/B");
}

namespace {

/// How long the pilot's matches took, and how many it played at a time.
struct PilotPace {
  std::map<std::string, std::pair<double, double>> scenarios;  // seconds, and matches
  double at_a_time = 1;
};

PilotPace pace_of(const archive::Archive& pilot) {
  PilotPace pace;
  const auto scenarios = pilot.scenarios();
  archive::ReadOptions wanted;
  wanted.seats = wanted.in_order = wanted.ids = false;
  double sum = 0, elapsed = 0;
  pilot.matches().each(wanted, [&](std::int64_t, const archive::MatchRow& match) {
    auto& [seconds, matches] = pace.scenarios[pilot.row(scenarios, match.key.scenario).name];
    seconds += match.wall_ms / 1e3;
    sum += match.wall_ms / 1e3;
    ++matches;
    return true;
  });
  for (const archive::RunRow& run : pilot.runs())
    if (run.ended) elapsed += static_cast<double>(*run.ended - run.started) / 1e3;
  // Several at a time, or fewer than one where a run did more than play.
  if (elapsed > 0 && sum > 0) pace.at_a_time = sum / elapsed;
  return pace;
}

ShardForecast forecast_of(const Suite& suite, const Forecast& whole,
                          const std::optional<PilotPace>& pace) {
  ShardForecast out;
  out.shard = *suite.shard;
  out.matches = suite.matches();
  out.cost = ExpectedRange{};
  if (pace) out.seconds = 0;
  for (std::size_t i = 0; i < suite.scenarios.size(); ++i) {
    const Scenario& s = suite.scenarios[i];
    const double share =
        static_cast<double>(suite.blocks_of(i)) / static_cast<double>(s.plan->blocks());
    for (const AgentForecast& row : whole.rows) {
      if (row.scenario != s.name) continue;
      add_part(out.calls, row.calls, share);
      if (row.cost && out.cost)
        add_part(*out.cost, *row.cost, share);
      else
        out.cost.reset();
    }
    if (!out.seconds) continue;
    const auto known = pace->scenarios.find(s.name);
    if (known == pace->scenarios.end()) {
      out.seconds.reset();
      continue;
    }
    const double matches = share * static_cast<double>(s.plan->size() * s.sequence);
    *out.seconds += matches * known->second.first / known->second.second / pace->at_a_time;
  }
  return out;
}

}  // namespace

std::vector<ShardForecast> forecast_shards(const Invocation& call, Suite suite,
                                           const Forecast& whole, const archive::Archive* pilot) {
  const std::optional<PilotPace> pace = pilot ? std::optional(pace_of(*pilot)) : std::nullopt;
  auto count = static_cast<std::uint64_t>(
      call.number("shards", 1, 1, static_cast<std::int64_t>(Shard::kMost)));
  if (call.has("at-least")) {
    const double least = read_duration(call.text("at-least"), "at-least");
    suite.take({1, 1}, std::nullopt);
    const auto seconds = forecast_of(suite, whole, pace).seconds;
    if (!seconds)
      throw Error(ErrorKind::usage, "--at-least needs to know how long matches take", "",
                  "give an archive of a small run of all scenarios: --pilot ARCHIVE");
    const double most = std::max(1.0, std::floor(*seconds / least));
    if (most < static_cast<double>(count)) count = static_cast<std::uint64_t>(most);
  }
  std::vector<ShardForecast> shards;
  for (std::uint64_t n = 1; n <= count; ++n) {
    suite.take({n, count}, std::nullopt);
    shards.push_back(forecast_of(suite, whole, pace));
  }
  return shards;
}

double read_duration(const std::string& text, const std::string& option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double factor = unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || factor == 0 || !(value > 0) || !(value <= 1e6))
    throw Error(ErrorKind::usage,
                "invalid value '" + text + "' for --" + option + "; expected a time such as 30min",
                "", "units are s, min and h");
  return value * factor;
}

std::string time_text(const std::optional<double>& seconds) {
  if (!seconds) return "unknown";
  if (*seconds < 120) return fmt::format("{:.0f} s", *seconds);
  return *seconds < 7200 ? fmt::format("{:.0f} min", *seconds / 60)
                         : fmt::format("{:.1f} h", *seconds / 3600);
}

void print_shards(const std::vector<ShardForecast>& shards) {
  constexpr std::size_t kMostShown = 20;
  text::TextTable table({{"shard"},
                         {"matches", text::Align::right},
                         {"calls", text::Align::right},
                         {"USD", text::Align::right},
                         {"time", text::Align::right}});
  for (std::size_t i = 0; i < std::min(shards.size(), kMostShown); ++i) {
    const ShardForecast& s = shards[i];
    table.add({s.shard.text(), std::to_string(s.matches), fmt::format("{:.0f}", s.calls.expected),
               s.cost ? fmt::format("{:.2f}", s.cost->expected) : "unknown", time_text(s.seconds)});
  }
  print_line("");
  print(table.str(2));
  if (shards.size() > kMostShown)
    print_line(fmt::format("  and {} more, which differ by a block of each scenario at most",
                           shards.size() - kMostShown));
}

void add_part(ExpectedRange& sum, const ExpectedRange& whole, double share) {
  sum.low += whole.low * share;
  sum.expected += whole.expected * share;
  sum.high += whole.high * share;
}

boost::json::value range_json(const std::optional<ExpectedRange>& range) {
  if (!range) return nullptr;
  return {{"low", range->low}, {"expected", range->expected}, {"high", range->high}};
}

boost::json::array shards_json(const std::vector<ShardForecast>& shards) {
  boost::json::array all;
  for (const ShardForecast& s : shards)
    all.push_back({{"shard", s.shard.text()},
                   {"matches", s.matches},
                   {"calls", range_json(s.calls)},
                   {"cost_usd", range_json(s.cost)},
                   {"seconds", s.seconds ? boost::json::value(*s.seconds) : nullptr}});
  return all;
}

}  // namespace agon::command
