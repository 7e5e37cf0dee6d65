#include "agents.hpp"

#include <agon/conversion.hpp>
#include <agon/detail/typed_answer.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <new>

#include "human/human.hpp"

namespace agon::agents {

void Default::answer(Question& question) const {
  question.decline();
}

void Random::answer(Question& question) const {
  if (question.is_probe() && !params_.probes) return question.decline();
  question.draw();
}

namespace {

using detail::find_limit;

/// Longest text and list that it writes where they may be longer.
constexpr std::size_t kLongest = 200;

/// An answer, drawn at random and then pushed to the edges of its limits.
class Draft {
 public:
  Draft(const Type& type, std::span<const LimitData> limits, Dice& dice)
      : type_(type), at_(::operator new(type.size)), limits_(limits), dice_(dice) {
    type_.construct(at_);
    detail::draw_value(type_, nullptr, at_, 0, limits_, dice_);
    push(type_, nullptr, at_, 0);
    if (detail::has_sum(limits_)) detail::fit_sums(type_, at_, limits_, dice_);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    type_.destroy(at_);
    ::operator delete(at_);
  }
  [[nodiscard]] std::string json() const { return write_json(type_, at_); }

 private:
  bool heads() { return dice_.below(2) == 1; }

  void push(const Type& type, const Field* field, void* object, std::uint16_t slot) {
    const auto inner = static_cast<std::uint16_t>(slot + 1);
    switch (type.kind) {
      case Kind::integer:
        return push_integer(type, field, object, slot);
      case Kind::number:
        return push_number(field, object, slot);
      case Kind::text:
        return push_text(type, field, object, slot);
      case Kind::optional:
      case Kind::map:
        for (std::size_t i = 0; i < type.count(object); ++i)
          push(*type.element, field, type.item(object, i), inner);
        return;
      case Kind::list:
        return push_list(type, field, object, slot);
      case Kind::structure:
        for (const Field& f : type.fields) {
          push(*f.type, &f, f.at(object), slot);
          slot = static_cast<std::uint16_t>(slot + f.type->slots);
        }
        return;
      case Kind::variant: {
        auto at = inner;
        const std::size_t held = type.index(object);
        for (std::size_t i = 0; i < held; ++i)
          at = static_cast<std::uint16_t>(at + type.alternatives[i]->slots);
        return push(*type.alternatives[held], nullptr, type.alternative(object), at);
      }
      case Kind::boolean:
      case Kind::enumeration:
        return;  // every value is an edge
    }
  }

  void push_integer(const Type& type, const Field* field, void* object, std::uint16_t slot) {
    std::int64_t low = type.low, high = type.high;
    if (field != nullptr) {
      if (field->min > static_cast<double>(low)) low = static_cast<std::int64_t>(field->min);
      if (field->max < static_cast<double>(high)) high = static_cast<std::int64_t>(field->max);
    }
    if (const LimitData* l = find_limit(limits_, slot, LimitKind::range))
      low = std::max(low, l->lo), high = std::min(high, l->hi);
    if (low <= high) type.set(object, heads() ? high : low);
  }

  void push_number(const Field* field, void* object, std::uint16_t slot) {
    double low = field == nullptr ? -std::numeric_limits<double>::infinity() : field->min;
    double high = field == nullptr ? std::numeric_limits<double>::infinity() : field->max;
    if (const LimitData* l = find_limit(limits_, slot, LimitKind::range)) {
      low = std::max(low, std::bit_cast<double>(l->lo));
      high = std::min(high, std::bit_cast<double>(l->hi));
    }
    const double edge = heads() ? high : low;
    if (low <= high && std::isfinite(edge)) *static_cast<double*>(object) = edge;
  }

  void push_text(const Type& type, const Field* field, void* object, std::uint16_t slot) {
    if (find_limit(limits_, slot, LimitKind::names) != nullptr || type.any_json) return;
    const auto [low, high] = lengths(field, slot);
    const std::size_t n = heads() ? std::max(low, std::min(high, kLongest)) : low;
    type.set_text(object, std::string(n, 'o'));
  }

  void push_list(const Type& type, const Field* field, void* object, std::uint16_t slot) {
    const auto element = static_cast<std::uint16_t>(slot + 1);
    if (const LimitData* each = find_limit(limits_, slot, LimitKind::each)) {
      for (std::size_t i = 0; i < each->n; ++i)
        type.element->set(type.item(object, i), heads() ? each->each[i] : each->lo);
      return;
    }
    for (std::size_t i = 0; i < type.count(object); ++i)
      push(*type.element, field, type.item(object, i), element);
  }

  /// Fewest and most code points.
  [[nodiscard]] std::pair<std::size_t, std::size_t> lengths(const Field* field,
                                                            std::uint16_t slot) const {
    std::size_t low = field == nullptr ? 0 : field->min_length;
    std::size_t high = field == nullptr ? kLongest : field->max_length;
    if (const LimitData* l = find_limit(limits_, slot, LimitKind::length)) {
      low = std::max(low, static_cast<std::size_t>(l->lo));
      high = std::min(high, static_cast<std::size_t>(l->hi));
    }
    return {low, high};
  }

  const Type& type_;
  void* at_;
  std::span<const LimitData> limits_;
  Dice& dice_;
};

}  // namespace

void Edge::answer(Question& question) const {
  if (question.is_probe() && !params_.probes) return question.decline();
  // What only the game's own check can tell is not known here: turned down once, it draws.
  if (question.attempt() > 0) return question.draw();
  Dice dice = question.dice();
  question.answer_json(Draft(question.answer_type(), question.limits(), dice).json());
}

namespace {

/// How many answers were used: of the common list, and by stage.
struct Used {
  std::uint32_t answers = 0;
  std::map<std::string, std::uint32_t> stages;
};
AGON_DESCRIBE(Used, (answers, "used of the common list"), (stages, "used by stage"))

}  // namespace

Script::Script(const Params& params) : params_(params) {
  if (!params.scenarios.empty() && !(params.answers.empty() && params.stages.empty()))
    throw Error(ErrorKind::invalid, "a script says the same everywhere, or goes by scenario", "",
                "write \"answers\" and \"stages\" into the blocks of \"scenarios\"");
}

std::shared_ptr<const Agent> Script::in_block(std::string_view scenario,
                                              std::uint64_t block) const {
  if (params_.scenarios.empty()) return nullptr;
  const std::string name(scenario);
  const auto found = params_.scenarios.find(name);
  if (found == params_.scenarios.end())
    throw Error(ErrorKind::not_found, "its script says nothing for the scenario '" + name + "'", "",
                "write its blocks at $.scenarios." + name + " of the script");
  const std::vector<BlockScript>& blocks = found->second;
  if (block >= blocks.size())
    throw Error(ErrorKind::not_found,
                "its script has " + std::to_string(blocks.size()) +
                    (blocks.size() == 1 ? " block" : " blocks") + " for the scenario '" + name +
                    "', and the scenario more",
                "",
                "write the next at $.scenarios." + name + "[" + std::to_string(blocks.size()) +
                    "] of the script, or lower \"blocks\"");
  return std::make_shared<Script>(
      ScriptParams{blocks[block].answers, blocks[block].stages, params_.then, {}});
}

void Script::answer(Question& question) const {
  const std::string stage(question.stage());
  const auto own = params_.stages.find(stage);
  const bool by_stage = own != params_.stages.end();
  if (!by_stage && question.is_probe()) return question.decline();

  Used used;
  if (!question.memo().empty())
    if (const auto problem = read_json(used, question.memo(), Missing::is_wrong))
      throw Error(ErrorKind::failure, "the script's memo cannot be read: " + problem->text());
  const std::vector<std::string>& answers = by_stage ? own->second : params_.answers;
  std::uint32_t& next = by_stage ? used.stages[stage] : used.answers;
  if (next < answers.size()) {
    question.answer_json(answers[next++]);
    return question.remember(write_json(used));
  }
  if (params_.then == Then::random) return question.draw();
  if (params_.then == Then::fallback || question.is_probe()) return question.decline();
  std::string named;
  for (const auto& [name, list] : params_.stages)
    named += (named.empty() ? "'" : ", '") + name + "'";
  throw Error(ErrorKind::unfinished,
              "the script has " +
                  (answers.empty() ? std::string("no answer")
                                   : "no more than " + std::to_string(answers.size()) +
                                         (answers.size() == 1 ? " answer" : " answers")) +
                  " for stage '" + stage + "'" +
                  (by_stage || named.empty() ? "" : "; it names the stages " + named) +
                  R"(, and its "then" is "fail")");
}

void enter(Registry& registry) {
  registry.add(agent<Random>(
      {.id = "random",
       .doc = "Plays uniformly over the distinct legal answers where they are finite, the "
              "alternatives of an action weighted by how many answers each has; else uniformly "
              "over the limits. The floor of every comparison."}));
  registry.add(agent<Default>(
      {.id = "default",
       .doc = "Says nothing, so that the game's own fallback is played: no bid, no deal."}));
  registry.add(agent<Edge>(
      {.id = "edge",
       .doc = "Answers at the edges of what is legal: the lowest or the highest of each number, "
              "the shortest or a long text, drawn; where the game turns that down, at random. For "
              "trying games."}));
  registry.add(agent<Script>(
      {.id = "script",
       .doc = "Plays given answers, in order or by stage: regressions, lessons and replays of "
              "published games. An answer that is turned down is followed by the next one."}));
  registry.add(agent<Human>(
      {.id = "human",
       .doc = "A person at the terminal, or in a pipe, line by line: asks entry by entry or takes "
              "one line of JSON. The dialogue is on standard error."}));
}

}  // namespace agon::agents
