#pragma once

#include <agon/dealing.hpp>
#include <agon/game.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {

/// The longest alternating-offers game that can be set.
inline constexpr int kMaxTurnsAllowed = 200;

/// The longest negotiation that can be set, in rounds of one message each.
inline constexpr int kMaxRoundsAllowed = 100;

/// How the two sides come to a deal.
enum class Protocol : std::uint8_t { negotiation, alternating_offers };
AGON_DESCRIBE_ENUM(
    Protocol, (negotiation, "the sides talk in turn, then each presents privately what it takes"),
    (alternating_offers, "the sides make binding offers in turn until one agrees to the last one"))

/// When two presented takes are a deal.
enum class DealMatch : std::uint8_t { le, eq };
AGON_DESCRIBE_ENUM(DealMatch, (le, "no item is taken twice; items that nobody takes are left over"),
                   (eq, "every item is taken exactly once"))

/// Which seat has which side of an instance. Seat 0 always speaks first.
enum class SwapSides : std::uint8_t { off, on, drawn };
AGON_DESCRIBE_ENUM(SwapSides, (off, "seat 0 has the first side's values"),
                   (on, "seat 0 has the second side's values"),
                   (drawn, "chance decides in every match"))

/// Whether the sides state their values before anything else.
enum class ClaimOrder : std::uint8_t { none, at_once, in_turn };
AGON_DESCRIBE_ENUM(ClaimOrder, (none, "nobody is asked to"), (at_once, "both at the same time"),
                   (in_turn, "seat 0 first; seat 1 has heard that"))

/// What people made of an instance, as the data file has it. For the record, without effect.
struct HumanResult {
  std::string ending;
  int messages = 0;
  std::optional<std::vector<std::vector<int>>> split;
};
AGON_DESCRIBE(HumanResult, (ending, "agreed, disagreed, no-agreement or disconnected"),
              (messages, "messages of both sides together", agon::at_least(0)),
              (split, "what either side took, after an agreement", agon::length(2, 2)))

/// One instance as the data file has it.
struct ListedInstance {
  std::string id;
  int line = 0;
  std::vector<int> counts;
  std::vector<std::vector<int>> values;
  std::optional<HumanResult> human;
};
AGON_DESCRIBE(ListedInstance, (id, "a name of its own"),
              (line, "line of the source, counted from 1; 0: none", agon::at_least(0)),
              (counts, "items of each type", agon::range(1, kMaxCount), agon::length(1, kMaxTypes)),
              (values, "value of one item of each type, to the first and to the second side",
               agon::length(2, 2)),
              (human, "what people made of it, if known"))

/// How an instance is made from chance: counts uniform from 1 and values uniform from 0, all over
/// again until every constraint is kept.
struct Generator {
  int types = 3;
  int largest_count = 7;
  int largest_value = 10;
  int min_items = 5;
  int max_items = 7;
  bool each_type_wanted = true;
  bool shared_type = true;
};
AGON_DESCRIBE(Generator, (types, "item types", agon::range(1, kMaxTypes)),
              (largest_count, "a count is drawn from 1 to this", agon::range(1, kMaxCount)),
              (largest_value, "a value is drawn from 0 to this", agon::range(0, kMaxValue)),
              (min_items, "fewest items of all types together", agon::at_least(1)),
              (max_items, "most items of all types together", agon::at_least(1)),
              (each_type_wanted, "each type is worth something to at least one side"),
              (shared_type, "some type is worth something to both sides"))

/// Book, hat and ball, the item types of the published data.
[[nodiscard]] std::vector<std::string> usual_items();

/// All that can be set.
struct Settings {
  Protocol protocol = Protocol::negotiation;
  std::vector<ListedInstance> instances;
  std::optional<int> instance;
  agon::Dealing order = agon::Dealing::drawn;
  SwapSides swap_sides = SwapSides::off;
  int total_value = 10;
  Generator generator;
  std::vector<std::string> items = usual_items();
  bool messages = true;
  int message_bytes = 4000;
  int max_rounds = 20;
  DealMatch deal_match = DealMatch::le;
  int max_turns = 10;
  double discount = 1;
  double prob_end = 0;
  bool beliefs = true;
  ClaimOrder claims = ClaimOrder::none;
};
AGON_DESCRIBE(
    Settings, (protocol, "how the sides come to a deal"),
    (instances, "what may be on the table; none: every match makes one from chance",
     agon::data_file("agon.deal-or-no-deal.instances/1")),
    (instance, "0-based position of the instance to play; null: each block is dealt one",
     agon::at_least(0)),
    (order, "how blocks come by the listed instances; the paper plays each once",
     agon::source("Hua et al. 2024, section 5.2")),
    (swap_sides, "which seat has which side of the instance"),
    (total_value,
     "what everything together is worth to either side, which both are told; 0: it "
     "differs and neither is told",
     agon::range(0, kMaxValue), agon::unit("points"), agon::source("Lewis et al. 2017, section 3")),
    (generator, "how an instance is made from chance where none is listed",
     agon::source("Lanctot et al. 2019, OpenSpiel, bargaining")),
    (items, "names of the item types; types beyond them are called \"item 4\" and so on",
     agon::length(0, kMaxTypes)),
    (messages, "may the sides write to each other?"),
    (message_bytes, "the longest message", agon::range(1, 100'000), agon::unit("bytes")),
    (max_rounds, "negotiation: rounds of one message each", agon::range(1, kMaxRoundsAllowed),
     agon::unit("rounds"), agon::source("Hua et al. 2024, section 5.2")),
    (deal_match, "negotiation: when two takes are a deal",
     agon::source("Hua et al. 2024 (code): le; Lewis et al. 2017: eq")),
    (max_turns, "alternating offers: the offer with this number ends the game without a deal",
     agon::range(1, kMaxTurnsAllowed), agon::unit("offers"), agon::source("OpenSpiel, bargaining")),
    (discount, "alternating offers: scores are multiplied by it once a decision from the third on",
     agon::range(0, 1), agon::source("OpenSpiel, bargaining")),
    (prob_end,
     "alternating offers: probability that talks break down after an offer, once both have moved",
     agon::range(0, 1), agon::source("OpenSpiel, bargaining")),
    (beliefs, "ask the sides after every round what the other side's values may be"),
    (claims,
     "whether the sides state, before anything else, what the items are worth to them, or nothing; "
     "both are told, and nothing checks it",
     agon::source("Crawford and Sobel 1982: cheap talk")))

/// Why the settings make no sense together; empty if they do.
[[nodiscard]] std::string check(const Settings& settings);

/// The instance that a list entry describes, which has values for two sides. Throws agon::Error for
/// more than kMaxTypes types.
[[nodiscard]] Instance instance_of(const ListedInstance& listed);

/// Named settings; the first is the default.
[[nodiscard]] std::span<const agon::Preset> presets();

}  // namespace deal_or_no_deal
