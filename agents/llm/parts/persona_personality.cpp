#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {

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

class PersonalityPersona final : public Persona {
 public:
  using Params = PersonalityParams;
  explicit PersonalityPersona(const Params& params) {
    for (const Enumerator& e : type_of<Personality>().enumerators)
      if (e.value == static_cast<std::int64_t>(params.is)) adjective_ = e.name;
  }
  [[nodiscard]] std::string text(const OwnedQuestion& question) const override {
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

}  // namespace agon::llm
