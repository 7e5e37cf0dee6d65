#include "deal-or-no-deal/workflows.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <map>

#include "deal-or-no-deal/messages.hpp"
#include "deal-or-no-deal/strategies.hpp"
#include "shared/theory/meta_strategy.hpp"

namespace deal_or_no_deal {
namespace {

template <class View>
Talk talk_of(const View& view) {
  Talk talk;
  talk.total_value = view.total_value;
  talk.round = view.round;
  for (const Pile& pile : view.items) {
    talk.items.emplace_back(pile.item);
    talk.counts.push_back(pile.count);
    talk.values.push_back(pile.value);
  }
  for (const MessageSent& message : view.messages) {
    Spoken& spoken = talk.said.emplace_back(Spoken{message.seat, message.text, std::nullopt});
    if (message.proposal) spoken.take = amounts(message.proposal->take);
  }
  if constexpr (requires { view.their_claim; })
    if (view.their_claim) talk.their_claim = amounts(*view.their_claim);
  if constexpr (requires { view.offers; })
    for (const OfferMade& offer : view.offers)
      talk.said.push_back({offer.seat, std::string(offer.text), amounts(offer.keep)});
  return talk;
}

}  // namespace

bool lies_within(const Amounts& part, const Amounts& counts) {
  if (part.size() != counts.size()) return false;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] < 0 || part[i] > counts[i]) return false;
  }
  return true;
}

std::string items_text(const Talk& talk, const Amounts& part) {
  return items_text({part.begin(), part.size()}, talk.items);
}

namespace {

/// More options than this are not listed: games of the published size have fewer splits.
constexpr std::size_t kMostOptions = 60;

/// Published thresholds between what is called low, moderate and high.
constexpr Hundredths kLowUpTo = 40;
constexpr Hundredths kHighFrom = 60;

std::string decimal(Hundredths hundredths) {
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

std::string decimal(const std::optional<Hundredths>& hundredths) {
  return hundredths ? decimal(*hundredths) : std::string();
}

std::string_view fairer_label(const SplitOption& option) {
  return option.acceptance > kHighFrom ? " (high)" : "";
}

std::string_view better_label(const SplitOption& option) {
  if (option.acceptance <= kLowUpTo) return " (low)";
  return option.acceptance >= kHighFrom ? " (high)" : " (moderate)";
}

std::string option_lines(const Talk& talk, const std::vector<SplitOption>& options,
                         std::string_view (*label)(const SplitOption&)) {
  std::string text;
  for (std::size_t i = 0; i < options.size() && i < kMostOptions; ++i) {
    const SplitOption& option = options[i];
    text += fmt::format("{}- take {}: worth {} to you, probability that it is accepted {}{}",
                        i == 0 ? "" : "\n", items_text(talk, option.take), option.score,
                        decimal(option.acceptance), label(option));
    if (option.refused > 0) {
      text += fmt::format("; careful, you have proposed this {} and it was not accepted",
                          option.refused == 1 ? "once" : fmt::format("{} times", option.refused));
    }
  }
  if (options.size() > kMostOptions) {
    text += fmt::format("\n- and {} more", options.size() - kMostOptions);
  }
  return text;
}

/// Items that the side would take though they are worth nothing to it.
std::string useless_items(const Talk& talk, const Amounts& take) {
  std::string text;
  for (std::size_t i = 0; i < take.size(); ++i) {
    if (take[i] > 0 && talk.values[i] == 0) text += (text.empty() ? "" : ", ") + talk.items[i];
  }
  return text;
}

}  // namespace

std::vector<agon::PromptName> standing(const Talk& talk, const EnvyFilter& filter) {
  const bool agreed = filter.own() == filter.offered();
  const std::string offered = items_text(talk, *filter.offered());
  const Hundredths envy = agreed ? 0 : filter.envy_share();
  const Hundredths greed = agreed ? 0 : filter.greed_share();
  return {{"agreed", agreed ? offered : ""},
          {"counter", agreed ? "" : offered},
          {"envy", envy > 0 ? decimal(envy) : ""},
          {"greed", greed > 0 ? decimal(greed) : ""}};
}

std::vector<agon::PromptName> reflection(const Talk& talk, const EnvyFilter& filter,
                                         const Amounts& take, std::string draft,
                                         double deteriorate_rate) {
  const Weighed weighed = filter.weigh(take);
  return {{"draft", std::move(draft)},
          {"take", items_text(talk, take)},
          {"score", std::to_string(weighed.score)},
          {"theirs", std::to_string(weighed.their_score)},
          {"expected-envy", decimal(weighed.expected_if_envious)},
          {"expected-greed", decimal(weighed.expected_if_greedy)},
          {"chance-envy", decimal(weighed.envy_if_envious)},
          {"chance-greed", decimal(weighed.envy_if_greedy)},
          {"envied", weighed.envies ? std::to_string(weighed.their_score) : ""},
          {"useless", useless_items(talk, take)},
          {"fairer", option_lines(talk, filter.fairer(take, deteriorate_rate), fairer_label)},
          {"better", option_lines(talk, filter.better(take, deteriorate_rate), better_label)}};
}

/// Which proposals are looked for in the words of a message, by a call each.
enum class Extract : std::uint8_t { never, unstated, always };
AGON_DESCRIBE_ENUM(Extract, (never, "none: only what a message states as its proposal is one"),
                   (unstated, "those of messages with words that state none"),
                   (always, "those of all messages with words, whatever they state"))

struct EnvyFreeWorkflowParams {
  double deteriorate_rate = 0;
  int rewrites = 10;
  Extract extract = Extract::unstated;
  bool thinks = false;
  std::optional<Hears> hears{};
};
AGON_DESCRIBE(EnvyFreeWorkflowParams,
              (deteriorate_rate,
               "how much less likely a proposal is to be accepted for each time that it was turned "
               "down",
               agon::range(0, 1), agon::source("Hua et al. 2024, published code: 0")),
              (rewrites, "how often a message may be rewritten", agon::range(0, 100),
               agon::source("Hua et al. 2024, published code: 10")),
              (extract, "which proposals are looked for in the words of messages, by a call each",
               agon::source("Hua et al. 2024, published code: always")),
              (thinks, "thinks freely before each draft, and before it presents what it takes",
               agon::source("Hua et al. 2024, published code: true")),
              (hears, "what it makes of stated values; left out: it does not hear them",
               agon::left_out))

/// What is looked for in the words of a message.
struct FoundProposal {
  std::optional<ItemCounts> take;
};
AGON_DESCRIBE(FoundProposal, (take,
                              "how many of each item the writer would take; null if the message "
                              "proposes no split of all items"))

namespace {

constexpr std::string_view kExtractionPrompt = "part-envy-free-extraction";
constexpr std::array<std::string_view, 2> kExtractionNames{"message", "items"};

/// The note with what was found in the words of the other side's messages, by their place.
constexpr std::string_view kNoteName = "envy-free-workflow";

struct NotedMessage {
  std::size_t message = 0;
  std::optional<std::vector<int>> take;
};
AGON_DESCRIBE(NotedMessage, (message, "its place"), (take, "what it claims; null: nothing"))

std::map<std::size_t, std::optional<Amounts>> read_note(const std::string& note) {
  std::map<std::size_t, std::optional<Amounts>> found;
  if (note.empty()) return found;
  const auto notes = agon::read_back<std::vector<NotedMessage>>(note);
  for (const NotedMessage& noted : *notes) {
    auto& take = found[noted.message];
    if (!noted.take) continue;
    take.emplace();
    for (const int amount : *noted.take) take->push_back(amount);
  }
  return found;
}

std::string write_note(const std::map<std::size_t, std::optional<Amounts>>& found) {
  std::vector<NotedMessage> notes;
  for (const auto& [place, take] : found) {
    NotedMessage& noted = notes.emplace_back(NotedMessage{place, {}});
    if (take) noted.take.emplace(take->begin(), take->end());
  }
  return agon::write_json(notes);
}

/// The message that was drafted, if it is one.
std::optional<Message> message_in(const agon::ModelAnswer& draft) {
  if (draft.json.empty()) return std::nullopt;
  Message message;
  if (agon::read_json(message, draft.json, agon::Missing::is_wrong)) return std::nullopt;
  return message;
}

/// What is known before anybody spoke. Nothing without a total, as then nothing is known of the
/// other side, and for more splits and valuations than can be weighed.
std::optional<EnvyFilter> prior_filter(const Talk& talk) {
  if (talk.total_value <= 0) return std::nullopt;
  try {
    return EnvyFilter(talk.counts, talk.values, talk.total_value);
  } catch (const agon::Error&) {
    return std::nullopt;
  }
}

class EnvyFreeWorkflow final : public agon::Reasoning {
 public:
  using Params = EnvyFreeWorkflowParams;
  explicit EnvyFreeWorkflow(const Params& params) : params_(params) {}
  static Params with_thinking(bool think) {
    Params params;
    params.thinks = think;
    return params;
  }

  [[nodiscard]] std::vector<agon::PromptUse> prompts() const override {
    return {{kStandingPrompt, kStandingNames},
            {kReflectionPrompt, kReflectionNames},
            {kExtractionPrompt, kExtractionNames}};
  }

  [[nodiscard]] bool answers_probe(const agon::OwnedQuestion& probe) const override {
    return probe.stage == "belief";
  }

  [[nodiscard]] agon::ModelAnswer answer(agon::ModelTurn& turn) const override {
    const agon::OwnedQuestion& question = turn.question();
    const bool speaks = question.stage == "message";
    if (!speaks && question.stage != "belief")
      return turn.ask_for_answer(turn.task(), "answer", thinking());
    Talk talk = speaks ? talk_of(*agon::read_back<TalkView>(question.view_json))
                       : talk_of(*agon::read_back<BeliefView>(question.view_json));
    auto filter = prior_filter(talk);
    if (!filter) return turn.ask_for_answer(turn.task(), "answer", thinking());
    add_found(turn, talk, speaks);
    if (params_.hears && talk.their_claim)
      filter->believe(*talk.their_claim, *params_.hears == Hears::checks);
    for (const Spoken& spoken : talk.said) {
      if (spoken.seat != question.seat)
        filter->hear(spoken.take);
      else if (spoken.take)
        filter->propose(*spoken.take);
    }
    return speaks ? speak(turn, talk, *filter) : report(*filter);
  }

 private:
  [[nodiscard]] agon::Thinking thinking() const {
    return params_.thinks ? agon::Thinking::first : agon::Thinking::none;
  }

  /// The valuations that are left, each as likely as any other: no call.
  [[nodiscard]] static agon::ModelAnswer report(const EnvyFilter& filter) {
    BeliefReport belief;
    for (const Amounts& values : filter.possible())
      belief.candidates.push_back({listed(values), 1});
    return {.json = agon::write_json(belief)};
  }

  [[nodiscard]] bool looks_into(const std::string& text, bool states_one) const {
    if (text.empty() || params_.extract == Extract::never) return false;
    return !states_one || params_.extract == Extract::always;
  }

  /// Puts into the talk what was found in the other side's words: by earlier calls, and where
  /// `may_call` by a call for each message that is new.
  void add_found(agon::ModelTurn& turn, Talk& talk, bool may_call) const {
    auto found = read_note(turn.note(kNoteName));
    for (std::size_t i = 0; i < talk.said.size(); ++i) {
      Spoken& spoken = talk.said[i];
      if (spoken.seat == turn.question().seat || !looks_into(spoken.text, spoken.take.has_value()))
        continue;
      if (may_call && !found.contains(i)) {
        found[i] = extract(turn, talk, spoken.text);
        turn.write_note(kNoteName, write_note(found));
      }
      if (const auto known = found.find(i); known != found.end()) spoken.take = known->second;
    }
  }

  /// The split that a text proposes, if it proposes one. Asked without anything private, so that
  /// nothing but the text decides.
  [[nodiscard]] static std::optional<Amounts> extract(agon::ModelTurn& turn, const Talk& talk,
                                                      const std::string& text) {
    std::string quoted;
    agon::append_json_text(quoted, text);
    const agon::PromptName names[] = {{"message", quoted},
                                      {"items", items_text(talk, talk.counts)}};
    agon::ModelRequest request;
    request.purpose = "extract";
    request.messages = {{"user", turn.render(kExtractionPrompt, names)}};
    const agon::ModelAnswer told = turn.ask_for(agon::type_of<FoundProposal>(), std::move(request));
    FoundProposal found;
    if (told.json.empty() || agon::read_json(found, told.json, agon::Missing::is_wrong))
      return std::nullopt;
    if (!found.take || !lies_within(amounts(*found.take), talk.counts)) return std::nullopt;
    return amounts(*found.take);
  }

  /// A draft with the proposal that its words make.
  struct Draft {
    agon::ModelAnswer answer;
    std::optional<Amounts> take;
    bool sound = false;  ///< it is a message, and what it proposes is on the table
  };
  [[nodiscard]] Draft draft_of(agon::ModelTurn& turn, const Talk& talk,
                               agon::ModelAnswer answer) const {
    Draft draft{std::move(answer), std::nullopt, false};
    auto message = message_in(draft.answer);
    if (!message) return draft;
    if (looks_into(message->text, message->proposal.has_value())) {
      const auto found = extract(turn, talk, message->text);
      message->proposal.reset();
      if (found) message->proposal = Proposal{listed(*found)};
      draft.answer.json = agon::write_json(*message);
    }
    if (message->proposal) draft.take = amounts(message->proposal->take);
    draft.sound = !draft.take || lies_within(*draft.take, talk.counts);
    return draft;
  }

  [[nodiscard]] agon::ModelAnswer speak(agon::ModelTurn& turn, const Talk& talk,
                                        const EnvyFilter& filter) const {
    const bool reflects = talk.round >= 2 && filter.own() && filter.offered();
    std::string task = turn.task();
    if (reflects) task += "\n\n" + turn.render(kStandingPrompt, standing(talk, filter));
    Draft draft = draft_of(turn, talk, turn.ask_for_answer(task, "answer", thinking()));
    if (!reflects) return draft.answer;
    std::vector<Amounts> drafted;
    for (int rewritten = 0; draft.sound && draft.take && rewritten < params_.rewrites;
         ++rewritten) {
      if (std::find(drafted.begin(), drafted.end(), *draft.take) != drafted.end()) break;
      drafted.push_back(*draft.take);
      const std::string weighed = turn.render(
          kReflectionPrompt,
          reflection(talk, filter, *draft.take, draft.answer.json, params_.deteriorate_rate));
      Draft next = draft_of(turn, talk,
                            turn.ask_for_answer(task + "\n\n" + weighed, "reconsider", thinking()));
      // What cannot be sent is no better message: the draft stands.
      if (!next.sound) break;
      draft = std::move(next);
    }
    return draft.answer;
  }

  Params params_;
};

constexpr std::string_view kPurposes[] = {"extract"};

constexpr agon::PartOverlap kOverlaps[] = {
    {agon::PartKind::beliefs, "on", "the workflow answers the questions for beliefs by itself"},
    {agon::PartKind::beliefs, "corrected",
     "the workflow answers the questions for beliefs by itself"}};

}  // namespace

void add_workflows(agon::Registry& registry) {
  registry.add(agon::part<EnvyFreeWorkflow>(
      {.id = "envy-free-workflow",
       .game = "deal-or-no-deal",
       .doc = "In a negotiation: drafts a message, is told how likely the other side is to envy or "
              "to want more, which splits are fairer or better, and rewrites it until its proposal "
              "stays. Tells by itself which values of the other side are left. With alternating "
              "offers, and when presenting its take, it asks once.",
       .source = "Hua et al. 2024, section 5.4, as its published code does it",
       .overlaps = kOverlaps,
       .purposes = kPurposes}));
  registry.add(agon::part<shared::MetaStrategy<EnvyFreeWorkflow>>(
      {.id = "meta-strategy",
       .game = "deal-or-no-deal",
       .doc = "Chooses at its first question whether to use the envy-free workflow, by an "
              "equilibrium of the game of that choice that it is given, and else answers directly.",
       .source = "Hua et al. 2024, table 19",
       .overlaps = kOverlaps,
       .purposes = kPurposes}));
}

}  // namespace deal_or_no_deal
