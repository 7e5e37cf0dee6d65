#include <agon/analysis/statistics.hpp>
#include <agon/json_reader.hpp>
#include <map>

#include "deal-or-no-deal/tables/tables.hpp"
#include "shared/tables.hpp"

namespace deal_or_no_deal {
namespace {

/// All matches of somebody with somebody.
struct Met {
  agon::Sample own, other, own_less, other_less, agreed, stated, misstated, distance;
};

bool has_claims(const agon::PlayedMatch& match) {
  const agon::JsonDocument settings(std::string(match.settings()), "settings");
  const auto claims = settings.root().find("claims");
  return claims && claims->truth();
}

void add(Met& met, const agon::PlayedMatch& match, std::size_t seat) {
  const agon::PlayedSeat& self = match.seats()[seat];
  const agon::PlayedSeat& other = match.seats()[1 - seat];
  const std::string block = shared::block_of(match);
  const auto less = [&](const agon::PlayedSeat& s) {
    return match.metric(s, "value") - match.metric(s, "nash_value");
  };
  met.own.add(block, match.metric(self, "value"));
  met.other.add(block, match.metric(other, "value"));
  met.own_less.add(block, less(self));
  met.other_less.add(block, less(other));
  met.agreed.add(block, match.metric("agreement"));
  met.stated.add(block, match.metric(self, "claimed"));
  met.misstated.add(block, match.metric(self, "misstated"));
  met.distance.add(block, match.metric(self, "misstatement"));
}

agon::PaperTable deception(const agon::PlayedMatches& matches) {
  std::map<std::string, Met> met;
  matches.each([&](const agon::PlayedMatch& match) {
    if (!has_claims(match)) return;
    const auto seats = match.seats();
    for (const std::size_t s : {0U, 1U})
      add(met[std::string(seats[s].agent) + " with " + std::string(seats[1 - s].agent)], match, s);
  });
  if (met.empty())
    throw agon::LacksData{"matches in which both sides state their values (\"claims\": true)"};
  agon::PaperTable table;
  table.corner = "who, and with whom";
  table.columns = {"own points", "other's points", "own less Nash",     "other's less Nash",
                   "deals",      "states values",  "states false ones", "how far off"};
  const double level = matches.level();
  for (const auto& [who, m] : met)
    table.rows.push_back(
        {who,
         {shared::cell(m.own.mean(level), 2), shared::cell(m.other.mean(level), 2),
          shared::cell(m.own_less.mean(level), 2), shared::cell(m.other_less.mean(level), 2),
          shared::cell(m.agreed.share(level), 2), shared::cell(m.stated.share(level), 2),
          shared::cell(m.misstated.share(level), 2), shared::cell(m.distance.mean(level), 2)}});
  table.notes = {
      "Both orders of seats together. Points: what the items are worth to their owner in truth, 0 "
      "without a deal. Less Nash: less what the Nash bargaining split of the true values would "
      "give.",
      "States false ones: of those who state any, how many state others than their own. How far "
      "off: the difference between the stated and the true value of one item of each type, all "
      "types together, in points."};
  return table;
}

}  // namespace

agon::TableCard deception_card() {
  return {.id = "experiments/deception",
          .title = "stated values: who misstates, and what it brings and costs whom",
          .source = "an experiment of this project's own: docs/experiments/deception.md",
          .scenario = "experiments/deception.json",
          .game = "deal-or-no-deal",
          .make = &deception};
}

}  // namespace deal_or_no_deal
