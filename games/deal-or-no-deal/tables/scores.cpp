#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/points.hpp"
#include "deal-or-no-deal/tables/tables.hpp"
#include "shared/tables.hpp"

namespace deal_or_no_deal {
namespace {

constexpr std::string_view kWorkflowSuffix = " workflow";

bool names_a_workflow(std::string_view text) {
  return text.find("workflow") != std::string_view::npos ||
         text.find("envy-free") != std::string_view::npos;
}

/// What an agent is, by its name and levels.
struct Player {
  std::string model;
  bool workflow = false;
};

Player player_of(const agon::PlayedSeat& seat) {
  Player player;
  player.model = seat.base.empty() ? seat.agent : seat.base;
  if (player.model.ends_with(kWorkflowSuffix)) {
    player.model.resize(player.model.size() - kWorkflowSuffix.size());
  }
  const agon::JsonDocument document(seat.factors.empty() ? "{}" : std::string(seat.factors),
                                    "factors");
  const agon::JsonNode levels = document.root();
  const auto text = [&](std::string_view name) -> std::optional<std::string_view> {
    const auto level = levels.find(name);
    if (!level || level->kind() != agon::JsonNode::Kind::text) return std::nullopt;
    return level->text();
  };
  if (const auto label = text("workflow")) {
    player.workflow = *label == "use";
  } else if (const auto reasoning = text("reasoning")) {
    player.workflow = names_a_workflow(*reasoning);
  } else {
    player.workflow = names_a_workflow(seat.agent);
  }
  return player;
}

bool is_negotiation(const agon::PlayedMatch& match) {
  const agon::JsonDocument settings(std::string(match.settings()), "settings");
  const auto protocol = settings.root().find("protocol");
  // The paper's sides state nothing beforehand.
  const auto claims = settings.root().find("claims");
  return (!protocol || protocol->text() == "negotiation") && !(claims && claims->text() != "none");
}

}  // namespace

void each_negotiation(const agon::PlayedMatches& matches,
                      const std::function<void(const Negotiation&)>& each) {
  std::map<std::string, Player, std::less<>> known;
  const auto player = [&](const agon::PlayedSeat& seat) -> const Player& {
    const auto found = known.find(seat.agent);
    if (found != known.end()) return found->second;
    return known.emplace(seat.agent, player_of(seat)).first->second;
  };
  matches.each([&](const agon::PlayedMatch& match) {
    const auto seats = match.seats();
    if (seats.size() != 2 || !(match.metric("fair_possible") > 0)) return;
    const Player& alice = player(seats[0]);
    const Player& bob = player(seats[1]);
    if (alice.model != bob.model || !is_negotiation(match)) return;
    const double instance = match.metric("instance");
    std::string point = instance >= 0 ? fmt::format("{} instance {}", match.scenario(), instance)
                                      : fmt::format("{} block {}", match.scenario(), match.block());
    each({match, alice.model, {alice.workflow, bob.workflow}, std::move(point)});
  });
}

Row row_of(const ListedInstance& listed) {
  Row row{instance_of(listed), std::nullopt};
  if (!listed.human) return row;
  if (const auto ending = ending_of(listed.human->ending)) {
    row.human = HumanOutcome{*ending, listed.human->messages, std::nullopt};
    if (const auto& parts = listed.human->split) {
      Amounts first;
      for (const int amount : parts->front()) first.push_back(amount);
      row.human->split = full_split(row.instance.counts, first);
    }
  }
  return row;
}

std::vector<Row> listed_rows(const agon::PlayedMatch& match) {
  Settings settings;
  if (const auto problem = agon::read_json(settings, match.settings(), agon::Missing::keeps)) {
    throw agon::Error(agon::ErrorKind::invalid,
                      "the settings of a match cannot be read: " + problem->text(), {},
                      "make the table with the version of the game that played the matches");
  }
  const bool has_lines = std::any_of(settings.instances.begin(), settings.instances.end(),
                                     [](const ListedInstance& listed) { return listed.line > 0; });
  std::vector<Row> rows;
  for (const ListedInstance& listed : settings.instances) {
    rows.push_back(row_of(listed));
    if (!has_lines) rows.back().instance.line = 1;
  }
  return rows;
}

std::vector<std::string> in_order(std::vector<std::string> names,
                                  const std::vector<std::string>& published) {
  names.insert(names.end(), published.begin(), published.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto place = [&](const std::string& name) {
    return std::find(published.begin(), published.end(), name) - published.begin();
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return names;
}

namespace {

constexpr int kScoreDecimals = 2;
constexpr int kShareDecimals = 4;

/// What a row sums up. Without a deal both scores are 0 and count.
struct ScoreTally {
  agon::Sample rounds, agreed, alice, bob, pareto_optimal, envy_free, total;

  void add(const Negotiation& n) {
    const auto seats = n.match.seats();
    rounds.add(n.point, n.match.metric("rounds"));
    agreed.add(n.point, n.match.metric("agreement"));
    alice.add(n.point, seats[0].score);
    bob.add(n.point, seats[1].score);
    pareto_optimal.add(n.point, n.match.metric("pareto_optimal"));
    envy_free.add(n.point, n.match.metric("envy_free"));
    total.add(n.point, seats[0].score + seats[1].score);
  }
};

agon::TableRow score_row(std::string label, const ScoreTally* tally, double level) {
  const auto mean = [&](agon::Sample ScoreTally::*member) {
    return agon::TableCell{.ours = tally == nullptr ? agon::Figure{} : (tally->*member).mean(level),
                           .decimals = kScoreDecimals};
  };
  const auto share = [&](agon::Sample ScoreTally::*member) {
    return agon::TableCell{
        .ours = tally == nullptr ? agon::Figure{} : (tally->*member).share(level),
        .decimals = kShareDecimals};
  };
  return {std::move(label),
          {mean(&ScoreTally::rounds), share(&ScoreTally::agreed), mean(&ScoreTally::alice),
           mean(&ScoreTally::bob), share(&ScoreTally::pareto_optimal),
           share(&ScoreTally::envy_free), mean(&ScoreTally::total)}};
}

/// What the best envy-free and Pareto-optimal split of each point brings.
void add_best(ScoreTally& best, std::set<std::string>& seen, const Negotiation& n) {
  // It is the same for all who play over the point, and however often.
  if (!seen.insert(n.point).second) return;
  const auto seats = n.match.seats();
  const double alice = n.match.metric(seats[0], "fair_value");
  const double bob = n.match.metric(seats[1], "fair_value");
  best.agreed.add(n.point, 1);
  best.alice.add(n.point, alice);
  best.bob.add(n.point, bob);
  best.pareto_optimal.add(n.point, 1);
  best.envy_free.add(n.point, 1);
  best.total.add(n.point, alice + bob);
}

/// What people made of the listed instances that have an envy-free split; nothing if nobody knows.
std::optional<ScoreTally> people_in(const std::vector<Row>& rows) {
  ScoreTally tally;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].human || yardsticks(rows[i].instance).envy_free == 0) continue;
    const HumanSummary one = summarise_humans(rows, {&i, 1});
    const std::string point = std::to_string(i);
    const auto add = [&](agon::Sample& sample, auto value) {
      sample.add(point, static_cast<double>(value));
    };
    tally.rounds.add(point, static_cast<double>(one.messages) / 2);
    add(tally.agreed, one.agreed);
    add(tally.alice, one.scores[0]);
    add(tally.bob, one.scores[1]);
    add(tally.pareto_optimal, one.pareto_optimal);
    add(tally.envy_free, one.envy_free);
    add(tally.total, one.scores[0] + one.scores[1]);
  }
  if (tally.agreed.empty()) return std::nullopt;
  return tally;
}

/// One of the tables, and who uses the workflow in it.
struct ScoreTable {
  std::string_view id;
  std::array<bool, 2> workflow;
  bool yardsticks = false;    ///< with the rows "best" and "human"
  bool temperatures = false;  ///< only agents of which there is one with another temperature
  std::string_view lacks;
  std::string_view note;
};

constexpr std::string_view kTemperatureMark = ", temperature ";

/// Whether the table is about agents of this name.
bool is_about(const ScoreTable& table, const std::string& model,
              const std::map<std::string, ScoreTally>& tallies) {
  if (!table.temperatures || model.find(kTemperatureMark) != std::string::npos ||
      published(table.id).has_row(model))
    return true;
  const auto next = tallies.lower_bound(model + std::string(kTemperatureMark));
  return next != tallies.end() && next->first.starts_with(model + std::string(kTemperatureMark));
}

agon::PaperTable make_scores(const agon::PlayedMatches& matches, const ScoreTable& table) {
  std::map<std::string, ScoreTally> tallies;
  ScoreTally best;
  std::set<std::string> points;
  std::optional<ScoreTally> people;
  bool looked_for_people = false;
  each_negotiation(matches, [&](const Negotiation& n) {
    if (n.workflow != table.workflow) return;
    tallies[n.model].add(n);
    if (!table.yardsticks) return;
    add_best(best, points, n);
    if (!looked_for_people) people = people_in(listed_rows(n.match));
    looked_for_people = true;
  });
  std::erase_if(tallies, [&](const auto& entry) { return !is_about(table, entry.first, tallies); });
  if (tallies.empty()) throw agon::LacksData{std::string(table.lacks)};

  agon::PaperTable made;
  made.corner = "model";
  made.columns = {"rounds",         "agreement", "Alice's score", "Bob's score",
                  "Pareto-optimal", "envy-free", "total"};
  made.units = {"rounds", "share", "points", "points", "share", "share", "points of both"};
  std::vector<std::string> names;
  for (const auto& [name, tally] : tallies) names.push_back(name);
  const shared::PublishedTable& printed = published(table.id);
  for (const std::string& name : in_order(names, printed.rows())) {
    const auto found = tallies.find(name);
    const ScoreTally* tally = found == tallies.end() ? nullptr : &found->second;
    if (table.yardsticks && name == "best") tally = &best;
    if (table.yardsticks && name == "human") tally = people ? &*people : nullptr;
    made.rows.push_back(score_row(name, tally, matches.level()));
  }
  printed.fill(made);
  made.notes = {
      "Over the points that have an envy-free split. Without a deal both scores are 0, and it is "
      "neither Pareto-optimal nor envy-free; everything is divided by all points.",
      "Intervals are over points: what is played more than once over a point is one observation."};
  if (table.yardsticks) {
    made.notes.emplace_back(
        "best: the envy-free and Pareto-optimal split with the highest total, on a tie the one "
        "with the lowest score of Alice's.");
    made.notes.emplace_back(
        "human: the published row has Pareto-optimal and envy-free swapped, and its total is not "
        "the sum of its scores; a round of people's is two messages.");
    if (!people) {
      made.notes.emplace_back(
          "human: these instances come with no human dialogues; see the scenario's comment on the "
          "published ones.");
    }
  }
  if (!table.note.empty()) made.notes.emplace_back(table.note);
  return made;
}

constexpr ScoreTable kScoreTable10{
    "game-theory/table-10",
    {false, false},
    true,
    false,
    "negotiations of a model with itself in which nobody uses the workflow",
    ""};
constexpr ScoreTable kScoreTable11{
    "game-theory/table-11",
    {false, false},
    false,
    true,
    "negotiations of gpt-4o, or of agents called \"NAME, temperature T\", with themselves in which "
    "nobody uses the workflow",
    ""};
constexpr ScoreTable kScoreTable12{
    "game-theory/table-12",
    {true, true},
    false,
    false,
    "negotiations of a model with itself in which both sides use the workflow",
    ""};
constexpr ScoreTable kScoreTable13{
    "game-theory/table-13",
    {true, true},
    false,
    true,
    "negotiations of gpt-4o, or of agents called \"NAME, temperature T\", with themselves in which "
    "both sides use the workflow",
    "gpt-4o: the paper's table 12 has 6.25 where this one prints 6.16 for the same runs; 6.25 fits "
    "the total."};
constexpr ScoreTable kScoreTable17{
    "game-theory/table-17",
    {true, false},
    false,
    false,
    "negotiations of a model with itself in which Alice alone uses the workflow",
    ""};
constexpr ScoreTable kScoreTable18{
    "game-theory/table-18",
    {false, true},
    false,
    false,
    "negotiations of a model with itself in which Bob alone uses the workflow",
    ""};

template <const ScoreTable& table>
agon::PaperTable made_by(const agon::PlayedMatches& matches) {
  return make_scores(matches, table);
}

}  // namespace

void add_score_tables(agon::Registry& registry) {
  shared::add_paper_tables(
      registry, "deal-or-no-deal",
      {
          {kScoreTable10.id, "Deal or No Deal without the workflow", "Hua et al. 2024, table 10",
           "papers/game-theory/table-10.json", &made_by<kScoreTable10>},
          {kScoreTable11.id, "Deal or No Deal without the workflow, by temperature",
           "Hua et al. 2024, table 11", "papers/game-theory/table-11.json",
           &made_by<kScoreTable11>},
          {kScoreTable12.id, "Deal or No Deal, both sides with the workflow",
           "Hua et al. 2024, table 12", "papers/game-theory/table-12.json",
           &made_by<kScoreTable12>},
          {kScoreTable13.id, "Deal or No Deal with the workflow, by temperature",
           "Hua et al. 2024, table 13", "papers/game-theory/table-13.json",
           &made_by<kScoreTable13>},
          {kScoreTable17.id, "Deal or No Deal, Alice alone with the workflow",
           "Hua et al. 2024, table 17", "papers/game-theory/table-17.json",
           &made_by<kScoreTable17>},
          {kScoreTable18.id, "Deal or No Deal, Bob alone with the workflow",
           "Hua et al. 2024, table 18", "papers/game-theory/table-17.json",
           &made_by<kScoreTable18>},
      });
}

}  // namespace deal_or_no_deal
