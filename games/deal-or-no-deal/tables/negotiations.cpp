#include "deal-or-no-deal/tables/negotiations.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <map>

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
                                  const std::vector<std::string_view>& published) {
  for (const std::string_view name : published) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto place = [&](const std::string& name) {
    return std::find(published.begin(), published.end(), name) - published.begin();
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return names;
}

agon::TableCell cell(const agon::Figure& ours, double printed, int decimals) {
  agon::TableCell made;
  made.ours = ours;
  made.published = printed;
  made.decimals = decimals;
  return made;
}

}  // namespace deal_or_no_deal
