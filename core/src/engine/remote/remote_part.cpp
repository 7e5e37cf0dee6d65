#include "remote/remote_part.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <deque>
#include <utility>

#include "describe/value.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "remote/message.hpp"
#include "remote/turn_service.hpp"
#include "table/match_state.hpp"

namespace agon::remote {
namespace {

namespace bj = boost::json;

/// What a part of these parameters is, as its process says once: what of it stays the same.
struct PartMake {
  std::deque<std::string> texts;  ///< that the prompts name
  std::deque<std::vector<std::string_view>> names;
  std::vector<PromptUse> prompts;
  std::vector<ModelTool> tools;
  int calls = 0;  ///< Tools::most_calls()
  std::size_t longest = kLongestToolResult;
  bool answers = false;  ///< probes
  bool again = false;    ///< those for a plan made again, or a belief that was corrected
  bool whole = false;    ///< a memory that shows what was told from the beginning on
  bool writes = false;   ///< AnswerForm::written()
};

void read_tool(const Message& tool, PartMake& made) {
  const bj::value& schema = tool.need("schema");
  if (!schema.is_object()) throw BadMessage("the schema of a tool must be an object");
  made.tools.push_back({std::string(tool.name("name")), tool.words("doc"), json::write(schema)});
}

PartMake read_make(const Message& said) {
  PartMake made;
  if (const bj::value* prompts = said.find("prompts")) {
    if (!prompts->is_object()) throw BadMessage("its member 'prompts' must be an object");
    const Message of = Message::part(*prompts, "prompts");
    for (const auto& [file, unused] : prompts->get_object()) {
      auto& names = made.names.emplace_back();
      for (const bj::value& name : of.list(std::string_view(file))) {
        if (!name.is_string()) throw BadMessage("names in 'prompts' must be texts");
        names.push_back(made.texts.emplace_back(std::string_view(name.get_string())));
      }
      made.prompts.push_back({made.texts.emplace_back(std::string_view(file)), names});
    }
  }
  if (said.find("tools") != nullptr)
    for (const bj::value& tool : said.list("tools")) read_tool(Message::part(tool, "a tool"), made);
  constexpr std::size_t kMostCalls = 1001;
  if (said.find("calls") != nullptr) made.calls = said.below("calls", kMostCalls);
  if (said.find("longest") != nullptr)
    made.longest = static_cast<std::size_t>(said.below("longest", kLongestText + 1));
  made.answers = said.truth("answers");
  made.again = said.truth("again");
  made.whole = said.truth("whole");
  made.writes = said.truth("writes");
  return made;
}

/// What the adapters below have in common: how the process is asked for what they do.
struct PartProcess {
  Pool& pool;
  std::string members;  ///< of each request: kind, id and parameters
  std::string who;      ///< for messages: "the memory part 'diary'"
  std::string note;     ///< what its notes are kept under: "memory.diary"
  PartMake made{};
};

/// All that the seat is asked and may see, with the names that programs at seats know them by.
std::string described(const OwnedQuestion& q) {
  JsonWriter out;
  out.open_object().name("game").text(q.game).name("title").text(q.title);
  out.name("rules").text(q.rules).name("match").text(q.match).name("seat").number(q.seat);
  out.name("name").text(q.seat_name).name("role").text(q.role).name("seats").open_list();
  for (const std::string& name : q.seat_names) out.text(name);
  out.close_list().name("facts").json(q.facts_type == nullptr ? "null" : q.facts_json);
  out.name("number").number(q.number).name("stage").text(q.stage).name("doc").text(q.stage_doc);
  out.name("probe").truth(q.probe).name("asked_at_once").number(q.asked_at_once);
  out.name("asked_index").number(q.asked_index);
  out.name("view").json(q.view_type == nullptr ? "null" : q.view_json);
  out.name("told").text(q.view_told);
  out.name("schema").json(schema_json(*q.answer_type, q.limits.get(), *q.language));
  out.name("attempt").number(q.attempt).name("complaint").text(q.complaint);
  Dice dice(q.dice_key, q.dice_place, static_cast<std::uint32_t>(q.attempt));
  out.name("seed").number(static_cast<std::int64_t>(dice.bits64() >> 11U));
  return out.close_object().take();
}

/// A failure that is not the part's: nothing is played for the agent, and the match is taken up
/// again.
[[noreturn]] void fail_call(std::string problem, Halt halt = Halt::no) {
  throw CallFailed{{.status = Fault::provider_failed, .problem = std::move(problem), .halt = halt}};
}

/// Has this process do what the request says, see in_process() below.
template <class Read>
auto in_channel(Channel& channel, const PartProcess& part, std::string_view what,
                const std::string& request, ModelTurn* turn, const Read& read) {
  Channel::Stop stop;
  if (const auto* asked = part.pool.launch().stop) stop = [asked] { return asked->load(); };
  const auto next = [&] {
    const Message* message = channel.next(stop);
    if (message == nullptr) fail_call("the run is being stopped");
    return message;
  };
  channel.begin("reply to '" + std::string(what) + "'", part.who);
  try {
    channel.send(request);
    const Message* message = next();
    for (; turn != nullptr && message->type() == "turn"; message = next())
      channel.send(TurnService(*turn, part.note, what).reply(*message));
    if (message->type() != "reply") throw BadMessage("'reply' is expected");
    auto value = read(*message);
    channel.finish();
    return value;
  } catch (const BadMessage& bad) {
    channel.refuse(bad.what());
  } catch (const RemoteFault&) {
    throw;
  } catch (...) {
    channel.stop();  // a call came to nothing: the part is not to go on
    throw;
  }
}

/// Has a process do what the request says; `read` makes of the value that it replies what this
/// returns. `turn`: what it may use meanwhile; null: nothing. Throws RemoteFault where the part
/// breaks, which is charged to the agent, and CallFailed for what is not its fault.
template <class Read>
auto in_process(const PartProcess& part, std::string_view what, const std::string& request,
                ModelTurn* turn, const Read& read) {
  try {
    return part.pool.in_process(
        [&](Channel& channel) { return in_channel(channel, part, what, request, turn, read); });
  } catch (const RemoteFault& fault) {
    // Who kills the process of a part is mostly not the part.
    if (fault.process_end() == ProcessEnd::killed) fail_call(fault.what());
    throw;
  } catch (const MachineFault& fault) {
    fail_call(fault.what());
  } catch (const Error& error) {
    // Wrong prompts, a ledger that cannot be written: no result of a tool, and not the part's.
    fail_call(error.what(), Halt::configuration);
  }
}

std::string request_for(std::string_view what, const PartProcess& part) {
  return R"({"type":"request","what":"component","do":")" + std::string(what) + '"' + part.members;
}

/// The same for one thing of a part that belongs to a question.
template <class Read>
auto in_part(const PartProcess& part, std::string_view what, const OwnedQuestion& question,
             ModelTurn* turn, const std::string& more, const Read& read) {
  std::string request = request_for(what, part) + member("question", described(question)) + more;
  if (turn != nullptr) {
    const TurnHistory& history = turn->history();
    request += member("note", write_json(turn->note(part.note))) +
               member("news_from", std::to_string(history.news_from())) +
               member("phase_from", std::to_string(history.phase_from(history.news_from()))) +
               member("places", std::to_string(question.history.size()));
  }
  return in_process(part, what, request + '}', turn, read);
}

std::string text_in_part(const PartProcess& part, std::string_view what,
                         const OwnedQuestion& question, ModelTurn* turn,
                         const std::string& more = {}) {
  return in_part(part, what, question, turn, more,
                 [](const Message& reply) { return reply.words("value"); });
}

/// What a part may say of an answer; the rest is for the arena to find.
bool is_of_answer(Fault fault) {
  return is_played(fault) || fault == Fault::unparsable || fault == Fault::empty ||
         fault == Fault::truncated || fault == Fault::refused;
}

/// What a part says of an answer.
ModelAnswer read_model_answer(const Message& reply) {
  const Message said = Message::part(reply.need("value"), "an answer");
  ModelAnswer answer;
  if (said.find("fault") != nullptr) {
    const auto fault = value_named<Fault>(said.text("fault"));
    if (!fault || !is_of_answer(*fault))
      throw BadMessage(
          "its member 'fault' must be 'ok', 'repaired', 'in-words', 'unparsable', 'empty', "
          "'truncated' or 'refused'");
    answer.fault = *fault;
  }
  const auto words = [&](std::string_view name) {
    return said.find(name) == nullptr ? std::string() : said.words(name);
  };
  answer.json = words("json");
  answer.thought = words("thought");
  answer.problem = words("problem");
  answer.said = words("said");
  return answer;
}

/// A part of that kind whose work is done by a process.
template <class Kind>
class PartElse : public Kind {
 public:
  explicit PartElse(std::shared_ptr<const PartProcess> part) : part_(std::move(part)) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override { return part_->made.prompts; }

 protected:
  [[nodiscard]] const PartProcess& process() const { return *part_; }
  [[nodiscard]] const PartMake& made() const { return part_->made; }
  [[nodiscard]] std::string text_of(std::string_view what, ModelTurn& turn) const {
    return text_in_part(*part_, what, turn.question(), &turn);
  }

 private:
  std::shared_ptr<const PartProcess> part_;
};

class PersonaElse final : public PartElse<Persona> {
 public:
  using PartElse::PartElse;
  [[nodiscard]] std::string text(const OwnedQuestion& question) const override {
    return text_in_part(process(), "text", question, nullptr);
  }
};

class MemoryElse final : public PartElse<Memory> {
 public:
  using PartElse::PartElse;
  [[nodiscard]] std::size_t from(const ModelTurn& turn) const override {
    return made().whole ? 0 : Memory::from(turn);
  }
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn& turn) const override {
    return in_part(process(), "messages", turn.question(), &turn, "",
                   [](const Message& reply) { return read_messages(reply.list("value")); });
  }
  [[nodiscard]] std::string notes(ModelTurn& turn) const override { return text_of("notes", turn); }
};

class LearningElse final : public PartElse<Learning> {
 public:
  using PartElse::PartElse;
  [[nodiscard]] bool answers() const override { return made().answers; }
  [[nodiscard]] std::string lessons(ModelTurn& turn) const override {
    return text_of("lessons", turn);
  }
};

class PlanningElse final : public PartElse<Planning> {
 public:
  using PartElse::PartElse;
  [[nodiscard]] bool answers(bool again) const override {
    return again ? made().again : made().answers;
  }
  [[nodiscard]] std::string plan(ModelTurn& turn) const override { return text_of("plan", turn); }
};

class BeliefsElse final : public PartElse<Beliefs> {
 public:
  using PartElse::PartElse;
  [[nodiscard]] bool answers(bool corrected) const override {
    return corrected ? made().again : made().answers;
  }
  [[nodiscard]] std::string text(ModelTurn& turn) const override { return text_of("text", turn); }
};

class ReasoningElse final : public PartElse<Reasoning> {
 public:
  using PartElse::PartElse;
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    return in_part(process(), "answer", turn.question(), &turn, "", read_model_answer);
  }
  [[nodiscard]] bool answers_probe(const OwnedQuestion&) const override { return made().answers; }
};

class ToolsElse final : public PartElse<Tools> {
 public:
  using PartElse::PartElse;
  [[nodiscard]] std::span<const ModelTool> offered() const override { return made().tools; }
  [[nodiscard]] int most_calls() const override { return made().calls; }
  [[nodiscard]] std::size_t longest_result() const override { return made().longest; }
  [[nodiscard]] std::string result(ModelTurn& turn, std::string_view tool,
                                   std::string_view arguments) const override {
    const std::string call = member("tool", write_json(std::string(tool))) +
                             member("arguments", write_json(std::string(arguments)));
    const auto [text, problem] =
        in_part(process(), "result", turn.question(), &turn, call, [](const Message& reply) {
          const Message said = Message::part(reply.need("value"), "a result");
          return said.find("problem") == nullptr ? std::pair(said.words("text"), std::string())
                                                 : std::pair(std::string(), said.words("problem"));
        });
    if (!problem.empty()) throw Error(ErrorKind::invalid, problem);
    return text;
  }
};

class FormElse final : public PartElse<AnswerForm> {
 public:
  using PartElse::PartElse;
  [[nodiscard]] std::string instructions(const OwnedQuestion& question,
                                         Thinking thinking) const override {
    return text_in_part(process(), "instructions", question, nullptr, think(thinking));
  }
  [[nodiscard]] std::string written(std::string_view json) const override {
    if (!made().writes) return AnswerForm::written(json);
    // It is told the answer alone: which question it belongs to is nothing to go by.
    return in_process(process(), "written",
                      request_for("written", process()) + member("json", json) + '}', nullptr,
                      [](const Message& reply) { return reply.words("value"); });
  }
  [[nodiscard]] std::string schema(const OwnedQuestion& question,
                                   Thinking thinking) const override {
    return text_in_part(process(), "schema", question, nullptr, think(thinking));
  }
  [[nodiscard]] ModelAnswer read(const OwnedQuestion& question,
                                 std::string_view text) const override {
    return in_part(process(), "read", question, nullptr,
                   member("text", write_json(std::string(text))), read_model_answer);
  }

 private:
  static std::string think(Thinking thinking) {
    return member("think", thinking == Thinking::first ? "true" : "false");
  }
};

template <class Kind, class Else>
std::shared_ptr<const void> part_of(std::shared_ptr<const PartProcess> process) {
  return std::static_pointer_cast<const Kind>(std::make_shared<const Else>(std::move(process)));
}

}  // namespace

RemotePart::RemotePart(const JsonNode& card, Pool& pool) : card_(card), pool_(pool) {
  card_.part.make = {[](const void* self, const void* params) {
                       return static_cast<const RemotePart*>(self)->make(params);
                     },
                     this};
}

std::shared_ptr<const void> RemotePart::make(const void* params) const {
  const PartCard& card = card_.part;
  const std::string kind(name_of(card.kind));
  const std::string id(card.id);
  auto process = std::make_shared<PartProcess>(
      PartProcess{.pool = pool_,
                  .members = member("kind", write_json(kind)) + member("id", write_json(id)) +
                             member("params", write_json(*card.params, params)),
                  .who = "the " + kind + " part '" + id + "'",
                  .note = kind + "." + id});
  process->made = pool_.ask(
      {.what = "component",
       .members = member("do", "\"make\"") + process->members,
       .kind = ErrorKind::invalid,
       .who = process->who},
      [](const Message& reply) { return read_make(Message::part(reply.need("value"), "a part")); });
  switch (card.kind) {
    case PartKind::persona:
      return part_of<Persona, PersonaElse>(std::move(process));
    case PartKind::memory:
      return part_of<Memory, MemoryElse>(std::move(process));
    case PartKind::learning:
      return part_of<Learning, LearningElse>(std::move(process));
    case PartKind::planning:
      return part_of<Planning, PlanningElse>(std::move(process));
    case PartKind::beliefs:
      return part_of<Beliefs, BeliefsElse>(std::move(process));
    case PartKind::reasoning:
      return part_of<Reasoning, ReasoningElse>(std::move(process));
    case PartKind::form:
      return part_of<AnswerForm, FormElse>(std::move(process));
    case PartKind::tools:
      break;
  }
  return part_of<Tools, ToolsElse>(std::move(process));
}

}  // namespace agon::remote
