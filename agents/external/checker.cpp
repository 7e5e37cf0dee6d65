#include "external/checker.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <cstddef>

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
