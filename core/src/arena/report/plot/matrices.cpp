#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "report/plot/drawings.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// The place of an item in a list, at whose end it is put where it is new.
template <class T>
std::size_t place_in(std::vector<T>& list, const T& item) {
  const auto at = static_cast<std::size_t>(std::ranges::find(list, item) - list.begin());
  if (at == list.size()) list.push_back(item);
  return at;
}

/// Figures by row and column, both in the order in which they come up.
struct Fields {
  std::vector<std::string> rows, columns;
  struct MatrixCell {
    std::size_t row, column;
    PlotFigure figure;
  };
  std::vector<MatrixCell> fields;
};

/// Every row says its place in words: the table is a list of pairs.
Fields from_pairs(const ReportTable& table, std::size_t column) {
  Fields all;
  for (const ReportRow& row : table.rows) {
    const auto figure = drawn(row, column);
    if (!figure || !std::isfinite(figure->value)) continue;
    const std::string& first = std::get<std::string>(row.cells.at(0));
    const std::string& second = std::get<std::string>(row.cells.at(1));
    const std::size_t r = place_in(all.rows, first), c = place_in(all.columns, second);
    all.fields.push_back({r, c, *figure});
  }
  // The same names down and across, where they are the same.
  std::vector<std::string> down = all.rows, across = all.columns;
  std::ranges::sort(down);
  std::ranges::sort(across);
  if (down == across && all.rows != all.columns) {
    for (Fields::MatrixCell& field : all.fields)
      field.column = place_in(all.rows, all.columns[field.column]);
    all.columns = all.rows;
  }
  return all;
}

/// A row of the table is a row of fields, whatever others have its label.
Fields from_columns(const ReportTable& table, const Plot& plot) {
  Fields all;
  for (const std::size_t c : plot.columns) all.columns.push_back(table.columns.at(c).header);
  for (const ReportRow* row : rows_of(table, plot)) {
    const std::size_t before = all.fields.size();
    for (std::size_t c = 0; c < plot.columns.size(); ++c)
      if (const auto figure = drawn(table, plot, *row, plot.columns[c]))
        all.fields.push_back({all.rows.size(), c, *figure});
    if (all.fields.size() > before) all.rows.push_back(label_of(table, plot, *row));
  }
  return all;
}

/// How deep a colour is: 0 at zero, 1 for the figure farthest from it.
struct Depth {
  double largest = 0;
  bool below = false;  ///< some figures are

  void show(double figure) {
    if (!std::isfinite(figure)) return;
    largest = std::max(largest, std::abs(figure));
    below = below || figure < 0;
  }
  void fill(Picture& picture, PicturePoint corner, double width, double height,
            double figure) const {
    const double depth = largest > 0 ? std::abs(figure) / largest : 0;
    // Never so deep that the words on it cannot be read.
    picture.box(corner, width, height, std::string("field ") + series_class(figure < 0 ? 1 : 0),
                0.04 + 0.5 * depth);
  }
  /// What the colours stand for, from the least to the largest; pixels that it takes.
  double key(Picture& picture, PicturePoint corner, const std::string& unit) const {
    constexpr int parts = 5;
    constexpr double part = 22;
    double x = corner.x;
    const auto words = [&](double figure) {
      const std::string text = fixed(figure, largest >= 100 ? 0 : largest >= 10 ? 1 : 2);
      picture.words({x, corner.y + 11}, text, "small");
      x += words_width(text) + 4;
    };
    picture.open(unit.empty() ? "colours" : "colours, " + unit);
    words(below ? -largest : 0);
    for (int i = below ? -parts : 0; i <= parts; ++i, x += part)
      fill(picture, {x, corner.y}, part, 14, largest * i / parts);
    x += 6;
    words(largest);
    picture.words({x + 4, corner.y + 11}, unit, "small");
    picture.close();
    return 24;
  }
};

/// The names down and across; those that are wider than their column stand aslant.
void draw_names(Picture& picture, const Fields& all, PicturePoint corner, double width,
                double height, bool aslant) {
  for (std::size_t c = 0; c < all.columns.size(); ++c) {
    const double x = corner.x + width * (static_cast<double>(c) + 0.5);
    if (aslant)
      picture.aslant({x - 6, corner.y - 6}, shortened(all.columns[c]));
    else
      picture.words({x, corner.y - 6}, shortened(all.columns[c]), "", Anchor::middle);
  }
  for (std::size_t r = 0; r < all.rows.size(); ++r)
    picture.words({corner.x - 8, corner.y + height * (static_cast<double>(r) + 0.5) + 4},
                  shortened(all.rows[r]), "", Anchor::end);
}

/// A figure's words in its field: below it how many stand behind it, or what is published.
void draw_words(Picture& picture, PicturePoint top, const PlotFigure& figure, bool lines) {
  picture.words({top.x, top.y + (lines ? 15 : 16)}, figure.words, "", Anchor::middle);
  if (figure.published) {
    const std::string words = fixed(*figure.published, figure.decimals);
    picture.mark({top.x - words_width(words) / 2 - 2, top.y + 25}, 3, "hollow s6");
    picture.words({top.x + 6, top.y + 28}, words, "small", Anchor::middle);
  } else if (figure.units > 0) {
    picture.words({top.x, top.y + 28}, fmt::format("n {}", figure.units), "small", Anchor::middle);
  }
}

}  // namespace

std::optional<Sheet> draw_heat_map(const ReportTable& table, const Plot& plot) {
  const Fields all = plot.columns.size() == 1 && !plot.measure
                         ? from_pairs(table, plot.columns.front())
                         : from_columns(table, plot);
  if (all.fields.empty()) return std::nullopt;
  Depth depth;
  Legend legend;
  double left = 0, head = 0, width = 64;
  bool lines = false;
  for (const auto& field : all.fields) {
    depth.show(field.figure.value);
    width = std::max(width, words_width(field.figure.words) + 12);
    lines = lines || field.figure.units > 0 || field.figure.published;
    legend.published = legend.published || field.figure.published;
  }
  if (plot.shared_scale)
    for (const ReportRow* row : rows_of(table, plot, true))
      for (const std::size_t c : plot.columns)
        if (const auto figure = drawn(table, plot, *row, c)) depth.show(figure->value);
  for (const std::string& name : all.rows) left = std::max(left, words_width(shortened(name)) + 14);
  for (const std::string& name : all.columns) head = std::max(head, words_width(shortened(name)));
  Sheet sheet;
  Picture& picture = sheet.picture;
  const bool aslant = head > width - 4;
  const double top = legend.draw(picture, {4, 2}, 300) + (aslant ? head * 0.62 + 16 : 20);
  const double height = lines ? 34 : 24;
  draw_names(picture, all, {left, top}, width, height, aslant);
  for (const auto& [row, column, figure] : all.fields) {
    const PicturePoint corner{left + width * static_cast<double>(column),
                              top + height * static_cast<double>(row)};
    picture.open(hint_of(all.rows[row], all.columns[column], figure));
    if (std::isfinite(figure.value))
      depth.fill(picture, {corner.x + 1, corner.y + 1}, width - 2, height - 2, figure.value);
    draw_words(picture, {corner.x + width / 2, corner.y}, figure, lines);
    picture.close();
  }
  sheet.width = left + width * static_cast<double>(all.columns.size()) + (aslant ? head * 0.75 : 8);
  sheet.height = top + height * static_cast<double>(all.rows.size()) + 6;
  // A table of several units says what its colours count.
  if (plot.measure && depth.largest > 0) {
    sheet.height += 4 + depth.key(picture, {left, sheet.height + 4}, *plot.measure);
    sheet.width = std::max(sheet.width, left + 330 + words_width(*plot.measure));
  }
  return sheet;
}

namespace {

using Profile = std::vector<std::string>;

/// What a seat gains by leaving a profile for another one.
struct Move {
  std::size_t from = 0, to = 0;
  std::string label;
  PlotFigure gain;
};

/// Profiles of choices, and the best moves away from each.
struct Moves {
  std::vector<Profile> profiles;
  std::vector<Move> best;
};

std::optional<Profile> profile_of(const ReportRow& row, const std::vector<std::size_t>& columns,
                                  std::size_t from, std::size_t seats) {
  Profile profile;
  for (std::size_t s = 0; s < seats; ++s) {
    const std::size_t column = columns[from + s];
    if (column >= row.cells.size()) return std::nullopt;
    const auto* choice = std::get_if<std::string>(&row.cells[column]);
    if (choice == nullptr) return std::nullopt;
    profile.push_back(*choice);
  }
  return profile;
}

/// The same figure with the other sign.
PlotFigure reversed(PlotFigure gain) {
  gain.value = -gain.value;
  if (gain.own) gain.own = stats::Interval{-gain.own->high, -gain.own->low};
  if (!gain.words.empty() && gain.words.front() == '-') gain.words.front() = '+';
  return gain;
}

Moves moves_of(const ReportTable& table, const Plot& plot) {
  const std::size_t seats = (plot.columns.size() - 1) / 2;
  Moves all;
  // By profile and who leaves what: only the best of what else there is has an arrow.
  std::map<std::pair<std::size_t, std::string>, Move> best;
  for (const ReportRow& row : table.rows) {
    const auto gain = drawn(row, plot.columns.front());
    const auto from = profile_of(row, plot.columns, 1, seats);
    const auto to = profile_of(row, plot.columns, 1 + seats, seats);
    if (!gain || !from || !to || !std::isfinite(gain->value)) continue;
    const std::size_t at = place_in(all.profiles, *from), end = place_in(all.profiles, *to);
    if (gain->value == 0) continue;
    // What a change loses, the change back gains.
    const bool back = gain->value < 0;
    const std::string& left = back ? row.about.agent : row.about.other;
    const std::string& taken = back ? row.about.other : row.about.agent;
    Move move{back ? end : at, back ? at : end, left + " to " + taken,
              back ? reversed(*gain) : *gain};
    const std::string who = row.about.role + "\n" + left + "\n" + row.about.text;
    const auto [found, added] = best.try_emplace({move.from, who}, move);
    if (!added && move.gain.value > found->second.gain.value) found->second = std::move(move);
  }
  for (auto& [key, move] : best) all.best.push_back(std::move(move));
  return all;
}

/// A box with words.
constexpr double kBoxHeight = 30;

std::string words_of(const Profile& profile) {
  return shortened(text::joined(profile));
}

/// From the edge of one box to that of another.
std::pair<PicturePoint, PicturePoint> between(PicturePoint a, PicturePoint b, double width) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double half_width = width / 2 + 4, half_height = kBoxHeight / 2 + 4;
  const double to_side = std::abs(dx) > 0 ? half_width / std::abs(dx) : INFINITY;
  const double to_top = std::abs(dy) > 0 ? half_height / std::abs(dy) : INFINITY;
  const double part = std::min({to_side, to_top, 0.5});
  return {{a.x + part * dx, a.y + part * dy}, {b.x - part * dx, b.y - part * dy}};
}

void draw_arrow(Picture& picture, PicturePoint from, PicturePoint to, const std::string& looks) {
  constexpr double head = 9, spread = 0.42;
  const double angle = std::atan2(to.y - from.y, to.x - from.x);
  picture.line(from, {to.x - 0.7 * head * std::cos(angle), to.y - 0.7 * head * std::sin(angle)},
               looks);
  picture.shape({to,
                 {to.x - head * std::cos(angle - spread), to.y - head * std::sin(angle - spread)},
                 {to.x - head * std::cos(angle + spread), to.y - head * std::sin(angle + spread)}},
                "mark s0");
}

/// Where profiles stand: of two seats in rows and columns of their choices, of more on a circle.
std::vector<PicturePoint> lay(const Moves& moves, double width, Sheet& sheet) {
  std::vector<PicturePoint> places;
  const std::size_t seats = moves.profiles.front().size();
  constexpr double gap = 74, edge = 12;
  if (seats == 2) {
    std::vector<std::string> down, across;
    const auto index = [](std::vector<std::string>& names, const std::string& name) {
      return static_cast<double>(place_in(names, name));
    };
    for (const Profile& profile : moves.profiles) index(down, profile[0]);
    // Where seats are alike, both have the same choices in the same order.
    const bool alike = std::ranges::all_of(moves.profiles, [&](const Profile& profile) {
      return std::ranges::find(down, profile[1]) != down.end();
    });
    if (alike) across = down;
    for (const Profile& profile : moves.profiles)
      places.push_back({edge + width / 2 + (width + gap) * index(across, profile[1]),
                        edge + kBoxHeight / 2 + (kBoxHeight + gap) * index(down, profile[0])});
    sheet.width = 2 * edge + width + (width + gap) * static_cast<double>(across.size() - 1);
    sheet.height =
        2 * edge + kBoxHeight + (kBoxHeight + gap) * static_cast<double>(down.size() - 1);
    return places;
  }
  const auto count = static_cast<double>(moves.profiles.size());
  const double radius = std::max(110.0, count * (kBoxHeight + 24) / std::numbers::pi);
  const PicturePoint middle{edge + width / 2 + radius, edge + kBoxHeight / 2 + radius};
  for (std::size_t p = 0; p < moves.profiles.size(); ++p) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(p) / count - std::numbers::pi / 2;
    places.push_back({middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)});
  }
  sheet.width = 2 * (edge + radius) + width;
  sheet.height = 2 * (edge + radius) + kBoxHeight;
  return places;
}

}  // namespace

std::optional<Sheet> draw_arrows(const ReportTable& table, const Plot& plot) {
  const Moves moves = moves_of(table, plot);
  // More than these are a tangle.
  constexpr std::size_t most = 64;
  if (moves.profiles.empty() || moves.profiles.size() > most) return std::nullopt;
  Sheet sheet;
  Picture& picture = sheet.picture;
  double width = 60;
  for (const Profile& profile : moves.profiles)
    width = std::max(width, words_width(words_of(profile)) + 16);
  const std::vector<PicturePoint> places = lay(moves, width, sheet);
  for (const Move& move : moves.best) {
    const auto [from, to] = between(places[move.from], places[move.to], width);
    const bool sure = move.gain.own && move.gain.own->low > 0;
    picture.open(hint_of(words_of(moves.profiles[move.from]), move.label, move.gain));
    draw_arrow(picture, from, to, sure ? "own s0" : "together unsure s0");
    const bool across = std::abs(to.y - from.y) < 1;
    picture.words({(from.x + to.x) / 2 + (across ? 0 : 7), (from.y + to.y) / 2 + (across ? -7 : 4)},
                  move.gain.words, "small", across ? Anchor::middle : Anchor::start);
    picture.close();
  }
  for (std::size_t p = 0; p < moves.profiles.size(); ++p) {
    const bool stays =
        std::ranges::none_of(moves.best, [&](const Move& move) { return move.from == p; });
    const PicturePoint corner{places[p].x - width / 2, places[p].y - kBoxHeight / 2};
    picture.open(words_of(moves.profiles[p]) + (stays ? ": nobody gains by another choice" : ""));
    picture.box(corner, width, kBoxHeight, stays ? "field s2" : "field s6", stays ? 0.3 : 0.06);
    if (stays) picture.box(corner, width, kBoxHeight, "hollow s2");
    picture.words({places[p].x, places[p].y + 4}, words_of(moves.profiles[p]), "", Anchor::middle);
    picture.close();
  }
  const std::string legend =
      "thick: the interval leaves out 0; dashed: it does not, or there is none";
  picture.words({4, sheet.height + 8}, legend, "small");
  sheet.height += 14;
  sheet.width = std::max(sheet.width, 0.85 * words_width(legend) + 8);
  return sheet;
}

}  // namespace agon::report
