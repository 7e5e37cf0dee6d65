#include "judge/draw.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "text/nearest.hpp"

namespace agon::judge {
namespace {

/// A seat that may be judged.
struct Candidate {
  archive::MatchId match;
  int seat = 0;
};

template <class T>
void shuffle(std::vector<T>& items, Dice& dice) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<std::size_t>(dice.below(i))]);
}

Dice dice_for(std::uint64_t seed, std::string_view purpose, std::uint32_t a = 0) {
  return Dice(combine(seed, hash_of(purpose)), a);
}

void check_names(const archive::Archive& archive, const DrawOptions& options) {
  std::set<std::string> agents;
  for (const auto& [number, row] : archive.agents()) agents.insert(row.name);
  const std::vector<std::string> known(agents.begin(), agents.end());
  for (const std::string& name : options.agents)
    if (!agents.contains(name))
      throw Error(ErrorKind::not_found,
                  "no agent '" + name + "' played" + text::did_you_mean(name, known),
                  archive.path().string());
  if (options.game.empty()) return;
  std::vector<std::string> games;
  for (const auto& [number, row] : archive.games()) games.push_back(row.name);
  if (std::find(games.begin(), games.end(), options.game) == games.end())
    throw Error(
        ErrorKind::not_found,
        "no match of '" + options.game + "' was played" + text::did_you_mean(options.game, games),
        archive.path().string());
}

/// Seats of one kind that may be judged, by agent.
using Seats = std::map<std::string, std::vector<Candidate>>;

std::size_t count(const Seats& seats) {
  std::size_t all = 0;
  for (const auto& [agent, list] : seats) all += list.size();
  return all;
}

/// All seats that may be judged: those without an identity, and those with one.
std::array<Seats, 2> candidates(const archive::Archive& archive, const DrawOptions& options) {
  const auto games = archive.games();
  const auto scenarios = archive.scenarios();
  const auto agents = archive.agents();
  std::array<Seats, 2> found;
  archive.matches({}, [&](std::int64_t, const archive::MatchRow& match) {
    if (match.ended != "finished") return true;
    const auto& scenario = archive.row(scenarios, match.key.scenario);
    if (!options.game.empty() && archive.row(games, scenario.game).name != options.game)
      return true;
    for (std::size_t s = 0; s < match.seats.size(); ++s) {
      const int seat = static_cast<int>(s);
      const std::string& name = archive.row(agents, match.seats[s].agent).name;
      if (!options.agents.empty() &&
          std::find(options.agents.begin(), options.agents.end(), name) == options.agents.end())
        continue;
      const bool identity = options.identity && options.identity(match, seat);
      found[identity ? 1 : 0][name].push_back({match.key.id, seat});
    }
    return true;
  });
  return found;
}

/// `n` of the seats, as evenly over agents as there are some. `kind`: what its dice are for.
void choose(Seats& seats, std::size_t n, std::uint64_t seed, const std::string& kind,
            std::vector<Candidate>& chosen) {
  std::vector<std::string> agents;
  std::uint32_t place = 0;
  for (auto& [agent, list] : seats) {
    // By match id, which does not depend on the order in which scenarios stand.
    std::sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) {
      return a.match != b.match ? a.match < b.match : a.seat < b.seat;
    });
    Dice dice = dice_for(seed, "seats" + kind, place++);
    shuffle(list, dice);
    agents.push_back(agent);
  }
  Dice dice = dice_for(seed, "agents" + kind);
  shuffle(agents, dice);  // whose records are one more is chance too
  const std::size_t all = chosen.size() + n;
  for (std::size_t round = 0; chosen.size() < all; ++round)
    for (const std::string& agent : agents)
      if (round < seats[agent].size() && chosen.size() < all) chosen.push_back(seats[agent][round]);
}

}  // namespace

std::vector<Drawn> draw(const archive::Archive& archive, const DrawOptions& options) {
  if (options.per_record > options.judges)
    throw Error(ErrorKind::usage,
                fmt::format("{} judges cannot rate each record {} times", options.judges,
                            options.per_record),
                "--per-record", "ask for more --judges or fewer ratings of a record");
  check_names(archive, options);
  auto [without, with] = candidates(archive, options);
  const std::size_t all = count(without) + count(with);
  if (all < options.records)
    throw Error(ErrorKind::not_found,
                fmt::format("there are {} seats to judge, not {}", all, options.records),
                archive.path().string(), "ask for fewer with --records, or play more matches");
  // Half of each kind; where one has fewer, more of the other.
  std::size_t identities = std::min(count(with), (options.records + 1) / 2);
  identities = std::max(identities, options.records - std::min(options.records, count(without)));
  std::vector<Candidate> chosen;
  choose(without, options.records - identities, options.seed, "", chosen);
  choose(with, identities, options.seed, " with an identity", chosen);
  Dice order = dice_for(options.seed, "labels");
  shuffle(chosen, order);
  std::vector<Drawn> drawn;
  const int width = options.records > 99 ? 3 : 2;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    Drawn record{fmt::format("R{:0{}}", i + 1, width), chosen[i].match, chosen[i].seat, {}};
    for (std::size_t k = 0; k < options.per_record; ++k)
      record.judges.push_back((i * options.per_record + k) % options.judges);
    std::sort(record.judges.begin(), record.judges.end());
    drawn.push_back(std::move(record));
  }
  return drawn;
}

std::vector<std::size_t> order_of(const std::vector<Drawn>& drawn, std::size_t judge,
                                  std::uint64_t seed) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < drawn.size(); ++i)
    if (std::find(drawn[i].judges.begin(), drawn[i].judges.end(), judge) != drawn[i].judges.end())
      order.push_back(i);
  Dice dice = dice_for(seed, "order of a form", static_cast<std::uint32_t>(judge));
  shuffle(order, dice);
  return order;
}

}  // namespace agon::judge
