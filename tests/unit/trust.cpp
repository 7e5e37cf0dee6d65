// What is asked for, and what is remembered of it.

#include "security/trust.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "archive_samples.hpp"
#include "catch.hpp"

using namespace agon;
using archive_samples::Folder;

namespace {

namespace fs = std::filesystem;

Access to_host(const std::string& host, const std::string& variable = {}) {
  Access access{.kind = AccessKind::host, .target = host};
  if (!variable.empty()) access.variables = {variable};
  return access;
}

Access command(std::vector<std::string> words, std::string folder = {}) {
  return {.kind = AccessKind::command, .command = std::move(words), .folder = std::move(folder)};
}

hash::Digest digest(int n) {
  return hash::sha256(std::to_string(n));
}

std::string content(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("what is asked for is listed once, with all who need it") {
  Accesses asked("/");
  CHECK(asked.all_trusted());
  CHECK_FALSE(asked.add(to_host("https://a.example:443", "KEY"), "s.json:1", "one"));
  CHECK_FALSE(asked.add(to_host("https://a.example:443", "KEY"), "s.json:2", "two"));
  CHECK_FALSE(asked.add(to_host("https://a.example:443", "KEY"), "s.json:2", "two"));
  CHECK_FALSE(asked.add(to_host("https://a.example:443"), "s.json:3", "three"));
  REQUIRE(asked.all().size() == 2);
  CHECK(text_of(asked.all()[0]) ==
        "sends questions and the value of KEY to https://a.example:443, for agents one, two: "
        "s.json:1");
  CHECK(text_of(asked.all()[1]) ==
        "sends questions to https://a.example:443, for agent three: s.json:3");
  for (const char* name : {"four", "five", "six"})
    CHECK_FALSE(asked.add(to_host("https://a.example:443"), "", name));
  CHECK(text_of(asked.all()[1]).find("for agents three, four, five and 1 more: ") !=
        std::string::npos);
  CHECK_FALSE(asked.all_trusted());
  asked.trust();
  CHECK(asked.all_trusted());
  CHECK(asked.add(to_host("https://a.example:443", "KEY"), "", "one"));
  CHECK_FALSE(asked.add(to_host("https://a.example:443", "OTHER"), "", "one"));
  CHECK_FALSE(asked.all_trusted());
}

TEST_CASE("every part of what is asked for counts") {
  const auto of = [](const fs::path& folder, const Access& access) {
    Accesses asked(folder);
    (void)asked.add(access, "", "");
    return asked.digests().at(0);
  };
  const std::vector<hash::Digest> all{
      of("/", command({"a", "b"}, "/x")),
      of("/", command({"a b"}, "/x")),
      of("/", command({"a", "b"}, "/y")),
      of("/tmp", command({"a", "b"}, "/x")),
      of("/",
         {.kind = AccessKind::command, .command = {"a", "b"}, .folder = "/x", .variables = {"V"}}),
      of("/", to_host("http://a.example:80")),
      of("/", to_host("https://a.example:443")),
      of("/", to_host("https://a.example:443", "V")),
      of("/", to_host("https://a.example:443", "W")),
      of("/", {.kind = AccessKind::file, .target = "/a"}),
      of("/", {.kind = AccessKind::file, .target = "/b"}),
  };
  CHECK(std::set<hash::Digest>(all.begin(), all.end()).size() == all.size());
  // Where no folder is named it is the suite's.
  CHECK(of("/tmp", command({"a"})) == of("/tmp/", command({"a"}, "/tmp")));
}

TEST_CASE("what is shown to be trusted acts on no terminal and hides nothing") {
  Accesses asked("/");
  (void)asked.add(command({"sh", "-c", "echo \x1b[2J\nrm x"}, "/x"), "s.json", "a\nb");
  const std::string text = text_of(asked.all()[0]);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.find("rm x") != std::string::npos);
  CHECK(text.starts_with("starts sh -c '"));
}

TEST_CASE("files below the suite's folder and what ships may be read, after links") {
  const Folder outer;
  const fs::path suite = outer / "suite", other = outer / "suite-2", shipped = outer / "shipped";
  for (const fs::path& folder : {suite / "in", other, shipped, outer / "far"})
    fs::create_directories(folder);
  std::ofstream(other / "file") << "x";
  std::ofstream(outer / "far/data") << "x";
  fs::create_symlink(other / "file", suite / "in/link");
  fs::create_directory_symlink(suite, outer / "by-another-name");
  fs::create_directory_symlink(outer / "far", shipped / "game");
  Accesses asked(outer / "by-another-name", {shipped.string()});
  CHECK(asked.folder() == fs::canonical(suite));
  CHECK(asked.may_read(suite / "in/file", ""));
  CHECK(asked.may_read(suite / "none/../in/../file", ""));
  CHECK(asked.may_read(suite, ""));
  CHECK(asked.may_read(shipped / "game/data", ""));
  CHECK(asked.all().empty());
  CHECK_FALSE(asked.left_files_out());
  CHECK_FALSE(asked.may_read(suite / "in/link", "here"));
  CHECK_FALSE(asked.may_read(suite / "../suite-2/file", "here"));
  CHECK(asked.left_files_out());
  REQUIRE(asked.all().size() == 1);
  CHECK(text_of(asked.all()[0]) == "reads " + fs::canonical(other / "file").string() + ": here");
  // A folder that may be read brings its files, and not what they link to.
  CHECK(asked.may_read_in(suite / "in", suite / "in/file", ""));
  CHECK_FALSE(asked.may_read_in(suite / "in", suite / "in/link", ""));
  CHECK_FALSE(asked.may_read(outer.path(), ""));
  asked.trust();
  CHECK_FALSE(asked.left_files_out());
  CHECK(asked.may_read(other / "file", ""));
  CHECK_FALSE(asked.may_read(other / "none", ""));
  asked.read_all_files();
  CHECK(asked.may_read(other / "nothing", ""));
  CHECK_FALSE(asked.all_trusted());
}

TEST_CASE("once it is closed, what is not trusted is refused with its place") {
  Accesses asked("/tmp");
  (void)asked.add(to_host("https://a.example:443"), "", "");
  asked.trust();
  asked.refuse_others();
  CHECK(asked.add(to_host("https://a.example:443"), "", ""));
  CHECK(asked.may_read("/tmp/x", ""));
  for (const auto& refused :
       {std::function<void()>(
            [&] { (void)asked.add(to_host("https://b.example:443"), "s.json", ""); }),
        std::function<void()>([&] { (void)asked.may_read("/etc/hostname", "s.json"); })})
    try {
      refused();
      FAIL("it was not refused");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::preflight);
      CHECK(error.where() == "s.json");
    }
}

TEST_CASE("a line remembers what was trusted at one time, and less, and not more") {
  const Folder folder;
  const fs::path file = folder / "a/b/trusted";
  Remembered first(file);
  CHECK(first.ignored_because().empty());
  const std::vector<hash::Digest> one{digest(1), digest(2)}, two{digest(3)};
  CHECK_FALSE(first.has(one));
  CHECK(first.add(one, "/home/x\ny").empty());
  CHECK(first.add(two, "/home/x").empty());
  const Remembered later(file);
  for (const Remembered* r : {static_cast<const Remembered*>(&first), &later}) {
    CHECK(r->has(one));
    CHECK(r->has(std::vector{digest(2)}));
    CHECK(r->has(two));
    CHECK_FALSE(r->has(std::vector{digest(1), digest(3)}));
    CHECK_FALSE(r->has(std::vector{digest(4)}));
  }
  const std::string text = content(file);
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  CHECK(text.find("# /home/x\\ny\n") != std::string::npos);
  // A line that is none of ours counts for nothing.
  std::ofstream(file, std::ios::app) << "nonsense " << hash::hex(digest(5)) << "\n\n# words\n";
  CHECK_FALSE(Remembered(file).has(std::vector{digest(5)}));
  CHECK(Remembered(file).has(two));
  // Behind a line that a full disk has cut a new one stands by itself.
  std::ofstream(file, std::ios::app) << hash::hex(digest(6)).substr(0, 10);
  CHECK(Remembered(file).add(std::vector{digest(7)}, "/x").empty());
  CHECK(Remembered(file).has(std::vector{digest(7)}));
}

TEST_CASE("many who remember at once lose no line") {
  const Folder folder;
  const fs::path file = folder / "trusted";
  {
    std::vector<std::jthread> all;
    for (int t = 0; t < 8; ++t)
      all.emplace_back([&, t] {
        for (int i = 0; i < 25; ++i)
          (void)Remembered(file).add(std::vector{digest(100 * t + i)}, "/x");
      });
  }
  const Remembered all(file);
  for (int t = 0; t < 8; ++t)
    for (int i = 0; i < 25; ++i) CHECK(all.has(std::vector{digest(100 * t + i)}));
}

TEST_CASE("what somebody else may have written is not remembered") {
  const Folder folder;
  const fs::path file = folder / "state/trusted";
  REQUIRE(Remembered(file).add(std::vector{digest(1)}, "/x").empty());
  struct Doubt {
    fs::path path;
    mode_t mode;
    bool is_used;
  };
  for (const Doubt& doubt : std::vector<Doubt>{{file, 0600, true},
                                               {file, 0644, true},
                                               {file, 0620, false},
                                               {file, 0602, false},
                                               {file.parent_path(), 0755, true},
                                               {file.parent_path(), 0720, false},
                                               {file.parent_path(), 01707, false}}) {
    INFO(doubt.path << " " << std::oct << doubt.mode);
    struct stat before {};
    REQUIRE(stat(doubt.path.c_str(), &before) == 0);
    REQUIRE(chmod(doubt.path.c_str(), doubt.mode) == 0);
    Remembered read(file);
    CHECK(read.has(std::vector{digest(1)}) == doubt.is_used);
    CHECK(read.ignored_because().empty() == doubt.is_used);
    CHECK(read.add(std::vector{digest(2)}, "/x").empty() == doubt.is_used);
    REQUIRE(chmod(doubt.path.c_str(), before.st_mode & 07777) == 0);
  }
  // Neither is a link, which may lead anywhere, nor what is no file.
  const fs::path link = folder / "link";
  fs::create_symlink(file, link);
  CHECK_FALSE(Remembered(link).has(std::vector{digest(1)}));
  CHECK_FALSE(Remembered(link).ignored_because().empty());
  CHECK_FALSE(Remembered(folder / "state").ignored_because().empty());
  REQUIRE(mkfifo((folder / "state/pipe").c_str(), 0600) == 0);
  CHECK_FALSE(Remembered(folder / "state/pipe").ignored_because().empty());
  if (geteuid() != 0) return;
  REQUIRE(chown(file.c_str(), 1, 0) == 0);
  CHECK_FALSE(Remembered(file).has(std::vector{digest(1)}));
  CHECK(Remembered(file).ignored_because().find("belongs to somebody else") != std::string::npos);
}
