#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <deque>
#include <limits>
#include <optional>

#include "describe/limits.hpp"
#include "describe/read.hpp"
#include "describe/value.hpp"
#include "remote/card_json.hpp"

namespace agon::remote {
namespace {

namespace bj = boost::json;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

/// Something in an answer, with the slot at which it stands.
struct SlotType {
  const Type* type;
  std::uint16_t slot;
};

/// What the optional, the list or the map holds.
SlotType inside(SlotType place) {
  return {place.type->element, static_cast<std::uint16_t>(place.slot + 1)};
}

/// Whether a limit of this kind says something of a value of the type itself.
bool speaks_of(LimitKind limit, const Type& type) {
  const Kind value = type.kind;
  switch (limit) {
    case LimitKind::range:
    case LimitKind::sum:  // of a structure: its members, which are asked one by one
      return value == Kind::integer || value == Kind::number;
    case LimitKind::usual:  // of a variant: which of its alternatives, by number
      return value == Kind::integer || value == Kind::number || value == Kind::variant;
    case LimitKind::each:
      return value == Kind::list && type.element->kind == Kind::integer;
    case LimitKind::length:
      return value == Kind::text || value == Kind::list || value == Kind::map;
    case LimitKind::alternatives:
      return value == Kind::variant || value == Kind::enumeration || value == Kind::boolean;
    case LimitKind::presence:
      return value == Kind::optional;
    case LimitKind::names:
      return value == Kind::map || value == Kind::text || type.decimals != 0;
  }
  return false;
}

/// What is limited at the end of a path: the place itself, or what is in it.
std::optional<SlotType> limited(SlotType place, LimitKind kind) {
  while (!speaks_of(kind, *place.type)) {
    if (place.type->element == nullptr) return std::nullopt;
    place = inside(place);
  }
  return place;
}

/// The next step of a path: a member of the structure, or an alternative of the variant, that the
/// place is or holds.
template <class Each>
void each_step(SlotType place, const Each& each) {
  while (place.type->element != nullptr) place = inside(place);
  if (place.type->kind == Kind::structure) {
    for (const Field& field : place.type->fields) {
      each(std::string(field.name), SlotType{field.type, place.slot});
      place.slot = static_cast<std::uint16_t>(place.slot + field.type->slots);
    }
  } else if (place.type->kind == Kind::variant) {
    for (std::size_t i = 0; i < place.type->alternatives.size(); ++i) {
      const Type& alternative = *place.type->alternatives[i];
      each(kind_of(alternative),
           SlotType{&alternative, alternative_slot(*place.type, place.slot, i)});
    }
  }
}

/// The path to what a limit of the kind speaks of at the slot.
std::optional<std::string> find_path(SlotType place, const std::string& path,
                                     const LimitData& limit) {
  if (const auto here = limited(place, limit.kind); here && here->slot == limit.slot) return path;
  std::optional<std::string> found;
  each_step(place, [&](const std::string& step, SlotType next) {
    if (!found) found = find_path(next, path.empty() ? step : path + "." + step, limit);
  });
  return found;
}

SlotType follow(SlotType place, std::string_view path) {
  const std::string whole(path);
  while (!path.empty()) {
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), step.size() + 1));
    std::optional<SlotType> found;
    std::string known;
    each_step(place, [&](const std::string& name, SlotType next) {
      if (name == step) found = next;
      known += (known.empty() ? "" : ", ") + name;
    });
    if (!found)
      throw Error(ErrorKind::invalid, "there is no '" + std::string(step) + "' at '" + whole +
                                          "'; there " +
                                          (known.empty() ? "is nothing" : "are " + known));
    place = *found;
  }
  return place;
}

/// How a limit counts numbers of an integer type.
const Type& counted(const Type& type) {
  return type.decimals != 0 ? type_of<Money>() : type_of<std::int64_t>();
}

void write_bound(JsonWriter& out, const Type& type, std::int64_t bound) {
  if (type.kind == Kind::number)
    out.number(std::bit_cast<double>(bound));  // null where it is infinite
  else if (bound <= counted(type).low || bound >= counted(type).high)
    out.null();
  else
    out.json(integer_text(type, bound));
}

/// The names of what an `alternatives` limit chooses from.
std::vector<std::string> choices(const Type& type) {
  std::vector<std::string> names;
  for (const Enumerator& e : type.enumerators) names.emplace_back(e.name);
  for (const Type* each : type.alternatives) names.push_back(kind_of(*each));
  return names;
}

void write_allowed(JsonWriter& out, const Type& type, std::int64_t mask) {
  const auto is_allowed = [mask](std::size_t i) {
    return (static_cast<std::uint64_t>(mask) >> i & 1U) != 0;
  };
  out.name("allowed").open_list();
  if (type.kind == Kind::boolean) {
    for (const bool truth : {false, true})
      if (is_allowed(truth ? 1 : 0)) out.truth(truth);
  } else {
    const std::vector<std::string> names = choices(type);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (is_allowed(i)) out.text(names[i]);
  }
  out.close_list();
}

/// A kind of limit, in words.
struct KindWords {
  std::string_view name;       ///< as JSON has it
  std::string_view meant_for;  ///< what it speaks of, for people
  std::string_view called;     ///< how games of both languages say it
};

/// By LimitKind.
constexpr KindWords kKinds[] = {
    {"range", "numbers", "limit()"},
    {"each", "lists of whole numbers", "limit_each()"},
    {"length", "texts, lists and maps", "limit_length()"},
    {"alternatives", "variants, enumerations and bools", "allow()"},
    {"presence", "what may be null", "presence()"},
    {"names", "texts, amounts, and the keys of maps", "keys() or one_of()"},
    {"usual", "numbers", "usual()"},
    {"sum", "numbers, and structures of nothing but numbers", "limit_sum()"}};

const KindWords& words_of(LimitKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

void write_limit(JsonWriter& out, const Type& type, const LimitData& limit) {
  switch (limit.kind) {
    case LimitKind::range:
    case LimitKind::usual:
    case LimitKind::sum:
      write_bound(out.name("low"), type, limit.lo);
      write_bound(out.name("high"), type, limit.hi);
      return;
    case LimitKind::each:
      out.name("most").open_list();
      for (std::uint32_t i = 0; i < limit.n; ++i)
        out.json(integer_text(*type.element, limit.each[i]));
      out.close_list();
      return;
    case LimitKind::length:
      out.name("low").number(limit.lo);
      out.name("high").number(limit.hi);
      return;
    case LimitKind::alternatives:
      return write_allowed(out, type, limit.lo);
    case LimitKind::presence:
      out.name("absent").truth((limit.lo & 1) != 0);
      out.name("present").truth((limit.lo & 2) != 0);
      return;
    case LimitKind::names:
      out.name("names").open_list();
      for (std::uint32_t i = 0; i < limit.n; ++i) out.text(limit.names[i]);
      out.close_list();
      return;
  }
}

/// Reads one limit. What it points to lives as long as this.
class LimitReader {
 public:
  LimitData read(const Type& type, const bj::value& value) {
    if (!value.is_object()) fail("it is no object");
    limit_ = &value.get_object();
    const std::string_view kind = text("kind");
    std::size_t number = 0;
    while (number < std::size(kKinds) && kKinds[number].name != kind) ++number;
    if (number == std::size(kKinds))
      fail("'" + std::string(kind) +
           "' is no kind of limit: name range, each, length, alternatives, presence, names, usual "
           "or sum");
    LimitData out;
    out.kind = static_cast<LimitKind>(number);
    if (out.kind == LimitKind::sum) return sum(out, type);
    const std::string_view path = text("at");
    const std::optional<SlotType> place = limited(follow({&type, 0}, path), out.kind);
    if (!place) refuse(out.kind, path);
    out.slot = place->slot;
    fill(out, *place->type);
    return out;
  }

 private:
  [[noreturn]] static void refuse(LimitKind kind, std::string_view path) {
    fail("a limit of kind " + std::string(words_of(kind).name) + " says nothing of '" +
         std::string(path) + "': it is for " + std::string(words_of(kind).meant_for));
  }

  LimitData sum(LimitData out, const Type& type) {
    const bj::value& at = need("at");
    std::vector<SlotType> places;
    const auto add = [&](const bj::value& path) {
      if (!path.is_string()) fail("'at' must be a text, or a list of texts");
      SlotType place = follow({&type, 0}, path.get_string());
      while (place.type->element != nullptr) place = inside(place);
      if (place.type->kind != Kind::structure) {
        if (!speaks_of(out.kind, *place.type)) refuse(out.kind, path.get_string());
        return places.push_back(place);
      }
      if (place.type->fields.empty()) refuse(out.kind, path.get_string());
      for (const Field& field : place.type->fields) {
        if (!speaks_of(out.kind, *field.type)) refuse(out.kind, path.get_string());
        places.push_back({field.type, place.slot});
        place.slot = static_cast<std::uint16_t>(place.slot + field.type->slots);
      }
    };
    if (at.is_array())
      for (const bj::value& path : at.get_array()) add(path);
    else
      add(at);
    if (places.empty()) fail("'at' names nothing");
    const Type& number = *places.front().type;
    for (const SlotType& place : places)
      if (place.type->kind != number.kind || place.type->decimals != number.decimals)
        fail(
            "'at' names numbers of several kinds: a sum is of whole numbers, of amounts, or of "
            "numbers with fractions");
    out.slot =
        std::min_element(places.begin(), places.end(), [](const SlotType& a, const SlotType& b) {
          return a.slot < b.slot;
        })->slot;
    for (const SlotType& place : places) {
      const auto bit = static_cast<unsigned>(place.slot - out.slot);
      if (bit >= kMostSummed) fail(detail::kSumTooWide);
      out.n |= std::uint32_t{1} << bit;
    }
    fill(out, number);
    return out;
  }

  void fill(LimitData& out, const Type& type) {
    switch (out.kind) {
      case LimitKind::range:
      case LimitKind::usual:
      case LimitKind::sum:
        out.lo = bound(type, "low", kLowest);
        out.hi = bound(type, "high", kHighest);
        return;
      case LimitKind::each:
        return each(out, *type.element);
      case LimitKind::length:
        out.lo = length("low", 0);
        out.hi = length("high", kHighest);
        return;
      case LimitKind::alternatives:
        return alternatives(out, type);
      case LimitKind::presence:
        out.lo = (truth("absent") ? 1 : 0) | (truth("present") ? 2 : 0);
        return;
      case LimitKind::names:
        return names(out);
    }
  }

  const bj::value* find(std::string_view name) const { return limit_->if_contains(name); }
  const bj::value& need(std::string_view name) const {
    const bj::value* value = find(name);
    if (value == nullptr) fail("'" + std::string(name) + "' is missing");
    return *value;
  }
  std::string_view text(std::string_view name) const {
    const bj::value& value = need(name);
    if (!value.is_string()) fail("'" + std::string(name) + "' must be a text");
    return std::string_view(value.get_string());
  }
  bool truth(std::string_view name) const {
    const bj::value& value = need(name);
    if (!value.is_bool()) fail("'" + std::string(name) + "' must be true or false");
    return value.get_bool();
  }
  const bj::array& list(std::string_view name) const {
    const bj::value& value = need(name);
    if (!value.is_array()) fail("'" + std::string(name) + "' must be a list");
    return value.get_array();
  }

  std::int64_t integer(const Type& type, std::string_view name, const bj::value& value) const {
    std::int64_t number = 0;
    if (const auto problem = read_value(counted(type), &number, value, Missing::is_wrong))
      fail("'" + std::string(name) + "' " + problem->what);
    return number;
  }
  /// Null and what is left out is no bound.
  std::int64_t bound(const Type& type, std::string_view name, std::int64_t none) const {
    const bj::value* value = find(name);
    const bool is_given = value != nullptr && !value->is_null();
    if (type.kind != Kind::number) return is_given ? integer(type, name, *value) : none;
    const double infinity = std::numeric_limits<double>::infinity();
    if (is_given && !value->is_number()) fail("'" + std::string(name) + "' must be a number");
    return std::bit_cast<std::int64_t>(is_given   ? value->to_number<double>()
                                       : none < 0 ? -infinity
                                                  : infinity);
  }
  std::int64_t length(std::string_view name, std::int64_t none) const {
    const std::int64_t n = bound(type_of<std::int64_t>(), name, none);
    if (n < 0) fail("'" + std::string(name) + "' is below zero");
    return n;
  }

  void each(LimitData& out, const Type& element) {
    std::vector<int>& most = each_.emplace_back();
    std::uint64_t lists = 1;
    for (const bj::value& value : list("most")) {
      const std::int64_t n = integer(element, "most", value);
      if (n < std::numeric_limits<int>::min() || n > std::numeric_limits<int>::max())
        fail("'most' holds a number that is too large");
      most.push_back(static_cast<int>(n));
      lists = detail::times(lists, n < 0 ? 0 : static_cast<std::uint64_t>(n) + 1);
    }
    out.n = static_cast<std::uint32_t>(most.size());
    out.each = most.data();
    out.hi = static_cast<std::int64_t>(lists);
  }

  void alternatives(LimitData& out, const Type& type) {
    const std::vector<std::string> known = choices(type);
    for (const bj::value& value : list("allowed")) {
      std::size_t i = 0;
      if (type.kind == Kind::boolean) {
        if (!value.is_bool()) fail("'allowed' must hold true or false");
        i = value.get_bool() ? 1 : 0;
      } else {
        if (!value.is_string()) fail("'allowed' must hold texts");
        while (i < known.size() && known[i] != std::string_view(value.get_string())) ++i;
        if (i == known.size())
          fail("'" + std::string(std::string_view(value.get_string())) +
               "' in 'allowed' is not an allowed value of the type");
      }
      out.lo |= std::int64_t{1} << i;
    }
  }

  void names(LimitData& out) {
    std::vector<std::string_view>& all = names_.emplace_back();
    for (const bj::value& value : list("names")) {
      if (!value.is_string()) fail("'names' must hold texts");
      all.emplace_back(value.get_string());
    }
    out.n = static_cast<std::uint32_t>(all.size());
    out.names = all.data();
  }

  [[noreturn]] static void fail(std::string problem) {
    throw Error(ErrorKind::invalid, std::move(problem));
  }

  const bj::object* limit_ = nullptr;
  std::deque<std::vector<int>> each_;
  std::deque<std::vector<std::string_view>> names_;
};

std::string need_path(const Type& type, const LimitData& limit) {
  auto path = find_path({&type, 0}, "", limit);
  if (!path)
    throw Error(ErrorKind::invalid, "a limit of kind " + std::string(words_of(limit.kind).name) +
                                        " is at place " + std::to_string(limit.slot) + " of " +
                                        std::string(type.name) +
                                        ", where nothing is that it could limit: it is for " +
                                        std::string(words_of(limit.kind).meant_for));
  return std::move(*path);
}

/// The type of what stands at the slot; null if nothing does. `certain`: every answer has it.
const Type* type_at(const Type& type, std::uint16_t slot, bool& certain) {
  if (type.kind == Kind::structure) {
    for (const Field& field : type.fields) {
      if (slot < field.type->slots) return type_at(*field.type, slot, certain);
      slot = static_cast<std::uint16_t>(slot - field.type->slots);
    }
    return nullptr;
  }
  if (slot == 0) return &type;
  certain = false;
  --slot;
  if (type.element != nullptr) return type_at(*type.element, slot, certain);
  for (const Type* alternative : type.alternatives) {
    if (slot < alternative->slots) return type_at(*alternative, slot, certain);
    slot = static_cast<std::uint16_t>(slot - alternative->slots);
  }
  return nullptr;
}

/// "between 9 and 5", or nothing if that is possible or need not be.
std::string nothing_between(const Type& type, const LimitData& limit) {
  const bool is_length = limit.kind == LimitKind::length;
  if (!is_length && limit.kind != LimitKind::range && limit.kind != LimitKind::sum) return {};
  bool certain = true;
  const Type* at = type_at(type, limit.slot, certain);
  if (at == nullptr || (!certain && limit.kind != LimitKind::sum)) return {};
  const auto say = [](const std::string& lo, const std::string& hi) {
    return "between " + lo + " and " + hi;
  };
  if (is_length || at->kind != Kind::number)
    return limit.lo <= limit.hi
               ? ""
               : say(is_length ? std::to_string(limit.lo) : integer_text(*at, limit.lo),
                     is_length ? std::to_string(limit.hi) : integer_text(*at, limit.hi));
  const auto lo = std::bit_cast<double>(limit.lo), hi = std::bit_cast<double>(limit.hi);
  return lo <= hi ? "" : say(number_text(lo), number_text(hi));
}

}  // namespace

std::string problem_of_limits(const Type& type, std::string_view stage,
                              std::span<const LimitData> limits) {
  if (!may_contradict(limits)) return {};
  const auto at = [&](const LimitData& limit) {
    std::string path;
    if (limit.kind != LimitKind::sum) {
      path = find_path({&type, 0}, "", limit).value_or("");
    } else {
      for (LimitData place = limit; place.n != 0; ++place.slot, place.n >>= 1U)
        if ((place.n & 1U) != 0)
          path += (path.empty() ? "" : ", ") + find_path({&type, 0}, "", place).value_or("");
    }
    return "the limit at '" + path + "' of the stage '" + std::string(stage) + "': ";
  };
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const LimitData& limit = limits[i];
    if (const std::string between = nothing_between(type, limit); !between.empty())
      return at(limit) + "nothing lies " + between + "; the lower bound comes first";
    for (std::size_t k = 0; k < i; ++k) {
      if (!clash(limits[k], limit)) continue;
      const std::string kind(words_of(limit.kind).called);
      if (limits[k].kind == limit.kind)
        return at(limit) + kind +
               " is given twice, and only the first would count; give one that "
               "says both";
      const LimitData& other = limit.kind == LimitKind::each ? limits[k] : limit;
      const std::string ignored(words_of(other.kind).called);
      return at(limit) + ignored +
             " would not count beside limit_each(), which says both the length "
             "and the bounds; leave out one of the two";
    }
  }
  return {};
}

std::string write_limits(const Type& type, std::span<const LimitData> limits) {
  JsonWriter out;
  out.open_list();
  for (const LimitData& limit : limits) {
    if (limit.kind == LimitKind::names && limit.n == 0 &&
        limited(follow({&type, 0}, need_path(type, limit)), limit.kind)->type->decimals != 0)
      continue;  // no prices are listed
    out.open_object().name("at");
    std::string first;
    if (limit.kind == LimitKind::sum) {
      out.open_list();
      for (LimitData place = limit; place.n != 0; ++place.slot, place.n >>= 1U) {
        if ((place.n & 1U) == 0) continue;
        std::string path = need_path(type, place);
        out.text(path);
        if (first.empty()) first = std::move(path);
      }
      out.close_list();
    } else {
      out.text(first = need_path(type, limit));
    }
    out.name("kind").text(words_of(limit.kind).name);
    write_limit(out, *limited(follow({&type, 0}, first), limit.kind)->type, limit);
    out.close_object();
  }
  return out.close_list().take();
}

OwnedLimits read_limits(const Type& type, const bj::value& list) {
  if (!list.is_array()) throw Error(ErrorKind::invalid, "limits are a list");
  LimitReader reader;
  std::vector<LimitData> limits;
  for (const bj::value& value : list.get_array()) {
    try {
      limits.push_back(reader.read(type, value));
    } catch (const Error& error) {
      throw Error(ErrorKind::invalid,
                  "limit " + std::to_string(limits.size()) + ": " + error.problem());
    }
  }
  return limits.empty() ? OwnedLimits() : OwnedLimits(limits);
}

}  // namespace agon::remote
