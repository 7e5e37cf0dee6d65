// What a suite of somebody else asks for: it is named, and not touched, before it is trusted.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/object.hpp>
#include <csignal>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "command/folder.hpp"
#include "text/words.hpp"

using namespace command_test;

namespace {

namespace fs = std::filesystem;

const std::string kBot = std::string(AGON_TEST_SOURCE) + "/agents/external/samples/bot.py";

/// Who starts the suite's program leaves a file `started` beside it, with its environment.
void write_bot(const Folder& folder, const std::string& name) {
  folder.write_program(name, "#!/bin/sh\nenv >> started\nexec python3 '" + kBot + "'\n");
}

std::string suite_with(const std::string& agent, const std::string& more = "") {
  return R"({"agents": {"me": )" + agent + R"(, "floor": "random"},
  "scenarios": [{"game": "bargaining")" +
         more + "}]}";
}

const std::string kProgram = R"({"external": {"command": ["./bot.sh"]}})";

/// A host that no resolver knows: whoever asks for it would say so.
std::string suite_at(const std::string& url, const std::string& more = "") {
  return R"({"models": {"m": {"provider": "openai", "model": "x", "base_url": ")" + url + "\"" +
         more + R"(}}, "agents": {"me": {"llm": "m"}, "floor": "random"},
  "scenarios": [{"game": "bargaining"}]})";
}

void check_refused(const Ended& ended, const std::vector<std::string>& named) {
  INFO(ended.err);
  CHECK(ended.code == 4);
  CHECK(ended.out.empty());
  for (const std::string& name : named) CHECK(contains(ended.err, name));
  CHECK(contains(ended.err, "--trust"));
}

const std::vector<std::pair<std::string, std::string>> kSecrets{
    {"OPENAI_API_KEY", "sk-open"},
    {"AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI"},
    {"MINE", "my value"}};

}  // namespace

TEST_CASE("no command starts a suite's program before it is trusted") {
  const Folder folder;
  write_bot(folder, "bot.sh");
  folder.write("s.json", suite_with(kProgram));
  const std::string starts = "starts ./bot.sh in " + folder.at("").parent_path().string();
  check_refused(folder.agon({"run", "s.json"}),
                {starts, "for agent me: s.json:1:20 ($.agents.me.external)"});
  check_refused(folder.agon({"bench", "s.json", "--milliseconds", "10"}), {starts});

  const Ended doctor = folder.agon({"doctor", "s.json"});
  CHECK(doctor.code == 4);
  CHECK(contains(doctor.out, "TROUBLE  needs your trust: " + starts));
  const Ended json = folder.agon({"doctor", "s.json", "--json"});
  CHECK(json.code == 4);
  CHECK(json_of(json.out).at("fine") == false);
  CHECK(contains(json.out, starts));

  const Ended plan = folder.succeeds({"plan", "s.json"});
  CHECK(contains(plan.err, "a run needs your trust: it " + starts));
  const Ended asked = folder.agon({"plan", "s.json", "--json"});
  CHECK(contains(json_of(asked.out).at("asks_for").at(0).as_string(), starts));
  CHECK_FALSE(folder.has("started"));
  CHECK_FALSE(folder.has("s.agon"));

  // Once it is trusted, it is not asked again, by no command.
  const Ended trusted = folder.succeeds({"doctor", "s.json", "--trust"});
  CHECK(contains(trusted.out, "ok       trusted: " + starts));
  CHECK(folder.has("started"));
  CHECK(folder.agon({"run", "s.json"}).code == 0);
  CHECK(folder.agon({"plan", "s.json"}).err.find("trust") == std::string::npos);
}

TEST_CASE("a place that is typed on the command line is one's own word; a host is not") {
  const Folder folder;
  write_bot(folder, "bot.sh");
  folder.write("s.json", suite_with(R"("random")"));
  folder.succeeds({"play", "bargaining", "--seat", "0=external:command=./bot.sh"});
  CHECK(folder.agon({"run", "s.json", "--agent", "me=external:command=./bot.sh"}).code == 0);

  const std::string model = "openai/x:base_url=https://foreign.invalid/v1";
  check_refused(folder.agon({"play", "bargaining", "--seat", "0=llm", "--model", model}),
                {"OPENAI_API_KEY to https://foreign.invalid:443", "--model " + model});
  folder.write("m.json", suite_with(R"({"llm": "mock"})"));
  check_refused(folder.agon({"run", "m.json", "--model", model}),
                {"https://foreign.invalid:443", "--model " + model});
  CHECK_FALSE(folder.has("m.agon"));
}

TEST_CASE("what is trusted is remembered for this folder and for exactly this") {
  const Folder folder;
  fs::create_directory(folder.at("one"));
  write_bot(folder, "one/bot.sh");
  const auto suite = [&](const std::string& external, const std::string& more = "") {
    folder.write("one/s.json", suite_with(R"({"external": {)" + external + "}}", more));
  };
  const auto code = [&](const std::string& file, const Words& more = {}) {
    return folder.agon(joined({"doctor", file}, more)).code;
  };
  suite(R"("command": ["./bot.sh"])");
  CHECK(code("one/s.json") == 4);
  CHECK(code("one/s.json", {"--trust"}) == 0);
  CHECK(code("one/s.json") == 0);
  struct stat of_file {};
  struct stat of_folder {};
  REQUIRE(stat(folder.at(".state/agon/trusted").c_str(), &of_file) == 0);
  REQUIRE(stat(folder.at(".state/agon").c_str(), &of_folder) == 0);
  CHECK((of_file.st_mode & 0777) == 0600);
  CHECK((of_folder.st_mode & 0777) == 0700);

  suite(R"("command": ["./bot.sh"])", R"(, "blocks": 12)");
  CHECK(code("one/s.json") == 0);
  suite(R"("command": ["./bot.sh", "--fast"])");
  CHECK(code("one/s.json") == 4);
  suite(R"("command": ["./bot.sh"], "environment": ["AWS_SECRET_ACCESS_KEY"])");
  CHECK(code("one/s.json") == 4);
  CHECK(
      contains(folder.agon({"run", "one/s.json"}).err, "with the values of AWS_SECRET_ACCESS_KEY"));
  suite(R"("command": ["./bot.sh"])");
  CHECK(code("one/s.json") == 0);
  fs::copy(folder.at("one"), folder.at("two"));
  CHECK(code("two/s.json") == 4);
  // The same folder by another name.
  fs::create_directory_symlink(folder.at("one"), folder.at("three"));
  CHECK(code("three/s.json") == 0);

  // Part of what was trusted together is trusted; two that were trusted apart are not.
  suite(R"("command": ["./bot.sh", "b"])");
  CHECK(code("one/s.json", {"--trust"}) == 0);
  const std::string both = R"({"agents": {"a": {"external": {"command": ["./bot.sh"]}},
    "b": {"external": {"command": ["./bot.sh", "b"]}}}, "scenarios": [{"game": "bargaining"}]})";
  folder.write("one/s.json", both);
  CHECK(code("one/s.json") == 4);
  CHECK(code("one/s.json", {"--trust"}) == 0);
  CHECK(code("one/s.json", {"--agent", "b=random"}) == 0);
}

TEST_CASE("a memory that is not one's own alone is not believed") {
  const Folder folder;
  write_bot(folder, "bot.sh");
  folder.write("s.json", suite_with(kProgram));
  REQUIRE(folder.agon({"doctor", "s.json", "--trust"}).code == 0);
  for (const char* name : {".state/agon/trusted", ".state/agon"}) {
    INFO(name);
    const fs::perms before = fs::status(folder.at(name)).permissions();
    fs::permissions(folder.at(name), fs::perms::others_write, fs::perm_options::add);
    folder.refuses({"run", "s.json"}, 4, {"others can write"});
    fs::permissions(folder.at(name), before);
    CHECK(folder.agon({"doctor", "s.json"}).code == 0);
  }
  // Half a line, as a full disk leaves it, spoils no other.
  const std::string line = folder.read(".state/agon/trusted");
  folder.write(".state/agon/trusted", line.substr(0, 40));
  CHECK(folder.agon({"doctor", "s.json"}).code == 4);
  CHECK(folder.agon({"doctor", "s.json", "--trust"}).code == 0);
  CHECK(folder.agon({"doctor", "s.json"}).code == 0);
  // Without a home it is trusted this once.
  const Start homeless{.environment = {{"XDG_STATE_HOME", ""}, {"HOME", ""}}};
  const Ended once = folder.succeeds({"doctor", "s.json", "--trust"}, homeless);
  CHECK(contains(once.err, "not remembered"));
  CHECK(folder.agon({"doctor", "s.json"}, homeless).code == 4);
  // Only an absolute XDG_STATE_HOME counts; the next place is below HOME.
  const Start home{.environment = {{"XDG_STATE_HOME", "state"}, {"HOME", folder.at("h").string()}}};
  CHECK(folder.agon({"doctor", "s.json", "--trust"}, home).code == 0);
  CHECK(folder.has("h/.local/state/agon/trusted"));
}

TEST_CASE("a key goes to no host before the two are trusted together") {
  const Folder folder;
  const Start start{.environment = kSecrets};
  const auto refused = [&](const std::string& suite, const std::vector<std::string>& named) {
    folder.write("s.json", suite);
    const Ended run = folder.agon({"run", "s.json"}, start);
    check_refused(run, named);
    CHECK_FALSE(contains(run.err, "resolve"));
    const Ended doctor = folder.agon({"doctor", "s.json"}, start);
    CHECK(doctor.code == 4);
    for (const std::string& name : named) CHECK(contains(doctor.out, name));
    CHECK_FALSE(contains(doctor.out, "resolve"));
    CHECK(folder.agon({"plan", "s.json"}, start).code == 0);
  };
  refused(suite_at("https://foreign.invalid/v1", R"(, "key_env": "AWS_SECRET_ACCESS_KEY")"),
          {"sends questions and the value of AWS_SECRET_ACCESS_KEY to https://foreign.invalid:443",
           "for agent me: s.json:1:13 ($.models.m)"});
  refused(suite_at("https://foreign.invalid/v1"),
          {"the value of OPENAI_API_KEY to https://foreign"});
  refused(suite_at("http://foreign.invalid:8080/v1"),
          {"OPENAI_API_KEY to http://foreign.invalid:8080, unencrypted"});
  // The provider's own host with another variable, and this machine with one.
  refused(suite_at("https://api.openai.com/v1", R"(, "key_env": "MINE")"),
          {"the value of MINE to https://api.openai.com:443"});
  refused(suite_at("http://127.0.0.1:9/v1", R"(, "key_env": "MINE")"),
          {"the value of MINE to http://127.0.0.1:9"});
  // Any user of this machine can open a port, so that a key of a provider elsewhere needs it too.
  refused(suite_at("http://127.0.0.1:9/v1"), {"the value of OPENAI_API_KEY to http://127.0.0.1:9"});
  // Two that are trusted are not trusted the other way round.
  const auto two = [](const std::string& a, const std::string& b) {
    return R"({"models": {"a": {"provider": "openai", "model": "x", "key_env": ")" + a +
           R"(", "base_url": "https://a.invalid/v1"}, "b": {"provider": "openai", "model": "x",
           "key_env": ")" +
           b + R"(", "base_url": "https://b.invalid/v1"}}, "agents": {"a": {"llm": "a"},
           "b": {"llm": "b"}}, "scenarios": [{"game": "bargaining"}]})";
  };
  folder.write("t.json", two("MINE", "AWS_SECRET_ACCESS_KEY"));
  const Ended trusted = folder.agon({"doctor", "t.json", "--trust"}, start);
  CHECK(
      contains(trusted.out, "trusted: sends questions and the value of MINE to https://a.invalid"));
  folder.write("t.json", two("AWS_SECRET_ACCESS_KEY", "MINE"));
  check_refused(folder.agon({"run", "t.json"}, start),
                {"AWS_SECRET_ACCESS_KEY to https://a.invalid", "MINE to https://b.invalid"});

  // A URL of one's own environment is one's own choice, but for a key that all on the way can read.
  folder.write("e.json", suite_with(R"({"llm": "openai/x"})"));
  const auto with_url = [&](const std::string& url) {
    Start own = start;
    own.environment.emplace_back("OPENAI_BASE_URL", url);
    return folder.agon({"run", "e.json", "--max-calls", "0", "--no-preflight"}, own);
  };
  CHECK(with_url("https://mine.invalid/v1").code == 7);
  check_refused(with_url("http://mine.invalid/v1"), {"to http://mine.invalid:80, unencrypted"});
}

TEST_CASE("a program gets no keys, and a variable only by name") {
  const Folder folder;
  write_bot(folder, "bot.sh");
  folder.write("s.json", suite_with(kProgram));
  Start start{.environment = kSecrets};
  start.environment.emplace_back("LC_TIME", "C.UTF-8");
  REQUIRE(folder.agon({"run", "s.json", "--trust"}, start).code == 0);
  const std::string seen = folder.read("started");
  check_has(seen, {"PATH=", "LC_TIME=C.UTF-8"});
  for (const auto& [name, value] : kSecrets) {
    check_lacks(seen, {name, value});
  }
  fs::remove(folder.at("started"));
  // The same matches: a variable says how the work is done.
  folder.write("s.json",
               suite_with(R"({"external": {"command": ["./bot.sh"], "environment": ["MINE"]}})"));
  const Ended again = folder.agon({"run", "s.json", "--trust"}, start);
  CHECK(contains(again.err, "from before"));
  CHECK(contains(folder.read("started"), "MINE=my value"));
  CHECK_FALSE(contains(folder.read("started"), "sk-open"));
  fs::remove(folder.at("started"));

  CHECK(folder.agon({"check-agent", "./bot.sh"}, start).code == 0);
  CHECK_FALSE(contains(folder.read("started"), "my value"));
  fs::remove(folder.at("started"));
  CHECK(folder.agon({"check-agent", "--environment", "MINE", "./bot.sh"}, start).code == 0);
  CHECK(contains(folder.read("started"), "MINE=my value"));
  CHECK(folder.agon({"check-agent", "--environment"}).code == 2);

  folder.write("w.json",
               suite_with(R"({"external": {"command": ["./bot.sh"], "environment": ["A=b"]}})"));
  folder.refuses({"run", "w.json", "--trust"}, 5, {"'A=b' is no name of an environment variable"},
                 start);
}

TEST_CASE("no core file holds the environment, also where no agent reads a key") {
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_CORE, &limit) == 0);
  const rlimit before = limit;
  limit.rlim_cur = limit.rlim_max;
  REQUIRE(setrlimit(RLIMIT_CORE, &limit) == 0);
  const Folder folder;
  folder.write("s.json", R"({"agents": {"floor": "random"}, "scenarios": [{"game": "bargaining",
    "blocks": 1000000, "design": {"fixed": [["floor", "floor"]]}}]})");
  Start start = folder.start();
  start.environment.emplace_back("OPENAI_API_KEY", "sk-environ-0123456789");
  Child run({"run", "s.json", "--out", "a.agon"}, start);
  REQUIRE(setrlimit(RLIMIT_CORE, &before) == 0);
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 1; }));
  run.send(SIGSEGV);
  CHECK(run.end().code == 128 + SIGSEGV);
  // Where the system writes core files.
  for (const auto& file : fs::directory_iterator(folder.at("")))
    CHECK_FALSE(file.path().filename().string().starts_with("core"));
}

TEST_CASE("a program finds no keys in the environment of the arena, as root or not") {
  const Folder folder;
  folder.write("bot.sh", R"(tr '\0' '\n' < /proc/$PPID/environ > seen.txt 2> /dev/null
echo '{"type": "hello", "protocol": 1, "name": "nosy"}'
while read -r line; do :; done
)");
  folder.write("s.json", R"({"agents": {"a": {"external": {"command": ["sh", "bot.sh"],
    "answer_seconds": 1}}, "floor": "random"}, "scenarios": [{"game": "bargaining", "blocks": 1,
    "design": {"fixed": [["a", "floor"]]}}]})");
  (void)folder.agon({"run", "s.json", "--trust"},
                    {.environment = {{"OPENAI_API_KEY", "sk-environ-0123456789"}}});
  REQUIRE(folder.has("seen.txt"));
  check_lacks(folder.read("seen.txt"), {"sk-environ", "PATH="});
}

TEST_CASE("a program has nothing open that the arena or its shell had") {
  const Folder folder;
  folder.write("bot.py", R"(import os
here = "/proc/self/fd/"
there = " ".join(sorted(x for x in os.listdir(here) if os.path.exists(here + x)))
open("open.txt", "w").write(there)
)");
  folder.write("s.json", R"({"agents": {"a": {"external": {"command": ["python3", "bot.py"]}},
    "floor": "random"}, "scenarios": [{"game": "bargaining", "blocks": 1,
    "design": {"fixed": [["a", "floor"]]}}]})");
  const int left_open = open("/dev/null", O_RDONLY);  // as a careless shell does
  (void)folder.agon({"run", "s.json", "--trust"});
  close(left_open);
  CHECK(folder.read("open.txt") == "0 1 2");
}

TEST_CASE("no program outlives an arena that is killed") {
  const Folder folder;
  // One that never reads, and has a child; both say their numbers.
  folder.write("bot.sh", R"(trap '' TERM HUP INT PIPE
sleep 1000 &
echo "$$ $!" > ids.new; mv ids.new ids.txt
sleep 1000
)");
  folder.write("s.json", R"({"agents": {"a": {"external": {"command": ["sh", "bot.sh"]}},
    "floor": "random"}, "scenarios": [{"game": "bargaining", "blocks": 1,
    "design": {"fixed": [["a", "floor"]]}}]})");
  Child run({"run", "s.json", "--trust", "--no-preflight"}, folder.start());
  REQUIRE(run.until([&] { return folder.has("ids.txt"); }));
  run.send(SIGKILL);
  (void)run.end();
  std::istringstream ids(folder.read("ids.txt"));
  for (pid_t id = 0; ids >> id;) {
    INFO(id);
    // Whoever takes in orphans may leave them as zombies.
    const auto is_gone = [&] {
      std::ifstream stat("/proc/" + std::to_string(id) + "/stat");
      std::string number, name, state;
      return !(stat >> number >> name >> state) || state == "Z";
    };
    for (int i = 0; i < 6000 && !is_gone(); ++i) usleep(10'000);
    CHECK(is_gone());
  }
}

TEST_CASE("files outside a suite's folder are named and not read before that is trusted") {
  const Folder folder;
  fs::create_directory(folder.at("s"));
  fs::create_directory(folder.at("p"));
  const std::string outside = folder.at("").parent_path().string();
  folder.write("secret.txt", "not a JSON document, nor a prompt with a {{placeholder");
  folder.write("p/system.txt", "{{never closed");
  fs::create_symlink(folder.at("secret.txt"), folder.at("s/link.json"));
  const auto refused = [&](const std::string& suite, const std::string& file) {
    INFO(file);
    folder.write("s/s.json", suite);
    // What is in the file is wrong in every place; who reads it says so.
    check_refused(folder.agon({"run", "s/s.json"}),
                  {"reads " + outside + "/" + file + ": s/s.json"});
    CHECK(folder.agon({"doctor", "s/s.json"}).code == 4);
    const Ended read = folder.agon({"run", "s/s.json", "--trust"});
    CHECK((read.code == 4 || read.code == 5));  // a prompt, or what is no JSON
    CHECK_FALSE(contains(read.err, "trust"));
  };
  const std::string model = R"({"llm": "mock"})";
  for (const std::string& path :
       {outside + "/secret.txt", std::string("../secret.txt"), std::string("link.json")}) {
    const std::string text = "\"" + path + "\"";
    refused(suite_with(R"({"script": {"answers": )" + text + "}}"), "secret.txt");
    fs::remove_all(folder.at(".state"));
    refused(suite_with(R"({"llm": {"model": {"provider": "mock", "mock.answers": "script",
                       "mock.script": )" +
                       text + "}}}"),
            "secret.txt");
    fs::remove_all(folder.at(".state"));
    refused(suite_with(R"("random")", R"(, "set": {"products": )" + text + "}"), "secret.txt");
    fs::remove_all(folder.at(".state"));
    refused(suite_with(model, R"(, "prompts": {"respond": )" + text + "}"), "secret.txt");
    fs::remove_all(folder.at(".state"));
  }
  refused(suite_with(model, R"(, "prompts": "../p")"), "p");
  // A folder of the suite with a link in it.
  fs::create_directory(folder.at("s/q"));
  fs::create_symlink(folder.at("p/system.txt"), folder.at("s/q/system.txt"));
  refused(suite_with(model, R"(, "prompts": "q")"), "p/system.txt");
  // All of them at once, and each by name.
  folder.write("s/s.json", suite_with(kProgram, R"(, "set": {"products": "../secret.txt"},
    "prompts": {"system": "/etc/hostname"}}, {"game": "bargaining",
    "treatments": {"products": ["/etc/hosts"]})"));
  check_refused(folder.agon({"run", "s/s.json"}),
                {"starts ./bot.sh", "reads " + outside + "/secret.txt", "reads /etc/hostname",
                 "reads /etc/hosts"});
  // Prices of the suite are a file like others; a person's own are not.
  folder.write("s/s.json", R"({"prices": "../secret.txt", "agents": {"a": "random"},
    "scenarios": [{"game": "bargaining", "design": {"fixed": [["a", "a"]]}}]})");
  check_refused(folder.agon({"run", "s/s.json"}), {"reads " + outside + "/secret.txt"});
  CHECK(folder.agon({"run", "s/s.json", "--trust"}).code == 5);

  // Inside, nothing is asked.
  folder.write("s/answers.json", R"([{"talk": "x", "action": {"kind": "quit"}}])");
  folder.write("s/s.json", suite_with(R"({"script": {"answers": "answers.json"}})"));
  CHECK(folder.agon({"run", "s/s.json", "--out", "in.agon"}).code == 0);
}

TEST_CASE("what comes up only when a suite is read to be played is refused") {
  const Folder folder;
  fs::create_directory(folder.at("s"));
  folder.write("secret.json", R"([{"talk": "x", "action": {"kind": "quit"}}])");
  folder.write("s/answers.json", folder.read("secret.json"));
  // Trusted, and yet: it puts another file in the place of one that was looked at before.
  folder.write_program(
      "s/bot.sh", "#!/bin/sh\nln -sf ../secret.json answers.json\nexec python3 '" + kBot + "'\n");
  folder.write("s/s.json", R"({"agents": {"a": {"external": {"command": ["./bot.sh"]}},
    "b": {"script": {"answers": "answers.json"}}}, "scenarios": [{"game": "bargaining"}]})");
  folder.refuses({"run", "s/s.json", "--trust"}, 4, {"secret.json, and nobody was asked about it"});
  CHECK_FALSE(folder.has("s.agon"));
  // The suite itself is read once, from a pipe too.
  folder.succeeds({"run", "/dev/stdin", "--out", "in.agon"}, {.in = suite_with(R"("random")")});
}

TEST_CASE("at a terminal it is asked once") {
  const Folder folder;
  write_bot(folder, "bot.sh");
  folder.write("s.json", suite_with(kProgram));
  const Start start = folder.start({.environment = {{"TERM", "dumb"}}});
  const auto answered = [&](const Words& words, const std::string& answer) {
    Terminal terminal(words, start);
    CHECK(terminal.sees("starts ./bot.sh"));
    CHECK(terminal.sees("Trust this? [y/N]"));
    CHECK_FALSE(folder.has("started"));
    terminal.type(answer);
    return terminal.end();
  };
  CHECK(answered({"run", "s.json"}, "\n") == 4);
  CHECK(answered({"doctor", "s.json"}, "n\n") == 4);
  CHECK_FALSE(folder.has("started"));
  for (const char* quiet : {"--quiet", "--json"}) {
    Terminal terminal({"run", "s.json", quiet}, start);
    CHECK(terminal.end() == 4);
    CHECK_FALSE(contains(terminal.shown(), "[y/N]"));
  }
  CHECK(answered({"run", "s.json"}, "y\n") == 0);
  CHECK(folder.has("started"));
  Terminal again({"doctor", "s.json"}, start);
  CHECK(again.end() == 0);
  CHECK_FALSE(contains(again.shown(), "[y/N]"));
}

TEST_CASE("an archive of somebody else starts nothing and reads nothing") {
  const Folder folder;
  write_bot(folder, "bot.sh");
  folder.write("secret.json", "[nothing that is read");
  folder.write("s.json", R"({"models": {"m": "mock"}, "agents": {"llm": {"llm": "m"},
    "script": {"script": {"answers": []}}}, "scenarios": [{"game": "bargaining"}]})");
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  run_sql(folder.at("s.agon"), R"(update agent set
    spec = '{"agent":"external","params":{"command":["./bot.sh"]}}' where name = 'script')");
  const Ended again = folder.agon({"replay", "s.agon", "--reparse"});
  INFO(again.out << again.err);
  CHECK_FALSE(contains(again.err, "trust"));
  CHECK_FALSE(folder.has("started"));
  run_sql(folder.at("s.agon"), R"(update agent set
    spec = '{"agent":"script","params":{"answers":"secret.json"}}' where name = 'script')");
  folder.refuses({"replay", "s.agon", "--reparse"}, 5, {"a recorded agent names a file"});
}

TEST_CASE("a plugin that others can write is refused by name") {
  const Folder folder;
  fs::create_directory(folder.at("p"));
  const std::string plugin = folder.at("p/full.so").string();
  fs::copy_file(std::string(AGON_TEST_PLUGINS) + "/good/full.so", plugin);
  const Words given{"list", "plugins", "--plugin", plugin};
  const Start found{.environment = {{"AGON_PLUGIN_PATH", folder.at("p").string()}}};
  const auto refused = [&](const std::string& who, const std::string& hint) {
    const Ended named = folder.agon(given);
    INFO(named.err);
    CHECK(named.code == 3);
    for (const std::string& part : {plugin, who, hint, std::string("--trust")})
      CHECK(contains(named.err, part));
    const Ended listed = folder.succeeds({"list", "plugins"}, found);
    CHECK(contains(listed.out, plugin + ": others may have"));
    CHECK(contains(folder.agon({"doctor"}, found).out, "TROUBLE  " + plugin));
    Words trusting = given;
    trusting.emplace_back("--trust");
    CHECK(folder.agon(trusting).code == 0);
    CHECK(folder.agon(given).code == 3);  // it is not remembered
  };
  CHECK(folder.agon(given).code == 0);
  fs::permissions(plugin, fs::perms::others_write, fs::perm_options::add);
  refused("everybody can write it", "chmod go-w " + agon::text::shell_word(plugin));
  fs::permissions(plugin, fs::perms::others_write, fs::perm_options::remove);
  fs::permissions(folder.at("p"), fs::perms::others_write, fs::perm_options::add);
  refused("of its folder, everybody can write it",
          "chmod go-w " + agon::text::shell_word(folder.at("p").string()));
  // Where only owners may rename, others can put nothing in its place.
  fs::permissions(folder.at("p"), fs::perms::sticky_bit, fs::perm_options::add);
  CHECK(folder.agon(given).code == 0);
  fs::permissions(folder.at("p"), fs::perms::others_write | fs::perms::sticky_bit,
                  fs::perm_options::remove);
  // A group of one's own may write.
  fs::permissions(plugin, fs::perms::group_write, fs::perm_options::add);
  CHECK(folder.agon(given).code == 0);
  if (geteuid() != 0) return;
  REQUIRE(chown(plugin.c_str(), 0, 1) == 0);  // the group of the user 1 on every Debian
  if (const Ended group = folder.agon(given); group.code != 0)
    refused("a member of its group", "chmod g-w");
  REQUIRE(chown(plugin.c_str(), 1, 0) == 0);
  refused("it belongs to ", "copy the plugin");
}

TEST_CASE("five thousand matches at a time are not too many to ask for") {
  const Folder folder;
  folder.write("s.json", suite_with(R"("random")", R"(, "blocks": 50)"));
  folder.succeeds({"run", "s.json", "--jobs", "5000"});
  CHECK(contains(folder.agon({"run", "s.json", "--jobs", "65537"}).err, "from 1 to 65536"));
}
