#pragma once

#include <agon/describe.hpp>
#include <agon/inline_list.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace agon {

namespace detail {

/// Counts of values saturate here, which also stands for "not finite".
inline constexpr std::uint64_t kManyValues = std::uint64_t{1} << 62;

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) || product > kManyValues ? kManyValues : product;
}

}  // namespace detail

/// How many places a sum can span.
inline constexpr std::size_t kMostSummed = 32;

namespace detail {

inline constexpr const char* kSumTooWide =
    "a sum counts places that lie too far apart: at most 32 numbers, texts and the like lie from "
    "its "
    "first to its last; move the members next to each other, or put them into a struct, a list or "
    "a "
    "map of their own";

}  // namespace detail

/// What a limit says about its place.
enum class LimitKind : std::uint8_t {
  range,         ///< a number, or every element of a list, lies in lo..hi (doubles: as bits)
  each,          ///< element i of a list of `n` lies in lo..each[i]; the length is n. `hi` counts
                 ///< such lists, up to kManyValues
  length,        ///< a text or list has lo..hi code points or elements
  alternatives,  ///< bit i of `lo` set: alternative, enumerator or false/true number i is allowed
  presence,      ///< bit 0: may be absent, bit 1: may be present
  names,  ///< the keys of a map, or the allowed texts, are `names`; of a number: see one_of()
  usual,  ///< as `range`, and no rule: where sensible answers lie, see agon::usual()
  sum,    ///< the numbers at the places slot + i, for the set bits i of `n`, add up to lo..hi
          ///< (doubles: as bits)
};

/// One limit of the moment, as data: it narrows the check, the schema, the form and the random draw
/// alike. `slot` counts the places of the answer depth first: a leaf is one place; an optional, a
/// list, a map and a variant are one and then those of what they hold; a struct is none itself.
struct LimitData {
  std::uint16_t slot = 0;             ///< the place that is limited
  LimitKind kind = LimitKind::range;  ///< how
  std::uint32_t n = 0;                ///< of `each`, `names`: how many; of `sum`: which, as bits
  std::int64_t lo = 0;                ///< see LimitKind
  std::int64_t hi = 0;                ///< likewise
  // Not a union of the two: compilers keep a plain struct in registers, and a question is cheaper.
  const int* each = nullptr;                ///< highest value of each element, or null
  const std::string_view* names = nullptr;  ///< keys or texts, or null
};

/// A limit that names a place inside the answer type T. What it points to must outlive the
/// question.
template <class T>
struct Limit {
  LimitData data;  ///< as it is stored and handed on
};

namespace detail {

template <class X, class... A>
inline constexpr bool is_one_of = (std::same_as<X, A> || ...);

/// The slot of a member, counted from where its struct begins.
template <class C, class M>
constexpr std::uint16_t member_slot(M C::*pointer) {
  // Two members never share an address, so the field whose `at` gives the member is the one.
  std::uint16_t slot = 0, found = 0;
  bool is_described = false;
  boost::mp11::mp_for_each<boost::describe::describe_members<C, boost::describe::mod_public>>(
      [&](auto d) {
        using Member = std::remove_reference_t<decltype(std::declval<C&>().*d.pointer)>;
        if constexpr (std::same_as<Member, M>)
          if (d.pointer == pointer) found = slot, is_described = true;
        slot = static_cast<std::uint16_t>(slot + type_of<Member>().slots);
      });
  if (!is_described)
    throw std::logic_error("a limit names a member of " + std::string(type_of<C>().name) +
                           " that AGON_DESCRIBE does not list");
  return found;
}

template <class Holder, class C>
constexpr std::uint16_t slots_before() {
  // Where the struct C starts inside what Holder holds.
  if constexpr (IsVariant<Holder>::value) {
    return []<class... A>(std::type_identity<std::variant<A...>>) {
      static_assert((std::same_as<A, C> || ...), "the variant has no such alternative");
      std::uint16_t slot = 1;
      bool done = false;
      ((done = done || std::same_as<A, C>,
        slot = static_cast<std::uint16_t>(slot + (done ? 0 : type_of<A>().slots))),
       ...);
      return slot;
    }(std::type_identity<Holder>{});
  } else if constexpr (IsOptional<Holder>::value || ListLike<Holder>) {
    return static_cast<std::uint16_t>(1 + slots_before<typename Holder::value_type, C>());
  } else if constexpr (TextMap<Holder>) {
    return static_cast<std::uint16_t>(1 + slots_before<typename Holder::mapped_type, C>());
  } else {
    static_assert(std::same_as<Holder, C>, "the path names a member of another struct");
    return 0;
  }
}

template <class C, class M>
constexpr std::uint16_t slot_of(M C::*pointer) {
  return member_slot(pointer);
}
template <class C, class M, class D, class N, class... Rest>
constexpr std::uint16_t slot_of(M C::*pointer, N D::*next, Rest... rest) {
  return static_cast<std::uint16_t>(member_slot(pointer) + slots_before<M, D>() +
                                    slot_of(next, rest...));
}

/// What an optional, a list or a map holds; nothing of all others.
template <class M>
struct Held {};
template <class M>
requires(IsOptional<M>::value || ListLike<M>) struct Held<M> {
  using type = std::remove_cv_t<typename M::value_type>;
};
template <TextMap M>
struct Held<M> {
  using type = typename M::mapped_type;
};

template <class M>
constexpr bool is_number() {
  return type_of<M>().kind == Kind::integer || type_of<M>().kind == Kind::number;
}
template <class M>
constexpr bool is_variant() {
  return IsVariant<M>::value;
}
template <class M>
constexpr bool is_text() {
  return type_of<M>().kind == Kind::text;
}
template <class M>
constexpr bool is_text_or_map() {
  return is_text<M>() || type_of<M>().kind == Kind::map;
}
template <class M>
constexpr bool is_list_of_integers() {
  if constexpr (requires { typename Held<M>::type; } && !TextMap<M> && !IsOptional<M>::value)
    return type_of<typename Held<M>::type>().kind == Kind::integer;
  else
    return false;
}
template <class M>
constexpr bool has_length() {
  return is_text_or_map<M>() || type_of<M>().kind == Kind::list;
}
template <class M>
constexpr bool is_choice() {
  const Kind kind = type_of<M>().kind;
  return kind == Kind::variant || kind == Kind::enumeration || kind == Kind::boolean;
}
template <class M>
constexpr bool is_optional() {
  return IsOptional<M>::value;
}
/// A number, or a struct of nothing but numbers of one kind.
template <class M>
constexpr bool is_summed() {
  if constexpr (DescribedStruct<M>) {
    const auto fields = type_of<M>().fields;
    bool all = !fields.empty();
    for (const Field& f : fields)
      all = all && (f.type->kind == Kind::integer || f.type->kind == Kind::number) &&
            f.type->kind == fields[0].type->kind && f.type->decimals == fields[0].type->decimals;
    return all;
  } else {
    return is_number<M>();
  }
}

/// The place that a limit speaks of: the member itself, or what the optional, the list or the map
/// that it is holds. `inside`: how many slots further that is.
template <class Type, std::uint16_t Inside>
struct Limited {
  using type = Type;
  static constexpr std::uint16_t inside = Inside;
};
struct SpeaksOfNothing {};

#define AGON_LIMITED(what, Fits)                             \
  template <class M, std::uint16_t Inside = 0>               \
  constexpr auto what() {                                    \
    if constexpr (Fits<M>())                                 \
      return Limited<M, Inside>{};                           \
    else if constexpr (requires { typename Held<M>::type; }) \
      return what<typename Held<M>::type, Inside + 1>();     \
    else                                                     \
      return SpeaksOfNothing{};                              \
  }
AGON_LIMITED(limited_number, is_number)
AGON_LIMITED(limited_variant, is_variant)
AGON_LIMITED(limited_names, is_text_or_map)
AGON_LIMITED(limited_text, is_text)
AGON_LIMITED(limited_counts, is_list_of_integers)
AGON_LIMITED(limited_length, has_length)
AGON_LIMITED(limited_choice, is_choice)
AGON_LIMITED(limited_presence, is_optional)
AGON_LIMITED(limited_sum, is_summed)
#undef AGON_LIMITED

// `decltype` of a constexpr variable is const.
template <class L>
inline constexpr bool speaks = !std::same_as<std::remove_cv_t<L>, SpeaksOfNothing>;

/// A bound as a limit keeps it. Bounds of doubles may have a fraction; others are whole.
template <class M, class Bound>
constexpr std::int64_t bound_of(Bound bound) {
  if constexpr (std::same_as<M, double>) {
    static_assert(!std::same_as<Bound, Money>, "the member is a double, and the bound is Money");
    return std::bit_cast<std::int64_t>(static_cast<double>(bound));
  } else if constexpr (std::same_as<Bound, Money>) {
    static_assert(std::same_as<M, Money> || IsVariant<M>::value,
                  "the bound is Money, and the member is a number of another kind");
    return bound.cents;
  } else {
    static_assert(std::integral<Bound>,
                  "whole numbers and Money have whole limits: round them as the rules of the game "
                  "say, or give Money");
    return static_cast<std::int64_t>(bound);
  }
}

template <class T>
concept Bound = std::is_arithmetic_v<T> || std::same_as<T, Money>;

/// A range over what a path of member pointers leads to.
template <class L, class Lo, class Hi>
constexpr LimitData range_at(std::uint16_t slot, L, Lo lo, Hi hi) {
  LimitData d;
  d.slot = static_cast<std::uint16_t>(slot + L::inside);
  d.lo = bound_of<typename L::type>(lo);
  d.hi = bound_of<typename L::type>(hi);
  return d;
}

/// The struct whose member a pointer names.
template <class P>
using ClassOf = typename MemberPointer<P>::Class;
/// What a sum counts of the member that a pointer names.
template <class P>
using SummedAt = decltype(limited_sum<typename MemberPointer<P>::Member>());

/// What kind of number a number is, or the members of a struct are: with its decimals.
template <class M>
constexpr std::pair<Kind, int> number_kind() {
  const Type* type = &type_of<M>();
  if constexpr (DescribedStruct<M>) type = type->fields[0].type;
  return {type->kind, type->decimals};
}

/// The slot of place number I of a sum: below the first `Steps` of the pointers.
template <std::size_t Steps, std::size_t I, class Pointers>
constexpr std::uint16_t summed_slot(const Pointers& pointers) {
  return [&]<std::size_t... S>(std::index_sequence<S...>) {
    return slot_of(std::get<S>(pointers)..., std::get<Steps + I>(pointers));
  }
  (std::make_index_sequence<Steps>());
}

/// How many of the pointers, from the last one on, name members of the same struct.
template <class... P>
constexpr std::size_t places_together(boost::mp11::mp_list<P...>) {
  using Last = boost::mp11::mp_back<boost::mp11::mp_list<ClassOf<P>...>>;
  std::size_t n = 0;
  ((n = std::same_as<ClassOf<P>, Last> ? n + 1 : 0), ...);
  return n;
}

}  // namespace detail

/// limit(&Offer::give, 0, pie): the number lies in lo..hi, both included. For a list, a map or an
/// optional, what it holds does. A path reaches nested members: limit(&Move::action, &Offer::give,
/// 0, pie). Bounds of doubles may have a fraction; those of Money are Money or cents.
template <class C, class M, detail::Bound Lo, detail::Bound Hi>
constexpr Limit<C> limit(M C::*member, Lo lo, Hi hi) {
  constexpr auto at = detail::limited_number<M>();
  static_assert(detail::speaks<decltype(at)>,
                "limit() is for numbers, and lists, maps and optionals of numbers");
  return {detail::range_at(detail::slot_of(member), at, lo, hi)};
}
/// The same for a member of a member.
template <class C, class M, class D, class N, detail::Bound Lo, detail::Bound Hi>
constexpr Limit<C> limit(M C::*member, N D::*next, Lo lo, Hi hi) {
  constexpr auto at = detail::limited_number<N>();
  static_assert(detail::speaks<decltype(at)>,
                "limit() is for numbers, and lists, maps and optionals of numbers");
  return {detail::range_at(detail::slot_of(member, next), at, lo, hi)};
}

/// The same for Money, of which a bound may be written as {}.
template <class C, class M>
constexpr Limit<C> limit(M C::*member, Money lo, Money hi) {
  return limit<C, M, Money, Money>(member, lo, hi);
}
/// Likewise.
template <class C, class M, class D, class N>
constexpr Limit<C> limit(M C::*member, N D::*next, Money lo, Money hi) {
  return limit<C, M, D, N, Money, Money>(member, next, lo, hi);
}

/// usual(&Bid::bid, Money{0}, balance): where sensible answers lie within the limits, as far as the
/// seat can know; it takes what limit() takes. It is no rule: other answers are as legal, nobody
/// who plays is told, and random draws do not heed it. What stands in for a model where there is
/// none answers within it, so that a run without a key shows what the game's figures look like. Of
/// a variant the bounds are numbers of its alternatives, from 0.
template <class... A>
constexpr auto usual(A... place_and_bounds) {
  auto l = limit(place_and_bounds...);
  l.data.kind = LimitKind::usual;
  return l;
}
/// Likewise.
template <class C, class M, std::integral Lo, std::integral Hi>
requires(detail::speaks<decltype(detail::limited_variant<M>())>) constexpr Limit<C> usual(
    M C::*member, Lo lo, Hi hi) {
  Limit<C> l{detail::range_at(detail::slot_of(member), detail::limited_variant<M>(), lo, hi)};
  l.data.kind = LimitKind::usual;
  return l;
}

/// limit_sum(&Plan::troops, 0, 20): all numbers of the list or the map add up to lo..hi, both
/// included; lo == hi asks for exactly that. limit_sum(&Budget::roads, &Budget::schools, 0, 100):
/// these members together do, as all numbers of a struct do that is named as a whole. A path
/// reaches further: limit_sum(&Order::items, &Item::pieces, 0, 9) adds up over all items. What is
/// not there, as in an optional that is null, counts nothing, and where none of them is there the
/// limit says nothing. Numbers without a lower bound of their own are 0 or more. Doubles may miss
/// lo and hi by a billionth of it, as they cannot be added exactly.
template <class C, class M, class... More>
constexpr Limit<C> limit_sum(M C::*member, More... more) {
  using namespace detail;
  namespace mp = boost::mp11;
  static_assert(sizeof...(More) >= 2, "limit_sum() takes members, and two bounds after them");
  constexpr std::size_t kPointers = sizeof...(More) - 1;
  using Pointers = mp::mp_take_c<mp::mp_list<M C::*, More...>, kPointers>;
  constexpr std::size_t kPlaces = places_together(Pointers());
  constexpr std::size_t kSteps = kPointers - kPlaces;
  using First = SummedAt<mp::mp_at_c<Pointers, kSteps>>;
  static_assert(speaks<First>,
                "limit_sum() is for numbers, for lists, maps and optionals of them, "
                "and for structs of nothing but numbers of one kind");
  constexpr auto kNumber = number_kind<typename First::type>();
  using Number = std::conditional_t<kNumber.first == Kind::number, double,
                                    std::conditional_t<kNumber.second != 0, Money, std::int64_t>>;
  const std::tuple all(member, more...);
  LimitData d;
  d.kind = LimitKind::sum;
  d.lo = bound_of<Number>(std::get<kPointers>(all));
  d.hi = bound_of<Number>(std::get<kPointers + 1>(all));
  std::array<std::uint16_t, kPlaces> slots{};
  std::array<std::uint16_t, kPlaces> widths{};
  mp::mp_for_each<mp::mp_iota_c<kPlaces>>([&](auto i) {
    using At = SummedAt<mp::mp_at_c<Pointers, kSteps + i>>;
    static_assert(speaks<At> && number_kind<typename At::type>() == kNumber,
                  "limit_sum() adds up numbers of one kind: whole numbers, amounts or doubles");
    slots[i] = static_cast<std::uint16_t>(summed_slot<kSteps, i>(all) + At::inside);
    widths[i] = type_of<typename At::type>().slots;
  });
  d.slot = *std::min_element(slots.begin(), slots.end());
  for (std::size_t i = 0; i < kPlaces; ++i)
    for (std::uint16_t k = 0; k < widths[i]; ++k) {
      const auto bit = static_cast<unsigned>(slots[i] + k - d.slot);
      if (bit >= kMostSummed) throw std::logic_error(kSumTooWide);
      d.n |= std::uint32_t{1} << bit;
    }
  return {d};
}

/// limit_each() at the place that a path of member pointers leads to.
template <class C, class... P>
constexpr auto limit_each_at(std::span<const int> most, C first, P... rest) {
  using Last = boost::mp11::mp_back<boost::mp11::mp_list<C, P...>>;
  constexpr auto at = detail::limited_counts<typename detail::MemberPointer<Last>::Member>();
  static_assert(detail::speaks<decltype(at)>, "limit_each() is for lists of whole numbers");
  LimitData d;
  d.slot = static_cast<std::uint16_t>(detail::slot_of(first, rest...) + at.inside);
  d.kind = LimitKind::each;
  d.n = static_cast<std::uint32_t>(most.size());
  d.each = most.data();
  // Counted here, once, because random play needs it at every question.
  std::uint64_t lists = 1;
  for (const int m : most)
    lists = detail::times(lists, m < 0 ? 0 : static_cast<std::uint64_t>(m) + 1);
  d.hi = static_cast<std::int64_t>(lists);
  return Limit<detail::ClassOf<C>>{d};
}
/// limit_each(&Offer::keep, counts): a list of counts.size() numbers, number i in 0..counts[i]. The
/// counts must stay as they are as long as the limit is used.
template <class C, class M>
constexpr Limit<C> limit_each(M C::*member, std::span<const int> most) {
  return limit_each_at(most, member);
}
/// The same for a member of a member.
template <class C, class M, class D, class N>
constexpr Limit<C> limit_each(M C::*member, N D::*next, std::span<const int> most) {
  return limit_each_at(most, member, next);
}

/// limit_length(&Message::text, 0, 500): code points of a text, elements of a list or a map; of
/// the one that an optional holds.
template <class C, class M>
constexpr Limit<C> limit_length(M C::*member, std::int64_t lo, std::int64_t hi) {
  constexpr auto at = detail::limited_length<M>();
  static_assert(detail::speaks<decltype(at)>, "limit_length() is for texts, lists and maps");
  LimitData d;
  d.slot = static_cast<std::uint16_t>(detail::slot_of(member) + at.inside);
  d.kind = LimitKind::length;
  d.lo = lo, d.hi = hi;
  return {d};
}

/// allow<Offer, Agree>(&Move::action): only these alternatives of the variant now.
template <class... A, class C, class M>
constexpr Limit<C> allow(M C::*member) {
  constexpr auto at = detail::limited_variant<M>();
  static_assert(
      detail::speaks<decltype(at)>,
      "allow() is for variants: of an enumeration or a bool allow_if() says what is left");
  LimitData d;
  d.slot = static_cast<std::uint16_t>(detail::slot_of(member) + at.inside);
  d.kind = LimitKind::alternatives;
  []<class... V>(LimitData& out, std::type_identity<std::variant<V...>>) {
    static_assert((detail::is_one_of<A, V...> && ...), "the variant has no such alternative");
    std::int64_t bit = 1;
    ((out.lo |= detail::is_one_of<V, A...> ? bit : 0, bit <<= 1), ...);
  }(d, std::type_identity<typename decltype(at)::type>{});
  return {d};
}
/// allow_if(&Move::action, {true, agree_is_legal}): the same with one flag an alternative, an
/// enumerator (in order of description) or false/true. Throws std::logic_error for another number
/// of flags.
template <class C, class M>
constexpr Limit<C> allow_if(M C::*member, std::initializer_list<bool> allowed) {
  constexpr auto at = detail::limited_choice<M>();
  static_assert(detail::speaks<decltype(at)>, "allow_if() is for variants, enumerations and bools");
  constexpr const Type& type = type_of<typename decltype(at)::type>();
  const std::size_t n = type.kind == Kind::variant       ? type.alternatives.size()
                        : type.kind == Kind::enumeration ? type.enumerators.size()
                                                         : 2;
  if (allowed.size() != n)
    throw std::logic_error("allow_if() was given " + std::to_string(allowed.size()) +
                           " flags, and there are " + std::to_string(n) + " to choose from");
  LimitData d;
  d.slot = static_cast<std::uint16_t>(detail::slot_of(member) + at.inside);
  d.kind = LimitKind::alternatives;
  std::int64_t bit = 1;
  for (const bool yes : allowed) d.lo |= yes ? bit : 0, bit <<= 1;
  return {d};
}

namespace detail {

template <class C>
constexpr Limit<C> names_at(std::size_t slot, std::span<const std::string_view> names) {
  LimitData d;
  d.slot = static_cast<std::uint16_t>(slot);
  d.kind = LimitKind::names;
  d.n = static_cast<std::uint32_t>(names.size());
  d.names = names.data();
  return {d};
}

}  // namespace detail

/// keys(&Belief::profits, names): the map has exactly these keys; or the text is one of the names.
template <class C, class M>
constexpr Limit<C> keys(M C::*member, std::span<const std::string_view> names) {
  constexpr auto at = detail::limited_names<M>();
  static_assert(detail::speaks<decltype(at)>, "keys() is for maps and texts");
  return detail::names_at<C>(detail::slot_of(member) + at.inside, names);
}
/// one_of(&Move::target, names): the text is one of these, as is each text of a list and that of an
/// optional. The names must stay as they are as long as the limit is used.
template <class C, class M>
constexpr Limit<C> one_of(M C::*member, std::span<const std::string_view> names) {
  constexpr auto at = detail::limited_text<M>();
  static_assert(detail::speaks<decltype(at)>,
                "one_of() is for texts, and lists, maps and optionals of texts");
  return detail::names_at<C>(detail::slot_of(member) + at.inside, names);
}

/// one_of(&Message::action, &Deal::price, prices): the amount is one of these, each written as JSON
/// has it ("110.12"). Schemas and prompts list them in the place of the bounds. Beside it a limit()
/// holds them all and the game's check turns down the others: random draws follow these alone. None
/// say nothing.
template <class C, class M, class D>
constexpr Limit<C> one_of(M C::*member, Money D::*next, std::span<const std::string_view> prices) {
  return detail::names_at<C>(detail::slot_of(member, next), prices);
}

/// presence(&Bid::amount, true, false): whether the optional may be null, and whether it may not.
template <class C, class M>
constexpr Limit<C> presence(M C::*member, bool may_be_absent, bool may_be_present) {
  constexpr auto at = detail::limited_presence<M>();
  static_assert(detail::speaks<decltype(at)>, "presence() is for optionals");
  LimitData d;
  d.slot = static_cast<std::uint16_t>(detail::slot_of(member) + at.inside);
  d.kind = LimitKind::presence;
  d.lo = (may_be_absent ? 1 : 0) | (may_be_present ? 2 : 0);
  return {d};
}

}  // namespace agon
