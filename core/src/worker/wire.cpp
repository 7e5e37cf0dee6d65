#include "wire.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <system_error>

#include "describe/read.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"

namespace agon::worker {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10;

[[noreturn]] void gone() {
  _exit(0);
}

[[noreturn]] void fail() {
  throw Error(ErrorKind::failure,
              "cannot set up its streams: " + std::generic_category().message(errno));
}

/// A descriptor of the same stream, above the standard ones.
int another(int fd) {
  const int made = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (made < 0) fail();
  return made;
}

}  // namespace

Wire::Wire() : from_(another(STDIN_FILENO)), to_(another(STDOUT_FILENO)) {
  std::array<int, 2> empty{};
  if (pipe2(empty.data(), O_CLOEXEC) != 0 || dup2(empty[0], STDIN_FILENO) < 0 ||
      dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    fail();
  for (const int fd : empty) close(fd);
  // What a game prints is there when it breaks, and when its match is over.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

void Wire::fill() {
  if (taken_ > kBlock) {
    in_.erase(0, taken_);
    taken_ = 0;
  }
  std::array<char, kBlock> block;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
  ssize_t n = 0;
  do n = read(from_, block.data(), block.size());
  while (n < 0 && errno == EINTR);
  if (n <= 0) gone();
  in_.append(block.data(), static_cast<std::size_t>(n));
}

boost::json::object Wire::hear() {
  std::size_t end = in_.find('\n', taken_);
  if (end == std::string::npos) flush();
  while (end == std::string::npos) {
    const std::size_t unread = in_.size() - taken_;
    fill();
    end = in_.find('\n', taken_ + unread);
  }
  const std::string_view line = std::string_view(in_).substr(taken_, end - taken_);
  boost::json::value message = json::parse(line, "the arena");
  taken_ = end + 1;
  if (!message.is_object())
    throw Error(ErrorKind::invalid, "what the arena says is no JSON object");
  return std::move(message.get_object());
}

std::string Wire::hear_bytes(std::size_t n) {
  while (in_.size() - taken_ < n) fill();
  std::string bytes = in_.substr(taken_, n);
  taken_ += n;
  return bytes;
}

void Wire::say(std::string_view message) {
  out_ += message;
  out_ += '\n';
  if (out_.size() > kBlock) flush();
}

void Wire::say_bytes(std::string_view bytes) {
  out_ += bytes;
  if (out_.size() > kBlock) flush();
}

void Wire::flush() {
  for (std::string_view rest = out_; !rest.empty();) {
    const ssize_t n = write(to_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) gone();
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  out_.clear();
}

namespace {

const boost::json::value& member(const boost::json::object& message, std::string_view name) {
  if (const boost::json::value* value = message.if_contains(name)) return *value;
  throw Error(ErrorKind::invalid, "the arena's message has no '" + std::string(name) + "'");
}

}  // namespace

std::string_view text_of(const boost::json::object& message, std::string_view name) {
  if (const auto* text = member(message, name).if_string()) return *text;
  throw Error(ErrorKind::invalid, "'" + std::string(name) + "' of the arena's message is no text");
}

std::int64_t number_of(const boost::json::object& message, std::string_view name) {
  const boost::json::value& value = member(message, name);
  if (value.is_int64()) return value.get_int64();
  throw Error(ErrorKind::invalid,
              "'" + std::string(name) + "' of the arena's message is no whole number");
}

bool truth_of(const boost::json::object& message, std::string_view name) {
  const boost::json::value* value = message.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

std::vector<std::string> names_of(const boost::json::object& message) {
  std::vector<std::string> names;
  for (const boost::json::value& name : member(message, "names").as_array())
    names.emplace_back(name.as_string());
  return names;
}

std::uint64_t key_of(const boost::json::value& text) {
  std::uint64_t key = 0;
  const std::string_view digits = text.as_string();
  std::from_chars(digits.data(), digits.data() + digits.size(), key);
  return key;
}

void read_into(const Type& type, void* object, const boost::json::value& json,
               BorrowedParts* parts) {
  if (const auto problem =
          read_value(type, object, json, Missing::is_wrong, Unknown::is_wrong, parts))
    throw Error(ErrorKind::failure, "the arena's value does not fit: " + problem->text());
}

Value value_of(const Type& type, const boost::json::value& json) {
  Value value(type);
  read_into(type, value.get(), json);
  return value;
}

ReadValue view_of(const Type& type, const boost::json::value& json) {
  ReadValue read{Value(type)};
  read_into(type, read.value.get(), json, &read.parts);
  return read;
}

namespace {

/// A metric as JSON of its type; null if it is not defined in this match.
std::string metric_json(const Type& type, double value) {
  if (std::isnan(value)) return "null";
  if (type.kind == Kind::optional) return metric_json(*type.element, value);
  Value metric(type);
  if (type.kind == Kind::number)
    *static_cast<double*>(metric.get()) = value;
  else
    type.set(metric.get(), static_cast<std::int64_t>(value));
  return write_json(type, metric.get());
}

std::string metrics_json(const Type& type, const InlineList<double, kMaxMetrics>& metrics) {
  JsonWriter out;
  out.open_object();
  for (std::size_t i = 0; i < type.fields.size() && i < metrics.size(); ++i)
    out.name(type.fields[i].name).json(metric_json(*type.fields[i].type, metrics[i]));
  return out.close_object().take();
}

}  // namespace

std::string outcome_json(const GameCard& card, const Outcome& outcome) {
  JsonWriter out;
  out.open_object().name("type").text("outcome").name("seats").open_list();
  for (int i = 0; i < outcome.seats(); ++i) {
    const SeatOutcome& seat = outcome[i];
    out.open_object().name("score").number(seat.score);
    if (!std::isnan(seat.disagreement)) out.name("disagreement").number(seat.disagreement);
    if (!std::isnan(seat.ideal)) out.name("ideal").number(seat.ideal);
    if (seat.rank != 0) out.name("rank").number(seat.rank);
    if (card.seat_metrics != nullptr && !seat.metrics.empty())
      out.name("metrics").json(metrics_json(*card.seat_metrics, seat.metrics));
    out.close_object();
  }
  out.close_list();
  if (card.match_metrics != nullptr && !outcome.match_metrics().empty())
    out.name("metrics").json(metrics_json(*card.match_metrics, outcome.match_metrics()));
  return out.close_object().take();
}

}  // namespace agon::worker
