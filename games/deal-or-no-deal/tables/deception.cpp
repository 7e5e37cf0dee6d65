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

/// How the sides stated their values; "none": they did not.
std::string order_of(const agon::PlayedMatch& match) {
  const agon::JsonDocument settings(std::string(match.settings()), "settings");
  const auto claims = settings.root().find("claims");
  return claims ? std::string(claims->text()) : "none";
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
  std::map<std::pair<std::string, std::string>, Met> met;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string order = order_of(match);
    if (order == "none") return;
    const auto seats = match.seats();
    for (const std::size_t s : {0U, 1U}) {
      const std::string place = order == "at_once" ? "" : s == 0 ? " first" : " second";
      const std::string who =
          std::string(seats[s].agent) + place + ", with " + std::string(seats[1 - s].agent);
      add(met[{order == "at_once" ? "values stated at once" : "values stated in turn", who}], match,
          s);
    }
  });
  if (met.empty())
    throw agon::LacksData{
        "matches in which both sides state their values (the setting \"claims\")"};
  agon::PaperTable table;
  table.corner = "who, and with whom";
  table.columns = {"own points", "other's points", "own less Nash",     "other's less Nash",
                   "deals",      "states values",  "states false ones", "how far off"};
  const double level = matches.level();
  std::string heading;
  for (const auto& [place, m] : met) {
    if (place.first != heading) {
      heading = place.first;
      table.rows.push_back({heading, std::vector<agon::TableCell>(table.columns.size())});
    }
    table.rows.push_back(
        {"  " + place.second,
         {shared::cell(m.own.mean(level), 2), shared::cell(m.other.mean(level), 2),
          shared::cell(m.own_less.mean(level), 2), shared::cell(m.other_less.mean(level), 2),
          shared::cell(m.agreed.share(level), 2), shared::cell(m.stated.share(level), 2),
          shared::cell(m.misstated.share(level), 2), shared::cell(m.distance.mean(level), 2)}});
  }
  table.notes = {
      "Points: what the items are worth to their owner in truth, 0 "
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
