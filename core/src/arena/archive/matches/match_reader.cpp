#include "archive/matches/match_reader.hpp"

#include <agon/table.hpp>
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include "archive/archive.hpp"
#include "archive/open_archive.hpp"
#include "archive/tables.hpp"

namespace agon::archive {
MatchId read_id(Statement& row) {
  MatchId id;
  Plain::read(row, id, {});
  return id;
}

std::string names_of_match() {
  return "m.number, " + names_of<MatchRows>("m.");
}

MatchReader::MatchReader(Connection& db, Decompressor& decompressor)
    : seats_(db,
             "select seat, " + names_of<SeatRows>() + " from seat where match = ? order by seat"),
      record_(db, "select bytes from record where match = ?"),
      decompressor_(&decompressor) {}

std::int64_t MatchReader::match(Statement& row, MatchRow& match) {
  const std::int64_t number = row.integer();
  read_row<MatchRows>(row, match);
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
    read_row<SeatRows>(seats_, match.seats[count++]);
  }
  match.seats.resize(count);
}

void MatchReader::record(std::int64_t number, MatchRow& match) {
  match.record.clear();
  record_.bind(number);
  // What cannot be read is no record either, as its reader says with its match.
  if (record_.step()) (void)decompressor_->decompress(record_.bytes(), match.record);
  record_.reset();
}

std::map<std::int64_t, std::size_t> scenario_ranks(const Archive& archive) {
  std::vector<std::tuple<std::int64_t, std::string, std::int64_t>> order;
  for (const auto& [number, row] : archive.scenarios())
    order.emplace_back(row.place, row.name, number);
  std::sort(order.begin(), order.end());
  std::map<std::int64_t, std::size_t> ranks;
  for (const auto& [place, name, number] : order) ranks.emplace(number, ranks.size() + 1);
  return ranks;
}

PartialMatch read_partial(Statement& row, OpenArchive& open) {
  PartialMatch partial;
  read_row<PartialRows>(row, partial);
  const std::string stored = std::move(partial.record);
  (void)open.decompressor.decompress(
      {reinterpret_cast<const unsigned char*>(stored.data()), stored.size()}, partial.record);
  if (partial.agents.size() > kMaxSeats)
    throw damaged(open.db.path(), "a match in progress has too many seats");
  return partial;
}

namespace {

constexpr std::size_t kBatch = 64;     // matches
constexpr std::size_t kMostReady = 4;  // batches that wait

struct Batch {
  std::vector<std::pair<std::int64_t, MatchRow>> rows;
  std::size_t size = 0;
};

/// One thread that reads its share of the matches ahead of the caller.
class MatchStream {
 public:
  MatchStream(Archive archive, ReadOptions wanted)
      : archive_(std::move(archive)), wanted_(std::move(wanted)), thread_([this] { read(); }) {}
  MatchStream(const MatchStream&) = delete;
  MatchStream& operator=(const MatchStream&) = delete;
  ~MatchStream() {
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
      archive_.matches().each(wanted_, [&](std::int64_t number, const MatchRow& match) {
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
  ReadOptions wanted_;
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

void matches_by_threads(const Archive& archive, const ReadOptions& wanted, std::size_t threads,
                        const std::function<bool(std::int64_t number, const MatchRow&)>& each) {
  if (threads <= 1) return archive.matches().each(wanted, each);
  const std::map<std::int64_t, std::size_t> ranks = scenario_ranks(archive);
  ReadOptions share = wanted;
  share.last = archive.matches().last_number();
  share.shares = static_cast<std::int64_t>(threads);
  std::vector<std::unique_ptr<MatchStream>> streams;
  for (share.share = 0; share.share < share.shares; ++share.share)
    streams.push_back(std::make_unique<MatchStream>(archive.again(), share));
  for (;;) {
    // Matches of one block are all in one stream, so whose comes next is a matter of the block.
    MatchStream* first = nullptr;
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
