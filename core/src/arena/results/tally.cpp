#include "results/tally.hpp"

#include <algorithm>
#include <cmath>

#include "stats/estimate.hpp"

namespace agon::report {
namespace {

/// Match metrics have no seat: they stand beside the seats of role 0.
constexpr std::size_t kNoSeat = static_cast<std::size_t>(-1);

void add_metric(std::vector<BlockSum>& sums, std::size_t place, double value) {
  if (!std::isfinite(value)) return;
  sums[place].total += value;
  sums[place].count += 1;
}

}  // namespace

void BlockTally::add(const NumberedMatch& match) {
  const auto& rows = match.row->seats;
  const archive::MatchKey& key = match.row->key;
  const std::size_t table =
      tables_.try_emplace({key.line_up, key.assignment}, tables_.size()).first->second;
  forced_ = forced_ || archive::excludes_block(*match.row);
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const archive::SeatRow& row = rows[s];
    const NumberedMatch::NumberedSeat& who = match.seats[s];
    const double pie = (row.ideal - row.disagreement) / match.stake;
    const bool scaled = std::isfinite(row.payoff) && std::isfinite(pie);
    if (scaled) {
      SeatScale& scale = scale_[s];
      scale.role = who.role;
      scale.pie.total += pie;
      scale.pie.count += 1;
    }
    if (!who.counted) continue;
    SeatSums& seat = seats_[{who.role, who.agent, s}];
    if (scaled) {
      const double before = chosen(seat);
      seat.gain += (row.payoff - row.disagreement) / match.stake;
      seat.gain_forfeit += (forfeited(row) - row.disagreement) / match.stake;
      seat.pie += pie;
      seat.count += 1;
      BlockSum& repeat = seat.again[table][key.repeat];
      repeat.total += chosen(seat) - before;
      repeat.count += 1;
    }
    seat.metrics.resize(metrics_);
    for (std::size_t m = 0; m < std::min(match.seat_metrics->size(), row.metrics.size()); ++m)
      add_metric(seat.metrics, (*match.seat_metrics)[m], row.metrics[m]);
  }
  for (std::size_t s = 0; s < rows.size(); ++s) {
    if (!match.seats[s].counted) continue;
    // Once for each agent, however many seats it has.
    const auto before = match.seats.begin() + static_cast<std::ptrdiff_t>(s);
    if (std::any_of(match.seats.begin(), before, [&](const NumberedMatch::NumberedSeat& other) {
          return other.counted && other.agent == match.seats[s].agent;
        }))
      continue;
    SeatSums& whole = seats_[{0, match.seats[s].agent, kNoSeat}];
    whole.metrics.resize(metrics_);
    const auto& values = match.row->metrics;
    for (std::size_t m = 0; m < std::min(match.match_metrics->size(), values.size()); ++m)
      add_metric(whole.metrics, (*match.match_metrics)[m], values[m]);
  }
  add_meetings(match);
}

void BlockTally::add_meetings(const NumberedMatch& match) {
  const auto& rows = match.row->seats;
  if (rows.size() < 2) return;
  const bool forfeit = policy_ == FaultPolicy::forfeit;
  bool changed = false;
  bool ranked = true;
  std::vector<double> scores;
  for (const archive::SeatRow& row : rows) {
    scores.push_back(forfeit ? forfeited(row) : row.payoff);
    changed = changed || scores.back() < row.payoff;
    ranked = ranked && row.rank > 0;
    if (!std::isfinite(scores.back())) return;
  }
  Order order;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    double place = -static_cast<double>(rows[s].rank);
    if (changed || !ranked) {
      // Scores as ranks, so that what is kept is of one kind.
      place = -1;
      for (const double other : scores) place -= other > scores[s] ? 1 : 0;
    }
    order.emplace_back(match.seats[s].agent, place);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (order[i].first >= order[j].first) continue;
      PairSums& pair = pairs_[{order[i].first, order[j].first}];
      pair.difference.total += scores[i] - scores[j];
      pair.difference.count += 1;
      pair.counts.wins += order[i].second > order[j].second ? 1 : 0;
      pair.counts.ties += order[i].second == order[j].second ? 1 : 0;
      pair.counts.losses += order[i].second < order[j].second ? 1 : 0;
    }
  }
  orders_.push_back(std::move(order));
}

bool BlockTally::add_missing(const MissingSeat& missing, const std::vector<SeatScale>* scale) {
  const SeatScale* known = nullptr;
  if (const auto own = scale_.find(missing.seat); own != scale_.end()) {
    known = &own->second;
  } else if (scale != nullptr && missing.seat < scale->size() &&
             (*scale)[missing.seat].pie.count > 0) {
    known = &(*scale)[missing.seat];
  }
  if (known == nullptr) return false;
  SeatSums& seat = seats_[{known->role, missing.agent, missing.seat}];
  seat.missing_pie += known->pie.total / known->pie.count;
  seat.missing += 1;
  return true;
}

BlockTally::RepeatSpread BlockTally::repeat_spread(const SeatSums& seat) {
  RepeatSpread out;
  for (const auto& [table, repeats] : seat.again) {
    const auto n = static_cast<std::int64_t>(repeats.size());
    out.repeats = out.repeats == 0 ? n : std::min(out.repeats, n);
    if (n < 2) continue;
    double mean = 0;
    double matches = 0;
    for (const auto& [repeat, gains] : repeats) {
      mean += gains.total / gains.count / static_cast<double>(n);
      matches += gains.count;
    }
    double squares = 0;
    for (const auto& [repeat, gains] : repeats)
      squares += std::pow(gains.total / gains.count - mean, 2);
    const double share = matches / seat.count;  // of the seat's mean
    out.variance += share * share * squares / static_cast<double>((n - 1) * n);
  }
  return out;
}

std::vector<ScoreUnit> BlockTally::scores() const {
  std::vector<ScoreUnit> units;
  std::array<double, kCountings> seats{};
  double repeat_variance = 0;  // summed over seats
  const auto close = [&] {
    if (units.empty()) return;
    ScoreUnit& unit = units.back();
    for (std::size_t c = 0; c < kCountings; ++c) {
      unit.present[c] = seats[c] > 0;
      if (!unit.present[c]) continue;
      unit.gain[c] /= seats[c];
      unit.pie[c] /= seats[c];
    }
    if (const double all = seats[static_cast<std::size_t>(Counting::worst)]; all > 0)
      unit.missing_pie /= all;
    const double counted = seats[static_cast<std::size_t>(counting(policy_))];
    unit.repeat_variance = counted > 0 ? repeat_variance / (counted * counted) : 0;
    if (std::none_of(unit.present.begin(), unit.present.end(), [](bool p) { return p; }))
      units.pop_back();
  };
  const SeatKey* last = nullptr;
  for (const auto& [key, seat] : seats_) {
    const auto& [role, agent, place] = key;
    if (place == kNoSeat) continue;
    if (last == nullptr || std::get<0>(*last) != role || std::get<1>(*last) != agent) {
      close();
      seats = {};
      repeat_variance = 0;
      units.emplace_back();
      units.back().role = role;
      units.back().agent = agent;
    }
    last = &key;
    ScoreUnit& unit = units.back();
    const auto count = [&](Counting c, double gain, double pie, double n) {
      const auto i = static_cast<std::size_t>(c);
      if (n <= 0) return;
      unit.gain[i] += gain / n;
      unit.pie[i] += pie / n;
      seats[i] += 1;
    };
    count(Counting::as_played, seat.gain, seat.pie, seat.count);
    count(Counting::forfeit, seat.gain_forfeit, seat.pie, seat.count);
    if (!forced_) count(Counting::exclude, seat.gain, seat.pie, seat.count);
    if (left_out()) continue;
    // What the missing ones got is added when all scores of the game are known.
    const double all = seat.count + seat.missing;
    count(Counting::worst, chosen(seat), seat.pie + seat.missing_pie, all);
    count(Counting::best, chosen(seat), seat.pie + seat.missing_pie, all);
    if (all > 0) unit.missing_pie += seat.missing_pie / all;
    if (seat.count <= 0) continue;
    const RepeatSpread spread = repeat_spread(seat);
    unit.repeats = unit.repeats == 0 ? spread.repeats : std::min(unit.repeats, spread.repeats);
    repeat_variance += spread.variance;
  }
  close();
  return units;
}

std::vector<MetricUnit> BlockTally::metrics() const {
  std::vector<MetricUnit> units;
  if (left_out()) return units;
  std::vector<BlockSum> seats(metrics_);  // means of seats, and how many
  const auto close = [&] {
    if (units.empty()) return;
    for (std::size_t m = 0; m < metrics_; ++m)
      if (seats[m].count > 0) units.back().metrics[m] = {seats[m].total / seats[m].count, 1};
  };
  const SeatKey* last = nullptr;
  for (const auto& [key, seat] : seats_) {
    const auto& [role, agent, place] = key;
    if (seat.metrics.empty()) continue;
    if (last == nullptr || std::get<0>(*last) != role || std::get<1>(*last) != agent) {
      close();
      seats.assign(metrics_, {});
      units.emplace_back();
      units.back().role = role;
      units.back().agent = agent;
      units.back().metrics.resize(metrics_);
    }
    last = &key;
    for (std::size_t m = 0; m < metrics_; ++m) {
      if (seat.metrics[m].count <= 0) continue;
      seats[m].total += seat.metrics[m].total / seat.metrics[m].count;
      seats[m].count += 1;
    }
  }
  close();
  return units;
}

void BlockTally::add_raw_to(std::map<std::size_t, RawMetrics>& agents,
                            std::size_t seat_metrics) const {
  for (const auto& [key, seat] : seats_) {
    const auto& [role, agent, place] = key;
    if (place == kNoSeat || seat.metrics.empty()) continue;
    std::vector<BlockSum>& sums = agents[agent].metrics;
    sums.resize(seat_metrics);
    for (std::size_t m = 0; m < seat_metrics; ++m) {
      sums[m].total += seat.metrics[m].total;
      sums[m].count += seat.metrics[m].count;
    }
  }
}

void SequenceTally::add(const NumberedMatch& match) {
  const auto position = static_cast<std::size_t>(match.row->key.position);
  if (position >= length_) return;
  for (std::size_t s = 0; s < match.row->seats.size(); ++s) {
    const archive::SeatRow& row = match.row->seats[s];
    if (!match.seats[s].counted || row.rank <= 0) continue;
    PositionSums& at = agents_[match.seats[s].agent][position];
    at.rank += row.rank;
    at.count += 1;
    const double pie = (row.ideal - row.disagreement) / match.stake;
    if (!std::isfinite(row.payoff) || !std::isfinite(pie)) {
      at.scaled = false;
      continue;
    }
    const double score = policy_ == FaultPolicy::forfeit ? forfeited(row) : row.payoff;
    at.gain += (score - row.disagreement) / match.stake;
    at.pie += pie;
  }
}

std::vector<PositionUnit> SequenceTally::units() const {
  std::vector<PositionUnit> units;
  for (const auto& [agent, positions] : agents_) {
    if (positions.size() != length_) continue;
    const double count = positions.begin()->second.count;
    if (std::any_of(positions.begin(), positions.end(),
                    [&](const auto& at) { return at.second.count != count; }))
      continue;
    const bool scaled = std::all_of(positions.begin(), positions.end(),
                                    [](const auto& at) { return at.second.scaled; });
    for (const auto& [position, seats] : positions) {
      PositionUnit& unit = units.emplace_back();
      unit.agent = agent;
      unit.position = position;
      unit.rank = {seats.rank / count, 1};
      if (!scaled) continue;
      unit.gain = seats.gain / count;
      unit.pie = seats.pie / count;
    }
  }
  return units;
}

namespace {

/// Leaves out what is too large to be reckoned with; who finished above whom stays.
void drop_beyond(GameResults& r) {
  for (const std::size_t metric : r.beyond) {
    for (MetricUnit& unit : r.metric_units)
      if (metric < unit.metrics.size()) unit.metrics[metric] = {};
    for (RawMetrics& raw : r.raw)
      if (metric < raw.metrics.size()) raw.metrics[metric] = {};
  }
  if (r.matches_beyond == 0) return;
  r.seats_without_pie += r.seats_scored;
  r.seats_scored = 0;
  r.scores.clear();
  for (PairUnit& unit : r.pairs) unit.difference = {};
  for (PositionUnit& unit : r.positions) unit.gain = unit.pie = 0;
}

/// What missing matches may have been at the worst and at the best: as far as scores are declared
/// to go, or else as far as they were seen to.
void add_missing(GameResults& r) {
  const bool low = r.score_min && *r.score_min >= -stats::kFarthestRange;
  const bool high = r.score_max && *r.score_max <= stats::kFarthestRange;
  const double worst = low ? std::min(0.0, *r.score_min) : r.lowest_score;
  const double best = high ? std::max(1.0, *r.score_max) : r.highest_score;
  for (ScoreUnit& unit : r.scores) {
    unit.gain[static_cast<std::size_t>(Counting::worst)] += worst * unit.missing_pie;
    unit.gain[static_cast<std::size_t>(Counting::best)] += best * unit.missing_pie;
  }
}

/// How often who won, by places of agents: numbers of rows need not follow names, and an agent has
/// several of them under several skins.
template <class Agent>
std::map<std::pair<std::size_t, std::size_t>, PairCounts> counts_by_place(const GameResults& r,
                                                                          const Agent& agent) {
  std::map<std::pair<std::size_t, std::size_t>, PairCounts> counts;
  for (const auto& [pair, c] : r.pair_counts) {
    const std::size_t a = agent(pair.first);
    const std::size_t b = agent(pair.second);
    PairCounts& sum = counts[{std::min(a, b), std::max(a, b)}];
    sum.wins += a < b ? c.wins : c.losses;
    sum.ties += c.ties;
    sum.losses += a < b ? c.losses : c.wins;
  }
  return counts;
}

}  // namespace

GameResults close(GameTally& game, const std::map<std::size_t, std::string>& names,
                  const std::map<std::string, std::size_t>& places) {
  GameResults r = std::move(game.results);
  const auto agent = [&](std::size_t number) { return places.at(names.at(number)); };
  for (std::size_t b = 0; b < r.bins.size(); ++b) r.bins[b].cluster = game.clusters.name(b);
  for (auto& [key, unit] : game.scores) {
    unit.treatment = key[0], unit.bin = key[1], unit.role = key[2], unit.agent = agent(key[3]);
    r.scores.push_back(unit);
  }
  for (auto& [key, unit] : game.metrics) {
    unit.treatment = key[0], unit.bin = key[1], unit.role = key[2], unit.agent = agent(key[3]);
    r.metric_units.push_back(std::move(unit));
  }
  r.pair_counts = counts_by_place(r, agent);
  for (auto& [key, unit] : game.pairs) {
    const std::size_t a = agent(key[2]);
    const std::size_t b = agent(key[3]);
    unit.treatment = key[0], unit.bin = key[1];
    unit.first = std::min(a, b), unit.second = std::max(a, b);
    if (a > b) unit.difference.total = -unit.difference.total;
    r.pairs.push_back(unit);
  }
  for (auto& [key, unit] : game.positions) {
    unit.treatment = key[0], unit.bin = key[1], unit.agent = agent(key[2]), unit.position = key[3];
    r.positions.push_back(unit);
  }
  for (auto& [number, raw] : game.raw) {
    raw.agent = agent(number);
    const auto same = std::ranges::find(r.raw, raw.agent, &RawMetrics::agent);
    if (same == r.raw.end()) {
      r.raw.push_back(std::move(raw));
      continue;
    }
    same->metrics.resize(std::max(same->metrics.size(), raw.metrics.size()));
    for (std::size_t m = 0; m < raw.metrics.size(); ++m) {
      same->metrics[m].total += raw.metrics[m].total;
      same->metrics[m].count += raw.metrics[m].count;
    }
  }
  for (std::size_t i = 0; i < r.rankings.size(); ++i) {
    r.rankings[i].cluster = r.bins[game.ranking_bins[i]].cluster;
    for (auto& seat : r.rankings[i].seats) seat.agent = names.at(std::stoul(seat.agent));
  }
  for (std::size_t m = 0; m < r.metrics.size(); ++m)
    r.names_item.push_back(m >= r.seat_metrics && r.matches > 0 && game.item_metric[m]);
  // A range that does not hold says nothing.
  if (r.matches_out_of_range > 0) r.score_min = r.score_max = std::nullopt;
  add_missing(r);
  drop_beyond(r);
  r.several_versions = game.versions.size() > 1;
  return r;
}

}  // namespace agon::report
