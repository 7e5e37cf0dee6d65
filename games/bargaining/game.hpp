#pragma once

#include <agon/dealing.hpp>
#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bargaining/products.hpp"

namespace bargaining {

AGON_DESCRIBE(Product, (codename, "short unique name that actions use", agon::length(1, 200)),
              (category, "kind of product, such as books", agon::length(1, 200)),
              (title, "what both sides read", agon::length(1, 10'000)),
              (description, "what both sides read; may be empty"),
              (list_price_cents, "list price L, known to both", agon::unit("cents"),
               agon::range(1, kMaxPriceCents)),
              (cost_cents, "the seller's cost C, known to the seller alone", agon::unit("cents"),
               agon::range(1, kMaxPriceCents)))

/// Most turns that a match can have.
inline constexpr int kMaxTurnsLimit = 40;

/// How a DEAL price is compared with the offer that it takes up.
enum class Tolerance : std::uint8_t {
  exact,   ///< the very price of an offer
  cents,   ///< at most one cent apart, counted in whole cents
  binary,  ///< at most 0.01 apart as binary dollars, as the published evaluation does
};
AGON_DESCRIBE_ENUM(Tolerance, (exact, "the very price of an offer"),
                   (cents, "at most one cent apart, counted in whole cents"),
                   (binary,
                    "at most 0.01 apart in binary dollars: takes 10.01 for 10.02, but not 99.99 "
                    "for 100.00"))

/// What a match of the game is played under.
struct Settings {
  std::vector<Product> products{};
  std::optional<int> product{};
  agon::Dealing order = agon::Dealing::drawn;
  std::string category{};
  double factor = 0.8;
  int max_turns = 6;
  std::optional<agon::Money> budget{};
  std::optional<agon::Money> cost{};
  int price_ceiling = 2;
  bool role_actions = true;
  bool check_deals = true;
  Tolerance tolerance = Tolerance::exact;
  bool tell_score = true;
};
AGON_DESCRIBE(
    Settings,
    (products, "what is bargained over: a list of products or the name of a product file",
     agon::data_file("agon.bargaining.products/1"), agon::source("Xia et al. 2024, section 4")),
    (product, "index (from 0) of the product; null deals one to each block", agon::at_least(0)),
    (order, "how blocks come by their products; the paper plays each once",
     agon::source("Xia et al. 2024, section 4")),
    (category, "deal only products of this category; empty: of any"),
    (factor,
     "share of the list price that the buyer can spend: above 0, at most 100 and six decimals, "
     "taken exactly as it is written",
     agon::range(0, 100), agon::source("Xia et al. 2024, section 5")),
    (max_turns, "turns; in each the buyer speaks, then the seller", agon::unit("turns"),
     agon::range(1, kMaxTurnsLimit), agon::source("Xia et al. 2024, published code")),
    (budget, "the buyer's budget instead of factor x list price", agon::unit("dollars"),
     agon::range(1, kMaxPriceCents)),
    (cost, "the seller's cost instead of the product's", agon::unit("dollars"),
     agon::range(1, kMaxPriceCents)),
    (price_ceiling, "no price above this multiple of the list price; 0: no ceiling",
     agon::range(0, 1000)),
    (role_actions,
     "true: the buyer cannot SELL, the seller cannot BUY; false: they can, but it is no offer"),
    (check_deals,
     "true: a DEAL that takes up no offer of the other side is turned down; false: it ends the "
     "match as an invalid deal"),
    (tolerance, "how a DEAL price is compared with an offer",
     agon::source("Xia et al. 2024, published evaluation: within a cent")),
    (tell_score, "tell the sides how a deal is scored",
     agon::source("Xia et al. 2024 say what each side is after, and nothing of a score: false")))

/// A reason why the settings make no sense together; empty if they do.
[[nodiscard]] std::string check(const Settings& settings);

/// What both sides may know of the settings, for prompts.
struct Facts {
  int max_turns = 0;
  std::string buyer = "buyer";
  std::string seller = "seller";
};
AGON_DESCRIBE(Facts, (max_turns, "turns; in each the buyer speaks, then the seller"),
              (buyer, "name of the seat that buys, for prompts that tell the sides apart"),
              (seller, "name of the seat that sells"))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// Price bargaining between a buyer with a secret budget and a seller with a secret cost (Xia et
/// al. 2024).
[[nodiscard]] agon::Game game();

/// Adds the parts of a model agent that are for this game alone.
void add_workflows(agon::Registry& registry);

/// Adds the game and its strategies, workflows and tables.
void enter(agon::Registry& registry);

}  // namespace bargaining
