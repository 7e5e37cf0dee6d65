#include "shared/tables.hpp"

#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

namespace shared {

std::string block_of(const agon::PlayedMatch& match) {
  return fmt::format("{}/{}", match.draws(), match.block());
}

std::string agents_of(const agon::PlayedMatch& match) {
  std::set<std::string_view> names;
  for (const agon::PlayedSeat& seat : match.seats()) names.insert(seat.agent);
  return fmt::format("{}", fmt::join(names, " + "));
}

agon::TableCard own_table(std::string_view id, std::string_view title, std::string_view game,
                          agon::PaperTable (*make)(const agon::PlayedMatches&),
                          bool reads_records) {
  return {.id = id,
          .title = title,
          .source = {},
          .scenario = {},
          .game = game,
          .reads_records = reads_records,
          .make = make,
          .in_report = true};
}

void add_paper_tables(agon::Registry& registry, std::string_view game,
                      std::initializer_list<PaperElement> elements) {
  for (const PaperElement& e : elements)
    registry.add(agon::TableCard{.id = e.id,
                                 .title = e.title,
                                 .source = e.source,
                                 .scenario = e.scenario,
                                 .game = game,
                                 .reads_records = e.reads_records,
                                 .make = e.make,
                                 .also = e.also});
}

agon::TableCell cell(const agon::Figure& ours, int decimals, double published) {
  agon::TableCell made{.ours = ours, .published = published, .decimals = decimals};
  // Nothing out of nothing is no news.
  if (!(ours.n > 0)) made.ours.n = agon::kNothing;
  return made;
}

agon::TableCell percent(agon::Figure share, int decimals, double published) {
  for (double* number : {&share.value, &share.low, &share.high}) *number *= 100;
  return cell(share, decimals, published);
}

agon::TableCell number(double value, int decimals, double published) {
  return cell({.value = value}, decimals, published);
}

void add_heading(agon::PaperTable& table, std::string label) {
  table.rows.push_back({std::move(label), std::vector<agon::TableCell>(table.columns.size())});
}

namespace {

/// The `most` members of a map that have the most values, by `count`, in the order of the map.
template <class Map, class Count>
std::vector<const typename Map::value_type*> largest(const Map& map, std::size_t most,
                                                     Count count) {
  std::vector<const typename Map::value_type*> all;
  for (const auto& entry : map) all.push_back(&entry);
  if (all.size() <= most) return all;
  std::vector<const typename Map::value_type*> order = all;
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto* a, const auto* b) { return count(*a) > count(*b); });
  order.resize(most);
  std::erase_if(all, [&](const auto* entry) {
    return std::find(order.begin(), order.end(), entry) == order.end();
  });
  return all;
}

}  // namespace

std::string scenario_of(const agon::PlayedMatch& match) {
  std::string words(match.scenario());
  const agon::JsonDocument document(std::string(match.treatment()), "treatment");
  const agon::JsonNode treatment = document.root();
  for (std::size_t m = 0; m < treatment.member_count(); ++m) {
    const agon::JsonNode value = treatment.member(m);
    words += fmt::format(
        "{} {} {}", m == 0 ? ":" : ",", treatment.name(m),
        value.kind() == agon::JsonNode::Kind::text ? std::string(value.text()) : value.write());
  }
  return words;
}

void MeanCurves::add(const std::string& heading, const std::string& curve, std::size_t place,
                     std::string_view block, double value) {
  if (place >= kMostPlaces) {
    cut_ = true;
    return;
  }
  Curve& at = curves_[heading][curve];
  if (at.places.size() <= place) at.places.resize(place + 1);
  at.places[place].add(block, value);
  ++at.values;
}

void MeanCurves::add_theory(const std::string& heading, const std::string& curve, std::size_t place,
                            double value) {
  if (place >= kMostPlaces || !std::isfinite(value)) return;
  Curve& at = curves_[heading][curve];
  if (at.theory.size() <= place) at.theory.resize(place + 1);
  at.theory[place].first += value;
  at.theory[place].second += 1;
}

agon::PaperTable MeanCurves::table(agon::Curves axes, const Form& form, double level,
                                   std::vector<std::string> notes) const {
  agon::PaperTable table;
  table.corner = axes.y + (axes.unit.empty() ? "" : ", " + axes.unit);
  std::size_t places = 0;
  for (const auto& [heading, under] : curves_)
    for (const auto& [name, curve] : under)
      places = std::max({places, curve.places.size(), curve.theory.size()});
  for (std::size_t p = 0; p < places; ++p)
    table.columns.push_back(p < form.columns.size() ? form.columns[p] : std::to_string(p + 1));
  if (axes.at.size() > places) axes.at.resize(places);
  table.curves = std::move(axes);
  const auto values_of = [](const auto& entry) { return entry.second.values; };
  const auto values_under = [&](const auto& entry) {
    double sum = 0;
    for (const auto& curve : entry.second) sum += values_of(curve);
    return sum;
  };
  bool curves_cut = false;
  const auto headings = largest(curves_, kMostHeadings, values_under);
  for (const auto* heading : headings) {
    if (curves_.size() > 1) add_heading(table, heading->first);
    Under played, theory;
    for (const auto& entry : heading->second)
      (entry.second.theory.empty() ? played : theory).insert(entry);
    curves_cut = curves_cut || played.size() > kMostCurves;
    auto lines = largest(played, kMostCurves, values_of);
    for (const auto& entry : theory) lines.push_back(&entry);
    for (const auto* line : lines) {
      agon::TableRow& row = table.rows.emplace_back();
      row.label = (curves_.size() > 1 ? "  " : "") + line->first;
      row.theory = !line->second.theory.empty();
      for (std::size_t p = 0; p < places; ++p) {
        agon::TableCell& cell = row.cells.emplace_back();
        if (row.theory) {
          if (p < line->second.theory.size() && line->second.theory[p].second > 0)
            cell =
                number(line->second.theory[p].first / line->second.theory[p].second, form.decimals);
        } else if (p < line->second.places.size() && !line->second.places[p].empty()) {
          const agon::Sample& sample = line->second.places[p];
          cell = shared::cell(form.share ? sample.share(level) : sample.mean(level), form.decimals);
        }
      }
    }
  }
  if (cut_) notes.push_back(fmt::format("What came after place {} is left out.", kMostPlaces));
  if (curves_cut)
    notes.push_back(fmt::format("Of those who played the {} with the most values.", kMostCurves));
  if (headings.size() < curves_.size())
    notes.push_back(fmt::format("Of {} scenarios and treatments the {} with the most values.",
                                curves_.size(), headings.size()));
  table.notes = std::move(notes);
  return table;
}

Bins::Bins(double low, double high) : low_(std::floor(low)), width_(1), count_(1) {
  constexpr double parts = 10;
  const double range = std::max(1.0, std::floor(high) - low_ + 1);
  width_ = std::ceil(range / parts);
  count_ = static_cast<std::size_t>(std::ceil(range / width_));
}

std::size_t Bins::place(double value) const {
  const double at = std::floor((value - low_) / width_);
  return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(count_ - 1)));
}

std::vector<std::string> Bins::labels() const {
  std::vector<std::string> all;
  for (std::size_t b = 0; b < count_; ++b) {
    const double from = low_ + static_cast<double>(b) * width_;
    all.push_back(width_ == 1 ? fmt::format("{:g}", from)
                              : fmt::format("{:g} to {:g}", from, from + width_ - 1));
  }
  return all;
}

std::vector<double> Bins::middles() const {
  std::vector<double> all;
  for (std::size_t b = 0; b < count_; ++b)
    all.push_back(low_ + static_cast<double>(b) * width_ + (width_ - 1) / 2);
  return all;
}

void ValueCurves::add(const std::string& heading, const std::string& curve, std::string_view block,
                      double value, double bid, double theory) {
  if (std::isfinite(value) && std::isfinite(bid))
    points_[{heading, curve}].push_back({value, bid, theory, std::string(block)});
}

agon::PaperTable ValueCurves::table(agon::Curves axes, int decimals, double level,
                                    const std::string& theory, const std::string& lacks,
                                    std::vector<std::string> notes) const {
  if (points_.empty()) throw agon::LacksData{lacks};
  double low = INFINITY, high = -INFINITY;
  for (const auto& [key, points] : points_)
    for (const Point& point : points) {
      low = std::min(low, point.value);
      high = std::max(high, point.value);
    }
  const Bins bins(low, high);
  MeanCurves curves;
  for (const auto& [key, points] : points_)
    for (const Point& point : points) {
      const std::size_t place = bins.place(point.value);
      curves.add(key.first, key.second, place, point.block, point.bid);
      curves.add_theory(key.first, theory, place, point.theory);
    }
  axes.at = bins.middles();
  return curves.table(std::move(axes), {.decimals = decimals, .columns = bins.labels()}, level,
                      std::move(notes));
}

}  // namespace shared

namespace shared::drought {
namespace {

constexpr const char* kLacks = "recorded matches";

}  // namespace

agon::PaperTable survival(const agon::PlayedMatches& matches, const TownRecord& record) {
  MeanCurves curves;
  // Matches of a scenario come one after the other and share their settings.
  std::optional<std::string> settings;
  std::size_t last = 0;
  matches.each([&](const agon::PlayedMatch& match) {
    const Evenings residents = record.evenings(match);
    if (residents.empty()) return;
    const std::string heading = scenario_of(match), block = block_of(match);
    if (settings != match.settings()) {
      settings = match.settings();
      last = record.last_day(match);
    }
    for (const agon::PlayedSeat& seat : match.seats()) {
      const auto evenings = residents.find(seat.name);
      if (evenings == residents.end()) continue;
      const std::size_t first = evenings->second.begin()->first;
      for (std::size_t day = first; day <= last; ++day) {
        // Who is not listed any more is dead.
        const auto evening = evenings->second.find(day);
        const bool alive = evening != evenings->second.end() && evening->second.alive;
        curves.add(heading, std::string(seat.agent), day - 1, block, alive ? 1 : 0);
      }
    }
  });
  if (curves.empty()) throw agon::LacksData{kLacks};
  return curves.table({.x = "day", .y = "share alive in the evening"},
                      {.decimals = 2, .share = true}, matches.level(),
                      {"Share of all its seats that an agent kept alive, evening by evening. n: "
                       "seats, over all line-ups."});
}

agon::PaperTable balances(const agon::PlayedMatches& matches, const TownRecord& record) {
  MeanCurves curves;
  matches.each([&](const agon::PlayedMatch& match) {
    const Evenings residents = record.evenings(match);
    const std::string heading = scenario_of(match), block = block_of(match);
    for (const agon::PlayedSeat& seat : match.seats())
      if (const auto evenings = residents.find(seat.name); evenings != residents.end())
        for (const auto& [day, evening] : evenings->second)
          if (evening.alive)
            curves.add(heading, std::string(seat.agent), day - 1, block, evening.balance);
  });
  if (curves.empty()) throw agon::LacksData{kLacks};
  return curves.table({.x = "day", .y = "mean balance", .unit = "dollars"}, {.decimals = 0},
                      matches.level(),
                      {"Mean money in the evening of those who are alive. n: seats that are, over "
                       "all line-ups; who outlives others is another choice of them every day."});
}

}  // namespace shared::drought
