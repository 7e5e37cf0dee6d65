#include "archive/added_metrics.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <limits>
#include <set>

#include "describe/file_text.hpp"
#include "json/parse.hpp"

namespace agon::archive {
namespace {

struct MetricOfGame {
  std::string game;
  std::string name;
  std::string unit;
  std::string better;
  int decimals = 0;
};
AGON_DESCRIBE(MetricOfGame, (game, "whose matches it is of", length(1, 200)),
              (name, "lower-case letters, digits and _", length(1, 64)), (unit, "of its values"),
              (better, "higher, lower or empty"),
              (decimals, "2 for money: the values are cents", range(0, kMostDecimals)))

struct ValuesOfSeat {
  std::string match;
  int seat = 0;
  std::map<std::string, double> values;
};
AGON_DESCRIBE(ValuesOfSeat, (match, "its id, as exports have it", length(32, 32)),
              (seat, "from 0", range(0, 255)),
              (values, "by metric; a metric that is left out has no value here"))

struct MetricsFile {
  std::string format;
  int version = 0;
  std::vector<MetricOfGame> metrics;
  std::vector<ValuesOfSeat> values;
};
AGON_DESCRIBE(MetricsFile, (format, "agon.metrics"), (version, "1"), (metrics, "what is measured"),
              (values, "of seats of matches"))

bool is_name(const std::string& name) {
  return std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

AddedMetrics AddedMetrics::read(const std::string& file) {
  const FileText text(json::read_file(file), file, "see docs/report.md, your own metrics");
  text.require_format("agon.metrics", 1, "a file of metrics");
  const auto said = text.read<MetricsFile>();
  text.check(said);
  AddedMetrics all;
  all.file_ = file;
  const json::Path top;
  std::set<std::string> names;
  for (std::size_t i = 0; i < said.metrics.size(); ++i) {
    const MetricOfGame& metric = said.metrics[i];
    const json::Path path = (top / "metrics")[i];
    if (!is_name(metric.name))
      text.fail("'" + metric.name + "' is no name of a metric", path / "name",
                "use lower-case letters, digits and _");
    if (!metric.better.empty() && metric.better != "higher" && metric.better != "lower")
      text.fail("'" + metric.better + "' is neither higher nor lower", path / "better",
                "leave it empty where neither is better");
    std::vector<Metric>& of_game = all.metrics_[metric.game];
    if (std::ranges::find(of_game, metric.name, &Metric::name) != of_game.end())
      text.fail("'" + metric.name + "' is there twice", path / "name", "leave one out");
    of_game.push_back({.name = metric.name,
                       .unit = metric.unit,
                       .better = metric.better,
                       .decimals = metric.decimals});
    names.insert(metric.name);
  }
  for (std::size_t i = 0; i < said.values.size(); ++i) {
    const ValuesOfSeat& values = said.values[i];
    const json::Path path = (top / "values")[i];
    const auto id = MatchId::read(values.match);
    if (!id) text.fail("'" + values.match + "' is no id of a match", path / "match");
    for (const auto& [name, value] : values.values)
      if (!names.contains(name))
        text.fail("'" + name + "' is not among the metrics", path / "values" / name);
    if (!all.values_[*id].emplace(values.seat, values.values).second)
      text.fail("the seat is there twice", path / "seat", "leave one out");
  }
  return all;
}

void AddedMetrics::add_to(std::map<std::int64_t, GameRow>& games) const {
  std::set<std::string_view> found;
  for (auto& [number, game] : games) {
    const auto own = metrics_.find(game.name);
    if (own == metrics_.end()) continue;
    found.insert(own->first);
    for (const Metric& metric : own->second) {
      for (const auto* all : {&game.seat_metrics, &game.match_metrics})
        if (std::ranges::find(*all, metric.name, &Metric::name) != all->end())
          throw Error(ErrorKind::invalid,
                      "the game '" + game.name + "' has a metric '" + metric.name + "' itself",
                      file_, "choose another name");
      game.seat_metrics.push_back(metric);
    }
  }
  for (const auto& [game, metrics] : metrics_)
    if (!found.contains(game))
      throw Error(ErrorKind::invalid, "the archive has no matches of the game '" + game + "'",
                  file_, "a file of metrics belongs to one archive");
}

void AddedMetrics::add_to(MatchRow& match, const GameRow& game) const {
  const auto metrics = metrics_.find(game.name);
  if (metrics == metrics_.end()) return;
  const auto of_match = values_.find(match.key.id);
  const std::size_t own = game.seat_metrics.size() - metrics->second.size();
  for (std::size_t i = 0; i < match.seats.size(); ++i) {
    SeatRow& seat = match.seats[i];
    if (seat.metrics.size() != own) continue;  // of a match without an outcome
    const std::map<std::string, double> none;
    const auto* values = &none;
    if (of_match != values_.end())
      if (const auto found = of_match->second.find(static_cast<int>(i));
          found != of_match->second.end())
        values = &found->second;
    for (const Metric& metric : metrics->second) {
      const auto value = values->find(metric.name);
      seat.metrics.push_back(value == values->end() ? std::numeric_limits<double>::quiet_NaN()
                                                    : value->second);
    }
  }
}

}  // namespace agon::archive
