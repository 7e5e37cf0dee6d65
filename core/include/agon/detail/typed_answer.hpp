#pragma once

#include <agon/export.hpp>
#include <agon/limits.hpp>
#include <agon/random.hpp>

namespace agon::detail {

/// How many distinct values the type has under the limits; saturates at kManyValues, which also
/// stands for "not finite".
AGON_API std::uint64_t count_values(const Type& type, const Field* field, std::uint16_t slot,
                                    std::span<const LimitData> limits);
/// Writes a uniform draw over the distinct legal values where they are finite (alternatives
/// weighted by their size), else uniform over the limits; texts are short made-up words. Numbers
/// that a sum counts are close to uniform over all that keep to it, given which of them are there.
AGON_API void draw_value(const Type& type, const Field* field, void* object, std::uint16_t slot,
                         std::span<const LimitData> limits, Dice& dice);

/// Moves numbers of a value that the sums among the limits count, in an order of the dice, until
/// all sums hold; false if it found no way. Each number stays within its own limits.
AGON_API bool fit_sums(const Type& type, void* object, std::span<const LimitData> limits,
                       Dice& dice);

/// True if the value keeps to the bounds of its description and the limits of the moment.
AGON_API bool is_legal_value(const Type& type, const Field* field, const void* object,
                             std::uint16_t slot, std::span<const LimitData> limits);

// The same, spelt out by the compiler for the forms that random play spends its time on: structs,
// variants, and lists of so many of each. Everything else goes to the functions above. Both draw
// the same values from the same dice.

inline const LimitData* find_limit(std::span<const LimitData> limits, std::uint16_t slot,
                                   LimitKind kind) {
  for (const LimitData& limit : limits)
    if (limit.slot == slot && limit.kind == kind) return &limit;
  return nullptr;
}

/// Whether a limit joins several places, so that no part can be drawn or judged by itself.
inline bool has_sum(std::span<const LimitData> limits) {
  for (const LimitData& limit : limits)
    if (limit.kind == LimitKind::sum) return true;
  return false;
}

/// A list whose elements are ints that lie side by side.
template <class T>
concept Amounts = ListLike<T> && std::same_as<typename T::value_type, int> && requires(T list) {
  list.resize(std::size_t{});
  { list.data() } -> std::same_as<int*>;
};

template <class T>
std::uint64_t count_of(const Field* field, std::uint16_t slot, std::span<const LimitData> limits) {
  if constexpr (DescribedStruct<T>) {
    std::uint64_t n = 1;
    std::size_t i = 0;
    boost::mp11::mp_for_each<boost::describe::describe_members<T, boost::describe::mod_public>>(
        [&](auto d) {
          using Member = std::remove_reference_t<decltype(std::declval<T&>().*d.pointer)>;
          n = times(n, count_of<Member>(&fields_of<T>[i++], slot, limits));
          slot = static_cast<std::uint16_t>(slot + type_of<Member>().slots);
        });
    return n;
  } else if constexpr (Amounts<T>) {
    const LimitData* each = find_limit(limits, slot, LimitKind::each);
    if (each == nullptr || each->lo != 0) return count_values(type_of<T>(), field, slot, limits);
    return static_cast<std::uint64_t>(each->hi);
  } else {
    return count_values(type_of<T>(), field, slot, limits);
  }
}

// Inlined into one function for each answer type, which draws all of it in one go.
#define AGON_DRAW [[gnu::always_inline]] inline

/// draw_value() of dice that the compiler keeps in registers: it must not see them pointed to.
template <class T>
AGON_DRAW void draw_generic(T& value, const Field* field, std::uint16_t slot,
                            std::span<const LimitData> limits, Dice& dice) {
  Dice own = dice;
  draw_value(type_of<T>(), field, &value, slot, limits, own);
  dice = own;
}

template <class T>
AGON_DRAW void draw_of(T& value, const Field* field, std::uint16_t slot,
                       std::span<const LimitData> limits, Dice& dice);

template <class... A>
AGON_DRAW void draw_variant_of(std::variant<A...>& value, std::uint16_t slot,
                               std::span<const LimitData> limits, Dice& dice) {
  const LimitData* allowed = find_limit(limits, slot, LimitKind::alternatives);
  const std::uint64_t mask =
      allowed == nullptr ? ~std::uint64_t{0} : static_cast<std::uint64_t>(allowed->lo);
  std::array<std::uint64_t, sizeof...(A)> sizes;
  std::array<std::uint16_t, sizeof...(A)> slots;
  std::uint64_t total = 0;
  std::size_t i = 0;
  auto at = static_cast<std::uint16_t>(slot + 1);
  ((slots[i] = at, sizes[i] = (mask >> i & 1U) == 0 ? 0 : count_of<A>(nullptr, at, limits),
    total = total + sizes[i] < kManyValues ? total + sizes[i] : kManyValues,
    at = static_cast<std::uint16_t>(at + type_of<A>().slots), ++i),
   ...);
  if (total == 0 || total >= kManyValues) {
    draw_generic(value, nullptr, slot, limits, dice);
    return;
  }
  std::uint64_t u = dice.below(total);
  std::size_t pick = 0;
  while (u >= sizes[pick]) u -= sizes[pick++];
  i = 0;
  ((i++ == pick ? draw_of(value.template emplace<A>(), nullptr, slots[pick], limits, dice)
                : void()),
   ...);
}

template <class T>
AGON_DRAW void draw_of(T& value, const Field* field, std::uint16_t slot,
                       std::span<const LimitData> limits, Dice& dice) {
  if constexpr (DescribedStruct<T>) {
    std::size_t i = 0;
    boost::mp11::mp_for_each<boost::describe::describe_members<T, boost::describe::mod_public>>([&](
        auto d) __attribute__((always_inline)) {
      using Member = std::remove_reference_t<decltype(std::declval<T&>().*d.pointer)>;
      draw_of(value.*d.pointer, &fields_of<T>[i++], slot, limits, dice);
      slot = static_cast<std::uint16_t>(slot + type_of<Member>().slots);
    });
  } else if constexpr (IsVariant<T>::value) {
    draw_variant_of(value, slot, limits, dice);
  } else if constexpr (Amounts<T>) {
    const LimitData* each = find_limit(limits, slot, LimitKind::each);
    if (each == nullptr || each->lo != 0) {
      draw_generic(value, field, slot, limits, dice);
      return;
    }
    if constexpr (requires { value.resize_for_overwrite(each->n); })
      value.resize_for_overwrite(each->n);
    else
      value.resize(each->n);
    int* items = value.data();
    dice.below_each(
        each->n, static_cast<std::uint64_t>(each->hi),
        [each](std::size_t i) { return static_cast<std::uint64_t>(each->each[i]) + 1; },
        [items](std::size_t i, std::uint64_t x) { items[i] = static_cast<int>(x); });
  } else {
    draw_generic(value, field, slot, limits, dice);
  }
}

#undef AGON_DRAW

template <class T>
bool is_legal_of(const T& value, const Field* field, std::uint16_t slot,
                 std::span<const LimitData> limits);

template <class... A>
bool is_legal_variant(const std::variant<A...>& value, std::uint16_t slot,
                      std::span<const LimitData> limits) {
  const LimitData* allowed = find_limit(limits, slot, LimitKind::alternatives);
  if (allowed != nullptr && (static_cast<std::uint64_t>(allowed->lo) >> value.index() & 1U) == 0)
    return false;
  bool legal = true;
  auto at = static_cast<std::uint16_t>(slot + 1);
  std::size_t i = 0;
  ((i++ == value.index() ? void(legal = is_legal_of(*std::get_if<A>(&value), nullptr, at, limits))
                         : void(),
    at = static_cast<std::uint16_t>(at + type_of<A>().slots)),
   ...);
  return legal;
}

template <class T>
bool is_legal_of(const T& value, const Field* field, std::uint16_t slot,
                 std::span<const LimitData> limits) {
  if constexpr (DescribedStruct<T>) {
    bool legal = true;
    std::size_t i = 0;
    boost::mp11::mp_for_each<boost::describe::describe_members<T, boost::describe::mod_public>>(
        [&](auto d) {
          using Member = std::remove_cvref_t<decltype(std::declval<T&>().*d.pointer)>;
          legal = legal && is_legal_of(value.*d.pointer, &fields_of<T>[i], slot, limits);
          ++i;
          slot = static_cast<std::uint16_t>(slot + type_of<Member>().slots);
        });
    return legal;
  } else if constexpr (IsVariant<T>::value) {
    return is_legal_variant(value, slot, limits);
  } else if constexpr (type_of<T>().kind == Kind::integer) {
    const std::int64_t v = type_of<T>().get(&value);
    if (v < type_of<T>().low || v > type_of<T>().high) return false;
    const LimitData* l = find_limit(limits, slot, LimitKind::range);
    if (l != nullptr && (v < l->lo || v > l->hi)) return false;
    const auto d = static_cast<double>(v);
    return field == nullptr || (d >= field->min && d <= field->max);
  } else {
    return is_legal_value(type_of<T>(), field, &value, slot, limits);
  }
}

/// Whether an answer T is legal.
template <class T>
bool is_legal_answer(const Type& type, const void* answer, std::span<const LimitData> limits) {
  if (has_sum(limits)) return is_legal_value(type, nullptr, answer, 0, limits);
  return is_legal_of(*static_cast<const T*>(answer), nullptr, 0, limits);
}

/// A uniform draw of an answer T.
template <class T>
void draw_answer(T& answer, std::span<const LimitData> limits, Dice dice) {
  if (has_sum(limits)) return draw_value(type_of<T>(), nullptr, &answer, 0, limits, dice);
  draw_of(answer, nullptr, 0, limits, dice);
}

}  // namespace agon::detail
