#include "record/card_names.hpp"

#include <agon/learning.hpp>
#include <bit>

namespace agon::record {
namespace {

/// Places whose last name or shape is remembered.
constexpr std::size_t kMostPlaces = 64;

template <class T>
void remember(std::vector<T>& last, std::size_t place, T seen) {
  if (place >= kMostPlaces) return;
  if (last.size() <= place) last.resize(place + 1);
  last[place] = std::move(seen);
}

}  // namespace

CardNames::CardNames(const Game& game) {
  for (const StageCard& stage : game.stages)
    names_.emplace_back(stage.name, stage.probe ? kProbed : kAsked);
  for (const EventCard& event : game.events)
    names_.emplace_back(event.name, event.audience == Audience::everybody  ? kAnnounced
                                    : event.audience == Audience::one_seat ? kTold
                                                                           : kNoted);
  names_.emplace_back(kTakeAlong.name, kProbed);
  names_.emplace_back(kTakenAlong.name, kTold);
}

std::uint8_t CardNames::uses(std::string_view name, std::size_t place) {
  if (place < last_names_.size() && last_names_[place].first == name)
    return last_names_[place].second;
  std::uint8_t uses = 0;
  for (const auto& [known, use] : names_)
    if (known == name) uses = static_cast<std::uint8_t>(uses | use);
  remember(last_names_, place, {std::string(name), uses});
  return uses;
}

bool CardNames::has_shape(const hash::Digest& shape, std::size_t place, const Shapes& known) {
  if (place < last_shapes_.size() && last_shapes_[place] == shape) return true;
  if (!known.notation(shape)) return false;
  remember(last_shapes_, place, shape);
  return true;
}

std::uint8_t CardNames::use_of_event(std::uint32_t audience) {
  if (audience == ~std::uint32_t{0}) return kAnnounced;
  if (audience == 0) return kNoted;
  return std::has_single_bit(audience) ? kTold : 0;
}

}  // namespace agon::record
