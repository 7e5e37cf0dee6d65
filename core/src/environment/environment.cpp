#include "environment.hpp"

#include <agon/error.hpp>
#include <agon/nearest.hpp>
#include <algorithm>
#include <utility>

#include "design/plan.hpp"
#include "record/transcript.hpp"
#include "suite/scenario/match_setup.hpp"
#include "table/untyped_table.hpp"

namespace agon {
namespace {

/// Seats by number, name or role.
std::vector<std::size_t> seats_called(const OpenGame& game, const std::string& name) {
  const std::vector<SeatCard>& cards = game.settings().seating();
  std::vector<std::size_t> found;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (name == std::to_string(i) || name == cards[i].name || name == cards[i].role)
      found.push_back(i);
    for (const std::string& other : {std::to_string(i), cards[i].name, cards[i].role})
      if (!other.empty() && std::find(known.begin(), known.end(), other) == known.end())
        known.push_back(other);
  }
  if (found.empty())
    throw Error(ErrorKind::invalid,
                "the game has no seat '" + name + "'" + did_you_mean(name, known), "agents");
  return found;
}

}  // namespace

SeatedAgents::SeatedAgents(const OpenGame& game, const InOrder<std::string>& agents)
    : by_seat_(static_cast<std::size_t>(game.seats())) {
  specs_.reserve(agents.size());
  const std::string id(game.game().id);
  for (const auto& [seat, text] : agents) {
    const std::string where = "agents." + seat;
    const SpecContext context{game.catalogue(), {id}};
    specs_.push_back(AgentSpec::parse(context, text, id, where));
    const AgentInGame* in = specs_.back().in(id);
    if (in == nullptr)
      throw Error(ErrorKind::invalid, "'" + text + "' does not play " + id, where,
                  specs_.back().why_not(id));
    specs_.back().check(game.game(), game.settings(), where);
    if (in->agent->waits())
      throw Error(ErrorKind::invalid, "'" + text + "' takes its time to answer", where,
                  "environments play with agents that answer at once; 'agon run' plays with all");
    for (const std::size_t i : seats_called(game, seat)) {
      const std::string& role = game.settings().seating()[i].role;
      if (!in->plays(role))
        throw Error(ErrorKind::invalid,
                    "'" + text + "' does not play " +
                        (role.empty() ? "seat " + std::to_string(i) : "the role " + role),
                    where, "'agon list agents' says which roles each plays");
      by_seat_[i] = in;
    }
  }
  if (std::find(by_seat_.begin(), by_seat_.end(), nullptr) == by_seat_.end())
    throw Error(ErrorKind::invalid, "all seats are played by agents", "agents",
                "leave out at least one seat: it is played from outside");
}

Environment::Environment(const OpenGame& game, const FlatStages& stages, const SeatedAgents& agents,
                         const EnvironmentOptions& options, Asks asks)
    : game_(game), stages_(stages), agents_(agents), options_(options) {
  if (options_.scenario.empty()) options_.scenario = game.game().id;
  setup_ =
      match_setup(game.game(), game.settings(), {0, options_.scenario, 0, 0}, agents.by_seat());
  setup_.reasks = options_.reasks;
  setup_.record = options_.record;
  if (asks == Asks::together) setup_.together = &seat_;
  for (SeatSetup& seat : setup_.seats)
    if (seat.agent == nullptr) seat.agent = &seat_, seat.listens = options_.events;
  for (const SeatCard& card : setup_.cards) names_.emplace_back(card.name);
  dice_keys_.resize(setup_.seats.size());
  unseen_from_.resize(setup_.seats.size());
  plays_again_ = !options_.record && !options_.events;
  if (plays_again_) table_.emplace(setup_);
  coroutine_.emplace(game.stacks(), [this] {
    while (!quits_) {
      play();
      is_over_ = true;
      open_.clear();
      answered_.clear();  // of a game that threw between two of them
      coroutine_->suspend();
    }
  });
}

Environment::~Environment() {
  end_match();
  quits_ = true;
  coroutine_->resume();
}

void Environment::reset(std::uint64_t seed, std::uint64_t block) {
  end_match();
  stop_ = std::stop_source();
  setup_.cancel = stop_.get_token();
  setup_.stream_key = stream_key(seed, options_.scenario, block, 0);
  setup_.turn = block;
  for (std::size_t i = 0; i < dice_keys_.size(); ++i) {
    const AgentInGame* agent = agents_.by_seat()[i];
    dice_keys_[i] =
        dice_key(setup_.stream_key, 0, agent == nullptr ? hash::Digest{} : agent->digest, i);
    setup_.seats[i].dice_key = dice_keys_[i];
    unseen_from_[i] = 0;
  }
  if (!plays_again_) table_.emplace(setup_);
  gives_up_ = is_over_ = false;
  coroutine_->resume();
}

void Environment::end_match() {
  if (is_over_) return;
  gives_up_ = true;
  stop_.request_stop();
  while (!is_over_) coroutine_->resume();
}

void Environment::step() {
  coroutine_->resume();
}

void Environment::play() {
  if (plays_again_) {
    const MatchResult& result = table_->play_next(setup_.stream_key, dice_keys_);
    result_.end = result.end;
    result_.problem = result.problem;
    result_.outcome = result.outcome;
    result_.forced = result.forced;
  } else {
    result_ = table_->run();
  }
}

void Environment::ask(Question& question) {
  const auto asked = std::find_if(answered_.begin(), answered_.end(),
                                  [&](const Open& one) { return one.question == &question; });
  if (asked != answered_.end() && question.attempt() == 0) {
    const Open one = std::move(*asked);
    answered_.erase(asked);
    return apply(one);
  }
  if (gives_up_) return;
  open_.clear();
  open_.push_back({&question, stages_.index(question)});
  coroutine_->suspend();
  if (gives_up_) return;
  const Open one = std::move(open_.front());
  apply(one);
}

void Environment::ask_together(std::span<Question> questions) {
  if (gives_up_) return;
  open_.clear();
  for (Question& question : questions)
    if (is_outside(question.seat()) && (options_.probes || !question.is_probe()))
      open_.push_back({&question, stages_.index(question)});
  if (open_.empty()) return;
  coroutine_->suspend();
  if (!gives_up_) answered_ = std::move(open_);
}

void Environment::apply(const Open& open) {
  Question& question = *open.question;
  const OutsideAnswer& answer = open.answer;
  const FlatType& type = stages_.all()[static_cast<std::size_t>(open.stage)].answer;
  switch (answer.form) {
    case OutsideAnswer::ReplyForm::places:
      if (!type.read(answer.places, UntypedQuestion::place_of_answer(question), question.limits()))
        question.answer_json(type.json(answer.places));
      break;
    case OutsideAnswer::ReplyForm::action:
      type.act(answer.action, UntypedQuestion::place_of_answer(question));
      break;
    case OutsideAnswer::ReplyForm::json:
      question.answer_json(answer.json);
      break;
    case OutsideAnswer::ReplyForm::drawn:
      question.draw();
      break;
    case OutsideAnswer::ReplyForm::declined:
    case OutsideAnswer::ReplyForm::none:
      question.decline();
      break;
  }
  const auto seat = static_cast<std::size_t>(question.seat());
  if (options_.events) unseen_from_[seat] = table_->heard(question.seat()).size();
}

const Outcome& Environment::outcome() const {
  if (result_.end != End::finished)
    throw Error(ErrorKind::failure, "the game broke: " + result_.problem,
                std::string(game_.game().id), "'agon check' finds what is wrong with a game");
  return result_.outcome;
}

std::uint32_t Environment::fallbacks(int seat) const {
  return is_over_ ? result_.forced[static_cast<std::size_t>(seat)] : table_->fallbacks(seat);
}

Environment::Heard Environment::heard(int seat) const {
  return {&table_->heard(seat), unseen_from_[static_cast<std::size_t>(seat)]};
}

std::string Environment::record_json() const {
  std::string out = "[";
  if (options_.record && result_.shapes != nullptr) {
    const record::RecordedTypes types(
        [&](const hash::Digest& shape) { return result_.shapes->notation(shape); });
    record::each_entry(result_.record, [&](const record::Entry& entry) {
      out += (out.size() > 1 ? "," : "") + record::entry_json(entry, types);
      return true;
    });
  }
  return out + "]";
}

}  // namespace agon
