#include "llm/answer/read_answer.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <new>

#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/prompt/data_text.hpp"

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

constexpr ModelLine kAside(
    "it is not certain that the JSON object among the words is meant as your answer: give the "
    "object alone, with nothing before or after it");

/// An object as an answer, as it is or repaired.
struct Candidate {
  ModelAnswer answer;
  std::string value;  ///< what it says, in one form
};

/// What is read, and how.
struct Wanted {
  Asked asked;
  std::string currency{};    ///< that amounts without a unit of their own are in
  bool illegal_too = false;  ///< also what breaks limits
  const Language& language = Language::english();
};

/// What an object says as a value of the type. The fault is unparsable if it is none.
Candidate read_object(const Wanted& wanted, std::string_view given) {
  const Type& type = wanted.asked.type;
  const Language& language = wanted.language;
  Candidate out;
  out.answer.fault = Fault::unparsable;
  std::string comments;
  const std::string object = without_comments(given, comments);
  if (takes_back(comments)) {
    out.answer.problem = language.say(kAside);
    return out;
  }
  for (int step = comments.empty() ? 0 : 1; step < 3; ++step) {
    std::string json(object);
    std::string changes;
    if (step > 0) {
      Mended mended = mend_writing(object, language);
      json = std::move(mended.json);
      changes = comments.empty() ? "" : language.say(ModelLine("JSON has no comments"));
      if (!mended.changes.empty())
        changes += (changes.empty() ? "" : "; ") + std::move(mended.changes);
    }
    std::string thought;
    if (has_room_for_thought(type)) thought = take_thought(json, step > 0);
    std::string doubt, remarks;
    if (step == 2) {
      auto mended = mend_meaning(type, wanted.asked.limits, json, language, wanted.currency);
      if (!mended) {
        if (boost::system::error_code error; boost::json::parse(json, error), !error)
          out.answer.problem.clear();
        break;
      }
      json = std::move(mended->json);
      if (!mended->changes.empty())
        changes += (changes.empty() ? "" : "; ") + std::move(mended->changes);
      doubt = std::move(mended->doubt);
      remarks = std::move(mended->remarks);
    }
    // One without members would be read as all that may be left out.
    if (!type.fields.empty() && json[json.find_first_not_of(kBlanks, 1)] == '}') break;
    const Holder value(type);
    const auto problem = read_json(type, value.get(), json, wanted.asked.limits);
    const bool is_illegal = problem && problem->fault == Fault::illegal;
    if (problem && !(is_illegal && wanted.illegal_too)) {
      // What is wrong with it as far as it could be repaired.
      out.answer.problem = doubt.empty() ? problem->text(language) : std::move(doubt);
      continue;
    }
    // What is against the limits may be a name of theirs that is written otherwise.
    if (is_illegal && !out.value.empty()) continue;
    out.value = write_json(type, value.get());
    if (remarks.find("final: false") != std::string::npos ||
        contradicts(remarks, out.value, wanted.asked)) {
      out.answer.problem = language.say(kAside);
      return out;
    }
    out.answer = {.fault = step == 0 ? Fault::ok : Fault::repaired,
                  .json = std::move(json),
                  .thought = std::move(thought),
                  .problem = std::move(changes)};
    if (!is_illegal) break;
  }
  return out;
}

/// Whether the one object in an open thought is all that is in it: what was to be said, and the
/// template had begun a thought.
bool is_all_of_thought(std::string_view thought, std::span<const std::string_view> objects) {
  constexpr std::size_t kLongestTag = 24;
  if (objects.size() != 1) return false;
  const auto at = static_cast<std::size_t>(objects[0].data() - thought.data());
  const std::string_view tag = trimmed(thought.substr(0, at));
  const bool is_thinking_tag = lower_case(tag).find("think") != std::string::npos;
  const bool is_tag = tag.ends_with('>') || tag.ends_with(']') || tag.ends_with("\u25b7");
  return is_tag && tag.size() <= kLongestTag && is_thinking_tag &&
         tag.find_first_of(kBlanks) == std::string_view::npos &&
         trimmed(thought.substr(at + objects[0].size())).empty();
}

/// The object in the text that reads as a value of the type.
ModelAnswer one_value(const Wanted& wanted, std::string_view given) {
  const Type& type = wanted.asked.type;
  const Language& language = wanted.language;
  std::string said(given);
  std::string thought;
  split_thought(said, thought);
  const std::string_view text = first_turn(said);
  const std::string_view whole = trimmed(text);
  if (whole.empty())
    return {.fault = Fault::empty, .problem = language.say(ModelLine("nothing was said"))};
  const auto objects = objects_in(text);
  const std::size_t open = open_thought(text);
  if (open != std::string_view::npos &&
      (open > 0 || !is_all_of_thought(text.substr(open), objects)))
    return {
        .fault = Fault::empty,
        .problem = language.say(ModelLine("nothing was said after the thought, which has no end"))};
  // All of it in quotes, as where an answer is put into JSON twice.
  if (const std::string unpacked = text_of(whole); objects.empty() && !unpacked.empty()) {
    ModelAnswer answer = one_value(wanted, unpacked);
    if (answer.fault == Fault::ok) answer.fault = Fault::repaired;
    return answer;
  }
  std::optional<Candidate> found;
  std::string problem, remarks;
  Standing standing = Standing::aside;
  constexpr int kMostLookedAt = 16;  // of objects that say the same
  int looked_at = 0;
  for (auto object = objects.rbegin(); object != objects.rend(); ++object) {
    const auto at = static_cast<std::size_t>(object->data() - text.data());
    if (is_quoted(text, at)) {
      if (problem.empty()) problem = language.say(kAside);
      continue;
    }
    Candidate candidate = read_object(wanted, *object);
    if (candidate.answer.fault == Fault::unparsable) {
      if (problem.empty()) problem = candidate.answer.problem;
      for (const RawMember& m : members_of(*object))
        if (!is_thinking(m.name)) remarks += std::string(m.json) + '\n';
      continue;
    }
    if (found && found->value != candidate.value)
      return {.fault = Fault::unparsable,
              .problem = language.say(
                  ModelLine("there are two different answers in it, {one} and {other}: give one"),
                  {{"one", beginning(candidate.value, kTold)},
                   {"other", beginning(found->value, kTold)}})};
    if (++looked_at > kMostLookedAt) continue;
    const Standing own = open == 0
                             ? Standing::alone
                             : standing_of(text, at, object->size(), candidate.value, wanted.asked);
    if (own == Standing::alone && (object->size() != whole.size() || whole != trimmed(said)))
      candidate.answer.fault = Fault::repaired;
    if (own == Standing::answer) candidate.answer.fault = Fault::in_words;
    if (!found || standing == Standing::aside) {
      found = std::move(candidate);
      standing = own;
    }
  }
  if (found && standing == Standing::refused)
    return {.fault = Fault::refused, .problem = language.say(ModelLine("a refusal is no answer"))};
  if (found && (standing == Standing::aside || contradicts(remarks, found->value, wanted.asked)))
    return {.fault = Fault::unparsable, .problem = language.say(kAside)};
  if (found) return std::move(found->answer);
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
        !begin.starts_with('}') && !begin.starts_with("//") && !begin.starts_with("/*")) {
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

bool is_complete(std::string_view said) {
  constexpr std::string_view kEnd = "</answer>";
  said = trimmed(said);
  if (said.size() > kEnd.size() && lower_case(said.substr(said.size() - kEnd.size())) == kEnd)
    return true;
  return said.starts_with('{') && end_of_object(said, 0) == said.size();
}

namespace {

Wanted wanted_of(const OwnedQuestion& question) {
  Wanted wanted{.asked = {.type = *question.answer_type, .limits = question.limits.get()},
                .illegal_too = true,
                .language = *question.language};
  for (std::size_t i = 0; i < question.seat_names.size(); ++i)
    if (static_cast<int>(i) != question.seat) wanted.asked.others.push_back(question.seat_names[i]);
  // What a game calls its money, where a setting of its says so.
  wanted.currency = text_of(member(question.facts_json, "currency"));
  return wanted;
}

}  // namespace

ModelAnswer read_answer(const OwnedQuestion& question, std::string_view text) {
  return one_value(wanted_of(question), text);
}

ModelAnswer read_marked(const OwnedQuestion& question, std::string_view marked,
                        std::string_view text, std::size_t at, std::size_t size) {
  const Wanted wanted = wanted_of(question);
  ModelAnswer answer = one_value(wanted, marked);
  if (!is_played(answer.fault)) return answer;
  const Standing standing = standing_of(text, at, size, answer.json, wanted.asked, true);
  if (standing == Standing::refused)
    return {.fault = Fault::refused,
            .problem = wanted.language.say(ModelLine("a refusal is no answer"))};
  if (standing == Standing::aside)
    return {.fault = Fault::unparsable, .problem = wanted.language.say(kAside)};
  return answer;
}

ModelAnswer read_value(const Type& type, std::span<const LimitData> limits, std::string_view text,
                       const Language& language) {
  return one_value({.asked = {.type = type, .limits = limits}, .language = language}, text);
}

}  // namespace agon::llm
