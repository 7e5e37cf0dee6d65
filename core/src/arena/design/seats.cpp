#include "design/seats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <utility>

#include "describe/value.hpp"
#include "design/lineups.hpp"

namespace agon::design {
namespace {

bool is_prime(int n) {
  if (n < 2) return false;
  for (int d = 2; d <= n / d; ++d)
    if (n % d == 0) return false;
  return true;
}

struct Extension {
  int order;
  int prime;
  int tail;  // minus the irreducible polynomial without its leading term, as an element
};

// x^2+x+1, x^3+x+1 and x^4+x+1 over GF(2), x^2+1 over GF(3): x^2 = -1 = 2.
constexpr std::array<Extension, 4> extensions{Extension{4, 2, 3}, Extension{8, 2, 3},
                                              Extension{16, 2, 3}, Extension{9, 3, 2}};

}  // namespace

bool GaloisField::exists(int order) {
  for (const Extension& extension : extensions)
    if (extension.order == order) return true;
  return is_prime(order);
}

GaloisField::GaloisField(int order) : order_(order), prime_(order) {
  if (!exists(order))
    throw Error(ErrorKind::invalid, fmt::format("there is no field with {} elements here", order),
                {}, "use a prime, 4, 8, 9 or 16");
  for (const Extension& extension : extensions) {
    if (extension.order != order) continue;
    prime_ = extension.prime;
    tail_ = extension.tail;
  }
}

int GaloisField::add(int a, int b) const {
  int out = 0;
  for (int place = 1; place < order_; place *= prime_) {
    const int digit = (a / place % prime_ + b / place % prime_) % prime_;
    out += digit * place;
  }
  return out;
}

int GaloisField::multiply(int a, int b) const {
  if (prime_ == order_) return static_cast<int>(static_cast<long long>(a) * b % order_);
  // Horner's scheme from the highest coefficient of b: out = out * x + digit * a.
  const int top = order_ / prime_;
  int out = 0;
  for (int place = top; place > 0; place /= prime_) {
    const int carry = out / top;
    out = out % top * prime_;
    for (int i = 0; i < carry; ++i) out = add(out, tail_);
    for (int i = 0; i < b / place % prime_; ++i) out = add(out, a);
  }
  return out;
}

namespace {

/// How often each different agent occurs, in order of first appearance.
std::vector<std::uint64_t> copies(const std::vector<int>& agents) {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    if (i == 0 || agents[i] != agents[i - 1]) out.push_back(0);
    ++out.back();
  }
  return out;
}

/// n! / (product of the factorials of the numbers of copies).
Count arrangements(const std::vector<int>& agents) {
  Count out = 1;
  std::uint64_t seated = 0;
  for (const std::uint64_t same : copies(agents))
    for (std::uint64_t i = 1; i <= same; ++i) out = ratio(out, ++seated, i);
  return out;
}

bool all_different(const std::vector<int>& agents) {
  return copies(agents).size() == agents.size();
}

/// True if the agents, read backwards around a circle, are the same circle.
bool is_own_mirror(const std::vector<int>& agents) {
  const std::size_t n = agents.size();
  for (std::size_t shift = 0; shift < n; ++shift) {
    bool same = true;
    for (std::size_t i = 0; same && i < n; ++i)
      same = agents[(n - i) % n] == agents[(i + shift) % n];
    if (same) return true;
  }
  return false;
}

SeatDesign default_design(const std::vector<int>& agents) {
  const Count count = arrangements(agents);
  if (count && *count <= most_by_default) return SeatDesign::all;
  if (all_different(agents) && GaloisField::exists(static_cast<int>(agents.size())))
    return SeatDesign::pairwise;
  return SeatDesign::latin;
}

std::string label(const Roles& roles, int agent) {
  const auto i = static_cast<std::size_t>(agent);
  return i < roles.names.size() ? fmt::format("'{}'", roles.names[i])
                                : fmt::format("agent {}", agent);
}

bool plays(const Roles& roles, int agent, const std::string& role) {
  const auto& list = roles.plays[static_cast<std::size_t>(agent)];
  return list.empty() || std::find(list.begin(), list.end(), role) != list.end();
}

void check_roles(const std::vector<int>& agents, const Roles& roles) {
  if (roles.seats.size() != agents.size())
    refuse(fmt::format("the line-up has {} agents, but {} seats have roles", agents.size(),
                       roles.seats.size()),
           "name one agent a seat");
  if (agents.size() > 64)
    refuse(fmt::format("{} seats with roles; at most 64 are supported", agents.size()),
           "use fewer seats");
  for (const int agent : agents)
    if (agent < 0 || static_cast<std::size_t>(agent) >= roles.plays.size())
      refuse(fmt::format("it is not known which roles {} can play", label(roles, agent)),
             "give its roles, or an empty list if it can play all of them");
}

/// By position: the seats that the agent can take, as bits.
std::vector<std::uint64_t> allowed_seats(const std::vector<int>& agents, const Roles& roles) {
  std::vector<std::uint64_t> out;
  for (const int agent : agents) {
    std::uint64_t bits = 0;
    for (std::size_t seat = 0; seat < roles.seats.size(); ++seat)
      if (plays(roles, agent, roles.seats[seat])) bits |= std::uint64_t{1} << seat;
    out.push_back(bits);
  }
  return out;
}

/// True if everybody can be seated: augmenting paths in the graph of agents and seats.
class SeatMatching {
 public:
  explicit SeatMatching(const std::vector<std::uint64_t>& allowed)
      : allowed_(allowed), holder_(allowed.size(), none) {}

  bool complete() {
    for (std::size_t agent = 0; agent < allowed_.size(); ++agent) {
      std::uint64_t tried = 0;
      if (!place(agent, tried)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t none = 64;

  bool place(std::size_t agent, std::uint64_t& tried) {
    for (std::size_t seat = 0; seat < holder_.size(); ++seat) {
      const std::uint64_t bit = std::uint64_t{1} << seat;
      if ((allowed_[agent] & bit) == 0 || (tried & bit) != 0) continue;
      tried |= bit;
      if (holder_[seat] != none && !place(holder_[seat], tried)) continue;
      holder_[seat] = agent;
      return true;
    }
    return false;
  }

  const std::vector<std::uint64_t>& allowed_;
  std::vector<std::size_t> holder_;
};

[[noreturn]] void refuse_roles(const std::vector<int>& agents, const Roles& roles) {
  std::vector<std::string> labels;
  for (const int agent : agents) labels.push_back(label(roles, agent));
  std::string why = "no assignment lets each of them play its seat's role";
  for (const std::string& role : roles.seats) {
    const auto wanted = std::count(roles.seats.begin(), roles.seats.end(), role);
    const auto able = std::count_if(agents.begin(), agents.end(),
                                    [&](int agent) { return plays(roles, agent, role); });
    if (able >= wanted) continue;
    why = fmt::format("{} of its seats are '{}', and {} of its agents can play that", wanted, role,
                      able);
    break;
  }
  refuse(fmt::format("the line-up {} cannot be seated: {}", fmt::join(labels, ", "), why),
         "change the line-up or the roles that its agents can play");
}

/// Counts the ways to seat everybody on seats where they are allowed, seat by seat. A state is how
/// many copies of each different agent still stand, as one mixed-radix number.
class RoleCounter {
 public:
  RoleCounter(const std::vector<int>& agents, const std::vector<std::uint64_t>& allowed) {
    std::uint64_t states = 1;
    std::size_t position = 0;
    for (const std::uint64_t same : copies(agents)) {
      kinds_.push_back({agents[position], allowed[position], same, states});
      position += same;
      states *= same + 1;
      if (states > most_states)
        refuse(fmt::format("too many different agents ({}) can change roles in one line-up",
                           copies(agents).size()),
               "give the agents fixed roles, or seat fewer different agents together");
    }
    ways_.assign(states, 0);
    ways_[0] = 1;
    // A state only needs states with one agent less, and those are smaller numbers.
    for (std::uint64_t state = 1; state < states; ++state) {
      const std::size_t seat = agents.size() - standing(state);
      Count total = 0;
      for (const AgentCopies& kind : kinds_)
        if (can_sit(kind, state, seat)) total = sum(total, ways_[state - kind.stride]);
      if (!total)
        refuse("a line-up has more than 10^19 assignments to seats",
               "give the agents fixed roles, or seat fewer agents together");
      ways_[state] = *total;
    }
  }

  [[nodiscard]] std::uint64_t total() const { return ways_.back(); }

  [[nodiscard]] std::vector<int> nth(std::uint64_t i) const {
    std::vector<int> out;
    std::uint64_t state = ways_.size() - 1;
    while (state > 0) {
      for (const AgentCopies& kind : kinds_) {
        if (!can_sit(kind, state, out.size())) continue;
        const std::uint64_t ways = ways_[state - kind.stride];
        if (i >= ways) {
          i -= ways;
          continue;
        }
        out.push_back(kind.agent);
        state -= kind.stride;
        break;
      }
    }
    return out;
  }

 private:
  static constexpr std::uint64_t most_states = std::uint64_t{1} << 20;

  struct AgentCopies {
    int agent;
    std::uint64_t allowed;
    std::uint64_t copies;
    std::uint64_t stride;
  };

  static std::uint64_t left(const AgentCopies& kind, std::uint64_t state) {
    return state / kind.stride % (kind.copies + 1);
  }
  [[nodiscard]] std::size_t standing(std::uint64_t state) const {
    std::size_t out = 0;
    for (const AgentCopies& kind : kinds_) out += left(kind, state);
    return out;
  }
  static bool can_sit(const AgentCopies& kind, std::uint64_t state, std::size_t seat) {
    return left(kind, state) > 0 && (kind.allowed >> seat & 1) != 0;
  }

  std::vector<AgentCopies> kinds_;
  std::vector<std::uint64_t> ways_;
};

}  // namespace

Seating::Seating(const LineUp& line_up, SeatDesign design)
    : design_(design), focal_(line_up.focal) {
  if (line_up.agents.empty()) refuse("a line-up has no agents", "name one agent a seat");
  agents_.reserve(line_up.agents.size());
  for (const int agent : line_up.agents) {
    if (std::find(agents_.begin(), agents_.end(), agent) != agents_.end()) continue;
    const auto same = std::count(line_up.agents.begin(), line_up.agents.end(), agent);
    agents_.insert(agents_.end(), static_cast<std::size_t>(same), agent);
  }
}

Seating Seating::all(const LineUp& line_up) {
  Seating out(line_up, SeatDesign::all);
  const Count count = arrangements(out.agents_);
  if (!count)
    refuse(fmt::format("{} seats have more than 10^19 distinct assignments", out.seats()),
           "use the seat design pairwise or latin");
  out.size_ = *count;
  return out;
}

Seating Seating::pairwise(const LineUp& line_up) {
  Seating out(line_up, SeatDesign::pairwise);
  const std::size_t n = out.seats();
  for (std::size_t i = 1; i < n; ++i)
    if (out.agents_[i] == out.agents_[i - 1])
      refuse("the seat design pairwise needs different agents, but a line-up has one of them twice",
             "use the seat design all, or latin");
  if (!GaloisField::exists(static_cast<int>(n)))
    refuse(fmt::format("the seat design pairwise does not exist for {} {}", n,
                       n == 1 ? "seat" : "seats"),
           n <= 3
               ? "use the seat design all"
               : "use the seat design latin, or all; pairwise needs a prime number of seats, or 4, "
                 "8, 9 or 16");
  out.size_ = std::uint64_t{n} * (n - 1);
  return out;
}

Seating Seating::latin(const LineUp& line_up) {
  Seating out(line_up, SeatDesign::latin);
  const std::size_t n = out.seats();
  if (copies(out.agents_).size() > 1) out.size_ = n;
  if (n % 2 == 1 && !is_own_mirror(out.agents_)) out.size_ = 2 * std::uint64_t{n};
  return out;
}

Seating Seating::by_role(const LineUp& line_up, const Roles& roles) {
  Seating out(line_up, SeatDesign::by_role);
  check_roles(out.agents_, roles);
  std::vector<std::uint64_t> allowed = allowed_seats(out.agents_, roles);
  if (!SeatMatching(allowed).complete()) refuse_roles(out.agents_, roles);

  bool disjoint = true;
  for (const std::uint64_t a : allowed)
    for (const std::uint64_t b : allowed) disjoint = disjoint && (a == b || (a & b) == 0);
  if (!disjoint) {
    out.size_ = RoleCounter(out.agents_, allowed).total();
    out.allowed_ = std::move(allowed);
    return out;
  }

  // Everybody can be seated and the pools share no seat, so each has as many agents as seats.
  Count count = 1;
  std::uint64_t done = 0;
  for (std::size_t first = 0; first < out.seats(); ++first) {
    if ((done >> first & 1) != 0) continue;
    LineUp members;
    std::uint64_t pool_seats = 0;
    for (std::size_t i = 0; i < out.seats(); ++i) {
      if ((allowed[i] >> first & 1) == 0) continue;
      members.agents.push_back(out.agents_[i]);
      pool_seats = allowed[i];
    }
    done |= pool_seats;
    SeatGroup pool{{}, make(members)};
    for (std::size_t seat = 0; seat < out.seats(); ++seat)
      if ((pool_seats >> seat & 1) != 0) pool.seats.push_back(seat);
    count = product(count, pool.seating.size());
    out.pools_.push_back(std::move(pool));
  }
  if (!count)
    refuse("a line-up has more than 10^19 assignments to seats",
           "seat fewer agents together, or use fewer roles");
  out.size_ = *count;
  return out;
}

Seating Seating::as_listed(const LineUp& line_up, const Roles& roles) {
  Seating out(line_up, SeatDesign::as_listed);
  out.listed_ = line_up.agents;
  if (roles.seats.empty()) return out;
  check_roles(line_up.agents, roles);
  for (std::size_t seat = 0; seat < out.seats(); ++seat)
    if (!plays(roles, out.listed_[seat], roles.seats[seat]))
      refuse(
          fmt::format("the seat design as-listed puts {} on a seat that is '{}', which it cannot "
                      "play",
                      label(roles, out.listed_[seat]), roles.seats[seat]),
          "list the line-up in the order of the seats, or use the seat design by-role");
  return out;
}

Seating Seating::by_block(const LineUp& line_up) {
  Seating out = latin(line_up);
  out.design_ = SeatDesign::by_block;
  out.in_turn_ = std::exchange(out.size_, 1);
  return out;
}

Seating Seating::make(const LineUp& line_up, SeatDesign design, const Roles& roles) {
  if (design == SeatDesign::as_listed) return as_listed(line_up, roles);
  if (!roles.seats.empty()) {
    const Seating plain(line_up, design);
    check_roles(plain.agents_, roles);
    for (const int agent : plain.agents_)
      for (const std::string& role : roles.seats) {
        if (plays(roles, agent, role)) continue;
        if (design == SeatDesign::automatic || design == SeatDesign::by_role)
          return by_role(line_up, roles);
        refuse(
            fmt::format("the seat design {} moves every agent over every seat, but {} cannot play "
                        "'{}'",
                        name_of(design), label(roles, agent), role),
            "use the seat design by-role");
      }
    if (design == SeatDesign::by_role) return by_role(line_up, roles);
    if (design == SeatDesign::by_block &&
        std::any_of(roles.seats.begin(), roles.seats.end(),
                    [&](const std::string& role) { return role != roles.seats.front(); }))
      refuse(
          "the seat design by-block plays one assignment a block, so that no two agents would "
          "be compared in a role within a block",
          "use the seat design latin or by-role: the seats of this game differ");
  }
  if (design == SeatDesign::automatic || design == SeatDesign::by_role)
    design = default_design(Seating(line_up, design).agents_);
  switch (design) {
    case SeatDesign::pairwise:
      return pairwise(line_up);
    case SeatDesign::latin:
      return latin(line_up);
    case SeatDesign::by_block:
      return by_block(line_up);
    default:
      return all(line_up);
  }
}

std::vector<int> Seating::nth_permutation(std::uint64_t i) const {
  std::vector<std::uint64_t> left = copies(agents_);
  std::vector<int> kinds;
  for (std::size_t at = 0; const std::uint64_t same : left) {
    kinds.push_back(agents_[at]);
    at += same;
  }
  std::vector<int> out;
  out.reserve(seats());
  std::uint64_t ways = size_;  // of what is still free
  while (out.size() < seats()) {
    const std::uint64_t free = seats() - out.size();
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const std::uint64_t here = *ratio(ways, left[kind], free);
      if (i >= here) {
        i -= here;
        continue;
      }
      out.push_back(kinds[kind]);
      --left[kind];
      ways = here;
      break;
    }
  }
  return out;
}

std::vector<int> Seating::row_of_square(std::uint64_t i) const {
  // The first row is 0, 1, n-1, 2, n-2, ...; the others shift it; the second square negates it.
  const std::size_t n = seats();
  std::vector<int> out(n);
  const std::size_t row = i % n;
  for (std::size_t seat = 0; seat < n; ++seat) {
    const std::size_t step = seat % 2 == 1 ? (seat + 1) / 2 : n - seat / 2;
    const std::size_t signed_step = i < n ? step : n - step % n;
    out[seat] = agents_[(signed_step + row) % n];
  }
  return out;
}

std::vector<int> Seating::assignment(std::uint64_t i, std::uint64_t block) const {
  if (i >= size_)
    refuse(fmt::format("there is no assignment number {}: there are {}", i, size_), "count from 0");
  if (design_ == SeatDesign::as_listed) return listed_;
  const std::size_t n = seats();
  std::vector<int> out(n);
  if (!pools_.empty()) {
    for (auto pool = pools_.rbegin(); pool != pools_.rend(); ++pool) {
      const std::vector<int> part = pool->seating.assignment(i % pool->seating.size());
      i /= pool->seating.size();
      for (std::size_t k = 0; k < part.size(); ++k) out[pool->seats[k]] = part[k];
    }
    return out;
  }
  switch (design_) {
    case SeatDesign::pairwise: {
      const GaloisField field(static_cast<int>(n));
      const auto a = static_cast<int>(1 + i / n);
      const auto b = static_cast<int>(i % n);
      for (std::size_t seat = 0; seat < n; ++seat) {
        const int rank = field.add(field.multiply(a, static_cast<int>(seat)), b);
        out[seat] = agents_[static_cast<std::size_t>(rank)];
      }
      return out;
    }
    case SeatDesign::latin:
      return row_of_square(i);
    case SeatDesign::by_block:
      return row_of_square(block % in_turn_);
    case SeatDesign::by_role:
      return RoleCounter(agents_, allowed_).nth(i);
    default:
      return nth_permutation(i);
  }
}

bool can_be_seated(const LineUp& line_up, const Roles& roles) {
  if (roles.seats.empty()) return true;
  check_roles(line_up.agents, roles);
  return SeatMatching(allowed_seats(line_up.agents, roles)).complete();
}

std::vector<LineUp> seatable(std::vector<LineUp> line_ups, const Roles& roles) {
  const std::size_t before = line_ups.size();
  std::erase_if(line_ups, [&](const LineUp& line_up) { return !can_be_seated(line_up, roles); });
  if (line_ups.empty())
    refuse(fmt::format("none of the {} line-ups can fill the roles {}", before,
                       fmt::join(roles.seats, ", ")),
           "add agents that can play the missing roles, or list the line-ups yourself");
  return line_ups;
}

}  // namespace agon::design
