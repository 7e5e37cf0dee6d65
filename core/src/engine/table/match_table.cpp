#include "table/match_table.hpp"

#include <agon/conversion.hpp>
#include <agon/dealing.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/model/prompt_set.hpp>
#include <agon/table.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "describe/limits.hpp"
#include "json/write.hpp"
#include "record/shape.hpp"
#include "remote/card_json.hpp"
#include "settings/settings.hpp"
#include "table/contract.hpp"
#include "table/learnings.hpp"
#include "table/skinned_question.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

/// Marks the places of the dice of probes.
constexpr std::uint32_t kProbeDice = 0x80000000U;
/// The number of the first question of a suite's: after all those of a game.
constexpr std::uint32_t kFirstOfSuite = kMostQuestions;

[[noreturn]] void throw_no_such_seat(const Question& q) {
  throw GameFault{at_stage(q, "the match has no such seat")};
}

std::string drawn_again(std::string_view name, std::span<const std::int64_t> at) {
  std::string place = "chance(\"" + std::string(name) + "\"";
  for (const std::int64_t i : at) place += ", " + std::to_string(i);
  return place +
         ") is used a second time and would bring the same random numbers again: number the "
         "places, as in chance(\"" +
         std::string(name) + "\", round), or keep the RandomStream that it returns";
}

[[noreturn]] void throw_endless(const Question& q) {
  throw GameFault{at_stage(q, "the game has asked " + std::to_string(kMostQuestions) +
                                  " questions and does not end: give it a last round")};
}

/// Throws GameFault where a limit would be ignored. Not asked where nothing is recorded and agents
/// answer legally at once, which is what random play spends its time on.
void check_limits(const Question& q) {
  if (!may_contradict(q.limits())) [[likely]]
    return;
  if (std::string problem = remote::problem_of_limits(q.answer_type(), q.stage(), q.limits());
      !problem.empty())
    throw GameFault{std::move(problem)};
}

}  // namespace

void detail::throw_no_seat(int seat, int seats, const char* call) {
  throw std::out_of_range(std::string(call) + "(): there is no seat " + std::to_string(seat) +
                          ", the match has " + std::to_string(seats) + " (0 to " +
                          std::to_string(seats - 1) + ")");
}

MatchTable::MatchTable(const MatchSetup& setup)
    : state_(setup), playback_(setup), asker_(state_, playback_), probes_(setup) {
  seats_ = static_cast<int>(setup.seats.size());
  stream_key_ = setup.stream_key;
  std::uint32_t waiting = playback_.waiting();
  for (std::size_t i = 0; i < setup.seats.size(); ++i) {
    PlayingSeat seat;
    seat.agent = setup.seats[i].agent;
    seat.dice_key = setup.seats[i].dice_key;
    seat.stand_in = setup.seats[i].stand_in;
    seat.substitute = setup.seats[i].substitute;
    if (const auto& prompts = setup.seats[i].prompts; prompts != nullptr && prompts->language)
      seat.language = prompts->language.get();
    // One that waited before a cut is recorded as it was to the end, also when another took it
    // over.
    seat.waits = (waiting >> i & 1U) != 0 ||
                 (!setup.strict_replay && seat.agent != nullptr && seat.agent->waits());
    seat.listens = seat.waits || setup.seats[i].listens;
    listening_ = listening_ || seat.listens;
    if (!playback_.has_answers() && seat.agent != nullptr && !seat.agent->answers_probes())
      declines_probes_ |= 1U << i;
    state_.seats.push_back(std::move(seat));
    names_[i] = setup.cards[i].name;
  }
  state_.names = {names_.data(), setup.seats.size()};
  waiting = 0;
  for (std::size_t i = 0; i < state_.seats.size(); ++i)
    waiting |= state_.seats[i].waits ? 1U << i : 0U;
  if (waiting != 0) state_.mailbox = std::make_shared<Mailbox>();
  if (setup.record) {
    state_.result.shapes =
        setup.shapes != nullptr ? setup.shapes : std::make_shared<record::Shapes>();
    state_.recorder.emplace(waiting, *state_.result.shapes, playback_.has_whole_views());
  }
  listening_ = listening_ || setup.record;
  // What is costly must be durable before it is used, which takes the long way.
  direct_ = waiting == 0 && !playback_.has_answers() && !setup.strict_replay &&
            std::none_of(setup.seats.begin(), setup.seats.end(),
                         [](const SeatSetup& s) { return s.agent->is_costly(); });
  state_.result.carried.resize(setup.seats.size());
  state_.result.faults.resize(setup.seats.size());
  state_.result.forced.resize(setup.seats.size());
  state_.result.waiting_ms.resize(setup.seats.size());
}

MatchTable::~MatchTable() {
  leave();
}

void MatchTable::leave() {
  if (state_.mailbox == nullptr) return;
  state_.mailbox->close();
  if (state_.setup.strict_replay) return state_.mailbox.reset();  // nobody was asked
  // Before the mailbox is gone: its address is what agents know the match by.
  for (std::size_t i = 0; i < state_.seats.size(); ++i) tell_ending(static_cast<int>(i));
  std::vector<const Agent*> told;
  for (const PlayingSeat& seat : state_.seats) {
    if (!seat.waits || seat.agent == nullptr ||
        std::find(told.begin(), told.end(), seat.agent) != told.end())
      continue;
    told.push_back(seat.agent);
    seat.agent->match_over(state_.mailbox.get());
  }
  // A seat that was handed over has two that waited.
  for (std::size_t i = 0; i < state_.seats.size(); ++i)
    if (const Agent* first = state_.setup.seats[i].agent;
        state_.seats[i].waits && first != nullptr &&
        std::find(told.begin(), told.end(), first) == told.end()) {
      told.push_back(first);
      first->match_over(state_.mailbox.get());
    }
  state_.mailbox.reset();
}

void MatchTable::tell_ending(int number) const {
  // Who sat there first, though a substitute may have played on.
  const Agent* agent = state_.setup.seats[static_cast<std::size_t>(number)].agent;
  const PlayingSeat& seat = state_.seats[static_cast<std::size_t>(number)];
  if (!seat.waits || agent == nullptr) return;
  MatchEnding ending;
  ending.table = state_.mailbox.get();
  ending.seat = number;
  ending.finished = state_.result.end == End::finished && state_.result.outcome.seats() > number;
  if (ending.finished) {
    const double score = state_.result.outcome[number].score;
    if (std::isfinite(score)) ending.score = score;
    if (ending.score) ending.score_told = score_in_words(state_, number, score);
    const SeatOutcome& own = state_.result.outcome[number];
    const GameCard& card = state_.setup.game->card;
    ending.score_decimals = card.score_decimals;
    if (const double n = normalized(own); ending.score && !std::isnan(n)) ending.normalised = n;
    ending.rank = own.rank;
    if (card.seat_metrics != nullptr)
      ending.metrics_json = json::write(metrics_json(card.seat_metrics, own.metrics));
  }
  ending.history = seat.heard;
  ending.unseen_from = seat.unseen_from;
  ending.language = seat.language;
  try {
    const auto skin = state_.skin(number, *agent);
    agent->match_ended(skin == nullptr ? std::move(ending) : in_skin(std::move(ending), skin));
  } catch (...) {  // the match is over, whatever an agent makes of it
  }
}

MatchResult MatchTable::run() {
  play_through();
  leave();
  state_.result.questions = next_question_;
  if (state_.recorder) state_.result.record = state_.recorder->take();
  return std::move(state_.result);
}

void MatchTable::play_through() {
  try {
    remind(*this, state_);
    Outcome outcome = state_.setup.game->play(*this, state_.setup.settings, state_.setup.prepared);
    // A game that swallowed the stop did not finish, whatever it returned.
    if (!state_.closed) {
      if (outcome.seats() != seats_)
        throw GameFault{"the outcome has " + std::to_string(outcome.seats()) +
                        " seats, the match " + std::to_string(seats_)};
      rank_by_score(outcome);
      if (std::string problem = problem_of_outcome(state_.setup.game->card, outcome);
          !problem.empty())
        throw GameFault{std::move(problem)};
      take_learnings(*this, state_, outcome);
      state_.result.outcome = outcome;
      if (state_.recorder) {
        state_.check_length();
        state_.recorder->outcome(outcome);
      }
    }
  } catch (const Stop&) {
    blame_game(thrown_by_game("a stop of its own", stage_));
  } catch (const GameFault& fault) {
    if (!state_.closed) state_.result.process_end = fault.process_end;
    blame_game(fault.problem);
  } catch (const record::TooLarge& entry) {
    blame_game(entry.problem);
  } catch (const MachineFault& fault) {
    if (!state_.closed) {
      state_.result.end = End::unfinished;
      state_.result.outage = true;
      state_.result.problem = fault.what();
    }
  } catch (const std::exception& error) {
    blame_game(thrown_by_game(error.what(), stage_));
  } catch (...) {
    blame_game(thrown_by_game("something that is no exception", stage_));
  }
}

void MatchTable::blame_game(std::string problem) {
  // What a game makes of a stop changes nothing: the match is to be taken up again.
  if (state_.closed) return;
  state_.result.end = End::game_fault;
  state_.result.problem = text::shorten(problem, kLongestProblem);
}

const MatchResult& MatchTable::play_next(std::uint64_t stream_key,
                                         std::span<const std::uint64_t> dice_keys) {
  if (!direct_ || listening_)
    throw Error(ErrorKind::failure, "only unrecorded matches of inline agents play again");
  stream_key_ = stream_key;
  next_question_ = 0;
  next_move_ = 0;
  stage_ = {};
  state_.closed = false;
  state_.result.end = End::finished;
  state_.result.process_end = ProcessEnd::other;
  state_.result.outage = false;
  for (std::size_t i = 0; i < state_.seats.size(); ++i) {
    state_.seats[i].dice_key = dice_keys[i];
    state_.seats[i].memo.clear();
    state_.result.faults[i] = {};
    state_.result.forced[i] = 0;
  }
  play_through();
  state_.result.questions = next_question_;
  return state_.result;
}

void MatchTable::open(Question& q) {
  const bool is_of_suite = state_.is_of_suite(*q.stage_);
  if (!is_of_suite) stage_ = q.stage();
  if (state_.setup.trace != nullptr) state_.setup.trace->asks(stage_);
  const std::uint32_t place = is_of_suite ? probes_.take_number() : next_question_;
  q.number_ = is_of_suite ? kFirstOfSuite + place : place;
  if (q.seat_ < 0 || q.seat_ >= seats_) [[unlikely]]
    throw_no_such_seat(q);
  if (place >= kMostQuestions) [[unlikely]]
    throw_endless(q);
  if (!is_of_suite) ++next_question_;
  // Probes stand apart, so that dice never depend on how many of them were answered.
  q.dice_place_ = q.stage_->probe ? kProbeDice | q.number_ : next_move_++;
  const PlayingSeat& seat = state_.seat_of(q);
  q.dice_key_ = seat.dice_key;
  q.memo_ = seat.memo;
}

void MatchTable::resolve(std::span<Question> questions, std::span<Given> given, std::size_t asked) {
  if (asked == 0) heed_cancel();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (i >= asked) open(questions[i]);
    check_limits(questions[i]);
  }
  if (state_.setup.together != nullptr && state_.setup.strict_replay && questions.size() > 1)
    state_.setup.together->asked(questions);
  asker_.resolve(questions, given, asked);
}

bool MatchTable::ask_directly(Question& q) {
  open(q);
  PlayingSeat& seat = state_.seat_of(q);
  if (q.stage_->probe && (declines_probes_ >> q.seat_ & 1U) != 0) {
    q.declined_ = true;
    return true;
  }
  if (state_.recorder) {
    state_.check_length();
    check_limits(q);
  }
  state_.crash.clear();
  state_.call(*seat.agent, q);
  if (!state_.crash.empty() || q.by_json_) return false;
  if (!(q.stage_->probe && q.declined_)) {
    // A draw is within the limits, unless nothing is: a fault of the game, which a record shows.
    if ((!q.drawn_ || state_.recorder) && !q.is_legal_(*q.stage_->answer, q.answer_, q.limits_))
      return false;
    if (q.check_ != nullptr && !q.check_(q.asking_, q.answer_).empty()) return false;
  }
  if (q.words_) {
    // What was said beside the answer goes into the record.
    if (state_.recorder) return false;
    if (q.remembers_) seat.memo = std::move(q.words_->memo);
  }
  return true;
}

void MatchTable::note_directly(const Question& q) {
  if (q.stage_->probe && q.declined_) return;
  state_.count(*q.stage_, q.seat_, Fault::ok);
  if (state_.recorder)
    state_.recorder->plain(q.number_, q.seat_, q.stage(), *q.stage_->answer, q.stage_->probe,
                           q.answer_);
}

Given MatchTable::put(Question& q) {
  std::size_t asked = 0;
  if (direct_) {
    state_.heed_cancel();
    if (ask_directly(q)) [[likely]] {
      note_directly(q);
      if (probes_.asks() && !q.stage_->probe)
        probes_.ask_after(*this, q.stage(), false, kEverybody);
      return {};
    }
    asked = 1;
  }
  Given given;
  resolve(std::span(&q, 1), std::span(&given, 1), asked);
  if (probes_.asks() && !q.stage_->probe) probes_.ask_after(*this, q.stage(), false, kEverybody);
  return given;
}

void MatchTable::put_all(std::span<Question> questions, std::span<Given> given) {
  if (!direct_) {
    resolve(questions, given, 0);
  } else {
    state_.heed_cancel();
    if (state_.setup.together != nullptr && !questions.empty() &&
        !state_.is_of_suite(*questions.front().stage_))
      state_.setup.together->asked(questions);
    if (!state_.recorder) {
      for (std::size_t i = 0; i < questions.size(); ++i) {
        if (ask_directly(questions[i])) [[likely]]
          note_directly(questions[i]);
        else
          resolve(questions.subspan(i, 1), given.subspan(i, 1), 1);
      }
    } else {
      // Nothing is recorded before all have answered, as if they had been asked at the same time.
      std::size_t direct = 0;
      while (direct < questions.size() && ask_directly(questions[direct])) ++direct;
      if (direct < questions.size())
        resolve(questions, given, direct + 1);
      else
        for (const Question& q : questions) note_directly(q);
    }
  }
  if (probes_.asks() && !questions.empty() && !questions.front().stage_->probe)
    probes_.ask_after(*this, questions.front().stage(), false, kEverybody);
}

void MatchTable::say(std::uint32_t audience, const EventCard& card, const void* event) {
  if (state_.closed) throw Stop{};
  if (state_.recorder) {
    state_.check_length();
    state_.recorder->event(audience, card.name, *card.type, event);
  }
  if (state_.setup.tellings != nullptr) {
    const bool is_told = card.telling != nullptr && told_bytes_ < kLargestRecord;
    state_.setup.tellings->push_back(is_told ? printable(card.telling(event, state_.scene()), true)
                                             : "");
    told_bytes_ += state_.setup.tellings->back().size();
  }
  Delivery said;
  for (std::size_t i = 0; i < state_.seats.size(); ++i) {
    if (!state_.seats[i].listens || (audience >> i & 1U) == 0) continue;
    if (said.json.empty()) {
      const bool is_private = card.audience == Audience::one_seat;
      said = {.is_private = is_private,
              .name = std::string(card.name),
              .json = write_json(*card.type, event),
              .type = card.type};
    }
    if (card.telling != nullptr) {
      said.told = printable(card.telling(event, state_.scene(static_cast<int>(i))), true);
      said.untold = said.told.empty();
    }
    state_.seats[i].heard.push_back(said);
  }
  if (probes_.asks()) probes_.ask_after(*this, card.name, true, audience);
}

void MatchTable::drawn(std::string_view name, std::span<const std::int64_t> at, bool first,
                       const Type& type, void* value) {
  if (state_.closed) throw Stop{};
  if (!state_.recorder) return;
  state_.check_length();
  if (first) {
    std::uint64_t place = combine(hash_of(name), at.size());
    for (const std::int64_t i : at) place = combine(place, static_cast<std::uint64_t>(i));
    if (!drawn_at_.insert(place).second) throw GameFault{drawn_again(name, at)};
  }
  const bool is_given = playback_.give(name, at, type, value);
  state_.recorder->draw(name, at, type, value, is_given);
}

std::int64_t MatchTable::next_in_turn(std::string_view name, std::int64_t n) {
  if (n < 1)
    throw std::invalid_argument("'" + std::string(name) + "' is dealt from a list of " +
                                std::to_string(n));
  auto next = static_cast<std::int64_t>(state_.setup.turn % static_cast<std::uint64_t>(n));
  if (listening_) drawn(name, {}, true, type_of<std::int64_t>(), &next);
  if (next < 0 || next >= n)
    throw std::invalid_argument("'" + std::string(name) + "': position " + std::to_string(next) +
                                " is given, and there are " + std::to_string(n));
  return next;
}

bool MatchTable::bring(int seat, const Type& type, void* value) {
  const std::string& json = state_.setup.seats[static_cast<std::size_t>(seat)].carried;
  if (json.empty() || read_learnings(json)) return false;
  if (const auto problem = read_json(type, value, json))
    throw GameFault{"what seat " + std::to_string(seat) +
                    " carried over does not fit: " + problem->text()};
  return true;
}

void MatchTable::take_along(int seat, const Type& type, const void* value) {
  if (state_.closed) throw Stop{};
  if (state_.recorder) state_.recorder->carry(seat, type, value);
  if (listening_) state_.result.carried[static_cast<std::size_t>(seat)] = write_json(type, value);
}

void rank_by_score(Outcome& outcome) {
  for (int i = 0; i < outcome.seats(); ++i) {
    if (outcome[i].rank != 0) return;
  }
  for (int i = 0; i < outcome.seats(); ++i) {
    int rank = 1;
    for (int j = 0; j < outcome.seats(); ++j) rank += outcome[j].score > outcome[i].score ? 1 : 0;
    outcome[i].rank = rank;
  }
}

MatchSetup set_up_match(const Game& game, const void* settings, const void* prepared,
                        std::vector<SeatCard> cards, std::uint64_t stream_key) {
  MatchSetup setup;
  setup.game = &game;
  setup.settings = settings;
  setup.prepared = prepared;
  setup.cards = std::move(cards);
  setup.stream_key = stream_key;
  return setup;
}

MatchSetup set_up_match(const Game& game, const Settings& settings, std::uint64_t stream_key) {
  MatchSetup setup =
      set_up_match(game, settings.get(), settings.prepared(), settings.seating(), stream_key);
  setup.rules = settings.rules();
  setup.facts = settings.facts();
  setup.reasks = settings.reasks();
  return setup;
}

MatchResult play_match(const MatchSetup& setup) {
  MatchTable table(setup);
  return table.run();
}

std::int64_t RandomStream::between(std::int64_t lo, std::int64_t hi) {
  if (hi < lo)
    throw std::invalid_argument("chance '" + std::string(name_) + "': there is nothing between " +
                                std::to_string(lo) + " and " + std::to_string(hi));
  std::int64_t value = dice_.between(lo, hi);
  if (table_.listening_)
    table_.drawn(name_, std::span(at_.data(), static_cast<std::size_t>(n_)),
                 std::exchange(fresh_, false), type_of<std::int64_t>(), &value);
  if (value < lo || value > hi)
    throw std::invalid_argument("chance '" + std::string(name_) + "': " + std::to_string(value) +
                                " is given, which is not between " + std::to_string(lo) + " and " +
                                std::to_string(hi));
  return value;
}

int RandomStream::one_of(std::span<const int> seats) {
  if (seats.empty()) throw std::invalid_argument("RandomStream::one_of: no seat to draw from");
  const int last = *std::max_element(seats.begin(), seats.end());
  // So many that two seats all but never draw the same one.
  constexpr std::int64_t kNumbers = std::int64_t{1} << 32;
  int drawn = seats.front();
  std::int64_t highest = -1;
  for (int seat = 0; seat <= last; ++seat) {
    const std::int64_t number = below(kNumbers);
    if (number <= highest || std::find(seats.begin(), seats.end(), seat) == seats.end()) continue;
    highest = number;
    drawn = seat;
  }
  return drawn;
}

double RandomStream::unit() {
  double value = dice_.unit();
  if (table_.listening_)
    table_.drawn(name_, std::span(at_.data(), static_cast<std::size_t>(n_)),
                 std::exchange(fresh_, false), type_of<double>(), &value);
  return value;
}

std::int64_t AnyTable::deal(std::string_view name, std::int64_t n, Dealing how) {
  return how == Dealing::drawn ? chance(name).below(n) : next_in_turn(name, n);
}

}  // namespace agon
