#include "describe/read.hpp"

#include <fmt/format.h>

#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <array>
#include <boost/json/value.hpp>
#include <cmath>

#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"
#include "text/language.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

/// What a value is in JSON: the same words for a value and for the type that it is read into.
std::string_view form_name(const bj::value& v) {
  constexpr std::array<std::string_view, 8> kByKind{
      "null", "true or false", "a number", "a number", "a number", "a text", "a list", "an object"};
  static_assert(static_cast<int>(bj::kind::object) == 7);
  return kByKind[static_cast<std::size_t>(v.kind())];
}
std::string_view form_name(const Type& type) {
  constexpr std::array<std::string_view, 5> kByForm{"true or false", "a number", "a text", "a list",
                                                    "an object"};
  static_assert(static_cast<int>(detail::JsonForm::object) == 4);
  return kByForm[static_cast<std::size_t>(detail::json_form(type.kind))];
}

/// A value of another form than the one that is wanted.
Saying wanted(std::string_view what, const bj::value& got) {
  return {ArenaLine("must be {wanted}, not {found}"),
          {{"wanted", std::string(what), true}, {"found", std::string(form_name(got)), true}}};
}

constexpr ArenaLine kNoneOfThem("'{value}' is none of {names}");

/// What is said of a list of one element or several that is of the wrong length.
ArenaLine held(bool one, bool at_most) {
  if (at_most)
    return one ? ArenaLine("{n} element, but it holds at most {bound}")
               : ArenaLine("{n} elements, but it holds at most {bound}");
  return one ? ArenaLine("{n} element, but it holds exactly {bound}")
             : ArenaLine("{n} elements, but it holds exactly {bound}");
}

Saying wanted_one_of(const std::vector<std::string>& names, const bj::value& got) {
  return {ArenaLine("must be one of {names}, not {found}"),
          {{"names", fmt::format("{}", fmt::join(names, ", "))},
           {"found", std::string(form_name(got)), true}}};
}

/// What is expected instead of a name that no enumerator has: the nearest one, else all of them
/// where they are few.
std::string right_ones(std::string_view name, const std::vector<std::string>& names) {
  constexpr std::size_t kFew = 12;
  if (names.size() > kFew || !text::nearest(name, names).empty())
    return text::did_you_mean(name, names);
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return "; expected " + list;
}

struct ValueReader {
  Missing missing;
  Unknown unknown = Unknown::is_wrong;
  BorrowedParts* borrowed = nullptr;
  std::vector<FormerName>* former = nullptr;
  std::optional<Problem> problem{};

  /// What only who writes a file is told: players never see it.
  bool fail_file(const json::Path& path, std::string what) {
    problem = Problem{path.str(), std::move(what), Fault::unparsable};
    return false;
  }
  bool fail(const json::Path& path, Saying saying) {
    problem = Problem{path.str(), saying.in(Language::english()), Fault::unparsable, {}};
    problem->saying = std::move(saying);
    return false;
  }
  bool fail(const json::Path& path, ArenaLine sentence, std::vector<Saying::Part> parts = {}) {
    return fail(path, Saying{sentence, std::move(parts)});
  }

  bool read(const Type& type, void* object, const bj::value& v, const json::Path& path) {
    switch (type.kind) {
      case Kind::boolean:
        if (!v.is_bool()) return fail(path, wanted("true or false", v));
        type.set(object, v.get_bool() ? 1 : 0);
        return true;
      case Kind::integer:
        return read_integer(type, object, v, path);
      case Kind::number:
        if (!v.is_number()) return fail(path, wanted("a number", v));
        *static_cast<double*>(object) = v.to_number<double>();
        return true;
      case Kind::text:
        if (type.any_json) return type.set_text(object, json::write(v)), true;
        if (!v.is_string()) return fail(path, wanted("a text", v));
        if (type.can_set_text()) {
          type.set_text(object, std::string_view(v.get_string()));
        } else {
          if (borrowed == nullptr) return fail_file(path, "cannot be read");
          const std::string_view text = borrowed->add_text(v.get_string());
          type.borrow(object, text.data(), text.size());
        }
        return true;
      case Kind::enumeration:
        return read_enumeration(type, object, v, path);
      case Kind::optional:
        if (v.is_null()) return type.resize(object, 0);
        // What is there already stays under partial settings.
        if (type.count(object) == 0) type.resize(object, 1);
        return read(*type.element, type.item(object, 0), v, path);
      case Kind::list:
        return read_list(type, object, v, path);
      case Kind::map: {
        if (!v.is_object()) return fail(path, wanted("an object", v));
        type.resize(object, 0);
        for (const auto& entry : v.get_object())
          if (!read(*type.element, type.emplace(object, entry.key()), entry.value(),
                    path / entry.key()))
            return false;
        return true;
      }
      case Kind::structure: {
        if (!v.is_object()) return fail(path, wanted("an object", v));
        return read_members(type, object, v.get_object(), path, false);
      }
      case Kind::variant:
        return read_variant(type, object, v, path);
    }
    return true;
  }

  bool read_list(const Type& type, void* object, const bj::value& v, const json::Path& path) {
    if (!v.is_array()) return fail(path, wanted("a list", v));
    const bj::array& items = v.get_array();
    if (!type.can_resize()) {
      if (borrowed == nullptr || !type.can_borrow() || !type.element->can_construct())
        return fail_file(path, "cannot be read");
      type.borrow(object, borrowed->add_list(*type.element, items.size()), items.size());
    } else if (type.resize(object, 0); !type.resize(object, items.size())) {
      return fail(path, held(items.size() == 1, type.resize_is_free),
                  {{"n", std::to_string(items.size())}, {"bound", std::to_string(type.capacity)}});
    }
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!read(*type.element, type.item(object, i), items[i], path[i])) return false;
    return true;
  }

  bool read_integer(const Type& type, void* object, const bj::value& v, const json::Path& path) {
    if (!v.is_number())
      return fail(path, wanted(type.decimals != 0 ? "an amount" : "a whole number", v));
    std::int64_t n = 0;
    if (v.is_double() || type.decimals != 0) {
      const double given = v.to_number<double>();
      if (!(std::abs(given) < 9e15)) return fail(path, ArenaLine("is too large"));
      if (type.decimals == 0) {
        if (given != std::round(given)) return fail(path, ArenaLine("must be a whole number"));
        n = static_cast<std::int64_t>(given);
      } else if (!read_cents(given, n)) {
        return fail(path, ArenaLine("has more than two decimals"));
      }
    } else if (v.is_uint64()) {
      if (missing != Missing::keeps) return fail(path, ArenaLine("is too large"));
      return fail(
          path, ArenaLine("{value} is more than {bound}"),
          {{"value", std::to_string(v.get_uint64())}, {"bound", integer_text(type, type.high)}});
    } else {
      n = v.get_int64();
    }
    if (n < type.low || n > type.high) {
      if (missing != Missing::keeps)
        return fail(path, ArenaLine("is out of the range of its type"));
      const bool low = n < type.low;
      return fail(path,
                  low ? ArenaLine("{value} is less than {bound}")
                      : ArenaLine("{value} is more than {bound}"),
                  {{"value", integer_text(type, n)},
                   {"bound", integer_text(type, low ? type.low : type.high)}});
    }
    type.set(object, n);
    return true;
  }

  /// The cents of an amount: those whose decimal form is read as this very double.
  static bool read_cents(double given, std::int64_t& cents) {
    const double scaled = std::round(given * 100);
    for (const double near : {scaled, scaled - 1, scaled + 1}) {
      cents = static_cast<std::int64_t>(near);
      if (near / 100 == given) return true;
    }
    return false;
  }

  bool read_enumeration(const Type& type, void* object, const bj::value& v,
                        const json::Path& path) {
    std::vector<std::string> names;
    for (const Enumerator& e : type.enumerators) names.emplace_back(e.name);
    if (!v.is_string()) return fail(path, wanted_one_of(names, v));
    const std::string_view name(v.get_string());
    for (const Enumerator& e : type.enumerators)
      if (e.name == name) return type.set(object, e.value), true;
    // Players are shown the choices with the question; who writes a file may have misspelt one.
    if (missing == Missing::keeps)
      return fail_file(path, "invalid value '" + std::string(name) + "'" + right_ones(name, names));
    return fail(path, kNoneOfThem,
                {{"value", text::shorten(name, kToldBack)},
                 {"names", fmt::format("{}", fmt::join(names, ", "))}});
  }

  bool read_members(const Type& type, void* object, const bj::object& members,
                    const json::Path& path, bool tagged) {
    for (const auto& entry : members) {
      if (unknown == Unknown::passed_over) break;
      if (tagged && entry.key() == "kind") continue;
      bool known = false;
      for (const Field& f : type.fields) known = known || is_of(f, entry.key());
      if (!known) {
        std::vector<std::string> names;
        for (const Field& f : type.fields) names.emplace_back(f.name);
        fail(path / entry.key(), ArenaLine("is not known here"));
        if (missing == Missing::keeps)
          problem->what = "unknown key '" + text::printable(std::string_view(entry.key())) + "'";
        problem->what += text::did_you_mean(entry.key(), names);
        return false;
      }
    }
    for (const Field& f : type.fields) {
      auto found = members.find(f.name);
      if (!f.former.empty())
        if (const auto before = members.find(f.former); before != members.end()) {
          if (found != members.end())
            return fail_file(path / f.former, fmt::format("'{}' conflicts with '{}', its new name",
                                                          f.former, f.name));
          if (former != nullptr) former->push_back({path / f.former, f.name});
          found = before;
        }
      if (found == members.end()) {
        // What is not written where it is empty need not be there.
        if (missing == Missing::keeps || f.type->kind == Kind::optional || f.left_out) continue;
        return fail(path / f.name, ArenaLine("is missing"));
      }
      if (!read(*f.type, f.at(object), found->value(), path / found->key())) return false;
    }
    return true;
  }

  static bool is_of(const Field& field, std::string_view key) {
    return key == field.name || (key == field.former && !key.empty());
  }

  static bool has_form(const Type& type, const bj::value& v) {
    return type.any_json || form_name(v) == form_name(type);
  }

  bool read_form(const Type& type, void* object, const bj::value& v, const json::Path& path) {
    std::string forms;
    for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
      const Type& alternative = *type.alternatives[i];
      if (has_form(alternative, v)) return read(alternative, type.become(object, i), v, path);
      if (i != 0) forms += i + 1 == type.alternatives.size() ? " or " : ", ";
      forms += form_name(alternative);
    }
    return fail_file(path, wanted(forms, v).in(Language::english()));
  }

  bool read_variant(const Type& type, void* object, const bj::value& v, const json::Path& path) {
    if (type.forms) return read_form(type, object, v, path);
    if (!v.is_object()) return fail(path, wanted("an object", v));
    std::vector<std::string> kinds;
    for (const Type* alternative : type.alternatives) kinds.push_back(kind_of(*alternative));
    const auto tag = v.get_object().find("kind");
    if (tag == v.get_object().end())
      return fail(path / "kind", ArenaLine("is missing; it is one of {names}"),
                  {{"names", fmt::format("{}", fmt::join(kinds, ", "))}});
    if (!tag->value().is_string()) return fail(path / "kind", wanted_one_of(kinds, tag->value()));
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i] == std::string_view(tag->value().get_string()))
        return read_members(*type.alternatives[i], type.become(object, i), v.get_object(), path,
                            true);
    return fail(path / "kind", kNoneOfThem,
                {{"value", text::shorten(std::string_view(tag->value().get_string()), kToldBack)},
                 {"names", fmt::format("{}", fmt::join(kinds, ", "))}});
  }
};

/// The elements of a list that a value borrows.
class Elements {
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
  [[nodiscard]] void* begin() const { return at_; }

 private:
  const Type& type_;
  std::byte* at_;
  std::size_t made_ = 0;
};

}  // namespace

void* BorrowedParts::add_list(const Type& element, std::size_t n) {
  const auto elements = std::make_shared<Elements>(element, n);
  return lists_.emplace_back(elements, elements->begin()).get();
}

std::optional<Problem> read_value(const Type& type, void* object, const bj::value& value,
                                  Missing missing, Unknown unknown, BorrowedParts* parts,
                                  std::vector<FormerName>* former) {
  ValueReader reader{missing, unknown, parts, former};
  reader.read(type, object, value, {});
  return std::move(reader.problem);
}

bool read_recorded(const Type& type, void* object, std::string_view json) {
  try {
    return !read_value(type, object, json::parse(json, ""), Missing::is_wrong,
                       Unknown::passed_over);
  } catch (const Error&) {
    return false;
  }
}

std::shared_ptr<const void> read_back(const Type& type, std::string_view json) {
  auto read = std::make_shared<ReadValue>(ReadValue{Value(type)});
  const bj::value value = json::parse(json, "");
  if (const auto problem = read_value(type, read->value.get(), value, Missing::is_wrong,
                                      Unknown::passed_over, &read->parts))
    throw Error(ErrorKind::failure,
                fmt::format("a '{}' cannot be read: {}", type.name, problem->text()), {},
                "use the version of the game that wrote it");
  const void* const object = read->value.get();
  return {std::move(read), object};
}

std::optional<Problem> read_json(const Type& type, void* object, std::string_view json,
                                 std::span<const LimitData> limits, Missing missing) {
  bj::value value;
  try {
    value = json::parse(json, "answer");
  } catch (const Error& error) {
    return Problem{"",
                   "is not valid JSON: " + std::string(error.what()),
                   Fault::unparsable,
                   {ArenaLine("is not valid JSON"), {}}};
  }
  if (auto problem = read_value(type, object, value, missing)) return problem;
  return find_problem(type, object, limits);
}

}  // namespace agon
