#include "external/check_shapes.hpp"

#include <agon/money.hpp>
#include <array>
#include <map>
#include <optional>
#include <variant>

namespace agon::external {

struct Numbers {
  int whole = 3;
  double real = 0;
  Money price{};
};
AGON_DESCRIBE(Numbers, (whole, "a whole number", unit("coins")),
              (real, "any number in its range", range(-1.5, 2.5)), (price, "an amount of money"))

struct YesNo {
  bool yes = false;
};
AGON_DESCRIBE(YesNo, (yes, "whether you would"))

struct Words {
  std::string text;
  std::string name;
};
AGON_DESCRIBE(Words, (text, "a few words"), (name, "one of the others"))

enum class Colour : std::uint8_t { red, green, blue };
AGON_DESCRIBE_ENUM(Colour, (red, "not to be had now"), (green, "like grass"),
                   (blue, "like the sea"))
struct Choice {
  Colour colour = Colour::green;
};
AGON_DESCRIBE(Choice, (colour, "the one you like"))

struct Maybe {
  std::optional<int> bid;
  std::optional<int> must;
};
AGON_DESCRIBE(Maybe, (bid, "null: no bid"), (must, "a number, here and now"))

struct Lists {
  std::vector<int> keep;
  std::vector<std::string> names;
};
AGON_DESCRIBE(Lists, (keep, "how many of each", at_least(0)), (names, "some names", length(0, 20)))

struct Point {
  int x = 0;
  int y = 0;
};
AGON_DESCRIBE(Point, (x, "to the right", range(0, 9)), (y, "upwards", range(0, 9)))
struct Shapes {
  Point from;
  std::vector<Point> way;
};
AGON_DESCRIBE(Shapes, (from, "where you begin"), (way, "over which points", length(0, 4)))

struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))
struct Agree {};
AGON_DESCRIBE(Agree)
struct WalkAway {};
AGON_DESCRIBE(WalkAway)
struct Act {
  std::variant<Offer, Agree, WalkAway> action;
};
AGON_DESCRIBE(Act, (action, "what you do"))

struct Beliefs {
  std::map<std::string, int> profits;
};
AGON_DESCRIBE(Beliefs, (profits, "what each of the others has won so far"))

std::vector<Shape> shapes() {
  // All the same: a schema cannot say more of a list than what holds for every element.
  static constexpr std::array<int, 3> kCounts{3, 3, 3};
  static constexpr std::array<std::string_view, 2> kOthers{"Ann", "Zoë \"Z\" Łuk"};
  std::vector<Shape> all;
  all.push_back(
      {"numbers",
       "numbers",
       &type_of<Numbers>(),
       {limit(&Numbers::whole, 3, 5).data, limit(&Numbers::price, Money{250}, Money{1075}).data}});
  all.push_back({"yes or no", "yes-no", &type_of<YesNo>()});
  all.push_back({"texts",
                 "words",
                 &type_of<Words>(),
                 {limit_length(&Words::text, 0, 12).data, one_of(&Words::name, kOthers).data}});
  all.push_back({"a choice",
                 "choice",
                 &type_of<Choice>(),
                 {allow_if(&Choice::colour, {false, true, true}).data}});
  all.push_back({"what may be null",
                 "maybe",
                 &type_of<Maybe>(),
                 {limit(&Maybe::bid, 1, 4).data, limit(&Maybe::must, 1, 4).data,
                  presence(&Maybe::must, false, true).data}});
  all.push_back({"lists", "lists", &type_of<Lists>(), {limit_each(&Lists::keep, kCounts).data}});
  all.push_back({"structures", "shapes", &type_of<Shapes>()});
  all.push_back(
      {"one of several actions",
       "act",
       &type_of<Act>(),
       {allow<Offer, WalkAway>(&Act::action).data, limit(&Act::action, &Offer::give, 2, 8).data}});
  all.push_back({"a map",
                 "beliefs",
                 &type_of<Beliefs>(),
                 {keys(&Beliefs::profits, kOthers).data, limit(&Beliefs::profits, -9, 9).data}});
  return all;
}

OwnedQuestion question_of(const Shape& shape, std::uint32_t number) {
  OwnedQuestion q;
  q.game = "check-agent";
  q.title = "A check of the agent";
  q.rules = "Answer every question as its schema says.";
  q.match = "check";
  q.seat = 1;
  q.seat_name = "Bo";
  q.seat_names = {"Ann", "Bo", "Zoë \"Z\" Łuk"};
  q.stage = shape.stage;
  q.stage_doc = "Answer with " + shape.what + ".";
  q.number = number;
  q.view_json = "{\"round\":" + std::to_string(number) + "}";
  q.facts_json = "null";
  q.answer_type = shape.type;
  q.limits = OwnedLimits(shape.limits);
  q.dice_key = 20261120;
  q.dice_place = number;
  return q;
}

}  // namespace agon::external
