#include "describe/skinned_types.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <bit>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <limits>
#include <utility>

#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/decimals.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

std::int64_t times(std::int64_t number, std::int64_t scale) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(number, scale, &product)) return product;
  return number < 0 ? std::numeric_limits<std::int64_t>::min()
                    : std::numeric_limits<std::int64_t>::max();
}

std::int64_t times(const Type& number, std::int64_t bound, std::int64_t scale) {
  return number.kind == Kind::number ? std::bit_cast<std::int64_t>(std::bit_cast<double>(bound) *
                                                                   static_cast<double>(scale))
                                     : times(bound, scale);
}

/// The first n bits the other way round.
std::int64_t mirrored(std::int64_t mask, std::size_t n) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < n; ++i)
    out |= (static_cast<std::uint64_t>(mask) >> i & 1U) << (n - 1 - i);
  return static_cast<std::int64_t>(out);
}

}  // namespace

SkinnedTypes::SkinnedTypes(std::shared_ptr<const Skin> skin) : skin_(std::move(skin)) {}

SkinnedTypes::~SkinnedTypes() = default;

std::shared_ptr<SkinnedTypes> SkinnedTypes::of(const std::shared_ptr<const Skin>& skin) {
  using Known = std::map<std::weak_ptr<const Skin>, std::shared_ptr<SkinnedTypes>,
                         std::owner_less<std::weak_ptr<const Skin>>>;
  static std::mutex mutex;
  static Known known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(skin); found != known.end()) return found->second;
  std::erase_if(known, [](const auto& entry) { return entry.first.expired(); });
  // The skin is held by those who ask: what is kept here must not keep it.
  const std::shared_ptr<const Skin> copy = std::make_shared<const Skin>(*skin);
  return known.emplace(skin, std::make_shared<SkinnedTypes>(copy)).first->second;
}

std::string SkinnedTypes::name(std::string_view original) const {
  std::string shown = skin_->shown(original);
  if (original.find(' ') == std::string_view::npos)
    std::replace(shown.begin(), shown.end(), ' ', '_');
  return shown;
}

bool SkinnedTypes::is_reversed() const {
  return skin_->text().order == OptionOrder::reversed;
}

bool SkinnedTypes::is_amount(const Field& field) const {
  const std::int64_t scale = skin_->text().scale;
  if (scale == 1) return false;
  const std::vector<std::string>& places = skin_->text().amounts;
  if (std::ranges::find(places, "\"" + std::string(field.name) + "\":#") != places.end())
    return true;
  return !field.unit.empty() &&
         skin_->shown("2 " + std::string(field.unit)).starts_with(std::to_string(2 * scale) + " ");
}

const Type& SkinnedTypes::made_structure(const Type& type) {
  std::deque<std::string> texts;
  const auto kept = [&](std::string text) -> std::string_view {
    return texts.emplace_back(std::move(text));
  };
  std::vector<Field> fields;
  for (const Field& field : type.fields) {
    const bool amount = is_amount(field);
    Field& out = fields.emplace_back(field);
    out.name = kept(name(field.name));
    out.doc = kept(skin_->shown(field.doc));
    out.unit = kept(skin_->shown(field.unit));
    out.type = &copied(*field.type, amount);
    if (!amount && field.type->decimals != 2) continue;
    out.min *= static_cast<double>(skin_->text().scale);
    out.max *= static_cast<double>(skin_->text().scale);
  }
  // As kind of a variant it has the skin's name too.
  return builder_.structure(name(kind_of(type)), std::move(fields));
}

const Type& SkinnedTypes::made(const Type& type, bool amount) {
  switch (type.kind) {
    case Kind::boolean:
      return builder_.boolean();
    case Kind::integer: {
      if (type.decimals == 2) return builder_.money();
      const std::int64_t factor = amount ? skin_->text().scale : 1;
      return builder_.integer(times(type.low, factor), times(type.high, factor));
    }
    case Kind::number:
      return builder_.number();
    case Kind::text:
      return type.any_json ? builder_.any_json() : builder_.text();
    case Kind::enumeration: {
      std::vector<std::pair<std::string, std::string>> names;
      for (const Enumerator& one : type.enumerators)
        names.emplace_back(name(one.name), skin_->shown(one.doc));
      if (is_reversed()) std::ranges::reverse(names);
      return builder_.enumeration(std::string(type.name), std::move(names));
    }
    case Kind::optional:
      return builder_.optional(copied(*type.element, amount));
    case Kind::list:
      return builder_.list(copied(*type.element, amount), type.capacity, !type.resize_is_free);
    case Kind::map:
      return builder_.map(copied(*type.element, amount));
    case Kind::structure:
      return made_structure(type);
    case Kind::variant: {
      std::vector<const Type*> alternatives;
      for (const Type* one : type.alternatives) alternatives.push_back(&copied(*one, amount));
      return builder_.variant(std::move(alternatives), type.forms);
    }
  }
  return type;
}

const Type& SkinnedTypes::copied(const Type& type, bool amount) {
  const auto found = copies_.find({&type, amount});
  if (found != copies_.end()) return *found->second;
  const Type& copy = made(type, amount);
  copies_.emplace(std::pair{&type, amount}, &copy);
  return copy;
}

const Type& SkinnedTypes::shown(const Type& type) {
  const std::lock_guard lock(mutex_);
  return copied(type, false);
}

bj::value SkinnedTypes::mapped(const Type& type, const bj::value& value, bool amount,
                               bool back) const {
  const auto own_name = [&](std::string_view original, std::string_view there) {
    return there == (back ? name(original) : std::string(original));
  };
  if (value.is_string()) {
    const std::string_view said = value.get_string();
    for (const Enumerator& one : type.enumerators)
      if (own_name(one.name, said))
        return bj::value(back ? bj::string(one.name) : bj::string(name(one.name)));
    if (type.kind != Kind::text) return value;
    return bj::value(back ? skin_->original(said) : skin_->shown(said));
  }
  if (value.is_number() && skin_->text().scale != 1 && (amount || type.decimals == 2))
    return json::parse(text::scaled(json::write(value), skin_->text().scale, back, true), "value");
  if (type.kind == Kind::optional && type.element != nullptr)
    return mapped(*type.element, value, amount, back);
  if (const bj::array* items = value.if_array(); items != nullptr && type.element != nullptr) {
    bj::array out;
    for (const bj::value& item : *items) out.push_back(mapped(*type.element, item, amount, back));
    return out;
  }
  const bj::object* members = value.if_object();
  if (members == nullptr || type.any_json) return value;
  bj::object out;
  if (type.kind == Kind::map) {
    for (const auto& [key, inside] : *members)
      out[back ? skin_->original(key) : skin_->shown(key)] =
          mapped(*type.element, inside, amount, back);
    return out;
  }
  const Type* structure = type.kind == Kind::structure ? &type : nullptr;
  const bj::value* kind = members->if_contains("kind");
  for (const Type* one : type.alternatives)
    if (kind != nullptr && kind->is_string() &&
        own_name(kind_of(*one), std::string_view(kind->get_string()))) {
      structure = one;
      out["kind"] = back ? kind_of(*one) : name(kind_of(*one));
    }
  if (structure == nullptr) return value;
  for (const auto& [key, inside] : *members) {
    const auto field = std::ranges::find_if(
        structure->fields,
        [&, key = std::string_view(key)](const Field& f) { return own_name(f.name, key); });
    if (field != structure->fields.end())
      out[back ? std::string(field->name) : name(field->name)] =
          mapped(*field->type, inside, is_amount(*field), back);
    else if (!out.contains(key))
      out[key] = inside;
  }
  return out;
}

std::string SkinnedTypes::shown(const Type& type, std::string_view json) {
  return json::write(mapped(type, json::parse(json, "a value"), false, false));
}

std::string SkinnedTypes::original(const Type& type, std::string_view json) {
  return json::write(mapped(type, json::parse(json, "an answer"), false, true));
}

void SkinnedTypes::scale(const Type& type, const Field* field, std::uint16_t slot, LimitData& limit,
                         std::vector<int>& each) const {
  const bool amount = type.decimals == 2 || (field != nullptr && is_amount(*field));
  const std::int64_t factor = skin_->text().scale;
  const bool is_here = limit.kind == LimitKind::sum ? counts(limit, slot) : limit.slot == slot;
  switch (type.kind) {
    case Kind::integer:
    case Kind::number:
      if (!is_here || !amount || factor == 1) return;
      if (limit.kind == LimitKind::sum) {
        // All that is counted has one unit: the first says which.
        if (slot != limit.slot + std::countr_zero(limit.n)) return;
      } else if (limit.kind != LimitKind::range && limit.kind != LimitKind::usual) {
        return;
      }
      limit.lo = times(type, limit.lo, factor);
      limit.hi = times(type, limit.hi, factor);
      return;
    case Kind::enumeration:
      if (is_here && limit.kind == LimitKind::alternatives && is_reversed())
        limit.lo = mirrored(limit.lo, type.enumerators.size());
      return;
    case Kind::list:
      if (is_here && limit.kind == LimitKind::each && amount && factor != 1) {
        limit.lo = times(limit.lo, factor);
        for (int& highest : each)
          highest = static_cast<int>(
              std::min<std::int64_t>(times(highest, factor), std::numeric_limits<int>::max()));
      }
      [[fallthrough]];
    case Kind::optional:
    case Kind::map:
      return scale(*type.element, field, static_cast<std::uint16_t>(slot + 1), limit, each);
    case Kind::structure:
      for (const Field& f : type.fields) {
        scale(*f.type, &f, slot, limit, each);
        slot = static_cast<std::uint16_t>(slot + f.type->slots);
      }
      return;
    case Kind::variant:
      for (std::size_t i = 0; i < type.alternatives.size(); ++i)
        scale(*type.alternatives[i], nullptr, alternative_slot(type, slot, i), limit, each);
      return;
    default:
      return;
  }
}

OwnedLimits SkinnedTypes::shown(const Type& type, std::span<const LimitData> limits) {
  std::vector<LimitData> out(limits.begin(), limits.end());
  std::deque<std::vector<int>> each;
  std::deque<std::vector<std::string>> texts;
  std::deque<std::vector<std::string_view>> names;
  for (LimitData& limit : out) {
    std::vector<int>& highest = each.emplace_back();
    if (limit.kind == LimitKind::each) highest.assign(limit.each, limit.each + limit.n);
    scale(type, nullptr, 0, limit, highest);
    if (limit.kind == LimitKind::each) limit.each = highest.data();
    if (limit.kind != LimitKind::names) continue;
    std::vector<std::string>& shown = texts.emplace_back();
    for (std::uint32_t i = 0; i < limit.n; ++i) shown.push_back(skin_->shown(limit.names[i]));
    if (is_reversed()) std::ranges::reverse(shown);
    limit.names = names.emplace_back(shown.begin(), shown.end()).data();
  }
  return OwnedLimits(out);
}

Callback<bool(const void* answer)> SkinnedTypes::shown(const Type& type,
                                                       Callback<bool(const void* answer)> ends) {
  if (ends == nullptr) return {};
  const std::lock_guard lock(mutex_);
  const EndsInSkin& kept = ends_.emplace_back(EndsInSkin{this, &type, ends});
  return {[](const void* self, const void* answer) {
            const auto& in = *static_cast<const EndsInSkin*>(self);
            Value original(*in.type);
            const std::string json = write_json(in.types->shown(*in.type), answer);
            return !read_json(*in.type, original.get(), in.types->original(*in.type, json)) &&
                   in.ends(original.get());
          },
          &kept};
}

}  // namespace agon
