#include "archive/writer.hpp"

#include <sys/stat.h>

#include <agon/waiting.hpp>
#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "archive/database/file.hpp"
#include "archive/database/rescue.hpp"
#include "archive/database/schema.hpp"
#include "archive/insert.hpp"
#include "archive/matches/result_columns.hpp"

namespace agon::archive {
namespace {

using Job = std::function<void(Inserter&)>;

// What the calling threads hand to the writing one.
struct QueuedWrite {
  std::variant<MatchRow, Job> what;
  std::size_t bytes = 0;
};

// Whether somebody waits for an item, and until when.
enum class Until : std::uint8_t {
  queued,     // for room in the queue only
  committed,  // until it survives the end of the process
  on_disk,    // until it survives loss of power
};

void prepare(Connection& db) {
  const FileState state = inspect(db);
  if (state == FileState::empty) create_schema(db);
  if (state == FileState::former) convert(db);
  set_current_version(db);
  db.run(
      "pragma journal_mode = wal; pragma synchronous = normal; "
      "pragma journal_size_limit = 67108864; pragma cache_size = -65536");
}

/// False on a file system that has no shared memory for it.
bool is_in_wal_mode(Connection& db) {
  Statement mode(db, "pragma journal_mode");
  return mode.step() && mode.text() == "wal";
}

}  // namespace

class Writer::Queue {
 public:
  Queue(const std::filesystem::path& path, WriterOptions options)
      : options_(options),
        path_(resolve(path, false)),
        lock_(std::in_place, path_),
        db_(std::in_place, path_, OpenMode::write) {
    begin_writing();
    lock_->keep();
    inserter_ = std::make_unique<Inserter>(*db_);
    thread_ = std::thread([this] { work(); });
  }

  ~Queue() {
    try {
      close();
    } catch (const std::exception&) {  // close() is for those who want to know
    }
  }

  // Waits for room, adds an item, and waits for it as far as asked.
  void add(QueuedWrite item, Until until) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] {
      return failure_ || closing_ || bytes_ == 0 || bytes_ + item.bytes <= options_.queue_bytes;
    });
    refuse_if_stopped();
    bytes_ += item.bytes;
    items_.push_back(std::move(item));
    ++progress_.queued;
    const std::shared_ptr<CommitGroup> mine = gathering_;
    const bool is_first_to_wait = until != Until::queued && waiting_ == 0;
    if (until != Until::queued) ++waiting_;
    if (until == Until::on_disk) must_sync_ = true;
    if (items_.size() == 1 || is_first_to_wait || crowded()) wake_.notify_one();
    if (until == Until::queued) return;
    mine->done.wait(lock, [&] { return failure_ || mine->committed; });
    if (!mine->committed) throw *failure_;
  }

  std::int64_t number(std::function<std::int64_t(Inserter&)> insert) {
    std::int64_t result = 0;
    add({Job([&](Inserter& rows) { result = insert(rows); }), 1}, Until::committed);
    return result;
  }

  // Whether content has been queued before, as far as remembered.
  bool knows(const hash::Digest& hash) {
    const std::lock_guard lock(known_mutex_);
    return known_.contains(hash);
  }

  void store(const hash::Digest& hash, std::string_view kind, std::string bytes) {
    const std::size_t size = bytes.size() + sizeof(QueuedWrite);
    Job job = [hash, kind = std::string(kind), bytes = std::move(bytes)](Inserter& rows) {
      rows.content(hash, kind, bytes);
    };
    add({std::move(job), size}, Until::queued);
    const std::lock_guard lock(known_mutex_);
    if (known_.size() >= most_known) known_.clear();  // memory stays flat; the table knows as well
    known_.insert(hash);
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return;
      closed_ = true;
      closing_ = true;
      must_sync_ = true;
      wake_.notify_one();
      room_.notify_all();
    }
    thread_.join();
    if (is_taken_over()) {
      failure_ = taken_over();
    } else if (!failure_ && is_lost()) {
      failure_ = go_elsewhere();
    }
    if (is_taken_over() || is_lost()) keep_log(*db_);
    inserter_.reset();
    spare_.reset();
    db_.reset();  // the last connection moves the log into the file
    lock_.reset();
    if (failure_) throw *failure_;
  }

  [[nodiscard]] bool is_in_place() const {
    return fate_ == Fate::whole && lock_ && lock_->is_in_place();
  }
  [[nodiscard]] Fate fate() const { return fate_; }
  [[nodiscard]] bool looks_whole() const {
    const std::lock_guard lock(spare_mutex_);
    return !spare_ || spare_->looks_whole();
  }
  [[nodiscard]] const std::filesystem::path& rescued() const { return rescued_; }
  [[nodiscard]] const WriterProgress& progress() const { return progress_; }

 private:
  // Items that are committed together. Those who wait for one group are not woken by the others: a
  // thousand wait when a thousand models answer.
  struct CommitGroup {
    Condition done;
    bool committed = false;
  };

  static constexpr std::size_t most_known = 100'000;

  [[nodiscard]] bool crowded() const { return 2 * bytes_ >= options_.queue_bytes; }

  void refuse_if_stopped() const {
    if (failure_) throw *failure_;
    if (closing_) throw Error(ErrorKind::failure, "the archive is closed", path_.string());
  }

  void work() {
    std::vector<QueuedWrite> group;
    std::size_t waited = 0;  // for the last group
    auto group_time = std::min(first_group_time, options_.group_time);
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return closing_ || !items_.empty(); });
      wake_.wait_for(lock, group_time, [&] { return closing_ || waiting_ > 0 || crowded(); });
      if (waited >= many) wake_.wait_for(lock, gather_time, [&] { return closing_ || crowded(); });
      group_time = std::min(2 * group_time, options_.group_time);
      const bool last = closing_ && items_.empty();
      group.clear();
      group.swap(items_);
      bytes_ = 0;
      waited = std::exchange(waiting_, 0);
      const bool sync = std::exchange(must_sync_, false);
      const std::shared_ptr<CommitGroup> mine =
          std::exchange(gathering_, std::make_shared<CommitGroup>());
      room_.notify_all();
      lock.unlock();
      std::optional<Error> failure = commit_whole(group, sync, last);
      if (!failure) progress_.committed += group.size();
      lock.lock();
      if (failure) {
        failure_ = std::move(failure);
        items_.clear();
        bytes_ = 0;
      } else {
        mine->committed = true;
      }
      mine->done.notify_all();
      // Threads that came meanwhile wait for a group that will never be.
      if (failure_) gathering_->done.notify_all();
      room_.notify_all();
      if (failure_ || last) return;
    }
  }

  // Writes a group in one transaction; `sync` then brings the log to the disk, and with it all
  // earlier commits.
  std::optional<Error> commit(std::vector<QueuedWrite>& group, bool sync) {
    try {
      inserter_->begin();
      for (QueuedWrite& item : group) {
        if (auto* match = std::get_if<MatchRow>(&item.what))
          inserter_->match(*match);
        else
          std::get<Job>(item.what)(*inserter_);
      }
      inserter_->note_asked();
      inserter_->commit();
      if (sync) db_->sync_log();
      return std::nullopt;
    } catch (const Error& error) {
      db_->roll_back();
      return error;
    } catch (const std::exception& error) {
      db_->roll_back();
      return Error(ErrorKind::failure, std::string("writing failed: ") + error.what(),
                   path_.string());
    }
  }

  // Commits a group to a file that is whole before and after. Where it is not, what is committed
  // was worked out from whatever there is now, and does not count: the group is committed again,
  // to a copy of what was there before.
  std::optional<Error> commit_whole(std::vector<QueuedWrite>& group, bool sync, bool last) {
    if (is_taken_over()) return taken_over();
    std::optional<Error> failure;
    bool lost = is_lost();
    if (!lost) {
      failure = commit(group, sync);
      lost = failure ? is_lost() : !is_taken();
    }
    if (lost) {
      failure = go_elsewhere();
      if (!failure) failure = commit(group, sync);
      if (!failure && spare_ && !spare_->take_commit())
        failure = Error(ErrorKind::failure, "it was overwritten too", rescued_.string());
    }
    if (failure || !spare_) return failure;
    try {
      if ((last || spare_->is_due()) && !spare_->checkpoint()) return go_elsewhere();
    } catch (const Error& error) {
      return error;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_taken_over() const { return options_.lost != nullptr && *options_.lost; }
  [[nodiscard]] Error taken_over() const {
    return {ErrorKind::failure, "another run took over this archive, and writes it now",
            path_.string(), "let that one go on; what this one had not written is not kept"};
  }

  /// Whether the archive that is written was moved, removed, replaced, truncated or overwritten, or
  /// its log was.
  [[nodiscard]] bool is_lost() {
    if (fate_ != Fate::whole) return false;
    if (!lock_->is_in_place()) return true;
    return spare_ && !spare_->is_whole();
  }

  /// Whether what was just committed is where it belongs, and copied.
  [[nodiscard]] bool is_taken() {
    return (fate_ != Fate::whole || lock_->is_in_place()) && (!spare_ || spare_->take_commit());
  }

  /// Saves everything beside, and goes on there.
  std::optional<Error> go_elsewhere() {
    fate_ = lock_->is_in_place() ? Fate::overwritten : Fate::gone;
    // If it cannot be saved, file and log are left as they are.
    keep_log(*db_);
    try {
      db_->roll_back();
      rescued_ = archive::rescue(*db_, spare_ ? &*spare_ : nullptr, path_);
      // What the log has is in the copy. Nobody is to find it beside another archive.
      if (is_own_log()) {
        std::error_code none;
        for (const char* side : {"-wal", "-shm"})
          std::filesystem::remove(path_.string() + side, none);
      }
      Connection there(rescued_, OpenMode::write);
      {
        const std::lock_guard lock(spare_mutex_);
        spare_.reset();
      }
      const Connection old(std::move(*db_));
      db_.emplace(std::move(there));
      begin_writing();
      inserter_ = std::make_unique<Inserter>(*db_, *inserter_);
      return std::nullopt;
    } catch (const Error& error) {
      return error;
    }
  }

  /// Closing it does not move its log into the file.
  static void keep_log(Connection& db) {
    sqlite3_db_config(db.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }

  void begin_writing() {
    prepare(*db_);
    if (!is_in_wal_mode(*db_)) return;
    const std::lock_guard lock(spare_mutex_);
    spare_.emplace(*db_);
    struct stat log {};
    log_ = stat((db_->path().string() + "-wal").c_str(), &log) == 0 ? log.st_ino : 0;
  }
  [[nodiscard]] bool is_own_log() const {
    struct stat log {};
    return stat((path_.string() + "-wal").c_str(), &log) == 0 && log.st_ino == log_;
  }

  static constexpr std::chrono::milliseconds first_group_time{5};
  // Where so many wait at a time, as when thousands of models answer, a moment more brings many
  // into a group, and a group costs about what one call does.
  static constexpr std::size_t many = 8;
  static constexpr std::chrono::milliseconds gather_time{2};

  const WriterOptions options_;
  const std::filesystem::path path_;
  WriterProgress progress_;
  std::filesystem::path rescued_;  // by the writing thread
  std::atomic<Fate> fate_{Fate::whole};
  std::optional<RunLock> lock_;  // before the database: it goes last
  std::optional<Connection> db_;
  ino_t log_ = 0;
  mutable std::mutex spare_mutex_;  // making it and ending it
  std::optional<SpareCopy> spare_;
  std::unique_ptr<Inserter> inserter_;

  std::mutex mutex_;
  std::condition_variable wake_;  // for the writing thread
  Condition room_;                // for those who wait to add
  std::vector<QueuedWrite> items_;
  std::size_t bytes_ = 0;                                                     // of items_
  std::shared_ptr<CommitGroup> gathering_ = std::make_shared<CommitGroup>();  // of items_
  std::size_t waiting_ = 0;  // for the commit of items_
  bool must_sync_ = false;   // somebody waits for the disk
  bool closing_ = false;
  bool closed_ = false;
  std::optional<Error> failure_;

  std::mutex known_mutex_;
  std::set<hash::Digest> known_;  // content stored by this writer
  std::thread thread_;
};

Writer::Writer(const std::filesystem::path& path, WriterOptions options)
    : queue_(std::make_unique<Queue>(path, options)),
      compressor_(std::make_unique<Compressor>([this](std::string dictionary) {
        return queue_->number([&](Inserter& rows) { return rows.dictionary(dictionary); });
      })) {}

Writer::~Writer() = default;

std::int64_t Writer::game(const GameRow& row) {
  return queue_->number([&](Inserter& rows) { return rows.game(row); });
}

std::int64_t Writer::scenario(const ScenarioRow& row) {
  const std::int64_t number = queue_->number([&](Inserter& rows) { return rows.scenario(row); });
  compressor_->add_scenario(number, row.game);
  return number;
}

std::int64_t Writer::agent(const AgentRow& row) {
  return queue_->number([&](Inserter& rows) { return rows.agent(row); });
}

std::int64_t Writer::suite(const SuiteRow& row) {
  return queue_->number([&](Inserter& rows) { return rows.suite(row); });
}

std::int64_t Writer::begin_run(const RunRow& row, const Selection& found) {
  return queue_->number([&](Inserter& rows) { return rows.run(row, found); });
}

void Writer::end_run(std::int64_t number, std::string_view outcome, std::string_view manifest) {
  const Job job = [&](Inserter& rows) { rows.end_run(number, now(), outcome, manifest); };
  queue_->add({job, 1}, Until::on_disk);
}

hash::Digest Writer::store(std::string_view kind, std::string_view bytes) {
  const hash::Digest hash = hash::sha256(bytes);
  store_as(hash, kind, bytes);
  return hash;
}

void Writer::store_as(const hash::Digest& hash, std::string_view kind, std::string_view bytes,
                      const MessageBase* base) {
  if (queue_->knows(hash)) return;
  queue_->store(
      hash, kind,
      kind == "message" ? compressor_->compress_message(bytes, base) : std::string(bytes));
}

void Writer::save_call(CallRow row) {
  const bool answered = row.answered;
  const std::size_t bytes = sizeof(QueuedWrite) + sizeof(CallRow) + row.call.text.size() +
                            row.call.reasoning.size() + row.messages.size() * sizeof(hash::Digest);
  Job job = [row = std::move(row)](Inserter& rows) { rows.call(row); };
  queue_->add({std::move(job), bytes}, answered ? Until::on_disk : Until::queued);
}

void Writer::write_finished(MatchRow match) {
  match.record = compressor_->compress_record(match.key.scenario, match.record);
  std::size_t bytes =
      sizeof(QueuedWrite) + match.record.size() + match.metrics.size() * sizeof(double);
  for (const SeatRow& seat : match.seats)
    bytes += sizeof(SeatRow) + seat.metrics.size() * sizeof(double);
  queue_->add({std::move(match), bytes}, Until::queued);
}

void Writer::write_columns(const ResultColumns& columns) {
  const auto& blocks = columns.integers[ResultColumns::block];
  std::string bytes = columns.encode();
  const std::size_t size = bytes.size() + sizeof(QueuedWrite);
  Job job = [scenario = columns.scenario, matches = static_cast<std::int64_t>(columns.matches),
             last_block = *std::max_element(blocks.begin(), blocks.end()),
             bytes = std::move(bytes)](Inserter& rows) {
    rows.columns(scenario, matches, last_block, bytes);
  };
  queue_->add({std::move(job), size}, Until::queued);
}

void Writer::forget_set_aside() {
  const Job job = [](Inserter& rows) { rows.forget_set_aside(); };
  queue_->add({job, 1}, Until::on_disk);
}

void Writer::save_partial(PartialMatch match) {
  match.record = compressor_->compress_record(match.key.scenario, match.record);
  const Job job = [&](Inserter& rows) { rows.partial(match); };
  queue_->add({job, match.record.size() + sizeof(QueuedWrite)}, Until::on_disk);
}

void Writer::person(const PersonRow& row) {
  const Job job = [&](Inserter& rows) { rows.person(row); };
  queue_->add({job, sizeof(QueuedWrite)}, Until::on_disk);
}

void Writer::person_answer(const PersonAnswer& row) {
  const Job job = [&](Inserter& rows) { rows.person_answer(row); };
  queue_->add({job, sizeof(QueuedWrite)}, Until::on_disk);
}

void Writer::flush() {
  const Job job = [](Inserter&) {};
  queue_->add({job, 1}, Until::on_disk);
}

void Writer::close() {
  queue_->close();
}

bool Writer::is_in_place() const {
  return queue_->is_in_place();
}

Writer::Fate Writer::fate() const {
  return queue_->fate();
}

bool Writer::looks_whole() const {
  return queue_->looks_whole();
}

std::filesystem::path Writer::rescued() const {
  return queue_->rescued();
}

const WriterProgress& Writer::progress() const {
  return queue_->progress();
}

}  // namespace agon::archive
