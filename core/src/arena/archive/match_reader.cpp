#include "archive/match_reader.hpp"

#include <agon/table.hpp>
#include <algorithm>
#include <bit>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "archive/rows.hpp"

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

namespace {

constexpr std::size_t kBatch = 64;     // matches
constexpr std::size_t kMostReady = 4;  // batches that wait

struct Batch {
  std::vector<std::pair<std::int64_t, MatchRow>> rows;
  std::size_t size = 0;
};

/// One thread that reads its share of the matches ahead of whoever takes them.
class Stream {
 public:
  Stream(Archive archive, Wanted wanted)
      : archive_(std::move(archive)), wanted_(std::move(wanted)), thread_([this] { read(); }) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// The next match, null after the last one. Throws what went wrong where reading it did.
  const std::pair<std::int64_t, MatchRow>* next() {
    if (at_ == taken_.size) take();
    return at_ < taken_.size ? &taken_.rows[at_] : nullptr;
  }
  void advance() { ++at_; }

 private:
  void take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !ready_.empty() || ended_; });
    at_ = 0;
    if (ready_.empty()) {
      taken_.size = 0;
      if (failure_) std::rethrow_exception(failure_);
      return;
    }
    // The rows go back, so that their memory is used again.
    spare_.push_back(std::exchange(taken_, std::move(ready_.front())));
    ready_.pop_front();
    lock.unlock();
    changed_.notify_all();
  }

  void read() {
    Batch batch;
    try {
      archive_.matches(wanted_, [&](std::int64_t number, const MatchRow& match) {
        if (batch.size == batch.rows.size()) batch.rows.emplace_back();
        auto& row = batch.rows[batch.size++];
        row.first = number;
        row.second = match;
        return batch.size < kBatch || hand_over(batch);
      });
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (batch.size > 0) hand_over(batch);
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  /// False if nobody wants more.
  bool hand_over(Batch& batch) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ready_.size() < kMostReady || stopped_; });
      if (stopped_) return false;
      ready_.push_back(std::exchange(batch, {}));
      if (!spare_.empty()) {
        batch = std::move(spare_.back());
        spare_.pop_back();
        batch.size = 0;
      }
    }
    changed_.notify_all();
    return true;
  }

  Archive archive_;
  Wanted wanted_;
  Batch taken_;
  std::size_t at_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> ready_;
  std::vector<Batch> spare_;
  bool ended_ = false, stopped_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

void matches_by_threads(const Archive& archive, const Wanted& wanted, std::size_t threads,
                        const std::function<bool(std::int64_t number, const MatchRow&)>& each) {
  if (threads <= 1) return archive.matches(wanted, each);
  const std::map<std::int64_t, std::size_t> ranks = scenario_ranks(archive);
  Wanted share = wanted;
  share.last = archive.last_number();
  share.shares = static_cast<std::int64_t>(threads);
  std::vector<std::unique_ptr<Stream>> streams;
  for (share.share = 0; share.share < share.shares; ++share.share)
    streams.push_back(std::make_unique<Stream>(archive.again(), share));
  for (;;) {
    // Matches of one block are all in one stream, so whose comes next is a matter of the block.
    Stream* first = nullptr;
    std::pair<std::size_t, std::int64_t> first_place;
    for (const auto& stream : streams) {
      const auto* head = stream->next();
      if (head == nullptr) continue;
      const MatchKey& key = head->second.key;
      const auto rank = ranks.find(key.scenario);
      // A missing scenario comes before all others, as in the order of `matches`.
      const std::pair place(rank == ranks.end() ? 0 : rank->second, key.block);
      if (first == nullptr || place < first_place) first = stream.get(), first_place = place;
    }
    if (first == nullptr) return;
    const auto* match = first->next();
    if (!each(match->first, match->second)) return;
    first->advance();
  }
}

}  // namespace agon::archive
