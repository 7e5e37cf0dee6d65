#include "ebay/tables/groups.hpp"

#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <map>
#include <tuple>

#include "ebay/settings.hpp"
#include "shared/tables.hpp"

namespace ebay {

namespace {

Auction auction_of(const agon::PlayedMatch& match) {
  Auction a;
  a.block = shared::block_of(match);
  a.price = match.metric("price") / 100;
  a.revenue = match.metric("revenue") / 100;
  a.sold = match.metric("sold");
  a.efficient = match.metric("efficient");
  a.surplus_share = match.metric("surplus_share");
  a.final_bid_day = match.metric("final_bid_day");
  a.days = match.metric("days");
  a.last_day_share = match.metric("last_day_share");
  return a;
}

}  // namespace

std::string Group::label(bool with_bidders) const {
  std::string text = fmt::format("T{}", number);
  if (reserve > 0) text += fmt::format(" r={:g}", reserve);
  return with_bidders ? text + " " + bidders : text;
}

std::vector<Group> groups_of(const agon::PlayedMatches& matches) {
  std::map<std::tuple<int, std::int64_t, std::string>, Group> groups;
  matches.each([&](const agon::PlayedMatch& match) {
    const auto settings = shared::settings_of<Settings>(match);
    if (!settings || settings->days != 10 || settings->bidders.size() != 3) return;
    const agon::Money reserve = settings->reserve.value_or(agon::Money{});
    const int number = 1 + (settings->soft_close ? 1 : 0) + (settings->reserve ? 2 : 0);
    const std::string bidders = shared::agents_of(match);
    Group& group = groups[{number, reserve.cents, bidders}];
    group.number = number;
    group.reserve = static_cast<double>(reserve.cents) / 100;
    group.bidders = bidders;
    group.auctions.push_back(auction_of(match));
  });
  if (groups.empty()) throw agon::LacksData{"auctions of three bidders over ten days"};
  std::vector<Group> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  return sorted;
}

bool differ_in_bidders(const std::vector<Group>& groups) {
  for (const Group& group : groups)
    if (group.bidders != groups.front().bidders) return true;
  return false;
}

agon::Figure estimate(const Group& group, const std::function<double(const Auction&)>& value,
                      double level, bool share) {
  agon::Sample sample;
  for (const Auction& auction : group.auctions) sample.add(auction.block, value(auction));
  return share ? sample.share(level) : sample.mean(level);
}

}  // namespace ebay
