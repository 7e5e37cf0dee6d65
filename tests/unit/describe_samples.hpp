#pragma once

#include <agon/describe.hpp>
#include <agon/inline_list.hpp>
#include <agon/limits.hpp>
#include <map>

/// Described structs of every kind, for the tests of what is made from descriptions.
namespace describe_samples {

enum class Mood { calm, keen, cross };
AGON_DESCRIBE_ENUM(Mood, (calm, "waits"), (keen, "hurries"), (cross, "walks out"))

struct Item {
  std::string name = "lamp";
  agon::Money price{1250};
  std::optional<int> pieces;
};
AGON_DESCRIBE(Item, (name, "what it is", agon::length(1, 20)),
              (price, "what it costs", agon::range(0, 100000), agon::unit("dollars")),
              (pieces, "how many, if known", agon::range(1, 9), agon::unit("pieces")))

struct Offer {
  int give = 0;
  std::vector<int> keep;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over", agon::range(0, 10), agon::unit("coins")),
              (keep, "items you keep", agon::range(0, 5), agon::length(0, 3)))
struct Agree {};
AGON_DESCRIBE(Agree)
struct WalkAway {
  std::string why;
};
AGON_DESCRIBE(WalkAway, (why, "your reason", agon::length(0, 12)))

struct Everything {
  bool flag = false;
  int whole = 5;
  std::int64_t large = 0;
  std::uint8_t small = 0;
  double real = 0.5;
  agon::Money amount{100};
  std::string words = "none";
  Mood mood = Mood::keen;
  std::optional<agon::Money> maybe;
  std::vector<Item> items;
  std::array<int, 3> three{};
  agon::InlineList<int, 4> few;
  std::map<std::string, double> by_name;
  std::variant<Offer, Agree, WalkAway> action;
  std::optional<Item> gift;
  std::vector<std::string> lines;
  std::vector<std::vector<int>> grid;
};
AGON_DESCRIBE(Everything, (flag, "yes or no"), (whole, "a number", agon::range(-5, 50)),
              (large, "any integer"), (small, "a byte"), (real, "a share", agon::range(0, 1)),
              (amount, "money", agon::range(-500, 500000), agon::unit("dollars")),
              (words, "a text", agon::length(1, 30)), (mood, "how it feels"),
              (maybe, "money or nothing", agon::at_least(0)),
              (items, "a list of structs", agon::length(0, 3)), (three, "three numbers"),
              (few, "at most four", agon::range(0, 99)),
              (by_name, "a number by name", agon::range(0, 1)), (action, "one of several"),
              (gift, "perhaps an item"), (lines, "texts", agon::length(0, 2)),
              (grid, "lists of numbers", agon::length(0, 2)))

inline const std::vector<std::string_view> kNames{"Ann", "Bo", "Cy"};

inline const std::vector<int> kMost{2, 0, 1};

/// Sets of limits to draw under; the first is empty.
inline std::vector<std::vector<agon::LimitData>> limit_sets() {
  using namespace agon;
  return {
      {},
      {limit(&Everything::whole, 3, 4).data, limit(&Everything::real, 0, 0).data,
       limit(&Everything::amount, Money{1}, Money{3}).data,
       allow_if(&Everything::flag, {true, false}).data,
       allow_if(&Everything::mood, {false, false, true}).data,
       keys(&Everything::by_name, kNames).data, one_of(&Everything::words, kNames).data,
       presence(&Everything::maybe, false, true).data,
       presence(&Everything::gift, true, false).data, allow<Offer>(&Everything::action).data,
       limit(&Everything::action, &Offer::give, 2, 2).data,
       limit_each(&Everything::action, &Offer::keep, kMost).data,
       limit(&Everything::items, &Item::pieces, 4, 5).data,
       limit_length(&Everything::few, 2, 3).data},
      {allow<Agree, WalkAway>(&Everything::action).data,
       presence(&Everything::gift, false, true).data,
       limit(&Everything::gift, &Item::price, Money{5}, Money{7}).data,
       limit_length(&Everything::items, 1, 2).data, limit_length(&Everything::words, 1, 2).data},
  };
}

}  // namespace describe_samples
