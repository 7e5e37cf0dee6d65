#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <utility>

#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "form/form.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/language.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
using form::AnswerPart;

/// The longest part of a meaning that is a label.
constexpr std::size_t kLongestLabel = 60;
/// Texts that may be longer than this have room for lines.
constexpr std::size_t kOneLine = 100;

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// What stands over an entry, and what is said of it below.
struct Heading {
  std::string label;
  std::string doc;
};

/// Names are made for programs and English; what the first part of the meaning says, if it says it
/// in a few words, is a better label.
Heading heading_of(const Field& field, const Language& language) {
  const std::string doc = form::doc_for_people(field, language);
  Heading heading{capitalised(form::name_for_people(field.name)), doc};
  const Type& type = field.type->kind == Kind::optional ? *field.type->element : *field.type;
  if (type.kind == Kind::boolean) return heading;
  std::size_t end = doc.size(), rest = doc.size();
  for (const std::string_view stop : {"; ", "\uff1b"})
    if (const std::size_t at = doc.find(stop); at < end) end = at, rest = at + stop.size();
  const std::string first = doc.substr(0, end);
  const bool explains = first.find(':') != std::string::npos ||
                        first.find("\uff1a") != std::string::npos || first.empty();
  if (explains || text::width(first) > kLongestLabel) return heading;
  return {capitalised(text::printable(first)), doc.substr(rest)};
}

bj::value length_json(std::size_t n) {
  return n == std::numeric_limits<std::size_t>::max() ? bj::value() : bj::value(n);
}

class Describer {
 public:
  explicit Describer(const Language& language) : language_(language) {}

  /// The form as a whole, with the sums that its numbers are counted by.
  bj::object form(const Type& type, std::span<const LimitData> limits) const {
    bj::object out = node({&type, nullptr, 0, limits});
    bj::array sums;
    for (const LimitData& limit : limits) {
      if (limit.kind != LimitKind::sum) continue;
      const SumHolder holder = holder_of(limit, type);
      const bool is_real = holder.number->kind == Kind::number;
      const SumBounds b = sum_bounds(limit, *holder.number);
      const auto bound = [&](const std::string& text, std::int64_t v) {
        return text.empty() ? bj::value()
               : is_real    ? json::parse(text, "bound")
                            : number(*holder.number, v);
      };
      sums.push_back({{"min", bound(b.lo, limit.lo)},
                      {"max", bound(b.hi, limit.hi)},
                      {"words", sum_in_words(limit, holder, language_)}});
    }
    if (!sums.empty()) out["sums"] = std::move(sums);
    return out;
  }

  bj::object node(const AnswerPart& place) const {
    bj::object out = bare(place);
    bj::array counted;
    std::int64_t number = 0;
    for (const LimitData& limit : place.limits) {
      if (limit.kind != LimitKind::sum) continue;
      if (counts(limit, place.slot) &&
          (place.type->kind == Kind::integer || place.type->kind == Kind::number))
        counted.push_back(number);
      ++number;
    }
    if (!counted.empty()) out["counted"] = std::move(counted);
    return out;
  }

 private:
  bj::object bare(const AnswerPart& place) const {
    const Type& type = *place.type;
    switch (type.kind) {
      case Kind::boolean:
        return boolean(place);
      case Kind::integer: {
        const IntegerBounds b = integer_bounds(type, place.field, place.slot, place.limits);
        return {{"kind", type.decimals == 0 ? "integer" : "money"},
                {"unit", unit(place)},
                {"min", b.lo > type.low ? number(type, b.lo) : bj::value()},
                {"max", b.hi < type.high ? number(type, b.hi) : bj::value()},
                {"step", type.decimals == 0 ? bj::value(1) : bj::value(0.01)}};
      }
      case Kind::number: {
        const NumberBounds b = number_bounds(place.field, place.slot, place.limits);
        return {{"kind", "number"},
                {"unit", unit(place)},
                {"min", std::isfinite(b.lo) ? bj::value(b.lo) : bj::value()},
                {"max", std::isfinite(b.hi) ? bj::value(b.hi) : bj::value()},
                {"step", nullptr}};
      }
      case Kind::enumeration:
        return choice(place);
      case Kind::text: {
        if (limit_at(place.limits, place.slot, LimitKind::names) != nullptr) return choice(place);
        const LengthBounds b = length_bounds(type, place.field, place.slot, place.limits);
        return {{"kind", "text"},
                {"min", b.lo},
                {"max", length_json(b.hi)},
                {"lines", b.hi > kOneLine}};
      }
      case Kind::optional: {
        const unsigned may = allowed_presence(place.slot, place.limits);
        return {{"kind", "optional"},
                {"may_be_absent", (may & 1U) != 0},
                {"may_be_present", (may & 2U) != 0},
                {"node", node(form::inside(place))}};
      }
      case Kind::list:
        return list(place);
      case Kind::map:
        return map(place);
      case Kind::structure:
        return structure(type, place.slot, place.limits);
      case Kind::variant:
        return variant(place);
    }
    return {};
  }

  [[nodiscard]] std::string unit(const AnswerPart& place) const {
    return place.field == nullptr ? std::string()
                                  : std::string(language_.own_text(place.field->unit));
  }

  static bj::value number(const Type& type, std::int64_t value) {
    if (type.decimals == 0) return value;
    return value % 100 == 0 ? bj::value(value / 100) : bj::value(static_cast<double>(value) / 100);
  }

  static bj::object boolean(const AnswerPart& place) {
    const std::uint64_t mask = allowed_mask(place.slot, place.limits);
    bj::array choices;
    if ((mask & 2U) != 0) choices.emplace_back("yes");
    if ((mask & 1U) != 0) choices.emplace_back("no");
    return {{"kind", "boolean"}, {"choices", std::move(choices)}};
  }

  [[nodiscard]] bj::object choice(const AnswerPart& place) const {
    bj::array choices;
    for (const form::Choice& c : form::choices_at(place)) {
      // Enumerators are named by the game's author, texts by the players or by its data.
      const bool named = place.type->kind == Kind::enumeration;
      choices.push_back({{"name", c.name},
                         {"label", text::printable(named ? form::name_for_people(c.name) : c.name)},
                         {"doc", language_.own_text(c.doc)}});
    }
    return {{"kind", "choice"}, {"choices", std::move(choices)}};
  }

  [[nodiscard]] bj::object structure(const Type& type, std::uint16_t slot,
                                     std::span<const LimitData> limits) const {
    bj::array fields;
    for (const Field& f : type.fields) {
      const Heading heading = heading_of(f, language_);
      fields.push_back({{"name", f.name},
                        {"label", heading.label},
                        {"doc", text::printable(heading.doc)},
                        {"node", node({f.type, &f, slot, limits})}});
      slot = static_cast<std::uint16_t>(slot + f.type->slots);
    }
    return {{"kind", "struct"}, {"fields", std::move(fields)}};
  }

  [[nodiscard]] bj::object variant(const AnswerPart& place) const {
    const Type& type = *place.type;
    const std::uint64_t mask = allowed_mask(place.slot, place.limits);
    bj::array choices;
    for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
      if ((mask >> i & 1U) == 0) continue;
      const std::string kind = kind_of(*type.alternatives[i]);
      choices.push_back({{"name", kind},
                         {"label", capitalised(form::name_for_people(kind))},
                         {"doc", ""},
                         {"node", structure(*type.alternatives[i],
                                            alternative_slot(type, place.slot, i), place.limits)}});
    }
    return {{"kind", "variant"}, {"choices", std::move(choices)}};
  }

  [[nodiscard]] bj::object list(const AnswerPart& place) const {
    const LengthBounds b = length_bounds(*place.type, place.field, place.slot, place.limits);
    bj::value each;
    if (const LimitData* l = limit_at(place.limits, place.slot, LimitKind::each)) {
      bj::array& highest = each.emplace_array();
      for (std::uint32_t i = 0; i < l->n; ++i)
        highest.push_back(number(*place.type->element, l->each[i]));
    }
    // Each element of an `each` lies above the same bound; the others are in the list.
    std::vector<LimitData> narrowed;
    const AnswerPart element =
        each.is_null() ? form::inside(place) : lowest_of_each(place, narrowed);
    return {{"kind", "list"},
            {"min", b.lo},
            {"max", length_json(b.hi)},
            {"each", std::move(each)},
            {"node", node(element)}};
  }

  static AnswerPart lowest_of_each(const AnswerPart& list, std::vector<LimitData>& narrowed) {
    AnswerPart place = form::inside(list);
    LimitData own;
    own.slot = place.slot;
    own.lo = limit_at(list.limits, list.slot, LimitKind::each)->lo;
    own.hi = std::numeric_limits<std::int64_t>::max();
    if (const LimitData* range = limit_at(list.limits, place.slot, LimitKind::range)) {
      own.lo = std::max(own.lo, range->lo);
      own.hi = range->hi;
    }
    narrowed.assign(1, own);
    narrowed.insert(narrowed.end(), list.limits.begin(), list.limits.end());
    place.limits = narrowed;
    return place;
  }

  [[nodiscard]] bj::object map(const AnswerPart& place) const {
    const LengthBounds b = length_bounds(*place.type, place.field, place.slot, place.limits);
    bj::value keys;
    if (const LimitData* l = limit_at(place.limits, place.slot, LimitKind::names)) {
      bj::array& names = keys.emplace_array();
      for (std::uint32_t i = 0; i < l->n; ++i) names.push_back(bj::string(l->names[i]));
    }
    return {{"kind", "map"},
            {"keys", std::move(keys)},
            {"min", b.lo},
            {"max", length_json(b.hi)},
            {"node", node(form::inside(place))}};
  }

  const Language& language_;
};

}  // namespace

bj::object form_description(const Type& type, std::span<const LimitData> limits,
                            const Language& language) {
  return Describer(language).form(type, limits);
}

namespace {

namespace bj = boost::json;
using form::AnswerPart;

constexpr std::size_t kMostProblems = 50;

/// Reads one place after another, each with what was typed there: null where nothing was.
class TypedReader {
 public:
  explicit TypedReader(const Language& language) : language_(language) {}

  /// `alone`: nothing is asked for beside it.
  void read(const AnswerPart& place, const bj::value* typed, bool alone = false) {
    if (answer.problems.size() >= kMostProblems) return;
    const Type& type = *place.type;
    if (type.kind == Kind::optional) return optional(place, typed, alone);
    if (form::fits_a_line(type)) return entry(place, typed);
    switch (type.kind) {
      case Kind::structure:
        if (const bj::object* members = object(typed)) {
          answer.json += '{';
          read_members(type, place.slot, place.limits, *members, true);
          answer.json += '}';
        }
        return;
      case Kind::variant:
        return variant(place, typed);
      case Kind::list:
        return list(place, typed);
      default:
        return map(place, typed);
    }
  }

  TypedAnswer answer;

 private:
  /// A step of the path, for its life.
  class Within {
   public:
    Within(TypedReader& reader, std::string_view step)
        : path_(reader.path_), before_(path_.size()) {
      path_ += '/';
      for (const char c : text::shorten(step, kToldBack)) {
        if (c == '~' || c == '/')
          path_ += c == '~' ? "~0" : "~1";
        else
          path_ += c;
      }
    }
    ~Within() { path_.resize(before_); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    std::string& path_;
    std::size_t before_;
  };

  void fail(std::string problem) {
    if (answer.problems.size() < kMostProblems)
      answer.problems.push_back({path_, std::move(problem)});
  }
  void fail(ArenaLine sentence) { fail(std::string(language_.text(sentence))); }

  static bool is_nothing(const bj::value* typed) { return typed == nullptr || typed->is_null(); }

  void entry(const AnswerPart& place, const bj::value* typed) {
    if (is_nothing(typed)) {
      return fail(form::choices_at(place).empty() && place.type->kind != Kind::boolean
                      ? ArenaLine("something has to be entered here")
                      : ArenaLine("choose one of these"));
    }
    std::string_view line;
    if (typed->is_bool() && place.type->kind == Kind::boolean)
      line = typed->get_bool() ? "yes" : "no";
    else if (typed->is_string())
      line = typed->get_string();
    else
      return fail(ArenaLine("this is not what the form asks for"));
    form::Typed read = form::read_entry(place, line, language_);
    if (read.problem.empty())
      answer.json += read.json;
    else
      fail(std::move(read.problem));
  }

  void optional(const AnswerPart& place, const bj::value* typed, bool alone) {
    const Type& element = *place.type->element;
    const unsigned may = allowed_presence(place.slot, place.limits);
    // Only what was chosen is none: an entry that was chosen and left empty is not, and neither is
    // the one entry of an answer that nobody has touched.
    if (typed == nullptr && alone && may == 3U) return fail(ArenaLine("choose one of these"));
    const bool absent = typed == nullptr || is_nothing(typed) ||
                        (typed->is_string() && element.kind != Kind::text &&
                         form::trim(typed->get_string()) == "none");
    if (absent) {
      if ((may & 1U) == 0) return fail(ArenaLine("something has to be entered here"));
      answer.json += "null";
    } else if ((may & 2U) == 0) {
      fail(ArenaLine("nothing can be entered here now"));
    } else {
      read(form::inside(place), typed);
    }
  }

  const bj::object* object(const bj::value* typed) {
    if (typed != nullptr && typed->is_object()) return &typed->get_object();
    fail(is_nothing(typed) ? ArenaLine("something has to be entered here")
                           : ArenaLine("this is not what the form asks for"));
    return nullptr;
  }

  void read_members(const Type& type, std::uint16_t slot, std::span<const LimitData> limits,
                    const bj::object& members, bool first) {
    std::size_t known = first ? 0 : 1;  // an alternative's kind
    for (const Field& f : type.fields) {
      if (!std::exchange(first, false)) answer.json += ',';
      json::append_string(answer.json, f.name);
      answer.json += ':';
      const bj::value* member = members.if_contains(f.name);
      known += member != nullptr ? 1 : 0;
      {
        const Within within(*this, f.name);
        read({f.type, &f, slot, limits}, member, type.fields.size() == 1);
      }
      slot = static_cast<std::uint16_t>(slot + f.type->slots);
    }
    if (known != members.size()) refuse_unknown(type, members);
  }

  void refuse_unknown(const Type& type, const bj::object& members) {
    for (const auto& member : members) {
      bool known = false;
      for (const Field& f : type.fields) known = known || f.name == std::string_view(member.key());
      const Within within(*this, member.key());
      if (!known && member.key() != "kind") fail(ArenaLine("is not known here"));
    }
  }

  void variant(const AnswerPart& place, const bj::value* typed) {
    const Type& type = *place.type;
    const bj::object* members = object(typed);
    if (members == nullptr) return;
    const bj::value* kind = members->if_contains("kind");
    form::Typed chosen;
    if (is_nothing(kind))
      chosen.problem = language_.text(ArenaLine("choose one of these"));
    else if (!kind->is_string())
      chosen.problem = language_.text(ArenaLine("this is not what the form asks for"));
    else
      chosen = form::read_choice(form::choices_at(place), kind->get_string(), language_);
    if (!chosen.problem.empty()) {
      const Within within(*this, "kind");
      return fail(std::move(chosen.problem));
    }
    const std::string_view name = std::string_view(chosen.json).substr(1, chosen.json.size() - 2);
    std::size_t i = 0;
    while (kind_of(*type.alternatives[i]) != name) ++i;
    answer.json += "{\"kind\":" + chosen.json;
    read_members(*type.alternatives[i], alternative_slot(type, place.slot, i), place.limits,
                 *members, false);
    answer.json += '}';
  }

  /// False where there are too few or too many.
  bool has_length(const AnswerPart& place, std::size_t n) {
    const LengthBounds b = length_bounds(*place.type, place.field, place.slot, place.limits);
    if (n >= b.lo && n <= b.hi) return true;
    fail(length_problem(place.type->kind, n, b.lo, b.hi, language_));
    return false;
  }

  void list(const AnswerPart& place, const bj::value* typed) {
    if (typed == nullptr || !typed->is_array())
      return fail(is_nothing(typed) ? ArenaLine("something has to be entered here")
                                    : ArenaLine("this is not what the form asks for"));
    const bj::array& items = typed->get_array();
    if (!has_length(place, items.size())) return;
    answer.json += '[';
    for (std::size_t i = 0; i < items.size() && answer.problems.size() < kMostProblems; ++i) {
      if (i != 0) answer.json += ',';
      std::vector<LimitData> narrowed;
      const AnswerPart element = form::element_at(place, i, narrowed);
      const Within within(*this, std::to_string(i));
      read(element, &items[i]);
    }
    answer.json += ']';
  }

  void map(const AnswerPart& place, const bj::value* typed) {
    const bj::object* members = object(typed);
    if (members == nullptr) return;
    const LimitData* names = limit_at(place.limits, place.slot, LimitKind::names);
    if (names == nullptr && !has_length(place, members->size())) return;
    answer.json += '{';
    bool first = true;
    const auto member = [&](std::string_view key, const bj::value* value) {
      if (!std::exchange(first, false)) answer.json += ',';
      json::append_string(answer.json, key);
      answer.json += ':';
      const Within within(*this, key);
      read(form::inside(place), value);
    };
    const std::span keys =
        names == nullptr ? std::span<const std::string_view>() : std::span(names->names, names->n);
    for (const std::string_view key : keys) member(key, members->if_contains(key));
    for (const auto& given : *members) {
      if (answer.problems.size() >= kMostProblems) return;
      if (names == nullptr) {
        member(given.key(), &given.value());
      } else if (std::find(keys.begin(), keys.end(), std::string_view(given.key())) == keys.end()) {
        const Within within(*this, given.key());
        fail(ArenaLine("is not known here"));
      }
    }
    answer.json += '}';
  }

  const Language& language_;
  std::string path_;
};

}  // namespace

TypedAnswer read_typed(const Type& type, std::span<const LimitData> limits, const bj::value& typed,
                       const Language& language) {
  TypedReader reader(language);
  reader.read({&type, nullptr, 0, limits}, &typed);
  TypedAnswer answer = std::move(reader.answer);
  if (answer.problems.empty()) {
    // What no entry shows by itself.
    const Value value(type);
    void* at = const_cast<void*>(value.get());
    if (const auto problem = read_json(type, at, answer.json, limits)) {
      if (auto broken = find_broken_sum(type, at, limits);
          broken && !problem->saying.sentence.empty()) {
        std::string path;
        for (const std::string& step : broken->path) path += "/" + step;
        answer.problems.push_back({std::move(path), broken->what.in(language)});
      } else {
        answer.problems.push_back({"", problem->text(language)});
      }
    }
  }
  if (!answer.problems.empty()) answer.json.clear();
  return answer;
}

}  // namespace agon
