#include <agon/error.hpp>
#include <optional>

#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"
#include "llm/prompt/prompts.hpp"

namespace agon::llm {
namespace {

class NoPersona final : public WithParams<Persona> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::string text(const OwnedQuestion&) const override { return {}; }
};

}  // namespace

struct TextPersonaParams {
  std::string words;
  std::optional<std::string> character;
  std::optional<std::string> past;
};
AGON_DESCRIBE(TextPersonaParams,
              (words, "who the model is to be, in its own form of address: \"You are ...\"",
               agon::length(0, 4000)),
              (character, "more of it, said after the words; apart so that a suite can vary it",
               agon::length(0, 4000), left_out),
              (past, "and after that", agon::length(0, 4000), left_out))

namespace {

class TextPersona final : public Persona {
 public:
  using Params = TextPersonaParams;
  explicit TextPersona(const Params& params) : words_(params.words) {
    for (const auto& more : {params.character, params.past})
      if (more && !more->empty()) words_ += (words_.empty() ? "" : " ") + *more;
    if (words_.empty())
      throw Error(ErrorKind::invalid, "the persona 'text' has no words", "",
                  "write text:words=\"You are ...\"");
  }
  [[nodiscard]] std::string text(const OwnedQuestion&) const override { return words_; }

 private:
  std::string words_;
};

}  // namespace

/// The adjectives whose effect on cooperation was compared.
enum class Personality : std::uint8_t {
  rational,
  compassionate,
  friendly,
  helpful,
  pragmatic,
  witty,
};
AGON_DESCRIBE_ENUM(Personality, (rational, "weighs what it gains"),
                   (compassionate, "feels for others"), (friendly, "is kind to others"),
                   (helpful, "wants to be of use"), (pragmatic, "does what works"),
                   (witty, "has a quick tongue"))

struct PersonalityParams {
  Personality is = Personality::rational;
};
AGON_DESCRIBE(PersonalityParams,
              (is, "the adjective", agon::source("Hua et al. 2024, section 6.3")))

namespace {

/// A folder of prompts may say it in other words.
constexpr std::string_view kPersonalityPrompt = "part-personality";
constexpr std::string_view kPersonalityNames[] = {"adjective"};

class PersonalityPersona final : public Persona {
 public:
  using Params = PersonalityParams;
  explicit PersonalityPersona(const Params& params) {
    for (const Enumerator& e : type_of<Personality>().enumerators)
      if (e.value == static_cast<std::int64_t>(params.is)) adjective_ = e.name;
  }
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{kPersonalityPrompt, kPersonalityNames, true}};
  }
  [[nodiscard]] std::string text(const OwnedQuestion& question) const override {
    if (question.prompts != nullptr)
      if (const auto own = question.prompts->texts.find(kPersonalityPrompt);
          own != question.prompts->texts.end())
        return Template(own->second.text, own->second.file, question.prompts->folder.placeholders)
            .fill({[&](std::string_view) { return std::string(adjective_); }});
    const Language& words = *question.language;
    return words.say(
        ModelLine("You are a {adjective} person, and you think with care before you answer."),
        {{"adjective", std::string(words.text(adjective_))}});
  }

 private:
  std::string_view adjective_;
};

}  // namespace

/// How one deals with the others.
enum class Stance : std::uint8_t {
  honest,
  deceptive,
  trusting,
  wary,
  cooperative,
  competitive,
};
AGON_DESCRIBE_ENUM(Stance, (honest, "says only what is true"),
                   (deceptive, "says what is false where it helps"),
                   (trusting, "believes what others say"),
                   (wary, "believes nothing that it cannot check"),
                   (cooperative, "wants all to do well"),
                   (competitive, "wants to do better than the others"))

struct StanceParams {
  Stance is = Stance::honest;
};
AGON_DESCRIBE(StanceParams, (is, "the stance"))

namespace {

/// In the order of the stances.
constexpr ModelLine kStances[] = {
    ModelLine("Whatever you say to the others is true, also where it costs you something."),
    ModelLine("You mislead the others where that helps you: what you tell them of yourself, of "
              "what you want and of what you mean to do may be false, as long as they may believe "
              "it."),
    ModelLine("You take the others at their word, unless what they do shows that it is false."),
    ModelLine("You believe nothing that the others say unless you can check it, and you keep to "
              "yourself what they could use against you."),
    ModelLine("You want everybody to do well, and you give up something of your own for what does "
              "all of you more good."),
    ModelLine("You want to do better than the others: what they gain is your loss.")};

class StancePersona final : public WithParams<Persona, StanceParams> {
 public:
  using WithParams::WithParams;
  [[nodiscard]] std::string text(const OwnedQuestion& question) const override {
    return question.language->say(kStances[static_cast<std::size_t>(params_.is)]);
  }
};

}  // namespace

void add_personas(Registry& registry) {
  registry.add(part<NoPersona>({.id = "none", .doc = "Nobody in particular."}));
  registry.add(part<TextPersona>({.id = "text", .doc = "The person that the words describe."}));
  registry.add(part<PersonalityPersona>(
      {.id = "personality",
       .doc = "One adjective, from the six whose effect was compared: personality:is=witty.",
       .source = "Hua et al. 2024, Game-theoretic LLM, section 6.3"}));
  registry.add(part<StancePersona>(
      {.id = "stance",
       .doc = "A sentence on how to deal with the others, in any game: stance:is=deceptive."}));
}

}  // namespace agon::llm
