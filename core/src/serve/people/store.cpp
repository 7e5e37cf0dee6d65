#include "people/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "archive/database/file.hpp"
#include "archive/database/sqlite.hpp"
#include "http/door.hpp"

namespace agon::serve {
namespace {

using archive::Connection;
using archive::Statement;

constexpr std::int64_t kApplication = 0x41675065;  // "AgPe"
constexpr std::int64_t kVersion = 1;

constexpr const char* kSchema = R"(
create table about (name text primary key, value text not null) without rowid;
create table participant (
  id         text primary key,
  pseudonym  text not null unique,
  label      text not null,
  room       text not null,
  key        text not null,
  code       text not null,
  place      integer not null,
  began      integer not null,
  consented  integer not null,
  instructed integer not null,
  ended      integer not null,
  end        text not null,
  paid       integer not null
) without rowid;
create table consent (digest text primary key, text text not null) without rowid;
create table seated (
  match       blob not null,
  seat        integer not null,
  first       blob not null,
  label       text not null,
  luck        integer not null,
  participant text not null references participant,
  since       integer not null,
  outcome     text not null,
  score       text not null,
  seen        integer not null,
  primary key (match, seat)
) without rowid;
create table said (
  match       blob not null,
  seat        integer not null,
  question    integer not null,
  attempt     integer not null,
  kind        text not null,
  json        text not null,
  typed       text not null,
  thought     text not null,
  shown       integer not null,
  first_input integer not null,
  answered    integer not null,
  primary key (match, seat, question, attempt)
) without rowid;
)";

/// Makes the file readable for its owner alone, before anything is in it.
std::filesystem::path made(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0)
    throw Error(ErrorKind::failure, "the file of the people who take part cannot be written",
                path.string(), "say with --out where there is room and permission");
  ::close(file);
  return path;
}

void set_up(Connection& db) {
  if (db.integer("select count(*) from sqlite_schema") == 0) {
    db.run("pragma journal_mode = wal; begin immediate");
    db.run(kSchema);
    db.run(("pragma application_id = " + std::to_string(kApplication) +
            "; pragma user_version = " + std::to_string(kVersion))
               .c_str());
    Statement(db, "insert into about values ('session', ?)")
        .bind(key_digest(random_key()).substr(0, 8))
        .run();
    db.run("commit");
  }
  if (db.integer("pragma application_id") != kApplication ||
      db.integer("pragma user_version") != kVersion)
    throw Error(ErrorKind::invalid,
                "this is no file of people who take part, or one of another version of Agon",
                db.path().string(), "say another --out");
  // An answer that is acknowledged is on the disk.
  // What is taken out again is not left in the file's free places.
  db.run(
      "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; "
      "pragma secure_delete = on");
}

archive::MatchId match_id(std::span<const std::uint8_t> bytes) {
  archive::MatchId id;
  std::copy(bytes.begin(), bytes.end(), id.bytes.begin());
  return id;
}

PeopleStore::Kept read_all(Connection& db) {
  PeopleStore::Kept kept;
  Statement about(db, "select name, value from about");
  while (about.step()) {
    const std::string name(about.text());
    if (name == "session") kept.session = about.text();
    if (name == "ended") kept.ended = true;
  }
  Statement people(db,
                   "select id, pseudonym, label, room, key, code, place, began, consented, "
                   "instructed, ended, end, paid from participant order by place");
  while (people.step()) {
    ParticipantRow row;
    for (std::string* text : {&row.id, &row.pseudonym, &row.label, &row.room, &row.key, &row.code})
      *text = people.text();
    for (std::int64_t* time : {&row.place, &row.began, &row.consented, &row.instructed, &row.ended})
      *time = people.integer();
    row.end = people.text();
    row.paid = people.integer();
    kept.participants.push_back(std::move(row));
  }
  Statement seated(db,
                   "select match, seat, first, label, luck, participant, since, outcome, score, "
                   "seen from seated order by since, match, seat");
  while (seated.step()) {
    SeatedRow row;
    row.match = match_id(seated.bytes(row.match.bytes.size()));
    row.seat = static_cast<int>(seated.integer(0, 1000));
    row.first = match_id(seated.bytes(row.first.bytes.size()));
    row.label = seated.text();
    row.luck = static_cast<std::uint64_t>(seated.integer());
    row.participant = seated.text();
    row.since = seated.integer();
    row.outcome = seated.text();
    row.score = seated.text();
    row.seen = seated.integer() != 0;
    kept.seated.push_back(std::move(row));
  }
  Statement said(db,
                 "select match, seat, question, attempt, kind, json, typed, thought, shown, "
                 "first_input, answered from said");
  while (said.step()) {
    SaidRow row;
    row.match = match_id(said.bytes(row.match.bytes.size()));
    row.seat = static_cast<int>(said.integer(0, 1000));
    row.question = static_cast<std::uint32_t>(said.integer(0, UINT32_MAX));
    row.attempt = static_cast<int>(said.integer(0, 1000));
    for (std::string* text : {&row.kind, &row.json, &row.typed, &row.thought}) *text = said.text();
    for (std::int64_t* time : {&row.timing.shown, &row.timing.first_input, &row.timing.answered})
      *time = said.integer();
    kept.said.push_back(std::move(row));
  }
  return kept;
}

}  // namespace

class PeopleStore::Writer {
 public:
  using Job = std::function<void(Connection&)>;

  explicit Writer(const std::filesystem::path& path)
      : lock_(made(path)), db_(path, archive::Access::write) {
    set_up(db_);
    kept_ = read_all(db_);
    thread_ = std::thread([this] { work(); });
  }
  ~Writer() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  void add(Job job, Done done) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back({std::move(job), std::move(done)});
    }
    wake_.notify_one();
  }

  /// Why something was not kept of which nobody was told since this was asked last; empty: all was.
  std::string take_lost() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lost_, {});
  }

  Kept kept_;

 private:
  struct Item {
    Job job;
    Done done;
  };

  void lose(const std::string& problem) {
    const std::lock_guard lock(mutex_);
    lost_ = problem;
  }

  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
      if (queue_.empty()) return;
      const std::vector<Item> group = std::exchange(queue_, {});
      lock.unlock();
      std::string problem;
      try {
        db_.run("begin immediate");
        for (const Item& item : group) item.job(db_);
        db_.run("commit");
      } catch (const std::exception& error) {
        problem = error.what();
        db_.roll_back();
      }
      for (const Item& item : group)
        if (item.done)
          item.done(problem);
        else if (!problem.empty())
          lose(problem);
    }
  }

  archive::RunLock lock_;
  Connection db_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Item> queue_;
  std::string lost_;
  bool closing_ = false;
  std::thread thread_;
};

PeopleStore::PeopleStore(const std::filesystem::path& path)
    : writer_(std::make_unique<Writer>(path)) {}
PeopleStore::~PeopleStore() = default;

PeopleStore::Kept PeopleStore::take_kept() {
  return std::move(writer_->kept_);
}

void PeopleStore::save(ParticipantRow row, Done done) {
  writer_->add(
      [row = std::move(row)](Connection& db) {
        Statement(db, "insert or replace into participant values (?,?,?,?,?,?,?,?,?,?,?,?,?)")
            .bind(row.id)
            .bind(row.pseudonym)
            .bind(row.label)
            .bind(row.room)
            .bind(row.key)
            .bind(row.code)
            .bind(row.place)
            .bind(row.began)
            .bind(row.consented)
            .bind(row.instructed)
            .bind(row.ended)
            .bind(row.end)
            .bind(row.paid)
            .run();
      },
      std::move(done));
}

void PeopleStore::forget(const std::string& participant, Done done) {
  writer_->add(
      [participant](Connection& db) {
        Statement(db, "delete from participant where id = ?").bind(participant).run();
      },
      std::move(done));
}

void PeopleStore::save(SeatedRow row, Done done) {
  writer_->add(
      [row = std::move(row)](Connection& db) {
        Statement(db, "insert or replace into seated values (?,?,?,?,?,?,?,?,?,?)")
            .bind(row.match.bytes)
            .bind(row.seat)
            .bind(row.first.bytes)
            .bind(row.label)
            .bind(static_cast<std::int64_t>(row.luck))
            .bind(row.participant)
            .bind(row.since)
            .bind(row.outcome)
            .bind(row.score)
            .bind(row.seen ? 1 : 0)
            .run();
      },
      std::move(done));
}

void PeopleStore::save(SaidRow row, Done done) {
  writer_->add(
      [row = std::move(row)](Connection& db) {
        Statement(db, "insert or replace into said values (?,?,?,?,?,?,?,?,?,?,?)")
            .bind(row.match.bytes)
            .bind(row.seat)
            .bind(row.question)
            .bind(row.attempt)
            .bind(row.kind)
            .bind(row.json)
            .bind(row.typed)
            .bind(row.thought)
            .bind(row.timing.shown)
            .bind(row.timing.first_input)
            .bind(row.timing.answered)
            .run();
      },
      std::move(done));
}

void PeopleStore::save_nothing(Done done) {
  writer_->add([](Connection&) {}, std::move(done));
}

void PeopleStore::save_text(const std::string& digest, const std::string& text) {
  writer_->add(
      [digest, text](Connection& db) {
        Statement(db, "insert or ignore into consent values (?,?)").bind(digest).bind(text).run();
      },
      {});
}

void PeopleStore::end_session() {
  writer_->add(
      [](Connection& db) { db.run("insert or replace into about values ('ended', 'yes')"); }, {});
}

void PeopleStore::flush() {
  std::promise<std::string> done;
  std::future<std::string> problem = done.get_future();
  writer_->add([](Connection&) {}, [&](const std::string& what) { done.set_value(what); });
  std::string what = problem.get();
  if (what.empty()) what = writer_->take_lost();
  if (!what.empty()) throw Error(ErrorKind::failure, what, "", "");
}

}  // namespace agon::serve
