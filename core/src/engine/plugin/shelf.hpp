#pragma once

#include <agon/agent.hpp>
#include <agon/analysis/paper_table.hpp>
#include <agon/game.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/provider.hpp>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace agon::plugin {

/// What cards of a kind are ordered and found by: the id, behind the game or the kind of part.
template <class Card>
std::string key_of(const Card& card) {
  return std::string(card.id);
}
inline std::pair<std::string, std::string> key_of(const AgentCard& card) {
  return {std::string(card.game), std::string(card.id)};
}
inline std::tuple<PartKind, std::string, std::string> key_of(const PartCard& card) {
  return {card.kind, std::string(card.id), std::string(card.game)};
}

/// Cards of one kind, each with the plugin that brought it.
template <class Card>
class Shelf {
 public:
  using Key = decltype(key_of(std::declval<const Card&>()));
  struct Held {
    Card card;
    std::size_t plugin = 0;  ///< its number in the catalogue
  };

  void put(const Card& card, std::size_t plugin) {
    held_.emplace(key_of(card), Held{card, plugin});
  }
  /// Null if there is none. `key`: whatever compares with a Key.
  template <class Like>
  [[nodiscard]] const Held* find(const Like& key) const {
    const auto found = held_.find(key);
    return found == held_.end() ? nullptr : &found->second;
  }
  /// In order of their keys.
  [[nodiscard]] std::vector<const Card*> cards() const {
    std::vector<const Card*> out;
    for (const auto& [key, held] : held_) out.push_back(&held.card);
    return out;
  }
  /// The ids, in the same order.
  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> out;
    for (const auto& [key, held] : held_) out.emplace_back(held.card.id);
    return out;
  }
  [[nodiscard]] auto begin() const { return held_.begin(); }
  [[nodiscard]] auto end() const { return held_.end(); }

 private:
  std::map<Key, Held, std::less<>> held_;
};

}  // namespace agon::plugin
