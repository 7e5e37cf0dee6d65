#pragma once

#include <agon/money.hpp>
#include <agon/type.hpp>
#include <array>
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/describe/enumerators.hpp>
#include <boost/pfr/tuple_size.hpp>
#include <boost/preprocessor/punctuation/comma_if.hpp>
#include <boost/preprocessor/seq/for_each_i.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <boost/preprocessor/variadic/size.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>
#include <concepts>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace agon {

// ---- what can be said of a member, beside its documentation ------------------------------------

/// The value (or each element of a list) lies within min..max, both included. For Money: in cents.
struct Range {
  double min;  ///< lowest
  double max;  ///< highest
};
/// Both bounds.
constexpr Range range(double min, double max) {
  return {min, max};
}
/// A lower bound alone.
constexpr Range at_least(double min) {
  return {min, std::numeric_limits<double>::infinity()};
}
/// An upper bound alone.
constexpr Range at_most(double max) {
  return {-std::numeric_limits<double>::infinity(), max};
}
/// No bounds.
inline constexpr Range any_number{-std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::infinity()};

/// What the number that is shown counts: "coins", "days", for Money "dollars".
struct Unit {
  std::string_view name;  ///< empty: none
};
/// What the number counts, as an attribute of a member.
constexpr Unit unit(std::string_view name) {
  return {name};
}

/// How many elements a list has or bytes a text.
struct Length {
  std::size_t min;  ///< least
  std::size_t max;  ///< most
};
/// Bounds of a length, as an attribute of a member.
constexpr Length length(std::size_t min, std::size_t max) {
  return {min, max};
}

/// Where a rule or a default comes from: paper and section.
struct Source {
  std::string_view text;  ///< the reference
};
/// Where it comes from, as an attribute of a member.
constexpr Source source(std::string_view text) {
  return {text};
}

/// A settings member that a scenario may give as the name of a data file in this format.
struct DataFile {
  std::string_view format;  ///< "agon.GAME.WHAT/1"
};
/// The format of data files, as an attribute of a member: data_file("agon.GAME.WHAT/1").
constexpr DataFile data_file(std::string_view format) {
  return {format};
}

/// A metric that counts cents in a double, since it may hold fractions of them: it is shown as
/// dollars, like Money.
struct InCents {};
/// InCents, as an attribute of a member.
inline constexpr InCents in_cents{};

/// A parameter that says how an agent's work is done and not what it answers: deadlines,
/// connections, tries. A run that is taken up again with another value is the same run.
struct Operational {};
/// Operational, as an attribute of a member.
inline constexpr Operational operational{};

/// A text of a view that the game itself wrote, from its settings alone: prompts show it as it is,
/// and not as something that others wrote. It is not repeated in a dialogue's memory.
struct Prose {};
/// Prose, as an attribute of a member.
inline constexpr Prose prose{};

/// A member of a view, an event or an answer that tells players nothing, or nothing new: fractions
/// of a cent that only programs reckon with, what every question repeats. It is in the record and
/// in the JSON that programs get, and in no text for people who play or for models.
struct Unshown {};
/// Unshown, as an attribute of a member.
inline constexpr Unshown unshown{};

/// An optional member of a file that is left out, rather than null, where it holds nothing.
struct LeftOut {};
/// LeftOut, as an attribute of a member.
inline constexpr LeftOut left_out{};

/// The name that a member of a file had before: files that have it are read, with a warning. Not
/// for settings and parameters.
struct Formerly {
  std::string_view name;  ///< as JSON had it
};
/// The former name, as an attribute of a member.
constexpr Formerly formerly(std::string_view name) {
  return {name};
}

/// Any JSON value, held as its text: a member of a file whose form somebody else knows.
struct JsonText {
  std::string text = "null";  ///< on one line
  /// The same text.
  friend bool operator==(const JsonText&, const JsonText&) = default;
};

/// The number of a seat: people and models are told the seat's name.
struct SeatNumber {};
/// SeatNumber, as an attribute of a member.
inline constexpr SeatNumber seat_number{};

/// A text among a game's facts: the name of the event that parts two phases of play, as rounds or
/// days do. Parts of model agents that make plans or remember go by phases. Its agon::unit is what
/// one phase is called: agon::unit("day").
struct PhaseEvent {};
/// PhaseEvent, as an attribute of a member.
inline constexpr PhaseEvent phase_event{};

/// A text among a game's facts: the member of its views and events, "round" say, each value of
/// which is a play of its own. Model agents then remember nothing of the others; empty: there is
/// none.
struct ApartBy {};
/// ApartBy, as an attribute of a member.
inline constexpr ApartBy apart_by{};

namespace detail {

constexpr void apply(Field& f, LeftOut) {
  f.left_out = true;
}
constexpr void apply(Field& f, Formerly former) {
  f.former = former.name;
}
constexpr void apply(Field& f, Prose) {
  f.prose = true;
}
constexpr void apply(Field& f, Unshown) {
  f.unshown = true;
}
constexpr void apply(Field& f, SeatNumber) {
  f.seat = true;
}
constexpr void apply(Field& f, PhaseEvent) {
  f.phase = true;
}
constexpr void apply(Field& f, ApartBy) {
  f.apart = true;
}
constexpr void apply(Field& f, Operational) {
  f.operational = true;
}
constexpr void apply(Field& f, InCents) {
  f.decimals = 2;
}
constexpr void apply(Field& f, Range r) {
  f.min = r.min, f.max = r.max;
}
constexpr void apply(Field& f, Unit u) {
  f.unit = u.name;
}
constexpr void apply(Field& f, Length l) {
  f.min_length = l.min, f.max_length = l.max;
}
constexpr void apply(Field& f, Source s) {
  f.source = s.text;
}
constexpr void apply(Field& f, DataFile d) {
  f.data = d.format;
}
constexpr void apply(Field& f, Better b) {
  f.better = b;
}

template <class T>
struct MemberPointer;
template <class C, class M>
struct MemberPointer<M C::*> {
  using Class = C;
  using Member = M;
};

/// std::addressof() without its header, which takes as long to read as all of this file.
template <class T>
constexpr T* address_of(T& object) {
  return __builtin_addressof(object);
}

template <auto Pointer, class... Attributes>
constexpr Field field(std::string_view name, std::string_view doc, Attributes... attributes) {
  using P = MemberPointer<decltype(Pointer)>;
  Field f;
  f.name = name;
  f.doc = doc;
  f.type = &type_of<typename P::Member>();
  f.reach = [](void* object, std::size_t) -> void* {
    // Views hold const members too; nobody writes through a view's description.
    return const_cast<std::remove_const_t<typename P::Member>*>(
        address_of(static_cast<typename P::Class*>(object)->*Pointer));
  };
  (apply(f, attributes), ...);
  return f;
}

template <class... E>
constexpr std::array<Enumerator, sizeof...(E)> enumerator_array(E... e) {
  return {e...};
}
constexpr Enumerator enumerator(std::string_view name, std::int64_t value, std::string_view doc,
                                std::string_view spelt = {}) {
  return {spelt.empty() ? name : spelt, doc, value};
}

template <class T>
concept DescribedStruct = requires {
  agon_fields(static_cast<const T*>(nullptr));
};
template <class T>
concept DescribedEnum = std::is_enum_v<T> && requires {
  agon_enumerators(static_cast<const T*>(nullptr));
};

template <class T>
inline constexpr auto fields_of = agon_fields(static_cast<const T*>(nullptr));
template <class T>
inline constexpr auto enumerators_of = agon_enumerators(static_cast<const T*>(nullptr));

template <class T>
concept ListLike = requires(T t, const T c, std::size_t i) {
  typename T::value_type;
  { c.size() } -> std::convertible_to<std::size_t>;
  c[i];
}
&&!std::same_as<typename T::value_type, char>;

/// Maps and sets, described or not.
template <class T>
concept KeyedLike = requires {
  typename T::key_type;
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};
/// Has an order that does not depend on the library: no hash table.
template <class T>
concept Hashed = requires {
  typename T::hasher;
};
/// std::map<std::string, V> or the like, known by its members, so that who has none need not read
/// its header.
template <class T>
concept TextMap = !Hashed<T> && requires(T t, std::string key) {
  requires std::same_as<typename T::key_type, std::string>;
  { t[key] } -> std::same_as<typename T::mapped_type&>;
};

/// What a value is in JSON.
enum class JsonForm : std::uint8_t { truth, number, text, list, object };
constexpr JsonForm json_form(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return JsonForm::truth;
    case Kind::integer:
    case Kind::number:
      return JsonForm::number;
    case Kind::text:
    case Kind::enumeration:
      return JsonForm::text;
    case Kind::list:
      return JsonForm::list;
    default:
      return JsonForm::object;
  }
}

template <class V>
struct VariantParts;
template <class... T>
struct VariantParts<std::variant<T...>> {
  static constexpr bool forms = !(DescribedStruct<T> && ...);
  static constexpr bool told_apart() {
    int seen[5]{};
    (++seen[static_cast<std::size_t>(json_form(type_of<T>().kind))], ...);
    for (const int n : seen)
      if (n > 1) return false;
    return true;
  }
  static_assert(!forms || told_apart(),
                "a variant's alternatives are described structs, or differ in their JSON form: "
                "true or false, a number, a text, a list or an object");
  static constexpr std::array<const Type*, sizeof...(T)> types{&type_of<T>()...};
  static constexpr std::uint16_t slots =
      static_cast<std::uint16_t>((std::size_t{1} + ... + type_of<T>().slots));
  static void* become(const Type&, void* at, std::size_t i) {
    auto& v = *static_cast<std::variant<T...>*>(at);
    void* result = nullptr;
    std::size_t n = 0;
    ((n++ == i ? void(result = address_of(v.template emplace<T>())) : void()), ...);
    return result;
  }
};

template <class T>
constexpr Type basic_type(Kind kind, std::string_view name) {
  Type t{};
  t.kind = kind;
  t.name = name;
  t.size = sizeof(T);
  if constexpr (std::is_default_constructible_v<T>)
    t.operations.construct = [](const Type&, void* at) { ::new (at) T(); };
  t.operations.destroy = [](const Type&, void* at) { static_cast<T*>(at)->~T(); };
  if constexpr (std::is_copy_constructible_v<T>)
    t.operations.copy = [](const Type&, void* at, const void* from) {
      ::new (at) T(*static_cast<const T*>(from));
    };
  return t;
}

template <class T>
constexpr Type integer_type() {
  Type t = basic_type<T>(Kind::integer, "integer");
  t.operations.get = [](const void* p) {
    return static_cast<std::int64_t>(*static_cast<const T*>(p));
  };
  t.operations.set = [](void* p, std::int64_t v) { *static_cast<T*>(p) = static_cast<T>(v); };
  t.low = static_cast<std::int64_t>(std::numeric_limits<T>::min());
  t.high = sizeof(T) == 8 ? std::numeric_limits<std::int64_t>::max()
                          : static_cast<std::int64_t>(std::numeric_limits<T>::max());
  return t;
}

template <class T>
constexpr Type list_type() {
  using E = std::remove_cv_t<typename T::value_type>;
  static_assert(std::is_lvalue_reference_v<decltype(std::declval<T&>()[0])>,
                "std::vector<bool> has no elements of its own: use agon::InlineList<bool, N>, or a "
                "std::vector of an enumeration that AGON_ENUM describes");
  Type t = basic_type<T>(Kind::list, "list");
  t.element = &type_of<E>();
  t.slots = static_cast<std::uint16_t>(1 + type_of<E>().slots);
  t.operations.count = [](const void* p) -> std::size_t {
    return static_cast<const T*>(p)->size();
  };
  t.operations.item = [](void* p, std::size_t i) -> void* {
    return const_cast<E*>(address_of((*static_cast<T*>(p))[i]));
  };
  if constexpr (requires { std::tuple_size<T>::value; })
    t.capacity = std::tuple_size<T>::value;
  else if constexpr (requires { typename std::integral_constant<std::size_t, T::max_size()>; })
    t.capacity = T::max_size();
  else
    t.capacity = std::numeric_limits<std::size_t>::max();
  if constexpr (requires(T v) { v.resize(std::size_t{}); }) {
    t.operations.resize = [](const Type&, void* p, std::size_t n) {
      if constexpr (requires { typename std::integral_constant<std::size_t, T::max_size()>; })
        if (n > T::max_size()) return false;
      static_cast<T*>(p)->resize(n);
      return true;
    };
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    t.operations.resize = [](const Type&, void*, std::size_t n) {
      return n == std::tuple_size<T>::value;
    };
    t.resize_is_free = false;
  } else if constexpr (std::is_constructible_v<T, const E*, std::size_t>) {
    t.operations.borrow = [](void* p, const void* items, std::size_t n) {
      *static_cast<T*>(p) = T(static_cast<const E*>(items), n);
    };
  }
  return t;
}

template <class T>
constexpr Type text_type() {
  Type t = basic_type<T>(Kind::text, "text");
  t.operations.text = [](const void* p) { return std::string_view(*static_cast<const T*>(p)); };
  if constexpr (std::same_as<T, std::string>)
    t.operations.set_text = [](void* p, std::string_view v) { static_cast<T*>(p)->assign(v); };
  else
    t.operations.borrow = [](void* p, const void* text, std::size_t n) {
      *static_cast<T*>(p) = T(static_cast<const char*>(text), n);
    };
  return t;
}

template <class T>
constexpr Type optional_type() {
  using E = typename T::value_type;
  Type t = basic_type<T>(Kind::optional, "optional");
  t.element = &type_of<E>();
  t.slots = static_cast<std::uint16_t>(1 + type_of<E>().slots);
  t.operations.count = [](const void* p) -> std::size_t {
    return static_cast<const T*>(p)->has_value();
  };
  t.operations.item = [](void* p, std::size_t) -> void* {
    return address_of(**static_cast<T*>(p));
  };
  t.operations.resize = [](const Type&, void* p, std::size_t n) {
    auto& o = *static_cast<T*>(p);
    n == 0 ? o.reset() : (o.emplace(), void());
    return true;
  };
  t.capacity = 1;
  return t;
}

template <class T>
constexpr Type variant_type() {
  Type t = basic_type<T>(Kind::variant, "variant");
  t.alternatives = VariantParts<T>::types;
  t.slots = VariantParts<T>::slots;
  t.operations.index = [](const Type&, const void* p) { return static_cast<const T*>(p)->index(); };
  t.operations.alternative = [](void* p) -> void* {
    return std::visit([](auto& v) -> void* { return address_of(v); }, *static_cast<T*>(p));
  };
  t.operations.become = &VariantParts<T>::become;
  t.forms = VariantParts<T>::forms;
  return t;
}

template <class T>
constexpr Type map_type() {
  using E = typename T::mapped_type;
  Type t = basic_type<T>(Kind::map, "map");
  t.element = &type_of<E>();
  t.slots = static_cast<std::uint16_t>(1 + type_of<E>().slots);
  t.operations.count = [](const void* p) { return static_cast<const T*>(p)->size(); };
  t.operations.item = [](void* p, std::size_t i) -> void* {
    return address_of(
        std::next(static_cast<T*>(p)->begin(), static_cast<std::ptrdiff_t>(i))->second);
  };
  t.operations.key = [](const void* p, std::size_t i) -> std::string_view {
    return std::next(static_cast<const T*>(p)->begin(), static_cast<std::ptrdiff_t>(i))->first;
  };
  t.operations.emplace = [](const Type&, void* p, std::string_view key) -> void* {
    return address_of((*static_cast<T*>(p))[std::string(key)]);
  };
  t.operations.resize = [](const Type&, void* p, std::size_t n) {
    if (n == 0) static_cast<T*>(p)->clear();
    return n == 0;
  };
  t.capacity = std::numeric_limits<std::size_t>::max();
  return t;
}

template <class T>
constexpr Type structure_type() {
  Type t = basic_type<T>(Kind::structure, agon_name(static_cast<const T*>(nullptr)));
  t.fields = fields_of<T>;
  std::size_t slots = 0;
  for (const Field& f : fields_of<T>) slots += f.type->slots;
  t.slots = static_cast<std::uint16_t>(slots);
  return t;
}

template <class T>
constexpr Type make_type() {
  if constexpr (std::same_as<T, bool>) {
    Type t = basic_type<T>(Kind::boolean, "boolean");
    t.operations.get = [](const void* p) { return std::int64_t{*static_cast<const bool*>(p)}; };
    t.operations.set = [](void* p, std::int64_t v) { *static_cast<bool*>(p) = v != 0; };
    t.high = 1;
    return t;
  } else if constexpr (std::integral<T>) {
    return integer_type<T>();
  } else if constexpr (std::same_as<T, Money>) {
    Type t = basic_type<T>(Kind::integer, "money");
    t.operations.get = [](const void* p) { return static_cast<const Money*>(p)->cents; };
    t.operations.set = [](void* p, std::int64_t v) { static_cast<Money*>(p)->cents = v; };
    // Up to here each amount has a double of its own, which is what a JSON reader elsewhere keeps.
    t.low = -(std::int64_t{1} << 52);
    t.high = std::int64_t{1} << 52;
    t.decimals = 2;
    return t;
  } else if constexpr (std::same_as<T, double>) {
    return basic_type<T>(Kind::number, "number");
  } else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::string_view>) {
    return text_type<T>();
  } else if constexpr (std::same_as<T, JsonText>) {
    Type t = basic_type<T>(Kind::text, "JSON");
    t.operations.text = [](const void* p) {
      return std::string_view(static_cast<const T*>(p)->text);
    };
    t.operations.set_text = [](void* p, std::string_view v) { static_cast<T*>(p)->text.assign(v); };
    t.any_json = true;
    return t;
  } else if constexpr (std::is_enum_v<T>) {
    static_assert(DescribedEnum<T>, "describe the enum with AGON_DESCRIBE_ENUM");
    Type t = basic_type<T>(Kind::enumeration, agon_name(static_cast<const T*>(nullptr)));
    t.operations.get = [](const void* p) {
      return static_cast<std::int64_t>(*static_cast<const T*>(p));
    };
    t.operations.set = [](void* p, std::int64_t v) { *static_cast<T*>(p) = static_cast<T>(v); };
    t.enumerators = enumerators_of<T>;
    return t;
  } else if constexpr (IsOptional<T>::value) {
    return optional_type<T>();
  } else if constexpr (IsVariant<T>::value) {
    return variant_type<T>();
  } else if constexpr (TextMap<T>) {
    return map_type<T>();
  } else if constexpr (ListLike<T>) {
    return list_type<T>();
  } else {
    static_assert(!std::is_floating_point_v<T>, "use double: it is what JSON and records keep");
    static_assert(!KeyedLike<T>, "the only described map is std::map<std::string, V>");
    static_assert(!std::is_pointer_v<T>,
                  "a described member is a value: use std::string for a text, std::optional for "
                  "what may be absent");
    static_assert(DescribedStruct<T>, "describe the struct with AGON_DESCRIBE");
    return structure_type<T>();
  }
}

template <class T>
inline constexpr Type type_info = make_type<T>();

}  // namespace detail

template <class T>
constexpr const Type& type_of() {
  return detail::type_info<std::remove_cv_t<T>>;
}

}  // namespace agon

#define AGON_DETAIL_NAME(entry) AGON_DETAIL_NAME_ entry
#define AGON_DETAIL_NAME_(name, ...) name
#define AGON_DETAIL_NAMES(r, data, i, entry) BOOST_PP_COMMA_IF(i) AGON_DETAIL_NAME(entry)
#define AGON_DETAIL_FIELD_(name, ...) <&Self::name>(BOOST_PP_STRINGIZE(name), __VA_ARGS__)
#define AGON_DETAIL_FIELD(r, data, i, entry) \
  BOOST_PP_COMMA_IF(i)::agon::detail::field AGON_DETAIL_FIELD_ entry
#define AGON_DETAIL_ENUMERATOR_(name, ...) \
  (BOOST_PP_STRINGIZE(name), static_cast<std::int64_t>(Self::name), __VA_ARGS__)
#define AGON_DETAIL_ENUMERATOR(r, data, i, entry) \
  BOOST_PP_COMMA_IF(i)::agon::detail::enumerator AGON_DETAIL_ENUMERATOR_ entry
#define AGON_DETAIL_COUNT(...) (0 __VA_OPT__(+BOOST_PP_VARIADIC_SIZE(__VA_ARGS__)))
#define AGON_DETAIL_SEQUENCE(macro, ...) \
  BOOST_PP_SEQ_FOR_EACH_I(macro, _, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__))

/// Describes the struct T, in T's own namespace, one entry a member in order of declaration:
///
///     struct Offer { int give = 0; };
///     AGON_DESCRIBE(Offer, (give, "coins you hand over", agon::unit("coins")))
///
/// Members may be bools, integers, doubles, Money, text, described enums and structs, optionals,
/// lists, variants of described structs, and std::map<std::string, V>. Each needs a default. Files
/// may also hold JsonText, and variants of other forms: std::variant<std::string, Long>.
/// A forgotten member does not compile where the description is used; it is a template, since most
/// files that include a struct do not use its description. A struct without members:
/// AGON_DESCRIBE(Agree).
#define AGON_DESCRIBE(T, ...)                                                                      \
  BOOST_DESCRIBE_STRUCT(T, (), (__VA_OPT__(AGON_DETAIL_SEQUENCE(AGON_DETAIL_NAMES, __VA_ARGS__)))) \
  [[maybe_unused]] constexpr std::string_view agon_name(const T*) {                                \
    return #T;                                                                                     \
  }                                                                                                \
  template <class Self = T>                                                                        \
  constexpr ::std::array<::agon::Field, AGON_DETAIL_COUNT(__VA_ARGS__)> agon_fields(const T*) {    \
    static_assert(boost::pfr::tuple_size_v<Self> == AGON_DETAIL_COUNT(__VA_ARGS__),                \
                  "AGON_DESCRIBE must name every member of " #T);                                  \
    return {__VA_OPT__({AGON_DETAIL_SEQUENCE(AGON_DETAIL_FIELD, __VA_ARGS__)})};                   \
  }

/// Describes the enum E: AGON_DESCRIBE_ENUM(Desire, (profit, "largest profit"), (items, "...")).
/// A third entry is the name in JSON, where it is not that in C++: (by_role, "...", "by-role").
#define AGON_DESCRIBE_ENUM(E, ...)                                             \
  BOOST_DESCRIBE_ENUM(E, AGON_DETAIL_SEQUENCE(AGON_DETAIL_NAMES, __VA_ARGS__)) \
  [[maybe_unused]] constexpr std::string_view agon_name(const E*) {            \
    return #E;                                                                 \
  }                                                                            \
  [[maybe_unused]] constexpr auto agon_enumerators(const E*) {                 \
    using Self = E;                                                            \
    return ::agon::detail::enumerator_array(                                   \
        AGON_DETAIL_SEQUENCE(AGON_DETAIL_ENUMERATOR, __VA_ARGS__));            \
  }
