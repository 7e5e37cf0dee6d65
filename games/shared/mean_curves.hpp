#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shared {

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
  struct Pair {
    double value = 0, bid = 0, theory = 0;
    std::string block;
  };
  std::map<std::pair<std::string, std::string>, std::vector<Pair>> pairs_;
};

}  // namespace shared
