#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdlib>
#include <filesystem>

#include "archive/archive.hpp"
#include "command/asked_suite.hpp"
#include "command/command.hpp"
#include "command/failure.hpp"
#include "command/interruptible.hpp"
#include "command/run_outcome.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "report/report.hpp"
#include "run/match_identity.hpp"
#include "run/runner.hpp"
#include "text/say.hpp"
#include "text/shell.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

std::string_view halt_name(Halt halt) {
  switch (halt) {
    case Halt::no:
      return "";
    case Halt::budget:
      return "budget";
    case Halt::out_of_money:
      return "out-of-money";
    case Halt::configuration:
      return "configuration";
  }
  return "";
}

/// True if the archive has all matches: what is finished needs no keys. `retry_set_aside`: what was
/// set aside is to be played.
bool is_done(const Suite& suite, const std::string& archive, bool retry_set_aside) {
  std::error_code none;
  if (!std::filesystem::exists(archive, none)) return false;
  try {
    return has_all_matches(archive::Archive::open(archive), suite, retry_set_aside);
  } catch (const Error&) {
    return false;  // the run itself will say what is wrong with it, or make it anew
  }
}

bool calls_models(const Suite& suite) {
  for (const AgentSpec& agent : suite.agents)
    for (const Scenario& s : suite.scenarios)
      if (const AgentInGame* in = agent.in(s.game->id);
          in != nullptr && in->agent->model_agent() != nullptr)
        return true;
  return false;
}

/// What --keep says.
bool keeps_records(const Invocation& call) {
  const std::string keep = call.text("keep");
  if (!keep.empty() && keep != "records" && keep != "results")
    throw Error(ErrorKind::usage, "--keep is records or results, not '" + keep + "'");
  return keep != "results";
}

int play_suite(Invocation& call, const Interrupt& interrupt, bool& begun) {
  const std::string file = call.argument("SUITE");
  if (call.json() && call.has("report"))
    throw Error(ErrorKind::usage, "--report does not go with --json", "",
                "afterwards: agon report ARCHIVE --json");
  AskedSuite asked(call, file, call.changed_suite_options());
  const Suite suite = asked.read();
  if (call.has("model") && !calls_models(suite))
    text::say("--model changes nothing: no agent of this suite calls a model\n");
  std::string out = call.text("out");
  if (out.empty()) {
    const std::size_t slash = file.rfind('/');
    std::string stem = slash == std::string::npos ? file : file.substr(slash + 1);
    if (stem.ends_with(".json")) stem.resize(stem.size() - 5);
    out = stem + ".agon";
  }
  const bool done = is_done(suite, out, call.has("retry-set-aside"));
  if ((!done || call.has("drift-check")) && !call.has("no-preflight"))
    check_before_run(suite, interrupt.asked(), longest_prompt(asked.dry(), call.catalogue()));
  if (suite.stop)
    if (const std::string why = why_never(*suite.stop, suite); !why.empty())
      text::say("warning: the stop rule: {}\n", why);
  RunOptions options;
  options.archive = out;
  options.jobs = static_cast<int>(call.number("jobs", 0, 1, kMostJobs));
  options.quiet = call.quiet() || call.json();
  options.command = call.command_line();
  options.stop = &interrupt.flags();
  options.retry_set_aside = call.has("retry-set-aside");
  options.keep_records = keeps_records(call);
  options.caps = call.caps();
  options.prices = call.prices();
  if (call.has("drift-check"))
    options.drift_questions = call.data_folders().front() + "/llm/drift.json";
  const auto tell = [&](const RunSummary& summary) {
    const std::string& archive = summary.rescued.empty() ? out : summary.rescued;
    if (call.json()) {
      print_line(json::write_pretty(bj::value(bj::object{
          {"suite", suite.name},
          {"archive", archive},
          {"matches", summary.total},
          {"before", summary.before},
          {"played", summary.played},
          {"unfinished", summary.unfinished},
          {"game_faults", summary.game_faults},
          {"set_aside", summary.set_aside},
          {"rescued", summary.rescued},
          {"interrupted", summary.interrupted},
          {"halt", halt_name(summary.halt)},
          {"halt_reason", summary.halt_reason},
          {"calls", summary.calls.calls},
          {"tokens", summary.calls.tokens},
          {"cost_usd", static_cast<double>(summary.calls.cost) / 1e9},
          {"unpriced_calls", summary.calls.unpriced},
          {"stop", summary.stop ? json::parse(write_json(*summary.stop), "") : bj::value()},
          {"drift", json::parse(write_json(summary.drift), "")},
          {"seconds", summary.seconds}})));
    } else {
      text::say("{}", describe_run(summary, archive));
      if (call.has("drift-check") && summary.drift.empty() && !summary.interrupted)
        text::say("no model takes part, so there was none to check for drift\n");
      if (call.has("report") && !summary.interrupted) {
        report::Choice choice;
        choice.rates = report::rates_of(call.catalogue());
        print(report::text_of(archive, choice, colours()));
      }
    }
    return exit_code(
        summary, call.to_resume(archive),
        call.has("report") || call.quiet() ? "" : "agon report " + text::shell_word(out));
  };
  options.abandon = [&](const RunSummary& summary, const std::exception_ptr& failure) {
    const int code = failure ? tell_failure(failure, call.json()) : tell(summary);
    flush();
    std::_Exit(code);
  };
  begun = true;
  return tell(run_suite(suite, call.catalogue(), options));
}

int run(Invocation& call) {
  return interruptible(call, [&](const Interrupt& interrupt, bool& begun) {
    return play_suite(call, interrupt, begun);
  });
}

}  // namespace

Command run_command() {
  Command c{{"run",
             "play a suite: a benchmark of agents over scenarios",
             "",
             {{"SUITE", "a suite file, see docs/suite.md"}}},
            &run};
  // clang-format off
  c.synopsis.options.add_options()
      ("out", po::value<std::string>()->value_name("FILE"), "the archive; default: the suite's name with .agon, here")
      ("jobs", po::value<std::string>()->value_name("N"), "matches at a time; default: as many as processors")
      ("keep", po::value<std::string>()->value_name("records|results"), "default: records; results: of agents that answer at once nothing but scores and metrics, which is faster and smaller; such matches cannot be replayed or shown")
      ("drift-check", "put fixed questions to every model before and after the matches, and compare")
      ("until", po::value<std::string>()->value_name("RULE"), "stop when it is decided, over the suite's \"stop\": best=0.95, difference=0.05, 'a > b'; all: play everything")
      ("report", "print the report when done")
      ("retry-set-aside", "play matches again that were set aside because they took earlier runs down");
  // clang-format on
  add_suite_options(c.synopsis.options);
  add_model_options(c.synopsis.options);
  add_wire_options(c.synopsis.options);
  add_limit_options(c.synopsis.options);
  c.synopsis.details =
      "The same command takes up where it stopped: what the archive has is not played again.\n"
      "A match that took a run down twice is set aside as broken by its game.\n"
      "Ctrl-C ends a run within two seconds: what is in flight has so long to be finished. A "
      "second\n"
      "one waits for nothing. What is left is played anew.\n"
      "Exit codes: 0 all played, 4 a key, an endpoint or a model is not there, 6 some matches "
      "could\n"
      "not be finished, 7 a cap was reached or the money is spent, 130 interrupted.\n";
  return c;
}

}  // namespace agon::command
