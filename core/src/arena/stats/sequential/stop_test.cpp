#include "stats/sequential/stop_test.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace agon::stats {
namespace {

/// After which looks the worst is rejected, for a budget in looks of all `agents`.
std::vector<std::size_t> reject_after(std::size_t agents, std::size_t budget) {
  const auto k = static_cast<double>(agents);
  double log_k = 0.5;
  for (std::size_t i = 2; i <= agents; ++i) log_k += 1 / static_cast<double>(i);
  const double n = k * static_cast<double>(budget);
  std::vector<std::size_t> looks;
  for (std::size_t left = agents; left >= 2; --left)
    looks.push_back(std::max<std::size_t>(
        1,
        static_cast<std::size_t>(std::ceil((n - k) / (log_k * static_cast<double>(left)) - 1e-9))));
  return looks;
}

}  // namespace

StopTest::StopTest(StopQuestion question) : question_(std::move(question)) {
  for (const std::size_t agent : question_.agents) standings_.push_back({agent, {}, {}, {}});
  if (question_.kind != StopQuestion::StopKind::budget) return;
  // Where everybody plays to the end, or there are too few blocks for the last two, the budget is
  // what can be played.
  budget_ = question_.budget;
  if (!question_.drops) {
    budget_ = std::min(budget_, question_.most_looks);
    rejects_.assign(standings_.size() - 1, budget_);
    return;
  }
  if (reject_after(standings_.size(), budget_).back() > question_.most_looks) {
    std::size_t fits = 1;
    for (std::size_t too_much = budget_; too_much - fits > 1;) {
      const std::size_t middle = fits + (too_much - fits) / 2;
      const bool is_too_much =
          reject_after(standings_.size(), middle).back() > question_.most_looks;
      (is_too_much ? too_much : fits) = middle;
    }
    budget_ = fits;
  }
  rejects_ = reject_after(standings_.size(), budget_);
}

double StopTest::level() const {
  return question_.kind == StopQuestion::StopKind::best ? question_.target : question_.level;
}

std::size_t StopTest::fewest_looks(bool bounded) const {
  if (question_.kind == StopQuestion::StopKind::budget) return rejects_.back();
  const std::size_t asked = question_.fewest.value_or(bounded ? 1 : kFewestToDecide);
  if (question_.kind == StopQuestion::StopKind::difference && bounded) return asked;
  if (bounded) return std::max(asked, fewest_bets(level()));
  std::size_t looks = std::max(asked, kFewestSequenceUnits);
  while (!std::isfinite(sequence_multiplier(looks, level()))) ++looks;
  return looks;
}

bool StopTest::is_in(std::size_t agent) const {
  return std::none_of(standings_.begin(), standings_.end(), [&](const Standing& standing) {
    return standing.agent == agent && standing.out;
  });
}

std::vector<std::size_t> StopTest::still_in() const {
  std::vector<std::size_t> in;
  for (const Standing& standing : standings_)
    if (!standing.out) in.push_back(standing.agent);
  return in;
}

std::size_t StopTest::leader(const PairedLooks& looks, const std::vector<std::size_t>& in) const {
  std::size_t leader = in.front();
  for (const std::size_t agent : in)
    if (agent != leader && looks.value(agent, leader).value_or(0) > 0) leader = agent;
  return leader;
}

void StopTest::measure(const PairedLooks& looks, Standing& standing,
                       std::optional<std::size_t> to) const {
  standing.to = to;
  standing.difference = to ? looks.difference(standing.agent, *to, level()) : AnytimeDifference{};
}

void StopTest::look(const PairedLooks& looks) {
  if (decided_) return;
  ++looks_;
  switch (question_.kind) {
    case StopQuestion::StopKind::difference:
      return look_at_differences(looks);
    case StopQuestion::StopKind::decide:
      return look_at_two(looks);
    case StopQuestion::StopKind::best:
      return look_at_all(looks);
    case StopQuestion::StopKind::budget:
      return reject(looks);
  }
}

std::optional<double> StopTest::worst(const PairedLooks& looks) const {
  return question_.worst ? question_.worst : looks.farthest();
}

bool StopTest::is_enough(const AnytimeDifference& difference) const {
  const bool exact = difference.sequence == Sequence::betting;
  return difference.units >= question_.fewest.value_or(exact ? 0 : kFewestToDecide);
}

int StopTest::better(const PairedLooks& looks, std::size_t first, std::size_t second) const {
  const int sign = looks.sign(first, second, level());
  if (sign == 0) return 0;
  const AnytimeDifference difference = looks.difference(first, second, level());
  if (!is_enough(difference)) return 0;
  const auto most = worst(looks);
  const bool holds = !most || !difference.overturned_by || *difference.overturned_by >= *most;
  return holds ? sign : 0;
}

void StopTest::look_at_differences(const PairedLooks& looks) {
  bool all = true;
  for (const Standing& standing : standings_) {
    const AnytimeDifference known = looks.difference(standing.agent, question_.reference, level());
    all = known.interval && is_enough(known) &&
          known.interval->high - known.interval->low <= 2 * question_.target;
    if (!all) break;
  }
  decided_ = all;
}

void StopTest::look_at_two(const PairedLooks& looks) {
  const int sign = better(looks, question_.agents[0], question_.agents[1]);
  if (sign == 0) return;
  decided_ = true;
  best_ = question_.agents[sign > 0 ? 0 : 1];
}

std::vector<Standing> StopTest::standings(const PairedLooks& looks) const {
  std::vector<Standing> standings = standings_;
  if (looks_ == 0) return standings;
  switch (question_.kind) {
    case StopQuestion::StopKind::difference:
      for (Standing& standing : standings) measure(looks, standing, question_.reference);
      break;
    case StopQuestion::StopKind::decide:
      measure(looks, standings[0], question_.agents[1]);
      break;
    case StopQuestion::StopKind::best:
    case StopQuestion::StopKind::budget:
      const std::size_t first = leader(looks, still_in());
      for (Standing& standing : standings)
        if (!standing.out && standing.agent != first) measure(looks, standing, first);
      break;
  }
  return standings;
}

void StopTest::look_at_all(const PairedLooks& looks) {
  const std::vector<std::size_t> in = still_in();
  const std::size_t first = leader(looks, in);
  std::size_t left = in.size();
  for (Standing& standing : standings_) {
    if (standing.out || standing.agent == first || better(looks, first, standing.agent) <= 0)
      continue;
    standing.out = looks_;
    measure(looks, standing, first);
    --left;
  }
  decided_ = left == 1;
  if (decided_) best_ = first;
}

void StopTest::reject(const PairedLooks& looks) {
  const auto due = std::count(rejects_.begin(), rejects_.end(), looks_);
  for (std::ptrdiff_t i = 0; i < due; ++i) {
    const std::vector<std::size_t> in = still_in();
    const std::size_t first = leader(looks, in);
    // Of several that are worst, the last of the question's order.
    std::size_t worst = first == in.front() ? in.back() : in.front();
    for (const std::size_t agent : in)
      if (agent != first && looks.value(agent, worst).value_or(0) <= 0) worst = agent;
    for (Standing& standing : standings_)
      if (standing.agent == worst) {
        tied_ = tied_ || looks.value(first, worst).value_or(0) == 0;
        standing.out = looks_;
        measure(looks, standing, first);
      }
    if (in.size() == 2) {
      decided_ = true;
      if (!tied_) best_ = first;
    }
  }
}

}  // namespace agon::stats
