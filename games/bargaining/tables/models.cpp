#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bargaining/tables/tables.hpp"
#include "shared/tables.hpp"

// Models against the reference, and what a narrator changes.

namespace bargaining {
namespace {

/// Who sits opposite all models of the paper, and what narrators are called.
constexpr std::string_view kReference = "reference", kNarrator = "OG-Narrator ";

/// What one side got of its sessions with the reference.
struct SideResults {
  agon::Sample deal, share;
  double snp = 0;

  void add(const agon::PlayedMatch& match, std::size_t side) {
    const std::string product = product_of(match);
    const double normalised = match.metric(match.seats()[side], "snp");
    const bool closed = match.metric("deal") == 1;
    deal.add(product, closed ? 1 : 0);
    if (closed) share.add(product, normalised);
    snp += normalised;
  }
  [[nodiscard]] agon::TableCell deals(double level) const {
    return shared::cell(deal.share(level), 4);
  }
  [[nodiscard]] agon::TableCell sum() const {
    return deal.empty() ? agon::TableCell{} : shared::cell({.value = snp, .n = deal.n()}, 2);
  }
  [[nodiscard]] agon::TableCell percent(double level) const {
    return shared::percent(share.mean(level), 2);
  }
};

/// Calls `each` with the sessions of the paper's budget in which somebody met the reference: who it
/// was, and on which side.
template <class Each>
void each_against_reference(const agon::PlayedMatches& matches, Each each) {
  each_session(matches, [&](const Pair& pair, const agon::PlayedMatch& match) {
    if (pair.factor != "0.8" || (pair.buyer == kReference) == (pair.seller == kReference)) return;
    const std::size_t side = pair.buyer == kReference ? 1 : 0;
    each(side == 0 ? pair.buyer : pair.seller, side, match);
  });
}

/// The published names in their order, then the others.
std::vector<std::string> published_first(std::vector<std::string> names,
                                         const std::set<std::string>& played) {
  for (const std::string& name : played)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

constexpr const char* kShareOfPaper =
    "SNP: the sum of normalised profits, published of 930 sessions, ours of n. Share: the mean "
    "over "
    "deals, in percent; SNP over share gives the number of deals, as 276 where ChatGPT meets "
    "itself. Published: plot_pic.ipynb of the paper's repository.";

}  // namespace

agon::PaperTable models_by_side(const agon::PlayedMatches& matches) {
  std::map<std::string, std::array<SideResults, 2>> results;
  std::set<std::string> played;
  each_against_reference(matches, [&](const std::string& who, std::size_t side, const auto& match) {
    results[who][side].add(match, side);
    played.insert(who);
  });
  if (played.empty())
    throw agon::LacksData{
        "sessions with a budget of 0.8 of the list price between an agent called \"reference\" and "
        "another"};
  const shared::PublishedTable& printed = published("bargaining/models");
  agon::PaperTable table;
  table.corner = "model, with ChatGPT opposite";
  table.columns = {"buyer: deals",  "buyer: SNP",  "buyer: share",
                   "seller: deals", "seller: SNP", "seller: share"};
  table.units = {"share of sessions", "SNP", "percent", "share of sessions", "SNP", "percent"};
  table.plots = {{.how = agon::TablePlot::How::points,
                  .columns = {1, 4},
                  .title = "profits as buyer and as seller"},
                 {.how = agon::TablePlot::How::bars, .columns = {2}, .title = "buyers"},
                 {.how = agon::TablePlot::How::bars, .columns = {5}, .title = "sellers"}};
  for (const std::string& name : published_first(printed.rows(), played)) {
    agon::TableRow& row = table.rows.emplace_back(agon::TableRow{name, {}});
    for (const std::size_t side : {0U, 1U}) {
      const SideResults& side_results = results[name][side];
      row.cells.push_back(side_results.deals(matches.level()));
      row.cells.push_back(side_results.sum());
      row.cells.push_back(side_results.percent(matches.level()));
    }
  }
  printed.fill(table);
  table.notes = {"Sessions with the reference on the other side, at 0.8 of the list price.",
                 kShareOfPaper};
  return table;
}

agon::PaperTable narrators(const agon::PlayedMatches& matches) {
  // By model: alone, and as a narrator.
  std::map<std::string, std::array<SideResults, 2>> results;
  std::array<SideResults, 2> all;
  std::set<std::string> narrated;
  const auto each_buyer = [&](const auto& take) {
    each_against_reference(
        matches, [&](const std::string& who, std::size_t side, const auto& match) {
          if (side != 0) return;
          const bool tells = who.starts_with(kNarrator);
          take(tells ? who.substr(kNarrator.size()) : who, tells ? 1U : 0U, match);
        });
  };
  each_buyer([&](const std::string& model, std::size_t how, const auto& match) {
    if (how == 1) narrated.insert(model);
    results[model][how].add(match, 0);
  });
  if (narrated.empty())
    throw agon::LacksData{
        "sessions of a buyer called \"OG-Narrator MODEL\" with an agent called \"reference\", with "
        "a budget of 0.8 of the list price"};
  // Only who plays both ways is compared.
  each_buyer([&](const std::string& model, std::size_t how, const auto& match) {
    const auto& [alone, by_ladder] = results[model];
    if (!alone.deal.empty() && !by_ladder.deal.empty()) all[how].add(match, 0);
  });
  const shared::PublishedTable& printed = published("bargaining/narrators");
  agon::PaperTable table;
  table.corner = "model, as buyer of ChatGPT";
  table.columns = {"deals", "deals, narrated", "SNP", "SNP, narrated", "share", "share, narrated"};
  table.units = {"share of sessions", "share of sessions", "SNP", "SNP", "percent", "percent"};
  table.plots = {{.how = agon::TablePlot::How::bars, .columns = {2, 3}, .title = "profits"},
                 {.how = agon::TablePlot::How::bars, .columns = {0, 1}, .title = "deals"}};
  const auto add = [&](const std::string& label, const std::array<SideResults, 2>& of) {
    const auto& [alone, by_ladder] = of;
    table.rows.push_back(
        {label,
         {alone.deals(matches.level()), by_ladder.deals(matches.level()), alone.sum(),
          by_ladder.sum(), alone.percent(matches.level()), by_ladder.percent(matches.level())}});
  };
  std::vector<std::string> models = printed.rows();
  std::erase(models, "all models");
  for (const std::string& name : published_first(models, narrated))
    add(name, narrated.contains(name) ? results[name] : std::array<SideResults, 2>{});
  add("all models", all);
  printed.fill(table);
  table.notes = {
      "A model alone, and the same model as narrator of the offer generator (OG-Narrator).",
      kShareOfPaper,
      "All models: published is the headline of the abstract, 26.67% of deals lifted to 88.88%, "
      "with about ten times the profit; whose deals these are it does not say, and ours are those "
      "of all models that play both ways.",
      "The published plot of these profits draws shares in percent for the models alone, beside "
      "SNP with a narrator: its numbers of the models alone stand here under share, and their SNP "
      "is that of the plot of all models."};
  return table;
}

}  // namespace bargaining
