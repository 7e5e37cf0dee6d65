#include <fmt/format.h>

#include <agon/analysis/game_theory.hpp>
#include <cmath>
#include <map>

#include "deal-or-no-deal/tables/negotiations.hpp"
#include "deal-or-no-deal/tables/published.hpp"
#include "deal-or-no-deal/tables/tables.hpp"
#include "shared/tables.hpp"

namespace deal_or_no_deal {
namespace {

constexpr std::array<std::string_view, 4> cases{"both use it", "Alice alone", "Bob alone",
                                                "nobody"};

std::size_t case_of(const std::array<bool, 2>& workflow) {
  return (workflow[0] ? 0U : 2U) + (workflow[1] ? 0U : 1U);
}

MetaScores scores_of(const published::Meta& meta) {
  return {meta.both, meta.alice_only, meta.bob_only, meta.neither};
}

const published::Meta* printed_of(std::span<const published::Meta> list, std::string_view model) {
  for (const published::Meta& meta : list)
    if (meta.model == model) return &meta;
  return nullptr;
}

bool is_whole(const MetaScores& scores) {
  for (const auto& pair : scores)
    for (const double score : pair)
      if (!std::isfinite(score)) return false;
  return true;
}

std::string equilibrium_names(const MetaScores& scores) {
  std::string text;
  for (const std::size_t at : meta_equilibria(scores))
    text += (text.empty() ? "" : ", ") + std::string(cases[at]);
  return text.empty() ? "none in pure strategies" : text;
}

using MetaTally = std::array<std::array<agon::Sample, 2>, 4>;

void add_rows(agon::PaperTable& made, const std::string& model, const MetaTally* tally,
              double level) {
  const published::Meta* printed = printed_of(published::kTable19, model);
  const published::Meta* corrected = printed_of(published::kTable19Corrected, model);
  MetaScores ours;
  for (auto& pair : ours) pair.fill(agon::kNothing);
  const std::size_t first = made.rows.size();
  for (std::size_t c = 0; c < cases.size(); ++c) {
    agon::TableRow row{fmt::format("{}: {}", model, cases[c]), {}};
    for (std::size_t side = 0; side < 2; ++side) {
      const agon::Figure figure = tally == nullptr ? agon::Figure{} : (*tally)[c][side].mean(level);
      ours[c][side] = figure.value;
      row.cells.push_back(
          cell(figure, printed == nullptr ? agon::kNothing : scores_of(*printed)[c][side], 2));
    }
    row.cells.emplace_back();
    made.rows.push_back(std::move(row));
  }
  if (is_whole(ours)) {
    for (const std::size_t at : meta_equilibria(ours))
      made.rows[first + at].cells.back().text = "equilibrium";
    made.notes.push_back(
        fmt::format("{}: equilibria of our scores: {}.", model, equilibrium_names(ours)));
  }
  if (printed == nullptr) return;
  std::string note = fmt::format("{}: equilibria of the printed scores: {}", model,
                                 equilibrium_names(scores_of(*printed)));
  if (scores_of(*printed) != scores_of(*corrected)) {
    note += fmt::format("; of those that the paper's other tables give for the same runs: {}",
                        equilibrium_names(scores_of(*corrected)));
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const auto was = scores_of(*printed)[c];
      const auto is = scores_of(*corrected)[c];
      if (was != is)
        note += fmt::format(" ({}: {:.2f}, {:.2f} instead of {:.2f}, {:.2f})", cases[c], is[0],
                            is[1], was[0], was[1]);
    }
  }
  made.notes.push_back(note + ".");
}

agon::PaperTable make_meta(const agon::PlayedMatches& matches) {
  std::map<std::string, MetaTally> tallies;
  each_negotiation(matches, [&](const Negotiation& n) {
    for (std::size_t side = 0; side < 2; ++side)
      tallies[n.model][case_of(n.workflow)][side].add(n.point, n.match.seats()[side].score);
  });
  if (tallies.empty())
    throw agon::LacksData{"negotiations of a model with itself, with and without the workflow"};
  agon::PaperTable made;
  made.corner = "model: who uses the workflow";
  made.columns = {"Alice's score", "Bob's score", "ours"};
  std::vector<std::string> names;
  for (const auto& [name, tally] : tallies) names.push_back(name);
  std::vector<std::string_view> known;
  for (const published::Meta& meta : published::kTable19) known.push_back(meta.model);
  made.notes = {
      "Mean scores over the points that have an envy-free split, without a deal 0. An equilibrium "
      "is a case in which neither side would gain by deciding otherwise."};
  for (const std::string& name : in_order(names, known)) {
    const auto found = tallies.find(name);
    add_rows(made, name, found == tallies.end() ? nullptr : &found->second, matches.level());
  }
  return made;
}

}  // namespace

std::vector<std::size_t> meta_equilibria(const MetaScores& scores) {
  std::vector<double> payoffs;
  for (const auto& pair : scores) payoffs.insert(payoffs.end(), pair.begin(), pair.end());
  return agon::theory::pure_equilibria(agon::theory::MatrixGame({2, 2}, std::move(payoffs)));
}

agon::TableCard meta_card() {
  agon::TableCard card;
  card.id = "game-theory/table-19";
  card.title = "the game of whether to use the workflow";
  card.source = "Hua et al. 2024, table 19";
  card.scenario = "papers/game-theory/table-19.json";
  card.game = "deal-or-no-deal";
  card.make = &make_meta;
  return card;
}

void add_tables(agon::Registry& registry) {
  registry.add(people_card());
  for (const agon::TableCard& card : score_cards()) registry.add(card);
  for (const agon::TableCard& card : estimate_cards()) registry.add(card);
  registry.add(meta_card());
  registry.add(deception_card());
  registry.add(shared::own_table("deal-or-no-deal/splits", "splits, and the Pareto frontier",
                                 "deal-or-no-deal", &splits_and_frontier));
}

}  // namespace deal_or_no_deal
