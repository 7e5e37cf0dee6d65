// How much worse agents do in other words than in the original's.
#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cstdlib>
#include <map>
#include <set>

#include "json/parse.hpp"
#include "report/estimates.hpp"
#include "report/sections/sections.hpp"
#include "stats/contrasts.hpp"
#include "stats/score_table.hpp"
#include "suite/scenario/skins.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

constexpr const char* kInOriginal = "original";
constexpr const char* kInSkins = "skins";

/// Scenario and treatment, without the skin.
using PlainTreatment = std::pair<std::string, std::string>;

/// Treatments under a skin, each with that of the original, by their numbers in the game.
std::map<std::size_t, std::size_t> originals_of(const GameResults& game) {
  std::map<PlainTreatment, std::size_t> plain;
  std::map<std::size_t, PlainTreatment> skinned;
  for (std::size_t t = 0; t < game.treatments.size(); ++t) {
    const TreatmentFacts& facts = game.treatments[t];
    boost::json::value values = json::parse(facts.treatment, "treatment");
    const boost::json::value* skin =
        values.is_object() ? values.get_object().if_contains(kSkinFactor) : nullptr;
    const std::string ending =
        skin == nullptr || !skin->is_string() ? "" : "/" + std::string(skin->get_string());
    // A game may have a setting of that name.
    if (ending.empty() || !facts.scenario.ends_with(ending)) {
      plain[{facts.scenario, facts.treatment}] = t;
      continue;
    }
    values.get_object().erase(kSkinFactor);
    skinned[t] = {facts.scenario.substr(0, facts.scenario.size() - ending.size()),
                  boost::json::serialize(values)};
  }
  std::map<std::size_t, std::size_t> originals;
  for (const auto& [t, name] : skinned)
    for (const auto& [other, number] : plain)
      if (other.first == name.first &&
          boost::json::serialize(json::parse(other.second, "treatment")) == name.second)
        originals[t] = number;
  return originals;
}

std::size_t treatment_of(const stats::ScoreRow& row) {
  return std::strtoul(row.role.c_str(), nullptr, 10);
}

/// What one agent gets in the original words minus what it gets in others, on the same blocks.
struct RecallGap {
  stats::Estimate original, skins, gap;
};

RecallGap gap_of(const std::vector<stats::ScoreRow>& all, const std::string& agent,
                 const std::map<std::size_t, std::size_t>& originals, const GameResults& game,
                 const ReportOptions& options) {
  // The original stands once beside each skin: then each skin weighs the same.
  std::vector<stats::ScoreRow> rows;
  for (const stats::ScoreRow& row : all) {
    if (row.agent != agent) continue;
    const std::size_t treatment = treatment_of(row);
    for (const auto& [skin, original] : originals) {
      if (treatment != skin && treatment != original) continue;
      stats::ScoreRow own = row;
      own.role = fmt::format("{:04}{}", skin, row.role.substr(4));
      own.agent = treatment == skin ? kInSkins : kInOriginal;
      rows.push_back(std::move(own));
    }
  }
  stats::ScoreTable table(rows);
  if (table.agents().size() < 2) return {};
  describe_games(table, {&game, 1});
  RecallGap gap;
  for (const stats::HeadlineRow& row : all_rows(
           stats::headline(table, kInSkins, options.intervals(options.metric_resamples)), true))
    if (row.agent == kInOriginal) {
      gap.original = row.score;
      gap.gap = row.difference;
    } else {
      gap.skins = row.score;
    }
  return gap;
}

}  // namespace

std::vector<ReportSection> recall_sections(const ReportEstimates& report) {
  const Results& results = report.results;
  ReportSection section{.id = "recall", .title = "Recall gap"};
  section.method = stats::interval_method;
  std::size_t statements = 0;
  for (const GameResults& game : results.games) {
    const std::map<std::size_t, std::size_t> originals = originals_of(game);
    if (originals.empty()) continue;
    std::vector<stats::ScoreRow> rows;
    append_rows(game, results, counting(results.policy), rows);
    ReportTable& table = section.tables.emplace_back();
    table.title =
        fmt::format("{}, {} skin{}", game.name, originals.size(), originals.size() == 1 ? "" : "s");
    table.about = {.game = game.name};
    table.columns = {agent_column(),
                     number_column("original", "score_in_original"),
                     number_column("skins", "score_in_skins"),
                     {.header = "recall gap",
                      .about = {.metric = "recall_gap"},
                      .apart = {{FigurePart::Item::value, "recall gap"},
                                {FigurePart::Item::interval,
                                 text::percent(report.options.level) + " CI", text::Align::left},
                                {FigurePart::Item::p, "unadjusted p"},
                                {FigurePart::Item::units, "n"}}}};
    std::set<std::string> agents;
    for (const stats::ScoreRow& row : rows) agents.insert(row.agent);
    for (const std::string& agent : agents) {
      const RecallGap gap = gap_of(rows, agent, originals, game, report.options);
      if (!gap.gap.value) continue;
      table.rows.push_back({.about = {.agent = agent},
                            .cells = {shown_agent(report, agent), number(gap.original.value, 3),
                                      number(gap.skins.value, 3), figure(gap.gap, 3, true)}});
    }
    statements += table.rows.size();
    if (table.rows.empty()) section.tables.pop_back();
  }
  if (section.tables.empty()) return {};
  section.explanation =
      "Normalised score in the original's words minus the mean over its skins, paired by block and "
      "role. Above 0: the agent plays better where it may recognise the game. " +
      each_by_itself(statements, report.options.level);
  return {std::move(section)};
}

}  // namespace agon::report
