#include "people/store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "archive/database/file.hpp"
#include "archive/database/table.hpp"
#include "describe/value.hpp"
#include "http/door.hpp"

namespace agon::serve {
namespace {

using archive::column;
using archive::Connection;
using archive::Statement;

constexpr std::int64_t kApplication = 0x41675065;  // "AgPe"
constexpr std::int64_t kVersion = 2;
/// Its files lack columns and tables, which are added.
constexpr std::int64_t kOldestVersion = 1;

/// An enum by the name of its value; an optional one that is nothing is empty.
struct EnumNameOrEmpty {
  template <class T>
  static constexpr std::string_view declared() {
    return "text not null";
  }
  template <class E>
  static void bind(Statement& to, const E& value) {
    if constexpr (std::is_enum_v<E>)
      to.bind(name_of(value));
    else
      to.bind(value ? name_of(*value) : std::string_view(""));
  }
  template <class E>
  static void read(Statement& from, E& value, archive::ColumnLimits limits) {
    if constexpr (std::is_enum_v<E>) {
      std::optional<E> known;
      read(from, known, limits);
      if (!known) from.refuse("empty");
      value = *known;
    } else {
      const std::string_view name = from.text();
      value = value_named<typename E::value_type>(name);
      if (!value && !name.empty()) from.refuse("not known to this version of Agon");
    }
  }
};

struct ParticipantRows {
  using Row = ParticipantRow;
  static constexpr std::string_view name = "participant";
  static constexpr std::tuple columns{
      column("id", &Row::id).as("text primary key"),
      column("pseudonym", &Row::pseudonym).also("unique"),
      column("label", &Row::label),
      column("room", &Row::room),
      column("key", &Row::key),
      column("code", &Row::code),
      column("place", &Row::place),
      column("began", &Row::began),
      column("consented", &Row::consented),
      column("instructed", &Row::instructed),
      column("ended", &Row::ended),
      column("end", &Row::end).by(EnumNameOrEmpty{}),
      column("paid", &Row::paid),
      column("stage", &Row::stage).also("default 0"),
      column("account", &Row::account).also("default ''"),
      column("panel_id", &Row::panel_id).also("default ''"),
      column("panel_parameters", &Row::panel_parameters).also("default ''"),
      column("wanted", &Row::wanted).also("default ''")};
};

struct SeatedRows {
  using Row = SeatedRow;
  static constexpr std::string_view name = "seated";
  static constexpr std::tuple columns{
      column("match", &Row::match),
      column("seat", &Row::seat).between(0, 1000),
      column("first", &Row::first),
      column("label", &Row::label),
      column("luck", &Row::luck),
      column("participant", &Row::participant).also("references participant"),
      column("since", &Row::since),
      column("outcome", &Row::outcome).by(EnumNameOrEmpty{}),
      column("score", &Row::score),
      column("seen", &Row::seen),
      column("stage", &Row::stage).also("default 0")};
};

struct AssignmentRows {
  using Row = AssignmentRow;
  static constexpr std::string_view name = "assigned";
  static constexpr std::tuple columns{
      column("participant", &Row::participant).also("references participant"),
      column("stage", &Row::stage),
      column("kind", &Row::kind).by(EnumNameOrEmpty{}),
      column("scenario", &Row::scenario),
      column("match", &Row::match),
      column("draw", &Row::draw),
      column("number", &Row::number),
      column("value", &Row::value),
      column("why", &Row::why),
      column("since", &Row::since)};
};

struct SaidRows {
  using Row = SaidRow;
  static constexpr std::string_view name = "said";
  static constexpr std::tuple columns{column("match", &Row::match),
                                      column("seat", &Row::seat).between(0, 1000),
                                      column("question", &Row::question),
                                      column("attempt", &Row::attempt).between(0, 1000),
                                      column("kind", &Row::kind).by(EnumNameOrEmpty{}),
                                      column("json", &Row::json),
                                      column("typed", &Row::typed),
                                      column("thought", &Row::thought),
                                      column("shown", &Row::timing, &Timing::shown),
                                      column("first_input", &Row::timing, &Timing::first_input),
                                      column("answered", &Row::timing, &Timing::answered)};
};

struct ChatRows {
  using Row = ChatRow;
  static constexpr std::string_view name = "chat";
  static constexpr std::tuple columns{column("match", &Row::match),
                                      column("number", &Row::number),
                                      column("seat", &Row::seat).between(0, 1000),
                                      column("pseudonym", &Row::pseudonym),
                                      column("question", &Row::question),
                                      column("at", &Row::at),
                                      column("text", &Row::text),
                                      column("token", &Row::token)};
};

struct LetterRows {
  using Row = LetterRow;
  static constexpr std::string_view name = "letter";
  static constexpr std::tuple columns{column("participant", &Row::participant),
                                      column("number", &Row::number), column("text", &Row::text),
                                      column("sent", &Row::sent), column("closed", &Row::closed)};
};

struct NoteRows {
  using Row = NoteRow;
  static constexpr std::string_view name = "note";
  static constexpr std::tuple columns{
      column("participant", &Row::participant).as("text primary key"), column("text", &Row::text)};
};

struct ActionRows {
  using Row = ActionRow;
  static constexpr std::string_view name = "action";
  static constexpr std::tuple columns{
      column("number", &Row::number), column("at", &Row::at), column("token", &Row::token),
      column("participant", &Row::participant), column("text", &Row::text)};
};

struct SeatChangeRows {
  using Row = SeatChangeRow;
  static constexpr std::string_view name = "seat_change";
  static constexpr std::tuple columns{column("match", &Row::match),
                                      column("seat", &Row::seat).between(0, 1000),
                                      column("first", &Row::first),
                                      column("question", &Row::question),
                                      column("attempt", &Row::attempt).between(0, 1000),
                                      column("before", &Row::before),
                                      column("after", &Row::after),
                                      column("at", &Row::at)};
};

struct FormAnswerRows {
  using Row = FormAnswerRow;
  static constexpr std::string_view name = "form";
  static constexpr std::tuple columns{
      column("participant", &Row::participant).also("references participant"),
      column("stage", &Row::stage),
      column("question", &Row::question),
      column("attempt", &Row::attempt),
      column("json", &Row::json),
      column("mark", &Row::mark).by(EnumNameOrEmpty{}),
      column("answered", &Row::answered)};
};

/// Adds the columns that a file of an older version lacks. What is new has a default.
template <class Table>
void add_columns(Connection& db) {
  std::set<std::string, std::less<>> there;
  Statement names(db, "select name from pragma_table_info('" + std::string(Table::name) + "')");
  while (names.step()) there.emplace(names.text());
  archive::each_column<Table>([&](const auto& at) {
    if (!there.contains(at.name))
      db.run(("alter table " + std::string(Table::name) + " add column " +
              at.template declaration<typename Table::Row>())
                 .c_str());
  });
}

constexpr std::string_view kNoNumber = " without rowid";

/// What files of the first version do not have.
std::string later_tables() {
  return archive::create_table<FormAnswerRows>(
             {}, "primary key (participant, stage, attempt, question)", kNoNumber) +
         archive::create_table<ChatRows>({}, "primary key (match, number)", kNoNumber) +
         archive::create_table<LetterRows>({}, "primary key (participant, number)", kNoNumber) +
         archive::create_table<NoteRows>({}, "", kNoNumber) +
         archive::create_table<ActionRows>({}, "primary key (number)", kNoNumber) +
         archive::create_table<SeatChangeRows>({}, "primary key (match, seat, question, attempt)",
                                               kNoNumber) +
         archive::create_table<AssignmentRows>(
             {}, "unique (participant, stage, kind, scenario, match)");
}

void create_tables(Connection& db) {
  const std::string tables =
      "create table about (name text primary key, value text not null) without rowid;"
      "create table consent (digest text primary key, text text not null) without rowid;" +
      archive::create_table<ParticipantRows>({}, "", kNoNumber) +
      archive::create_table<SeatedRows>({}, "primary key (match, seat)", kNoNumber) +
      archive::create_table<SaidRows>({}, "primary key (match, seat, question, attempt)",
                                      kNoNumber) +
      later_tables();
  db.run(tables.c_str());
}

/// What an older version wrote becomes a file of this one.
void upgrade(Connection& db) {
  db.run("begin immediate");
  add_columns<ParticipantRows>(db);
  add_columns<SeatedRows>(db);
  add_columns<SaidRows>(db);
  db.run(later_tables().c_str());
  db.run(("pragma user_version = " + std::to_string(kVersion)).c_str());
  db.run("commit");
}

template <class Table>
std::vector<typename Table::Row> read_all(Connection& db, std::string_view order) {
  Statement rows(db, "select " + archive::names_of<Table>() + " from " + std::string(Table::name) +
                         std::string(order));
  std::vector<typename Table::Row> all;
  while (rows.step()) archive::read_row<Table>(rows, all.emplace_back());
  return all;
}

template <class Table>
void replace(Connection& db, const typename Table::Row& row) {
  Statement statement(db, archive::insert_into<Table>({}, "insert or replace"));
  archive::bind_row<Table>(statement, row).run();
}

/// Makes the file readable for its owner alone, before anything is in it.
std::filesystem::path made(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0)
    throw Error(ErrorKind::failure, "the file of the people who take part cannot be written",
                path.string(), "say with --out where there is room and permission");
  ::close(file);
  return path;
}

/// Of the file; throws for what is no such file.
std::int64_t check_version(Connection& db, const char* hint) {
  const std::int64_t version = db.integer("pragma user_version");
  if (db.integer("pragma application_id") != kApplication || version > kVersion ||
      version < kOldestVersion)
    throw Error(ErrorKind::invalid,
                "this is no file of people who take part, or one of another version of Agon",
                db.path().string(), hint);
  return version;
}

void set_up(Connection& db) {
  if (db.integer("select count(*) from sqlite_schema") == 0) {
    db.run("pragma journal_mode = wal; begin immediate");
    create_tables(db);
    db.run(("pragma application_id = " + std::to_string(kApplication) +
            "; pragma user_version = " + std::to_string(kVersion))
               .c_str());
    Statement(db, "insert into about values ('session', ?)")
        .bind(key_digest(random_key()).substr(0, 8))
        .run();
    db.run("commit");
  }
  if (check_version(db, "say another --out") < kVersion) upgrade(db);
  // An answer that is acknowledged is on the disk.
  // What is taken out again is not left in the file's free places.
  db.run(
      "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; "
      "pragma secure_delete = on");
}

KeptPeople read_all(Connection& db) {
  KeptPeople kept;
  Statement about(db, "select name, value from about");
  while (about.step()) {
    const std::string name(about.text());
    if (name == "session") kept.session = about.text();
    if (name == "ended") kept.ended = true;
    if (name == "paused") kept.paused = true;
    if (name == "questions") kept.questions = *read_back<AskedQuestions>(about.text());
  }
  kept.asked_consent = db.integer("select count(*) from consent") > 0;
  kept.participants = read_all<ParticipantRows>(db, " order by place");
  kept.seated = read_all<SeatedRows>(db, " order by since, match, seat");
  kept.said = read_all<SaidRows>(db, "");
  kept.chat = read_all<ChatRows>(db, " order by match, number");
  kept.letters = read_all<LetterRows>(db, " order by number");
  kept.notes = read_all<NoteRows>(db, "");
  kept.actions = read_all<ActionRows>(db, " order by number");
  kept.seat_changes = read_all<SeatChangeRows>(db, " order by at, question, attempt");
  kept.assigned = read_all<AssignmentRows>(db, " order by rowid");
  kept.forms = read_all<FormAnswerRows>(db, " order by stage, attempt, question");
  return kept;
}

}  // namespace

std::filesystem::path people_file(std::filesystem::path archive) {
  if (archive.extension() == ".agon") archive.replace_extension();
  return archive += ".people";
}

KeptPeople read_people(const std::filesystem::path& file) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0)
    throw Error(ErrorKind::not_found, "file not found", file.string(),
                "keep NAME.people of 'agon serve SUITE --people' beside NAME.agon");
  if (about.st_uid != ::geteuid())
    throw Error(ErrorKind::invalid, "the file of the people who take part belongs to somebody else",
                file.string(), "ask its owner for the rows");
  Connection db(file, archive::OpenMode::read);
  if (check_version(db, "read it with the version of Agon that wrote it") < kVersion)
    throw Error(
        ErrorKind::invalid, "a session of an older version of Agon wrote this", file.string(),
        "start its suite once with 'agon serve SUITE --people', which brings it up to date");
  db.run("begin");
  KeptPeople kept = read_all(db);
  db.run("rollback");
  return kept;
}

class PeopleStore::StoreWriter {
 public:
  using Job = std::function<void(Connection&)>;

  explicit StoreWriter(const std::filesystem::path& path)
      : lock_(made(path)), db_(path, archive::OpenMode::write) {
    set_up(db_);
    kept_ = read_all(db_);
    thread_ = std::thread([this] { work(); });
  }
  ~StoreWriter() {
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

  template <class Rows>
  void save(typename Rows::Row row, Done done) {
    add([row = std::move(row)](Connection& db) { replace<Rows>(db, row); }, std::move(done));
  }

  [[nodiscard]] const std::filesystem::path& path() const { return db_.path(); }

  /// Why something was not kept of which nobody was told since this was asked last; empty: all was.
  std::string take_lost() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lost_, {});
  }

  KeptPeople kept_;

 private:
  struct QueuedJob {
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
      const std::vector<QueuedJob> group = std::exchange(queue_, {});
      lock.unlock();
      std::string problem;
      try {
        db_.run("begin immediate");
        for (const QueuedJob& item : group) item.job(db_);
        db_.run("commit");
      } catch (const std::exception& error) {
        problem = error.what();
        db_.roll_back();
      }
      for (const QueuedJob& item : group)
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
  std::vector<QueuedJob> queue_;
  std::string lost_;
  bool closing_ = false;
  std::thread thread_;
};

PeopleStore::PeopleStore(const std::filesystem::path& path)
    : writer_(std::make_unique<StoreWriter>(path)) {}
PeopleStore::~PeopleStore() = default;

const std::filesystem::path& PeopleStore::path() const {
  return writer_->path();
}

KeptPeople PeopleStore::take_kept() {
  return std::move(writer_->kept_);
}

void PeopleStore::save(ParticipantRow row, Done done) {
  writer_->save<ParticipantRows>(std::move(row), std::move(done));
}

void PeopleStore::forget(const std::string& participant, Done done) {
  writer_->add(
      [participant](Connection& db) {
        for (const char* rows : {"letter where participant", "note where participant",
                                 "action where participant", "participant where id"})
          Statement(db, "delete from " + std::string(rows) + " = ?").bind(participant).run();
      },
      std::move(done));
}

void PeopleStore::save(SeatedRow row, Done done) {
  writer_->save<SeatedRows>(std::move(row), std::move(done));
}

void PeopleStore::save(std::vector<AssignmentRow> rows) {
  if (!rows.empty()) save({}, std::move(rows));
}

void PeopleStore::save(std::vector<SeatedRow> seats, std::vector<AssignmentRow> rows) {
  writer_->add(
      [seats = std::move(seats), rows = std::move(rows)](Connection& db) {
        for (const SeatedRow& row : seats) replace<SeatedRows>(db, row);
        for (const AssignmentRow& row : rows) replace<AssignmentRows>(db, row);
      },
      {});
}

void PeopleStore::save(SaidRow row, Done done) {
  writer_->save<SaidRows>(std::move(row), std::move(done));
}

void PeopleStore::save(ChatRow row, Done done) {
  writer_->save<ChatRows>(std::move(row), std::move(done));
}

void PeopleStore::save(LetterRow row, Done done) {
  writer_->save<LetterRows>(std::move(row), std::move(done));
}

void PeopleStore::save(NoteRow row, Done done) {
  writer_->save<NoteRows>(std::move(row), std::move(done));
}

void PeopleStore::save(ActionRow row, Done done) {
  writer_->save<ActionRows>(std::move(row), std::move(done));
}

void PeopleStore::save(SeatChangeRow row, Done done) {
  writer_->save<SeatChangeRows>(std::move(row), std::move(done));
}

void PeopleStore::save(std::vector<FormAnswerRow> form, Done done) {
  writer_->add(
      [form = std::move(form)](Connection& db) {
        for (const FormAnswerRow& row : form) replace<FormAnswerRows>(db, row);
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

void PeopleStore::save_questions(const AskedQuestions& questions) {
  writer_->add(
      [json = write_json(questions)](Connection& db) {
        Statement(db, "insert or replace into about values ('questions', ?)").bind(json).run();
      },
      {});
}

void PeopleStore::end_session() {
  writer_->add(
      [](Connection& db) { db.run("insert or replace into about values ('ended', 'yes')"); }, {});
}

void PeopleStore::pause(bool paused) {
  writer_->add(
      [paused](Connection& db) {
        db.run(paused ? "insert or replace into about values ('paused', 'yes')"
                      : "delete from about where name = 'paused'");
      },
      {});
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
