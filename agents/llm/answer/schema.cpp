#include "llm/answer/schema.hpp"

#include <agon/conversion.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>

#include "llm/answer/read_answer.hpp"
#include "llm/lines.hpp"
#include "llm/prompt/data_text.hpp"

namespace agon::llm {
namespace {

class Narrowing {
 public:
  explicit Narrowing(std::span<const LimitData> limits) : limits_(limits) {
    for (LimitData limit : limits) {
      if (limit.kind != LimitKind::usual) continue;
      limit.kind = LimitKind::range;
      (limit.lo > limit.hi ? empty_ : out_).push_back(limit);
    }
  }

  [[nodiscard]] bool is_needed() const { return !out_.empty() || !empty_.empty(); }

  void walk(const Type& type, std::uint16_t slot) {
    if (type.kind == Kind::optional) {
      const auto inner = static_cast<std::uint16_t>(slot + 1);
      if (has(empty_, inner, 1))
        out_.push_back({.slot = slot, .kind = LimitKind::presence, .lo = 1});
      else if (has(out_, inner, 1))
        out_.push_back({.slot = slot, .kind = LimitKind::presence, .lo = 2});
    }
    if (type.kind == Kind::variant) choose(type, slot);
    if (type.element != nullptr) walk(*type.element, static_cast<std::uint16_t>(slot + 1));
    for (const Field& field : type.fields) {
      walk(*field.type, slot);
      slot = static_cast<std::uint16_t>(slot + field.type->slots);
    }
  }

  /// Of two limits of a kind for a place the first counts.
  [[nodiscard]] std::vector<LimitData> take() {
    out_.insert(out_.end(), limits_.begin(), limits_.end());
    return std::move(out_);
  }

 private:
  static bool has(std::span<const LimitData> ranges, std::uint16_t slot, std::uint16_t slots) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const LimitData& l) { return l.slot >= slot && l.slot < slot + slots; });
  }

  /// What a variant may hold: not what a usual range over its alternatives leaves out, and nothing
  /// that holds an empty one.
  void choose(const Type& type, std::uint16_t slot) {
    LimitData allowed{.slot = slot, .kind = LimitKind::alternatives, .lo = -1};
    for (const LimitData& limit : limits_)
      if (limit.slot == slot && limit.kind == LimitKind::alternatives) allowed = limit;
    const std::int64_t before = allowed.lo;
    const auto numbers = std::find_if(out_.begin(), out_.end(), [&](const LimitData& l) {
      return l.slot == slot && l.kind == LimitKind::range;
    });
    auto at = static_cast<std::uint16_t>(slot + 1);
    for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
      const Type& each = *type.alternatives[i];
      const auto number = static_cast<std::int64_t>(i);
      const bool is_out = numbers != out_.end() && (number < numbers->lo || number > numbers->hi);
      if (is_out || has(empty_, at, each.slots)) allowed.lo &= ~(std::int64_t{1} << i);
      walk(each, at);
      at = static_cast<std::uint16_t>(at + each.slots);
    }
    if (allowed.lo != before && allowed.lo != 0) out_.push_back(allowed);
  }

  std::span<const LimitData> limits_;
  std::vector<LimitData> out_, empty_;
};

}  // namespace

std::vector<LimitData> usual_limits(const Type& answer, std::span<const LimitData> limits) {
  Narrowing narrowing(limits);
  if (!narrowing.is_needed()) return {};
  narrowing.walk(answer, 0);
  return narrowing.take();
}

namespace {

constexpr ModelLine kThought("your private reasons, before you decide; nobody else sees them");
constexpr ModelLine kPlan(
    "the plan in words, with its limits and the reasons for them; you are shown it again, and "
    "nobody else sees it");

/// The member `thought` of a schema's properties.
std::string thought_member(std::string_view what) {
  return R"("thought":)" + JsonWriter()
                               .open_object()
                               .name("type")
                               .text("string")
                               .name("description")
                               .text(what)
                               .close_object()
                               .take();
}

/// `json`, a list or an object, with `first` put in front of what it holds.
std::string with_first(std::string_view json, std::string_view first) {
  std::string out(json.substr(0, 1));
  out += first;
  if (json.size() > 2) out += ',';
  out += json.substr(1);
  return out;
}

}  // namespace

std::string answer_schema(const OwnedQuestion& question, Thinking thinking) {
  return answer_schema(question, thinking, question.limits.get());
}

std::string answer_schema(const OwnedQuestion& question, Thinking thinking,
                          std::span<const LimitData> limits) {
  std::string schema = schema_json(*question.answer_type, limits, *question.language);
  // It begins with "$schema": endpoints know which one, and models need not.
  if (const std::string_view kind = member(schema, "$schema"); !kind.empty()) {
    const auto end = static_cast<std::size_t>(kind.data() - schema.data()) + kind.size();
    schema.erase(1, end - (schema[end] == ',' ? 0 : 1));
  }
  if (thinking != Thinking::first || !has_room_for_thought(*question.answer_type)) return schema;
  const bool is_plan = question.purpose == Purpose::plan || question.purpose == Purpose::replan;
  std::string out;
  out.reserve(schema.size() + 256);
  out = '{';
  for (const RawMember& m : members_of(schema)) {
    if (out.size() > 1) out += ',';
    out += '"';
    out += m.name;
    out += "\":";
    if (m.name == "properties")
      out +=
          with_first(m.json, thought_member(question.language->text(is_plan ? kPlan : kThought)));
    else if (m.name == "required")
      out += with_first(m.json, "\"thought\"");
    else
      out += m.json;
  }
  out += '}';
  return out;
}

}  // namespace agon::llm
