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
#include "remote/limit_json.hpp"
#include "settings/settings.hpp"
#include "table/contract.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

/// Marks the places of the dice of probes.
constexpr std::uint32_t kProbeDice = 0x80000000U;

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

}  // namespace

MatchTable::MatchTable(const MatchSetup& setup) : setup_(setup) {
  seats_ = static_cast<int>(setup.seats.size());
  stream_key_ = setup.stream_key;
  std::uint32_t waiting = 0;
  if (!setup.past.empty()) {
    history_ = record::read(setup.past);
    waiting = history_.waiting;
    for (const record::Entry& e : history_.entries)
      if (e.what == record::Entry::What::question) past_.emplace(e.number, &e);
  }
  given_ = given_draws();
  for (std::size_t i = 0; i < setup.seats.size(); ++i) {
    Seat seat;
    seat.agent = setup.seats[i].agent;
    seat.dice_key = setup.seats[i].dice_key;
    seat.stand_in = setup.seats[i].stand_in;
    seat.substitute = setup.seats[i].substitute;
    if (const auto& prompts = setup.seats[i].prompts; prompts != nullptr && prompts->language)
      seat.language = prompts->language.get();
    seat.waits = setup.strict_replay ? (waiting >> i & 1U) != 0
                                     : seat.agent != nullptr && seat.agent->waits();
    seat.listens = seat.waits || setup.seats[i].listens;
    listening_ = listening_ || seat.listens;
    if (past_.empty() && seat.agent != nullptr && !seat.agent->answers_probes())
      declines_probes_ |= 1U << i;
    seats_of_.push_back(std::move(seat));
    names_[i] = setup.cards[i].name;
  }
  waiting = 0;
  for (std::size_t i = 0; i < seats_of_.size(); ++i) waiting |= seats_of_[i].waits ? 1U << i : 0U;
  if (waiting != 0) mailbox_ = std::make_shared<Mailbox>();
  if (setup.record) {
    result_.shapes = setup.shapes != nullptr ? setup.shapes : std::make_shared<record::Shapes>();
    recorder_.emplace(waiting, *result_.shapes);
  }
  listening_ = listening_ || setup.record;
  // What is costly must be durable before it is used, which takes the long way.
  direct_ = waiting == 0 && past_.empty() && !setup.strict_replay &&
            std::none_of(setup.seats.begin(), setup.seats.end(),
                         [](const SeatSetup& s) { return s.agent->is_costly(); });
  result_.carried.resize(setup.seats.size());
  result_.faults.resize(setup.seats.size());
  result_.forced.resize(setup.seats.size());
  result_.waiting_ms.resize(setup.seats.size());
}

MatchTable::~MatchTable() {
  leave();
}

void MatchTable::leave() {
  if (mailbox_ == nullptr) return;
  mailbox_->close();
  // Before the mailbox is gone: its address is what agents know the match by.
  for (std::size_t i = 0; i < seats_of_.size(); ++i) tell_ending(static_cast<int>(i));
  std::vector<const Agent*> told;
  for (const Seat& seat : seats_of_) {
    if (!seat.waits || seat.agent == nullptr ||
        std::find(told.begin(), told.end(), seat.agent) != told.end())
      continue;
    told.push_back(seat.agent);
    seat.agent->match_over(mailbox_.get());
  }
  // A seat that was handed over has two that waited.
  for (std::size_t i = 0; i < seats_of_.size(); ++i)
    if (const Agent* first = setup_.seats[i].agent;
        seats_of_[i].waits && first != nullptr &&
        std::find(told.begin(), told.end(), first) == told.end()) {
      told.push_back(first);
      first->match_over(mailbox_.get());
    }
  mailbox_.reset();
}

void MatchTable::tell_ending(int number) const {
  // Who sat there first, though a substitute may have played on.
  const Agent* agent = setup_.seats[static_cast<std::size_t>(number)].agent;
  const Seat& seat = seats_of_[static_cast<std::size_t>(number)];
  if (!seat.waits || agent == nullptr) return;
  MatchEnding ending;
  ending.table = mailbox_.get();
  ending.seat = number;
  ending.finished = result_.end == End::finished && result_.outcome.seats() > number;
  if (ending.finished) {
    const double score = result_.outcome[number].score;
    if (std::isfinite(score)) ending.score = score;
    if (ending.score) ending.score_told = score_in_words(number, score);
    const SeatOutcome& own = result_.outcome[number];
    const GameCard& card = setup_.game->card;
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
    agent->match_ended(std::move(ending));
  } catch (...) {  // the match is over, whatever an agent makes of it
  }
}

MatchResult MatchTable::run() {
  play_through();
  leave();
  result_.questions = next_question_;
  if (recorder_) result_.record = recorder_->take();
  return std::move(result_);
}

void MatchTable::play_through() {
  try {
    remind();
    Outcome outcome = setup_.game->play(*this, setup_.settings, setup_.prepared);
    // A game that swallowed the stop did not finish, whatever it returned.
    if (!closed_) {
      if (outcome.seats() != seats_)
        throw GameFault{"the outcome has " + std::to_string(outcome.seats()) +
                        " seats, the match " + std::to_string(seats_)};
      rank_by_score(outcome);
      if (std::string problem = problem_of_outcome(setup_.game->card, outcome); !problem.empty())
        throw GameFault{std::move(problem)};
      take_learnings(outcome);
      result_.outcome = outcome;
      if (recorder_) {
        check_length();
        recorder_->outcome(outcome);
      }
    }
  } catch (const Stop&) {
    blame_game(thrown_by_game("a stop of its own", stage_));
  } catch (const GameFault& fault) {
    if (!closed_) result_.process_end = fault.process_end;
    blame_game(fault.problem);
  } catch (const record::TooLarge& entry) {
    blame_game(entry.problem);
  } catch (const MachineFault& fault) {
    if (!closed_) {
      result_.end = End::unfinished;
      result_.outage = true;
      result_.problem = fault.what();
    }
  } catch (const std::exception& error) {
    blame_game(thrown_by_game(error.what(), stage_));
  } catch (...) {
    blame_game(thrown_by_game("something that is no exception", stage_));
  }
}

void MatchTable::blame_game(std::string problem) {
  // What a game makes of a stop changes nothing: the match is to be taken up again.
  if (closed_) return;
  result_.end = End::game_fault;
  result_.problem = text::shorten(problem, kLongestProblem);
}

const MatchResult& MatchTable::play_next(std::uint64_t stream_key,
                                         std::span<const std::uint64_t> dice_keys) {
  if (!direct_ || listening_)
    throw Error(ErrorKind::failure, "only unrecorded matches of inline agents play again");
  stream_key_ = stream_key;
  next_question_ = 0;
  next_move_ = 0;
  stage_ = {};
  closed_ = false;
  result_.end = End::finished;
  result_.process_end = ProcessEnd::other;
  result_.outage = false;
  for (std::size_t i = 0; i < seats_of_.size(); ++i) {
    seats_of_[i].dice_key = dice_keys[i];
    seats_of_[i].memo.clear();
    result_.faults[i] = {};
    result_.forced[i] = 0;
  }
  play_through();
  result_.questions = next_question_;
  return result_;
}

void MatchTable::stop(End end, std::string problem) {
  closed_ = true;
  result_.end = end;
  result_.problem = std::move(problem);
  throw Stop{};
}

void MatchTable::heed_cancel() {
  if (closed_) throw Stop{};
  if (setup_.cancel.stop_requested()) stop(End::stopped, "the match was stopped");
}

void MatchTable::open(Question& q) {
  stage_ = q.stage();
  if (setup_.trace != nullptr) setup_.trace->asks(stage_);
  q.number_ = next_question_;
  if (q.seat_ < 0 || q.seat_ >= seats_) [[unlikely]]
    throw_no_such_seat(q);
  if (next_question_ >= kMostQuestions) [[unlikely]]
    throw_endless(q);
  ++next_question_;
  // Probes stand apart, so that dice never depend on how many of them were answered.
  q.dice_place_ = q.stage_->probe ? kProbeDice | q.number_ : next_move_++;
  const Seat& seat = seats_of_[static_cast<std::size_t>(q.seat_)];
  q.dice_key_ = seat.dice_key;
  q.memo_ = seat.memo;
}

void MatchTable::check_limits(const Question& q) {
  if (!may_contradict(q.limits_)) [[likely]]
    return;
  if (std::string problem = remote::problem_of_limits(*q.stage_->answer, q.stage(), q.limits_);
      !problem.empty())
    throw GameFault{std::move(problem)};
}

void MatchTable::check_length() const {
  if (recorder_->entries() >= record::kMostEntries)
    throw GameFault{"the match's record has more than " + std::to_string(record::kMostEntries) +
                    " entries: does the game ever end?"};
  if (recorder_->bytes().size() > kLargestRecord)
    throw GameFault{"the match's record has grown beyond " + std::to_string(kLargestRecord >> 20) +
                    " MiB: does the game ever end?"};
}

bool MatchTable::ask_directly(Question& q) {
  open(q);
  Seat& seat = seats_of_[static_cast<std::size_t>(q.seat_)];
  if (q.stage_->probe && (declines_probes_ >> q.seat_ & 1U) != 0) {
    q.declined_ = true;
    return true;
  }
  if (recorder_) {
    check_length();
    check_limits(q);
  }
  crash_.clear();
  call(*seat.agent, q);
  if (!crash_.empty() || q.by_json_) return false;
  if (!(q.stage_->probe && q.declined_)) {
    // A draw is within the limits, unless nothing is: a fault of the game, which a record shows.
    if ((!q.drawn_ || recorder_) && !q.is_legal_(*q.stage_->answer, q.answer_, q.limits_))
      return false;
    if (q.check_ != nullptr && !q.check_(q.asking_, q.answer_).empty()) return false;
  }
  if (q.words_) {
    // What was said beside the answer goes into the record.
    if (recorder_) return false;
    if (q.remembers_) seat.memo = std::move(q.words_->memo);
  }
  return true;
}

void MatchTable::note_crash() {
  try {
    throw;
  } catch (const MachineFault& fault) {
    result_.outage = true;
    stop(End::unfinished, fault.what());
  } catch (const std::exception& error) {
    // An agent that says so will not be replaced by a fallback: the match is left unfinished.
    if (const auto* own = dynamic_cast<const Error*>(&error);
        own != nullptr && own->kind() == ErrorKind::unfinished)
      stop(End::unfinished, own->problem());
    crash_ = error.what();
    if (crash_.empty()) crash_ = "?";
  } catch (...) {
    crash_ = "it threw something that is no exception";
  }
}

void MatchTable::note_directly(const Question& q) {
  if (q.stage_->probe && q.declined_) return;
  ++result_.faults[static_cast<std::size_t>(q.seat_)][static_cast<std::size_t>(Fault::ok)];
  if (recorder_)
    recorder_->plain(q.number_, q.seat_, q.stage(), *q.stage_->answer, q.stage_->probe, q.answer_);
}

Given MatchTable::put(Question& q) {
  std::size_t asked = 0;
  if (direct_) {
    heed_cancel();
    if (ask_directly(q)) [[likely]] {
      note_directly(q);
      return {};
    }
    asked = 1;
  }
  Given given;
  resolve(std::span(&q, 1), std::span(&given, 1), asked);
  return given;
}

void MatchTable::put_all(std::span<Question> questions, std::span<Given> given) {
  if (!direct_) return resolve(questions, given, 0);
  heed_cancel();
  if (setup_.together != nullptr) setup_.together->asked(questions);
  if (!recorder_) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (ask_directly(questions[i])) [[likely]]
        note_directly(questions[i]);
      else
        resolve(questions.subspan(i, 1), given.subspan(i, 1), 1);
    }
    return;
  }
  // Nothing is recorded before all have answered, as if they had been asked at the same time.
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (!ask_directly(questions[i])) return resolve(questions, given, i + 1);
  for (const Question& q : questions) note_directly(q);
}

Scene MatchTable::scene(int reader) const {
  return {{names_.data(), static_cast<std::size_t>(seats_)},
          setup_.settings,
          reader,
          reader < 0 ? Language::english() : language(reader)};
}

void MatchTable::say(std::uint32_t audience, const EventCard& card, const void* event) {
  if (closed_) throw Stop{};
  if (recorder_) {
    check_length();
    recorder_->event(audience, card.name, *card.type, event);
  }
  if (setup_.tellings != nullptr) {
    const bool is_told = card.telling != nullptr && told_bytes_ < kLargestRecord;
    setup_.tellings->push_back(is_told ? printable(card.telling(event, scene()), true) : "");
    told_bytes_ += setup_.tellings->back().size();
  }
  Delivery said;
  for (std::size_t i = 0; i < seats_of_.size(); ++i) {
    if (!seats_of_[i].listens || (audience >> i & 1U) == 0) continue;
    if (said.json.empty()) {
      const bool is_private = card.audience == Audience::one_seat;
      said = {.is_private = is_private,
              .name = std::string(card.name),
              .json = write_json(*card.type, event),
              .type = card.type};
    }
    if (card.telling != nullptr) {
      said.told = printable(card.telling(event, scene(static_cast<int>(i))), true);
      said.untold = said.told.empty();
    }
    seats_of_[i].heard.push_back(said);
  }
}

GivenDraws MatchTable::given_draws() const {
  GivenDraws given;
  if (setup_.given != nullptr) given = *setup_.given;
  for (const record::Entry& e : history_.entries) {
    if (setup_.given != nullptr || !e.given) continue;
    std::int64_t value = 0;
    record::Bytes bytes(e.payload);
    if (!record::decode(bytes, type_of<std::int64_t>(), &value))
      throw Error(ErrorKind::invalid, "a draw on record that was given is no whole number");
    given[{std::string(e.name), e.at}].push_back(value);
  }
  for (auto& [place, values] : given) std::reverse(values.begin(), values.end());
  return given;
}

void MatchTable::drawn(std::string_view name, std::span<const std::int64_t> at, bool first,
                       const Type& type, void* value) {
  if (closed_) throw Stop{};
  if (!recorder_) return;
  check_length();
  if (first) {
    std::uint64_t place = combine(hash_of(name), at.size());
    for (const std::int64_t i : at) place = combine(place, static_cast<std::uint64_t>(i));
    if (!drawn_at_.insert(place).second) throw GameFault{drawn_again(name, at)};
  }
  const auto given = given_.empty() || &type != &type_of<std::int64_t>()
                         ? given_.end()
                         : given_.find({std::string(name), {at.begin(), at.end()}});
  const bool is_given = given != given_.end() && !given->second.empty();
  if (is_given) {
    *static_cast<std::int64_t*>(value) = given->second.back();
    given->second.pop_back();
  }
  recorder_->draw(name, at, type, value, is_given);
}

std::int64_t MatchTable::next_in_turn(std::string_view name, std::int64_t n) {
  if (n < 1)
    throw std::invalid_argument("'" + std::string(name) + "' is dealt from a list of " +
                                std::to_string(n));
  auto next = static_cast<std::int64_t>(setup_.turn % static_cast<std::uint64_t>(n));
  if (listening_) drawn(name, {}, true, type_of<std::int64_t>(), &next);
  if (next < 0 || next >= n)
    throw std::invalid_argument("'" + std::string(name) + "': position " + std::to_string(next) +
                                " is given, and there are " + std::to_string(n));
  return next;
}

bool MatchTable::bring(int seat, const Type& type, void* value) {
  const std::string& json = setup_.seats[static_cast<std::size_t>(seat)].carried;
  if (json.empty() || read_learnings(json)) return false;
  if (const auto problem = read_json(type, value, json))
    throw GameFault{"what seat " + std::to_string(seat) +
                    " carried over does not fit: " + problem->text()};
  return true;
}

void MatchTable::take_along(int seat, const Type& type, const void* value) {
  if (closed_) throw Stop{};
  if (recorder_) recorder_->carry(seat, type, value);
  if (listening_) result_.carried[static_cast<std::size_t>(seat)] = write_json(type, value);
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

void AnyTable::no_seat(int seat, const char* call) const {
  throw std::out_of_range(std::string(call) + "(): there is no seat " + std::to_string(seat) +
                          ", the match has " + std::to_string(seats_) + " (0 to " +
                          std::to_string(seats_ - 1) + ")");
}

}  // namespace agon
