#include "catch.hpp"
#include "command/folder.hpp"
#include "command/snapshot.hpp"

using namespace command_test;

namespace {
const Words kCommands{"list",  "describe", "play",   "run",    "report", "show",
                      "judge", "replay",   "export", "import", "new",    "doctor",
                      "bench", "plan",     "serve",  "check",  "merge",  "branch"};
const Words kOfPlugins{"check-agent", "mock-server", "solve"};
}  // namespace

TEST_CASE("help says what agon and each command take") {
  std::string all;
  const Ended top = command_test::agon({"--help"});
  CHECK(top.code == 0);
  CHECK(top.err.empty());
  all += "$ agon --help\n" + top.out;
  for (const std::string& command : kCommands) {
    const Ended help = command_test::agon({command, "--help"});
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    all += "\n$ agon " + command + " --help\n" + help.out;
    // Whoever asks for help need not know what the command wants.
    CHECK(command_test::agon({command, "-h", "--json"}).out == help.out);
  }
  same_as_snapshot("snapshots/help.txt", normalised(all));
  CHECK(command_test::agon({"help"}).out == top.out);
  CHECK(command_test::agon({"-h"}).out == top.out);
}

TEST_CASE("every command that the help names is there") {
  const Ended top = command_test::agon({"--help"});
  std::size_t named = 0;
  for (const std::string& line : lines(top.out)) {
    if (line == "Exit codes") break;
    if (line.starts_with("  ") && line[2] != ' ' && !line.starts_with("  agon ")) ++named;
  }
  CHECK(named == kCommands.size() + kOfPlugins.size());
  for (const std::string& command : kCommands) CHECK(contains(top.out, "\n  " + command + " "));
  for (const std::string& command : kOfPlugins) CHECK(contains(top.out, "\n  " + command + " "));
}

TEST_CASE("the version is told with that of the SDK") {
  const Ended version = command_test::agon({"--version"});
  CHECK(version.code == 0);
  CHECK(version.err.empty());
  same_as_snapshot("snapshots/version.txt", normalised(version.out));
  CHECK(command_test::agon({"version"}).out == version.out);
}

TEST_CASE("without a command, the overview goes to standard error") {
  const Ended bare = command_test::agon({});
  CHECK(bare.code == 2);
  CHECK(bare.out.empty());
  CHECK(bare.err == command_test::agon({"--help"}).out);
}

TEST_CASE("games and agents in full") {
  Words all{"english-auction",
            "water-allocation",
            "bargaining",
            "deal-or-no-deal",
            "random",
            "default",
            "script",
            "human",
            "rule",
            "value-cap",
            "fixed",
            "fraction",
            "survivor",
            "offer-generator",
            "time-dependent",
            "tit-for-tat",
            "concede",
            "envy-free-bayes",
            "clock-auction",
            "sealed-bid",
            "truthful",
            "shade",
            "equilibrium-bid"};
  for (const std::string& name : all) {
    INFO(name);
    const Ended text = command_test::agon({"describe", name});
    CHECK(text.code == 0);
    CHECK(text.err.empty());
    CHECK(contains(text.out, name));
    const boost::json::value json = json_of(command_test::agon({"describe", name, "--json"}).out);
    CHECK((json.is_object() ? json.at("game") : json.at(0).at("agent")).as_string() == name);
  }
  for (const char* game : {"english-auction", "water-allocation", "bargaining", "deal-or-no-deal",
                           "clock-auction", "sealed-bid"}) {
    const Ended text = command_test::agon({"describe", game});
    for (const char* part :
         {"Rules", "Seats", "Stages", "Settings", "Presets", "Score",
          "disagreement point, 0 of the normalised score", "ideal, 1 of the normalised score",
          "Metrics of a seat", "Metrics of a match", "Agents that play it"})
      CHECK(contains(text.out, part));
  }
}

TEST_CASE("describe --json tells limits of amounts in the unit of their defaults, and members") {
  const boost::json::value game =
      json_of(command_test::agon({"describe", "english-auction", "--json"}).out);
  const auto named = [](const boost::json::value& list, std::string_view name) {
    for (const boost::json::value& row : list.as_array())
      if (row.at("name").as_string() == name) return row;
    throw std::runtime_error("no " + std::string(name));
  };
  const boost::json::value everyone = named(game.at("settings"), "everyone");
  CHECK(everyone.at("default").at("budget").to_number<double>() == 10'000);
  const boost::json::value budget = named(everyone.at("members"), "budget");
  CHECK(budget.at("unit").as_string() == "dollars");
  CHECK(budget.at("max").to_number<double>() == 10'000'000);
  const boost::json::value items = named(game.at("settings"), "items");
  CHECK(named(items.at("members"), "price").at("min").to_number<double>() == 0.01);
  CHECK(named(game.at("settings"), "markup").at("max").to_number<double>() == 100);
}

TEST_CASE("describe tells every choice of a setting, however many there are") {
  const std::string all = command_test::agon({"describe", "sealed-bid"}).out;
  check_has(all, {"none | menu | proxy | nash | direct | wrong | risk",
                  "first_price | second_price | third_price | all_pay"});
}
