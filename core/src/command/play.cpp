#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/skin.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "command/command.hpp"
#include "command/describe.hpp"
#include "command/output.hpp"
#include "command/run/run.hpp"
#include "command/run/suite.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "plugin/plugin_file.hpp"
#include "run/play/jobs.hpp"
#include "run/runner.hpp"
#include "suite/agents/models.hpp"
#include "suite/agents/prompts.hpp"
#include "suite/scenario/skins.hpp"
#include "table/contract.hpp"
#include "text/layout.hpp"
#include "text/say.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace fs = std::filesystem;
namespace bj = boost::json;
namespace po = boost::program_options;

/// How often it is looked whether somebody wants to stop.
constexpr int kLookMilliseconds = 100;
/// Several files are saved, or one in several steps, within this.
constexpr int kSettleMilliseconds = 50;

bool has_events(int inotify, int milliseconds) {
  pollfd asked{inotify, POLLIN, 0};
  return ::poll(&asked, 1, milliseconds) > 0;
}

/// Waits for files to be written again, or to be replaced by others.
class FileWatch {
 public:
  /// Watches files, and folders for their plugins and games in Python. Beside a file in Python all
  /// others in Python are watched too, as it may import them. Throws Error (not_found) for what is
  /// not there, (failure) if the system does not watch it.
  explicit FileWatch(const std::vector<fs::path>& paths)
      : inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (inotify_ < 0)
      throw Error(ErrorKind::failure, std::string("cannot watch files: ") + std::strerror(errno),
                  "", "leave --watch out");
    try {
      for (const fs::path& path : paths) {
        const fs::path whole = fs::absolute(path);
        if (fs::is_directory(whole))
          watch(whole, "", {".so", ".py"});
        else if (!fs::exists(whole))
          throw Error(ErrorKind::not_found, "file not found", path.string());
        else if (whole.extension() == ".py")
          watch(whole.parent_path(), "", {".py"});
        else
          watch(whole.parent_path(), whole.filename().string(), {});
      }
    } catch (...) {
      ::close(inotify_);
      throw;
    }
  }
  ~FileWatch() { ::close(inotify_); }
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// Sleeps until something was written and nothing has been for a moment: the names of the files;
  /// none once `stop` is set. What was written since the last call counts. Throws Error (failure)
  /// if a folder that is watched goes away.
  [[nodiscard]] std::set<std::string> wait(const std::atomic<bool>& stop) {
    std::set<std::string> changed;
    while (!stop && changed.empty())
      if (has_events(inotify_, kLookMilliseconds)) read_events(changed);
    while (!stop && has_events(inotify_, kSettleMilliseconds)) read_events(changed);
    if (stop) changed.clear();
    return changed;
  }

 private:
  /// What counts in a folder.
  struct WatchedFolder {
    std::filesystem::path folder;
    std::set<std::string> names;    ///< of files
    std::set<std::string> endings;  ///< of all files that have one of these: ".py"
  };
  void watch(const fs::path& folder, const std::string& name,
             const std::set<std::string>& endings) {
    const int id = ::inotify_add_watch(
        inotify_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF);
    if (id < 0)
      throw Error(ErrorKind::failure,
                  std::string("cannot watch the folder: ") + std::strerror(errno), folder.string(),
                  "leave --watch out");
    WatchedFolder& watched = watched_[id];
    watched.folder = folder;
    if (!name.empty()) watched.names.insert(name);
    watched.endings.insert(endings.begin(), endings.end());
  }
  void read_events(std::set<std::string>& changed) const {
    alignas(inotify_event) std::array<char, 16 * 1024> buffer;
    for (ssize_t size = 0; (size = ::read(inotify_, buffer.data(), buffer.size())) > 0;) {
      for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
        at += sizeof(inotify_event) + event->len;
        const auto found = watched_.find(event->wd);
        if (found == watched_.end()) continue;
        const WatchedFolder& watched = found->second;
        if ((event->mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0)
          throw Error(ErrorKind::failure, "the watched folder was removed", watched.folder.string(),
                      "create it and run the command again");
        if (event->len == 0) continue;
        const std::string name(event->name);
        if (watched.names.contains(name) ||
            watched.endings.contains(fs::path(name).extension().string()))
          changed.insert(name);
      }
    }
  }

  int inotify_ = -1;
  std::map<int, WatchedFolder> watched_;
};

/// Where the game comes from: its own file, or all that --plugin names.
std::vector<std::filesystem::path> files_of(const Invocation& call) {
  if (const std::optional<GameFile> named = game_file(call.argument("GAME"), ""))
    return {named->file};
  std::vector<std::filesystem::path> files;
  for (const std::string& plugin : call.texts("plugin")) files.emplace_back(plugin);
  if (files.empty())
    throw Error(ErrorKind::usage, "--watch requires a game file or --plugin", "",
                "for example: agon play ./my-game.py --watch");
  return files;
}

/// This command without --watch, as `execv` takes it.
std::vector<std::string> words_without_watch(const Invocation& call) {
  const boost::json::value line = json::parse(call.command_line(), "the command line");
  std::vector<std::string> words;
  for (const boost::json::value& word : line.as_array())
    if (word.as_string() != "--watch") words.emplace_back(word.as_string());
  return words;
}

/// Plays once, to the end. Who interrupts at a terminal interrupts the player too; a second time
/// ends it: there is nothing to be kept.
void play_once(const std::vector<std::string>& words, const StopFlags& stop) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t player = ::fork();
  if (player < 0)
    throw Error(ErrorKind::failure, "cannot start a process to play in", "",
                "check the limit on processes");
  if (player == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() == parent) ::execv("/proc/self/exe", arguments.data());
    ::_exit(127);
  }
  while (::waitpid(player, nullptr, WNOHANG) == 0) {
    if (stop.insisted) ::kill(player, SIGKILL);
    constexpr int kMilliseconds = 20;
    (void)::poll(nullptr, 0, kMilliseconds);
  }
}

/// `agon play --watch`: plays, and plays again whenever the game's file changes, until somebody
/// wants to stop. Each time in a process of its own, since libraries are never unloaded. Returns
/// the exit code.
int watch(Invocation& call) {
  const Interrupt interrupt;
  interrupt.begin();
  FileWatch files(files_of(call));
  const std::vector<std::string> words = words_without_watch(call);
  for (;;) {
    flush();
    play_once(words, interrupt.flags());
    if (interrupt.asked()) return kInterrupted;
    if (!call.quiet()) text::say("waiting for a change; Ctrl-C ends\n");
    const std::set<std::string> changed = files.wait(interrupt.asked());
    if (interrupt.asked()) return kInterrupted;
    if (!call.quiet()) text::say("changed: {}\n", fmt::join(changed, ", "));
  }
}

std::pair<std::string, std::string> split(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(ErrorKind::usage,
                "invalid value '" + text + "' for --" + option + "; expected NAME=VALUE", "",
                "see 'agon play --help'");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// `--set a.b=3` sets member b of a; values are JSON where they are JSON, else texts.
void set_member(bj::object& members, std::string_view name, bj::value value) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) {
    members[name] = std::move(value);
    return;
  }
  bj::value& inner = members[name.substr(0, dot)];
  if (!inner.is_object()) inner = bj::object();
  set_member(inner.get_object(), name.substr(dot + 1), std::move(value));
}

bj::value value_of(const std::string& name, const std::string& text) {
  try {
    return json::parse(text, "--set " + name);
  } catch (const Error&) {
    // A number that is none, such as 1e400, is not meant as a text.
    if (text.find_first_not_of("0123456789+-.eE") == std::string::npos &&
        text.find_first_of("0123456789") != std::string::npos)
      throw;
    return bj::string(text);
  }
}

std::size_t seat_of(const std::string& name, const std::vector<SeatCard>& cards) {
  std::vector<std::string> known, of_role;
  std::size_t seat = 0;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (cards[i].name == name || std::to_string(i) == name) return i;
    known.push_back(cards[i].name);
    if (cards[i].role != name) continue;
    of_role.push_back(cards[i].name);
    seat = i;
  }
  if (of_role.size() == 1) return seat;
  if (!of_role.empty())
    throw Error(ErrorKind::usage, fmt::format("{} seats have the role '{}'", of_role.size(), name),
                "--seat " + name, "use one of: " + text::joined(of_role));
  throw Error(
      ErrorKind::usage, "unknown seat '" + name + "'", "",
      text::suggestion(name, known, "use a number from 0, or one of: " + text::joined(known)));
}

std::string metric_text(const Field& f, double v) {
  if (!std::isfinite(v)) return "-";
  const Type* type = f.type->kind == Kind::optional ? f.type->element : f.type;
  if (type->kind == Kind::boolean) return v != 0 ? "yes" : "no";
  if (decimals_of(f) != 0) return score_text(v, decimals_of(f));
  if (type->kind == Kind::integer) return number_text(v);
  return std::abs(v) < 10'000 ? fmt::format("{:.4g}", v) : fmt::format("{:.0f}", v);
}

std::string metric_name(const Field& f) {
  return std::string(f.name) + (f.unit.empty() ? "" : " (" + std::string(f.unit) + ")");
}

bj::object outcome_json(const Game& game, const std::vector<SeatCard>& cards,
                        const std::vector<AgentSpec>& agents, const MatchResult& result) {
  const Outcome& out = result.outcome;
  bj::array seats;
  for (int i = 0; i < out.seats(); ++i) {
    const auto n = static_cast<std::size_t>(i);
    const double scale = std::pow(10.0, game.card.score_decimals);
    seats.push_back(bj::object{{"seat", i},
                               {"name", cards[n].name},
                               {"role", cards[n].role},
                               {"agent", agents[n].name()},
                               {"payoff", out[i].score / scale},
                               {"disagreement", out[i].disagreement / scale},
                               {"ideal", out[i].ideal / scale},
                               {"rank", out[i].rank},
                               {"fallbacks", result.forced[n]},
                               {"metrics", metrics_json(game.card.seat_metrics, out[i].metrics)}});
  }
  return {{"game", bj::string(game.id)},
          {"seats", std::move(seats)},
          {"metrics", metrics_json(game.card.match_metrics, out.match_metrics())}};
}

void print_metrics(const GameCard& card, const std::vector<SeatCard>& cards, const Outcome& out) {
  if (card.seat_metrics != nullptr) {
    print_line("");
    std::vector<text::Column> columns{{"metric"}};
    for (const SeatCard& seat : cards) columns.push_back({seat.name, text::Align::right});
    text::TextTable metrics(std::move(columns));
    for (std::size_t m = 0; m < card.seat_metrics->fields.size(); ++m) {
      std::vector<std::string> row{metric_name(card.seat_metrics->fields[m])};
      for (int i = 0; i < out.seats(); ++i)
        row.push_back(m < out[i].metrics.size()
                          ? metric_text(card.seat_metrics->fields[m], out[i].metrics[m])
                          : "-");
      metrics.add(std::move(row));
    }
    print(metrics.str());
  }
  if (card.match_metrics != nullptr) {
    print_line("");
    text::TextTable metrics({{"of the match"}, {"", text::Align::right}});
    for (std::size_t m = 0; m < card.match_metrics->fields.size() && m < out.match_metrics().size();
         ++m)
      metrics.add({metric_name(card.match_metrics->fields[m]),
                   metric_text(card.match_metrics->fields[m], out.match_metrics()[m])});
    print(metrics.str());
  }
}

void show_outcome(const Invocation& call, const Game& game, std::vector<SeatCard> cards,
                  const std::vector<AgentSpec>& agents, const Skin* skin,
                  const MatchResult& result) {
  const Outcome& out = result.outcome;
  if (call.json()) {
    print_json(outcome_json(game, cards, agents, result));
    return;
  }
  if (skin != nullptr)
    for (SeatCard& card : cards) card = {skin->shown(card.name), skin->shown(card.role)};
  // Who plays is told no more of the others than the match has told: the results of the people at
  // the table, and no metrics, which tell what others knew.
  const auto is_person = [&](std::size_t seat) {
    return agents[seat].in(game.id)->agent->is_costly();
  };
  bool people = false;
  for (std::size_t i = 0; i < agents.size(); ++i) people = people || is_person(i);
  text::TextTable table(
      {{"seat"}, {"role"}, {"agent"}, {"score", text::Align::right}, {"rank", text::Align::right}});
  for (int i = 0; i < out.seats(); ++i) {
    const auto n = static_cast<std::size_t>(i);
    if (people && !is_person(n)) continue;
    table.add({cards[n].name, cards[n].role, agents[n].name(),
               score_text(out[i].score, game.card.score_decimals), std::to_string(out[i].rank)});
  }
  print(table.str());
  if (!people) print_metrics(game.card, cards, out);
  for (std::size_t i = 0; i < result.forced.size(); ++i)
    if (result.forced[i] > 0)
      text::say("{}: {} the fallback, because no answer of '{}' could be played\n", cards[i].name,
                text::counted(result.forced[i], "answer was", "answers were"),
                printable(agents[i].name()));
}

std::shared_ptr<const Settings> settings_of(Invocation& call, const Game& game) {
  bj::object overrides;
  for (const std::string& text : call.texts("set")) {
    auto [name, value] = split(text, "set");
    set_member(overrides, name, value_of(name, value));
  }
  const std::string game_words = text::shell_line(words_of_game(call, call.argument("GAME")));
  (void)find_preset(game, call.text("preset"), "--preset", game_words);
  return std::make_shared<const Settings>(Settings::read(
      game, call.text("preset"), overrides, "--set", {"", data_folders()}, game_words));
}

/// The agent of each seat, as the options name them.
std::vector<std::string> agents_of_seats(const Invocation& call,
                                         const std::vector<SeatCard>& cards) {
  std::vector<std::string> who(cards.size(),
                               call.text("agent").empty() ? "random" : call.text("agent"));
  std::vector<bool> named(cards.size());
  for (const std::string& text : call.texts("seat")) {
    const auto [name, agent] = split(text, "seat");
    const std::size_t seat = seat_of(name, cards);
    if (named[seat]) throw Error(ErrorKind::usage, "duplicate seat '" + cards[seat].name + "'");
    named[seat] = true;
    who[seat] = agent;
  }
  return who;
}

/// Makes the agents of all seats, once the user trusts what they reach.
void add_agents(Invocation& call, const Game& game, const Settings& settings, Suite& suite) {
  const std::vector<SeatCard>& cards = settings.seating();
  const std::vector<std::string> who = agents_of_seats(call, cards);
  const SuiteOptions options = suite_options(call);
  Models models;
  for (const std::string& option : options.models) models.choose(option);
  Accesses accesses("");
  SpecContext context{.catalogue = call.catalogue(),
                      .games = {std::string(game.id)},
                      .models = &models,
                      .dry_run = true,
                      .verbose = options.verbose,
                      .ca_file = options.ca_file,
                      .stop = options.stop,
                      .accesses = &accesses,
                      .typed = true};
  const auto agent_of = [&](std::size_t i) {
    return AgentSpec::parse(context, who[i], std::string(game.id), "--seat " + cards[i].name);
  };
  if (!ask_for_trust(call, accesses, [&] {
        for (std::size_t i = 0; i < cards.size(); ++i) (void)agent_of(i);
      }))
    throw not_trusted(accesses, "");
  context.dry_run = false;
  accesses.refuse_others();
  for (std::size_t i = 0; i < cards.size(); ++i) {
    suite.agents.push_back(agent_of(i));
    if (!suite.agents.back().in(game.id)->plays(cards[i].role))
      throw Error(ErrorKind::usage, "'" + who[i] + "' does not play the role " + cards[i].role,
                  "--seat " + cards[i].name,
                  "see 'agon describe " +
                      text::shell_line(words_of_game(call, who[i].substr(0, who[i].find(':')))) +
                      "'");
  }
  models.check_choices();
  for (std::size_t i = 0; i < cards.size(); ++i)
    suite.agents[i].check(game, settings, "--seat " + cards[i].name);
  for (const AgentSpec& agent : suite.agents) agent.check_blocks(game, std::string(game.id), 1);
}

Scenario scenario_of(Invocation& call, const Game& game,
                     const std::shared_ptr<const Settings>& settings,
                     const std::vector<AgentSpec>& agents) {
  Scenario scenario;
  scenario.name = game.id;
  scenario.game = &game;
  scenario.plugin_version = version_of_plugin(call.catalogue(), game.id);
  scenario.treatments.push_back({"{}", settings});
  scenario.reasks = settings->reasks();
  scenario.as_seated = true;
  std::set<std::string> languages;  // that agents read prompts in
  design::LineUp line_up;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    if (std::string read = agents[i].in(game.id)->agent->language(); !read.empty())
      languages.insert(std::move(read));
    line_up.agents.push_back(static_cast<int>(i));
  }
  const std::string prompts = call.text("prompts");
  const std::optional<OwnPrompts> own =
      prompts.empty() ? std::nullopt : std::optional<OwnPrompts>(prompts);
  if (languages.empty() && !prompts.empty()) languages.insert("en");
  for (const std::string& language : languages)
    scenario.prompts[language] = load_prompts(
        call.catalogue(), game, suite_options(call).prompt_folders, own, "", "--prompts", language);
  std::vector<design::Seating> seating{design::Seating::all(line_up)};
  scenario.plan = std::make_shared<const design::MatchPlan>(std::move(seating), 1);
  return scenario;
}

/// Says what is left to say of the match. Returns the exit code.
int tell_end(Invocation& call, const Game& game, const std::string& archive,
             const RunSummary& summary, bool shown) {
  if (summary.before > 0 && !shown)
    text::say("this match is finished already; see it with: agon show {} 1\n",
              text::shell_word(archive));
  // JSON reports a match without a result too.
  if (call.json() && !shown)
    print_json(bj::object{{"game", bj::string(game.id)},
                          {"seats", nullptr},
                          {"finished", summary.before > 0},
                          {"interrupted", summary.interrupted},
                          {"archive", archive},
                          {"problem", printable(summary.first_trouble)}});
  for (const RunSummary::Fallbacks& one : summary.fallbacks)
    if (!one.first.empty())
      text::say("the first of '{}': {}\n", printable(one.agent), first_fallback(one));
  for (const UnaskedStage& one : summary.unasked) text::say("{}", describe_unasked(one));
  if (summary.halt != Halt::no) text::say("stopped: {}\n", printable(summary.halt_reason));
  if (!summary.first_trouble.empty()) text::say("{}\n", printable(summary.first_trouble));
  if (!summary.rescued.empty()) return exit_code(summary, call.to_resume(summary.rescued), "");
  if (summary.interrupted || summary.unfinished > 0) {
    if (archive.empty())
      text::say("nothing was kept; with --out ARCHIVE a match can be taken up again\n");
    else
      text::say("run the same command to take it up again\n");
    if (summary.halt != Halt::no)
      return static_cast<int>(summary.halt == Halt::configuration ? ErrorKind::preflight
                                                                  : ErrorKind::budget);
    return summary.interrupted ? kInterrupted : static_cast<int>(ErrorKind::unfinished);
  }
  return summary.game_faults > 0 ? static_cast<int>(ErrorKind::unfinished) : 0;
}

void tell_print(std::string_view text) {
  text::say("the game printed: {}\n", as_one_message(text));
}

int play_match(Invocation& call, const Interrupt& interrupt) {
  call.overhear(&tell_print);
  const Game& game = call.game(call.argument("GAME"));
  const auto settings = settings_of(call, game);
  const std::vector<SeatCard>& cards = settings->seating();

  Suite suite;
  suite.name = "play";
  suite.file = "agon play";
  suite.seed = static_cast<std::uint64_t>(
      call.number("seed", 1, 0, std::numeric_limits<std::int64_t>::max()));
  suite.caps = asked_caps(call);
  suite.prices = asked_prices(call);
  add_agents(call, game, *settings, suite);
  suite.scenarios.push_back(scenario_of(call, game, settings, suite.agents));
  std::shared_ptr<const Skin> skin;
  if (Scenario& scenario = suite.scenarios.front(); call.has("skin")) {
    skin = asked_skin(call, scenario);
    const bool people =
        std::any_of(suite.agents.begin(), suite.agents.end(),
                    [&](const AgentSpec& agent) { return is_person(*agent.in(game.id)->agent); });
    scenario = in_skin(scenario, skin, people);
  }

  RunOptions options;
  options.archive = call.text("out");
  options.jobs = 1;
  options.quiet = true;
  options.command = call.command_line();
  options.stop = &interrupt.flags();
  if (!call.has("no-preflight")) check_before_run(suite, interrupt.asked());
  bool shown = false;
  options.on_match = [&](const Scenario&, const Treatment&, const std::vector<int>&,
                         const MatchResult& result) {
    if (result.end != End::finished) return;
    shown = true;
    if (const std::string beyond = problem_of_score_range(game.card, result.outcome);
        !beyond.empty())
      text::say("warning: {}\n", beyond);
    show_outcome(call, game, cards, suite.agents, skin.get(), result);
  };
  options.abandon = [&](const RunSummary&, const std::exception_ptr& failure) {
    text::say("the match was left in its middle\n");
    const int code = failure ? tell_failure(failure, call.json()) : kInterrupted;
    flush();
    std::_Exit(code);
  };
  interrupt.begin();
  const RunSummary summary = run_suite(suite, call.catalogue(), options);
  return tell_end(call, game, options.archive, summary, shown);
}

int play(Invocation& call) {
  if (call.has("watch")) return watch(call);
  return interruptible(call,
                       [&](const Interrupt& interrupt) { return play_match(call, interrupt); });
}

}  // namespace

Command play_command() {
  Command c{{"play",
             "play one match, optionally with human players",
             "",
             {{"GAME",
               "name of a game (see 'agon list games') or plugin file: ./my-game.py, or FILE:NAME "
               "if it has several games"}}},
            &play};
  using Texts = std::vector<std::string>;
  // clang-format off
  c.synopsis.options.add_options()
      ("seat", po::value<Texts>()->value_name("NAME=AGENT")->composing(), "agent of a seat (by number, name or role); AGENT is name, name:key=value,... or a JSON object (repeatable)")
      ("agent", po::value<std::string>()->value_name("AGENT"), "agent of all other seats (default: random)")
      ("set", po::value<Texts>()->value_name("SETTING=VALUE")->composing(), "set a setting, see 'agon describe GAME' (repeatable)")
      ("preset", po::value<std::string>()->value_name("PRESET"), "use a named set of settings")
      ("seed", po::value<std::string>()->value_name("N"), "random seed (default: 1)")
      ("prompts", po::value<std::string>()->value_name("FOLDER"), "prompts that override those of the game")
      ("skin", po::value<std::string>()->value_name("NAME"), "play in the words of a skin: its name, generated-SEED, or a file")
      ("out", po::value<std::string>()->value_name("FILE"), "save the match to this archive, or resume it from there")
      ("watch", "play again when the game's file changes, until Ctrl-C");
  // clang-format on
  c.synopsis.rules = {{"watch", {}, {"out"}}};
  add_model_options(c.synopsis.options);
  add_wire_options(c.synopsis.options);
  add_limit_options(c.synopsis.options);
  c.synopsis.details =
      "Example\n"
      "  agon play bargaining --seat buyer=human --out me.agon\n";
  return c;
}

}  // namespace agon::command
