#include "rule/edge.hpp"

#include <agon/conversion.hpp>
#include <agon/detail/typed_answer.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <new>

namespace agon::agents {
namespace {

using detail::find_limit;

/// Longest text and list that it writes where they may be longer.
constexpr std::size_t kLongest = 200;

/// An answer, drawn at random and then pushed to the edges of its limits.
class Draft {
 public:
  Draft(const Type& type, std::span<const LimitData> limits, Dice& dice)
      : type_(type), at_(::operator new(type.size)), limits_(limits), dice_(dice) {
    type_.construct(at_);
    detail::draw_value(type_, nullptr, at_, 0, limits_, dice_);
    push(type_, nullptr, at_, 0);
    if (detail::has_sum(limits_)) detail::fit_sums(type_, at_, limits_, dice_);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    type_.destroy(at_);
    ::operator delete(at_);
  }
  [[nodiscard]] std::string json() const { return write_json(type_, at_); }

 private:
  bool heads() { return dice_.below(2) == 1; }

  void push(const Type& type, const Field* field, void* object, std::uint16_t slot) {
    const auto inner = static_cast<std::uint16_t>(slot + 1);
    switch (type.kind) {
      case Kind::integer:
        return push_integer(type, field, object, slot);
      case Kind::number:
        return push_number(field, object, slot);
      case Kind::text:
        return push_text(type, field, object, slot);
      case Kind::optional:
      case Kind::map:
        for (std::size_t i = 0; i < type.count(object); ++i)
          push(*type.element, field, type.item(object, i), inner);
        return;
      case Kind::list:
        return push_list(type, field, object, slot);
      case Kind::structure:
        for (const Field& f : type.fields) {
          push(*f.type, &f, f.at(object), slot);
          slot = static_cast<std::uint16_t>(slot + f.type->slots);
        }
        return;
      case Kind::variant: {
        auto at = inner;
        const std::size_t held = type.index(object);
        for (std::size_t i = 0; i < held; ++i)
          at = static_cast<std::uint16_t>(at + type.alternatives[i]->slots);
        return push(*type.alternatives[held], nullptr, type.alternative(object), at);
      }
      case Kind::boolean:
      case Kind::enumeration:
        return;  // every value is an edge
    }
  }

  void push_integer(const Type& type, const Field* field, void* object, std::uint16_t slot) {
    std::int64_t low = type.low, high = type.high;
    if (field != nullptr) {
      if (field->min > static_cast<double>(low)) low = static_cast<std::int64_t>(field->min);
      if (field->max < static_cast<double>(high)) high = static_cast<std::int64_t>(field->max);
    }
    if (const LimitData* l = find_limit(limits_, slot, LimitKind::range))
      low = std::max(low, l->lo), high = std::min(high, l->hi);
    if (low <= high) type.set(object, heads() ? high : low);
  }

  void push_number(const Field* field, void* object, std::uint16_t slot) {
    double low = field == nullptr ? -std::numeric_limits<double>::infinity() : field->min;
    double high = field == nullptr ? std::numeric_limits<double>::infinity() : field->max;
    if (const LimitData* l = find_limit(limits_, slot, LimitKind::range)) {
      low = std::max(low, std::bit_cast<double>(l->lo));
      high = std::min(high, std::bit_cast<double>(l->hi));
    }
    const double edge = heads() ? high : low;
    if (low <= high && std::isfinite(edge)) *static_cast<double*>(object) = edge;
  }

  void push_text(const Type& type, const Field* field, void* object, std::uint16_t slot) {
    if (find_limit(limits_, slot, LimitKind::names) != nullptr || type.any_json) return;
    const auto [low, high] = lengths(field, slot);
    const std::size_t n = heads() ? std::max(low, std::min(high, kLongest)) : low;
    type.set_text(object, std::string(n, 'o'));
  }

  void push_list(const Type& type, const Field* field, void* object, std::uint16_t slot) {
    const auto element = static_cast<std::uint16_t>(slot + 1);
    if (const LimitData* each = find_limit(limits_, slot, LimitKind::each)) {
      for (std::size_t i = 0; i < each->n; ++i)
        type.element->set(type.item(object, i), heads() ? each->each[i] : each->lo);
      return;
    }
    for (std::size_t i = 0; i < type.count(object); ++i)
      push(*type.element, field, type.item(object, i), element);
  }

  /// Fewest and most code points.
  [[nodiscard]] std::pair<std::size_t, std::size_t> lengths(const Field* field,
                                                            std::uint16_t slot) const {
    std::size_t low = field == nullptr ? 0 : field->min_length;
    std::size_t high = field == nullptr ? kLongest : field->max_length;
    if (const LimitData* l = find_limit(limits_, slot, LimitKind::length)) {
      low = std::max(low, static_cast<std::size_t>(l->lo));
      high = std::min(high, static_cast<std::size_t>(l->hi));
    }
    return {low, high};
  }

  const Type& type_;
  void* at_;
  std::span<const LimitData> limits_;
  Dice& dice_;
};

}  // namespace

void Edge::answer(Question& question) const {
  if (question.is_probe() && !params_.probes) return question.decline();
  // What only the game's own check can tell is not known here: turned down once, it draws.
  if (question.attempt() > 0) return question.draw();
  Dice dice = question.dice();
  question.answer_json(Draft(question.answer_type(), question.limits(), dice).json());
}

}  // namespace agon::agents
