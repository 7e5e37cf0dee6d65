#include "llm/answer/schema.hpp"

#include <agon/conversion.hpp>
#include <agon/json_writer.hpp>

#include "llm/answer/read_answer.hpp"
#include "llm/lines.hpp"
#include "llm/prompt/members.hpp"

namespace agon::llm {
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
  const std::string schema = schema_json(*question.answer_type, limits, *question.language);
  const bool thought = thinking == Thinking::first && has_room_for_thought(*question.answer_type);
  const bool is_plan = question.purpose == Purpose::plan || question.purpose == Purpose::replan;
  std::string out = "{";
  for (const RawMember& m : members_of(schema)) {
    if (m.name == "$schema") continue;  // endpoints know which one, and models need not
    if (out.size() > 1) out += ',';
    out += '"';
    out += m.name;
    out += "\":";
    if (thought && m.name == "properties")
      out +=
          with_first(m.json, thought_member(question.language->text(is_plan ? kPlan : kThought)));
    else if (thought && m.name == "required")
      out += with_first(m.json, "\"thought\"");
    else
      out += m.json;
  }
  return out + "}";
}

}  // namespace agon::llm
