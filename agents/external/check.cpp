#include "external/check.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/money.hpp>
#include <agon/plugin_command.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "external/external.hpp"
#include "external/worker.hpp"

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

namespace {

/// A seat's whole match before a question late in it.
SeatHistory long_history() {
  SeatHistory history;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    history.push_back({.is_private = i % 7 == 0,
                       .name = "sold",
                       .json = "{\"item\":\"thing " + std::to_string(i) + "\",\"price\":12.5}"});
    if (i % 3 != 0) continue;
    history.push_back(
        {.what = Delivery::What::question, .name = "bid", .number = i, .json = "{\"round\":1}"});
    history.push_back(
        {.what = Delivery::What::answer, .name = "bid", .number = i, .json = "{\"bid\":null}"});
  }
  return history;
}

/// The agent that plays the program in matches, with the same limits.
ExternalParams params_of(const Program& program) {
  const auto seconds = [](std::chrono::milliseconds time) {
    return static_cast<double>(time.count()) / 1000;
  };
  ExternalParams params;
  params.command = program.command;
  params.environment = program.variables;
  params.start_seconds = seconds(program.start);
  params.answer_seconds = seconds(program.answer);
  params.ping_seconds = seconds(program.ping);
  params.quit_seconds = seconds(program.quit);
  return params;
}

std::string named(const std::string& stage, const std::string& preset) {
  return "'" + stage + "'" + (preset.empty() ? "" : " of preset '" + preset + "'");
}

std::string questions(std::uint32_t n) {
  return std::to_string(n) + (n == 1 ? " question" : " questions");
}

/// One point for each preset and stage that was asked.
void note_stages(const AgentTrial& trial, Report& report) {
  std::vector<std::string>& left = report.not_tried;
  for (const StageTrial& stage : trial.stages)
    if (std::find(left.begin(), left.end(), stage.stage) == left.end()) left.push_back(stage.stage);
  for (const StageTrial& stage : trial.stages) {
    if (stage.questions == 0) continue;
    std::erase(left, stage.stage);
    Verdict verdict{"answers " + named(stage.stage, stage.preset), stage.failed == 0,
                    questions(stage.questions) + ", " + std::to_string(stage.legal_at_once) +
                        " answered legally at the first attempt"};
    if (stage.failed > 0) verdict.said += ", " + std::to_string(stage.failed) + " failed";
    if (!stage.refusal.empty()) verdict.said += "; turned down: " + stage.refusal;
    verdict.stage = stage;
    report.list.push_back(std::move(verdict));
  }
  for (const auto& [preset, why] : trial.stopped)
    report.list.push_back(
        {"plays to the end" + (preset.empty() ? "" : " of preset '" + preset + "'"), false, why});
}

}  // namespace

std::vector<Verdict> check_agent(const Program& program) {
  Checker checker(program);
  (void)checker.check_begin();
  std::uint32_t number = 0;
  const std::vector<Shape> all = shapes();
  for (const Shape& shape : all)
    checker.check_answer("answers with " + shape.what, question_of(shape, number++));
  const Shape& plain = all.front();

  OwnedQuestion probe = question_of(plain, number++);
  probe.probe = true;
  checker.check_answer("answers a probe, or declines it", probe);

  OwnedQuestion again = question_of(plain, number++);
  again.attempt = 1;
  again.complaint = "$.whole: 9 is more than 5";
  checker.check_answer("answers again after a complaint", again);

  OwnedQuestion unicode = question_of(all[2], number++);
  unicode.memo = "naïve \xF0\x9F\x8E\xB2 日本";
  unicode.view_json = R"({"talk":"¿Qué? \u0001 \"so\" \\ 日本 🎲 עברית"})";
  checker.check_answer("takes any text", unicode);

  OwnedQuestion late = question_of(plain, 5000);
  late.history = long_history();
  checker.begin_match();  // as a process is told that starts in the middle of a match
  checker.check_answer("takes a long history", late);

  MatchEnding ending;
  ending.finished = true;
  ending.score = 1250;
  ending.score_decimals = 2;
  ending.normalised = 0.5;
  ending.rank = 2;
  ending.metrics_json = "{\"sold\":3,\"regret\":null}";
  checker.check_matches(question_of(plain, 0), ending);
  checker.check_end();
  return checker.take();
}

Report check_in_game(const Program& program, std::span<const std::string> game,
                     const CommandServices& services) {
  Checker checker(program);
  Report report;
  if (!checker.check_begin()) {
    checker.note("plays the game", "there was no hello", "");
    checker.check_end();
    report.list = checker.take();
    return report;
  }
  report.list = checker.take();
  const AgentTrial trial = services.try_agent(game, External(params_of(program), {}));
  note_stages(trial, report);
  if (trial.question && trial.ending) checker.check_matches(*trial.question, *trial.ending);
  checker.check_end();
  for (Verdict& verdict : checker.take()) report.list.push_back(std::move(verdict));
  return report;
}

namespace {

using Clock = Process::Clock;
using Got = Process::Got;

/// A value to read answers into.
class Room {
 public:
  explicit Room(const Type& type) : type_(type), bytes_(type.size + alignof(std::max_align_t)) {
    void* at = bytes_.data();
    std::size_t space = bytes_.size();
    at_ = std::align(alignof(std::max_align_t), type.size, at, space);
    type_.construct(at_);
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() { type_.destroy(at_); }
  void* get() { return at_; }

 private:
  const Type& type_;
  std::vector<char> bytes_;
  void* at_ = nullptr;
};

/// The end of what it complained of, from the beginning of a line on.
std::string last_lines(std::string_view complaints) {
  constexpr std::size_t kMost = 1000;
  while (complaints.ends_with('\n')) complaints.remove_suffix(1);
  if (complaints.size() > kMost) {
    complaints.remove_prefix(complaints.size() - kMost);
    complaints.remove_prefix(std::min(complaints.size(), complaints.find('\n') + 1));
  }
  return std::string(complaints);
}

}  // namespace

void Checker::note(const std::string& what, const std::string& wrong, const std::string& said) {
  list_.push_back(
      {what, wrong.empty(), wrong.empty() ? said : wrong, std::exchange(asked_, false)});
}

std::string Checker::broke(Got got, const std::string& line) {
  std::string what;
  switch (got) {
    case Got::time_up:
      what = "it said nothing in time";
      break;
    case Got::part:
      what = "it ended in the middle of a line: " + excerpt(line);
      break;
    case Got::too_long:
      what = "it wrote a line of more than 16 MiB";
      break;
    case Got::deaf:
      what = "it closed its standard input";
      break;
    default:
      what = process_->wait(Clock::now() + program_.quit) ? "it ended: " + process_->fate()
                                                          : "it closed its standard output";
  }
  process_->kill();
  const std::string& complaints = process_->complaints();
  if (complaints.find_first_not_of(" \t\r\n") != std::string::npos)
    what += "; on standard error it said:\n" + last_lines(complaints);
  process_.reset();
  return what;
}

std::string Checker::read(Message& message, std::chrono::milliseconds limit) {
  const Clock::time_point until = Clock::now() + limit;
  std::string line;
  for (;;) {
    const Got got = process_->read(line, until, program_.quit);
    if (got != Got::line) return broke(got, line);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Reading reading = read_line(line);
    if (reading.message) {
      message = std::move(*reading.message);
      return {};
    }
    if (strays_.empty()) strays_ = reading.problem;
    return reading.problem;
  }
}

std::string Checker::start() {
  if (process_ != nullptr) return {};
  in_match_ = false;
  try {
    process_ = std::make_unique<Process>(found_command(program_.command, program_.folder),
                                         program_.folder, child_environment(program_.variables));
  } catch (const Error& error) {
    return error.what();
  }
  process_->send(hello_line());
  Message hello;
  std::string wrong = read(hello, program_.start);
  if (wrong.empty() && hello.what != Message::What::hello)
    wrong = "the first message must be a hello";
  if (wrong.empty() && hello.protocol != kProtocol)
    wrong = "it speaks version " + std::to_string(hello.protocol) + " of the protocol, not " +
            std::to_string(kProtocol);
  if (!wrong.empty()) {
    process_.reset();
    return wrong;
  }
  options_ = option_values(hello.options, {}, hello.name);
  hello_ = (hello.name.empty() ? std::string("no name") : printable(hello.name)) + ", protocol " +
           std::to_string(hello.protocol);
  return {};
}

std::string Checker::ping() {
  if (std::string wrong = start(); !wrong.empty()) return wrong;
  process_->send(ping_line("are-you-there"));
  for (;;) {
    Message m;
    if (std::string wrong = read(m, program_.ping); !wrong.empty()) return wrong;
    if (m.what == Message::What::pong)
      return m.id == "are-you-there" ? "" : "the pong has another id: " + excerpt(m.id);
    if (strays_.empty()) strays_ = "a message that nothing asked for";
  }
}

std::string Checker::tell(const OwnedQuestion& q, const SeatHistory& history) {
  if (std::string wrong = start(); !wrong.empty()) return wrong;
  if (!in_match_) process_->send(match_line(q, options_));
  in_match_ = true;
  for (const Delivery& d : history) process_->send(delivery_line(d));
  return {};
}

std::string Checker::ask(const OwnedQuestion& q, std::string_view before) {
  asked_ = true;
  if (std::string wrong = tell(q, q.history); !wrong.empty()) return wrong;
  process_->send(std::string(before));
  process_->send(question_line(q, program_.answer));
  Message m;
  if (std::string wrong = read(m, program_.answer); !wrong.empty()) return wrong;
  if (m.what == Message::What::hello || m.what == Message::What::pong)
    return "it said what nothing asked for instead of an answer";
  if (m.id != id_of(q)) return "the id is '" + excerpt(m.id) + "', not '" + id_of(q) + "'";
  if (m.what == Message::What::failed) return "it says that it failed: " + excerpt(m.problem);
  if (m.what == Message::What::decline) {
    said_ = "declined";
    return q.probe ? "" : "this question cannot be declined";
  }
  said_ = excerpt(m.json, 200);
  if (m.json.empty()) return "there is no answer in the message";
  Room room(*q.answer_type);
  if (const auto problem = read_json(*q.answer_type, room.get(), m.json, q.limits.get()))
    return problem->text() + "; it said " + said_;
  return {};
}

bool Checker::check_begin() {
  const std::string greeting = start();
  note("starts and says hello", greeting, hello_);
  note("declares its options well", greeting.empty() ? "" : "there was no hello",
       options_ == "{}" ? "none" : options_);
  note("answers a ping", ping(), "pong");
  return greeting.empty();
}

void Checker::check_answer(const std::string& what, const OwnedQuestion& question) {
  const std::string wrong = ask(question);
  note(what, wrong, said_);
}

void Checker::check_matches(const OwnedQuestion& question, const MatchEnding& ending) {
  begin_match();
  std::string wrong = ask(question, "{\"type\":\"weather\",\"of\":\"tomorrow\"}\n");
  note("passes over a kind of message that it does not know", wrong, said_);

  begin_match();
  wrong = ask(question,
              "{\"type\":\"event\",\"name\":\"rain\",\"private\":false,\"data\":{\"mm\":3},"
              "\"colour\":\"grey\",\"depth\":[[1],{}]}\n");
  note("passes over members that it does not know", wrong, said_);

  begin_match();
  wrong = tell(question, ending.history);
  if (wrong.empty()) {
    process_->send(over_line(ending));
    wrong = ping();  // no other answer is expected
  }
  note("takes how a match ended", wrong, "pong");

  begin_match();
  OwnedQuestion next = question;
  next.match += " again";
  check_answer("goes on to another match", next);
}

void Checker::check_end() {
  // What it still has to say comes before the pong.
  const std::string last = ping();
  note("says nothing that nothing asked for", strays_.empty() ? last : strays_, "nothing");
  for (const bool told : {true, false}) {
    const std::string what =
        told ? "ends when it is told to" : "ends at the end of its standard input";
    std::string wrong = start();
    if (!wrong.empty()) {
      note(what, wrong, {});
      continue;
    }
    const bool by_itself =
        process_->quit(told ? end_line() : std::string(), Clock::now() + program_.quit);
    note(what,
         by_itself ? ""
                   : "it still ran after " +
                         write_json(static_cast<double>(program_.quit.count()) / 1000) + " seconds",
         process_->fate());
    process_.reset();
  }
}

}  // namespace agon::external
