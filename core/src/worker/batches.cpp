#include "batches.hpp"

#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "heard.hpp"
#include "json/write.hpp"

namespace agon::worker {
namespace {

using Clock = std::chrono::steady_clock;

/// What is lost when a match breaks the process is what it played in about this time.
constexpr std::chrono::milliseconds kLongestHeld{1};
constexpr std::size_t kMostHeld = std::size_t{64} << 10;

}  // namespace

void Batches::know_table(const boost::json::object& message) {
  Table table;
  table.game = loaded_.game(text_of(message, "game"), json::write(message.at("settings")));
  for (std::string& name : names_of(message)) table.seats.push_back({std::move(name)});
  table.reasks = static_cast<int>(number_of(message, "reasks"));
  table.record = message.at("record").as_bool();
  tables_.insert_or_assign(static_cast<std::uint64_t>(number_of(message, "number")),
                           std::move(table));
}

void Batches::know_agent(const boost::json::object& message) {
  agents_.insert_or_assign(
      static_cast<std::uint64_t>(number_of(message, "number")),
      loaded_.agent(text_of(message, "game"), json::write(message.at("spec"))));
}

void Batches::forget() {
  tables_.clear();
  agents_.clear();
}

void Batches::play(const boost::json::object& message) {
  const auto size = static_cast<std::size_t>(number_of(message, "bytes"));
  const auto matches = remote::read_matches(wire_.hear_bytes(size));
  if (!matches) throw Error(ErrorKind::failure, "the arena's list of matches is none");
  Clock::time_point said = Clock::now();
  for (const remote::BatchMatch& match : *matches) {
    remote::write_result(results_, play(match));
    if (results_.size() < kMostHeld && Clock::now() - said < kLongestHeld) continue;
    say_results();
    said = Clock::now();
  }
  say_results();
  wire_.say(R"({"type":"batch-over"})");
}

void Batches::say_results() {
  if (results_.empty()) return;
  JsonWriter out;
  out.open_object().name("type").text("played").name("bytes").number(results_.size());
  wire_.say(out.close_object().take());
  wire_.say_bytes(results_);
  wire_.flush();
  results_.clear();
}

remote::BatchResult Batches::play(const remote::BatchMatch& match) {
  const Table& table = tables_.at(match.table);
  if (match.seats.size() != table.seats.size())
    throw std::logic_error("the arena's match has other seats than its table");
  MatchSetup setup;
  setup.game = &table.game->game();
  setup.settings = table.game->settings();
  setup.prepared = table.game->prepared();
  setup.cards = table.seats;
  setup.stream_key = match.stream_key;
  setup.turn = match.turn;
  setup.reasks = table.reasks;
  setup.record = table.record;
  setup.shapes = shapes_;
  for (const remote::BatchMatch::Seat& seat : match.seats) {
    SeatSetup one;
    one.agent = agents_.at(seat.agent).get();
    one.dice_key = seat.dice_key;
    setup.seats.push_back(std::move(one));
  }
  remote::BatchResult played;
  const Clock::time_point start = Clock::now();
  played.result = play_match(setup);
  played.wall_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  played.shapes = shapes_->take_new();
  return played;
}

}  // namespace agon::worker
