#include "support/typed_tree.hpp"

#include <agon/conversion.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "form/form.hpp"

namespace agon::test {
namespace {

namespace bj = boost::json;

/// "1250.5" as "1,250.5".
std::string with_commas(std::string number) {
  const std::size_t digits = number.starts_with('-') ? 1 : 0;
  std::size_t end = number.find('.');
  if (end == std::string::npos) end = number.size();
  for (std::size_t at = end; at > digits + 3;) number.insert(at -= 3, ",");
  return number;
}

std::string typed_number(const Type& type, const Field* field, std::string number, Dice& dice) {
  if (number.find('e') != std::string::npos) return number;
  // Three decimals after a few digits may be thousands to others.
  const std::size_t point = number.find('.');
  if (point != std::string::npos && number.size() - point == 4) number += '0';
  const bool negative = number.starts_with('-');
  const std::string_view unit = field == nullptr ? std::string_view() : field->unit;
  const bool is_dollars = unit == "dollars" || (unit.empty() && type.decimals == 2);
  switch (dice.below(6)) {
    case 0:
      return with_commas(number);
    case 1:
      return negative ? number : "+" + number;
    case 2:
      if (!is_dollars) return number;
      return (negative ? "-$" : "$") + with_commas(negative ? number.substr(1) : number);
    case 3:
      return unit.empty() ? number : number + " " + std::string(unit);
    case 4:
      return "  " + number + " ";
    default:
      return number;
  }
}

bj::value tree(const Type& type, const Field* field, const void* object, Dice& dice) {
  void* o = const_cast<void*>(object);
  switch (type.kind) {
    case Kind::boolean:
      return type.get(object) != 0;
    case Kind::integer:
    case Kind::number:
      return bj::string(typed_number(type, field, form::entry_text(type, object), dice));
    case Kind::enumeration:
      return bj::string(form::entry_text(type, object));
    case Kind::text:
      return bj::string(type.text(object));
    case Kind::optional:
      if (type.count(object) == 0) return nullptr;
      return tree(*type.element, field, type.item(o, 0), dice);
    case Kind::list: {
      bj::array items;
      for (std::size_t i = 0; i < type.count(object); ++i)
        items.push_back(tree(*type.element, field, type.item(o, i), dice));
      return items;
    }
    case Kind::map: {
      bj::object entries;
      for (std::size_t i = 0; i < type.count(object); ++i)
        entries[type.key(object, i)] = tree(*type.element, field, type.item(o, i), dice);
      return entries;
    }
    case Kind::structure: {
      bj::object members;
      for (const Field& f : type.fields) members[f.name] = tree(*f.type, &f, f.at(o), dice);
      return members;
    }
    case Kind::variant: {
      const Type& held = *type.alternatives[type.index(object)];
      bj::object members{{"kind", kind_of(held)}};
      for (const Field& f : held.fields)
        members[f.name] = tree(*f.type, &f, f.at(type.alternative(o)), dice);
      return members;
    }
  }
  return nullptr;
}

}  // namespace

bj::value typed_tree(const Type& type, const void* object, Dice& dice) {
  return tree(type, nullptr, object, dice);
}

}  // namespace agon::test
