#include "shared/day_curves.hpp"

#include <agon/json_reader.hpp>
#include <map>
#include <string>

#include "shared/mean_curves.hpp"
#include "shared/tables.hpp"

namespace shared::drought {
namespace {

/// The last day of matches that come one after the other, read once for those that share settings.
class LastDay {
 public:
  std::size_t of(const agon::PlayedMatch& match) {
    if (days_ == 0 || known_ != match.settings()) {
      known_ = match.settings();
      const agon::JsonDocument document(known_, "settings");
      days_ = static_cast<std::size_t>(document.root()["days"].whole(1, 10'000));
    }
    return days_;
  }

 private:
  std::string known_;
  std::size_t days_ = 0;
};

/// An evening of one resident.
struct Evening {
  bool alive = false;
  double balance = 0;
};

/// Calls `each` with every match, and by name and day (from 1) the evenings of those who lived that
/// morning.
template <class Each>
void each_town(const agon::PlayedMatches& matches, Each each) {
  matches.each([&](const agon::PlayedMatch& match) {
    std::map<std::string, std::map<std::size_t, Evening>, std::less<>> town;
    for (const agon::PlayedEntry& entry : match.entries()) {
      if (entry.what != agon::PlayedEntry::What::event || entry.name != "day") continue;
      const agon::JsonDocument document(entry.json, "record");
      const auto day = static_cast<std::size_t>(document.root()["day"].whole(1, 10'000));
      const agon::JsonNode residents = document.root()["residents"];
      for (std::size_t r = 0; r < residents.size(); ++r)
        town[std::string(residents[r]["name"].text())][day] = {residents[r]["hp"].number() > 0,
                                                               residents[r]["balance"].number()};
    }
    if (!town.empty()) each(match, town);
  });
}

constexpr const char* kLacks = "recorded matches";

agon::PaperTable survival(const agon::PlayedMatches& matches) {
  MeanCurves curves;
  LastDay last;
  each_town(matches, [&](const agon::PlayedMatch& match, const auto& town) {
    const std::string heading = scenario_of(match), block = block_of(match);
    for (const agon::PlayedSeat& seat : match.seats()) {
      const auto evenings = town.find(seat.name);
      if (evenings == town.end()) continue;
      const std::size_t first = evenings->second.begin()->first;
      for (std::size_t day = first; day <= last.of(match); ++day) {
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

agon::PaperTable balances(const agon::PlayedMatches& matches) {
  MeanCurves curves;
  each_town(matches, [&](const agon::PlayedMatch& match, const auto& town) {
    const std::string heading = scenario_of(match), block = block_of(match);
    for (const agon::PlayedSeat& seat : match.seats())
      if (const auto evenings = town.find(seat.name); evenings != town.end())
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

}  // namespace

void add_day_tables(agon::Registry& registry, std::string_view game, std::string_view survival_id,
                    std::string_view balances_id) {
  registry.add(own_table(survival_id, "who is alive, day by day", game, &survival));
  registry.add(own_table(balances_id, "money of those who are alive, day by day", game, &balances));
}

}  // namespace shared::drought
