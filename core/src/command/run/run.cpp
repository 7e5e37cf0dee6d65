#include "command/run/run.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "archive/archive.hpp"
#include "archive/database/owner.hpp"
#include "archive/database/rescue.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "command/run/suite.hpp"
#include "costs/answer_cache.hpp"
#include "costs/forecast.hpp"
#include "describe/value.hpp"
#include "report/report.hpp"
#include "run/merge/merge.hpp"
#include "run/planned_match.hpp"
#include "run/runner.hpp"
#include "suite/agents/models.hpp"
#include "suite/scenario/scenario.hpp"
#include "suite/suite_file.hpp"
#include "text/hash.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {

namespace bj = boost::json;
namespace po = boost::program_options;

namespace {

/// "-shard-3-of-16"; empty for a whole suite.
std::string name_of_shard(const Suite& suite) {
  return suite.shard ? fmt::format("-shard-{}-of-{}", suite.shard->number, suite.shard->count) : "";
}

/// An archive of one shard takes no matches of another one: what is merged is told apart by it.
void refuse_other_shard(const Suite& suite, const std::string& archive) {
  std::error_code none;
  if (!suite.shard || !std::filesystem::exists(archive, none) ||
      std::filesystem::is_empty(archive, none))
    return;
  const ShardSet there = shards_of(archive::Archive::open(archive).runs(), archive);
  if (there.numbers.empty() ||
      (there.count == suite.shard->count && there.numbers == std::set{suite.shard->number}))
    return;
  throw Error(ErrorKind::usage,
              fmt::format("this archive is of {}, and --shard asks for {}", there.text(),
                          suite.shard->text()),
              archive, "choose another --out file for each shard");
}

/// True if the archive has all matches: what is finished needs no keys. `retry_set_aside`: what was
/// set aside is to be played.
bool is_done(const Suite& suite, const std::string& archive, bool retry_set_aside) {
  std::error_code none;
  if (!std::filesystem::exists(archive, none)) return false;
  try {
    return has_all_matches(archive::Archive::open(archive), suite, retry_set_aside);
  } catch (const Error&) {
    return false;  // the run itself will say what is wrong with it, or make it again
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

/// What --no-records says, and --keep, as it was called.
bool keeps_records(const Invocation& call) {
  if (call.has("no-records") && call.text("keep") == "records")
    throw Error(ErrorKind::usage, "--no-records conflicts with --keep records", "",
                "leave one of them out");
  return !call.has("no-records") && chosen_word(call, "keep", "records|results") == 0;
}

/// What --out says, or the suite's name with the shard's, here.
std::string archive_of(const Invocation& call, const std::string& file, const Suite& suite) {
  if (std::string out = call.text("out"); !out.empty()) return out;
  const std::size_t slash = file.rfind('/');
  std::string stem = slash == std::string::npos ? file : file.substr(slash + 1);
  if (stem.ends_with(".json")) stem.resize(stem.size() - 5);
  return stem + name_of_shard(suite) + ".agon";
}

/// The archive that grows in the folder of --work: one for each suite, shard and --out, so that
/// many runs share a folder and the same command finds its own again.
std::string work_file(const std::string& folder, const std::string& out, const Suite& suite) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw Error(
        ErrorKind::failure,
        "--work folder cannot be created" + (error ? ": " + error.message() : std::string()),
        folder, "choose a writable folder, preferably on a local disk");
  const std::string digest = hash::hex(hash::sha256(suite.text)).substr(0, 16);
  return (std::filesystem::path(folder) / (std::filesystem::path(out).stem().string() + "-" +
                                           digest + name_of_shard(suite) + ".agon"))
      .string();
}

/// Keeps other machines away from the archive; nothing if it is on a local disk and not in the
/// folder of --work, which they may share.
std::unique_ptr<archive::OwnerToken> own_archive(const Invocation& call, RunOptions& run,
                                                 bool is_in_work, const std::atomic<bool>& stop) {
  const auto folder = std::filesystem::path(run.archive).parent_path();
  const std::string kind = archive::network_file_system(folder.empty() ? "." : folder);
  if (kind.empty() && !is_in_work) return nullptr;
  if (!kind.empty())
    text::say(
        "warning: {} is on a network file system ({}), where SQLite's log is less safe and slower: "
        "{}\n",
        text::printable(run.archive), kind,
        is_in_work ? "give --work a local disk if jobs find it again"
                   : "--work FOLDER writes it on a local disk");
  archive::OwnerOptions options;
  options.is_stopped = [&stop] { return stop.load(); };
  run.lost = std::make_shared<std::atomic<bool>>(false);
  options.on_lost = [lost = run.lost, host = call.host()] {
    *lost = true;
    if (host == nullptr)
      std::raise(SIGTERM);  // as a scheduler stops it
    else
      host->stop->asked = true;
  };
  return std::make_unique<archive::OwnerToken>(run.archive, std::move(options));
}

}  // namespace

SuiteRun prepare_run(Invocation& call, const std::string& file, const std::atomic<bool>& stop,
                     std::optional<std::string> text) {
  AskedSuite asked(call, file, changed_suite_options(call), std::move(text));
  SuiteRun run{asked.read(), {}, {}, {}};
  if (const auto shard = asked_shard(call)) run.suite.take(*shard, asked_cap_share(call));
  const Suite& suite = run.suite;
  if (suite.scenarios.empty() && !call.has("people"))
    throw Error(ErrorKind::usage, "nothing is played in this suite", file,
                "its people answer questions: agon serve " + text::shell_word(file) + " --people");
  if (call.has("model") && !calls_models(suite))
    text::say("--model changes nothing: no agent of this suite calls a model\n");
  RunOptions& options = run.options;
  options.archive = archive_of(call, file, suite);
  if (std::error_code none; !suite.branched_from.empty() &&
                            std::filesystem::equivalent(options.archive, suite.branched_from, none))
    throw Error(ErrorKind::usage, "branches cannot be written into the archive they branch from",
                options.archive, "name another file by --out");
  // Before the archive is opened: who closes it may move its log, also that of another machine.
  if (!call.has("work")) run.owner = own_archive(call, options, false, stop);
  bool done = is_done(suite, options.archive, call.has("retry-quarantined"));
  if (call.has("work") && !done) {
    if (std::filesystem::exists(options.archive))
      throw Error(ErrorKind::usage,
                  "--work conflicts with this archive, which lacks matches of the suite",
                  options.archive, "resume it without --work, or choose another --out file");
    run.place = options.archive;
    options.archive = work_file(call.text("work"), run.place, suite);
    run.owner = own_archive(call, options, true, stop);
    done = is_done(suite, options.archive, call.has("retry-quarantined"));
  }
  refuse_other_shard(suite, options.archive);
  // Before any call is paid for: the file may be none of cached answers.
  if (call.has("cache"))
    options.cache = std::make_shared<AnswerCache>(call.text("cache"), call.has("cache-sampled"));
  if ((!done || call.has("drift-check")) && !call.has("no-preflight"))
    check_before_run(suite, stop, look_ahead(asked.dry(), call.catalogue()));
  if (suite.stop)
    if (const std::string why = why_never(*suite.stop, suite); !why.empty())
      text::say("warning: {}\n", why);
  options.jobs = static_cast<int>(call.number("jobs", 0, 1, kMostJobs));
  if (call.host() == nullptr)
    options.command = call.command_line();
  else
    options.asking_takes_long =
        call.host()->asking_takes_long != nullptr && *call.host()->asking_takes_long;
  options.retry_set_aside = call.has("retry-quarantined");
  options.keep_records = keeps_records(call);
  const bool has_probes = std::any_of(suite.scenarios.begin(), suite.scenarios.end(),
                                      [](const Scenario& s) { return s.probes != nullptr; });
  if (!options.keep_records && has_probes)
    throw Error(ErrorKind::usage, "without records there are no answers to the suite's probes", "",
                "leave --no-records or --keep results out, or the suite's \"probes\"");
  if (call.has("drift-check")) options.drift_questions = data_folders().front() + "/llm/drift.json";
  return run;
}

void add_run_options(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("out", po::value<std::string>()->value_name("FILE"), "archive (default: the suite's name with .agon, in the current folder)")
      ("jobs", po::value<std::string>()->value_name("N"), "number of parallel matches (default: number of processors; with models at least 64)")
      ("no-records", "same as --keep results")
      ("keep", po::value<std::string>()->value_name("records|results"), "records, or results: scores and metrics only; faster, but no replay or show (model, human and learning matches are always recorded) (default: records)")
      ("drift-check", "ask every model fixed questions before and after the matches and compare")
      ("until", po::value<std::string>()->value_name("RULE"), "stopping rule: best=0.95, difference=0.05 or 'a > b'; all plays everything (default: the suite's \"stop\")")
      ("cache", po::value<std::string>()->value_name("FILE"), "reuse answers of models at temperature 0 from this file, and add new ones to it (made if missing)")
      ("cache-sampled", "with --cache: reuse answers of other models too, each for the same call of the same match")
      ("retry-quarantined", "rerun matches quarantined after crashing Agon twice");
  // clang-format on
  add_suite_options(options);
  add_model_options(options);
  add_wire_options(options);
  add_limit_options(options);
}

std::string describe_unasked(const UnaskedStage& one) {
  return fmt::format("{}: its answers for the stage '{}' were never asked for in {}\n",
                     text::printable(one.agent), text::printable(one.stage), one.game);
}

std::string first_fallback(const RunSummary::Fallbacks& one) {
  std::string lines = text::printable(one.first, text::Breaks::keep);
  while (lines.ends_with('\n')) lines.pop_back();
  return hanging(lines, 4);
}

std::string describe_run(const RunSummary& s, const std::string& archive) {
  const auto matches = [](std::uint64_t n) { return text::counted(n, "match", "matches"); };
  std::string text = fmt::format("{} of {}", s.before + s.played, matches(s.total));
  if (s.before > 0) text += fmt::format(" ({} from before)", s.before);
  text += fmt::format(", {:.1f} s", s.seconds);
  if (!archive.empty()) text += ", in " + archive;
  text += "\n";
  if (s.stop)
    text += text::printable(s.stop->words) + ": " + text::printable(s.stop->verdict) + "\n";
  for (const RunSummary::Fallbacks& one : s.fallbacks) {
    text += fmt::format("{}: {} in {} ({}) because no answer of the agent could be played\n",
                        text::printable(one.agent), text::counted(one.answers, "fallback answer"),
                        one.game, matches(one.matches));
    if (!one.first.empty()) text += "  the first: " + first_fallback(one) + "\n";
  }
  for (const UnaskedStage& one : s.unasked) text += describe_unasked(one);
  if (s.game_faults > 0) text += matches(s.game_faults) + " ended because the game broke\n";
  if (s.set_aside > 0)
    text +=
        text::counted(s.set_aside, "of these was", "of these were") +
        " set aside, as it took the run down twice; --retry-quarantined plays such matches again\n";
  if (s.unfinished > 0) text += matches(s.unfinished) + " could not be finished\n";
  if (s.calls.calls > 0) {
    text +=
        text::counted(s.calls.calls, "model call") + ", " + text::counted(s.calls.tokens, "token");
    if (s.calls.unpriced > 0)
      text += ", cost unknown: " +
              text::counted(s.calls.unpriced, "call has no price", "calls have no price");
    else if (s.calls.tokens > 0)  // else none was answered, and none had to be paid
      text += fmt::format(", {:.4f} USD", static_cast<double>(s.calls.cost) / 1e9);
    text += "\n";
  }
  if (s.calls.from_cache > 0) {
    text += text::counted(s.calls.from_cache, "more call was", "more calls were") +
            " answered from the cache";
    if (s.calls.saved > 0)
      text += fmt::format(", which saved {:.4f} USD", static_cast<double>(s.calls.saved) / 1e9);
    text += "\n";
  }
  for (const drift::ModelDrift& row : s.drift) text += text::printable(drift::describe(row)) + "\n";
  if (s.halt != Halt::no) text += "stopped: " + text::printable(s.halt_reason) + "\n";
  if (!s.first_trouble.empty()) text += "the first: " + text::printable(s.first_trouble) + "\n";
  return text;
}

std::string who_met(const std::vector<std::string>& agents) {
  return text::joined_first(agents, 1, [](const std::string& agent) {
    return text::shorten(text::printable(agent), 60);
  });
}

Forecast look_ahead(const Suite& dry, const Catalogue& catalogue) {
  return forecast(dry, catalogue, PriceList(), 1, nullptr);
}

LongestPrompts longest_prompts(const Forecast& ahead) {
  LongestPrompts longest;
  for (const AgentForecast& row : ahead.rows)
    longest[row.model] = std::max(longest[row.model], row.longest_prompt);
  return longest;
}

void check_before_run(const Suite& suite, const std::atomic<bool>& stop, const Forecast& ahead) {
  ahead.refuse_too_long(suite.file);
  for (const std::string& words : ahead.perhaps_too_long)
    text::say("warning: {}\n", text::printable(words));
  const Preflight found = preflight(suite, longest_prompts(ahead), &stop);
  if (stop) throw Error(ErrorKind::failure, "stopped while the agents were looked at");
  std::string first;
  for (const Preflight::FindingRow& row : found.rows) {
    if (row.finding.level == Finding::Level::ok) continue;
    const bool error = row.finding.level == Finding::Level::error;
    const std::string line = text::printable(row.finding.what) +
                             (row.finding.hint.empty() ? "" : "; ") +
                             text::printable(row.finding.hint) + " (" + who_met(row.agents) + ")";
    text::say("{}: {}\n", error ? "error" : "warning", line);
    if (error && first.empty()) first = row.finding.what;
  }
  if (!found.fine())
    throw Error(ErrorKind::preflight, "preflight failed: " + first, suite.file,
                "'agon doctor SUITE' lists all problems; --no-preflight skips this check");
}

int exit_code(const RunSummary& s, const std::string& resume, const std::string& next) {
  const auto tell_resume = [&](std::string_view what) {
    if (!resume.empty()) text::say("{} with: {}\n", what, resume);
  };
  if (!s.rescued.empty()) {
    text::say(
        "the archive or its log was moved, removed, replaced or overwritten while the run wrote "
        "it; all that it held was saved in {}\n",
        text::printable(s.rescued));
    tell_resume("take it up again");
    return static_cast<int>(ErrorKind::failure);
  }
  if (s.halt == Halt::budget)
    tell_resume("with a higher cap, take it up again");
  else if (s.halt != Halt::no)
    tell_resume("once that is mended, take it up again");
  if (s.halt != Halt::no)
    return static_cast<int>(s.halt == Halt::configuration ? ErrorKind::preflight
                                                          : ErrorKind::budget);
  if (s.interrupted || s.unfinished > 0) {
    tell_resume("take it up again");
    return s.interrupted ? kInterrupted : static_cast<int>(ErrorKind::unfinished);
  }
  if (s.game_faults > 0) {
    if (!resume.empty())
      text::say(
          "a broken match is not played again before the game or its plugin has another "
          "version; 'agon report' tells what broke\n");
    return static_cast<int>(ErrorKind::unfinished);
  }
  if (!next.empty()) text::say("next: {}\n", next);
  return 0;
}

namespace {

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
          {"calls_from_cache", summary.calls.from_cache},
          {"saved_usd", static_cast<double>(summary.calls.saved) / 1e9},
          {"stop", summary.stop ? json_value(*summary.stop) : bj::value()},
          {"drift", json_value(summary.drift)},
          {"seconds", summary.seconds}};
}

}  // namespace

int play_suite(Invocation& call, const std::string& file, const std::optional<std::string>& text,
               const Interrupt& interrupt) {
  const Overheard overheard(call);
  SuiteRun prepared = prepare_run(call, file, interrupt.asked(), text);
  const Suite& suite = prepared.suite;
  RunOptions& options = prepared.options;
  // Where the archive is: where it grows until it is complete.
  std::string out = options.archive;
  options.quiet = call.quiet() || call.json();
  options.stop = &interrupt.flags();
  const auto tell = [&](const RunSummary& summary) {
    const std::string& archive = summary.rescued.empty() ? out : summary.rescued;
    if (call.json()) {
      print_json(summary_json(suite.name, archive, summary));
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

void add_part_options(Synopsis& synopsis) {
  // clang-format off
  synopsis.options.add_options()
      ("report", "print the report at the end")
      ("shard", po::value<std::string>()->value_name("I/N"), "play the I-th of N parts of the suite, made of whole blocks, for 'agon merge'; slurm/N or kubernetes/N: as the job's index says")
      ("cap-share", po::value<std::string>()->value_name("A/B"), "with --shard: this share of the suite's caps (default: 1/N)")
      ("work", po::value<std::string>()->value_name("FOLDER"), "write the archive in this folder and move it to --out when complete; for Snakemake, Nextflow, make and network disks");
  // clang-format on
  for (const OptionRule& rule :
       {OptionRule{"report", {}, {"json"}}, OptionRule{"cache-sampled", {"cache"}},
        OptionRule{"cap-share", {"shard"}}})
    synopsis.rules.push_back(rule);
}

namespace {

int run(Invocation& call) {
  return interruptible(call, [&](const Interrupt& interrupt) {
    return play_suite(call, call.argument("SUITE"), {}, interrupt);
  });
}

}  // namespace

Command run_command() {
  Command c{{"run",
             "run a suite: a benchmark of agents over scenarios",
             "",
             {{"SUITE", "suite file, see docs/suite.md"}}},
            &run};
  add_run_options(c.synopsis.options);
  add_part_options(c.synopsis);
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
