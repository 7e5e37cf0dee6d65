#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "design/lineups.hpp"

namespace agon::design {

/// The finite field with `order` elements, written 0 .. order - 1. An element of GF(p^k) is the
/// number whose digits to base p are the coefficients of a polynomial, the constant first; products
/// are reduced by a fixed irreducible polynomial.
class AGON_API GaloisField {
 public:
  /// Every prime, and the prime powers 4, 8, 9 and 16.
  [[nodiscard]] static bool exists(int order);

  /// Throws Error unless exists(order).
  explicit GaloisField(int order);

  [[nodiscard]] int order() const { return order_; }
  /// The sum of two elements.
  [[nodiscard]] int add(int a, int b) const;
  /// The product of two elements.
  [[nodiscard]] int multiply(int a, int b) const;

 private:
  int order_;
  int prime_;
  int tail_ = 0;  // what x^k reduces to, as an element; unused for primes
};

/// How the agents of a line-up are moved over the seats within a block.
enum class SeatDesign : std::uint8_t {
  automatic,  ///< all up to most_by_default, else pairwise where it exists, else latin; with agents
              ///< that cannot play every role, by_role
  all,        ///< every distinct assignment
  pairwise,   ///< every ordered pair of agents once in every ordered pair of seats
  latin,      ///< a Williams square: seats and neighbours balanced
  by_role,    ///< only assignments where everybody can play, crossed between the pools of a role
  as_listed,  ///< one assignment: the line-up as it is named, first agent on the first seat
  by_block,   ///< a Williams square of which each block plays one assignment, the next in turn
};
AGON_DESCRIBE_ENUM(
    SeatDesign,
    (automatic,
     "all up to 12, else pairwise where it exists, else latin; by-role where agents "
     "cannot play every role"),
    (all, "every distinct assignment"),
    (pairwise,
     "every ordered pair of agents in every ordered pair of seats once; needs a prime "
     "power of seats"),
    (latin, "a Williams square"), (by_role, "only those where everybody can play", "by-role"),
    (as_listed, "one: the agents as the line-up names them", "as-listed"),
    (by_block, "one a block: those of a Williams square in turn", "by-block"))

/// `automatic` tries every distinct assignment up to this many.
inline constexpr std::uint64_t most_by_default = 12;

/// The roles of the seats and who can play them. Without seats: a game without roles.
struct Roles {
  std::vector<std::string> seats;               ///< the role of every seat
  std::vector<std::vector<std::string>> plays;  ///< by agent index; an empty list: every role
  std::vector<std::string> names;               ///< by agent index, for messages
};

/// The assignments of one line-up to seats, addressed by number. Nothing is listed in advance:
/// 16 seats have 2 * 10^13 assignments and this object a few hundred bytes.
///
/// The numbering is stable: it depends on the line-up, the roles and the design only. Agents are
/// ranked in the order in which the line-up first names them.
class AGON_API Seating {
 public:
  /// Every distinct assignment of the line-up, in lexicographic order of rank; a focal agent with
  /// n-1 copies of another has n. Throws Error for an empty line-up or beyond 64 bits.
  [[nodiscard]] static Seating all(const LineUp& line_up);

  /// Assignment (a - 1) n + b puts the agent of rank a * s + b, computed in GF(n), on seat s: a
  /// runs from 1, b from 0, so there are n(n-1). Every ordered pair of agents meets once in every
  /// ordered pair of seats: an orthogonal array of type II (C. R. Rao 1961, "Combinatorial
  /// arrangements analogous to orthogonal arrays", Sankhya A 23). Throws Error if there is no field
  /// with n elements or an agent sits twice.
  [[nodiscard]] static Seating pairwise(const LineUp& line_up);

  /// A Williams square (E. J. Williams 1949, "Experimental designs balanced for the estimation of
  /// residual effects of treatments", Australian Journal of Scientific Research A 2): n
  /// assignments, or 2n if n is odd. Every agent is on every seat equally often, and every ordered
  /// pair of agents on seats s and s+1 equally often over all s. With copies of an agent,
  /// assignments that would come twice come once, which happens to all or none of them, so the
  /// balance stays.
  [[nodiscard]] static Seating latin(const LineUp& line_up);

  /// Assignments where every agent can play the role of its seat. If the agents fall into pools
  /// that share no seat (buyers and sellers), each pool is seated by the automatic rule and the
  /// pools are crossed, the last one changing first. If agents connect the pools (one of them can
  /// be both): every such assignment, in lexicographic order of rank. Throws Error if the agents
  /// cannot be seated, beyond 64 seats, or if counting would need more than 2^20 states (20
  /// different agents).
  [[nodiscard]] static Seating by_role(const LineUp& line_up, const Roles& roles);

  /// The one assignment that puts the agents on the seats in the order in which the line-up names
  /// them, as in experiments where one seat is the player's. Nothing balances the seats then.
  /// Throws Error for an empty line-up, or if an agent cannot play the role of its seat.
  [[nodiscard]] static Seating as_listed(const LineUp& line_up, const Roles& roles);

  /// The assignments of latin(), of which each block plays one: block b that of number b modulo
  /// theirs. So all matches of one line-up, treatment and repeat differ in their draws, and blocks
  /// in a multiple of that number are balanced as the square is.
  [[nodiscard]] static Seating by_block(const LineUp& line_up);

  /// By name. Without roles, by_role is the automatic rule. Throws Error as the others do, and if
  /// all, pairwise, latin or by_block is asked for though an agent cannot play every role.
  [[nodiscard]] static Seating make(const LineUp& line_up,
                                    SeatDesign design = SeatDesign::automatic,
                                    const Roles& roles = {});

  /// What was chosen: never automatic.
  [[nodiscard]] SeatDesign design() const { return design_; }
  /// The number of seats.
  [[nodiscard]] std::size_t seats() const { return agents_.size(); }
  /// The number of assignments in each block, at least 1.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The agent on every seat; throws Error unless i < size(). Only by_block looks at the block.
  [[nodiscard]] std::vector<int> assignment(std::uint64_t i, std::uint64_t block = 0) const;
  /// The focal agent of the line-up, -1 if there is none.
  [[nodiscard]] int focal() const { return focal_; }

 private:
  struct SeatGroup;

  Seating(const LineUp& line_up, SeatDesign design);

  [[nodiscard]] std::vector<int> nth_permutation(std::uint64_t i) const;
  [[nodiscard]] std::vector<int> row_of_square(std::uint64_t i) const;

  SeatDesign design_;
  int focal_;
  std::vector<int> agents_;  // copies side by side, otherwise as in the line-up
  std::vector<int> listed_;  // as_listed: the agent on every seat
  std::uint64_t size_ = 1;
  std::uint64_t in_turn_ = 1;           // by_block: how many assignments blocks play in turn
  std::vector<std::uint64_t> allowed_;  // by position in agents_: the seats it can take, as bits
  std::vector<SeatGroup> pools_;        // if not empty, this is their cross product
};

struct Seating::SeatGroup {
  std::vector<std::size_t> seats;
  Seating seating;
};

/// True if every agent of the line-up can be given a seat whose role it plays.
[[nodiscard]] AGON_API bool can_be_seated(const LineUp& line_up, const Roles& roles);

/// The line-ups that can be seated, in the same order: a round robin of buyers and sellers also
/// combines buyers alone. Throws Error if none is left.
[[nodiscard]] AGON_API std::vector<LineUp> seatable(std::vector<LineUp> line_ups,
                                                    const Roles& roles);

}  // namespace agon::design
