#include "describe/read_typed.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "describe/entry.hpp"
#include "describe/limits_at.hpp"
#include "describe/problem.hpp"
#include "describe/sums.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "text/arena_sentences.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
using form::Place;

constexpr std::size_t kMostProblems = 50;

/// Reads one place after another, each with what was typed there: null where nothing was.
class TypedReader {
 public:
  explicit TypedReader(const Language& language) : language_(language) {}

  /// `alone`: nothing is asked for beside it.
  void read(const Place& place, const bj::value* typed, bool alone = false) {
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

  void entry(const Place& place, const bj::value* typed) {
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

  void optional(const Place& place, const bj::value* typed, bool alone) {
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

  void variant(const Place& place, const bj::value* typed) {
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
  bool has_length(const Place& place, std::size_t n) {
    const LengthBounds b = length_bounds(*place.type, place.field, place.slot, place.limits);
    if (n >= b.lo && n <= b.hi) return true;
    fail(length_problem(place.type->kind, n, b.lo, b.hi, language_));
    return false;
  }

  void list(const Place& place, const bj::value* typed) {
    if (typed == nullptr || !typed->is_array())
      return fail(is_nothing(typed) ? ArenaLine("something has to be entered here")
                                    : ArenaLine("this is not what the form asks for"));
    const bj::array& items = typed->get_array();
    if (!has_length(place, items.size())) return;
    answer.json += '[';
    for (std::size_t i = 0; i < items.size() && answer.problems.size() < kMostProblems; ++i) {
      if (i != 0) answer.json += ',';
      std::vector<LimitData> narrowed;
      const Place element = form::element_at(place, i, narrowed);
      const Within within(*this, std::to_string(i));
      read(element, &items[i]);
    }
    answer.json += ']';
  }

  void map(const Place& place, const bj::value* typed) {
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
