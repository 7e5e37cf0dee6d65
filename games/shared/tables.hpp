#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/conversion.hpp>
#include <agon/money.hpp>
#include <agon/plugin.hpp>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What tables of papers have in common.
namespace shared {

/// What matches share their random numbers by.
[[nodiscard]] std::string block_of(const agon::PlayedMatch& match);

/// The agents of a match, each once, by name: "gpt-4-32k", "a + b".
[[nodiscard]] std::string agents_of(const agon::PlayedMatch& match);

/// The settings of a match; nothing where they cannot be read.
template <class Settings>
[[nodiscard]] std::optional<Settings> settings_of(const agon::PlayedMatch& match) {
  std::optional<Settings> settings(std::in_place);
  if (agon::read_json(*settings, match.settings(), agon::Missing::keeps)) settings.reset();
  return settings;
}

/// What follows from the settings of matches that come one after the other, worked out once for
/// those that share them.
template <class Made>
class KnownBySettings {
 public:
  /// What `make(match)` makes; null where it makes nothing.
  template <class Make>
  const Made* of(const agon::PlayedMatch& match, Make make) {
    if (!any_ || known_ != match.settings()) {
      any_ = true;
      known_ = match.settings();
      made_ = make(match);
    }
    return made_ ? &*made_ : nullptr;
  }

 private:
  bool any_ = false;
  std::string known_;
  std::optional<Made> made_;
};

/// The settings themselves; null where they cannot be read.
template <class Settings>
class KnownSettings {
 public:
  const Settings* of(const agon::PlayedMatch& match) {
    return known_.of(match, &settings_of<Settings>);
  }

 private:
  KnownBySettings<Settings> known_;
};

/// The card of a table that is no paper's: how its game was played.
[[nodiscard]] agon::TableCard own_table(std::string_view id, std::string_view title,
                                        std::string_view game,
                                        agon::PaperTable (*make)(const agon::PlayedMatches&),
                                        bool reads_records = true);

/// A table of a paper: what agon::TableCard has of it.
struct PaperElement {
  std::string_view id, title, source, scenario;
  agon::PaperTable (*make)(const agon::PlayedMatches&);
  bool reads_records = false;
  std::string_view also{};
};
/// Adds them as tables of this game.
void add_paper_tables(agon::Registry& registry, std::string_view game,
                      std::initializer_list<PaperElement> elements);

/// A cell with a figure of ours and, where there is one, the published number beside it.
[[nodiscard]] agon::TableCell cell(const agon::Figure& ours, int decimals,
                                   double published = agon::kNothing);
/// The same in percent of a share; `published` is in percent already.
[[nodiscard]] agon::TableCell percent(agon::Figure share, int decimals,
                                      double published = agon::kNothing);
/// A bare number.
[[nodiscard]] agon::TableCell number(double value, int decimals, double published = agon::kNothing);

/// Adds a row without figures that heads those after it. The table must have its columns by then.
void add_heading(agon::PaperTable& table, std::string label);

/// The name of a described enumeration's value.
template <class E>
[[nodiscard]] std::string_view name_of(E value) {
  for (const agon::Enumerator& e : agon::type_of<E>().enumerators)
    if (e.value == static_cast<std::int64_t>(value)) return e.name;
  return {};
}

/// Scenario and treatment of a match, in words: "deal: pie 10, rounds 5".
[[nodiscard]] std::string scenario_of(const agon::PlayedMatch& match);

/// Means along days, rounds or ranges of values, curve by curve under headings: what a game's own
/// table is made of. Curves stay in the order of their names.
class MeanCurves {
 public:
  /// No heading has more places than this; what lies behind is left out, and a note says so.
  static constexpr std::size_t kMostPlaces = 40;
  /// No more curves stand under a heading, and no more headings in a table: those with the most
  /// values, and a note says how many there are.
  static constexpr std::size_t kMostCurves = 8;
  static constexpr std::size_t kMostHeadings = 12;

  /// A value of a curve at a place, counted from 0. `block`: what values share their chance by.
  void add(const std::string& heading, const std::string& curve, std::size_t place,
           std::string_view block, double value);
  /// What theory says in its stead: the mean over the same values is a line without an interval.
  void add_theory(const std::string& heading, const std::string& curve, std::size_t place,
                  double value);
  [[nodiscard]] bool empty() const { return curves_.empty(); }

  /// How figures are given.
  struct Form {
    int decimals = 2;
    bool share = false;                  ///< values are 0 and 1, and their means shares
    std::vector<std::string> columns{};  ///< by place; empty: "1", "2", ...
  };
  /// The table, with a heading where there are several.
  [[nodiscard]] agon::PaperTable table(agon::Curves axes, const Form& form, double level,
                                       std::vector<std::string> notes) const;

 private:
  struct Curve {
    std::vector<agon::Sample> places{};
    std::vector<std::pair<double, double>> theory{};  ///< sum and number, by place
    double values = 0;
  };
  using Under = std::map<std::string, Curve>;

  std::map<std::string, Under> curves_;
  bool cut_ = false;
};

/// Values of what can be many numbers, in equal parts of their range.
class Bins {
 public:
  /// About ten parts of `low` to `high`, of whole numbers at least one each.
  Bins(double low, double high);
  [[nodiscard]] std::size_t place(double value) const;
  /// "10 to 19".
  [[nodiscard]] std::vector<std::string> labels() const;
  /// The middle of each.
  [[nodiscard]] std::vector<double> middles() const;

 private:
  double low_;
  double width_;
  std::size_t count_;
};

/// What was bid, or done, against what it was worth, over ranges of value: curves of their means,
/// and what theory says at the same values.
class ValueCurves {
 public:
  /// `theory`: what theory has at this value; NaN: nothing is known.
  void add(const std::string& heading, const std::string& curve, std::string_view block,
           double value, double bid, double theory);
  /// Throws LacksData with `lacks` where there is nothing.
  [[nodiscard]] agon::PaperTable table(agon::Curves axes, int decimals, double level,
                                       const std::string& theory, const std::string& lacks,
                                       std::vector<std::string> notes) const;

 private:
  struct Point {
    double value = 0, bid = 0, theory = 0;
    std::string block;
  };
  std::map<std::pair<std::string, std::string>, std::vector<Point>> points_;
};

}  // namespace shared

namespace shared::drought {

/// An evening of one resident.
struct ResidentEvening {
  bool alive = false;
  double balance = 0;
};
/// By name and day (from 1) the evenings of those who lived that morning.
using Evenings = std::map<std::string, std::map<std::size_t, ResidentEvening>, std::less<>>;

/// What a match's record says of its residents, and the last day of its settings.
struct TownRecord {
  Evenings (*evenings)(const agon::PlayedMatch& match);
  std::size_t (*last_day)(const agon::PlayedMatch& match);
};

/// Who is alive, evening by evening.
[[nodiscard]] agon::PaperTable survival(const agon::PlayedMatches& matches,
                                        const TownRecord& record);
/// How much money those have who are alive, evening by evening.
[[nodiscard]] agon::PaperTable balances(const agon::PlayedMatches& matches,
                                        const TownRecord& record);

template <const auto& Day>
[[nodiscard]] Evenings evenings_of(const agon::PlayedMatch& match) {
  Evenings residents;
  agon::each_said<Day>(match, [&](const auto& day) {
    for (const auto& resident : day.residents)
      residents[std::string(resident.name)][static_cast<std::size_t>(day.day)] = {
          resident.hp > 0, agon::to_double(resident.balance)};
  });
  return residents;
}

template <class Settings>
[[nodiscard]] std::size_t last_day_of(const agon::PlayedMatch& match) {
  const auto settings = settings_of<Settings>(match);
  return settings ? static_cast<std::size_t>(settings->days) : 0;
}

/// Adds both as own tables of a game of a town without water, whose event `Day` lists `residents`
/// by `name` with `hp` and `balance` in the evening, and whose settings have `days`.
template <const auto& Day, class Settings>
void add_day_tables(agon::Registry& registry, std::string_view game, std::string_view survival_id,
                    std::string_view balances_id) {
  static constexpr TownRecord kRecord{&evenings_of<Day>, &last_day_of<Settings>};
  registry.add(
      own_table(survival_id, "who is alive, day by day", game,
                [](const agon::PlayedMatches& matches) { return survival(matches, kRecord); }));
  registry.add(
      own_table(balances_id, "money of those who are alive, day by day", game,
                [](const agon::PlayedMatches& matches) { return balances(matches, kRecord); }));
}

}  // namespace shared::drought
