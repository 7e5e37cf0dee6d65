// Commands inside another program: agon_command() and agon_answer().
#include <agon/agon.h>

#include <atomic>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "library.hpp"

namespace {

using environment_test::last_error;

namespace bj = boost::json;
namespace fs = std::filesystem;

constexpr const char* kSuite = R"({
  "suite": "small",
  "agents": {"floor": "random", "mine": {"function": {"name": "mine"}}},
  "design": {"focal": ["mine"], "background": "floor", "seat_rotation": "all", "blocks": 3},
  "scenarios": [{"game": "classic"}]
})";

/// A program that plays: what it is told, and how it answers.
class Program {
 public:
  enum class Answers { at_once, later, wrongly, fails, never };

  explicit Program(Answers answers) : answers_(answers) {
    host_.user = this;
    host_.print = [](void* self, const char* bytes, std::uint64_t size) {
      auto& program = *static_cast<Program*>(self);
      program.printed.append(bytes, size);
      return program.reads_on ? 0 : 1;
    };
    host_.say = [](void* self, const char* text) {
      auto& program = *static_cast<Program*>(self);
      const std::lock_guard lock(program.mutex_);
      program.said += text;
    };
    host_.show = [](void* self, std::uint64_t done, std::uint64_t, std::uint64_t total) {
      static_cast<Program*>(self)->shown = {done, total};
    };
    host_.tell = [](void* self, const char* agent, std::uint64_t seat, const char* lines,
                    agon_reply* reply) {
      static_cast<Program*>(self)->hear(agent, seat, lines, reply);
    };
    host_.stop = &stop;
    host_.suite = kSuite;
  }

  int run(const std::vector<std::string>& words) {
    bj::array list;
    for (const std::string& word : words) list.emplace_back(bj::string(word));
    return agon_command(bj::serialize(list).c_str(), &host_, &exit_code);
  }

  std::string printed, said;
  std::pair<std::uint64_t, std::uint64_t> shown{};
  int exit_code = -1;
  int32_t stop = 0;
  bool reads_on = true;
  std::atomic<int> begun{0}, over{0}, asked{0}, problems{0};
  std::set<std::uint64_t> seats;

 private:
  void hear(const std::string& agent, std::uint64_t seat, const char* lines, agon_reply* reply) {
    expect(agent == "mine");
    std::istringstream all(lines);
    std::string line, last;
    while (std::getline(all, line)) {
      last = line;
      const std::string type(bj::parse(line).at("type").as_string());
      const std::lock_guard lock(mutex_);
      if (type == "match") {
        ++begun;
        expect(seats.insert(seat).second);  // a match is the first that a seat hears
      }
      expect(seats.contains(seat));
      if (type == "over") ++over;
    }
    if (reply == nullptr) return;
    ++asked;
    const bj::value question = bj::parse(last);
    answer(reply, std::string(question.at("id").as_string()));
  }

  /// As CHECK, which is for one thread.
  void expect(bool holds) {
    if (!holds) ++problems;
  }

  void answer(agon_reply* reply, const std::string& id) {
    const std::string good = bj::serialize(
        bj::object{{"type", "answer"}, {"id", id}, {"answer", bj::object{{"action", "choice_1"}}}});
    switch (answers_) {
      case Answers::at_once:
        expect(agon_answer(reply, good.c_str()) == AGON_OK);
        break;
      case Answers::later:
        std::thread([reply, good] { agon_answer(reply, good.c_str()); }).detach();
        break;
      case Answers::wrongly:
        expect(agon_answer(reply, R"({"type": "answer", "id": "no such", "answer": 1})") ==
               AGON_OK);
        break;
      case Answers::fails:
        expect(agon_answer(
                   reply,
                   bj::serialize(bj::object{{"type", "failed"}, {"id", id}, {"problem", "no idea"}})
                       .c_str()) == AGON_OK);
        break;
      case Answers::never:
        const std::lock_guard lock(mutex_);
        __atomic_store_n(&stop, 2, __ATOMIC_RELAXED);
        open_.push_back(reply);
        break;
    }
  }

  const Answers answers_;
  agon_host host_{};
  std::mutex mutex_;

 public:
  std::vector<agon_reply*> open_;  ///< never answered while the command ran
};

/// A file of its own that is removed.
struct Place {
  explicit Place(const char* name) : path((fs::temp_directory_path() / name).string()) { clear(); }
  ~Place() { clear(); }
  void clear() const { fs::remove(path); }
  std::string path;
};

}  // namespace

TEST_CASE("a function is told, asked and told how it ended, and its archive is like any other") {
  const Place archive("agon-commands-a.agon");
  for (const auto answers : {Program::Answers::at_once, Program::Answers::later}) {
    archive.clear();
    Program program(answers);
    REQUIRE(program.run({"run", "small.json", "--out", archive.path, "--json"}) == AGON_OK);
    CHECK(program.exit_code == 0);
    const bj::value summary = bj::parse(program.printed);
    const std::int64_t matches = summary.at("matches").as_int64();
    CHECK((matches >= 3 && summary.at("played") == matches));
    CHECK(summary.at("fallbacks").as_array().empty());
    CHECK((program.begun == matches && program.over == matches && program.asked == matches &&
           program.problems == 0));
    Program other(Program::Answers::never);
    REQUIRE(other.run({"replay", archive.path, "--json"}) == AGON_OK);
    CHECK(bj::parse(other.printed).at("same") == matches);
    CHECK((other.exit_code == 0 && other.asked == 0));
  }
}

TEST_CASE("answers to other questions are asked again, and what fails stops the run") {
  const Place archive("agon-commands-b.agon");
  Program wrong(Program::Answers::wrongly);
  REQUIRE(wrong.run({"run", "small.json", "--out", archive.path, "--json", "--blocks", "1"}) ==
          AGON_OK);
  CHECK(bj::parse(wrong.printed).at("fallbacks").as_array().size() == 1);
  archive.clear();
  Program fails(Program::Answers::fails);
  REQUIRE(fails.run({"run", "small.json", "--out", archive.path, "--json", "--jobs", "1"}) ==
          AGON_OK);
  CHECK(fails.exit_code == 4);
  CHECK((fails.asked == 1 && fails.problems == 0 && wrong.problems == 0));
  CHECK(bj::parse(fails.printed)
            .at("halt_reason")
            .as_string()
            .find("the agent 'mine' failed: no idea") != std::string_view::npos);
}

TEST_CASE("a run stops although an answer never comes, and an answer afterwards changes nothing") {
  const Place archive("agon-commands-c.agon");
  Program program(Program::Answers::never);
  REQUIRE(program.run({"run", "small.json", "--out", archive.path, "--json"}) == AGON_OK);
  CHECK(program.exit_code == 130);
  CHECK(bj::parse(program.printed).at("interrupted") == true);
  CHECK(program.said.find("take it up") == std::string::npos);  // who called knows how
  for (agon_reply* reply : program.open_)
    CHECK(agon_answer(reply, R"({"type": "decline", "id": "0.0"})") == AGON_OK);
}

TEST_CASE("what ends the program with an error is an error here, in the same words") {
  Program program(Program::Answers::at_once);
  CHECK(program.run({"run", "small.json", "--blokcs", "1"}) == AGON_USAGE);
  CHECK(last_error().find("unknown option '--blokcs'") != std::string::npos);
  CHECK(program.run({"report", "/no/such.agon"}) == AGON_INVALID);
  CHECK(last_error().find("/no/such.agon") != std::string::npos);
  CHECK(program.run({"serve", "small.json"}) == AGON_USAGE);
  CHECK(program.run({}) == AGON_USAGE);
  agon_host host{};
  int code = 0;
  CHECK(agon_command("[1]", &host, &code) == AGON_USAGE);
  CHECK(agon_command("[", &host, &code) == AGON_INVALID);
  CHECK(agon_command(nullptr, &host, &code) == AGON_USAGE);
  CHECK(agon_command("[\"list\"]", nullptr, &code) == AGON_USAGE);
  CHECK(agon_command("[\"list\"]", &host, nullptr) == AGON_USAGE);
  CHECK(agon_answer(nullptr, "") == AGON_USAGE);
  // Without a function there is no such agent.
  host.suite = kSuite;
  CHECK(agon_command(R"(["run", "small.json", "--json"])", &host, &code) == AGON_INVALID);
  CHECK(last_error().find("function") != std::string::npos);
}

TEST_CASE("a command whose reader goes away ends, and others do not hear of it") {
  Program left(Program::Answers::at_once), stays(Program::Answers::at_once);
  left.reads_on = false;
  CHECK(left.run({"list", "--json"}) == AGON_FAILED);
  CHECK(last_error().find("nobody reads") != std::string::npos);
  CHECK(stays.run({"list", "--json"}) == AGON_OK);
  CHECK(stays.printed.find("bargaining") != std::string::npos);
}
