#include "view_value.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>

#include "heard.hpp"

namespace agon::worker {
namespace {

namespace bj = boost::json;

[[noreturn]] void does_not_fit(const std::string& problem) {
  throw Error(ErrorKind::failure, "the arena's value does not fit: " + problem);
}

const Type& makeable(const Type& type) {
  if (!type.can_construct())
    does_not_fit("'" + std::string(type.name) + "' cannot be made without its members");
  return type;
}

}  // namespace

class ViewValue::Elements {
 public:
  Elements(const Type& type, std::size_t n)
      : type_(type), at_(static_cast<std::byte*>(::operator new(type.size* n))) {
    for (; made_ < n; ++made_) type_.construct(at_ + made_ * type_.size);
  }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  ~Elements() {
    while (made_ > 0) type_.destroy(at_ + --made_ * type_.size);
    ::operator delete(at_);
  }
  [[nodiscard]] std::span<const std::byte> view() const { return {at_, made_}; }

 private:
  const Type& type_;
  std::byte* at_;
  std::size_t made_ = 0;
};

ViewValue::ViewValue(const Type& type, const bj::value& json) : value_(makeable(type)) {
  read(type, value_.get(), json);
}

void ViewValue::read(const Type& type, void* at, const bj::value& json) {
  switch (type.kind) {
    case Kind::text:
      if (type.can_set_text()) break;
      *static_cast<std::string_view*>(at) = texts_.emplace_back(json.as_string());
      return;
    case Kind::list:
      return read_list(type, at, json);
    case Kind::optional:
      type.resize(at, json.is_null() ? 0 : 1);
      if (!json.is_null()) read(*type.element, type.item(at, 0), json);
      return;
    case Kind::map:
      type.resize(at, 0);
      for (const auto& [key, value] : json.as_object())
        read(*type.element, type.emplace(at, key), value);
      return;
    case Kind::structure:
      for (const Field& field : type.fields)
        if (const bj::value* member = json.as_object().if_contains(field.name))
          read(*field.type, field.at(at), *member);
      return;
    case Kind::variant:
      if (type.forms) break;
      return read_variant(type, at, json);
    default:
      break;
  }
  read_into(type, at, json);
}

void ViewValue::read_list(const Type& type, void* at, const bj::value& json) {
  const bj::array& items = json.as_array();
  if (type.can_resize()) {
    if (!type.resize(at, items.size())) does_not_fit("a list is too long");
  } else {
    // Of spans alone the length cannot be set; all of them are an address and a number.
    const auto& elements =
        lists_.emplace_back(std::make_shared<Elements>(makeable(*type.element), items.size()));
    const std::span<const std::byte> view = elements->view();
    if (type.size != sizeof(std::span<const std::byte>)) does_not_fit("a list cannot be made");
    std::memcpy(at, &view, type.size);
  }
  for (std::size_t i = 0; i < items.size(); ++i) read(*type.element, type.item(at, i), items[i]);
}

void ViewValue::read_variant(const Type& type, void* at, const bj::value& json) {
  for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
    const Type& alternative = *type.alternatives[i];
    if (std::string_view(json.as_object().at("kind").as_string()) == kind_of(alternative))
      return read(alternative, type.become(at, i), json);
  }
  does_not_fit("it is none of the alternatives");
}

}  // namespace agon::worker
