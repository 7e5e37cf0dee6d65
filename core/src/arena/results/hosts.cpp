#include "results/hosts.hpp"

#include <agon/describe.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "archive/calls.hpp"
#include "describe/read.hpp"

namespace agon::report {
namespace {

constexpr std::string_view kRouted = "provider:";

/// A model of an agent.
using AgentModel = std::pair<std::int64_t, std::string>;
using HostCounts = std::map<std::string, std::int64_t>;  // answered calls by host

/// What a host answered for an agent in a game.
struct HostSums {
  std::int64_t calls = 0;
  std::int64_t seats = 0;
  double gain = 0, surplus = 0;  ///< shares of the seats'
};

// What is wanted of a run's manifest.
struct ServedModel {
  std::string provider;
  std::string model;
  std::vector<std::string> served_as;
  std::vector<std::string> fingerprints;
};
AGON_DESCRIBE(ServedModel, (provider, "that was asked"), (model, "as asked for"),
              (served_as, "names that the provider gave"),
              (fingerprints, "of the systems behind it"))
struct ServedOfRun {
  std::optional<std::vector<ServedModel>> models;
};
AGON_DESCRIBE(ServedOfRun, (models, "those that were called"))

/// Whether a model may have had several hosts, by what the runs say at their end. The calls
/// themselves are read only then, for that takes long.
bool may_have_hosts(const archive::Archive& archive) {
  // Names and fingerprints by model: a run may have had others than the one before.
  std::map<std::pair<std::string, std::string>, std::array<std::set<std::string>, 2>> systems;
  const std::vector<archive::RunRow> runs = archive.runs();
  for (const archive::RunRow& run : runs) {
    const auto served = read_recorded<ServedOfRun>(run.manifest);
    if (!served || !served->models) return true;  // it did not come to its end
    for (const ServedModel& m : *served->models) {
      auto& [names, fingerprints] = systems[{m.provider, m.model}];
      names.insert(m.served_as.begin(), m.served_as.end());
      for (const std::string& fingerprint : m.fingerprints) {
        if (fingerprint.find(kRouted) != std::string::npos) return true;
        fingerprints.insert(fingerprint);
      }
    }
  }
  return runs.empty() || std::any_of(systems.begin(), systems.end(), [](const auto& one) {
           return one.second[0].size() > 1 || one.second[1].size() > 1;
         });
}

}  // namespace

std::string host_of(const std::string& served_model, const std::string& fingerprint) {
  if (const std::size_t at = fingerprint.find(kRouted); at != std::string::npos)
    return fingerprint.substr(at + kRouted.size());
  return served_model + (served_model.empty() || fingerprint.empty() ? "" : " ") + fingerprint;
}

namespace {

/// The answered calls of an archive, by host.
struct AnsweredCalls {
  explicit AnsweredCalls(const archive::Archive& archive);

  /// By match and seat, then by model.
  std::map<std::pair<std::int64_t, std::int64_t>, std::map<std::string, HostCounts>> by_seat;
  /// The models that a router serves or that several hosts answered for.
  std::set<AgentModel> several;
};

AnsweredCalls::AnsweredCalls(const archive::Archive& archive) {
  std::map<AgentModel, std::set<std::string>> hosts;
  archive.calls().by_host([&](const archive::Calls::HostCalls& c) {
    const std::string host = host_of(c.served_model, c.fingerprint);
    const AgentModel model{c.agent, c.model};
    by_seat[{c.match, c.seat}][c.model][host] += c.calls;
    hosts[model].insert(host);
    if (hosts[model].size() > 1 || c.fingerprint.find(kRouted) != std::string::npos)
      several.insert(model);
  });
}

}  // namespace

std::vector<HostUse> hosts_used(const archive::Archive& archive) {
  if (!may_have_hosts(archive)) return {};
  const AnsweredCalls calls(archive);
  if (calls.several.empty()) return {};
  const auto scenarios = archive.scenarios();
  const auto games = archive.games();
  const auto agents = archive.agents();
  std::map<std::tuple<std::string, std::string, std::string>, std::map<std::string, HostSums>> sums;
  // In an order of their own: sums depend on it to the last digit.
  archive.matches().each({}, [&](std::int64_t number, const archive::MatchRow& match) {
    const archive::GameRow& game =
        archive.row(games, archive.row(scenarios, match.key.scenario).game);
    const double stake = archive::stake_of(game.match_metrics, match.metrics);
    for (std::size_t s = 0; s < match.seats.size(); ++s) {
      const auto called = calls.by_seat.find({number, static_cast<std::int64_t>(s)});
      if (called == calls.by_seat.end()) continue;
      const archive::SeatRow& seat = match.seats[s];
      const double gain = (seat.payoff - seat.disagreement) / stake;
      const double surplus = (seat.ideal - seat.disagreement) / stake;
      const bool is_scored = std::isfinite(gain) && std::isfinite(surplus) && surplus > 0;
      for (const auto& [model, counts] : called->second) {
        if (!calls.several.contains({seat.agent, model})) continue;
        std::int64_t all = 0;
        for (const auto& [host, n] : counts) all += n;
        for (const auto& [host, n] : counts) {
          HostSums& sum = sums[{archive.row(agents, seat.agent).name, game.name, model}][host];
          sum.calls += n;
          if (!is_scored) continue;
          const double weight = static_cast<double>(n) / static_cast<double>(all);
          ++sum.seats;
          sum.gain += weight * gain;
          sum.surplus += weight * surplus;
        }
      }
    }
    return true;
  });
  std::vector<HostUse> list;
  for (const auto& [key, by_host] : sums) {
    const auto& [agent, game, model] = key;
    std::int64_t all = 0;
    for (const auto& [host, sum] : by_host) all += sum.calls;
    for (const auto& [host, sum] : by_host) {
      HostUse& use = list.emplace_back(HostUse{agent, game, model, host, sum.calls});
      use.share = static_cast<double>(sum.calls) / static_cast<double>(all);
      use.seats = sum.seats;
      if (sum.surplus > 0) use.score = sum.gain / sum.surplus;
    }
  }
  return list;
}

}  // namespace agon::report
