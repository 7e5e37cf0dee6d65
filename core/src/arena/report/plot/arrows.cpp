#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "report/plot/drawings.hpp"

namespace agon::report {
namespace {

using Profile = std::vector<std::string>;

/// What a seat gains by leaving a profile for another one.
struct Move {
  std::size_t from = 0, to = 0;
  std::string label;
  Drawn gain;
};

/// Profiles of choices, and the best moves away from each.
struct Moves {
  std::vector<Profile> profiles;
  std::vector<Move> best;

  std::size_t place(const Profile& profile) {
    const auto found = std::find(profiles.begin(), profiles.end(), profile);
    if (found != profiles.end()) return static_cast<std::size_t>(found - profiles.begin());
    profiles.push_back(profile);
    return profiles.size() - 1;
  }
};

std::optional<Profile> profile_of(const Row& row, const std::vector<std::size_t>& columns,
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
Drawn reversed(Drawn gain) {
  gain.value = -gain.value;
  if (gain.own) gain.own = stats::Interval{-gain.own->high, -gain.own->low};
  if (!gain.words.empty() && gain.words.front() == '-') gain.words.front() = '+';
  return gain;
}

Moves moves_of(const Table& table, const Plot& plot) {
  const std::size_t seats = (plot.columns.size() - 1) / 2;
  Moves all;
  // By profile and who leaves what: only the best of what else there is has an arrow.
  std::map<std::pair<std::size_t, std::string>, Move> best;
  for (const Row& row : table.rows) {
    const auto gain = drawn(row, plot.columns.front());
    const auto from = profile_of(row, plot.columns, 1, seats);
    const auto to = profile_of(row, plot.columns, 1 + seats, seats);
    if (!gain || !from || !to || !std::isfinite(gain->value)) continue;
    const std::size_t at = all.place(*from), end = all.place(*to);
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
  std::string words;
  for (const std::string& choice : profile) words += (words.empty() ? "" : ", ") + choice;
  return shortened(words);
}

/// From the edge of one box to that of another.
std::pair<Place, Place> between(Place a, Place b, double width) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double half_width = width / 2 + 4, half_height = kBoxHeight / 2 + 4;
  const double to_side = std::abs(dx) > 0 ? half_width / std::abs(dx) : INFINITY;
  const double to_top = std::abs(dy) > 0 ? half_height / std::abs(dy) : INFINITY;
  const double part = std::min({to_side, to_top, 0.5});
  return {{a.x + part * dx, a.y + part * dy}, {b.x - part * dx, b.y - part * dy}};
}

void draw_arrow(Picture& picture, Place from, Place to, const std::string& looks) {
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
std::vector<Place> lay(const Moves& moves, double width, Sheet& sheet) {
  std::vector<Place> places;
  const std::size_t seats = moves.profiles.front().size();
  constexpr double gap = 74, edge = 12;
  if (seats == 2) {
    std::vector<std::string> down, across;
    const auto index = [](std::vector<std::string>& names, const std::string& name) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) names.push_back(name);
      return static_cast<double>(found - names.begin());
    };
    for (const Profile& profile : moves.profiles) index(down, profile[0]);
    // Where seats are alike, both have the same choices in the same order.
    const bool alike =
        std::all_of(moves.profiles.begin(), moves.profiles.end(), [&](const Profile& profile) {
          return std::find(down.begin(), down.end(), profile[1]) != down.end();
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
  const Place middle{edge + width / 2 + radius, edge + kBoxHeight / 2 + radius};
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

std::optional<Sheet> draw_arrows(const Table& table, const Plot& plot) {
  const Moves moves = moves_of(table, plot);
  // More than these are a tangle.
  constexpr std::size_t most = 64;
  if (moves.profiles.empty() || moves.profiles.size() > most) return std::nullopt;
  Sheet sheet;
  Picture& picture = sheet.picture;
  double width = 60;
  for (const Profile& profile : moves.profiles)
    width = std::max(width, words_width(words_of(profile)) + 16);
  const std::vector<Place> places = lay(moves, width, sheet);
  for (const Move& move : moves.best) {
    const auto [from, to] = between(places[move.from], places[move.to], width);
    const bool sure = move.gain.own && move.gain.own->low > 0;
    std::string hint =
        fmt::format("{}, {}: {}", words_of(moves.profiles[move.from]), move.label, move.gain.words);
    if (move.gain.units > 0) hint += fmt::format(" (n = {})", move.gain.units);
    picture.open(hint);
    draw_arrow(picture, from, to, sure ? "own s0" : "together unsure s0");
    const bool across = std::abs(to.y - from.y) < 1;
    picture.words({(from.x + to.x) / 2 + (across ? 0 : 7), (from.y + to.y) / 2 + (across ? -7 : 4)},
                  move.gain.words, "small", across ? Anchor::middle : Anchor::start);
    picture.close();
  }
  for (std::size_t p = 0; p < moves.profiles.size(); ++p) {
    const bool stays = std::none_of(moves.best.begin(), moves.best.end(),
                                    [&](const Move& move) { return move.from == p; });
    const Place corner{places[p].x - width / 2, places[p].y - kBoxHeight / 2};
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
