#pragma once

#include <agon/analysis/kit.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Solutions of small games: equilibria, dominance, backward induction, bargains, bids.
///
/// Every answer is exact. A payoff counts as the shortest decimal number that reads back as the
/// same double (0.1 is one tenth), so ties are ties, whatever the compiler.
namespace agon::theory {

/// The largest number of action profiles of a matrix game.
inline constexpr std::size_t kMostProfiles = 1'000'000;
/// The largest number of players of a matrix game or a tree.
inline constexpr std::size_t kMostPlayers = 16;
/// The largest number of actions of each player for which mixed equilibria are looked for.
inline constexpr std::size_t kMostMixedActions = 12;
/// The largest number of nodes of a tree.
inline constexpr std::size_t kMostNodes = 1'000'000;

/// A game in which all players choose at once, each from a list of its own.
class AGON_API MatrixGame {
 public:
  /// `actions[p]` is how many actions player `p` has, each at least 1. `payoffs` lists the profiles
  /// with the last player's action moving fastest, and for each profile the payoff of player 0, 1,
  /// ...: for two players the table row by row, "row's payoff, column's payoff".
  /// Throws Error (kind invalid; its place is "actions" or "payoffs" with an index) if the number
  /// of payoffs does not fit, one is NaN or infinite, or a limit above is passed.
  MatrixGame(std::vector<std::size_t> actions, std::vector<double> payoffs);

  /// How many players there are.
  [[nodiscard]] std::size_t players() const { return actions_.size(); }
  /// How many actions `player` has.
  [[nodiscard]] std::size_t actions(std::size_t player) const { return actions_[player]; }
  /// How many profiles there are: the product of the numbers of actions.
  [[nodiscard]] std::size_t profiles() const { return payoffs_.size() / actions_.size(); }
  /// The payoff of `player` in the profile with this index.
  [[nodiscard]] double payoff(std::size_t profile, std::size_t player) const {
    return payoffs_[profile * actions_.size() + player];
  }
  /// All players' payoffs in the profile with this index.
  [[nodiscard]] std::span<const double> payoffs(std::size_t profile) const {
    return std::span(payoffs_).subspan(profile * actions_.size(), actions_.size());
  }
  /// The index of a profile, given by each player's action (from 0).
  [[nodiscard]] std::size_t index(std::span<const std::size_t> profile) const;
  /// Each player's action (from 0) in the profile with this index.
  [[nodiscard]] std::vector<std::size_t> profile(std::size_t index) const;
  /// How far apart two profiles are that differ by one in `player`'s action only.
  [[nodiscard]] std::size_t stride(std::size_t player) const { return strides_[player]; }

 private:
  std::vector<std::size_t> actions_;
  std::vector<std::size_t> strides_;
  std::vector<double> payoffs_;
};

/// A number as a double and as text: "1/3", "-2", "14/5".
struct Exact {
  double value = 0;        ///< the nearest double
  std::string text = "0";  ///< a fraction in lowest terms, or a whole number

  /// Equal as exact numbers.
  bool operator==(const Exact& other) const { return text == other.text; }
};

/// The probability of each action of one player; the exact values sum to 1.
using MixedStrategy = std::vector<Exact>;

/// An equilibrium of a two-player game.
struct AGON_API MixedEquilibrium {
  MixedStrategy first;   ///< of player 0, who chooses the row
  MixedStrategy second;  ///< of player 1, who chooses the column
  Exact first_payoff;    ///< of player 0
  Exact second_payoff;   ///< of player 1

  /// Neither player mixes.
  [[nodiscard]] bool pure() const;
};

/// The actions of `player` with the highest payoff against what the others do in the profile with
/// this index, lowest first. `player`'s own action there does not count.
[[nodiscard]] AGON_API std::vector<std::size_t> best_replies(const MatrixGame& game,
                                                             std::size_t player,
                                                             std::size_t profile);

/// The same in a two-player game against a mixed strategy of the other player. Throws Error if
/// the game has not two players or the strategy does not fit it.
[[nodiscard]] AGON_API std::vector<std::size_t> best_replies(const MatrixGame& game,
                                                             std::size_t player,
                                                             const MixedStrategy& other);

/// The indices of the profiles in which everybody's action is a best reply, lowest first.
/// Source: Nash (1951), Non-cooperative games.
[[nodiscard]] AGON_API std::vector<std::size_t> pure_equilibria(const MatrixGame& game);

/// The pure equilibria that no other pure equilibrium Pareto-dominates (what the tables of the
/// game-theoretic workflows paper count as Pareto-best), lowest index first.
[[nodiscard]] AGON_API std::vector<std::size_t> best_pure_equilibria(const MatrixGame& game);

/// All extreme equilibria of a two-player game, pure ones among them: the corners of the set of
/// equilibria. Where the game is degenerate there may be infinitely many equilibria; all are
/// mixtures of extreme ones. There is always at least one. Order: fewest actions in use first,
/// then the one that puts more weight on the lowest actions, player 0's before player 1's.
/// Source: vertex pairs with all labels; Avis, Rosenberg, Savani, von Stengel (2010), Enumeration
/// of Nash equilibria for two-player games, sections 2 and 4.
/// Throws Error if the game has not two players, more than kMostMixedActions actions a player, or
/// so many corners that the search would not end in reasonable time.
[[nodiscard]] AGON_API std::vector<MixedEquilibrium> extreme_equilibria(const MatrixGame& game);

/// What makes an action fit to be crossed out.
enum class Dominance : std::uint8_t {
  strict,  ///< another action is better whatever the others do
  weak,    ///< another action is never worse and once better
};

/// Which strategies may dominate.
enum class DominatedBy : std::uint8_t {
  pure,   ///< another single action
  mixed,  ///< another single action, or a mixture of actions
};

/// An action that was crossed out.
struct Elimination {
  std::size_t round = 0;   ///< from 0
  std::size_t player = 0;  ///< whose action
  std::size_t action = 0;  ///< what was crossed out, from 0
  MixedStrategy by;        ///< the strategy that dominates it, over all of the player's actions
};

/// What repeated crossing out leaves.
struct EliminationResult {
  std::vector<Elimination> eliminated;         ///< in order: round, player, action
  std::vector<std::vector<std::size_t>> left;  ///< of each player, lowest first, never empty
};

/// Crosses out dominated actions again and again until none is left. A round looks at all players
/// and crosses out everything dominated at its start, which matters for weak dominance only: there
/// the result depends on the order. Source: Osborne and Rubinstein (1994), sections 4.2 and 4.3.
[[nodiscard]] AGON_API EliminationResult AGON_API
eliminate_dominated(const MatrixGame& game, Dominance dominance = Dominance::strict,
                    DominatedBy by = DominatedBy::pure);

/// A player's safest action and what it makes sure of, whatever the others do together.
struct Maximin {
  MixedStrategy strategy;  ///< the safest one
  Exact value;             ///< what it gives at least
};

/// The safest single action of `player` (the lowest where several are).
[[nodiscard]] AGON_API Maximin pure_maximin(const MatrixGame& game, std::size_t player);

/// One place in a tree. With children it is a decision of `player`; without it is an end, and
/// `payoffs` has one number for each player.
struct TreeNode {
  std::size_t player = 0;             ///< who decides
  std::vector<std::size_t> children;  ///< indices of nodes, in the order of the actions
  std::vector<double> payoffs;        ///< at an end: of each player
};

/// A game in which players move one after another and see everything.
class AGON_API TreeGame {
 public:
  /// Node 0 is the root. Throws Error (kind invalid; its place is "nodes[i]...") if a decision has
  /// payoffs or an unknown player, an end has not one finite payoff for each player, a child does
  /// not exist, or a node is not reached from the root in exactly one way.
  TreeGame(std::size_t players, std::vector<TreeNode> nodes);

  /// How many players there are.
  [[nodiscard]] std::size_t players() const { return players_; }
  /// All nodes, as they were given.
  [[nodiscard]] const std::vector<TreeNode>& nodes() const { return nodes_; }
  /// Every node, parents before children.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

 private:
  std::size_t players_;
  std::vector<TreeNode> nodes_;
  std::vector<std::size_t> order_;
};

/// What backward induction finds.
struct TreeSolution {
  std::vector<std::size_t> choice;  ///< for each node the best action (0 for an end)
  std::vector<std::size_t> end;     ///< for each node the end that play from it leads to
  std::vector<std::size_t> path;    ///< actions from the root
  std::vector<std::size_t> nodes;   ///< the nodes on that path, from the root to the end
  /// Decisions at which another action is as good for the mover, lowest node first; if there are
  /// any, the game has more than one subgame-perfect equilibrium.
  std::vector<std::size_t> ties;
};

/// A subgame-perfect equilibrium: at every decision the mover takes the action that is best for it,
/// the lowest of equals. The value of a node is the payoffs of its `end`.
/// Source: Kuhn (1953); Osborne and Rubinstein (1994), section 6.2.
[[nodiscard]] AGON_API TreeSolution backward_induction(const TreeGame& game);

/// Whether `a` is nowhere worse than `b` and somewhere better. Both of one length.
[[nodiscard]] AGON_API bool pareto_dominates(std::span<const double> a, std::span<const double> b);

/// The indices of the points that no other point Pareto-dominates, lowest first; equal points stay
/// together. Throws Error if the points have different lengths or one is NaN.
[[nodiscard]] AGON_API std::vector<std::size_t> pareto_frontier(
    std::span<const std::vector<double>> points);

/// Whether nobody would rather have another's share: `values[i][j]` is what `i` finds `j`'s share
/// worth. Source: Foley (1967). Throws Error if the table is not square or holds a NaN.
[[nodiscard]] AGON_API bool envy_free(std::span<const std::vector<double>> values);

/// What two players get.
struct PayoffPair {
  double first = 0;   ///< of player 0
  double second = 0;  ///< of player 1
};

/// The indices of the points where the product of both players' gains over `disagreement` is
/// largest, lowest first: all that tie. Empty if no point is better for both. Source: Nash (1950),
/// The bargaining problem, taken over a finite set. Throws Error for NaN or infinite payoffs.
[[nodiscard]] AGON_API std::vector<std::size_t> nash_bargains(std::span<const PayoffPair> points,
                                                              PayoffPair disagreement);

/// Who pays what in an auction with sealed bids; the highest bid wins.
enum class SealedBid : std::uint8_t {
  first_price,   ///< the winner pays its own bid
  second_price,  ///< the winner pays the second highest bid
  third_price,   ///< the winner pays the third highest bid
  all_pay,       ///< everybody pays its own bid
};

/// The bid of the symmetric equilibrium for `bidders` risk-neutral bidders with private values
/// drawn independently and evenly from 0 to `highest`: (n-1)/n v, v, (n-1)/(n-2) v, and
/// (n-1)/n v^n / highest^(n-1). In the unit of `value`, not rounded.
/// Sources: Vickrey (1961); Kagel and Levin (1993) for the third price; Krishna, Auction Theory,
/// sections 2.3 and 3.2. Throws Error if `value` is not within 0 to `highest`, or with fewer than
/// 2 bidders (3 for the third price).
[[nodiscard]] AGON_API double equilibrium_bid(SealedBid format, double value, std::size_t bidders,
                                              double highest);

}  // namespace agon::theory
