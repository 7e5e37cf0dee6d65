#include "llm/answer/read_answer.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <new>

#include "llm/answer/mend.hpp"
#include "llm/answer/refusal.hpp"
#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/prompt/members.hpp"

namespace agon::llm {
namespace {

/// How often a brace that closes nowhere is passed over, and how much of a text's end is looked at.
constexpr int kFalseStarts = 200;
constexpr std::size_t kLookedAt = 256 * 1024;

/// How curly quotes begin.
constexpr std::string_view kCurly = "\xE2\x80";

/// How much a model is told of what it said.
constexpr std::size_t kTold = 300;

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

/// Takes the member `thought` out of an object; where `any_case`, also `Thought`.
std::string take_thought(std::string& json, bool any_case) {
  std::string thought;
  for (const RawMember& m : members_of(json)) {
    if ((any_case ? lower_case(m.name) : m.name) != "thought") continue;
    thought = m.json[0] == '"' ? text_of(m.json) : std::string(m.json);
    std::size_t from = static_cast<std::size_t>(m.name.data() - json.data()) - 1;
    std::size_t to = static_cast<std::size_t>(m.json.data() - json.data()) + m.json.size();
    // One comma goes with it: the one after it, or before it if it is the last.
    const std::size_t next = json.find_first_not_of(kBlanks, to);
    if (next != std::string::npos && json[next] == ',') {
      to = next + 1;
    } else {
      const std::size_t before = json.find_last_not_of(kBlanks, from - 1);
      if (before != std::string::npos && json[before] == ',') from = before;
    }
    json.erase(from, to - from);
    break;
  }
  return thought;
}

/// What is wrong with an answer, with the members that it is to have where it has some of its own.
std::string with_members(const Type& type, const Language& language, std::string problem) {
  std::string names;
  if (type.kind == Kind::structure)
    for (const Field& f : type.fields)
      names += (names.empty() ? "\"" : ", \"") + std::string(f.name) + "\"";
  return names.empty() ? problem
                       : language.say(ModelLine("{problem}; it is to have {names}"),
                                      {{"problem", std::move(problem)}, {"names", names}});
}

/// An object as an answer, as it is or repaired.
struct Candidate {
  ModelAnswer answer;
  std::string value;  ///< what it says, in one form
};

/// What an object says as a value of `type`; where `illegal_too`, also one that breaks limits. The
/// fault is unparsable if it is none.
Candidate read_object(const Type& type, std::span<const LimitData> limits, std::string_view object,
                      bool illegal_too, const Language& language) {
  Candidate out;
  out.answer.fault = Fault::unparsable;
  for (int step = 0; step < 3; ++step) {
    std::string json(object);
    std::string changes;
    if (step > 0) {
      Mended mended = mend_writing(object, language);
      json = std::move(mended.json);
      changes = std::move(mended.changes);
    }
    std::string thought;
    if (has_room_for_thought(type)) thought = take_thought(json, step > 0);
    std::string doubt;
    if (step == 2) {
      auto mended = mend_meaning(type, limits, json, language);
      if (!mended) {
        if (boost::system::error_code error; boost::json::parse(json, error), !error)
          out.answer.problem.clear();
        break;
      }
      json = std::move(mended->json);
      if (!mended->changes.empty())
        changes += (changes.empty() ? "" : "; ") + std::move(mended->changes);
      doubt = std::move(mended->doubt);
    }
    // One without members would be read as all that may be left out.
    if (!type.fields.empty() && json[json.find_first_not_of(kBlanks, 1)] == '}') break;
    const Holder value(type);
    const auto problem = read_json(type, value.get(), json, limits);
    const bool is_illegal = problem && problem->fault == Fault::illegal;
    if (problem && !(is_illegal && illegal_too)) {
      // What is wrong with it as far as it could be repaired.
      out.answer.problem = doubt.empty() ? problem->text(language) : std::move(doubt);
      continue;
    }
    // What is against the limits may be a name of theirs that is written otherwise.
    if (is_illegal && !out.value.empty()) continue;
    out.value = write_json(type, value.get());
    out.answer = {.fault = step == 0 ? Fault::ok : Fault::repaired,
                  .json = std::move(json),
                  .thought = std::move(thought),
                  .problem = std::move(changes)};
    if (!is_illegal) break;
  }
  return out;
}

/// The object in the text that reads as a value of `type`.
ModelAnswer one_value(const Type& type, std::span<const LimitData> limits, std::string_view text,
                      bool illegal_too, const Language& language) {
  const std::string_view whole = trimmed(text);
  if (whole.empty())
    return {.fault = Fault::empty, .problem = language.say(ModelLine("nothing was said"))};
  const bool is_thought = is_open_thought(whole);
  std::optional<Candidate> found;
  std::string problem;
  const auto objects = objects_in(text);
  // All of it in quotes, as where an answer is put into JSON twice.
  if (const std::string unpacked = text_of(whole); objects.empty() && !unpacked.empty()) {
    ModelAnswer answer = one_value(type, limits, unpacked, illegal_too, language);
    if (answer.fault == Fault::ok) answer.fault = Fault::repaired;
    return answer;
  }
  for (auto object = objects.rbegin(); object != objects.rend(); ++object) {
    // What stands in a thought without an end is an answer only if nothing comes after it.
    if (is_thought && object->data() + object->size() != whole.data() + whole.size()) break;
    Candidate candidate = read_object(type, limits, *object, illegal_too, language);
    if (candidate.answer.fault == Fault::unparsable) {
      if (problem.empty()) problem = candidate.answer.problem;
      continue;
    }
    if (object->size() != whole.size()) candidate.answer.fault = Fault::repaired;
    if (!found) {
      found = std::move(candidate);
      if (is_thought) break;
    } else if (found->value != candidate.value) {
      return {.fault = Fault::unparsable,
              .problem = language.say(
                  ModelLine("there are two different answers in it, {one} and {other}: give one"),
                  {{"one", beginning(candidate.value, kTold)},
                   {"other", beginning(found->value, kTold)}})};
    }
  }
  if (found) return std::move(found->answer);
  if (is_thought)
    return {
        .fault = Fault::empty,
        .problem = language.say(ModelLine("nothing was said after the thought, which has no end"))};
  if (objects.empty() && is_refusal(whole))
    return {.fault = Fault::refused, .problem = language.say(ModelLine("a refusal is no answer"))};
  const std::size_t begins = text.find('{');
  if (begins != std::string_view::npos && end_of_object(text, begins) == std::string_view::npos)
    return {.fault = Fault::unparsable,
            .problem = with_members(
                type, language,
                language.say(ModelLine("the JSON object in the answer does not come to its end")))};
  if (objects.empty())
    return {.fault = Fault::unparsable,
            .problem = with_members(
                type, language, language.say(ModelLine("there is no JSON object in the answer")))};
  return {.fault = Fault::unparsable,
          .problem = problem.empty()
                         ? with_members(type, language,
                                        language.say(ModelLine(
                                            "the JSON object is not an answer to this question: "
                                            "it has none of its members")))
                         : beginning(problem, 2 * kTold)};
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
    // An object begins with a name or ends at once; else the brace is one of prose.
    const std::size_t inside = std::min(text.find_first_not_of(kBlanks, at + 1), text.size());
    const std::string_view begin = text.substr(inside);
    if (!begin.starts_with('"') && !begin.starts_with('\'') && !begin.starts_with(kCurly) &&
        !begin.starts_with('}')) {
      at = inside;
      continue;
    }
    const std::size_t end = end_of_object(text, at);
    if (end == std::string_view::npos) {
      if (++false_starts > kFalseStarts) break;
      ++at;
      continue;
    }
    objects.push_back(text.substr(at, end - at));
    at = end;
  }
  return objects;
}

ModelAnswer read_answer(const OwnedQuestion& question, std::string_view text) {
  return one_value(*question.answer_type, question.limits.get(), text, true, *question.language);
}

ModelAnswer read_value(const Type& type, std::span<const LimitData> limits, std::string_view text,
                       const Language& language) {
  return one_value(type, limits, text, false, language);
}

}  // namespace agon::llm
