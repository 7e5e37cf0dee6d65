#include "english-auction/tables/auction.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "english-auction/items.hpp"
#include "shared/tables.hpp"

namespace english_auction {

std::string PlayedAuction::budget() const {
  const auto [low, high] =
      std::minmax_element(bidders.begin(), bidders.end(),
                          [](const Bidder& a, const Bidder& b) { return a.budget < b.budget; });
  const auto dollars = [](agon::Money m) {
    return fmt::format("{:g}", static_cast<double>(m.cents) / 100);
  };
  return low->budget == high->budget ? dollars(low->budget)
                                     : dollars(low->budget) + "-" + dollars(high->budget);
}

bool PlayedAuction::one_agent() const {
  const auto seats = match.seats();
  return std::all_of(seats.begin(), seats.end(),
                     [&](const agon::PlayedSeat& s) { return s.agent == seats[0].agent; });
}

bool PlayedAuction::has_all_plannings() const {
  std::set<Planning> seen;
  for (const Bidder& bidder : bidders) seen.insert(bidder.planning);
  return bidders.size() == 3 && seen.size() == 3;
}

std::string PlayedAuction::fixed_places() const {
  std::string places;
  for (std::size_t i = 0; i < settings.order.size(); ++i)
    if (settings.order[i] != "*")
      places += fmt::format("{}{} {}", places.empty() ? "" : ", ", settings.order[i], i + 1);
  return places;
}

int PlayedAuction::seat_of(std::string_view bidder) const {
  for (std::size_t s = 0; s < bidders.size(); ++s)
    if (bidders[s].name == bidder) return static_cast<int>(s);
  return -1;
}

void each_auction(const agon::PlayedMatches& matches,
                  const std::function<void(const PlayedAuction&)>& each) {
  // Matches of a scenario come one after the other and share their settings.
  std::string last;
  Settings settings;
  matches.each([&](const agon::PlayedMatch& match) {
    if (last != match.settings()) {
      settings = Settings();
      if (const auto problem = agon::read_json(settings, match.settings(), agon::Missing::keeps))
        throw agon::Error(agon::ErrorKind::invalid,
                          "the settings of a match cannot be read: " + problem->text(), {},
                          "make the table with the version of the game that played the matches");
      last = match.settings();
    }
    if (settings.seller) return;  // no paper's auction has one
    std::vector<Bidder> bidders = bidders_at_seats(settings);
    if (bidders.size() != match.seats().size())
      throw agon::Error(agon::ErrorKind::invalid,
                        fmt::format("a match has {} seats, and its settings {} bidders",
                                    match.seats().size(), bidders.size()),
                        {}, "take a copy of the archive from before it was changed");
    each({match, settings, std::move(bidders), shared::block_of(match)});
  });
}

std::string_view name_of(Planning planning) {
  return planning == Planning::none ? "none" : planning == Planning::once ? "static" : "adaptive";
}

std::string_view name_of(Desire desire) {
  switch (desire) {
    case Desire::profit:
      return "profit";
    case Desire::items:
      return "items";
    case Desire::specific_items:
      return "specific items";
    case Desire::spite:
      return "spite";
    case Desire::shill:
      return "shill";
    case Desire::absent:
      break;
  }
  return "absent";
}

std::vector<HammerFall> sales(const PlayedAuction& auction) {
  std::vector<HammerFall> all;
  for (const agon::PlayedEntry& entry : auction.match.entries()) {
    if (entry.what != agon::PlayedEntry::What::event || entry.name != "hammer") continue;
    const agon::JsonDocument document(entry.json, "record");
    const agon::JsonNode sale = document.root();
    HammerFall& fall = all.emplace_back();
    if (sale["winner"].kind() == agon::JsonNode::Kind::null) continue;
    fall.winner = auction.seat_of(sale["winner"].text());
    fall.price = sale["price"].number();
  }
  return all;
}

}  // namespace english_auction
