#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <optional>
#include <set>
#include <thread>

#include "archive/matches/match_reader.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "results/names.hpp"
#include "results/participant.hpp"
#include "results/results.hpp"
#include "results/tally.hpp"

namespace agon::report {
namespace {

/// What the first look at the matches of one scenario found, over its treatments and over scenarios
/// of the game that have the same draws.
struct ScenarioSize {
  std::int64_t last_block = 0;
  std::set<std::int64_t> blocks;  // up to one more than the limit
  bool clustered = false;
  std::int64_t last_position = 0;  // over 0: matches learn from one another
};

/// One scenario row: a scenario under one treatment.
struct OpenTreatment {
  GameTally* game = nullptr;
  std::int64_t version = 0;  // number of the game's row
  std::size_t place = 0;     // in GameResults::treatments
  std::string scenario;
  std::string chance;            // the same for scenarios that share their random numbers
  ScenarioSize* size = nullptr;  // over its treatments, and scenarios with the same draws
  std::vector<std::size_t> seat_metrics;
  std::vector<std::size_t> match_metrics;
  std::optional<double> score_min, score_max;                // as this version declares
  std::vector<archive::Metric> metric_cards;                 // of matches
  std::vector<SeatScale> scale;                              // by seat
  std::map<std::int64_t, std::vector<MissingSeat>> missing;  // by block
  std::int64_t last_block = -1;
  /// Where several blocks are counted together: the first of the bin before, and its place.
  std::optional<std::pair<std::int64_t, std::size_t>> last_bin;
};

/// True if a seat's score, or what it is a share of, is too large or too small to be reckoned with.
bool is_beyond(const archive::SeatRow& seat) {
  const auto is_large = [](double x) { return std::isfinite(x) && std::abs(x) > kLargestScore; };
  const double pie = seat.ideal - seat.disagreement;
  return is_large(seat.payoff) || is_large(seat.disagreement) || is_large(seat.ideal) ||
         (pie > 0 && pie < kSmallestPie);
}

void note_beyond(const std::vector<double>& values, const std::vector<std::size_t>& places,
                 std::set<std::size_t>& beyond) {
  for (std::size_t m = 0; m < std::min(places.size(), values.size()); ++m)
    if (std::isfinite(values[m]) && std::abs(values[m]) > kLargestMetric) beyond.insert(places[m]);
}

/// The games that play with the same draws.
struct SameDraws {
  std::set<std::string> games;
  bool said = false;  ///< by a scenario, so that it is no accident of names

  void add(const std::string& game, const archive::ScenarioRow& row) {
    games.insert(game);
    said = said || !row.same_draws_as.empty();
  }
};

/// What a cache of answers gave a seat.
struct CachedAnswers {
  std::int64_t answers = 0;
  std::int64_t saved = 0;  // billionths of a US dollar, where known
};

class Collector {
 public:
  Collector(const archive::Archive& archive, const CollectOptions& options)
      : archive_(archive), options_(options) {}

  Results go() {
    agent_rows_ = archive_.agents();
    read_games();
    look_ahead();
    read_bounds();
    read_partials();
    archive_.calls().from_cache([&](std::int64_t match, std::int64_t seat, std::int64_t saved) {
      CachedAnswers& cached = cached_[{match, static_cast<std::size_t>(seat)}];
      ++cached.answers;
      cached.saved = archive::add_capped(cached.saved, saved);
    });
    // Matches in columns are read faster than threads hand them over.
    const std::size_t threads = archive_.matches().rows() < options_.many
                                    ? 1
                                    : std::min(4U, std::thread::hardware_concurrency());
    archive::matches_by_threads(archive_, {.ids = false}, threads,
                                [&](std::int64_t number, const archive::MatchRow& match) {
                                  number_ = number;
                                  add(match);
                                  return true;
                                });
    close_block();
    close_missing();
    return finish();
  }

 private:
  void read_games() {
    const auto scenarios = archive_.scenarios();
    std::vector<std::pair<std::int64_t, std::int64_t>> order;  // place, number
    for (const auto& [number, row] : scenarios) order.emplace_back(row.place, number);
    std::sort(order.begin(), order.end());
    const auto games = archive_.games();
    // All seat metrics of all versions of a game stand before its match metrics.
    for (const auto& [number, row] : games) {
      GameTally& game = games_[row.name];
      game.results.name = row.name;
      game.results.score_decimals = row.score_decimals;
      if (game.roles.empty()) game.role("");
      for (const auto& metric : row.seat_metrics)
        places_[number].first.push_back(game.metric_place("s:", metric));
    }
    for (auto& [name, game] : games_) game.results.seat_metrics = game.results.metrics.size();
    for (const auto& [number, row] : games)
      for (const auto& metric : row.match_metrics)
        places_[number].second.push_back(games_[row.name].metric_place("m:", metric));
    for (auto& [name, game] : games_) game.item_metric.assign(game.results.metrics.size(), true);

    const std::set<std::int64_t> played = archive_.matches().scenarios();
    std::map<std::int64_t, archive::ScenarioRow> rows;
    for (const auto& [number, row] : scenarios) {
      if (!games.contains(row.game)) archive_.damaged("a scenario refers to a missing row");
      if (played.contains(number)) rows.emplace(number, row);
    }
    const std::map<std::int64_t, ScenarioName> names = scenario_names(archive_, rows, games);
    for (const auto& [place, number] : order) {
      if (!rows.contains(number)) continue;
      const archive::ScenarioRow& row = scenarios.at(number);
      draws_[{row.draws(), row.seed}].add(games.at(row.game).name, row);
      const archive::GameRow& version = games.at(row.game);
      const ScenarioName& name = names.at(number);
      GameTally& game = games_[version.name];
      OpenTreatment& treatment = treatments_[number];
      treatment.game = &game;
      treatment.place = game.results.treatments.size();
      treatment.version = row.game;
      treatment.scenario = name.scenario;
      treatment.chance = name.chance;
      treatment.size = &sizes_[{version.name, name.chance}];
      treatment.score_min = version.score_min;
      treatment.score_max = version.score_max;
      treatment.seat_metrics = places_[row.game].first;
      treatment.match_metrics = places_[row.game].second;
      treatment.metric_cards = version.match_metrics;
      game.results.treatments.push_back({row.name, row.treatment, name.label});
      versions_[number] = {version.version, version.plugin_version};
    }
  }

  OpenTreatment& treatment(std::int64_t number) {
    const auto at = treatments_.find(number);
    if (at == treatments_.end()) archive_.damaged("a match refers to a missing row");
    return at->second;
  }

  /// What all versions of a game that played keep to.
  void read_bounds() {
    std::set<std::string> bounded;
    for (const auto& [number, row] : archive_.games()) {
      if (!played_versions_.contains(number)) continue;
      GameResults& r = games_[row.name].results;
      const auto& [seat, match] = places_[number];
      const bool is_first = bounded.insert(row.name).second;
      if (is_first) r.score_min = row.score_min, r.score_max = row.score_max;
      archive::widen(r.score_min, r.score_max, row.score_min, row.score_max);
      for (std::size_t m = 0; m < seat.size(); ++m) bound(r, seat[m], row.seat_metrics[m]);
      for (std::size_t m = 0; m < match.size(); ++m) bound(r, match[m], row.match_metrics[m]);
    }
  }

  void bound(GameResults& r, std::size_t place, const archive::Metric& version) {
    archive::Metric& metric = r.metrics[place];
    if (bounded_.insert({r.name, place}).second) metric.min = version.min, metric.max = version.max;
    archive::widen(metric.min, metric.max, version.min, version.max);
  }

  /// How many blocks there are, and whom the line-ups are about.
  void look_ahead() {
    archive::ReadOptions wanted;
    wanted.ids = wanted.in_order = false;
    wanted.seats = options_.backgrounds_apart;
    std::map<std::int64_t, std::set<std::string>> scenarios;  // by agent
    const auto note = [&](const archive::MatchKey& key, std::int64_t focal, Background background) {
      const std::string& scenario = treatment(key.scenario).scenario;
      scenarios[focal].insert(scenario);
      for (const std::int64_t agent : background) scenarios[agent].insert(scenario);
      backgrounds_.note(key, focal, std::move(background));
    };
    archive_.matches().each(wanted, [&](std::int64_t, const archive::MatchRow& match) {
      OpenTreatment& t = treatment(match.key.scenario);
      ScenarioSize& size = *t.size;
      size.last_block = std::max(size.last_block, match.key.block);
      if (size.blocks.size() <= options_.most_bins) size.blocks.insert(match.key.block);
      size.last_position = std::max(size.last_position, match.key.position);
      size.clustered = size.clustered || !match.cluster.empty();
      ++t.game->matches_ahead;
      played_versions_.insert(t.version);
      if (match.focal && options_.backgrounds_apart)
        note(match.key, *match.focal, background_of(*match.focal, match.seats));
      return true;
    });
    if (!options_.backgrounds_apart) return;
    archive_.matches().partials([&](const archive::PartialMatch& partial) {
      if (partial.focal)
        note(partial.key, *partial.focal, background_of(*partial.focal, partial.agents));
    });
    for (const auto& [agent, played] : scenarios) agent_name(agent);  // throws where there is none
    backgrounds_.close(agent_rows_, agents_apart(archive_, agent_rows_, scenarios));
  }

  void read_partials() {
    archive_.matches().partials([&](const archive::PartialMatch& partial) {
      OpenTreatment& t = treatment(partial.key.scenario);
      std::optional<std::int64_t> focal = partial.focal;
      std::vector<std::int64_t> agents = partial.agents;
      if (focal) {
        const std::int64_t row =
            backgrounds_.row(partial.key, *focal, background_of(*focal, partial.agents));
        std::replace(agents.begin(), agents.end(), *focal, row);
        focal = row;
      }
      for (const std::int64_t agent : agents) ++facts(agent).unfinished;
      add_missing(t, partial.key.block, agents, focal);
      const std::string reason = partial.reason.empty() ? "not played to its end" : partial.reason;
      ++reasons_[{t.scenario, reason, false}];
    });
  }

  void add_missing(OpenTreatment& t, std::int64_t block, const std::vector<std::int64_t>& agents,
                   std::optional<std::int64_t> focal) {
    ++t.game->results.missing;
    auto& seats = t.missing[block];
    for (std::size_t s = 0; s < agents.size(); ++s) {
      const auto agent = static_cast<std::size_t>(agents[s]);
      if (!focal || agents[s] == *focal) seats.push_back({agent, s});
    }
  }

  const std::string& agent_name(std::int64_t number) const {
    return archive_.row(agent_rows_, number).name;
  }

  AgentFacts& facts(std::int64_t number) {
    if (const auto known = facts_.find(number); known != facts_.end()) return known->second;
    agent_name(number);  // throws where there is none
    return facts_[number];
  }

  void add(const archive::MatchRow& match) {
    if (!match.focal || backgrounds_.empty()) return add_row(match);
    const std::int64_t row =
        backgrounds_.row(match.key, *match.focal, background_of(*match.focal, match.seats));
    if (row == *match.focal) return add_row(match);
    archive::MatchRow own = match;
    for (archive::SeatRow& seat : own.seats)
      if (seat.agent == *match.focal) seat.agent = row;
    own.focal = row;
    add_row(own);
  }

  void add_row(const archive::MatchRow& match) {
    OpenTreatment& t = treatment(match.key.scenario);
    GameTally& game = *t.game;
    if (!tally_ || open_ != &t || block_ != match.key.block) {
      close_block();
      open_ = &t;
      block_ = match.key.block;
      tally_.emplace(options_.policy, game.results.metrics.size());
      sequences_.reset();
      if (const auto last = t.size->last_position; last > 0)
        sequences_.emplace(options_.policy, static_cast<std::size_t>(last) + 1);
    }
    for (std::size_t s = 0; s < match.seats.size(); ++s) {
      const archive::SeatRow& seat = match.seats[s];
      AgentFacts& f = facts(seat.agent);
      if (const auto cached = cached_.find({number_, s}); cached != cached_.end()) {
        f.from_cache += cached->second.answers;
        f.saved = archive::add_capped(f.saved, cached->second.saved);
      }
      auto& in_game = f.attempts_by_game[game.results.name];
      for (std::size_t i = 0; i < kFaults; ++i) {
        f.attempts[i] += seat.attempts[i];
        in_game[i] += seat.attempts[i];
      }
      f.forced += seat.fallbacks;
      f.input_tokens = archive::add_capped(f.input_tokens, seat.input_tokens);
      f.output_tokens = archive::add_capped(f.output_tokens, seat.output_tokens);
      f.cached_tokens = archive::add_capped(f.cached_tokens, seat.cached_tokens);
      f.reasoning_tokens = archive::add_capped(f.reasoning_tokens, seat.reasoning_tokens);
      f.calls += seat.calls;
      f.cost = archive::add_capped(f.cost, seat.cost);
      f.waiting_ms += seat.waiting_ms;
      (match.status == archive::MatchStatus::finished ? f.seats : f.game_faults) += 1;
      if (match.status == archive::MatchStatus::finished && seat.fallbacks > 0) ++f.seats_forced;
    }
    if (!match.cluster.empty()) items_.insert(match.cluster);
    if (match.status != archive::MatchStatus::finished) {
      std::vector<std::int64_t> agents;
      for (const archive::SeatRow& seat : match.seats) agents.push_back(seat.agent);
      add_missing(t, match.key.block, agents, match.focal);
      ++reasons_[{t.scenario, match.fault.value_or(std::string(name_of(match.status))), true}];
      return;
    }
    count_match(t, match);
  }

  void count_match(OpenTreatment& t, const archive::MatchRow& match) {
    GameTally& game = *t.game;
    GameResults& r = game.results;
    ++matches_;
    ++r.matches;
    if (++r.treatments[t.place].matches == 1) game.versions.insert(versions_[match.key.scenario]);
    if (match.focal) ++r.focal_matches;
    r.fewest_seats =
        r.matches == 1 ? match.seats.size() : std::min(r.fewest_seats, match.seats.size());
    r.most_seats = std::max(r.most_seats, match.seats.size());

    numbered_.row = &match;
    numbered_.seats.clear();
    numbered_.seat_metrics = &t.seat_metrics;
    numbered_.match_metrics = &t.match_metrics;
    numbered_.stake = archive::stake_of(t.metric_cards, match.metrics);
    t.scale.resize(std::max(t.scale.size(), match.seats.size()));
    for (std::size_t s = 0; s < match.seats.size(); ++s) {
      const archive::SeatRow& seat = match.seats[s];
      const std::size_t seat_role = game.role(seat.role);
      const bool counted = !match.focal || seat.agent == *match.focal;
      const bool scaled =
          std::isfinite(seat.payoff) && std::isfinite(seat.ideal - seat.disagreement);
      if (counted) ++(scaled ? r.seats_scored : r.seats_without_pie);
      if (scaled) {
        t.scale[s].role = seat_role;
        t.scale[s].pie.total += (seat.ideal - seat.disagreement) / numbered_.stake;
        t.scale[s].pie.count += 1;
      }
      game.agents[static_cast<std::size_t>(seat.agent)].insert(t.place);
      numbered_.seats.push_back({static_cast<std::size_t>(seat.agent), seat_role, counted});
    }
    if (std::any_of(match.seats.begin(), match.seats.end(), is_beyond)) ++r.matches_beyond;
    note_extremes(t, match);
    for (const archive::SeatRow& seat : match.seats)
      note_beyond(seat.metrics, t.seat_metrics, r.beyond);
    note_beyond(match.metrics, t.match_metrics, r.beyond);
    for (std::size_t m = 0; m < std::min(t.match_metrics.size(), match.metrics.size()); ++m) {
      std::vector<bool>::reference names_item = game.item_metric[t.match_metrics[m]];
      if (names_item)
        names_item = !match.cluster.empty() && fmt::format("{}", match.metrics[m]) == match.cluster;
    }
    tally_->add(numbered_);
    if (sequences_) sequences_->add(numbered_);
  }

  /// How far normalised scores went, and whether the game keeps to what it declares.
  static void note_extremes(const OpenTreatment& t, const archive::MatchRow& match) {
    GameResults& r = t.game->results;
    bool is_out = false;
    for (const archive::SeatRow& seat : match.seats) {
      const double gain = seat.payoff - seat.disagreement;
      const double pie = seat.ideal - seat.disagreement;
      if (!std::isfinite(gain) || !std::isfinite(pie)) continue;
      const double slack =
          1e-9 * std::max({1.0, std::abs(seat.payoff), std::abs(seat.disagreement)});
      is_out = is_out || (t.score_min && gain < *t.score_min * pie - slack) ||
               (t.score_max && gain > *t.score_max * pie + slack);
      if (!(pie > 0)) continue;
      r.lowest_score = std::min(r.lowest_score, gain / pie);
      r.highest_score = std::max(r.highest_score, gain / pie);
    }
    if (is_out) ++r.matches_out_of_range;
  }

  /// The bin of a block, under the same name in every treatment of a scenario, and in every
  /// scenario with the same draws.
  std::size_t bin(OpenTreatment& t, std::int64_t block) {
    const ScenarioSize& size = *t.size;
    if (size.blocks.size() <= options_.most_bins)
      return bin(*t.game, fmt::format("{} #{:06}", t.chance, block));
    if (size.clustered && items_.size() == 1)
      return bin(*t.game, fmt::format("{} item {}", t.chance, *items_.begin()));
    const auto most = static_cast<std::int64_t>(options_.most_bins);
    const std::int64_t width = (size.last_block + most) / most;
    const std::int64_t first = block / width * width;
    if (!t.last_bin || t.last_bin->first != first)
      t.last_bin = {first, bin(*t.game, fmt::format("{} #{:06}+", t.chance, first))};
    return t.last_bin->second;
  }

  static std::size_t bin(GameTally& game, const std::string& name) {
    const auto [at, added] = game.bins.try_emplace(name, game.bins.size());
    if (added) game.results.bins.push_back({name, {}});
    return at->second;
  }

  void close_block() {
    if (!tally_) return;
    if (const auto missing = open_->missing.find(block_); missing != open_->missing.end()) {
      std::vector<MissingSeat> unknown;
      for (const MissingSeat& seat : missing->second)
        if (!tally_->add_missing(seat, nullptr)) unknown.push_back(seat);
      // What this block does not tell, the whole scenario may, once it is read.
      if (unknown.empty())
        open_->missing.erase(missing);
      else
        missing->second = std::move(unknown);
    }
    store(*open_, block_, *tally_);
    tally_.reset();
    items_.clear();
  }

  void close_missing() {
    for (auto& [number, t] : treatments_) {
      for (const auto& [block, seats] : t.missing) {
        BlockTally tally(options_.policy, t.game->results.metrics.size());
        bool all = true;
        for (const MissingSeat& seat : seats) all = tally.add_missing(seat, &t.scale) && all;
        if (!all) ++t.game->results.missing_unscaled;
        if (!tally.empty()) store(t, block, tally);
      }
    }
  }

  void store(OpenTreatment& t, std::int64_t block, const BlockTally& tally) {
    if (tally.empty()) return;
    GameTally& game = *t.game;
    GameResults& r = game.results;
    const std::size_t at = bin(t, block);
    // A sequence over several items is a unit by itself.
    if (items_.size() == 1) game.clusters.link(at, *items_.begin());
    if (block != t.last_block) ++r.treatments[t.place].blocks;
    t.last_block = block;
    if (tally.forced()) ++r.blocks_forced;
    count_block(t, block);
    for (ScoreUnit& unit : tally.scores()) {
      ScoreUnit& sum = game.scores[{t.place, at, unit.role, unit.agent}];
      for (std::size_t c = 0; c < kCountings; ++c) {
        sum.gain[c] += unit.gain[c];
        sum.pie[c] += unit.pie[c];
        sum.present[c] = sum.present[c] || unit.present[c];
      }
      sum.missing_pie += unit.missing_pie;
      sum.repeat_variance += unit.repeat_variance;
      sum.repeats = sum.repeats == 0 ? unit.repeats : std::min(sum.repeats, unit.repeats);
    }
    for (MetricUnit& unit : tally.metrics()) {
      MetricUnit& sum = game.metrics[{t.place, at, unit.role, unit.agent}];
      sum.metrics.resize(unit.metrics.size());
      for (std::size_t m = 0; m < unit.metrics.size(); ++m) {
        sum.metrics[m].total += unit.metrics[m].total;
        sum.metrics[m].count += unit.metrics[m].count;
      }
    }
    if (tally.left_out()) return;
    tally.add_raw_to(game.raw, r.seat_metrics);
    store_sequences(t, at);
    for (const auto& [pair, met] : tally.pairs()) {
      PairUnit& sum = game.pairs[{t.place, at, pair.first, pair.second}];
      sum.difference.total += met.difference.total / met.difference.count;
      sum.difference.count += 1;
      PairCounts& counts = r.pair_counts[pair];
      counts.wins += met.counts.wins;
      counts.ties += met.counts.ties;
      counts.losses += met.counts.losses;
    }
    keep_rankings(t, block, at, tally);
  }

  void store_sequences(OpenTreatment& t, std::size_t at) {
    if (!sequences_) return;
    for (const PositionUnit& unit : sequences_->units()) {
      PositionUnit& sum = t.game->positions[{t.place, at, unit.agent, unit.position}];
      sum.rank.total += unit.rank.total;
      sum.rank.count += unit.rank.count;
      sum.gain += unit.gain;
      sum.pie += unit.pie;
    }
    sequences_.reset();
  }

  void count_block(OpenTreatment& t, std::int64_t block) {
    // Exact while the set stays small; beyond that, blocks are numbered without gaps.
    const ScenarioSize& size = *t.size;
    if (size.blocks.size() > options_.most_bins) {
      if (t.game->scenario_blocks.insert(t.chance).second)
        t.game->results.blocks += size.last_block + 1;
    } else if (t.game->scenario_blocks.insert(fmt::format("{} #{}", t.chance, block)).second) {
      ++t.game->results.blocks;
    }
  }

  void keep_rankings(OpenTreatment& t, std::int64_t block, std::size_t at,
                     const BlockTally& tally) {
    GameTally& game = *t.game;
    const auto most = static_cast<std::int64_t>(options_.most_rankings);
    if (game.matches_ahead > most) {
      const double share = static_cast<double>(most) / static_cast<double>(game.matches_ahead);
      const auto blocks = static_cast<double>(t.size->last_block + 1);
      if (static_cast<double>(block) >= std::ceil(blocks * share)) return;
    }
    for (const BlockTally::Order& order : tally.orders()) {
      stats::MatchRanking match;
      match.game = game.results.name;
      match.block = game.results.bins[at].name;
      for (const auto& [agent, score] : order)
        match.seats.push_back({std::to_string(agent), score});
      game.results.rankings.push_back(std::move(match));
      game.ranking_bins.push_back(at);
    }
  }

  /// What tells a game's agents apart where one name stands for several specs in it, by number.
  std::map<std::int64_t, std::string> apart_in(const GameTally& game) {
    std::map<std::int64_t, std::set<std::string>> scenarios;
    std::set<std::int64_t> rows;
    const auto played = [&](std::size_t number, std::size_t place) {
      const auto row = static_cast<std::int64_t>(number);
      rows.insert(row);
      scenarios[backgrounds_.agent(row)].insert(game.results.treatments[place].scenario);
    };
    for (const auto& [number, treatments] : game.agents)
      for (const std::size_t place : treatments) played(number, place);
    for (const auto& [key, unit] : game.scores) played(key[3], key[0]);
    const std::map<std::int64_t, std::string> of_agents =
        agents_apart(archive_, agent_rows_, scenarios);
    std::map<std::int64_t, std::string> apart;
    for (const std::int64_t row : rows) apart[row] = of_agents.at(backgrounds_.agent(row));
    return apart;
  }

  Results finish() {
    Results all;
    all.policy = options_.policy;
    all.matches = matches_;
    const PlayedModels models(archive_);
    std::map<std::string, std::map<std::size_t, std::string>> names;
    std::map<std::string, AgentFacts> facts;
    std::set<std::size_t> named;
    for (auto& [name, game] : games_) {
      for (const auto& [row, apart] : apart_in(game)) {
        const std::string& own = agent_name(row);
        const std::int64_t agent = backgrounds_.agent(row);
        if (!apart.empty()) {
          several_specs_.insert(own);
          all.apart[{name, agent}] = apart;
        }
        const auto number = static_cast<std::size_t>(row);
        const std::string name_end = apart + backgrounds_.name_end(row);
        AgentFacts& sum = facts[names[name][number] = own + name_end];
        if (row != agent) all.against_others.insert(own + name_end);
        if (sum.row == 0 || agent < sum.row) sum.row = agent;
        sum.apart = name_end;
        if (const auto model = models.behind(agent_rows_.at(row))) sum.models.insert(*model);
        if (const auto other = models.misnamed(agent_rows_.at(row))) sum.misnamed = *other;
        // Against others an agent has no place among the combinations of its parts.
        if (row == agent) sum.levels = levels_of(agent_rows_.at(row));
        if (named.insert(number).second) add_facts(sum, facts_[row]);
      }
    }
    for (const auto& [number, own] : facts_)  // seen in missing matches only
      if (!named.contains(static_cast<std::size_t>(number)))
        add_facts(facts[agent_name(number)], own);
    std::map<std::string, std::size_t> places;
    std::map<std::string, int> shown;
    for (auto& [name, sum] : facts) ++shown[sum.shown = short_name(name, sum)];
    for (auto& [name, sum] : facts) {
      if (shown[sum.shown] > 1) sum.shown = name;
      places[name] = all.agents.size();
      all.agents.push_back(name);
      sum.name = name;
      all.facts.push_back(sum);
    }
    for (auto& [name, game] : games_) {
      if (game.results.matches == 0 && game.results.missing == 0) continue;
      all.games.push_back(close(game, names[name], places));
    }
    for (const auto& [key, count] : reasons_)
      all.missing.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
    for (const auto& [key, same] : draws_)
      if (same.said && same.games.size() > 1)
        all.sharing_draws.insert(same.games.begin(), same.games.end());
    for (const auto& [number, own] : facts_) all.agent_rows.insert(backgrounds_.agent(number));
    all.several_specs.assign(several_specs_.begin(), several_specs_.end());
    return all;
  }

  static std::string short_name(const std::string& name, const AgentFacts& facts) {
    if (facts.levels.levels.empty()) return name;
    std::string words = facts.levels.family;
    char before = '/';
    for (const auto& [factor, level] : facts.levels.levels) {
      words += before + level;
      before = ',';
    }
    return words + facts.apart;
  }

  static void add_facts(AgentFacts& sum, const AgentFacts& own) {
    sum.seats += own.seats;
    sum.seats_forced += own.seats_forced;
    sum.forced += own.forced;
    for (std::size_t i = 0; i < kFaults; ++i) sum.attempts[i] += own.attempts[i];
    for (const auto& [game, attempts] : own.attempts_by_game)
      for (std::size_t i = 0; i < kFaults; ++i) sum.attempts_by_game[game][i] += attempts[i];
    sum.game_faults += own.game_faults;
    sum.unfinished += own.unfinished;
    sum.input_tokens = archive::add_capped(sum.input_tokens, own.input_tokens);
    sum.output_tokens = archive::add_capped(sum.output_tokens, own.output_tokens);
    sum.cached_tokens = archive::add_capped(sum.cached_tokens, own.cached_tokens);
    sum.reasoning_tokens = archive::add_capped(sum.reasoning_tokens, own.reasoning_tokens);
    sum.calls += own.calls;
    sum.from_cache += own.from_cache;
    sum.saved = archive::add_capped(sum.saved, own.saved);
    sum.cost = archive::add_capped(sum.cost, own.cost);
    sum.waiting_ms += own.waiting_ms;
  }

  const archive::Archive& archive_;
  CollectOptions options_;
  std::map<std::int64_t, archive::AgentRow> agent_rows_;
  BackgroundsApart backgrounds_;
  std::map<std::string, GameTally> games_;
  std::map<std::int64_t, OpenTreatment> treatments_;  // by number of the scenario row
  std::map<std::int64_t, std::pair<std::int64_t, std::string>> versions_;
  /// Places of a version's seat and match metrics, by number of the game's row.
  std::map<std::int64_t, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> places_;
  std::set<std::int64_t> played_versions_;
  std::set<std::pair<std::string, std::size_t>> bounded_;  // metrics: game and place
  // By game and chance: scenarios of another game with the same draws have blocks of their own.
  std::map<std::pair<std::string, std::string>, ScenarioSize> sizes_;
  std::map<std::pair<std::string, std::optional<std::uint64_t>>, SameDraws> draws_;
  std::map<std::int64_t, AgentFacts> facts_;
  std::map<std::pair<std::int64_t, std::size_t>, CachedAnswers> cached_;  // by match and seat
  std::int64_t number_ = 0;  // of the match that is added
  std::map<std::tuple<std::string, std::string, bool>, std::int64_t> reasons_;
  std::set<std::string> several_specs_;
  std::int64_t matches_ = 0;

  std::optional<BlockTally> tally_;
  std::optional<SequenceTally> sequences_;  // of the same block
  OpenTreatment* open_ = nullptr;
  std::int64_t block_ = 0;
  std::set<std::string> items_;  // of the open block
  NumberedMatch numbered_;
};

}  // namespace

Results collect(const archive::Archive& archive, const CollectOptions& options) {
  Results results;
  archive.together([&] { results = Collector(archive, options).go(); });
  return results;
}

}  // namespace agon::report
