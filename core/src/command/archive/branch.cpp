#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "archive/archive.hpp"
#include "command/command.hpp"
#include "command/run/run.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "suite/agents/agent_spec.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

/// An agent of the command line as an entry of a suite.
bj::value entry_of(const std::string& agent) {
  const suite_file::Entry entry = typed_entry(agent, "--seat");
  if (const auto* text = std::get_if<std::string>(&entry)) return bj::value(*text);
  return parsed(std::get<InOrder<JsonText>>(entry));
}

/// Where branches leave their matches.
bj::value points_of(const Invocation& call) {
  if (call.has("at")) return bj::array{call.number("at", 0, 0, 1'000'000'000)};
  if (call.has("every")) return bj::object{{"every", call.text("every")}};
  if (call.has("sample")) return bj::object{{"sample", call.number("sample", 1, 1, 1'000'000)}};
  return "all";
}

bj::value matches_of(const Invocation& call, const std::string& archive) {
  const std::string match = call.argument("MATCH");
  if (match.empty() || match == "all") return "all";
  return bj::array{archive::Archive::open(archive).matches().find(match)};
}

bj::array listed(const std::string& words) {
  bj::array names;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    names.emplace_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

/// The suite that the command line means.
std::string suite_of(const Invocation& call, const std::filesystem::path& archive) {
  bj::object agents;
  bj::array changes;
  bj::object branch{{"archive", archive.string()},
                    {"matches", matches_of(call, archive.string())},
                    {"at", points_of(call)},
                    {"repeats", call.number("repeats", 1, 1, 1'000'000)}};
  if (call.has("seat")) {
    const std::string seat = call.text("seat");
    const std::size_t equals = seat.find('=');
    branch["seat"] = seat.substr(0, equals);
    if (equals != std::string::npos) {
      const std::string agent = seat.substr(equals + 1);
      agents[agent] = entry_of(agent);
      changes.push_back(bj::object{{"agent", agent}});
    }
  }
  for (const std::string& answer : call.texts("answer"))
    changes.push_back(bj::object{{"answer", json::parse(answer, "--answer")}});
  if (call.has("without")) changes.push_back(bj::object{{"without", listed(call.text("without"))}});
  if (call.has("persona")) changes.push_back(bj::object{{"persona", call.text("persona")}});
  const bool has_points =
      call.has("at") || call.has("all-points") || call.has("every") || call.has("sample");
  if (!changes.empty() && !has_points)
    throw Error(ErrorKind::usage, "missing where the branches leave their match", "",
                "--at QUESTION, --every STAGE, --sample N or --all-points");
  branch["changes"] = std::move(changes);
  return json::write_pretty(bj::object{{"suite", archive.stem().string() + "-branches"},
                                       {"agents", std::move(agents)},
                                       {"branch", std::move(branch)}}) +
         "\n";
}

int branch(Invocation& call) {
  if (call.has("decisions")) return value_decisions(call);
  if (!call.has("out"))
    throw Error(ErrorKind::usage, "missing --out", "", "name the archive of the branches by it");
  const std::filesystem::path archive = std::filesystem::absolute(call.argument("ARCHIVE"));
  // As a suite beside the archive would be read.
  const std::string file = (archive.parent_path() / (archive.stem().string() + "-branches.json"));
  return interruptible(call, [&](const Interrupt& interrupt) {
    return play_suite(call, file, suite_of(call, archive), interrupt);
  });
}

}  // namespace

Command branch_command() {
  Command c{{"branch",
             "play recorded matches on from a question with one thing changed",
             "",
             {{"ARCHIVE", "written by 'agon run' or 'agon play'"},
              {"MATCH", "its number or id (default: all)", false}}},
            &branch};
  // clang-format off
  c.synopsis.options.add_options()
      ("at", po::value<std::string>()->value_name("QUESTION"), "branch at the question of this number, as 'agon show --json' has it")
      ("all-points", "branch at every question")
      ("every", po::value<std::string>()->value_name("STAGE"), "branch at every question of this stage")
      ("sample", po::value<std::string>()->value_name("N"), "branch at N questions of each match, drawn at random")
      ("seat", po::value<std::string>()->value_name("NAME[=AGENT]"), "only at questions of this seat or role; from there on AGENT plays it")
      ("answer", po::value<std::vector<std::string>>()->value_name("JSON")->composing(), "what the seat answers there (repeatable: a branch for each)")
      ("without", po::value<std::string>()->value_name("COMPONENTS"), "components that the seat's model agent lacks from there on: memory,plan,belief,reasoning,learning,persona,tools")
      ("persona", po::value<std::string>()->value_name("TEXT"), "who the seat's model agent is to be from there on")
      ("repeats", po::value<std::string>()->value_name("N"), "play each branch N times, with other random numbers of the agents (default: 1)");
  // clang-format on
  add_decision_options(c.synopsis);
  add_run_options(c.synopsis.options);
  add_part_options(c.synopsis);
  c.synopsis.rules.push_back({"at", {"MATCH"}, {"all-points", "every", "sample"}});
  c.synopsis.rules.push_back({"all-points", {}, {"every", "sample"}});
  c.synopsis.rules.push_back({"every", {}, {"sample"}});
  c.synopsis.details =
      "The other seats are played by the agents of the archive, and all chance after the\n"
      "question is the same. Each match is played without a change too, from its record\n"
      "and without a call. A suite says the same under \"branch\", see docs/branches.md.\n"
      "Interrupting, resuming and exit codes: see 'agon run --help'.\n";
  return c;
}

}  // namespace agon::command
