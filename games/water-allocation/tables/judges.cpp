#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

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

/// The agent that has a judge's seat where no person takes it, as the scenario names it.
constexpr std::string_view kJudge = "judge";

/// The games of one person under one setting.
struct Person {
  int games = 0;
  std::set<std::string> residents;
  agon::Sample survived, days, survivors, rsr_end;
  agon::Sample bids;  ///< dollars
  double highest = 0;
  std::int64_t replaced = 0;  ///< answers that were not the person's
};

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
      "alignment those with personas; a number of seats and no rating."};
  return table;
}

agon::PaperTable people_games(const agon::PlayedMatches& matches) {
  std::map<std::pair<int, std::string>, std::map<std::string, Person>> all;
  bool stands_in = false;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto setting = paper_setting(match);
    if (!setting) return;
    for (const agon::PlayedSeat& seat : match.seats()) {
      const bool judge = seat.person.empty() && seat.agent == kJudge;
      if (seat.person.empty() && !judge) continue;
      stands_in = stands_in || judge;
      Person& person =
          all[{*setting, shared::agents_of(match)}][std::string(judge ? seat.agent : seat.person)];
      const std::string block = shared::block_of(match);
      person.residents.insert(std::string(seat.name));
      person.survived.add(block, match.metric(seat, "survived"));
      person.days.add(block, match.metric(seat, "days_survived"));
      person.survivors.add(block, match.metric("survivors"));
      person.rsr_end.add(block, match.metric("rsr_end"));
      const double bids = match.metric(seat, "bids");
      if (bids > 0) person.bids.add(block, match.metric(seat, "bid_sum") / 100, bids);
      person.highest = std::max(person.highest, match.metric(seat, "highest_bid") / 100);
      person.replaced += seat.forced;
      ++person.games;
    }
  });
  if (all.empty())
    throw agon::LacksData{
        "matches under one of the paper's settings in which a person sat, in the browser or at the "
        "terminal"};
  agon::PaperTable table;
  table.corner = "person";
  table.columns = {"games",          "alive at the end", "days lived",  "survivors",
                   "RSR at the end", "mean bid",         "highest bid", "not answered"};
  for (const auto& [key, people] : all) {
    table.rows.push_back(
        {setting_label(key.first, key.second), std::vector<agon::TableCell>(table.columns.size())});
    for (const auto& [name, person] : people) {
      std::string residents;
      for (const std::string& resident : person.residents)
        residents += (residents.empty() ? "" : ", ") + resident;
      // Figures of single games: a mean where the person played several.
      const auto mean = [](const agon::Sample& sample, int decimals) {
        return shared::number(sample.empty() ? agon::kNothing : sample.mean(0.95).value, decimals);
      };
      table.rows.push_back(
          {fmt::format("  {} ({})", name, residents),
           {shared::number(person.games, 0), mean(person.survived, 2), mean(person.days, 1),
            mean(person.survivors, 1), mean(person.rsr_end, 2), mean(person.bids, 2),
            shared::number(person.highest, 2),
            shared::number(static_cast<double>(person.replaced), 0)}});
    }
  }
  table.notes = {
      "The games that people played, person by person (by pseudonym, with the resident they were): "
      "whether they lived to the last day, on how many days, how many of the five did, the "
      "resource satisfaction ratio (RSR) with those, and what they bid, in dollars. Means over the "
      "person's games of the setting. Not answered: bids that a substitute or the fallback gave.",
      "The paper's figure 10 shows the games of its ten judges as curves without numbers. What "
      "judges said of agents is not in it: alympics/table-3, 'agon judge'."};
  if (stands_in)
    table.notes.emplace_back("'judge' is a rule agent that keeps a person's seat: nobody played.");
  return table;
}

}  // namespace water_allocation
