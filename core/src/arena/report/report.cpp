#include "report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <agon/error.hpp>
#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

#include "archive/archive.hpp"
#include "archive/rows.hpp"
#include "describe/read.hpp"
#include "describe/value.hpp"
#include "report/estimates.hpp"
#include "report/render/render.hpp"
#include "report/sections/sections.hpp"
#include "results/participant.hpp"
#include "results/results.hpp"
#include "results/scope.hpp"
#include "run/manifest.hpp"
#include "text/hash.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// Which plugins supplied the games of a report that do not come with Agon.
std::string supplier_words(const archive::Archive& archive, const Results& results) {
  std::set<std::string> games;
  for (const GameResults& game : results.games) games.insert(game.name);
  std::vector<archive::PluginOfRun> plugins;
  std::set<std::string> known;  // files
  for (const archive::RunRow& run : archive.runs())
    if (const auto all = read_recorded<std::vector<archive::PluginOfRun>>(run.plugins))
      for (const archive::PluginOfRun& plugin : *all)
        if (known.insert(plugin.path + " " + plugin.sha256).second) plugins.push_back(plugin);
  return describe_suppliers(plugins, games);
}

using text::counted;

std::string reference_of(const Results& results, const std::string& asked) {
  const auto known = [&](const std::string& name) {
    return std::ranges::find(results.agents, name) != results.agents.end();
  };
  if (asked.empty()) return known("reference") ? "reference" : results.agents.front();
  if (known(asked)) return asked;
  throw Error(ErrorKind::not_found, "unknown agent '" + asked + "'", {},
              "agents in the archive: " + text::joined(results.agents));
}

/// Games with the share of blocks that may be unseen.
std::string unseen_shares(const Leaderboard& board) {
  std::string list;
  for (std::size_t g = 0; g < board.games.size(); ++g) {
    double most = 0;
    for (const LeaderRow& row : board.rows)
      most = std::max(most, row.games[g].score.unseen.value_or(0));
    if (most > 0)
      list += fmt::format("{}{} ({:.1f}%)", list.empty() ? "" : ", ", board.games[g], 100 * most);
  }
  return list;
}

void note_the_design(const ReportEstimates& report, std::vector<std::string>& notes) {
  const Leaderboard& board = report.leaderboard;
  if (board.reference_scored)
    notes.push_back(fmt::format(
        "Everybody is compared with '{}', on the same blocks and roles, so that the chance of a "
        "block cancels. Whether two others differ is another question: ranks that do not overlap "
        "answer it, effects of factors do, and --reference with one of them.",
        report.options.reference));
  else if (!board.rows.empty())
    notes.push_back(fmt::format(
        "The reference '{}' has no score of its own, so there are no differences: let it be focal "
        "too, or name another with --reference.",
        report.options.reference));
  std::string blocks;
  for (const GameResults& game : report.results.games)
    blocks += fmt::format("{}{} {}", blocks.empty() ? "" : ", ", game.name, game.blocks);
  notes.push_back(
      "A block is one draw of random numbers, shared by all line-ups and seats; matches of a block "
      "are "
      "averaged, not counted as independent. Blocks: " +
      blocks + ".");
  notes.push_back(fmt::format(
      "Intervals ({}) say how a figure would vary over new blocks of the same games, agents and "
      "settings; they say nothing of games that were not played.",
      text::percent(report.options.level)));
  notes.push_back(
      "Simultaneous CIs and adj. p (adjusted for all of them) hold for all agents at once: an "
      "interval leaves out 0 "
      "exactly when its p is below 1 - level. 'too few': n is under 10 in some game, "
      "or under 6 in one of its "
      "scenarios; "
      "'constant': every block says the same, and what happens in less than the share behind it "
      "may "
      "not have been seen; 'all in one unit': one block, or what blocks share, holds nearly the "
      "whole surplus of a role; 'unstable': too few blocks differ for an interval. n: "
      "blocks behind a figure; those about one item count as one. 'eff.': how many "
      "blocks of equal weight would say as "
      "much, where that is under 80% of n.");
  if (const std::string shares = unseen_shares(board); !shares.empty())
    notes.push_back(
        "What happens in less than this share of the blocks may not have been seen at all, and no "
        "interval from these blocks reckons with it: " +
        shares + ".");
  if (board.depends_on_field)
    notes.push_back(
        "Some games were played all against all (or in fixed line-ups): a score then depends on "
        "who "
        "else took part.");
}

/// Games whose score is mostly that of one block, though they have enough of them.
void warn_of_weights(ReportEstimates& report) {
  constexpr double kMuch = 0.3;
  const Leaderboard& board = report.leaderboard;
  for (std::size_t g = 0; g < board.games.size(); ++g) {
    const stats::Estimate* most = nullptr;
    for (const LeaderRow& row : board.rows)
      if (const stats::Estimate& score = row.games[g].score;
          score.value && score.largest_share > kMuch && score.units >= stats::kFewestUnits &&
          (most == nullptr || score.largest_share > most->largest_share))
        most = &score;
    if (most == nullptr) continue;
    report.warnings.push_back(
        {"one-block",
         fmt::format("ONE BLOCK WEIGHS {:.0f}%: of {} blocks of {}, {} has that much of what there "
                     "was to get. They say as much as {:.1f} of equal weight.",
                     100 * *most->largest_share, most->units, board.games[g],
                     most->largest_unit.empty() ? "one" : "'" + most->largest_unit + "'",
                     most->effective_n.value_or(1)),
         {board.games[g]}});
  }
}

void note_what_is_left_out(const ReportEstimates& report, std::vector<std::string>& notes) {
  std::string excluded;
  for (const GameResults& game : report.results.games) {
    if (report.results.policy != FaultPolicy::exclude || game.blocks_forced == 0) continue;
    std::int64_t blocks = 0;
    for (const TreatmentFacts& facts : game.treatments) blocks += facts.blocks;
    excluded += fmt::format("{}{} {} of {}", excluded.empty() ? "" : ", ", game.name,
                            game.blocks_forced, blocks);
  }
  if (!excluded.empty())
    notes.push_back("Blocks left out, as somebody's answer was forced in them (by treatment): " +
                    excluded + ".");
  for (const GameResults& game : report.results.games) {
    if (game.matches_beyond > 0)
      notes.push_back(fmt::format(
          "{}: in {} of {} a seat's score, zero or one lies beyond {:g}, or its pie is below {:g}: "
          "nothing is reckoned from the scores of this game. Ranks and metrics count.",
          game.name, game.matches_beyond, counted(game.matches, "match", "matches"), kLargestScore,
          kSmallestPie));
    else if (game.seats_without_pie > 0)
      notes.push_back(fmt::format(
          "{}: {} of {} seats have no scale (no pie to share, zero or one undefined) and are left "
          "out of normalised scores; the metrics below count them.",
          game.name, game.seats_without_pie, game.seats_without_pie + game.seats_scored));
    for (const std::size_t metric : game.beyond)
      notes.push_back(
          fmt::format("{}: '{}' has values beyond {:g}, which are too large for means: "
                      "the metric is left out.",
                      game.name, game.metrics[metric].name, kLargestMetric));
    if (game.treatments.size() > 1)
      notes.push_back(fmt::format("{}: {} scenarios or treatments, each of which weighs the same.",
                                  game.name, game.treatments.size()));
    if (game.several_versions)
      notes.push_back(game.name +
                      ": played in more than one version of the game; all are counted together.");
    if (game.missing_unscaled > 0)
      notes.push_back(fmt::format(
          "{}: {} with a missing match are not in the bounds, as no finished match tells their "
          "scale.",
          game.name, counted(game.missing_unscaled, "block")));
  }
  for (const std::string& agent : report.results.several_specs)
    notes.push_back(fmt::format(
        "'{}' stands for several agents of different specs, told apart by what differs in them.",
        agent));
}

/// What the lists were for is done; the counts stay.
void drop_lists(Results& results) {
  for (GameResults& game : results.games) {
    game.bins = {};
    game.scores = {};
    game.metric_units = {};
    game.pairs = {};
    game.positions = {};
    game.raw = {};
    game.rankings = {};
  }
}

/// Reading records takes time, and not every match has one: only pages have these sections, and
/// what asks for them.
bool wants_play(const ReportRequest& choice) {
  if (choice.sections.empty()) return choice.detail == Detail::page;
  return std::ranges::find(choice.sections, "play") != choice.sections.end();
}

bool wants_words(const ReportRequest& choice) {
  if (choice.sections.empty())
    return choice.detail == Detail::page || choice.detail == Detail::full;
  return std::ranges::find(choice.sections, "words") != choice.sections.end();
}

/// Takes the games out that are not wanted.
void leave_out(Results& results, const std::vector<std::string>& without) {
  for (const std::string& name : without) {
    std::vector<std::string> known;
    for (const GameResults& game : results.games) known.push_back(game.name);
    const auto at = std::ranges::find(known, name);
    if (at == known.end())
      throw Error(ErrorKind::not_found,
                  "unknown game '" + name + "' in this report" + text::did_you_mean(name, known),
                  "--without", "games in the report: " + text::joined(known));
    if (known.size() == 1)
      throw Error(ErrorKind::usage, "no game is left", "--without", "leave out fewer games");
    const auto game = results.games.begin() + (at - known.begin());
    results.matches -= game->matches;
    results.games.erase(game);
  }
}

/// What the researcher chose for this report and not in advance.
void warn_of_choices(ReportEstimates& report, const SuiteWishes& suite, const std::string& path) {
  if (!report.without.empty())
    report.warnings.push_back(
        {"without",
         fmt::format("WITHOUT {}: left out on request. Leaving a game out after seeing the results "
                     "is a choice of results.",
                     fmt::join(report.without, ", "))});
  const stats::Aggregate declared = aggregate_of("", suite, path);
  if (report.options.aggregate != declared)
    report.warnings.push_back(
        {"aggregate",
         fmt::format("AGGREGATE {}: what is over all games was asked for this way on the command "
                     "line, and the suite declares {}. Choosing it after seeing the results is a "
                     "choice of results.",
                     name_of(report.options.aggregate), name_of(declared))});
}

/// Of the whole file, as `sha256sum` gives it; empty while somebody writes it: the rest is beside
/// it.
std::string file_digest(const std::string& path) {
  std::error_code unknown;
  if (const auto beside = std::filesystem::file_size(path + "-wal", unknown);
      !unknown && beside > 0)
    return {};
  std::ifstream file(path, std::ios::binary);
  hash::Sha256 sum;
  std::vector<char> part(std::size_t{1} << 20U);
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0)
    sum.update({part.data(), static_cast<std::size_t>(file.gcount())});
  return file.eof() ? hash::hex(sum.digest()) : std::string();
}

ReportEstimates report_of(const std::string& path, const ReportRequest& choice) {
  archive::Archive archive = archive::Archive::open(path);
  Narrowed scope;
  SuiteWishes suite;
  Results results;
  std::vector<ReportSection> read;
  const auto add = [&read](std::vector<ReportSection> sections) {
    std::ranges::move(sections, std::back_inserter(read));
  };
  // What a run commits meanwhile is in none of it.
  archive.together([&] {
    scope = narrow(archive, choice.scope);
    suite = suite_wishes(archive);
    results = collect(
        archive, {.policy = policy_of(choice.policy, suite, path), .backgrounds_apart = scope.all});
    leave_out(results, choice.without);
    const ReportOptions usual;
    add(probe_sections(archive, results, {suite.level, usual.metric_resamples, usual.seed}));
    if (wants_words(choice)) add(talk_sections(archive, results, choice.talk, suite.level));
    if (wants_play(choice))
      add(play_sections(archive, results, choice.play, suite.level, usual.threads));
    const stats::IntervalOptions intervals{.level = suite.level};
    std::vector<branch::ControlledScore> controls;
    if (choice.catalogue != nullptr)
      controls = branch::controlled_scores(archive, *choice.catalogue, choice.controls, intervals);
    add(branch_sections(archive, controls, intervals));
  });
  ReportOptions options;
  options.level = suite.level;
  options.aggregate = aggregate_of(choice.aggregate, suite, path);
  options.reference = choice.against;
  options.rates = choice.rates;
  if (options.reference.empty() &&
      std::ranges::find(results.agents, suite.against) != results.agents.end())
    options.reference = suite.against;
  ReportEstimates report = make(std::move(results), options);
  report.without = choice.without;
  warn_of_choices(report, suite, path);
  report.read = std::move(read);
  report.drift = drift::read(archive);
  report.stop = last_stop(archive);
  report.scope = std::move(scope);
  report.open_run = open_run(archive, path);
  if (choice.detail == Detail::page && choice.sections.empty() && !report.open_run.open())
    report.archive_digest = file_digest(path);
  if (std::string words = mock_words(archive, &report.results.agent_rows); !words.empty())
    report.warnings.push_back({"mock", std::move(words)});
  if (std::string words = not_applied_words(archive, &report.results.agent_rows); !words.empty())
    report.warnings.push_back({"not-applied", std::move(words)});
  report.several_models = models_of_agents_words(archive, &report.results.agent_rows);
  report.capped = capped_parts(archive);
  report.hosts = hosts_used(archive);
  if (std::string words = supplier_words(archive, report.results); !words.empty())
    report.warnings.push_back({"supplier", std::move(words)});
  return report;
}

}  // namespace

void run_all(const std::vector<std::function<void()>>& tasks, std::size_t threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::exception_ptr> failures(tasks.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      try {
        tasks[i]();
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(threads, tasks.size()); ++i) others.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

ReportEstimates make(Results results, const ReportOptions& options) {
  ReportEstimates report;
  report.options = options;
  report.results = std::move(results);
  const Results& all = report.results;
  std::vector<std::function<void()>> sections;
  for (const SectionMaker& maker : section_makers())
    if (const auto [at, added] = report.sections.try_emplace(maker.make); added && maker.estimates)
      sections.emplace_back([&report, to = at, make = maker.make] { to->second = make(report); });
  if (all.agents.empty()) {
    run_all(sections, options.threads);
    report.notes.push_back("The archive has no match yet.");
    return report;
  }
  report.options.reference = reference_of(all, options.reference);
  const ReportOptions& how = report.options;

  std::vector<std::function<void()>> tasks;
  tasks.emplace_back([&] { report.leaderboard = make_leaderboard(all, how); });
  report.games.resize(all.games.size());
  std::size_t tables = 0;
  for (const GameResults& game : all.games)
    if (game.treatments.size() > 1) tables += game.treatments.size();
  report.treatments.resize(tables);
  tables = 0;
  for (std::size_t g = 0; g < all.games.size(); ++g) {
    const GameResults& game = all.games[g];
    GameReport& out = report.games[g];
    out.game = game.name;
    // The slowest first.
    tasks.emplace_back([&] { make_trueskill(game, how, out); });
    tasks.emplace_back([&] { make_strengths(game, how, out); });
    tasks.emplace_back([&] { out.metrics = make_metrics(all, game, how); });
    tasks.emplace_back([&] { out.pairs = make_pairs(all, game, how); });
    if (game.treatments.size() < 2) continue;
    for (std::size_t t = 0; t < game.treatments.size(); ++t) {
      TreatmentTable& table = report.treatments[tables++];
      tasks.emplace_back(
          [&all, &game, t, &how, &table] { table = make_treatment(all, game, t, how); });
    }
  }
  tasks.insert(tasks.end(), sections.begin(), sections.end());
  run_all(tasks, how.threads);
  note_the_design(report, report.notes);
  note_what_is_left_out(report, report.notes);
  report.warnings = result_warnings(all);
  warn_of_weights(report);
  drop_lists(report.results);
  return report;
}

std::string text_of(const std::string& path, const ReportRequest& choice, bool colour) {
  return render_text(document_of(path, choice), colour);
}

Document document_of(const std::string& path, const ReportRequest& choice) {
  return document(report_of(path, choice), choice.detail, choice.sections, choice.anytime);
}

}  // namespace agon::report
