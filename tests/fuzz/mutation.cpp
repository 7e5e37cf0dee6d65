#include "mutation.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::fuzz {
namespace {

namespace bj = boost::json;

/// All values in `of`, itself included.
void collect(bj::value& of, std::vector<bj::value*>& all) {
  all.push_back(&of);
  if (auto* list = of.if_array())
    for (bj::value& element : *list) collect(element, all);
  if (auto* object = of.if_object())
    for (auto& member : *object) collect(member.value(), all);
}

/// Another number near to it, so that it often stays within its range.
void change_number(bj::value& value, Dice& dice) {
  if (dice.below(4) == 0) {
    value = json::parse(odd_number(dice), "");
  } else if (value.is_double()) {
    const double factor[] = {0.5, 2, -1, 0, 1.0001};
    value = value.get_double() * factor[dice.below(5)];
  } else if (value.is_int64() && std::abs(value.get_int64()) < 1'000'000'000) {
    const std::int64_t now = value.get_int64();
    const std::int64_t near[] = {now + 1, now - 1, 2 * now, now / 2, 0, 1, 2, -now};
    value = near[dice.below(8)];
  } else {
    value = 1;
  }
}

bj::value odd_value(Dice& dice) {
  switch (dice.below(8)) {
    case 0:
      return nullptr;
    case 1:
      return dice.below(2) == 0;
    case 2:
      return bj::array{};
    case 3:
      return bj::object{};
    case 4:
      return json::parse(odd_number(dice), "");
    case 5:
      return bj::array{1, "x", nullptr};
    default: {
      // Only text that JSON can hold.
      std::string quoted;
      json::append_string(quoted, odd_text(dice));
      return json::parse(quoted, "");
    }
  }
}

/// A value and the name under which it, or the list that it is in, stands.
struct Named {
  bj::value* value;
  std::string name;
};

void collect(bj::value& of, const std::string& name, std::vector<Named>& all) {
  all.push_back({&of, name});
  if (auto* list = of.if_array())
    for (bj::value& element : *list) collect(element, name, all);
  if (auto* object = of.if_object())
    for (auto& member : *object) collect(member.value(), std::string(member.key()), all);
}

/// A change that keeps the kind of the value, and texts that stand under the same name.
void change_gently(bj::value& root, Dice& dice) {
  std::vector<Named> all;
  collect(root, "", all);
  const Named& named = all[dice.below(all.size())];
  bj::value& value = *named.value;
  if (value.is_number()) return change_number(value, dice);
  if (value.is_bool()) {
    value = !value.get_bool();
  } else if (value.is_string()) {
    std::vector<const bj::value*> others;
    for (const Named& other : all)
      if (other.name == named.name && other.value->is_string()) others.push_back(other.value);
    const bj::value other = *one_of(others, dice);
    value = other;
  } else if (auto* list = value.if_array(); list != nullptr && !list->empty()) {
    auto* const at = list->begin() + dice.below(list->size());
    const bj::value copy = *at;
    switch (dice.below(3)) {
      case 0:
        list->erase(at);
        break;
      case 1:
        list->insert(at, copy);
        break;
      default:
        std::swap(*at, list->front());
        break;
    }
  } else if (auto* object = value.if_object(); object != nullptr && !object->empty()) {
    object->erase(object->begin() + dice.below(object->size()));
  }
}

void change(bj::value& root, Dice& dice) {
  std::vector<bj::value*> all;
  collect(root, all);
  bj::value& value = *all[dice.below(all.size())];
  const bj::value other = *all[dice.below(all.size())];
  if (auto* list = value.if_array(); list != nullptr && !list->empty() && dice.below(3) != 0) {
    auto* const at = list->begin() + dice.below(list->size());
    switch (dice.below(4)) {
      case 0:
        list->erase(at);
        return;
      case 1: {
        const bj::value copy = *at;
        list->insert(at, copy);
        return;
      }
      case 2:
        list->insert(at, other);
        return;
      default:
        std::swap(*at, list->front());
        return;
    }
  }
  if (auto* object = value.if_object();
      object != nullptr && !object->empty() && dice.below(3) != 0) {
    auto* const at = object->begin() + dice.below(object->size());
    const std::string name(at->key());
    switch (dice.below(4)) {
      case 0:
        object->erase(at);
        return;
      case 1:
        at->value() = other;
        return;
      case 2:
        object->emplace(name + "2", bj::value(at->value()));
        return;
      default:
        at->value() = odd_value(dice);
        return;
    }
  }
  if (value.is_number() && dice.below(4) != 0) return change_number(value, dice);
  if (value.is_bool()) {
    value = !value.get_bool();
    return;
  }
  if (dice.below(2) == 0)
    value = other;
  else
    value = odd_value(dice);
}

}  // namespace

void change_bytes(std::string& bytes, Dice& dice) {
  if (bytes.empty()) {
    bytes = "x";
    return;
  }
  for (std::uint64_t n = 1 + dice.below(8); n > 0 && !bytes.empty(); --n) {
    const std::size_t at = dice.below(bytes.size());
    const std::size_t length = 1 + dice.below(std::min<std::size_t>(bytes.size() - at, 16));
    switch (dice.below(7)) {
      case 0:
        bytes[at] = static_cast<char>(dice.below(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << dice.below(8));
        break;
      case 2:
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), length, '\xff');
        break;
      case 3:
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), length, '\0');
        break;
      case 4:
        bytes.erase(at, length);
        break;
      case 5:
        bytes.insert(at, bytes.substr(dice.below(bytes.size()), length));
        break;
      default:
        bytes.resize(at);
        break;
    }
  }
}

std::string odd_number(Dice& dice) {
  static const std::vector<std::string> kNumbers{"0",
                                                 "1",
                                                 "-1",
                                                 "2",
                                                 "3",
                                                 "7",
                                                 "10",
                                                 "15",
                                                 "16",
                                                 "17",
                                                 "32",
                                                 "33",
                                                 "63",
                                                 "64",
                                                 "65",
                                                 "100",
                                                 "255",
                                                 "256",
                                                 "1000",
                                                 "10000",
                                                 "65536",
                                                 "1e300",
                                                 "-1e300",
                                                 "0.5",
                                                 "2147483647",
                                                 "2147483648",
                                                 "-2147483648",
                                                 "1e-9",
                                                 "4294967296",
                                                 "9007199254740993",
                                                 "9223372036854775807",
                                                 "-9223372036854775808",
                                                 "1e15",
                                                 "-0.0"};
  return one_of(kNumbers, dice);
}

std::string odd_text(Dice& dice) {
  switch (dice.below(16)) {
    case 0:
      return "";
    case 1:
      return std::string(1 + dice.below(100'000), 'x');
    case 2:
      return "\xff\xfe not text";
    case 3:
      return std::string("\x1b[2Jcleared\0zero", 16);
    case 4:
      return std::string(5000, '[');
    case 5:
      return "{\"a\":";
    case 6:
      return "[]";
    case 7:
      return "{}";
    case 8:
      return "null";
    case 9:
      return "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]";
    case 10:
      return "{\"agent\":3,\"params\":[]}";
    case 11:
      return "\u202e\u200b\U000E0041";
    case 12:
      return "%s%n{}{:1000000}";
    case 13:
      return "../../../etc/passwd";
    case 14:
      return odd_number(dice);
    default:
      return "finished";
  }
}

std::string change_json(std::string_view text, Dice& dice) {
  try {
    bj::value root = json::parse(text, "");
    const bool gently = dice.below(4) != 0;
    for (std::uint64_t n = 1 + dice.below(2); n > 0; --n)
      gently ? change_gently(root, dice) : change(root, dice);
    return json::write(root);
  } catch (const Error&) {
    std::string other(text);
    change_bytes(other, dice);
    return other;
  }
}

}  // namespace agon::fuzz
