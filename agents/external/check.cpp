#include "external/check.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <utility>

#include "external/check_shapes.hpp"
#include "external/environment.hpp"

namespace agon::external {
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

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  std::vector<Verdict> run();

 private:
  /// Notes one point of the list. `said` is empty if all is well, else what is wrong.
  void note(const std::string& what, const std::string& wrong, const std::string& said);
  /// Starts the program if it does not run. Returns what is wrong.
  std::string start();
  /// Reads one message. Returns what is wrong.
  std::string read(Message& message, std::chrono::milliseconds limit);
  /// Asks one question; the answer, or that it was declined, is left in `said`.
  std::string ask(const OwnedQuestion& question, std::string& said, const std::string& before = {});
  std::string ping();
  void check_ends();
  /// What a stream that stopped means; ends the process.
  std::string broke(Got got, const std::string& line);

  const Program& program_;
  std::unique_ptr<Process> process_;
  std::string hello_;  ///< what it said of itself
  std::string options_ = "{}";
  std::string strays_;  ///< the first line that had no business there
  bool in_match_ = false;
  bool asked_ = false;  ///< the point that comes next was about a question
  std::vector<Verdict> list_;
};

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
    process_ = std::make_unique<Process>(program_.command, program_.folder,
                                         child_environment(program_.variables));
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

std::string Checker::ask(const OwnedQuestion& q, std::string& said, const std::string& before) {
  asked_ = true;
  if (std::string wrong = start(); !wrong.empty()) return wrong;
  if (!in_match_) process_->send(match_line(q, options_));
  in_match_ = true;
  for (const Delivery& d : q.history) process_->send(delivery_line(d));
  process_->send(before);
  process_->send(question_line(q, program_.answer));
  Message m;
  if (std::string wrong = read(m, program_.answer); !wrong.empty()) return wrong;
  if (m.what == Message::What::hello || m.what == Message::What::pong)
    return "it said what nothing asked for instead of an answer";
  if (m.id != id_of(q)) return "the id is '" + excerpt(m.id) + "', not '" + id_of(q) + "'";
  if (m.what == Message::What::failed) return "it says that it failed: " + excerpt(m.problem);
  if (m.what == Message::What::decline) {
    said = "declined";
    return q.probe ? "" : "this question cannot be declined";
  }
  said = excerpt(m.json, 200);
  if (m.json.empty()) return "there is no answer in the message";
  Room room(*q.answer_type);
  if (const auto problem = read_json(*q.answer_type, room.get(), m.json, q.limits.get()))
    return problem->text() + "; it said " + said;
  return {};
}

void Checker::check_ends() {
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

std::vector<Verdict> Checker::run() {
  const std::string greeting = start();
  note("starts and says hello", greeting, hello_);
  note("declares its options well", greeting.empty() ? "" : "there was no hello",
       options_ == "{}" ? "none" : options_);
  note("answers a ping", ping(), "pong");

  std::uint32_t number = 0;
  std::string said;
  const std::vector<Shape> all = shapes();
  for (const Shape& shape : all) {
    const std::string wrong = ask(question_of(shape, number++), said);
    note("answers with " + shape.what, wrong, said);
  }
  const Shape& plain = all.front();

  OwnedQuestion probe = question_of(plain, number++);
  probe.probe = true;
  note("answers a probe, or declines it", ask(probe, said), said);

  OwnedQuestion again = question_of(plain, number++);
  again.attempt = 1;
  again.complaint = "$.whole: 9 is more than 5";
  note("answers again after a complaint", ask(again, said), said);

  note("passes over a kind of message that it does not know",
       ask(question_of(plain, number++), said, "{\"type\":\"weather\",\"of\":\"tomorrow\"}\n"),
       said);
  note("passes over members that it does not know",
       ask(question_of(plain, number++), said,
           "{\"type\":\"event\",\"name\":\"rain\",\"private\":false,\"data\":{\"mm\":3},"
           "\"colour\":\"grey\",\"depth\":[[1],{}]}\n"),
       said);

  OwnedQuestion unicode = question_of(all[2], number++);
  unicode.memo = "naïve \xF0\x9F\x8E\xB2 日本";
  unicode.view_json = R"({"talk":"¿Qué? \u0001 \"so\" \\ 日本 🎲 עברית"})";
  note("takes any text", ask(unicode, said), said);

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
  OwnedQuestion late = question_of(plain, 5000);
  late.history = std::move(history);
  in_match_ = false;  // as a process is told that starts in the middle of a match
  note("takes a long history", ask(late, said), said);

  in_match_ = false;
  OwnedQuestion next = question_of(plain, 0);
  next.match = "check again";
  note("goes on to another match", ask(next, said), said);

  // What it still has to say comes before the pong.
  const std::string last = ping();
  note("says nothing that nothing asked for", strays_.empty() ? last : strays_, "nothing");
  check_ends();
  return std::move(list_);
}

}  // namespace

std::vector<Verdict> check_agent(const Program& program) {
  return Checker(program).run();
}

}  // namespace agon::external
