#include "command/run/suite.hpp"

#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

#include "plugin/search_path.hpp"
#include "security/trust.hpp"
#include "suite/scenario/scenario.hpp"
#include "suite/suite_file.hpp"
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
  options.page_folders = {plugin::shipped_file("pages").string()};
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

AskedSuite::AskedSuite(Invocation& call, std::string file, SuiteOptions options,
                       std::optional<std::string> text)
    : file_(std::move(file)),
      text_(text ? std::move(*text) : text_of_suite(call, file_)),
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

}  // namespace agon::command
