#include "flat.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "describe/limits.hpp"
#include "json/write.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

/// Lists that hold at most so many elements are shown whole.
constexpr std::size_t kWholeList = 16;
/// Integers beyond it are not exact in a double.
constexpr double kExact = 9007199254740992.0;

bool is_choice(Kind kind) {
  return kind == Kind::boolean || kind == Kind::enumeration || kind == Kind::variant ||
         kind == Kind::optional;
}

std::size_t choices(const Type& type) {
  switch (type.kind) {
    case Kind::enumeration:
      return type.enumerators.size();
    case Kind::variant:
      return type.alternatives.size();
    default:
      return 2;
  }
}

/// Bit i: choice i is allowed.
std::uint64_t allowed(const Type& type, std::uint16_t slot, std::span<const LimitData> limits) {
  const std::size_t n = choices(type);
  const std::uint64_t all = n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  return all & (type.kind == Kind::optional ? allowed_presence(slot, limits)
                                            : allowed_mask(slot, limits));
}

/// The number at a place as an index below n; n where it is none.
std::size_t index_at(double number, std::size_t n) {
  if (!(number >= 0) || number != std::floor(number) || number >= static_cast<double>(n)) return n;
  return static_cast<std::size_t>(number);
}

std::string_view kind_name(const Type& type) {
  switch (type.kind) {
    case Kind::boolean:
      return "boolean";
    case Kind::integer:
      return "integer";
    case Kind::number:
      return "number";
    case Kind::text:
      return "seat";
    case Kind::enumeration:
      return "enumeration";
    case Kind::optional:
      return "present";
    case Kind::list:
    case Kind::map:
      return "length";
    case Kind::variant:
      return "variant";
    case Kind::structure:
      break;
  }
  return "";
}

double* zeros(double* out, std::size_t n) {
  std::memset(out, 0, n * sizeof(double));
  return out + n;
}

bj::value bound(double value) {
  if (std::abs(value) > kExact) return nullptr;
  return value;
}

}  // namespace

FlatType::FlatType(const Type& type, std::size_t entries)
    : root_(node(type, nullptr, "", 0, entries)) {
  count_actions(root_);
}

FlatType::FlatNode FlatType::node(const Type& type, const Field* field, std::string path,
                                  std::uint16_t slot, std::size_t entries) {
  FlatNode made{&type, field, std::move(path), slot};
  std::uint16_t at = slot;
  const auto add = [&](const Type& part, const Field* of, const std::string& name) {
    made.below.push_back(node(part, of, made.path + "/" + name, at, entries));
    made.width += made.below.back().width;
  };
  switch (type.kind) {
    case Kind::structure:
      made.width = 0;
      for (const Field& f : type.fields) {
        add(*f.type, &f, std::string(f.name));
        at = static_cast<std::uint16_t>(at + f.type->slots);
      }
      break;
    case Kind::variant:
      ++at;
      for (const Type* alternative : type.alternatives) {
        add(*alternative, nullptr, std::string(alternative->name));
        at = static_cast<std::uint16_t>(at + alternative->slots);
      }
      break;
    case Kind::optional:
      ++at;
      made.below.push_back(node(*type.element, field, made.path, at, entries));
      made.width += made.below.back().width;
      break;
    case Kind::list:
      ++at;
      made.most = type.capacity > 0 && type.capacity <= kWholeList ? type.capacity : entries;
      for (std::size_t i = 0; i < made.most; ++i) add(*type.element, field, std::to_string(i));
      break;
    default:
      break;
  }
  return made;
}

void FlatType::count_actions(FlatNode& node) {
  for (FlatNode& part : node.below) count_actions(part);
  const auto capped = [](std::int64_t n) { return n > kMostActions ? 0 : n; };
  const Type& type = *node.type;
  switch (type.kind) {
    case Kind::boolean:
      node.actions = 2;
      break;
    case Kind::enumeration:
      node.actions = capped(static_cast<std::int64_t>(type.enumerators.size()));
      break;
    case Kind::integer: {
      const IntegerBounds b = integer_bounds(type, node.field, node.slot, {});
      node.first_action = b.lo;
      const double n = static_cast<double>(b.hi) - static_cast<double>(b.lo) + 1;
      node.actions =
          n >= 1 && n <= static_cast<double>(kMostActions) ? static_cast<std::int64_t>(n) : 0;
      break;
    }
    case Kind::optional:
      if (node.below[0].actions > 0) node.actions = capped(1 + node.below[0].actions);
      break;
    case Kind::structure:
      node.actions = 1;
      for (const FlatNode& part : node.below) node.actions = capped(node.actions * part.actions);
      break;
    case Kind::variant:
      for (const FlatNode& part : node.below) {
        if (part.actions == 0) {
          node.actions = 0;
          return;
        }
        node.actions += part.actions;
      }
      node.actions = capped(node.actions);
      break;
    default:
      break;
  }
}

bj::array FlatType::columns() const {
  bj::array all;
  add_columns(root_, all);
  return all;
}

void FlatType::add_columns(const FlatNode& node, bj::array& out) {
  const Type& type = *node.type;
  if (type.kind != Kind::structure) {
    const std::string path = node.path + (type.kind == Kind::optional ? "?" : "");
    bj::object column{{"path", path}, {"kind", kind_name(type)}};
    const bool is_own = node.field != nullptr && node.field->type == &type;
    column["doc"] = is_own ? node.field->doc : "";
    column["unit"] = is_own ? node.field->unit : "";
    column["decimals"] = type.decimals;
    bj::value low = nullptr, high = nullptr;
    bj::array names;
    if (type.kind == Kind::integer) {
      const IntegerBounds b = integer_bounds(type, node.field, node.slot, {});
      low = bound(static_cast<double>(b.lo)), high = bound(static_cast<double>(b.hi));
    } else if (type.kind == Kind::number) {
      const NumberBounds b = number_bounds(node.field, node.slot, {});
      low = bound(b.lo), high = bound(b.hi);
    } else if (is_choice(type.kind)) {
      low = 0, high = choices(type) - 1;
      for (const Enumerator& e : type.enumerators) names.emplace_back(e.name);
      for (const Type* alternative : type.alternatives) names.emplace_back(alternative->name);
    } else if (type.kind == Kind::list) {
      const LengthBounds b = length_bounds(type, node.field, node.slot, {});
      low = b.lo, high = bound(static_cast<double>(b.hi));
    }
    column["low"] = std::move(low);
    column["high"] = std::move(high);
    column["names"] = std::move(names);
    out.push_back(std::move(column));
  }
  for (const FlatNode& part : node.below) add_columns(part, out);
}

void FlatType::write(const void* object, std::span<const std::string_view> seats,
                     double* out) const {
  write(root_, object, seats, out);
}

double* FlatType::write(const FlatNode& node, const void* object,
                        std::span<const std::string_view> seats, double* out) {
  const Type& type = *node.type;
  auto* const at = const_cast<void*>(object);
  switch (type.kind) {
    case Kind::structure:
      for (std::size_t i = 0; i < node.below.size(); ++i)
        out = write(node.below[i], type.fields[i].at(at), seats, out);
      return out;
    case Kind::optional: {
      const bool is_there = type.count(at) != 0;
      *out++ = is_there ? 1 : 0;
      return is_there ? write(node.below[0], type.item(at, 0), seats, out)
                      : zeros(out, node.width - 1);
    }
    case Kind::list: {
      const std::size_t n = type.count(at);
      const std::size_t first = n > node.most ? n - node.most : 0;
      *out++ = static_cast<double>(n);
      for (std::size_t i = first; i < n; ++i)
        out = write(node.below[i - first], type.item(at, i), seats, out);
      for (std::size_t i = n - first; i < node.most; ++i) out = zeros(out, node.below[i].width);
      return out;
    }
    case Kind::variant: {
      const std::size_t held = type.index(at);
      *out++ = static_cast<double>(held);
      for (std::size_t i = 0; i < node.below.size(); ++i)
        out = i == held ? write(node.below[i], type.alternative(at), seats, out)
                        : zeros(out, node.below[i].width);
      return out;
    }
    case Kind::text: {
      const auto found = std::find(seats.begin(), seats.end(), type.text(at));
      *out++ = found == seats.end() ? -1 : static_cast<double>(found - seats.begin());
      return out;
    }
    case Kind::map:
      *out++ = static_cast<double>(type.count(at));
      return out;
    case Kind::number:
      *out++ = *static_cast<const double*>(object);
      return out;
    case Kind::enumeration:
      *out++ = static_cast<double>(enumerator_index(type, type.get(at)));
      return out;
    default:
      *out++ = static_cast<double>(type.get(at));
      return out;
  }
}

void FlatType::bounds(std::span<const LimitData> limits, double* low, double* high,
                      std::uint64_t* mask) const {
  Bounds out{limits, low, high, mask};
  bounds(root_, out);
}

void FlatType::bounds(const FlatNode& node, Bounds& out) {
  const Type& type = *node.type;
  if (is_choice(type.kind)) {
    const std::uint64_t may_be = allowed(type, node.slot, out.limits);
    out.put_choice(may_be);
    for (std::size_t i = 0; i < node.below.size(); ++i) {
      // What cannot be chosen now may have bounds that hold nothing.
      const std::size_t choice = type.kind == Kind::optional ? 1 : i;
      if ((may_be >> choice & 1U) != 0)
        bounds(node.below[i], out);
      else
        for (std::size_t k = 0; k < node.below[i].width; ++k) out.put(0, 0, 0);
    }
    return;
  }
  if (type.kind == Kind::integer) {
    const IntegerBounds b = integer_bounds(type, node.field, node.slot, out.limits);
    out.put(static_cast<double>(b.lo), static_cast<double>(b.hi), 0);
  } else if (type.kind == Kind::number) {
    const NumberBounds b = number_bounds(node.field, node.slot, out.limits);
    out.put(b.lo, b.hi, 0);
  } else if (type.kind == Kind::text) {
    const LimitData* names = limit_at(out.limits, node.slot, LimitKind::names);
    const std::uint32_t n = names == nullptr ? 0 : std::min(names->n, std::uint32_t{63});
    out.put_choice((std::uint64_t{1} << n) - 1);
  } else if (type.kind == Kind::list) {
    const LengthBounds b = length_bounds(type, node.field, node.slot, out.limits);
    out.put(static_cast<double>(b.lo), static_cast<double>(std::min(b.hi, node.most)), 0);
    const LimitData* each = limit_at(out.limits, node.slot, LimitKind::each);
    for (std::size_t i = 0; i < node.below.size(); ++i) {
      if (each == nullptr) {
        bounds(node.below[i], out);
      } else {
        out.put(static_cast<double>(each->lo),
                i < each->n ? static_cast<double>(each->each[i]) : static_cast<double>(each->lo),
                0);
      }
    }
    return;
  } else if (type.kind == Kind::map) {
    out.put(0, 0, 0);
  }
  for (const FlatNode& part : node.below) bounds(part, out);
}

bool FlatType::read(const double* in, void* object, std::span<const LimitData> limits) const {
  return read(root_, in, object, limits);
}

bool FlatType::read_list(const FlatNode& node, const double*& in, void* object,
                         std::span<const LimitData> limits) {
  const Type& type = *node.type;
  const std::size_t n = index_at(*in++, node.most + 1);
  if (n > node.most || !type.resize(object, n)) return false;
  for (std::size_t i = 0; i < node.most; ++i) {
    if (i >= n)
      in += node.below[i].width;
    else if (!read(node.below[i], in, type.item(object, i), limits))
      return false;
  }
  return true;
}

bool FlatType::read_variant(const FlatNode& node, const double*& in, void* object,
                            std::span<const LimitData> limits) {
  const Type& type = *node.type;
  const std::size_t held = index_at(*in++, node.below.size());
  if (held == node.below.size()) return false;
  void* const inside = type.become(object, held);
  for (std::size_t i = 0; i < node.below.size(); ++i) {
    if (i != held)
      in += node.below[i].width;
    else if (!read(node.below[i], in, inside, limits))
      return false;
  }
  return true;
}

bool FlatType::read(const FlatNode& node, const double*& in, void* object,
                    std::span<const LimitData> limits) {
  const Type& type = *node.type;
  switch (type.kind) {
    case Kind::structure:
      for (std::size_t i = 0; i < node.below.size(); ++i)
        if (!read(node.below[i], in, type.fields[i].at(object), limits)) return false;
      return true;
    case Kind::optional: {
      const std::size_t is_there = index_at(*in++, 2);
      if (is_there == 2 || !type.resize(object, is_there)) return false;
      if (is_there == 1) return read(node.below[0], in, type.item(object, 0), limits);
      in += node.width - 1;
      return true;
    }
    case Kind::list:
      return read_list(node, in, object, limits);
    case Kind::variant:
      return read_variant(node, in, object, limits);
    case Kind::text: {
      const LimitData* names = limit_at(limits, node.slot, LimitKind::names);
      const double number = *in++;
      if (names == nullptr) return number == 0;  // as the fallback has it
      const std::size_t i = index_at(number, names->n);
      if (i == names->n || !type.can_set_text()) return false;
      type.set_text(object, names->names[i]);
      return true;
    }
    case Kind::map:
      return *in++ == 0;
    case Kind::number: {
      const double number = *in++;
      if (!std::isfinite(number)) return false;
      *static_cast<double*>(object) = number;
      return true;
    }
    case Kind::enumeration: {
      const std::size_t i = index_at(*in++, type.enumerators.size());
      if (i == type.enumerators.size()) return false;
      type.set(object, type.enumerators[i].value);
      return true;
    }
    default: {
      const double number = *in++;
      if (!(std::abs(number) <= kExact) || number != std::floor(number)) return false;
      const auto whole = static_cast<std::int64_t>(number);
      if (whole < type.low || whole > type.high) return false;
      type.set(object, whole);
      return true;
    }
  }
}

std::string FlatType::json(const double* in) const {
  return json::write(json(root_, in));
}

bj::value FlatType::json(const FlatNode& node, const double*& in) {
  const Type& type = *node.type;
  if (type.kind == Kind::structure) {
    bj::object all;
    for (std::size_t i = 0; i < node.below.size(); ++i)
      all[type.fields[i].name] = json(node.below[i], in);
    return all;
  }
  const double* const end = in + node.width;
  const double number = *in++;
  bj::value out = std::isfinite(number) ? bj::value(number / (type.decimals == 2 ? 100 : 1))
                                        : bj::value(std::isnan(number) ? "NaN" : "infinity");
  if (is_choice(type.kind) && type.kind != Kind::boolean) {
    const std::size_t n = index_at(number, choices(type));
    if (type.kind == Kind::enumeration && n < choices(type)) out = type.enumerators[n].name;
    if (type.kind == Kind::optional && n == 0) out = nullptr;
    if (type.kind == Kind::optional && n == 1) out = json(node.below[0], in);
    if (type.kind == Kind::variant && n < choices(type)) {
      for (std::size_t i = 0; i < n; ++i) in += node.below[i].width;
      out = json(node.below[n], in);
      if (out.is_object() && !type.forms) out.as_object()["kind"] = type.alternatives[n]->name;
    }
  } else if (type.kind == Kind::list && index_at(number, node.most + 1) <= node.most) {
    bj::array items;
    for (std::size_t i = 0; i < static_cast<std::size_t>(number); ++i)
      items.push_back(json(node.below[i], in));
    out = std::move(items);
  }
  in = end;
  return out;
}

std::optional<std::int64_t> FlatType::actions() const {
  if (root_.actions == 0) return std::nullopt;
  return root_.actions;
}

void FlatType::act(std::int64_t action, void* object) const {
  act(root_, action, object);
}

void FlatType::act(const FlatNode& node, std::int64_t action, void* object) {
  const Type& type = *node.type;
  switch (type.kind) {
    case Kind::structure:
      for (std::size_t i = node.below.size(); i-- > 0;) {
        act(node.below[i], action % node.below[i].actions, type.fields[i].at(object));
        action /= node.below[i].actions;
      }
      return;
    case Kind::variant:
      for (std::size_t i = 0; i < node.below.size(); ++i) {
        if (action < node.below[i].actions)
          return act(node.below[i], action, type.become(object, i));
        action -= node.below[i].actions;
      }
      return;
    case Kind::optional:
      type.resize(object, action == 0 ? 0 : 1);
      if (action > 0) act(node.below[0], action - 1, type.item(object, 0));
      return;
    case Kind::enumeration:
      type.set(object, type.enumerators[static_cast<std::size_t>(action)].value);
      return;
    case Kind::integer:
      type.set(object, node.first_action + action);
      return;
    default:
      type.set(object, action);
      return;
  }
}

}  // namespace agon
