#include "english-auction/items.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace english_auction {

namespace {

constexpr std::string_view kPool[] = {
    "Widget A",     "Gadget B",    "Thingamajig C", "Doodad D",    "Equipment E", "Gizmo F",
    "Implement G",  "Apparatus H", "Contraption I", "Mechanism J", "Tool K",      "Device L",
    "Instrument M", "Utensil N",   "Appliance O",   "Machine P",   "Unit Q",      "Element R",
    "Component S",  "Piece T",     "Object U",      "Item V",      "Product W",   "Accessory X",
    "Module Y",     "Entity Z"};

bool is_expensive(char letter) {
  return letter == 'E' || letter == 'J' || letter == 'P' || letter == 'R';
}

std::size_t size_of(Arena arena) {
  switch (arena) {
    case Arena::demo:
      return 5;
    case Arena::ten:
      return 10;
    case Arena::twenty:
      return 20;
    case Arena::pool:
      break;
  }
  return std::size(kPool);
}

}  // namespace

std::vector<Item> item_pool() {
  std::vector<Item> items;
  for (const std::string_view name : kPool) {
    const std::int64_t scale = is_expensive(name.back()) ? 5000 : 1000;
    items.push_back({std::string(name), agon::major(scale), agon::major(2 * scale)});
  }
  return items;
}

std::vector<Item> items_for_sale(const Settings& settings) {
  if (!settings.items.empty()) return settings.items;
  std::vector<Item> items = item_pool();
  items.resize(size_of(settings.arena));
  return items;
}

std::vector<Bidder> bidders_at_seats(const Settings& settings) {
  std::vector<Bidder> bidders = settings.bidders;
  if (bidders.empty())
    for (int seat = 0; seat < settings.seats; ++seat) {
      bidders.push_back(settings.everyone);
      bidders.back().name.clear();  // one name cannot serve several seats
    }
  for (std::size_t seat = 0; seat < bidders.size(); ++seat) {
    if (bidders[seat].name.empty()) bidders[seat].name = fmt::format("Bidder {}", seat + 1);
    if (seat < settings.desires.size()) bidders[seat].desire = settings.desires[seat];
    if (bidders[seat].desire != Desire::absent) continue;
    bidders[seat].budget = agon::Money{0};
    bidders[seat].planning = Planning::none;
    bidders[seat].beliefs = bidders[seat].learning = false;
  }
  return bidders;
}

bool is_wanted(const Bidder& bidder, const Item& item) {
  return std::find(bidder.wanted.begin(), bidder.wanted.end(), item.name) != bidder.wanted.end();
}

}  // namespace english_auction
