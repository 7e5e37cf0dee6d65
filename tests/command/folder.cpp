#include "command/folder.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

#include "catch.hpp"

namespace command_test {

namespace fs = std::filesystem;
namespace bj = boost::json;

namespace {

using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

Database open(const fs::path& archive, int flags) {
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(archive.c_str(), &db, flags, nullptr);
  Database owned(db, &sqlite3_close);
  if (code != SQLITE_OK) owned.reset();
  if (owned) sqlite3_busy_timeout(owned.get(), 10'000);
  return owned;
}

int number(const fs::path& archive, const char* sql) {
  if (!fs::exists(archive)) return 0;
  const Database db = open(archive, SQLITE_OPEN_READWRITE);
  if (!db) return 0;
  sqlite3_stmt* found = nullptr;
  int n = 0;
  // Until the run has made its tables there is nothing to count.
  if (sqlite3_prepare_v2(db.get(), sql, -1, &found, nullptr) == SQLITE_OK &&
      sqlite3_step(found) == SQLITE_ROW)
    n = sqlite3_column_int(found, 0);
  sqlite3_finalize(found);
  return n;
}

}  // namespace

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "agon-command-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
  path_ = fs::canonical(name);
}

Folder::~Folder() {
  std::error_code ignored;
  fs::permissions(path_, fs::perms::owner_all, ignored);
  fs::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, std::string_view text) const {
  fs::create_directories(at(name).parent_path());
  std::ofstream file(at(name), std::ios::binary);
  file << text;
  return name;
}

std::string Folder::write_program(const std::string& name, std::string_view text) const {
  write(name, text);
  fs::permissions(at(name), fs::perms::owner_all);
  return name;
}

std::string Folder::read(const std::string& name) const {
  return read_file(at(name));
}

bool Folder::has(const std::string& name) const {
  return fs::exists(at(name));
}

Start Folder::start(Start start) const {
  if (start.folder.empty()) start.folder = path_.string();
  // What is trusted in this folder is remembered in it. What a test sets itself comes later.
  start.environment.insert(start.environment.begin(), {"XDG_STATE_HOME", at(".state").string()});
  return start;
}

Ended Folder::agon(const Words& arguments, Start start) const {
  return command_test::agon(arguments, this->start(std::move(start)));
}

Ended Folder::succeeds(const Words& arguments, Start start) const {
  const Ended ended = agon(arguments, std::move(start));
  INFO("agon " << fmt::format("{}", fmt::join(arguments, " ")) << "\n" << ended.out << ended.err);
  REQUIRE(ended.code == 0);
  return ended;
}

Ended Folder::refuses(const Words& arguments, int code, const Words& said, Start start) const {
  const Ended ended = agon(arguments, std::move(start));
  INFO("agon " << fmt::format("{}", fmt::join(arguments, " ")) << "\n" << ended.out << ended.err);
  CHECK(ended.code == code);
  check_has(ended.err, said);
  return ended;
}

int shell(const Folder& folder, const std::string& line) {
  const std::string all =
      "cd '" + folder.path().string() + "' && AGON='" + command_path() + "' && " + line;
  const int status = std::system(all.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string grows_in(const Folder& folder, const std::string& work) {
  std::string found;
  if (!folder.has(work)) return found;
  for (const auto& file : fs::directory_iterator(folder.at(work)))
    if (file.path().extension() == ".agon") {
      CHECK(found.empty());
      found = work + "/" + file.path().filename().string();
    }
  return found;
}

bool has_part(const Folder& folder) {
  for (const auto& file : fs::directory_iterator(folder.path()))
    if (contains(file.path().string(), ".part")) return true;
  return false;
}

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size()))
    ++n;
  return n;
}

std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

bj::value json_with_comments(const std::string& text) {
  bj::parse_options options;
  options.allow_comments = true;
  return bj::parse(text, {}, options);
}

bj::value json_of(const std::string& text) {
  bj::error_code error;
  bj::value value = bj::parse(text, error);
  INFO("not JSON: " << text.substr(0, 400));
  REQUIRE_FALSE(error.failed());
  return value;
}

std::vector<bj::object> exported(const Folder& folder, const std::string& archive,
                                 const std::string& rows) {
  const Ended all = folder.agon({"export", archive, "--rows", rows, "--format", "jsonl"});
  INFO(all.err);
  REQUIRE(all.code == 0);
  std::vector<bj::object> found;
  for (const std::string& line : lines(all.out)) {
    found.push_back(json_of(line).as_object());
    for (const char* name : {"wall_ms", "waiting_ms", "created"}) found.back().erase(name);
  }
  return found;
}

agon::test::PaperFigures paper_table(const Folder& folder, const std::string& archive,
                                     const std::string& id, const Words& more) {
  const Words words = joined({"report", archive, "--paper-table", id, "--json"}, more);
  return agon::test::paper_figures(json_of(folder.succeeds(words).out));
}

std::vector<std::string> content(const Folder& folder, const std::string& archive) {
  std::vector<std::string> matches;
  for (const bj::object& row : exported(folder, archive, "records"))
    matches.push_back(bj::serialize(row));
  std::sort(matches.begin(), matches.end());
  return matches;
}

int finished(const fs::path& archive) {
  return number(archive,
                "select (select count(*) from match) + "
                "(select coalesce(sum(matches), 0) from result_columns)");
}

int partial(const fs::path& archive) {
  return number(archive, "select count(*) from partial");
}

int last_save(const fs::path& archive) {
  return number(archive, "select coalesce(max(sequence), -1) from partial");
}

void run_sql(const fs::path& archive, const std::string& sql) {
  const Database db = open(archive, SQLITE_OPEN_READWRITE);
  REQUIRE(db != nullptr);
  REQUIRE(sqlite3_exec(db.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_changes(db.get()) >= 0);
}

// A record as docs/archive.md says that it is stored, compressed or not.
static std::string whole_record(sqlite3* db, std::string bytes) {
  if (bytes.empty() || bytes.front() != '\0') return bytes;
  std::uint64_t number = 0;
  std::size_t at = 1;
  for (unsigned shift = 0;; shift += 7) {
    REQUIRE(at < bytes.size());
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80U) break;
  }
  std::string dictionary;
  if (number != 0) {
    sqlite3_stmt* find = nullptr;
    REQUIRE(sqlite3_prepare_v2(db, "select bytes from content where number = ?", -1, &find,
                               nullptr) == SQLITE_OK);
    sqlite3_bind_int64(find, 1, static_cast<sqlite3_int64>(number));
    REQUIRE(sqlite3_step(find) == SQLITE_ROW);
    dictionary.assign(static_cast<const char*>(sqlite3_column_blob(find, 0)),
                      static_cast<std::size_t>(sqlite3_column_bytes(find, 0)));
    sqlite3_finalize(find);
  }
  std::string whole(ZSTD_getFrameContentSize(bytes.data() + at, bytes.size() - at), '\0');
  ZSTD_DCtx* context = ZSTD_createDCtx();
  CHECK(ZSTD_decompress_usingDict(context, whole.data(), whole.size(), bytes.data() + at,
                                  bytes.size() - at, dictionary.data(),
                                  dictionary.size()) == whole.size());
  ZSTD_freeDCtx(context);
  return whole;
}

int change_records(const fs::path& archive, std::string_view from, std::string_view to) {
  const Database db = open(archive, SQLITE_OPEN_READWRITE);
  REQUIRE(db != nullptr);
  sqlite3_stmt* read = nullptr;
  sqlite3_stmt* write = nullptr;
  REQUIRE(sqlite3_prepare_v2(db.get(), "select match, bytes from record", -1, &read, nullptr) ==
          SQLITE_OK);
  std::vector<std::pair<sqlite3_int64, std::string>> changed;
  while (sqlite3_step(read) == SQLITE_ROW) {
    std::string bytes =
        whole_record(db.get(), {static_cast<const char*>(sqlite3_column_blob(read, 1)),
                                static_cast<std::size_t>(sqlite3_column_bytes(read, 1))});
    const std::size_t at = bytes.rfind(from);
    if (at == std::string::npos) continue;
    bytes.replace(at, from.size(), to);
    changed.emplace_back(sqlite3_column_int64(read, 0), std::move(bytes));
  }
  sqlite3_finalize(read);
  REQUIRE(sqlite3_prepare_v2(db.get(), "update record set bytes = ? where match = ?", -1, &write,
                             nullptr) == SQLITE_OK);
  for (const auto& [match, bytes] : changed) {
    sqlite3_bind_blob(write, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
    sqlite3_bind_int64(write, 2, match);
    CHECK(sqlite3_step(write) == SQLITE_DONE);
    sqlite3_reset(write);
  }
  sqlite3_finalize(write);
  return static_cast<int>(changed.size());
}

std::string suite(const std::string& scenarios, const std::string& more) {
  return R"({
  "suite": "small", "seed": 11,
  "agents": {
    "floor": "random",
    "reference": { "rule": { "english-auction": "value-cap", "water-allocation": "survivor",
                             "bargaining": "time-dependent", "deal-or-no-deal": "concede" } }
  },)" + more +
         "\n  \"scenarios\": [" + scenarios + "]\n}\n";
}

fs::path published_data() {
  const char* given = std::getenv("AGON_DATA");
  fs::path data = given != nullptr && *given != '\0'
                      ? fs::path(given)
                      : fs::path(AGON_TEST_SOURCE) / ".." / "shared" / "data";
  if (!fs::is_directory(data))
    SKIP("the published data are not here; AGON_DATA names their folder");
  return data;
}

}  // namespace command_test
