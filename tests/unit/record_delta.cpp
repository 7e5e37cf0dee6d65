// Texts that are stored as what differs from others, and the views of records that are.

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "record/delta.hpp"
#include "record/record.hpp"

using namespace agon::record;

namespace {

constexpr std::size_t kLongestText = std::size_t{1} << 20;

/// What `delta` makes of `base`; "damaged" if nothing.
std::string applied(std::string_view base, std::string_view delta,
                    std::size_t most = kLongestText) {
  std::string text;
  return apply_delta(base, delta, most, text) ? text : "damaged";
}

std::string random_text(agon::Dice& dice, std::size_t bytes, int letters) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i)
    text += static_cast<char>('a' + dice.below(static_cast<std::uint64_t>(letters)));
  return text;
}

/// A view that shows all that came before: of a round.
std::string growing_view(int round, std::string_view name = "all") {
  std::string view = R"({"round":)" + std::to_string(round) + R"(,"past":[)";
  for (int i = 0; i < round; ++i)
    view += (i > 0 ? "," : "") + std::string(R"({"seat":)") + std::to_string(i % 3) +
            R"(,"amount":)" + std::to_string(i * 7919 % 1000) + "}";
  return view + R"(],"left":)" + std::to_string(1000 - round) + R"(,"name":")" + std::string(name) +
         "\"}";
}

Asked asked_of(int round, int seat, std::string_view stage, const std::string& view) {
  static const int number = 5;
  Asked asked;
  asked.number = static_cast<std::uint32_t>(round);
  asked.seat = seat;
  asked.stage = stage;
  asked.answer_type = &agon::type_of<int>();
  asked.attempts.push_back({agon::Fault::ok, Form::json, "5", ""});
  encode(asked.answer, *asked.answer_type, &number);
  asked.view = view;
  return asked;
}

/// A record of a match of so many rounds, whose second seat alone waits.
std::string record_of(int rounds, bool whole_views = false) {
  Shapes shapes;
  Recorder recorder(2, shapes, whole_views);
  for (int round = 0; round < rounds; ++round)
    recorder.question(asked_of(round, 1, "bid", growing_view(round)));
  return recorder.take();
}

std::vector<std::string> views_of(std::string_view record) {
  std::vector<std::string> views;
  each_entry(record, [&](const Entry& entry) {
    views.emplace_back(entry.view);
    return true;
  });
  return views;
}

std::string problem_of(std::string_view record) {
  try {
    (void)views_of(record);
    return "";
  } catch (const agon::Error& error) {
    return error.problem();
  }
}

}  // namespace

TEST_CASE("delta: makes the text of its base, whatever they have in common") {
  agon::Dice dice(7);
  std::vector<std::string> texts{"",
                                 "a",
                                 std::string(15, 'x'),
                                 std::string(16, 'x'),
                                 std::string(5000, 'x'),
                                 growing_view(40),
                                 growing_view(41)};
  for (const int letters : {1, 2, 26}) {
    const std::string text = random_text(dice, 3000, letters);
    texts.push_back(text);
    texts.push_back(text.substr(100, 700) + "between" + text.substr(0, 90) + text.substr(2000));
    texts.push_back(random_text(dice, 40, letters) + text + random_text(dice, 40, letters));
    std::string changed = text;
    for (int i = 0; i < 20; ++i) changed[dice.below(changed.size())] = '#';
    texts.push_back(changed);
  }
  for (const std::string& base : texts)
    for (const std::string& text : texts) {
      const std::string made = delta(base, text);
      CHECK(applied(base, made) == text);
      CHECK(made == delta(base, text));
      // Never much longer than the text by itself.
      CHECK(made.size() <= text.size() + 8);
    }
}

TEST_CASE("delta: is as long as what is new, wherever that stands") {
  const std::string before = growing_view(500), after = growing_view(501);
  REQUIRE(before.size() > 10'000);
  CHECK(delta(before, after).size() < 80);
  CHECK(delta(before, before).size() < 8);
  // A change, and something that is added or left out, in each tenth; pieces that were moved.
  std::string changed = before, longer = before, shorter = before;
  for (std::size_t at = before.size() - 500; at > 1000; at -= before.size() / 10) {
    changed[at] = '#';
    longer.insert(at, "#1234");
    shorter.erase(at, 5);
  }
  for (const std::string& other : {changed, longer, shorter})
    CHECK(delta(before, other).size() < before.size() / 10);
  agon::Dice dice(8);
  const std::string random = random_text(dice, 9000, 26);
  CHECK(delta(random, random.substr(5000) + random.substr(0, 5000)).size() < 40);
  // Of a text that has nothing of the base nothing is saved.
  CHECK(delta(before, std::string(400, '#')).size() >= 400);
}

TEST_CASE("delta: a piece outside its base is refused") {
  const std::string base = growing_view(100), text = growing_view(110);
  const std::string made = delta(base, text);
  CHECK(applied(base, made, text.size()) == text);
  CHECK(applied(base, made, text.size() - 1) == "damaged");
  CHECK(applied(base.substr(0, base.size() / 2), made) == "damaged");
  CHECK(applied("", made) == "damaged");
  for (std::size_t size = 1; size < made.size(); ++size) {
    const std::string cut = applied(base, made.substr(0, size));
    CHECK((cut == "damaged" || cut != text));
  }
  std::string beyond;
  put_number(beyond, 0);
  put_number(beyond, 1);
  put_signed(beyond, static_cast<std::int64_t>(base.size()));
  CHECK(applied(base, beyond) == "damaged");
  std::string before;
  put_number(before, 0);
  put_number(before, 1);
  put_signed(before, -1);
  CHECK(applied(base, before) == "damaged");
  std::string far;
  put_number(far, 0);
  put_number(far, 1);
  put_signed(far, std::numeric_limits<std::int64_t>::min());
  CHECK(applied(base, far) == "damaged");
}

TEST_CASE("record: twice the rounds take twice the bytes, with views that show all that was") {
  const std::size_t once = record_of(400).size(), twice = record_of(800).size();
  CHECK(twice < once * 22 / 10);
  CHECK(twice > once * 18 / 10);
  // As whole views they take four times as many.
  CHECK(record_of(800, true).size() > record_of(400, true).size() * 35 / 10);
  CHECK(once * 20 < record_of(400, true).size());
}

TEST_CASE("record: views are read back as they were, and those of former records") {
  for (const bool whole : {false, true}) {
    const std::string record = record_of(300, whole);
    CHECK(record.substr(0, 4) == (whole ? "AGR\x01" : "AGR\x02"));
    const std::vector<std::string> views = views_of(record);
    REQUIRE(views.size() == 300);
    for (int round = 0; round < 300; ++round)
      CHECK(views[static_cast<std::size_t>(round)] == growing_view(round));
    const History history = read(record);
    CHECK(history.has_whole_views == whole);
    const History copy = history;
    for (int round = 0; round < 300; ++round)
      CHECK(copy.entries[static_cast<std::size_t>(round)].view == growing_view(round));
  }
}

TEST_CASE("record: a view is written against the last one of its seat at its stage") {
  Shapes shapes;
  Recorder recorder(7, shapes);
  std::vector<std::string> views;
  for (int round = 0; round < 60; ++round)
    for (int seat = 0; seat < 3; ++seat) {
      const std::string stage = round % 2 == 0 ? "bid" : "guess";
      // One without a view, and one that is too long to be written against, stand between.
      views.push_back(round == 20   ? ""
                      : round == 31 ? "\"" + std::string(kLongestBase, 'v') + "\""
                                    : growing_view(round, stage + std::to_string(seat)));
      recorder.question(asked_of(round, seat, stage, views.back()));
    }
  CHECK(views_of(recorder.bytes()) == views);
  // A cut record is a beginning, which has the same views.
  Recorder other(7, shapes);
  other.question(asked_of(0, 0, "bid", views[0]));
  other.question(asked_of(0, 1, "bid", views[1]));
  CHECK(recorder.bytes().starts_with(other.bytes()));
  // An agent that answers at once has no views, and its records are as they were.
  CHECK(Recorder(0, shapes).bytes().substr(0, 4) == "AGR\x01");
}

TEST_CASE("record: deltas of views that nothing was written against are damage") {
  const std::string record = record_of(3);
  REQUIRE(problem_of(record).empty());
  // The version says that views are whole, and one of a later version is not known.
  std::string changed = record;
  changed[3] = '\x01';
  CHECK(problem_of(changed).starts_with("the record of the match is damaged at byte "));
  changed[3] = '\x03';
  CHECK(problem_of(changed) == "the record is of an unknown format or version");
  // The first view is gone, which the second is written against.
  Shapes shapes;
  Recorder one(2, shapes), two(2, shapes);
  one.question(asked_of(0, 1, "bid", growing_view(30)));
  two.question(asked_of(0, 1, "bid", growing_view(30)));
  const std::size_t first = two.bytes().size();
  two.question(asked_of(1, 1, "bid", growing_view(31)));
  Recorder none(2, shapes);
  none.question(asked_of(0, 1, "bid", ""));
  CHECK(problem_of(none.bytes() + two.bytes().substr(first))
            .starts_with("the record of the match is damaged at byte "));
  CHECK(problem_of(one.bytes() + two.bytes().substr(first)).empty());
}
