#include "command/suite.hpp"

#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

#include "archive/archive.hpp"
#include "command/outcome.hpp"
#include "plugin/search_path.hpp"
#include "run/planned_match.hpp"
#include "security/trust.hpp"
#include "suite/scenario.hpp"
#include "suite/suite_file.hpp"
#include "text/hash.hpp"
#include "text/say.hpp"

namespace agon::command {

namespace po = boost::program_options;

void add_suite_options(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("agent", po::value<std::vector<std::string>>()->value_name("[NAME=]AGENT")->composing(), "replace agent NAME, or every agent that calls a model; AGENT is name, name:key=value,... or a JSON object (repeatable)")
      ("blocks", po::value<std::string>()->value_name("N"), "play at most N blocks of each scenario, to try a suite")
      ("scenario", po::value<std::vector<std::string>>()->value_name("NAME")->composing(), "play only this scenario (repeatable)");
  // clang-format on
}

void add_model_options(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("model", po::value<std::vector<std::string>>()->value_name("[NAME=]PROVIDER/MODEL")->composing(), "replace entry NAME of \"models\", or every model; parameters: PROVIDER/MODEL:key=value,... (repeatable)");
  // clang-format on
}

void add_wire_options(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("ca-file", po::value<std::string>()->value_name("FILE"), "certificates to trust in addition to the system's (default: AGON_CA_FILE)")
      ("verbose,v", "log model requests and responses, keys redacted");
  // clang-format on
}

void add_limit_options(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("prices", po::value<std::string>()->value_name("FILE"), "prices of models, see docs/suite.md (default: AGON_PRICES)")
      ("max-cost", po::value<std::string>()->value_name("USD"), "stop before the cost exceeds USD, earlier runs included")
      ("max-tokens", po::value<std::string>()->value_name("N"), "stop before input plus output tokens exceed N, earlier runs included")
      ("max-calls", po::value<std::string>()->value_name("N"), "stop before model calls exceed N, earlier runs included")
      ("no-preflight", "skip the check of keys, endpoints and models before the run");
  // clang-format on
}

Caps asked_caps(const Invocation& call) {
  Caps caps;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (call.has("max-cost")) caps.cost = read_cost(call.text("max-cost"), "--max-cost");
  if (call.has("max-tokens")) caps.tokens = call.number("max-tokens", 0, 0, kMost);
  if (call.has("max-calls")) caps.calls = call.number("max-calls", 0, 0, kMost);
  return caps;
}

std::string asked_prices(const Invocation& call) {
  if (call.has("prices")) return call.text("prices");
  const char* set = std::getenv("AGON_PRICES");
  return set == nullptr ? "" : set;
}

std::string text_of_suite(const Invocation& call, const std::string& file) {
  const Host* host = call.host();
  return host != nullptr && !host->suite.empty() ? host->suite : Suite::read_text(file);
}

SuiteOptions shipped_suite_options() {
  SuiteOptions options;
  options.data_folders = data_folders();
  options.prompt_folders = {plugin::shipped_file("prompts").string()};
  return options;
}

SuiteOptions suite_options(const Invocation& call) {
  SuiteOptions options = shipped_suite_options();
  options.models = call.texts("model");
  options.ca_file = call.text("ca-file");
  if (const char* set = std::getenv("AGON_CA_FILE"); options.ca_file.empty() && set != nullptr)
    options.ca_file = set;
  if (!options.ca_file.empty() && !std::ifstream(options.ca_file).good())
    throw Error(ErrorKind::not_found, "the certificate file cannot be read", options.ca_file,
                call.has("ca-file") ? "" : "AGON_CA_FILE sets it");
  options.verbose = call.has("verbose");
  options.stop = call.stop();
  return options;
}

SuiteOptions changed_suite_options(const Invocation& call) {
  SuiteOptions options = suite_options(call);
  options.agents = call.texts("agent");
  if (call.has("until")) options.until = call.text("until");
  options.most_blocks = static_cast<std::uint64_t>(call.number("blocks", 0, 1, 1'000'000'000));
  options.caps = asked_caps(call);
  options.prices = asked_prices(call);
  return options;
}

namespace {

std::string list_of(const Accesses& accesses) {
  std::string list;
  for (const AskedFor& asked : accesses.all()) list += "\n  - " + text_of(asked);
  return list;
}

/// One line of a person at the terminal.
bool says_yes() {
  std::array<char, 256> line;
  const ssize_t n = ::read(STDIN_FILENO, line.data(), line.size());
  if (n <= 0) text::say("\n");
  const std::string_view said(line.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  return said.starts_with('y') || said.starts_with('Y');
}

/// The plugins, kept apart as the suite says.
const Catalogue& catalogue_for(Invocation& call, const std::string& text, const std::string& file) {
  call.heed_isolation(text, file);
  return call.catalogue();
}

bool is_trusted_now(const Invocation& call, const Accesses& accesses) {
  Remembered remembered = Remembered::of_user();
  if (remembered.has(accesses.digests())) return true;
  if (!remembered.ignored_because().empty())
    text::say("what was trusted before is not looked at: {}\n", remembered.ignored_because());
  if (!call.has("trust")) {
    const bool may_ask = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 &&
                         call.host() == nullptr && !call.json() && !call.quiet();
    if (!may_ask) return false;
    text::say("This needs your trust:{}\nTrust this? [y/N] ", list_of(accesses));
    if (!says_yes()) return false;
  }
  if (const std::string why = remembered.add(accesses.digests(), accesses.folder().string());
      !why.empty())
    text::say("this is trusted now, and not remembered: {}\n", why);
  return true;
}

}  // namespace

bool ask_for_trust(const Invocation& call, Accesses& accesses,
                   const std::function<void()>& read_dry) {
  for (;;) {
    try {
      read_dry();
    } catch (const Error&) {
      // What was left out may be why.
      if (!accesses.left_files_out()) throw;
    }
    if (accesses.all_trusted()) return true;
    if (!is_trusted_now(call, accesses)) return false;
    const bool is_whole = !accesses.left_files_out();
    accesses.trust();
    if (is_whole) return true;
  }
}

Error not_trusted(const Accesses& accesses, const std::string& file) {
  return {ErrorKind::preflight,
          std::string(file.empty() ? "this command" : "the suite") +
              " requests permission to:" + list_of(accesses) + "\nNothing was run, sent or read.",
          file, "if you trust the author, add --trust"};
}

void load_games(Invocation& call, const std::string& text, const std::string& file,
                Accesses& accesses) {
  for (const NamedGameFile& named : game_files(text, file))
    // Who loads it by himself was not led to it by the suite.
    if (!call.catalogue().knows_file(named.file.string()) &&
        accesses.may_start(named.file, named.where)) {
      try {
        call.load(named.file);
      } catch (const Error& error) {
        const std::string in = error.where().empty() ? named.file.string() : error.where();
        throw Error(error.kind(), error.problem() + " (" + in + ")", named.where, error.hint());
      }
    }
}

AskedSuite::AskedSuite(Invocation& call, std::string file, SuiteOptions options)
    : file_(std::move(file)),
      text_(text_of_suite(call, file_)),
      catalogue_(catalogue_for(call, text_, file_)),
      options_(std::move(options)),
      scenarios_(call.texts("scenario")),
      accesses_(std::filesystem::path(file_).parent_path(), options_.shipped_folders()) {
  options_.accesses = &accesses_;
  options_.dry_run = true;
  is_trusted_ = ask_for_trust(call, accesses_, [&] {
    dry_.reset();
    load_games(call, text_, file_, accesses_);
    dry_.emplace(Suite::parse(catalogue_, text_, file_, options_));
    choose_scenarios(*dry_, scenarios_);
  });
  if (!dry_) return;  // what it names may not be looked at
  for (const std::string& former : dry_->former_names) text::say("warning: {}\n", former);
}

Suite AskedSuite::read() {
  if (!is_trusted_) throw not_trusted(accesses_, file_);
  accesses_.refuse_others();
  SuiteOptions options = options_;
  options.dry_run = false;
  Suite suite = Suite::parse(catalogue_, text_, file_, options);
  choose_scenarios(suite, scenarios_);
  return suite;
}

namespace {

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
  const std::string keep = call.text("keep");
  if (call.has("no-records") && keep == "records")
    throw Error(ErrorKind::usage, "--no-records conflicts with --keep records", "",
                "leave one of them out");
  if (call.has("no-records")) return false;
  if (!keep.empty() && keep != "records" && keep != "results")
    throw Error(ErrorKind::usage,
                "invalid value '" + keep + "' for --keep; expected records or results");
  return keep != "results";
}

/// What --out says, or the suite's name, here.
std::string archive_of(const Invocation& call, const std::string& file) {
  if (std::string out = call.text("out"); !out.empty()) return out;
  const std::size_t slash = file.rfind('/');
  std::string stem = slash == std::string::npos ? file : file.substr(slash + 1);
  if (stem.ends_with(".json")) stem.resize(stem.size() - 5);
  return stem + ".agon";
}

/// The archive that grows in the folder of --work: one for each suite and --out, so that many runs
/// share a folder and the same command finds its own again.
std::string work_file(const std::string& folder, const std::string& out, const Suite& suite) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw Error(
        ErrorKind::failure,
        "--work folder cannot be created" + (error ? ": " + error.message() : std::string()),
        folder, "choose a writable folder, preferably on a local disk");
  const std::string digest = hash::hex(hash::sha256(suite.text)).substr(0, 16);
  return (std::filesystem::path(folder) /
          (std::filesystem::path(out).stem().string() + "-" + digest + ".agon"))
      .string();
}

}  // namespace

SuiteRun prepare_run(Invocation& call, const std::string& file, const std::atomic<bool>& stop) {
  AskedSuite asked(call, file, changed_suite_options(call));
  SuiteRun run{asked.read(), {}, {}};
  const Suite& suite = run.suite;
  if (call.has("model") && !calls_models(suite))
    text::say("--model changes nothing: no agent of this suite calls a model\n");
  RunOptions& options = run.options;
  options.archive = archive_of(call, file);
  bool done = is_done(suite, options.archive, call.has("retry-quarantined"));
  if (call.has("work") && !done) {
    if (std::filesystem::exists(options.archive))
      throw Error(ErrorKind::usage,
                  "--work conflicts with this archive, which lacks matches of the suite",
                  options.archive, "resume it without --work, or choose another --out file");
    run.place = options.archive;
    options.archive = work_file(call.text("work"), run.place, suite);
    done = is_done(suite, options.archive, call.has("retry-quarantined"));
  }
  if ((!done || call.has("drift-check")) && !call.has("no-preflight"))
    check_before_run(suite, stop, longest_prompt(asked.dry(), call.catalogue()));
  if (suite.stop)
    if (const std::string why = why_never(*suite.stop, suite); !why.empty())
      text::say("warning: {}\n", why);
  options.jobs = static_cast<int>(call.number("jobs", 0, 1, kMostJobs));
  if (call.host() == nullptr)
    options.command = call.command_line();
  else
    options.asking_takes_long = !call.host()->agents.empty();
  options.retry_set_aside = call.has("retry-quarantined");
  options.keep_records = keeps_records(call);
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
      ("retry-quarantined", "rerun matches quarantined after crashing Agon twice");
  // clang-format on
  add_suite_options(options);
  add_model_options(options);
  add_wire_options(options);
  add_limit_options(options);
}

}  // namespace agon::command
