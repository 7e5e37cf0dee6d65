#include <agon/error.hpp>
#include <agon/nearest.hpp>
#include <array>

#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"
#include "llm/prompt/prompts.hpp"

namespace agon::llm {
namespace {

class NoPersona final : public Persona {
 public:
  using Params = NoParams;
  explicit NoPersona(const Params&) {}
  [[nodiscard]] std::string text(const OwnedQuestion&) const override { return {}; }
};

}  // namespace

PartCard no_persona_card() {
  return part<NoPersona>({.id = "none", .doc = "Nobody in particular."});
}

struct TextPersonaParams {
  std::string words;
};
AGON_DESCRIBE(TextPersonaParams,
              (words, "who the model is to be, in its own form of address: \"You are ...\"",
               agon::length(0, 4000)))

namespace {

class TextPersona final : public Persona {
 public:
  using Params = TextPersonaParams;
  explicit TextPersona(const Params& params) : words_(params.words) {
    if (words_.empty())
      throw Error(ErrorKind::invalid, "the persona 'text' has no words", "",
                  "write text:words=\"You are ...\"");
  }
  [[nodiscard]] std::string text(const OwnedQuestion&) const override { return words_; }

 private:
  std::string words_;
};

}  // namespace

PartCard text_persona_card() {
  return part<TextPersona>({.id = "text", .doc = "The person that the words describe."});
}

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

PartCard personality_card() {
  return part<PersonalityPersona>(
      {.id = "personality",
       .doc = "One adjective, from the six whose effect was compared: personality:is=witty.",
       .source = "Hua et al. 2024, Game-theoretic LLM, section 6.3"});
}

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

ModelLine words_of(Stance stance) {
  switch (stance) {
    case Stance::honest:
      return ModelLine(
          "Whatever you say to the others is true, also where it costs you something.");
    case Stance::deceptive:
      return ModelLine(
          "You mislead the others where that helps you: what you tell them of yourself, of what "
          "you want and of what you mean to do may be false, as long as they may believe it.");
    case Stance::trusting:
      return ModelLine(
          "You take the others at their word, unless what they do shows that it is false.");
    case Stance::wary:
      return ModelLine(
          "You believe nothing that the others say unless you can check it, and you keep to "
          "yourself what they could use against you.");
    case Stance::cooperative:
      return ModelLine(
          "You want everybody to do well, and you give up something of your own for what does "
          "all of you more good.");
    case Stance::competitive:
      break;
  }
  return ModelLine("You want to do better than the others: what they gain is your loss.");
}

class StancePersona final : public Persona {
 public:
  using Params = StanceParams;
  explicit StancePersona(const Params& params) : words_(words_of(params.is)) {}
  [[nodiscard]] std::string text(const OwnedQuestion& question) const override {
    return question.language->say(words_);
  }

 private:
  ModelLine words_;
};

}  // namespace

PartCard stance_card() {
  return part<StancePersona>(
      {.id = "stance",
       .doc = "A sentence on how to deal with the others, in any game: stance:is=deceptive."});
}

struct ResidentParams {
  std::string name;
};
AGON_DESCRIBE(ResidentParams,
              (name, "Alex, Bob, Cindy, David or Eric; empty: the one whose name the seat has",
               agon::length(0, 40)))

namespace {

struct Life {
  std::string_view name;
  std::string_view text;
};

/// The facts are Mao et al.'s, the words ours.
constexpr std::array<Life, 5> kLives{{
    {"Alex",
     "You are Alex, out of work. You are not quick of mind and not good with people: you lose your "
     "temper easily and keep away from others. You grew up poor, left school very early and never "
     "held a job for long."},
    {"Bob",
     "You are Bob, a teacher at a high school. You are of average wit, and very good at "
     "understanding what others feel. Your family is close, and you teach because you want to do "
     "good."},
    {"Cindy",
     "You are Cindy, a psychologist. Your mind and your feeling for others are both strong, and "
     "you balance the two: you feel with people, and you analyse. You once answered calls at a "
     "crisis line, and became a therapist after that."},
    {"David",
     "You are David, a mathematician. Your mind is exceptional and always looks for the optimum; "
     "people frighten you. You come from a small town, grew up among books and puzzles, and took a "
     "doctorate in mathematics."},
    {"Eric",
     "You are Eric, an executive in marketing. You are cleverer than most, and better with people "
     "than most: charming, quick to read others and to win them over. You grew up in a big city, "
     "took a degree in business, and have led campaigns that worked."},
}};

const Life* find_life(std::string_view name) {
  for (const Life& life : kLives)
    if (life.name == name) return &life;
  return nullptr;
}

class Resident final : public Persona {
 public:
  using Params = ResidentParams;
  explicit Resident(const Params& params) : name_(params.name) {
    if (name_.empty() || find_life(name_) != nullptr) return;
    std::vector<std::string> known;
    for (const Life& life : kLives) known.emplace_back(life.name);
    throw Error(ErrorKind::invalid,
                "there is no resident '" + name_ + "'" + did_you_mean(name_, known));
  }
  [[nodiscard]] std::string text(const OwnedQuestion& question) const override {
    const Life* life = find_life(name_.empty() ? question.seat_name : name_);
    return life == nullptr ? std::string() : std::string(question.language->text(life->text));
  }

 private:
  std::string name_;
};

}  // namespace

PartCard resident_card() {
  return part<Resident>(
      {.id = "resident",
       .doc = "One of the five residents of the water game, with profession, character and past; "
              "by default the one whose name the seat has, and nobody at other seats.",
       .source = "Mao et al. 2023, Alympics, section 4"});
}

}  // namespace agon::llm
