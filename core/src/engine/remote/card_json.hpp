#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <agon/game.hpp>
#include <agon/json_reader.hpp>
#include <agon/limits.hpp>
#include <agon/model/model_parts.hpp>
#include <boost/json/fwd.hpp>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "describe/description.hpp"

namespace agon::remote {

/// What a card of another process says, as JSON: docs/game-protocol.md has it member by member.
[[nodiscard]] AGON_API std::string write_card(const Game& game);
[[nodiscard]] AGON_API std::string write_card(const AgentCard& agent);

/// Of a list of what a plugin brings, which is no longer than anybody reads. Throws Error
/// (invalid).
[[nodiscard]] std::size_t length_of(const JsonNode& list);

/// Keeps what cards point to.
class CardStorage {
 public:
  /// The text, for as long as this lives.
  std::string_view keep(std::string_view text);
  /// The type that is described, likewise. Equal descriptions are one type.
  const Type& type(const JsonNode& description);

 private:
  std::deque<std::string> texts_;
  std::map<std::string, OwnedType, std::less<>> types_;
};

/// A game's card that was read, without its functions: which of them it has is said beside it. The
/// card points into the rest.
struct AGON_API RemoteCard {
  /// Throws Error (invalid) that says where the card is wrong.
  explicit RemoteCard(const JsonNode& card);
  RemoteCard(const RemoteCard&) = delete;
  RemoteCard& operator=(const RemoteCard&) = delete;

  Game game;
  std::vector<StageCard> stages;
  std::vector<EventCard> events;
  bool has_rules = false;                    ///< GameCard::rules_for
  bool has_seating = false;                  ///< GameCard::seating
  bool has_check = false;                    ///< GameCard::check
  bool has_persona = false;                  ///< GameCard::persona_for
  std::vector<bool> stage_told, stage_ends;  ///< StageCard::telling and ends, by stage
  std::vector<bool> event_told;              ///< EventCard::telling, by event

 private:
  void read_stage(const JsonNode& node);
  void read_event(const JsonNode& node);
  void read_preset(const JsonNode& node);
  void read_rate(const JsonNode& node);
  void read_functions(const JsonNode& node);

  CardStorage storage_;
  std::vector<Preset> presets_;
  std::vector<RateCard> rates_;
  std::vector<std::string_view> sentences_;
};

/// An agent's card that was read, likewise.
struct AGON_API RemoteAgentCard {
  /// As RemoteCard.
  explicit RemoteAgentCard(const JsonNode& card);
  RemoteAgentCard(const RemoteAgentCard&) = delete;
  RemoteAgentCard& operator=(const RemoteAgentCard&) = delete;

  AgentCard agent;
  bool has_check = false;  ///< AgentCard::check

 private:
  CardStorage storage_;
  std::vector<std::string_view> roles_;
};

/// The card of a part of model agents that was read, without what makes one.
struct AGON_API RemotePartCard {
  /// As RemoteCard.
  explicit RemotePartCard(const JsonNode& card);
  RemotePartCard(const RemotePartCard&) = delete;
  RemotePartCard& operator=(const RemotePartCard&) = delete;

  PartCard part;

 private:
  CardStorage storage_;
  std::vector<PartOverlap> overlaps_;
  std::vector<std::string_view> purposes_;
};

/// Limits of the moment on an answer of this type, as the list of docs/game-protocol.md: places by
/// the names of members instead of slots. A limit at a place where it says nothing is left out.
[[nodiscard]] AGON_API std::string write_limits(const Type& type,
                                                std::span<const LimitData> limits);

/// The limits that such a list says. Throws Error (invalid) that says which of them is wrong.
[[nodiscard]] AGON_API OwnedLimits read_limits(const Type& type, const boost::json::value& list);

/// What is wrong with the limits of a question, with the place and how to put it right: two of
/// which one would be ignored, or bounds between which nothing lies. Within optionals, lists, maps
/// and variants such bounds say that nothing is there. Empty: nothing is wrong.
[[nodiscard]] AGON_API std::string problem_of_limits(const Type& type, std::string_view stage,
                                                     std::span<const LimitData> limits);

}  // namespace agon::remote
