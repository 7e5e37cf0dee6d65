#pragma once

#include <agon/agent.hpp>
#include <agon/callback.hpp>
#include <agon/export.hpp>
#include <agon/model/distribution.hpp>
#include <agon/model/kit.hpp>
#include <agon/model/model_call.hpp>
#include <agon/model/tool.hpp>

/// @file
/// What model agents are made of. Each part is one small interface; a plugin adds one with
/// `registry.add(agon::part<Notebook>({.kind = PartKind::memory, .id = "notebook", ...}))`, and any
/// agent spec can name it: `"memory": "notebook:words=200"`. Parts have no state: what they must
/// know again they put into the turn's notes.
namespace agon {

/// A request that a part makes of the model.
struct ModelRequest {
  std::string_view purpose;           ///< "answer", "notebook"; by it a suite may name a model
  std::vector<ChatMessage> messages;  ///< the whole dialogue
  std::string schema{};               ///< JSON Schema of the answer; empty: free text
  /// The schema with the question's usual ranges (agon::usual) for what stands in for a model;
  /// empty: it has none. Never sent.
  std::string usual{};
  /// What asks for the form of the answer in words, put after the last message where the model is
  /// not shown the schema otherwise.
  std::string form{};
  /// The few legal answers, whose probabilities may be asked for in place of one answer; empty: the
  /// answer is asked for by `schema` and `form`.
  std::vector<AnswerOption> options{};
  std::string options_form{};  ///< what asks for the label of an option, in the place of `form`
  /// So many messages at the front come again at the front of later requests: for caches.
  std::size_t stable = 0;
  bool says_form = false;  ///< `form` is put there even where the model is shown the schema
  int max_tokens = 0;      ///< 0: as the model's settings say
  /// A model of the same endpoint that turns the text of each message into a vector; what comes
  /// back is a JSON list of these. Empty: the model itself is asked, and answers.
  std::string_view embedder{};
  /// What comes back is the answer in words, which another call reads: at the next attempt the
  /// model is shown it, and why it was turned down.
  bool is_answer = false;
  /// The agent's tools may be called before this is answered; ModelTurn::ask_for_answer() sets it.
  bool may_use_tools = false;
  std::span<const ModelTool> tools{};  ///< that are offered; ModelTurn::call() fills it in
  bool must_answer = false;            ///< no tool may be called any more; likewise
  const Language* language = &Language::english();  ///< of what is put there

  /// Adds a text of the user's at the end of the dialogue: to the last message if that is the
  /// user's too, as providers want the two roles in turn. There must be a message.
  AGON_API void append_user(std::string_view text);
};

/// Thrown by ModelTurn::call() when a call came to nothing. No std::exception: parts let it pass.
struct AGON_API CallFailed {
  Reply reply;  ///< what the agent is to say of it
};

/// A name for a prompt and what stands for it.
struct PromptName {
  std::string_view name;  ///< of the placeholder
  std::string text;       ///< what it is replaced by
};

/// A prompt file that a part renders, and the names that it gives beside those of the question.
struct PromptUse {
  std::string_view file;                      ///< without ".txt"
  std::span<const std::string_view> names{};  ///< beside those of the question
  /// Rendered in place of the part's own words where a folder has it; it knows `names` alone.
  bool only_if_there = false;
};

/// Whether a private thought is asked for with an answer.
enum class Thinking : std::uint8_t {
  none,
  first,  ///< written before the answer; recorded, never shown to others, never read for a move
};

/// How a model's answer to a question came out.
struct ModelAnswer {
  Fault fault = Fault::ok;  ///< ok, repaired, in_words, unparsable, empty, truncated, refused
  std::string json{};       ///< the answer, where there is one
  std::string thought{};    ///< the private reason, where one was given
  std::string problem{};    ///< what was wrong, or was repaired: the model is told
  std::string said{};       ///< all of it in the model's own words; empty: nobody said it whole
};

/// A text that the agent wrote for itself: notes, a plan, an account.
struct OwnText {
  std::string text{};       ///< empty: there is none, or the game's views tell all of it
  std::size_t at = 0;       ///< place in the history that it was written at
  bool was_missed = false;  ///< one was asked for later, and what came back was none
  bool was_given = false;   ///< it is an answer to the game
};

/// An answer that the seat gave, by itself or by the arena, to a question that play rests on.
struct OwnMove {
  std::size_t at = 0;  ///< its place in the history
  std::string answer;  ///< in words: "bid 5 dollars"
};

/// What a seat was told, asked and has answered before a question, in texts. Places are those of
/// the question's history. Of plays that know nothing of this one (agon::apart_by) nothing is told.
class AGON_API TurnHistory {
 public:
  virtual ~TurnHistory();
  /// Place from which on it is news: all since the seat's last answer.
  [[nodiscard]] virtual std::size_t news_from() const = 0;
  /// Where the phase began that runs at `place`: after the last event that ends one
  /// (agon::phase_event of the game's facts; without it each answer ends one).
  [[nodiscard]] virtual std::size_t phase_from(std::size_t place) const = 0;
  /// What was told between two places, a line an event. Texts in it are quoted and bounded: what
  /// others wrote stays data.
  [[nodiscard]] virtual std::string events(std::size_t from, std::size_t to) const = 0;
  /// The same as a dialogue: told and asked by the "user", answered by the "assistant" in its own
  /// words, in turn; without plans, beliefs and lessons, which their parts show. Beside an answer
  /// that was not played as it was said stands what was.
  [[nodiscard]] virtual std::vector<ChatMessage> dialogue(std::size_t from,
                                                          std::size_t to) const = 0;
  /// The place from which on dialogue() up to `to` has `n` messages at most.
  [[nodiscard]] virtual std::size_t last_messages(std::size_t n, std::size_t to) const = 0;
  /// What was told and answered between two places in lines, answers in words with the reasons
  /// given: what notes are made of. Without plans, beliefs and lessons.
  [[nodiscard]] virtual std::string account(std::size_t from, std::size_t to) const = 0;
  /// The seat's last answer to a question of that purpose, with its reasons; one without a word in
  /// it counts for nothing. For Purpose::learn what it took along from the match before is one.
  [[nodiscard]] virtual OwnText last_answer(Purpose purpose) const = 0;
  /// How far play was at a place: "after day 3", "after your answer 2", "at the start".
  [[nodiscard]] virtual std::string date(std::size_t place) const = 0;
  /// The seat's moves before this question, in order.
  [[nodiscard]] virtual std::vector<OwnMove> own_moves() const = 0;
};

/// One question while a model agent answers it: all that parts can see and do.
class AGON_API ModelTurn {
 public:
  ModelTurn() = default;
  ModelTurn(const ModelTurn&) = delete;
  ModelTurn& operator=(const ModelTurn&) = delete;
  virtual ~ModelTurn();

  /// What is asked.
  [[nodiscard]] virtual const OwnedQuestion& question() const = 0;
  /// Dice of this question and of nothing else.
  [[nodiscard]] virtual Dice dice() const = 0;
  /// What the seat was told, asked and has answered before.
  [[nodiscard]] virtual const TurnHistory& history() const = 0;
  /// A text of the agent's own as prompts show it: "Your plan, written after day 3:" and the text
  /// below; empty without one.
  [[nodiscard]] virtual std::string headed(std::string_view title, const OwnText& own) const = 0;

  /// What this part wrote down at an earlier question; empty at first.
  [[nodiscard]] virtual std::string note(std::string_view part) const = 0;
  /// Writes down what the part must know again. Recorded in the agent's memo.
  virtual void write_note(std::string_view part, std::string text) = 0;

  /// Asks the model and waits. The call is on record, and durable, before this returns; its fault
  /// is ok, empty, truncated or refused. Throws CallFailed for anything else.
  virtual ModelCall call(const ModelRequest& request) = 0;

  /// A prompt file by its name without ".txt", with its placeholders filled: the names of the
  /// question (docs/prompts.md) and `more`. Throws Error for a file that is not there.
  [[nodiscard]] virtual std::string render(std::string_view file,
                                           std::span<const PromptName> more = {}) const = 0;
  /// True if there is such a prompt file.
  [[nodiscard]] virtual bool has_prompt(std::string_view file) const = 0;

  /// The dialogue up to now: system prompt and memory, and before the first answer what was told so
  /// far. Worked out once a question.
  virtual const std::vector<ChatMessage>& opening() = 0;
  /// What the model is asked at this stage, with what the other parts add, without the form of the
  /// answer.
  virtual const std::string& task() = 0;
  /// How the answer is to be written, in words.
  [[nodiscard]] virtual std::string form(Thinking thinking = Thinking::none) const = 0;
  /// Asks for the answer: the opening, then `prompt` and the form; reads what comes back. Asked
  /// for the same again, in this attempt or the next, the model is shown what it said and why that
  /// was turned down. (What it said otherwise at an earlier attempt is not asked for again.)
  virtual ModelAnswer ask_for_answer(const std::string& prompt, std::string_view purpose,
                                     Thinking thinking = Thinking::none) = 0;
  /// Asks for a described struct that is no answer to the question but something that the part
  /// wants to know on the way; `request` says all but the schema. What comes back is read as
  /// answers are, and `json` then holds a legal value of the type under the limits.
  virtual ModelAnswer ask_for(const Type& type, ModelRequest request,
                              std::span<const LimitData> limits = {}) = 0;
};

/// What all parts have in common.
class AGON_API Part {
 public:
  virtual ~Part();
  /// The prompt files that it renders, so that they can be looked at before a run.
  [[nodiscard]] virtual std::vector<PromptUse> prompts() const;
};

/// Who the model is to be.
class AGON_API Persona : public Part {
 public:
  /// A text for the system prompt; empty: none.
  [[nodiscard]] virtual std::string text(const OwnedQuestion& question) const = 0;
};

/// What the model is reminded of.
class AGON_API Memory : public Part {
 public:
  /// Place in the history before which it has nothing to show, whatever is asked.
  [[nodiscard]] virtual std::size_t from(const ModelTurn& turn) const;
  /// Messages between the system prompt and the task.
  [[nodiscard]] virtual std::vector<ChatMessage> messages(ModelTurn& turn) const = 0;
  /// A text beside the task, under its heading (ModelTurn::headed()); empty: none. May call the
  /// model.
  [[nodiscard]] virtual std::string notes(ModelTurn& turn) const;
};

/// Whether something is learnt for the rounds and matches to come.
class AGON_API Learning : public Part {
 public:
  /// Whether probes that ask what was learnt are answered.
  [[nodiscard]] virtual bool answers() const = 0;
  /// What was learnt, for the task; empty: nothing yet.
  [[nodiscard]] virtual std::string lessons(ModelTurn& turn) const = 0;
};

/// Whether and when plans are made.
class AGON_API Planning : public Part {
 public:
  /// Whether the game's own probes for plans are answered; `again` for a plan made again.
  [[nodiscard]] virtual bool answers(bool again) const = 0;
  /// The plan under its heading (ModelTurn::headed()); empty: none. May call the model.
  [[nodiscard]] virtual std::string plan(ModelTurn& turn) const = 0;
};

/// Whether beliefs are kept.
class AGON_API Beliefs : public Part {
 public:
  /// Whether a probe of beliefs is answered; `corrected`: the game has shown what was wrong in the
  /// answer before.
  [[nodiscard]] virtual bool answers(bool corrected) const = 0;
  /// What is held to be so, under its heading (ModelTurn::headed()); empty: none. May call the
  /// model.
  [[nodiscard]] virtual std::string text(ModelTurn& turn) const = 0;
};

/// How an answer is found.
class AGON_API Reasoning : public Part {
 public:
  /// Finds the answer. May call the model as often as it needs.
  [[nodiscard]] virtual ModelAnswer answer(ModelTurn& turn) const = 0;
  /// Whether it answers this probe even if no other part speaks to it: a belief that it works out
  /// by itself, say.
  [[nodiscard]] virtual bool answers_probe(const OwnedQuestion& probe) const;
};

/// What a model may have worked out or looked up before it answers.
class AGON_API Tools : public Part {
 public:
  /// The tools; empty: none. The same for every question.
  [[nodiscard]] virtual std::span<const ModelTool> offered() const = 0;
  /// So many calls of them may be made for one question, those of all its attempts together.
  [[nodiscard]] virtual int most_calls() const = 0;
  /// Bytes of a result that the model is shown, at most; what is over is cut off, and it is told.
  [[nodiscard]] virtual std::size_t longest_result() const { return kLongestToolResult; }
  /// What a call gives: it follows from the question, the part's notes and the call alone, and
  /// holds nothing that the seat may not see. Throws Error for a call that makes no sense; the
  /// model is told why. Both texts are the model's own, and may be anything.
  [[nodiscard]] virtual std::string result(ModelTurn& turn, std::string_view tool,
                                           std::string_view arguments) const = 0;
};

/// How an answer is written down.
class AGON_API AnswerForm : public Part {
 public:
  /// The model is told this; where there is a schema() for the endpoint, only if the model is not
  /// shown that.
  [[nodiscard]] virtual std::string instructions(const OwnedQuestion& question,
                                                 Thinking thinking) const = 0;
  /// An answer, as JSON, as it is to be written down.
  [[nodiscard]] virtual std::string written(std::string_view json) const;
  /// The JSON Schema for the endpoint's structured output; empty: free text.
  [[nodiscard]] virtual std::string schema(const OwnedQuestion& question,
                                           Thinking thinking) const = 0;
  /// Finds the answer, and the thought where there is one, in what the model said; never rescues an
  /// answer from prose.
  [[nodiscard]] virtual ModelAnswer read(const OwnedQuestion& question,
                                         std::string_view text) const = 0;
};

/// Which of the interfaces above a part has.
enum class PartKind : std::uint8_t {
  persona,
  memory,
  learning,
  planning,
  beliefs,
  reasoning,
  form,
  tools
};

namespace detail {
template <PartKind>
struct PartOf;
template <>
struct PartOf<PartKind::persona> {
  using type = Persona;
};
template <>
struct PartOf<PartKind::memory> {
  using type = Memory;
};
template <>
struct PartOf<PartKind::learning> {
  using type = Learning;
};
template <>
struct PartOf<PartKind::planning> {
  using type = Planning;
};
template <>
struct PartOf<PartKind::beliefs> {
  using type = Beliefs;
};
template <>
struct PartOf<PartKind::reasoning> {
  using type = Reasoning;
};
template <>
struct PartOf<PartKind::form> {
  using type = AnswerForm;
};
template <>
struct PartOf<PartKind::tools> {
  using type = Tools;
};
template <class P>
constexpr PartKind kind_of_part() {
  if constexpr (std::is_base_of_v<Persona, P>) return PartKind::persona;
  if constexpr (std::is_base_of_v<Memory, P>) return PartKind::memory;
  if constexpr (std::is_base_of_v<Learning, P>) return PartKind::learning;
  if constexpr (std::is_base_of_v<Planning, P>) return PartKind::planning;
  if constexpr (std::is_base_of_v<Beliefs, P>) return PartKind::beliefs;
  if constexpr (std::is_base_of_v<Reasoning, P>) return PartKind::reasoning;
  if constexpr (std::is_base_of_v<Tools, P>) return PartKind::tools;
  return PartKind::form;
}
}  // namespace detail

/// Another part that shows the model some of what this one shows, or undoes what it does, so that
/// the two cannot be told apart, or mean nothing, side by side.
struct PartOverlap {
  PartKind kind;            ///< of the other part
  std::string_view id;      ///< of the other part
  std::string_view what{};  ///< what they share or undo, as a clause: "both show the rounds before"
};

/// What `agon describe PART` prints, and how to make one.
struct PartCard {
  PartKind kind = PartKind::reasoning;      ///< agon::part() fills it in
  std::string_view id{};                    ///< unique within its kind: "notebook"
  std::string_view game{};                  ///< the one game it is for; empty: any
  std::string_view doc{};                   ///< what it does, in a sentence or two
  std::string_view source{};                ///< paper and section, if it is from one
  const Type* params = nullptr;             ///< described struct of its parameters
  std::span<const PartOverlap> overlaps{};  ///< declared by one of the two
  /// Purposes of calls (ModelRequest::purpose) that a suite may have another model answer: the
  /// agent's parameter `models` names them. Not those whose text is the answer itself.
  std::span<const std::string_view> purposes{};
  /// Makes a Persona, Memory, ... by `kind`.
  Callback<std::shared_ptr<const void>(const void* params)> make{};
};

/// part<Notebook>({.id = "notebook", .doc = "..."}): P derives from one of the interfaces above,
/// has a described struct P::Params and a constructor from it. The kind follows from the interface.
template <class P>
constexpr PartCard part(PartCard card) {
  card.kind = detail::kind_of_part<P>();
  card.params = &type_of<typename P::Params>();
  card.make = [](const void* params) -> std::shared_ptr<const void> {
    using Base = typename detail::PartOf<detail::kind_of_part<P>()>::type;
    return std::static_pointer_cast<const Base>(
        std::make_shared<const P>(*static_cast<const typename P::Params*>(params)));
  };
  return card;
}

struct ProviderCard;

/// Where a model agent gets its parts from, and the provider of its model.
class AGON_API PartSource {
 public:
  /// The part of that kind that `spec` names: `name` or `name:key=value,key=value`; for this game
  /// ("": any). Throws Error with the nearest name for what is not there or does not fit.
  [[nodiscard]] virtual std::shared_ptr<const void> part(PartKind kind, std::string_view spec,
                                                         std::string_view game) const = 0;
  /// The card of the part of that kind and name. Throws likewise.
  [[nodiscard]] virtual const PartCard& part_card(PartKind kind, std::string_view id,
                                                  std::string_view game) const = 0;
  /// part() with the type that belongs to the kind.
  template <PartKind kind>
  [[nodiscard]] std::shared_ptr<const typename detail::PartOf<kind>::type> make(
      std::string_view spec, std::string_view game) const {
    return std::static_pointer_cast<const typename detail::PartOf<kind>::type>(
        part(kind, spec, game));
  }
  /// The provider with this id. Throws Error (not_found) with the nearest name for one that is not
  /// there.
  [[nodiscard]] virtual const ProviderCard& provider(std::string_view id) const = 0;

 protected:
  ~PartSource() = default;
};

}  // namespace agon
