// What the judges of the paper did: they played, rated agents, and rated their own play.
#include <fmt/format.h>

#include <agon/analysis/judging.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/tables.hpp"
#include "water-allocation/game.hpp"
#include "water-allocation/play.hpp"
#include "water-allocation/tables/tables.hpp"

namespace water_allocation {
namespace {

namespace judging = agon::judging;

/// The agent that has a judge's seat where no person takes it, as the scenario names it.
constexpr std::string_view kJudge = "judge";
/// Whose matches and records these tables are about.
constexpr std::string_view kGame = "water-allocation";

constexpr const char* kStandIn =
    "'judge' is a rule agent that keeps a person's seat: nobody played.";
constexpr const char* kNobody =
    "matches under one of the paper's settings in which a person sat, in the browser or at the "
    "terminal";

/// The pseudonym of the person at a seat, or "judge" for what keeps one's; empty: an agent's seat.
std::string person_at(const agon::PlayedSeat& seat) {
  if (!seat.person.empty()) return std::string(seat.person);
  return seat.agent == kJudge ? std::string(kJudge) : std::string();
}

/// The games of one person under one setting.
struct Person {
  int games = 0;
  std::set<std::string> residents;
  agon::Sample survived, days, survivors, rsr_end;
  agon::Sample bids;  ///< dollars
  double highest = 0;
  std::int64_t replaced = 0;  ///< answers that were not the person's
};

/// By setting and team, then by pseudonym.
struct People {
  std::map<std::pair<int, std::string>, std::map<std::string, Person>> all;
  bool stands_in = false;  ///< a rule agent sat where a person can
};

People collect_people(const agon::PlayedMatches& matches) {
  People people;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto setting = paper_setting(match);
    if (!setting) return;
    for (const agon::PlayedSeat& seat : match.seats()) {
      const std::string name = person_at(seat);
      if (name.empty()) continue;
      people.stands_in = people.stands_in || seat.person.empty();
      Person& person = people.all[{*setting, shared::agents_of(match)}][name];
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
  if (people.all.empty()) throw agon::LacksData{kNobody};
  return people;
}

/// Bids of one person under one setting, day by day.
using PersonDays = std::vector<agon::Sample>;

/// What judges gave, by dimension.
struct GivenRatings {
  std::array<std::vector<double>, judging::kDimensions> records, own;
  std::set<std::string> judges;  ///< pseudonyms, and names of agents that are no people
  bool by_agents = false;        ///< agents gave some of them
};

/// The settings of a match that asks for ratings, as far as they say what is rated.
struct RatingSettings {
  std::vector<judging::RecordToRate> records;
};
AGON_DESCRIBE(RatingSettings, (records, "what is judged"))

/// The keys of the records of this game among those that a match has judged.
std::set<std::string, std::less<>> own_records(std::string_view settings) {
  // As 'agon judge' begins each record.
  const std::string begins = fmt::format("Game: {}\n", kGame);
  std::set<std::string, std::less<>> keys;
  const auto read = agon::read_back<RatingSettings>(settings);
  for (const judging::RecordToRate& record : read->records)
    if (record.text.starts_with(begins)) keys.insert(record.key);
  return keys;
}

/// Of the matches of the game that asks for ratings, those that count in 'agon judge' too: of own
/// play what people say, and the first rating of a record by each judge. Records of other games are
/// left out.
GivenRatings collect_ratings(const agon::PlayedMatches& matches) {
  GivenRatings given;
  std::set<std::pair<std::string, std::string>> seen;  // what was rated, by whom
  std::string settings;
  std::set<std::string, std::less<>> ours;  // of these settings
  matches.each([&](const agon::PlayedMatch& match) {
    if (match.game() == kGame || match.seats().empty()) return;
    if (settings != match.settings()) {
      settings = match.settings();
      ours = own_records(settings);
    }
    const agon::PlayedSeat& judge = match.seats().front();
    const bool is_person = !judge.person.empty();
    agon::each_said<judging::kRated>(match, [&](const judging::RatedRecord& rated) {
      const bool own = rated.record == judging::kOwnPlay;
      if (own ? !is_person : !ours.contains(rated.key)) return;
      std::array<std::optional<int>, judging::kDimensions> ratings;
      for (std::size_t d = 0; d < ratings.size(); ++d)
        ratings[d] = judging::rating_at(rated.ratings, d);
      if (ratings == decltype(ratings)()) return;
      const std::string name(is_person ? judge.person : judge.agent);
      if (!seen.emplace(own ? judging::kOwnPlay : rated.key, name).second) return;
      auto& into = own ? given.own : given.records;
      for (std::size_t d = 0; d < ratings.size(); ++d)
        if (ratings[d]) into[d].push_back(*ratings[d]);
      given.by_agents = given.by_agents || !is_person;
      given.judges.insert(name);
    });
  });
  return given;
}

agon::TableCell rating_cell(double value, double n, double published = agon::kNothing) {
  return {.ours = {.value = value, .n = n}, .published = published};
}

/// Who gave the ratings; empty: nobody.
std::string judges_note(const GivenRatings& given) {
  if (given.judges.empty()) return {};
  std::string names;
  for (const std::string& judge : given.judges) names += (names.empty() ? "" : ", ") + judge;
  return "Ratings here are by: " + names +
         (given.by_agents ? " (agents among them, which are no people)." : ".");
}

}  // namespace

agon::PaperTable people_games(const agon::PlayedMatches& matches) {
  const auto [all, stands_in] = collect_people(matches);
  agon::PaperTable table;
  table.corner = "person";
  table.columns = {"games",          "alive at the end", "days lived",  "survivors",
                   "RSR at the end", "mean bid",         "highest bid", "not answered"};
  table.units = {"games", "share", "days", "residents", "ratio", "dollars", "dollars", "bids"};
  table.plots = {{.columns = {2}}, {.columns = {4}}, {.columns = {5}}};
  for (const auto& [key, people] : all) {
    shared::add_heading(table, setting_label(key.first, key.second));
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
  if (stands_in) table.notes.emplace_back(kStandIn);
  return table;
}

agon::PaperTable people_bids(const agon::PlayedMatches& matches) {
  std::map<std::pair<int, std::string>, std::map<std::string, PersonDays>> all;
  std::size_t most = 0;
  bool stands_in = false;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto setting = paper_setting(match);
    if (!setting) return;
    std::map<std::string_view, std::string> people;  // by name of the resident
    for (const agon::PlayedSeat& seat : match.seats())
      if (std::string name = person_at(seat); !name.empty()) {
        stands_in = stands_in || seat.person.empty();
        people[seat.name] = std::move(name);
      }
    if (people.empty()) return;
    auto& under = all[{*setting, shared::agents_of(match)}];
    agon::each_said<kDay>(match, [&](const Day& day) {
      if (day.day < 1 || day.day > kMaxDays) return;
      const auto number = static_cast<std::size_t>(day.day);
      for (const ResidentDay& resident : day.residents) {
        const auto person = people.find(resident.name);
        if (person == people.end()) continue;
        PersonDays& days = under[person->second];
        if (days.size() < number) days.resize(number);
        most = std::max(most, number);
        if (resident.bid)
          days[number - 1].add(shared::block_of(match), agon::to_double(*resident.bid));
      }
    });
  });
  if (all.empty()) throw agon::LacksData{kNobody};
  agon::PaperTable table;
  table.corner = "bid";
  table.curves = {.x = "day", .y = "bid", .unit = "dollars"};
  for (std::size_t day = 1; day <= most; ++day) table.columns.push_back(fmt::format("day {}", day));
  for (const auto& [key, people] : all) {
    shared::add_heading(table, setting_label(key.first, key.second));
    for (const auto& [name, days] : people) {
      agon::TableRow& row = table.rows.emplace_back();
      row.label = "  " + name;
      row.cells.resize(most);
      for (std::size_t day = 0; day < days.size(); ++day)
        if (!days[day].empty()) row.cells[day] = shared::number(days[day].mean(0.95).value, 2);
    }
  }
  table.notes = {
      "What each person bid on each day, in dollars, until the last day or the person's death; a "
      "mean where the person played several games of the setting. The paper shows the games of its "
      "judges as curves without numbers."};
  if (stands_in) table.notes.emplace_back(kStandIn);
  return table;
}

agon::PaperTable judges_ratings(const agon::PlayedMatches& matches) {
  int seats = 0, with_persona = 0;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto setting = paper_setting(match);
    if (!setting) return;
    const int here = static_cast<int>(match.seats().size());
    seats += here;
    if (kPaperSettingList[static_cast<std::size_t>(*setting)].persona) with_persona += here;
  });
  const GivenRatings given = collect_ratings(matches);
  if (seats == 0 && given.judges.empty()) throw agon::LacksData{kNoPaperSetting};
  agon::PaperTable table;
  table.corner = "dimension";
  table.columns = {"agents: mean", "sd", "judges' own play: mean", "sd", "seats to judge"};
  table.units = {"rating", "rating", "rating", "rating", "seats"};
  table.plots = {{.how = agon::TablePlot::How::bars, .columns = {0, 2}, .deviations = {1, 3}}};
  const shared::PublishedTable& printed = published("alympics/table-3");
  for (std::size_t d = 0; d < judging::kDimensions; ++d) {
    const std::string dimension(judging::dimensions()[d].name);
    const std::span<const double> paper = printed.row(dimension);
    agon::TableRow row{dimension, {}};
    for (std::size_t group = 0; group < 2; ++group) {
      const agon::Spread s = agon::spread(group == 0 ? given.records[d] : given.own[d]);
      row.cells.push_back(rating_cell(s.mean, s.n, paper[2 * group]));
      row.cells.push_back(rating_cell(s.deviation, s.n, paper[2 * group + 1]));
    }
    const bool identity = d + 1 == judging::kDimensions;
    row.cells.push_back(shared::number(identity ? with_persona : seats, 0));
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Ratings from 1 to 5 that models, and people in the browser, gave in matches of this "
      "archive, of records of this game; n: ratings. Of own play, those of people; of a record, "
      "each "
      "judge's first. Forms on paper or in a spreadsheet are no matches: 'agon judge ARCHIVE "
      "--forms FORMS...' reads both, beside the same published figures, with intervals, by agent, "
      "by identity and by judge.",
      "Published: 10 judges, 30 records (15 with personas), 5 judges a record; identity alignment "
      "is of records with personas alone. Seats to judge: of finished matches, for identity "
      "alignment those with personas; a number of seats and no rating."};
  if (std::string who = judges_note(given); !who.empty()) table.notes.push_back(std::move(who));
  return table;
}

agon::PaperTable ratings_spread(const agon::PlayedMatches& matches) {
  const GivenRatings given = collect_ratings(matches);
  if (given.judges.empty())
    throw agon::LacksData{
        "ratings: matches in which people rate their own play, or records of this game "
        "(judges.json, which 'agon judge' writes)"};
  agon::PaperTable table;
  table.corner = "dimension";
  table.columns = {"low", "lower quartile", "median", "upper quartile", "high", "mean"};
  table.units = {"rating"};
  table.plots = {{.how = agon::TablePlot::How::boxes, .columns = {0, 1, 2, 3, 4, 5}}};
  for (std::size_t d = 0; d < judging::kDimensions; ++d) {
    shared::add_heading(table, std::string(judging::dimensions()[d].name));
    for (const auto& [label, ratings] :
         {std::pair("  agents", &given.records[d]), std::pair("  own play", &given.own[d])}) {
      const agon::Spread s = agon::spread(*ratings);
      agon::TableRow row{label, {}};
      for (const double value :
           {s.low, s.lower_quartile, s.median, s.upper_quartile, s.high, s.mean})
        row.cells.push_back(rating_cell(value, s.n));
      table.rows.push_back(std::move(row));
    }
  }
  published("alympics/figure-5").fill(table);
  table.notes = {
      "What judges gave the records of agents, and what they gave their own play, from 1 to 5; n: "
      "ratings. Quartiles interpolate between ratings (type 7).",
      "Published: quartiles and means of the paper's judges; of their own play the paper prints "
      "means alone.",
      judges_note(given)};
  return table;
}

void add_judges_tables(agon::Registry& registry) {
  static constexpr const char* kFigure10 = "papers/alympics/figure-10.json";
  shared::add_paper_tables(
      registry, "water-allocation",
      {{"alympics/figure-10", "games of people, person by person",
        "Mao et al., Alympics, figure 10", kFigure10, &people_games},
       {"alympics/figure-10-bids", "bids of people by day, person by person",
        "Mao et al., Alympics, figure 10", kFigure10, &people_bids, true},
       {"alympics/table-3", "ratings by judges of agents, and of their own play",
        "Mao et al., Alympics, table 3", "papers/alympics/table-2.json", &judges_ratings, true,
        "play-rating"},
       {"alympics/figure-5", "ratings of agents beside those of the judges' own play",
        "Mao et al., Alympics, figure 5", kFigure10, &ratings_spread, true, "play-rating"}});
}

}  // namespace water_allocation
