#include <agon/error.hpp>
#include <agon/nearest.hpp>
#include <array>

#include "llm/parts/parts.hpp"

namespace agon::llm {

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
