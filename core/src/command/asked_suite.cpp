#include "command/asked_suite.hpp"

#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <filesystem>
#include <string_view>

#include "suite/choose_scenarios.hpp"
#include "suite/game_files.hpp"
#include "text/say.hpp"
#include "trust/remembered.hpp"

namespace agon::command {
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
    const bool may_ask =
        isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 && !call.json() && !call.quiet();
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
          "this needs your trust, and has not got it:" + list_of(accesses) +
              "\nnothing of it was started, sent or read",
          file, "if you trust whoever wrote it, add --trust; see docs/security.md"};
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
        throw Error(error.kind(), error.problem() + " (" + in + ")", named.where, error.mend());
      }
    }
}

AskedSuite::AskedSuite(Invocation& call, std::string file, SuiteOptions options)
    : file_(std::move(file)),
      text_(Suite::read_text(file_)),
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
