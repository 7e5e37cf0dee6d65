// Records read back from bytes made by hand: each number at the last value that is taken, and one
// beyond it.

#include <agon/error.hpp>
#include <limits>

#include "catch.hpp"
#include "record/record.hpp"

using namespace agon::record;
using What = Entry::What;

namespace {

constexpr std::uint64_t kSeatsAtMost = agon::kMaxSeats;
constexpr std::uint64_t kMetricsAtMost = agon::kMaxMetrics;

/// The bytes of a record, part by part.
class Bits {
 public:
  /// With `names` names and one shape defined.
  explicit Bits(int names = 1) {
    bytes_ = "AGR\x01";
    number(5);  // seats 0 and 2 are waited for
    for (int i = 0; i < names; ++i) byte(1).text("n" + std::to_string(i));
    byte(2);
    bytes_ += std::string(32, 's');
  }
  Bits& byte(int b) {
    bytes_ += static_cast<char>(b);
    return *this;
  }
  Bits& number(std::uint64_t n) {
    put_number(bytes_, n);
    return *this;
  }
  Bits& real(double v) {
    put_real(bytes_, v);
    return *this;
  }
  Bits& text(std::string_view text) {
    put_text(bytes_, text);
    return *this;
  }
  /// What an entry begins with.
  Bits& entry(What what) { return byte(static_cast<int>(what)); }
  /// The beginning of question 7 to `seat`.
  Bits& question(std::uint64_t seat, std::uint64_t flags) {
    return entry(What::question).number(7).number(seat).number(0).number(0).number(flags);
  }
  operator std::string_view() const { return bytes_; }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] const std::string& str() const { return bytes_; }

 private:
  std::string bytes_;
};

/// "read", or the problem.
std::string outcome_of(std::string_view bytes) {
  try {
    (void)read(bytes);
    return "read";
  } catch (const agon::Error& error) {
    return error.problem();
  }
}

bool is_damaged(std::string_view bytes) {
  return outcome_of(bytes).starts_with("the record of the match is damaged at byte ");
}

Entry only(std::string_view bytes) {
  const History history = read(bytes);
  REQUIRE(history.entries.size() == 1);
  return history.entries.front();
}

constexpr std::uint64_t kProbe = 1, kForced = 2, kDeclined = 4, kRemembers = 8, kPlain = 16,
                        kThought = 32, kView = 64;

}  // namespace

TEST_CASE("record: every part of an entry is read back from where it was written") {
  const Bits event = Bits(2)
                         .entry(What::event)
                         .number(1 + 6)  // seats 1 and 2
                         .number(1)
                         .number(0)
                         .text("told");
  const Entry told = only(event);
  CHECK(read(event).waiting == 5);
  CHECK(told.what == What::event);
  CHECK(told.audience == 6);
  CHECK(told.name == "n1");
  CHECK(told.shape == agon::hash::Digest{[] {
          agon::hash::Digest all;
          all.fill('s');
          return all;
        }()});
  CHECK(told.payload == "told");
  const Bits to_all = Bits().entry(What::event).number(0).number(0).number(0).text("");
  CHECK(only(to_all).audience == std::numeric_limits<std::uint32_t>::max());

  const Bits card =
      Bits().entry(What::draw).number(0).number(2).number(3).number(8).number(0).text("card");
  const Entry draw = only(card);
  CHECK(draw.what == What::draw);
  CHECK(draw.at == std::vector<std::int64_t>{-2, 4});  // zigzag
  CHECK(draw.payload == "card");

  const Bits own = Bits().entry(What::carry).number(3).number(0).text("own");
  const Entry carry = only(own);
  CHECK(carry.what == What::carry);
  CHECK(carry.seat == 3);
  CHECK(carry.payload == "own");

  const Bits score = Bits()
                         .entry(What::outcome)
                         .number(1)
                         .real(1.5)
                         .real(-2)
                         .real(8)
                         .number(3)
                         .number(1)
                         .real(0.25)
                         .number(2)
                         .real(4)
                         .real(9);
  CHECK(only(score).what == What::outcome);
  const agon::Outcome outcome = *only(score).outcome;
  REQUIRE(outcome.seats() == 1);
  CHECK(outcome[0].score == 1.5);
  CHECK(outcome[0].disagreement == -2);
  CHECK(outcome[0].ideal == 8);
  CHECK(outcome[0].rank == 3);
  REQUIRE(outcome[0].metrics.size() == 1);
  CHECK(outcome[0].metrics[0] == 0.25);
  REQUIRE(outcome.match_metrics().size() == 2);
  CHECK(outcome.match_metrics()[1] == 9);
}

TEST_CASE("record: a question's flags say what is there, each for itself") {
  const Bits plain = Bits().question(2, kPlain).text("answer");
  const Entry one = only(plain);
  CHECK(one.what == What::question);
  CHECK(one.number == 7);
  CHECK(one.seat == 2);
  CHECK_FALSE((one.probe || one.forced || one.declined || one.remembers));
  REQUIRE(one.attempts.size() == 1);
  CHECK(one.attempts[0].fault == agon::Fault::ok);
  CHECK(one.attempts[0].form == Form::encoded);
  CHECK(one.attempts[0].payload == "answer");

  const Bits probe = Bits().question(0, kPlain | kProbe).text("a");
  CHECK(only(probe).probe);
  const Bits forced = Bits().question(0, kPlain | kForced).text("a");
  CHECK(only(forced).forced);
  const Bits declined = Bits().question(0, kPlain | kDeclined).text("a");
  CHECK(only(declined).declined);
  const Bits memo = Bits()
                        .question(0, kPlain | kThought | kRemembers | kView)
                        .text("a")
                        .text("thought")
                        .text("memo")
                        .text("view");
  const Entry full = only(memo);
  CHECK(full.remembers);
  CHECK(full.thought == "thought");
  CHECK(full.memo == "memo");
  CHECK(full.view == "view");
  const Bits thought = Bits().question(0, kPlain | kThought).text("a").text("thought").text("");
  CHECK_FALSE(only(thought).remembers);
  // What was remembered stands beside a thought, so there is one.
  CHECK(is_damaged(Bits().question(0, kPlain | kRemembers).text("a")));
}

TEST_CASE("record: what is written is read back, in order") {
  const int five = 5, six = 6;
  const agon::Type& type = agon::type_of<int>();
  std::string encoded_five, encoded_six;
  encode(encoded_five, type, &five);
  encode(encoded_six, type, &six);
  Shapes shapes;
  Recorder recorder(5, shapes);
  recorder.event(6, "told", type, &five);
  recorder.event(std::numeric_limits<std::uint32_t>::max(), "told", type, &six);
  recorder.draw("card", std::vector<std::int64_t>{-2, 4}, type, &five);
  recorder.carry(3, type, &six);
  recorder.plain(7, 1, "bid", type, true, &five);
  Asked asked;
  asked.number = 8;
  asked.seat = 2;
  asked.stage = "bid";
  asked.answer_type = &type;
  asked.forced = true;
  asked.remembers = true;
  asked.attempts.push_back({agon::Fault::illegal, Form::json, "99", "too much"});
  asked.answer = encoded_six;
  asked.thought = "hm";
  asked.memo = "note";
  asked.view = "{}";
  recorder.question(asked);
  agon::Outcome outcome(2);
  outcome.seat(0, {.score = 1.5, .disagreement = 0, .ideal = 2})
      .seat(1, {.score = -1, .disagreement = -3, .ideal = 4});
  outcome[0].rank = 1;
  outcome[1].rank = 2;
  outcome[1].metrics.push_back(0.25);
  outcome.match_metrics().push_back(7);
  recorder.outcome(outcome);

  const History history = read(recorder.bytes());
  CHECK(history.waiting == 5);
  REQUIRE(history.entries.size() == 7);
  const Entry& to_two = history.entries[0];
  CHECK(to_two.what == What::event);
  CHECK(to_two.audience == 6);
  CHECK(to_two.name == "told");
  CHECK(to_two.shape == shapes.digest(type));
  CHECK(to_two.payload == encoded_five);
  const Entry& to_all = history.entries[1];
  CHECK(to_all.audience == std::numeric_limits<std::uint32_t>::max());
  CHECK(to_all.name == "told");
  CHECK(to_all.payload == encoded_six);
  const Entry& draw = history.entries[2];
  CHECK(draw.what == What::draw);
  CHECK(draw.name == "card");
  CHECK(draw.at == std::vector<std::int64_t>{-2, 4});
  CHECK(draw.payload == encoded_five);
  const Entry& carry = history.entries[3];
  CHECK(carry.what == What::carry);
  CHECK(carry.seat == 3);
  CHECK(carry.payload == encoded_six);
  const Entry& plain = history.entries[4];
  CHECK(plain.what == What::question);
  CHECK(plain.number == 7);
  CHECK(plain.seat == 1);
  CHECK(plain.name == "bid");
  CHECK(plain.probe);
  CHECK(plain.payload == encoded_five);
  REQUIRE(plain.attempts.size() == 1);
  CHECK(plain.attempts[0].payload == encoded_five);
  const Entry& long_one = history.entries[5];
  CHECK(long_one.number == 8);
  CHECK(long_one.seat == 2);
  CHECK(long_one.name == "bid");
  CHECK_FALSE(long_one.probe);
  CHECK(long_one.forced);
  CHECK(long_one.remembers);
  REQUIRE(long_one.attempts.size() == 1);
  CHECK(long_one.attempts[0].fault == agon::Fault::illegal);
  CHECK(long_one.attempts[0].complaint == "too much");
  CHECK(long_one.payload == encoded_six);
  CHECK(long_one.thought == "hm");
  CHECK(long_one.memo == "note");
  CHECK(long_one.view == "{}");
  const Entry& end = history.entries[6];
  CHECK(end.what == What::outcome);
  REQUIRE(end.outcome != nullptr);
  const agon::Outcome& read = *end.outcome;
  REQUIRE(read.seats() == 2);
  CHECK(read[1].score == -1);
  CHECK(read[1].disagreement == -3);
  CHECK(read[1].ideal == 4);
  CHECK(read[1].rank == 2);
  REQUIRE(read[1].metrics.size() == 1);
  CHECK(read[1].metrics[0] == 0.25);
  REQUIRE(read.match_metrics().size() == 1);
  CHECK(read.match_metrics()[0] == 7);
}

TEST_CASE("record: a name and a shape are written where they first occur, and no more") {
  const int value = 5;
  Shapes shapes;
  Recorder recorder(0, shapes);
  const std::string name = "a name that is long enough";
  recorder.event(1, name, agon::type_of<int>(), &value);
  const std::size_t first = recorder.bytes().size();
  recorder.event(1, name, agon::type_of<int>(), &value);
  CHECK(recorder.bytes().size() - first == 6);  // tag, audience, name, shape, length, value
  // A question says the same by either way, and what a seat thought and saw only if there is any.
  Recorder one(0, shapes), other(0, shapes);
  one.plain(7, 1, "bid", agon::type_of<int>(), false, &value);
  Asked asked;
  asked.number = 7;
  asked.seat = 1;
  asked.stage = "bid";
  asked.answer_type = &agon::type_of<int>();
  encode(asked.answer, agon::type_of<int>(), &value);
  asked.attempts.push_back({agon::Fault::ok, Form::encoded, asked.answer, ""});
  other.question(asked);
  CHECK(one.bytes() == other.bytes());
}

TEST_CASE("record: a probe that was declined keeps its attempt beside its answer") {
  Shapes shapes;
  Recorder recorder(0, shapes);
  Asked asked;
  asked.stage = "guess";
  asked.answer_type = &agon::type_of<bool>();
  asked.declined = true;
  asked.attempts.push_back({agon::Fault::ok, Form::encoded, "\x01", ""});
  recorder.question(asked);
  const Entry entry = only(recorder.bytes());
  CHECK(entry.declined);
  CHECK(entry.payload.empty());
  REQUIRE(entry.attempts.size() == 1);
  CHECK(entry.attempts[0].payload == "\x01");
}

TEST_CASE("record: a name, a shape and a seat are among those that there are") {
  const auto event = [](std::uint64_t name, std::uint64_t shape) {
    return outcome_of(Bits(2).entry(What::event).number(0).number(name).number(shape).text("x"));
  };
  CHECK(event(1, 0) == "read");
  CHECK(event(2, 0) != "read");
  CHECK(event(1, 1) != "read");
  CHECK(event(std::numeric_limits<std::uint64_t>::max(), 0) != "read");
  CHECK(event(0, std::numeric_limits<std::uint64_t>::max()) != "read");

  const auto carried_by = [](std::uint64_t seat) {
    return outcome_of(Bits().entry(What::carry).number(seat).number(0).text("x"));
  };
  CHECK(carried_by(0) == "read");
  CHECK(carried_by(kSeatsAtMost - 1) == "read");
  CHECK(carried_by(kSeatsAtMost) != "read");
  CHECK(carried_by(std::uint64_t{1} << 32) != "read");
  CHECK(outcome_of(Bits().question(kSeatsAtMost - 1, kPlain).text("x")) == "read");
  CHECK(is_damaged(Bits().question(kSeatsAtMost, kPlain).text("x")));
}

TEST_CASE("record: a draw has two indices at most") {
  const auto draw = [](int indices) {
    Bits bits;
    bits.entry(What::draw).number(0).number(static_cast<std::uint64_t>(indices));
    for (int i = 0; i < indices; ++i) bits.number(0);
    return outcome_of(bits.number(0).text("x"));
  };
  CHECK(draw(0) == "read");
  CHECK(draw(2) == "read");
  CHECK(draw(3) != "read");
}

TEST_CASE("record: an attempt has a fault and a form that there are") {
  const auto attempt = [](int fault, int form, std::uint64_t number = 1) {
    return outcome_of(Bits()
                          .question(0, 0)
                          .number(number)
                          .byte(fault)
                          .byte(form)
                          .text("payload")
                          .text("complaint")
                          .text("answer"));
  };
  const int last = static_cast<int>(agon::kFaults) - 1;
  CHECK(attempt(0, 0) == "read");
  CHECK(attempt(last, static_cast<int>(Form::json)) == "read");
  CHECK(attempt(last + 1, 0) != "read");
  CHECK(attempt(255, 0) != "read");
  CHECK(attempt(0, static_cast<int>(Form::json) + 1) != "read");
  CHECK(attempt(0, 255) != "read");
  CHECK(attempt(0, 0, 2) != "read");
  CHECK(attempt(0, 0, std::numeric_limits<std::uint64_t>::max()) != "read");

  const Bits two = Bits()
                       .question(0, 0)
                       .number(2)
                       .byte(static_cast<int>(agon::Fault::illegal))
                       .byte(static_cast<int>(Form::json))
                       .text("{}")
                       .text("too low")
                       .byte(0)
                       .byte(static_cast<int>(Form::encoded))
                       .text("3")
                       .text("")
                       .text("3");
  const Entry entry = only(two);
  REQUIRE(entry.attempts.size() == 2);
  CHECK(entry.attempts[0].fault == agon::Fault::illegal);
  CHECK(entry.attempts[0].form == Form::json);
  CHECK(entry.attempts[0].payload == "{}");
  CHECK(entry.attempts[0].complaint == "too low");
  CHECK(entry.attempts[1].form == Form::encoded);
  CHECK(entry.payload == "3");
}

TEST_CASE("record: an outcome has as many seats and metrics as there can be") {
  const auto seats = [](std::uint64_t n) {
    Bits bits;
    bits.entry(What::outcome).number(n);
    for (std::uint64_t i = 0; i < n && i <= kSeatsAtMost; ++i)
      bits.real(1).real(0).real(1).number(1).number(0);
    return outcome_of(bits.number(0));
  };
  CHECK(seats(0) == "read");
  CHECK(seats(kSeatsAtMost) == "read");
  CHECK(seats(kSeatsAtMost + 1).starts_with("the record of the match is damaged"));
  CHECK(seats(std::uint64_t{1} << 32).starts_with("the record of the match is damaged"));

  const auto metrics = [](std::uint64_t of_seat, std::uint64_t of_match) {
    Bits bits;
    bits.entry(What::outcome).number(1).real(1).real(0).real(1).number(1).number(of_seat);
    for (std::uint64_t i = 0; i < of_seat; ++i) bits.real(2);
    bits.number(of_match);
    for (std::uint64_t i = 0; i < of_match; ++i) bits.real(3);
    return outcome_of(bits);
  };
  CHECK(metrics(kMetricsAtMost, kMetricsAtMost) == "read");
  CHECK(metrics(kMetricsAtMost + 1, 0).starts_with("the record of the match is damaged"));
  CHECK(metrics(0, kMetricsAtMost + 1).starts_with("the record of the match is damaged"));
}

TEST_CASE("record: what an entry is, is known") {
  const std::string beginning = Bits().str();
  CHECK(read(beginning).entries.empty());
  for (const int tag : {0, 8, 9, 128, 255}) {
    INFO(tag);
    CHECK(is_damaged(beginning + static_cast<char>(tag)));
  }
}

TEST_CASE("record: another format or version is not taken for damage") {
  const std::string whole = Bits().entry(What::carry).number(0).number(0).text("x").str();
  for (const std::size_t place : {0U, 1U, 2U, 3U}) {
    std::string other = whole;
    other[place] = static_cast<char>(other[place] + 2);  // versions 1 and 2 are known
    CHECK(outcome_of(other) == "the record is of an unknown format or version");
  }
  for (const std::size_t size : {0U, 1U, 3U, 4U}) CHECK(is_damaged(whole.substr(0, size)));
}

TEST_CASE("record: cut anywhere but behind an entry, it is damaged") {
  // Everything that there is once, and where each entry or definition ends.
  Bits bits(2);
  std::vector<std::size_t> ends{5, 9, 13};  // the mark with who is waited for, and each name
  const auto mark = [&] { ends.push_back(bits.str().size()); };
  mark();
  bits.entry(What::event).number(300).number(1).number(0).text("told");
  mark();
  bits.entry(What::draw).number(0).number(1).number(300).number(0).text("card");
  mark();
  bits.entry(What::carry).number(3).number(0).text("own");
  mark();
  bits.question(1, kThought | kRemembers | kView).number(1).byte(0).byte(1).text("3").text("no");
  bits.text("3").text("thought").text("memo").text("view");
  mark();
  bits.entry(What::outcome).number(1).real(1).real(0).real(1).number(200).number(1).real(2);
  bits.number(1).real(3);
  mark();
  const std::string& whole = bits.str();
  std::vector<std::size_t> read_up_to;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::string outcome = outcome_of(whole.substr(0, size));
    if (outcome == "read") read_up_to.push_back(size);
    // The place that is named lies within what there is.
    else
      CHECK(std::stoul(outcome.substr(outcome.rfind(' ') + 1)) <= size);
  }
  CHECK(read_up_to == ends);
}

TEST_CASE("record: one from a locked-in process ends with one outcome, of the match's seats") {
  agon::StageCard stage{};
  stage.name = "n0";
  stage.answer = &agon::type_of<int>();
  agon::Game game;
  game.stages = {&stage, 1};
  CardNames names(game);
  const auto seats = [](Bits bits, std::uint64_t n) {
    bits.entry(What::outcome).number(n);
    for (std::uint64_t i = 0; i < n; ++i) bits.real(1).real(0).real(1).number(1).number(0);
    return bits.number(0);
  };
  const auto asked = [](Bits bits, std::uint64_t seat) {
    return bits.question(seat, kPlain).text("x");
  };
  const auto taken = [&](const Bits& bits) {
    try {
      return check(bits, 2, names, nullptr).seats() == 2;
    } catch (const agon::Error&) {
      return false;
    }
  };
  CHECK(taken(seats(asked(Bits(), 1), 2)));
  CHECK_FALSE(taken(asked(Bits(), 1)));
  CHECK_FALSE(taken(seats(asked(Bits(), 2), 2)));
  CHECK_FALSE(taken(seats(Bits(), 3)));
  CHECK_FALSE(taken(seats(Bits(), 1)));
  CHECK_FALSE(taken(seats(seats(Bits(), 2), 2)));
  CHECK_FALSE(taken(asked(seats(Bits(), 2), 1)));
  CHECK_FALSE(taken(seats(Bits(), 2).byte(1).text("n1")));
}

TEST_CASE("record: why an answer was turned down is its complaint, however it came") {
  CHECK(why_turned_down({agon::Fault::illegal, Form::encoded, "\x01", "12 is above 9"}) ==
        "illegal: 12 is above 9");
  CHECK(why_turned_down({agon::Fault::illegal, Form::encoded, "\x01", ""}) == "illegal");
  CHECK(why_turned_down({agon::Fault::crashed, Form::none, "it broke", ""}) == "crashed: it broke");
}
