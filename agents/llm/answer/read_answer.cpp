#include "llm/answer/read_answer.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <new>

#include "llm/prompt/members.hpp"

namespace agon::llm {
namespace {

/// How often a brace that closes nowhere is passed over, and how much of a text's end is looked at.
constexpr int kFalseStarts = 200;
constexpr std::size_t kLookedAt = 256 * 1024;

/// A place for a value of a described type.
class Holder {
 public:
  explicit Holder(const Type& type) : type_(type), at_(::operator new(type.size)) {
    type_.construct(at_);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() {
    type_.destroy(at_);
    ::operator delete(at_);
  }
  [[nodiscard]] void* get() const { return at_; }

 private:
  const Type& type_;
  void* at_;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

/// The offset after the object that begins at `at`; npos if it does not end.
std::size_t end_of_object(std::string_view text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// Without the commas that stand before a closing bracket.
std::string without_trailing_commas(std::string_view json) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    out += c;
    if (quoted) {
      if (c == '\\' && i + 1 < json.size()) out += json[++i];
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '}' || c == ']') {
      const std::size_t before = out.find_last_not_of(" \t\r\n", out.size() - 2);
      if (before != std::string::npos && out[before] == ',') out.erase(before, 1);
    }
  }
  return out;
}

/// Takes the member `thought` out of an object.
std::string take_thought(std::string& json) {
  std::string thought;
  for (const RawMember& m : members_of(json)) {
    if (m.name != "thought") continue;
    thought = m.json[0] == '"' ? text_of(m.json) : std::string(m.json);
    std::size_t from = static_cast<std::size_t>(m.name.data() - json.data()) - 1;
    std::size_t to = static_cast<std::size_t>(m.json.data() - json.data()) + m.json.size();
    // One comma goes with it: the one after it, or before it if it is the last.
    const std::size_t next = json.find_first_not_of(" \t\r\n", to);
    if (next != std::string::npos && json[next] == ',') {
      to = next + 1;
    } else {
      const std::size_t before = json.find_last_not_of(" \t\r\n", from - 1);
      if (before != std::string::npos && json[before] == ',') from = before;
    }
    json.erase(from, to - from);
    break;
  }
  return thought;
}

/// The last object in the text that reads as a value of `type`; where `illegal_too`, also one that
/// breaks limits.
ModelAnswer last_value(const Type& type, std::span<const LimitData> limits, std::string_view text,
                       bool illegal_too) {
  ModelAnswer answer;
  const std::string_view whole = trimmed(text);
  if (whole.empty()) {
    answer.fault = Fault::empty;
    answer.problem = "nothing was said";
    return answer;
  }
  const auto objects = objects_in(text);
  for (auto candidate = objects.rbegin(); candidate != objects.rend(); ++candidate) {
    for (const bool repair : {false, true}) {
      std::string json = repair ? without_trailing_commas(*candidate) : std::string(*candidate);
      if (repair && json == *candidate) continue;
      std::string thought;
      if (has_room_for_thought(type)) thought = take_thought(json);
      const Holder value(type);
      const auto problem = read_json(type, value.get(), json, limits);
      if (problem && (problem->fault != Fault::illegal || !illegal_too)) {
        if (answer.problem.empty()) answer.problem = problem->text();
        continue;
      }
      answer.fault = repair || candidate->size() != whole.size() ? Fault::repaired : Fault::ok;
      answer.json = std::move(json);
      answer.thought = std::move(thought);
      answer.problem.clear();
      return answer;
    }
  }
  answer.fault = Fault::unparsable;
  answer.problem = answer.problem.empty()
                       ? "there is no JSON object in the answer"
                       : "the JSON object is not an answer to this question: " + answer.problem;
  return answer;
}

}  // namespace

bool has_room_for_thought(const Type& answer) {
  return answer.kind == Kind::structure &&
         std::none_of(answer.fields.begin(), answer.fields.end(),
                      [](const Field& f) { return f.name == "thought"; });
}

std::vector<std::string_view> objects_in(std::string_view text) {
  std::vector<std::string_view> objects;
  if (text.size() > kLookedAt) text.remove_prefix(text.size() - kLookedAt);
  int false_starts = 0;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
    const std::size_t end = end_of_object(text, at);
    if (end == std::string_view::npos) {
      if (++false_starts > kFalseStarts) break;
      ++at;
      continue;
    }
    // An object begins with a name or ends at once; else the brace is one of prose.
    const std::size_t inside = text.find_first_not_of(" \t\r\n", at + 1);
    if (text[inside] != '"' && text[inside] != '}') {
      ++at;
      continue;
    }
    objects.push_back(text.substr(at, end - at));
    at = end;
  }
  return objects;
}

ModelAnswer read_answer(const OwnedQuestion& question, std::string_view text) {
  return last_value(*question.answer_type, question.limits.get(), text, true);
}

ModelAnswer read_value(const Type& type, std::span<const LimitData> limits, std::string_view text) {
  return last_value(type, limits, text, false);
}

}  // namespace agon::llm
