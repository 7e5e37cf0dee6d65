#include "design/lineups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace agon::design {
namespace {

void check_seats(int seats, int least) {
  if (seats < least)
    refuse(fmt::format("this design needs at least {} {}, not {}", least,
                       least == 1 ? "seat" : "seats", seats),
           "choose a game or a setting with more seats");
}

void check_agent(std::span<const std::string> names, int agent) {
  if (agent < 0 || static_cast<std::size_t>(agent) >= names.size())
    refuse(fmt::format("there is no agent number {}: the suite has {}", agent, names.size()),
           "name an agent that the suite lists");
}

/// Checks a list of agents that must be there, known and different. `what` is used in the message.
void check_list(std::span<const std::string> names, std::span<const int> agents,
                std::string_view what) {
  if (agents.empty())
    refuse(fmt::format("the design has no {}", what), fmt::format("name at least one {}", what));
  std::set<int> seen;
  for (const int agent : agents) {
    check_agent(names, agent);
    if (!seen.insert(agent).second)
      refuse(
          fmt::format("'{}' is listed twice as {}", names[static_cast<std::size_t>(agent)], what),
          "list it once and ask for more blocks or repeats instead");
  }
}

/// How many ways there are to take `take` of `count`, with repetition if `count` is less.
Count combinations(std::size_t count, std::size_t take) {
  return binomial(count < take ? count + take - 1 : count, take);
}

void check_count(Count count) {
  if (count && *count <= kMostLineUps) return;
  refuse(count ? fmt::format("the design has {} line-ups; at most {} are supported", *count,
                             kMostLineUps)
               : fmt::format("the design has more than 10^19 line-ups; at most {} are supported",
                             kMostLineUps),
         "use fewer agents, a gauntlet, or a focal agent in a fixed field");
}

/// Appends `head` + every combination of `take` of `pool` in lexicographic order, with repetition
/// if the pool is smaller than `take`.
void add_groups(std::vector<int> head, std::span<const int> pool, std::size_t take, int focal,
                std::vector<LineUp>& out) {
  const bool repeat = pool.size() < take;
  const std::size_t start = head.size();
  head.resize(start + take);
  std::vector<std::size_t> pick(take, 0);
  if (!repeat) std::iota(pick.begin(), pick.end(), std::size_t{0});
  for (;;) {
    for (std::size_t i = 0; i < take; ++i) head[start + i] = pool[pick[i]];
    out.push_back({head, focal});
    std::size_t i = take;
    while (i > 0 && pick[i - 1] == (repeat ? pool.size() - 1 : pool.size() - take + i - 1)) --i;
    if (i == 0) return;
    ++pick[i - 1];
    for (; i < take; ++i) pick[i] = pick[i - 1] + (repeat ? 0 : 1);
  }
}

}  // namespace

std::vector<LineUp> round_robin(std::span<const std::string> names, int seats) {
  check_seats(seats, 1);
  if (names.empty()) refuse("a round robin has no agents", "list at least one agent");
  const auto take = static_cast<std::size_t>(seats);
  const Count count = combinations(names.size(), take);
  check_count(count);
  std::vector<int> everybody(names.size());
  std::iota(everybody.begin(), everybody.end(), 0);
  std::vector<LineUp> out;
  out.reserve(*count);
  add_groups({}, everybody, take, -1, out);
  return out;
}

std::vector<LineUp> gauntlet(std::span<const std::string> names, std::span<const int> challengers,
                             int seats) {
  check_seats(seats, 2);
  check_list(names, challengers, "challenger");
  std::vector<int> opponents;
  for (int agent = 0; static_cast<std::size_t>(agent) < names.size(); ++agent)
    if (std::find(challengers.begin(), challengers.end(), agent) == challengers.end())
      opponents.push_back(agent);
  if (opponents.empty())
    refuse("every agent is a challenger, so that nobody is left to play against",
           "leave at least one agent out of the challengers, or use a round robin");
  const auto take = static_cast<std::size_t>(seats) - 1;
  check_count(product(combinations(opponents.size(), take), challengers.size()));
  std::vector<LineUp> out;
  for (const int challenger : challengers)
    add_groups({challenger}, opponents, take, challenger, out);
  return out;
}

std::vector<LineUp> focal_in_field(std::span<const std::string> names, std::span<const int> focal,
                                   std::span<const int> field, int seats) {
  check_seats(seats, 2);
  check_list(names, focal, "focal agent");
  const auto others = static_cast<std::size_t>(seats) - 1;
  for (const int agent : field) check_agent(names, agent);
  if (field.size() != 1 && field.size() != others)
    refuse(fmt::format("the field has {} agents, but {} seats are left beside the focal agent",
                       field.size(), others),
           others == 1 ? std::string("name one agent")
                       : fmt::format("name one agent (copies of it fill the seats) or {}", others));
  std::vector<LineUp> out;
  for (const int agent : focal) {
    LineUp line_up{{agent}, agent};
    for (std::size_t i = 0; i < others; ++i)
      line_up.agents.push_back(field[field.size() == 1 ? 0 : i]);
    out.push_back(std::move(line_up));
  }
  return out;
}

std::vector<LineUp> fixed(std::span<const std::string> names,
                          std::span<const std::vector<int>> line_ups, int seats, bool in_order) {
  check_seats(seats, 1);
  if (line_ups.empty()) refuse("the design lists no line-ups", "list at least one");
  check_count(line_ups.size());
  std::vector<LineUp> out;
  std::map<std::vector<int>, std::size_t> seen;
  for (std::size_t i = 0; i < line_ups.size(); ++i) {
    const std::vector<int>& agents = line_ups[i];
    if (agents.size() != static_cast<std::size_t>(seats))
      refuse(fmt::format("line-up {} has {} agents, but there are {} seats", i + 1, agents.size(),
                         seats),
             "name one agent a seat; an agent may be named more than once");
    for (const int agent : agents) check_agent(names, agent);
    std::vector<int> sorted = agents;
    if (!in_order) std::sort(sorted.begin(), sorted.end());
    const auto [earlier, fresh] = seen.emplace(std::move(sorted), i);
    if (!fresh)
      refuse(
          fmt::format("line-up {} has the same agents as line-up {}", i + 1, earlier->second + 1),
          "list it once and ask for more blocks or repeats instead");
    out.push_back({agents, -1});
  }
  return out;
}

}  // namespace agon::design
