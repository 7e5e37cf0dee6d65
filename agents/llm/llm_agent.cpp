#include "llm/llm_agent.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/game.hpp>
#include <agon/json_writer.hpp>
#include <agon/learning.hpp>
#include <agon/nearest.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <set>

#include "llm/answer/read_answer.hpp"

namespace agon::llm {

namespace {

constexpr std::string_view kNoTools = "none";

Parts make_parts(const LlmParams& params, const AgentServices& services) {
  if (services.parts == nullptr)
    throw Error(ErrorKind::failure, "a model agent is made of parts, and there are none here");
  const PartSource& source = *services.parts;
  Parts parts;
  if (params.persona == "resident" || params.persona.starts_with("resident:"))
    throw Error(ErrorKind::invalid,
                "there is no persona 'resident' any more: the water game tells each seat its life",
                "",
                "set \"persona\": true in the scenario; a life of your own is "
                "text:words=\"You are ...\"");
  parts.persona = source.make<PartKind::persona>(params.persona, services.game);
  parts.memory = source.make<PartKind::memory>(params.memory, services.game);
  parts.learning = source.make<PartKind::learning>(params.learning, services.game);
  parts.planning = source.make<PartKind::planning>(params.planning, services.game);
  parts.beliefs = source.make<PartKind::beliefs>(params.beliefs, services.game);
  parts.reasoning = source.make<PartKind::reasoning>(params.reasoning, services.game);
  parts.form = source.make<PartKind::form>(params.form, services.game);
  parts.tools =
      source.make<PartKind::tools>(params.tools ? *params.tools : kNoTools, services.game);
  return parts;
}

/// A part of an agent as its parameters name it.
struct NamedPart {
  PartKind kind;
  std::string_view kind_name;
  std::string_view id;
};

std::array<NamedPart, 8> parts_named(const LlmParams& params) {
  const auto id = [](std::string_view spec) { return spec.substr(0, spec.find(':')); };
  return {{{PartKind::persona, "persona", id(params.persona)},
           {PartKind::memory, "memory", id(params.memory)},
           {PartKind::learning, "learning", id(params.learning)},
           {PartKind::planning, "planning", id(params.planning)},
           {PartKind::beliefs, "beliefs", id(params.beliefs)},
           {PartKind::reasoning, "reasoning", id(params.reasoning)},
           {PartKind::form, "form", id(params.form)},
           {PartKind::tools, "tools", params.tools ? id(*params.tools) : kNoTools}}};
}

/// Which of the parts show the same or undo one another, as their cards say.
std::vector<std::string> overlaps_of(const LlmParams& params, const AgentServices& services) {
  const auto all = parts_named(params);
  std::vector<std::string> found;
  for (const NamedPart& one : all)
    for (const PartOverlap& o : services.parts->part_card(one.kind, one.id, services.game).overlaps)
      for (const NamedPart& other : all)
        if (other.kind == o.kind && other.id == o.id)
          found.push_back(std::string(one.kind_name) + " " + std::string(one.id) + " and " +
                          std::string(other.kind_name) + " " + std::string(other.id) + ": " +
                          std::string(o.what));
  return found;
}

/// Refuses a model for a purpose that no call of the agent has: it would never be asked.
void check_purposes(const LlmParams& params, const AgentServices& services) {
  std::vector<std::string> known;
  for (const NamedPart& part : parts_named(params))
    for (const std::string_view purpose :
         services.parts->part_card(part.kind, part.id, services.game).purposes)
      if (std::find(known.begin(), known.end(), purpose) == known.end())
        known.emplace_back(purpose);
  for (const auto& entry : params.models)
    if (std::find(known.begin(), known.end(), entry.first) == known.end())
      throw Error(ErrorKind::invalid,
                  "models: no component of the agent makes calls for '" + entry.first + "'" +
                      did_you_mean(entry.first, known),
                  "$.models." + entry.first,
                  "the purposes of a component's calls: agon describe PART");
}

ModelName name_of(const ModelSpec& model, const AgentServices& services) {
  return {model.provider, model.model, card_of(model, services).wire == nullptr,
          goes_in_batches(model)};
}

/// Does something with the model for a purpose; what is wrong with it is told with its parameter.
template <class Work>
auto with_model_for(const std::string& purpose, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::string place = "models." + purpose;
    std::string_view member = error.where();
    for (const std::string_view before : {"$.model.", "$."})
      if (member.starts_with(before)) {
        member.remove_prefix(before.size());
        break;
      }
    throw Error(error.kind(), place + ": " + error.problem(),
                "$." + place + (member.empty() ? "" : ".") + std::string(member), error.hint());
  }
}

/// A readable answer with a thought in front that was written in another call.
std::string with_thought(const AnswerForm& form, const Type& type, const ModelAnswer& answer) {
  if (!has_room_for_thought(type)) return answer.thought + "\n\n" + form.written(answer.json);
  JsonWriter first;
  first.open_object().name("thought").text(answer.thought).close_object();
  std::string json = first.take();
  json.pop_back();
  const std::size_t begin = answer.json.find('{') + 1;
  const std::size_t rest = answer.json.find_first_not_of(" \t\r\n", begin);
  json += answer.json[rest] == '}' ? "" : ",";
  return form.written(json + answer.json.substr(begin));
}

/// Whether a reasoning writes down by itself what the agent takes along to the next match.
bool reasoning_learns(const Reasoning& reasoning) {
  OwnedQuestion question;
  question.stage = kTakeAlong.name;
  question.purpose = kTakeAlong.purpose;
  question.probe = true;
  return reasoning.answers_probe(question);
}

std::string message_of(const Error& error) {
  return error.where().empty() ? error.problem() : error.where() + ": " + error.problem();
}

}  // namespace

LlmAgent::LlmAgent(const Params& params, const AgentServices& services)
    : LlmAgent(params, services, make_provider(params.model, services)) {}

LlmAgent::LlmAgent(const Params& params, const AgentServices& services,
                   std::shared_ptr<Provider> provider)
    : params_(params),
      name_(name_of(params.model, services)),
      parts_(make_parts(params, services)),
      overlaps_(overlaps_of(params, services)),
      models_{std::move(provider)},
      stop_(services.stop) {
  check_purposes(params, services);
  for (const auto& [purpose, model] : params.models)
    with_model_for(purpose, [&, &purpose = purpose, &model = model] {
      others_.push_back({purpose, name_of(model, services)});
      models_.by_purpose[purpose] = make_provider(model, services);
    });
  if (params.own_thoughts == OwnThoughts::hidden && params.show_thoughts)
    throw Error(ErrorKind::invalid,
                "own_thoughts=hidden leaves no answer for show_thoughts to put thoughts before",
                "$.show_thoughts", "leave one of the two out");
  if (parts_.learning->answers() && reasoning_learns(*parts_.reasoning))
    throw Error(ErrorKind::invalid,
                "the reasoning '" + params.reasoning +
                    "' takes figures along, which the learning '" + params.learning +
                    "' would show to the model as lessons",
                "$.learning", "leave out 'learning', or what makes the reasoning learn");
  if (params.answer_seconds > 0 &&
      (goes_in_batches(params.model) ||
       std::any_of(params.models.begin(), params.models.end(),
                   [](const auto& other) { return goes_in_batches(other.second); })))
    throw Error(ErrorKind::invalid, "a batch takes up to a day, and answer_seconds is shorter",
                "$.answer_seconds", "leave out 'answer_seconds', or the model's \"batch\"");
  const std::string language = params.language.value_or("en");
  if (params.prompts == PromptWords::published && language != "en")
    throw Error(ErrorKind::invalid,
                "published prompts are in English, and the agent reads '" + language + "'",
                "$.prompts", "leave out 'prompts' or 'language'");
  // It names a folder among the prompts.
  if (language.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != std::string::npos ||
      language == "published")
    throw Error(ErrorKind::invalid,
                "'" + language + "' is no short name of a language: small letters and hyphens", "",
                "write \"de\" or \"zh\"");
  // What tools are, and what comes of them, is said in English.
  if (language != "en" && parts_.tools != nullptr && !parts_.tools->offered().empty())
    throw Error(ErrorKind::invalid, "tools speak English, and the agent reads '" + language + "'",
                "$.tools", "leave out 'tools' or 'language'");
  // Words are found between spaces.
  if (language != "en" && params.memory.starts_with("retrieval"))
    throw Error(ErrorKind::invalid,
                "retrieval finds words of English, and the agent reads '" + language + "'",
                "$.memory", "take another memory, or leave out 'language'");
}

LlmAgent::~LlmAgent() = default;

bool LlmAgent::learns() const {
  return parts_.learning->answers() || reasoning_learns(*parts_.reasoning);
}

std::vector<Access> LlmAgent::accesses(const Params& params, const AgentServices& services) {
  std::vector<Access> all = llm::accesses(params.model, card_of(params.model, services));
  for (const auto& [purpose, model] : params.models)
    with_model_for(purpose, [&, &model = model] {
      for (Access& access : llm::accesses(model, card_of(model, services)))
        all.push_back(std::move(access));
    });
  return all;
}

std::shared_ptr<const Prompts> LlmAgent::prompts_of(
    const std::shared_ptr<const PromptSet>& set) const {
  if (set == nullptr)
    throw Error(ErrorKind::not_found, "no prompt files were given to the agent", "",
                "they are in share/agon/prompts; is the installation complete?");
  const std::lock_guard lock(prompts_mutex_);
  auto& held = prompts_[set];
  if (held == nullptr) held = std::make_shared<const Prompts>(set);
  return held;
}

void LlmAgent::ask(OwnedQuestion question, Completion done) const {
  calls_.run([this, question = std::move(question), done = std::move(done)] {
    if (!done.abandoned()) done(answer_now(question));
  });
}

Reply LlmAgent::answer_now(const OwnedQuestion& question) const {
  if (stop_.asked()) return {.status = Fault::provider_failed, .problem = kStopped};
  try {
    return reply_to(question);
  } catch (const CallFailed& failed) {
    return failed.reply;
  } catch (const Error& error) {
    // Wrong prompts, a ledger that cannot be written: no other call would fare better.
    return {.status = Fault::provider_failed,
            .problem = message_of(error),
            .halt = Halt::configuration};
  } catch (const std::exception& error) {
    return {.status = Fault::crashed, .problem = error.what()};
  }
}

Reply LlmAgent::reply_to(const OwnedQuestion& question) const {
  const std::shared_ptr<const Prompts> prompts = prompts_of(question.prompts);
  const DataStyle style{question.seat_names, static_cast<std::size_t>(params_.longest_text),
                        question.language};
  Clock::Time deadline = question.deadline;
  if (params_.answer_seconds > 0)
    deadline = std::min(deadline,
                        std::chrono::steady_clock::now() + Clock::seconds(params_.answer_seconds));
  Turn turn(question, parts_, *prompts, models_, style, cache_, deadline,
            params_.own_thoughts != OwnThoughts::hidden);
  if (!turn.wants_to_answer()) return {.declined = true};
  if (!params_.ask_always && question.attempt == 0)
    if (auto only = only_value(*question.answer_type, question.limits.get()))
      return {.json = *std::move(only), .by_rules = true};
  if (params_.show_thoughts) turn.show_thoughts();
  if (draws_answers()) turn.draw_answers();
  ModelAnswer answer = parts_.reasoning->answer(turn);
  if (params_.own_thoughts == OwnThoughts::shown && answer.fault == Fault::ok &&
      !answer.thought.empty() && !answer.said.empty() &&
      answer.said.find(answer.thought) == std::string::npos &&
      parts_.form->read(question, answer.said).thought.empty())
    answer.said = with_thought(*parts_.form, *question.answer_type, answer);
  Reply reply;
  reply.status = answer.fault;
  reply.json = std::move(answer.json);
  reply.thought = std::move(answer.thought);
  reply.problem = std::move(answer.problem);
  reply.said = std::move(answer.said);
  reply.hopeless = reply.status == Fault::truncated && turn.has_no_room();
  if (auto memo = turn.memo()) {
    reply.memo = *std::move(memo);
    reply.remembers = true;
  }
  reply.kept = turn.take_kept();
  return reply;
}

namespace {

/// Components whose texts the prompts leave out: their calls are paid for, and change nothing.
std::vector<Finding> unseen_components(const LlmParams& params, const PromptFolder& folder) {
  std::vector<Finding> findings;
  const auto look = [&](std::string_view left_out, std::string_view member,
                        const std::string& component, bool writes) {
    if (!writes || std::find(folder.left_out.begin(), folder.left_out.end(), left_out) ==
                       folder.left_out.end())
      return;
    findings.push_back({Finding::Level::warning,
                        "the prompts leave out {{" + std::string(left_out) + "}}: what '" +
                            component + "' writes is not shown to the model",
                        "leave out the agent's '" + std::string(member) + "'"});
  };
  look("plan", "planning", params.planning, params.planning != "none");
  look("beliefs", "beliefs", params.beliefs, params.beliefs != "off");
  look("notes", "memory", params.memory, params.memory.starts_with("notebook"));
  look("notes", "learning", params.learning, params.learning != "none");
  return findings;
}

/// What of an agent keeps it from being asked as a source asked.
std::vector<Finding> unlike_published(const LlmParams& params, const PromptSet& prompts) {
  std::vector<Finding> findings;
  if (params.prompts != PromptWords::published) return findings;
  const bool shows_questions = params.memory != "none" && !params.memory.starts_with("notebook");
  if (shows_questions && !prompts.folder.keep_questions)
    findings.push_back(
        {Finding::Level::warning,
         "the memory '" + params.memory +
             "' shows earlier questions in Agon's words beside the published prompts",
         "give the agent \"memory\": \"none\""});
  if (params.persona == "none" && prompts.texts.contains("part-personality"))
    findings.push_back({Finding::Level::warning,
                        "the published prompts begin with a personality, and the agent has none",
                        "give it \"persona\": \"personality:is=...\"; docs/papers/ says which"});
  return findings;
}

}  // namespace

bool LlmAgent::draws_answers() const {
  return asks_distribution(params_.model) && params_.reasoning == "direct" &&
         parts_.tools->offered().empty();
}

namespace {

/// What a ledger has, and nothing more.
class ReadOnly final : public CallLedger {
 public:
  explicit ReadOnly(std::shared_ptr<CallLedger> ledger) : ledger_(std::move(ledger)) {}
  std::optional<ModelCall> find(int index) override { return ledger_->find(index); }
  [[nodiscard]] bool is_closed() const override { return true; }
  Halt admit(const CallEstimate&) override { return Halt::configuration; }
  void keep(int, const ModelCall&) override {}
  void give_back(int, const ModelCall&) override {}

 private:
  std::shared_ptr<CallLedger> ledger_;
};

}  // namespace

std::string LlmAgent::said(const OwnedQuestion& question) const {
  if (question.ledger == nullptr) return {};
  OwnedQuestion closed = question;
  closed.ledger = std::make_shared<ReadOnly>(question.ledger);
  return answer_now(closed).said;
}

namespace {

/// The keywords that bound values in schemas of a game's answers: those of its types, and those
/// that limits of the moment may add.
std::vector<std::string> keywords_of(const Game& game) {
  std::set<std::string> found;
  for (const StageCard& stage : game.stages) {
    const std::string schema = schema_json(*stage.answer);
    for (const char* keyword : {"minimum", "maximum", "multipleOf", "minLength", "maxLength",
                                "minItems", "maxItems", "pattern", "enum", "const", "anyOf"})
      if (schema.find("\"" + std::string(keyword) + "\":") != std::string::npos)
        found.insert(keyword);
    const bool counts = schema.find("\"number\"") != std::string::npos ||
                        schema.find("\"integer\"") != std::string::npos;
    if (counts) found.insert({"minimum", "maximum"});
    if (schema.find("\"array\"") != std::string::npos) found.insert({"minItems", "maxItems"});
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<Finding> LlmAgent::preflight(const Game& game, const PromptSet* prompts,
                                         const Expected& expected) const {
  std::vector<Finding> findings;
  const auto add = [&](std::vector<Finding> found) {
    findings.insert(findings.end(), std::move_iterator(found.begin()),
                    std::move_iterator(found.end()));
  };
  if (prompts == nullptr) {
    findings.push_back({Finding::Level::error, "no prompt files were found",
                        "they are in share/agon/prompts; is the installation complete?"});
  } else {
    std::vector<PromptUse> uses;
    for (const Part* part : parts_.all())
      for (const PromptUse& use : part->prompts()) uses.push_back(use);
    findings = check_prompts(game, *prompts, uses);
    if (findings.empty())
      findings.push_back({Finding::Level::ok,
                          "the prompts for '" + std::string(game.id) + "'" +
                              (params_.language ? " in '" + *params_.language + "'" : "") +
                              (params_.prompts == PromptWords::published ? " as published" : "") +
                              " are sound",
                          ""});
    add(unseen_components(params_, prompts->folder));
    add(unlike_published(params_, *prompts));
  }
  for (const std::string& overlap : overlaps_)
    findings.push_back({Finding::Level::warning, "OVERLAP: " + overlap,
                        "their effects cannot be told apart in agents that have both"});
  if (asks_distribution(params_.model) && !draws_answers())
    findings.push_back({Finding::Level::warning,
                        "the model's \"sample\" has no effect: the agent's reasoning or tools use "
                        "the words of its answers",
                        "take \"reasoning\": \"direct\" without tools, or leave sample out"});
  for (const auto& [purpose, model] : params_.models)
    if (asks_distribution(model))
      findings.push_back({Finding::Level::warning,
                          "models." + purpose +
                              ": \"sample\" has no effect: answers are drawn from the agent's own "
                              "model alone",
                          "leave sample out of it"});
  Expected of_model = expected;
  const std::vector<std::string> keywords = keywords_of(game);
  of_model.keywords = keywords;
  of_model.tools = parts_.tools->offered();
  of_model.draws_answers = draws_answers();
  add(models_.own->preflight(of_model));
  of_model.tools = {};  // they are offered to the agent's own model alone
  of_model.draws_answers = false;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    of_model.longest_prompt =
        i < expected.longest_of_others.size() ? expected.longest_of_others[i] : 0;
    add(models_.of(others_[i].purpose).preflight(of_model));
  }
  return findings;
}

std::optional<Reply> LlmAgent::probe_model(const ModelProbe& probe, CallLedger& ledger) const {
  // A few words are asked for; what a model thinks before them has to fit too.
  constexpr int kMostTokens = 1024;
  ModelRequest request{.purpose = "drift", .messages = {{"user", probe.text}}};
  request.schema = probe.schema;
  const auto other = params_.models.find(probe.purpose);
  const ModelSpec& spec = other == params_.models.end() ? params_.model : other->second;
  Provider& provider = models_.of(probe.purpose);
  request.max_tokens = std::min(spec.max_tokens.value_or(kMostTokens), kMostTokens);
  if (const Halt halt = ledger.admit(provider.estimate(request)); halt != Halt::no)
    return Reply{
        .status = Fault::provider_failed, .problem = "a cap of the run is reached", .halt = halt};
  ModelResult result =
      provider.call(request, Provider::Time::max(), Dice(hash_of(probe.text), 0, 0));
  ModelCall& made = result.call;
  made.purpose = request.purpose;
  if (made.fault == Fault::provider_failed) {
    ledger.give_back(0, made);
    return Reply{.status = Fault::provider_failed,
                 .problem = made.problem.empty() ? "the model could not be called" : made.problem,
                 .halt = result.halt};
  }
  ledger.keep(0, made);
  return Reply{};
}

}  // namespace agon::llm
