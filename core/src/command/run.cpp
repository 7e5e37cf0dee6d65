#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdlib>

#include "archive/database/rescue.hpp"
#include "command/command.hpp"
#include "command/outcome.hpp"
#include "command/output.hpp"
#include "command/suite.hpp"
#include "describe/json_value.hpp"
#include "json/write.hpp"
#include "report/report.hpp"
#include "run/runner.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

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

bj::array fallbacks_of(const RunSummary& summary) {
  bj::array all;
  for (const RunSummary::Fallbacks& one : summary.fallbacks)
    all.push_back({{"agent", one.agent},
                   {"game", one.game},
                   {"answers", one.answers},
                   {"matches", one.matches},
                   {"first", printable(one.first)}});
  return all;
}

bj::object summary_json(const std::string& suite, const std::string& archive,
                        const RunSummary& summary) {
  return {{"suite", suite},
          {"archive", archive},
          {"run", summary.run},
          {"matches", summary.total},
          {"before", summary.before},
          {"played", summary.played},
          {"unfinished", summary.unfinished},
          {"game_faults", summary.game_faults},
          {"set_aside", summary.set_aside},
          {"fallbacks", fallbacks_of(summary)},
          {"rescued", summary.rescued},
          {"interrupted", summary.interrupted},
          {"halt", halt_name(summary.halt)},
          {"halt_reason", summary.halt_reason},
          {"calls", summary.calls.calls},
          {"tokens", summary.calls.tokens},
          {"cost_usd", static_cast<double>(summary.calls.cost) / 1e9},
          {"unpriced_calls", summary.calls.unpriced},
          {"stop", summary.stop ? json_value(*summary.stop) : bj::value()},
          {"drift", json_value(summary.drift)},
          {"seconds", summary.seconds}};
}

int play_suite(Invocation& call, const Interrupt& interrupt) {
  const Overheard overheard(call);
  const std::string file = call.argument("SUITE");
  SuiteRun prepared = prepare_run(call, file, interrupt.asked());
  const Suite& suite = prepared.suite;
  RunOptions& options = prepared.options;
  // Where the archive is: where it grows until it is complete.
  std::string out = options.archive;
  options.quiet = call.quiet() || call.json();
  options.stop = &interrupt.flags();
  const auto tell = [&](const RunSummary& summary) {
    const std::string& archive = summary.rescued.empty() ? out : summary.rescued;
    if (call.json()) {
      print_line(json::write_pretty(bj::value(summary_json(suite.name, archive, summary))));
    } else {
      text::say("{}", describe_run(summary, archive));
      if (call.has("drift-check") && summary.drift.empty() && !summary.interrupted)
        text::say("no model takes part, so there was none to check for drift\n");
      if (call.has("report") && !summary.interrupted) {
        report::ReportRequest choice;
        choice.rates = report::rates_of(call.catalogue());
        print(report::text_of(archive, choice, colours()));
      }
    }
    overheard.tell();
    return exit_code(
        summary, call.to_resume(summary.rescued.empty() && !prepared.place.empty() ? "" : archive),
        call.has("report") || call.quiet() || call.host() != nullptr
            ? ""
            : "agon report " + text::shell_word(out));
  };
  // Another program is not ended: what hangs in it is waited for.
  if (call.host() == nullptr)
    options.abandon = [&](const RunSummary& summary, const std::exception_ptr& failure) {
      const int code = failure ? tell_failure(failure, call.json()) : tell(summary);
      flush();
      std::_Exit(code);
    };
  interrupt.begin();
  const RunSummary summary = run_suite(suite, call.catalogue(), options);
  if (!prepared.place.empty()) {
    if (summary.is_complete()) {
      archive::publish(out, prepared.place);
      out = prepared.place;
    } else {
      text::say("{} appears when all is played\n", text::printable(prepared.place));
    }
  }
  return tell(summary);
}

int run(Invocation& call) {
  return interruptible(call,
                       [&](const Interrupt& interrupt) { return play_suite(call, interrupt); });
}

}  // namespace

Command run_command() {
  Command c{{"run",
             "run a suite: a benchmark of agents over scenarios",
             "",
             {{"SUITE", "suite file, see docs/suite.md"}}},
            &run};
  add_run_options(c.synopsis.options);
  // clang-format off
  c.synopsis.options.add_options()
      ("report", "print the report at the end")
      ("work", po::value<std::string>()->value_name("FOLDER"), "write the archive in this folder and move it to --out when complete; for Snakemake, Nextflow, make and network disks");
  // clang-format on
  c.synopsis.rules = {{"report", {}, {"json"}}};
  c.synopsis.details =
      "Ctrl-C stops the run within two seconds and saves matches that end in that time;\n"
      "a second Ctrl-C stops at once. To resume, run the command again: unfinished\n"
      "matches restart, paid and human answers are reused. A match that crashes Agon\n"
      "twice is quarantined.\n"
      "Exit codes: 0 all played, 4 missing API key, endpoint or model, 6 unfinished\n"
      "matches, 7 a cap was reached or the credit is used up, 130 interrupted.\n";
  return c;
}

}  // namespace agon::command
