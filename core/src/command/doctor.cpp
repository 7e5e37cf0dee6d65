#include <fmt/format.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/process.hpp>
#include <agon/sdk_version.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include "archive/archive.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "command/run/run.hpp"
#include "command/run/suite.hpp"
#include "costs/costs.hpp"
#include "plugin/search_path.hpp"
#include "process/isolation.hpp"
#include "results/results.hpp"
#include "suite/agents/models.hpp"
#include "suite/suite.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace fs = std::filesystem;

using text::counted;

struct SetupCheck {
  bool fine;
  std::string what;
  bool warning = false;  ///< fine, and yet worth a look
};

void look_at_plugins(const Catalogue& catalogue, std::vector<SetupCheck>& found) {
  std::size_t loaded = 0;
  for (const PluginEntry& p : catalogue.plugins()) {
    if (p.status == PluginEntry::Status::loaded) ++loaded;
    if (p.status == PluginEntry::Status::refused)
      found.push_back({false, p.path + ": " + p.reason});
  }
  found.push_back({loaded > 0, counted(loaded, "plugin") + " with " +
                                   counted(catalogue.all<Game>().size(), "game") + " and " +
                                   counted(catalogue.all<AgentCard>().size(), "agent")});
}

/// Locks a process in and has it try what it may not: what went wrong, empty if nothing did. For a
/// machine that filters system calls.
std::string problem_of_lock() {
  using namespace std::chrono_literals;
  const std::string program =
      (plugin::program_folder() / ".." / "lib" / "agon" / "agon-worker").string();
  try {
    Process process({program, "try"}, "", {});
    std::string line;
    const auto until = Process::Clock::now() + 20s;
    if (process.read(line, until, 1s) != Process::Got::line || line != "locked") {
      process.kill();
      return "it did not come to play" + process.last_words();
    }
    const std::optional<int> own = filters_in_force(getpid());
    const std::optional<int> there = filters_in_force(process.id());
    if (own && there && *there != *own + filters_of_locked(true))
      return fmt::format("it has {} filters of system calls and not {}", *there - *own,
                         filters_of_locked(true));
    process.quit("", until);
    if (process.complaints().find("the call 'socket' is not allowed") == std::string::npos)
      return "it could open a connection: " + process.fate();
  } catch (const Error& error) {
    return error.problem();
  }
  return {};
}

void look_at_lock(std::vector<SetupCheck>& found) {
  const LockSupport support = lock_support_of_machine();
  for (const std::string& gap : gaps_of(support)) found.push_back({true, gap, true});
  if (support.seccomp) {
    found.push_back({true, "seccomp locks games of others in"});
    const std::string problem = problem_of_lock();
    found.push_back(problem.empty()
                        ? SetupCheck{true,
                                     "a locked process was tried: its filters are in force, and a "
                                     "call that is not allowed ended it"}
                        : SetupCheck{false, "a locked process was tried: " + problem});
  }
  if (support.landlock > 0)
    found.push_back(
        {true, fmt::format("Landlock (ABI {}) keeps files from them", support.landlock)});
}

void look_at_data(std::vector<SetupCheck>& found) {
  for (const std::string& folder : data_folders()) {
    std::error_code error;
    found.push_back({fs::is_directory(folder, error), "shipped data in " + folder});
  }
}

void look_at_archive(const std::string& path, std::vector<SetupCheck>& found) {
  const archive::Archive archive = archive::Archive::open(path);
  try {
    archive.check();
  } catch (const Error& error) {
    found.push_back({false, path + ": " + error.problem() + "; " + error.hint()});
    return;  // what a damaged file says it holds is not to be trusted
  }
  std::int64_t open = 0;
  archive.matches().partials([&](const archive::PartialMatch&) { ++open; });
  found.push_back(
      {true, path + ": " +
                 counted(archive.matches().count(), "finished match", "finished matches") + ", " +
                 std::to_string(open) + " in progress"});
  for (const report::Warning& warning : report::changed_files(archive, archive.runs()))
    found.push_back({true, path + ": " + warning.words, true});
}

/// The caps that some calls have of their own.
void look_at_caps(const Suite& suite, std::vector<SetupCheck>& found) {
  if (suite.part_caps.empty()) return;
  const PriceList prices = PriceList::read(suite.prices);
  std::map<std::string, bool> priced;
  for (const Scenario& s : suite.scenarios)
    for (const AgentSpec& agent : suite.agents)
      if (const AgentInGame* in = agent.in(s.game->id); in != nullptr)
        for (const ModelName& model : models_called_by(*in->agent))
          priced[model.text()] = prices.of(model).has_value();
  for (const PartCaps& part : suite.part_caps) {
    found.push_back({true, "cap of " + describe(part.caps) + " on " + part.words()});
    if (const auto known = priced.find(part.model);
        part.caps.cost && known != priced.end() && !known->second)
      found.push_back({false, part.words() + " has a cap on its cost and no price: add " +
                                  part.model + " to the file of prices"});
  }
}

void look_at_suite(Invocation& call, const std::string& path, std::vector<SetupCheck>& found,
                   ErrorKind& why, const std::atomic<bool>& stop) {
  AskedSuite asked(call, path, changed_suite_options(call));
  for (const AskedFor& one : asked.accesses().all())
    found.push_back({asked.is_trusted(),
                     (asked.is_trusted() ? "trusted: " : "needs your trust: ") + text_of(one)});
  if (!asked.is_trusted()) {
    why = ErrorKind::preflight;
    found.push_back({false, path + ": nothing of it was started, sent or read; if you trust "
                                   "its author, add --trust (docs/security.md)"});
    return;
  }
  const Suite suite = asked.read();
  found.push_back({true, path + ": " + counted(suite.matches(), "match", "matches") + " of " +
                             counted(suite.scenarios.size(), "scenario") + " and " +
                             counted(suite.agents.size(), "agent") + "; nothing is missing"});
  look_at_caps(suite, found);
  const Forecast ahead = look_ahead(asked.dry(), call.catalogue());
  const Preflight looked = preflight(suite, longest_prompts(ahead), &stop);
  if (stop) throw Error(ErrorKind::failure, "stopped while the agents were looked at");
  for (const Preflight::FindingRow& row : looked.rows) {
    found.push_back(
        {row.finding.level != agon::Finding::Level::error,
         text::printable(row.finding.what) +
             (row.finding.hint.empty() ? "" : "; " + text::printable(row.finding.hint)) + " (" +
             who_met(row.agents) + ")",
         row.finding.level == agon::Finding::Level::warning});
    if (row.finding.level == agon::Finding::Level::error) why = ErrorKind::preflight;
  }
  for (const std::string& words : ahead.perhaps_too_long)
    found.push_back({true, path + ": " + words, true});
  for (const std::string& words : ahead.too_long) {
    found.push_back({false, path + ": " + words});
    why = ErrorKind::invalid;
  }
  for (const Scenario& s : suite.scenarios)
    if (s.blocks < 10)
      found.push_back({true,
                       path + ": scenario '" + s.name + "' has " + counted(s.blocks, "block") +
                           "; under 10 there are no intervals",
                       true});
}

int look(Invocation& call, const std::atomic<bool>& stop) {
  std::vector<SetupCheck> found;
  ErrorKind why = ErrorKind::failure;
  const std::string file = call.argument("FILE");
  const bool is_suite = !file.empty() && !is_archive(file);
  if (is_suite) call.heed_isolation(Suite::read_text(file), file);
  look_at_plugins(call.catalogue(), found);
  look_at_lock(found);
  look_at_data(found);
  found.push_back({true, counted(std::max(1U, std::thread::hardware_concurrency()), "processor")});
  std::error_code error;
  const fs::space_info space = fs::space(".", error);
  if (!error)
    found.push_back({space.available > (std::uintmax_t{100} << 20U),
                     std::to_string(space.available >> 20U) + " MiB free here"});
  if (is_suite)
    look_at_suite(call, file, found, why, stop);
  else if (!file.empty())
    look_at_archive(file, found);
  bool fine = true;
  bj::array rows;
  for (const SetupCheck& f : found) {
    fine = fine && f.fine;
    if (call.json())
      rows.push_back(bj::object{{"fine", f.fine}, {"warning", f.warning}, {"what", f.what}});
    else
      print_line((!f.fine     ? "TROUBLE  "
                  : f.warning ? "warning  "
                              : "ok       ") +
                 text::printable(f.what));
  }
  if (call.json()) print_json(bj::object{{"fine", fine}, {"findings", std::move(rows)}});
  if (fine) return 0;
  return static_cast<int>(why);
}

int doctor(Invocation& call) {
  return interruptible(call,
                       [&](const Interrupt& interrupt) { return look(call, interrupt.asked()); });
}

}  // namespace

Command doctor_command() {
  Command c{{"doctor",
             "check the installation, a suite before its run, or an archive",
             "",
             {{"FILE", "suite or archive", false}}},
            &doctor};
  add_suite_options(c.synopsis.options);
  add_model_options(c.synopsis.options);
  add_wire_options(c.synopsis.options);
  return c;
}

}  // namespace agon::command
