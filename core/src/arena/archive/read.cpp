#include "archive/read.hpp"

#include <agon/table.hpp>
#include <algorithm>
#include <bit>

#include "archive/encode.hpp"
#include "archive/metric_list.hpp"

namespace agon::archive {
namespace {

template <std::size_t Size>
void read_bytes(Statement& row, std::array<std::uint8_t, Size>& out) {
  const auto bytes = row.bytes(Size);
  std::copy_n(bytes.begin(), Size, out.begin());
}

MatchKey read_key(Statement& row) {
  MatchKey key;
  key.id = read_id(row);
  key.scenario = row.integer();
  key.block = row.integer(0, kMostBlock);
  key.repeat = row.integer(0, kMostBlock);
  key.position = row.integer(0, kMostPosition);
  key.line_up = row.text();
  key.assignment = row.integer();
  return key;
}

}  // namespace

MatchId read_id(Statement& row) {
  MatchId id;
  read_bytes(row, id.bytes);
  return id;
}

hash::Digest read_digest(Statement& row) {
  hash::Digest digest{};
  read_bytes(row, digest);
  return digest;
}

Time read_time(Statement& row) {
  return row.integer(0, kLastTime);
}

MatchReader::MatchReader(Connection& db)
    : db_(&db),
      seats_(
          db,
          "select seat, name, role, agent, score, zero, one, rank, metrics, forced, ok, repaired, "
          "illegal, unparsable, empty, truncated, refused, timed_out, crashed, provider_failed, "
          "in_words, tokens_in, tokens_out, tokens_cached, tokens_thought, cost, waiting_ms, "
          "calls, "
          "unpriced from seat "
          "where match = ? order by seat"),
      record_(db, "select bytes from record where match = ?") {}

std::int64_t MatchReader::match(Statement& row, MatchRow& match) {
  const std::int64_t number = row.integer();
  match.key = read_key(row);
  match.focal = read_optional(row, [](Statement& at) { return at.integer(); });
  match.cluster = row.text();
  match.luck = std::bit_cast<std::uint64_t>(row.integer());
  match.ended = row.text();
  match.fault = read_optional(row, [](Statement& at) { return std::string(at.text()); });
  metrics(row.text(), match.metrics);
  match.questions = row.integer(0, kMostCount);
  match.wall_ms = row.number();
  match.waiting_ms = row.number();
  match.created = read_time(row);
  return number;
}

void MatchReader::seats(std::int64_t number, MatchRow& match) {
  std::size_t count = 0;
  seats_.bind(number);
  while (seats_.step()) {
    // Seats are numbered from 0, without gaps.
    const auto place = static_cast<std::int64_t>(count);
    seats_.integer(place, std::min<std::int64_t>(place, kMaxSeats - 1));
    if (count == match.seats.size()) match.seats.emplace_back();
    SeatRow& seat = match.seats[count++];
    seat.name = seats_.text();
    seat.role = seats_.text();
    seat.agent = seats_.integer();
    seat.score = seats_.number();
    seat.zero = seats_.number();
    seat.one = seats_.number();
    seat.rank = static_cast<int>(seats_.integer(0, kMaxSeats));
    metrics(seats_.text(), seat.metrics);
    seat.forced = seats_.integer(0, kMostCount);
    for (std::int64_t& attempts : seat.attempts) attempts = seats_.integer(0, kMostCount);
    seat.tokens_in = seats_.integer(0, kMostTokens);
    seat.tokens_out = seats_.integer(0, kMostTokens);
    seat.tokens_cached = seats_.integer(0, kMostTokens);
    seat.tokens_thought = seats_.integer(0, kMostTokens);
    seat.cost = seats_.integer(0, std::numeric_limits<std::int64_t>::max());
    seat.waiting_ms = seats_.number();
    seat.calls = seats_.integer(0, kMostCount);
    seat.unpriced = seats_.integer(0, kMostCount);
  }
  match.seats.resize(count);
}

void MatchReader::record(std::int64_t number, MatchRow& match) {
  match.record.clear();
  record_.bind(number);
  if (record_.step()) {
    const auto bytes = record_.bytes();
    match.record.assign(bytes.begin(), bytes.end());
  }
  record_.reset();
}

void MatchReader::metrics(std::string_view text, std::vector<double>& out) {
  if (!read_metrics(text, out))
    throw damaged(db_->path(), "'metrics' of a row is no list of numbers");
}

PartialMatch read_partial(Statement& row, const Connection& db) {
  PartialMatch partial;
  partial.key = read_key(row);
  partial.agents = read_numbers(row.text(), {db.path(), "agents"});
  if (partial.agents.size() > kMaxSeats)
    throw damaged(db.path(), "a match in progress has too many seats");
  partial.sequence = row.integer();
  partial.reason = row.text();
  partial.saved = read_time(row);
  const auto record = row.bytes();
  partial.record.assign(record.begin(), record.end());
  return partial;
}

}  // namespace agon::archive
