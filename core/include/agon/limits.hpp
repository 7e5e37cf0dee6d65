#pragma once

#include <agon/describe.hpp>
#include <agon/inline_list.hpp>
#include <bit>
#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/mp11/algorithm.hpp>

namespace agon {

namespace detail {

/// Counts of values saturate here, which also stands for "not finite".
inline constexpr std::uint64_t kManyValues = std::uint64_t{1} << 62;

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) || product > kManyValues ? kManyValues : product;
}

}  // namespace detail

/// What a limit says about its place.
enum class LimitKind : std::uint8_t {
  range,         ///< a number, or every element of a list, lies in lo..hi (doubles: as bits)
  each,          ///< element i of a list of `n` lies in lo..each[i]; the length is n. `hi` counts
                 ///< such lists, up to kManyValues
  length,        ///< a text or list has lo..hi code points or elements
  alternatives,  ///< bit i of `lo` set: alternative, enumerator or false/true number i is allowed
  presence,      ///< bit 0: may be absent, bit 1: may be present
  names,         ///< the keys of a map, or the allowed texts, are `names`
  usual,         ///< as `range`, and no rule: where sensible answers lie, see agon::usual()
};

/// One limit of the moment, as data: it narrows the check, the schema, the form and the random draw
/// alike. `slot` counts the places of the answer depth first: a leaf is one place; an optional, a
/// list, a map and a variant are one and then those of what they hold; a struct is none itself.
struct LimitData {
  std::uint16_t slot = 0;             ///< the place that is limited
  LimitKind kind = LimitKind::range;  ///< how
  std::uint32_t n = 0;                ///< of `each` or `names`: how many there are
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

/// The slot and type of a place reached from M by member pointers.
struct Place {
  std::uint16_t slot;
  const Type* type;
};

template <class C, class M>
constexpr Place member_place(M C::*pointer) {
  // Two members never share an address, so the field whose `at` gives the member is the one.
  std::uint16_t slot = 0;
  Place found{0, nullptr};
  boost::mp11::mp_for_each<boost::describe::describe_members<C, boost::describe::mod_public>>(
      [&](auto d) {
        using Member = std::remove_reference_t<decltype(std::declval<C&>().*d.pointer)>;
        if constexpr (std::same_as<Member, M>)
          if (d.pointer == pointer) found = {slot, &type_of<M>()};
        slot = static_cast<std::uint16_t>(slot + type_of<Member>().slots);
      });
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
constexpr Place place(M C::*pointer) {
  return member_place(pointer);
}
template <class C, class M, class D, class N, class... Rest>
constexpr Place place(M C::*pointer, N D::*next, Rest... rest) {
  const Place here = member_place(pointer);
  const Place there = place(next, rest...);
  return {static_cast<std::uint16_t>(here.slot + slots_before<M, D>() + there.slot), there.type};
}

/// The first type of a path of member pointers.
template <class P, class...>
struct Root {
  using type = typename MemberPointer<P>::Class;
};

/// Whether what a list, an optional or a map holds in the end are doubles. Told by the C++ type:
/// with its undefined-behaviour sanitizer g++ 12 takes no comparison of addresses for constant.
template <class M>
constexpr bool holds_doubles() {
  if constexpr (TextMap<M>)
    return holds_doubles<typename M::mapped_type>();
  else if constexpr (requires { typename M::value_type; })
    return holds_doubles<std::remove_cv_t<typename M::value_type>>();
  else
    return std::same_as<M, double>;
}

template <class Bound>
constexpr LimitData range_at(Place p, Bound lo, Bound hi) {
  LimitData d;
  d.slot = p.slot;
  while (p.type->element != nullptr) ++d.slot, p.type = p.type->element;
  if (p.type->kind == Kind::number) {
    d.lo = std::bit_cast<std::int64_t>(static_cast<double>(lo));
    d.hi = std::bit_cast<std::int64_t>(static_cast<double>(hi));
  } else {
    d.lo = static_cast<std::int64_t>(lo), d.hi = static_cast<std::int64_t>(hi);
  }
  return d;
}

/// Bounds given as two arithmetic types as one that keeps both: a fraction must not be cut off on
/// its way to a double.
template <class M, class Lo, class Hi>
constexpr LimitData range_of(Place p, Lo lo, Hi hi) {
  static_assert(holds_doubles<M>() || (std::integral<Lo> && std::integral<Hi>),
                "whole numbers and Money have whole limits: round them as the rules of the game "
                "say, or give Money");
  using Bound =
      std::conditional_t<std::floating_point<Lo> || std::floating_point<Hi>, double, std::int64_t>;
  return range_at(p, static_cast<Bound>(lo), static_cast<Bound>(hi));
}

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

}  // namespace detail

/// limit(&Offer::give, 0, pie): the number lies in lo..hi, both included. For a list or an
/// optional, what it holds does. A path reaches nested members: limit(&Move::action, &Offer::give,
/// 0, pie). Bounds of doubles may have a fraction.
template <class C, class M, detail::Arithmetic Lo, detail::Arithmetic Hi>
constexpr Limit<C> limit(M C::*member, Lo lo, Hi hi) {
  return {detail::range_of<M>(detail::place(member), lo, hi)};
}
/// The same for a member of a member.
template <class C, class M, class D, class N, detail::Arithmetic Lo, detail::Arithmetic Hi>
constexpr Limit<C> limit(M C::*member, N D::*next, Lo lo, Hi hi) {
  return {detail::range_of<N>(detail::place(member, next), lo, hi)};
}
/// The same for Money.
template <class C, class M>
constexpr Limit<C> limit(M C::*member, Money lo, Money hi) {
  return {detail::range_at(detail::place(member), lo.cents, hi.cents)};
}
/// The same for a member of a member.
template <class C, class M, class D, class N>
constexpr Limit<C> limit(M C::*member, N D::*next, Money lo, Money hi) {
  return {detail::range_at(detail::place(member, next), lo.cents, hi.cents)};
}

/// usual(&Bid::bid, Money{0}, balance): where sensible answers lie within the limits, as far as the
/// seat can know; it takes what limit() takes. It is no rule: other answers are as legal, nobody
/// who plays is told, and random draws do not heed it. What stands in for a model where there is
/// none answers within it, so that a run without a key shows what the game's figures look like.
template <class... A>
constexpr auto usual(A... place_and_bounds) {
  auto l = limit(place_and_bounds...);
  l.data.kind = LimitKind::usual;
  return l;
}

/// limit_each() at the place that a path of member pointers leads to.
template <class C, class... P>
constexpr auto limit_each_at(std::span<const int> most, C first, P... rest) {
  const detail::Place p = detail::place(first, rest...);
  LimitData d;
  d.slot = p.slot;
  d.kind = LimitKind::each;
  d.n = static_cast<std::uint32_t>(most.size());
  d.each = most.data();
  // Counted here, once, because random play needs it at every question.
  std::uint64_t lists = 1;
  for (const int m : most)
    lists = detail::times(lists, m < 0 ? 0 : static_cast<std::uint64_t>(m) + 1);
  d.hi = static_cast<std::int64_t>(lists);
  return Limit<typename detail::Root<C>::type>{d};
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

/// limit_length(&Message::text, 0, 500): code points of a text, elements of a list.
template <class C, class M>
constexpr Limit<C> limit_length(M C::*member, std::int64_t lo, std::int64_t hi) {
  LimitData d;
  d.slot = detail::place(member).slot;
  d.kind = LimitKind::length;
  d.lo = lo, d.hi = hi;
  return {d};
}

/// allow<Offer, Agree>(&Move::action): only these alternatives of the variant now.
template <class... A, class C, class M>
constexpr Limit<C> allow(M C::*member) {
  LimitData d;
  d.slot = detail::place(member).slot;
  d.kind = LimitKind::alternatives;
  []<class... V>(LimitData& out, std::type_identity<std::variant<V...>>) {
    std::int64_t bit = 1;
    ((out.lo |= detail::is_one_of<V, A...> ? bit : 0, bit <<= 1), ...);
  }(d, std::type_identity<M>{});
  return {d};
}
/// allow_if(&Move::action, {true, agree_is_legal}): the same with one flag an alternative, an
/// enumerator (in order of description) or false/true.
template <class C, class M>
constexpr Limit<C> allow_if(M C::*member, std::initializer_list<bool> allowed) {
  LimitData d;
  d.slot = detail::place(member).slot;
  d.kind = LimitKind::alternatives;
  std::int64_t bit = 1;
  for (const bool yes : allowed) d.lo |= yes ? bit : 0, bit <<= 1;
  return {d};
}

/// keys(&Belief::profits, names): the map has exactly these keys; or the text is one of the names.
template <class C, class M>
constexpr Limit<C> keys(M C::*member, std::span<const std::string_view> names) {
  LimitData d;
  d.slot = detail::place(member).slot;
  d.kind = LimitKind::names;
  d.n = static_cast<std::uint32_t>(names.size());
  d.names = names.data();
  return {d};
}
/// one_of(&Move::target, names): the text is one of these. The names must stay as they are as long
/// as the limit is used.
template <class C, class M>
constexpr Limit<C> one_of(M C::*member, std::span<const std::string_view> names) {
  return keys(member, names);
}

/// presence(&Bid::amount, true, false): whether the optional may be null, and whether it may not.
template <class C, class M>
constexpr Limit<C> presence(M C::*member, bool may_be_absent, bool may_be_present) {
  LimitData d;
  d.slot = detail::place(member).slot;
  d.kind = LimitKind::presence;
  d.lo = (may_be_absent ? 1 : 0) | (may_be_present ? 2 : 0);
  return {d};
}

}  // namespace agon
