#include "meta/payoffs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "results/results.hpp"

namespace agon::report {

MetaPayoffs::MetaPayoffs(const MetaGame& game, const std::vector<MetaBlock>& blocks,
                         std::size_t units, MetaScale scale)
    : seats_(game.players()), units_(units) {
  if (const auto range = score_range(game.score_min, game.score_max);
      range && scale == MetaScale::normalised)
    range_ = {range->low, range->high};
  // What a seat gets depends on its own choice and the others': where seats are alike, on no more.
  using SeatChoices = std::pair<std::size_t, std::vector<std::size_t>>;
  const auto key_of = [&](const std::vector<std::size_t>& choices, std::size_t seat) {
    if (!game.symmetric) return SeatChoices{seat, choices};
    std::vector<std::size_t> others = choices;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(seat));
    std::sort(others.begin(), others.end());
    return SeatChoices{choices[seat], others};
  };
  std::map<SeatChoices, std::size_t> places;
  for (const MetaLineUp& line_up : game.line_ups)
    for (std::size_t s = 0; s < seats_; ++s)
      slot_.push_back(places.try_emplace(key_of(line_up.choices, s), places.size()).first->second);
  slots_.resize(places.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::map<std::pair<std::size_t, std::size_t>, MetaSum> sums;  // by slot and seat
    for (const auto& [choices, seats] : blocks[b].sums) {
      for (std::size_t s = 0; s < seats_; ++s) {
        MetaSum& sum = sums[{places.at(key_of(choices, s)), s}];
        sum.score += seats[s].score;
        sum.gain += seats[s].gain;
        sum.pie += seats[s].pie;
        sum.matches += seats[s].matches;
        sum.scaled += seats[s].scaled;
      }
    }
    for (const auto& [at, sum] : sums) {
      const bool raw = scale == MetaScale::raw;
      const double count = raw ? sum.matches : sum.scaled;
      if (count <= 0) continue;
      const double numerator = (raw ? sum.score : sum.gain) / count;
      const double denominator = raw ? 1 : sum.pie / count;
      for (const double value : {numerator, denominator})
        largest_ = std::isfinite(value) ? std::max(largest_, std::abs(value))
                                        : std::numeric_limits<double>::infinity();
      slots_[at.first][{blocks[b].treatment, at.second}].push_back(
          {b, blocks[b].unit, numerator, denominator});
    }
  }
  for (const Terms& terms : slots_) {
    auto& columns = columns_.emplace_back();
    for (const auto& [key, parts] : terms) {
      stats::RatioTerm& column =
          columns.emplace_back(stats::ratio_over(units_, 1 / static_cast<double>(terms.size())));
      for (const BlockTerm& part : parts) {
        column.numerator[part.unit] += part.numerator;
        column.denominator[part.unit] += part.denominator;
      }
    }
  }
}

bool MetaPayoffs::complete() const {
  std::vector<double> payoffs;
  evaluate(std::vector<double>(units_, 1), payoffs);
  return std::none_of(payoffs.begin(), payoffs.end(), [](double x) { return !std::isfinite(x); });
}

stats::StratumCell MetaPayoffs::payoff(std::size_t line_up, std::size_t seat) const {
  stats::StratumCell cell;
  cell.range = range_;
  std::set<std::size_t> blocks;
  std::set<std::size_t> used;
  cell.terms = columns_[slot_[line_up * seats_ + seat]];
  for (const auto& [key, parts] : terms(line_up, seat))
    for (const BlockTerm& part : parts) {
      blocks.insert(part.block);
      used.insert(part.unit);
    }
  cell.blocks = blocks.size();
  cell.units = used.size();
  return cell;
}

stats::StratumCell MetaPayoffs::difference(std::size_t from, std::size_t from_seat, std::size_t to,
                                           std::size_t to_seat) const {
  stats::StratumCell cell;
  cell.difference = true;
  cell.range = {range_.low - range_.high, range_.high - range_.low};
  std::set<std::size_t> blocks;
  std::set<std::size_t> used;
  const Terms& before = terms(from, from_seat);
  const Terms& after = terms(to, to_seat);
  double shared = 0;
  for (const auto& [key, parts] : before) {
    const auto other = after.find(key);
    if (other == after.end()) continue;
    stats::RatioTerm less = stats::ratio_over(units_, -1), more = stats::ratio_over(units_);
    bool any = false;
    auto match = other->second.begin();  // both are in the order of blocks
    for (const BlockTerm& part : parts) {
      while (match != other->second.end() && match->block < part.block) ++match;
      if (match == other->second.end()) break;
      if (match->block != part.block) continue;
      less.numerator[part.unit] += part.numerator;
      less.denominator[part.unit] += part.denominator;
      more.numerator[part.unit] += match->numerator;
      more.denominator[part.unit] += match->denominator;
      blocks.insert(part.block);
      used.insert(part.unit);
      any = true;
    }
    if (!any) continue;
    shared += 1;
    cell.terms.push_back(std::move(more));
    cell.terms.push_back(std::move(less));
  }
  for (stats::RatioTerm& term : cell.terms) term.weight /= shared;
  cell.blocks = blocks.size();
  cell.units = used.size();
  return cell;
}

void MetaPayoffs::evaluate(const std::vector<double>& times, std::vector<double>& payoffs) const {
  std::vector<double> values;
  for (const auto& columns : columns_) {
    double value = columns.empty() ? std::numeric_limits<double>::quiet_NaN() : 0;
    for (const stats::RatioTerm& column : columns) {
      double numerator = 0;
      double denominator = 0;
      for (std::size_t u = 0; u < units_; ++u) {
        numerator += times[u] * column.numerator[u];
        denominator += times[u] * column.denominator[u];
      }
      value += denominator > 0 ? numerator / denominator / static_cast<double>(columns.size())
                               : std::numeric_limits<double>::quiet_NaN();
    }
    values.push_back(value);
  }
  payoffs.clear();
  for (const std::size_t slot : slot_) payoffs.push_back(values[slot]);
}

}  // namespace agon::report
