#include <fmt/format.h>

#include "shared/tables.hpp"
#include "water-allocation/tables/setting.hpp"
#include "water-allocation/tables/tables.hpp"

namespace water_allocation {
namespace {

/// What the judges of the paper gave to agents, and to their own play: means and deviations.
struct Judged {
  const char* dimension;
  double mean, deviation, own_mean, own_deviation;
};
constexpr std::array<Judged, 6> kJudged{{
    {"information utilisation", 3.33, 1.04, 3.60, .52},
    {"logical reasoning", 3.47, 1.00, 3.50, .71},
    {"strategic effectiveness", 3.46, 1.10, 3.30, .82},
    {"adaptability", 3.42, 1.12, 3.70, 1.06},
    {"long-term planning", 3.88, .88, 3.40, 1.26},
    {"identity alignment", 3.51, 1.24, agon::kNothing, agon::kNothing},
}};

}  // namespace

agon::PaperTable judges_ratings(const agon::PlayedMatches& matches) {
  int seats = 0, with_persona = 0;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto setting = paper_setting(match);
    if (!setting) return;
    const int here = static_cast<int>(match.seats().size());
    seats += here;
    if (kPaperSettingList[static_cast<std::size_t>(*setting)].persona) with_persona += here;
  });
  if (seats == 0) throw agon::LacksData{kNoPaperSetting};
  agon::PaperTable table;
  table.corner = "dimension";
  table.columns = {"agents: mean", "sd", "judges' own play: mean", "sd", "seats to judge"};
  for (const Judged& judged : kJudged) {
    agon::TableRow row{judged.dimension, {}};
    for (const double published :
         {judged.mean, judged.deviation, judged.own_mean, judged.own_deviation})
      row.cells.push_back(shared::number(agon::kNothing, 2, published));
    const bool identity = &judged == &kJudged.back();
    row.cells.push_back(shared::number(identity ? with_persona : seats, 0));
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Ratings from 1 to 5 are people's: 'agon judge ARCHIVE' draws records of these matches and "
      "writes the forms, and 'agon judge ARCHIVE --read FORMS...' prints what the forms say beside "
      "the same published figures, with intervals, by agent and by judge.",
      "Published: 10 judges, 30 records (15 with personas), 5 judges a record; identity alignment "
      "is of records with personas alone. Seats to judge: of finished matches, for identity "
      "alignment those with personas."};
  return table;
}

}  // namespace water_allocation
