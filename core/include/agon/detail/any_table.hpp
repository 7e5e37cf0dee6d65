#pragma once

#include <agon/detail/asking.hpp>
#include <agon/export.hpp>
#include <agon/stage.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace agon {

enum class Dealing : std::uint8_t;
class RandomStream;
class UntypedTable;

namespace detail {

[[noreturn]] AGON_API void throw_no_seat(int seat, int seats, const char* call);

}  // namespace detail

/// What tables of all games have in common. It stands between games and agents: numbering, checking
/// and recording of questions are behind it. Functions that several games share take this; a game
/// takes a Table<...>, which turns into it.
class AGON_API AnyTable {
 public:
  AnyTable(const AnyTable&) = delete;
  AnyTable& operator=(const AnyTable&) = delete;

  [[nodiscard]] int seats() const { return seats_; }
  /// See Table::name().
  [[nodiscard]] std::string_view name(int seat) const {
    need(seat, "name");
    return names_[static_cast<std::size_t>(seat)];
  }
  /// See Table::chance().
  [[nodiscard]] RandomStream chance(std::string_view name);
  [[nodiscard]] RandomStream chance(std::string_view name, std::int64_t i);
  [[nodiscard]] RandomStream chance(std::string_view name, std::int64_t i, std::int64_t j);
  /// See Table::deal().
  std::int64_t deal(std::string_view name, std::int64_t n, Dealing how);

 protected:
  AnyTable() = default;
  ~AnyTable() = default;

  static constexpr std::uint32_t kEverybody = ~0U;
  static constexpr std::uint32_t kNobody = 0U;

  int seats_ = 0;
  bool listening_ = false;             ///< somebody hears or records events and draws
  std::uint32_t declines_probes_ = 0;  ///< bit s: seat s declines every probe without looking
  std::uint32_t next_question_ = 0;
  std::uint64_t stream_key_ = 0;
  std::array<std::string_view, kMaxSeats> names_{};

 private:
  friend class RandomStream;
  friend class UntypedTable;
  template <const auto&... Listed>
  friend class Table;

  virtual Given put(Question& question) = 0;
  virtual void put_all(std::span<Question> questions, std::span<Given> given) = 0;
  virtual void say(std::uint32_t audience, const EventCard& card, const void* event) = 0;
  /// `first`: of this stream. Puts the given number in the place of `value` where one is given.
  virtual void drawn(std::string_view name, std::span<const std::int64_t> at, bool first,
                     const Type& type, void* value) = 0;
  /// What is dealt in turn among n things. Recorded as a draw.
  virtual std::int64_t next_in_turn(std::string_view name, std::int64_t n) = 0;
  virtual bool bring(int seat, const Type& type, void* value) = 0;
  virtual void take_along(int seat, const Type& type, const void* value) = 0;
  /// Throws std::out_of_range, which is charged to the game, for a seat that there is not.
  void need(int seat, const char* call) const {
    if (seat < 0 || seat >= seats_) [[unlikely]]
      detail::throw_no_seat(seat, seats_, call);
  }
  /// True if a probe of this seat would not be declined unseen.
  [[nodiscard]] bool answers_probes(int seat) const { return (declines_probes_ >> seat & 1U) == 0; }
  /// Probes that are declined unseen keep their numbers.
  void skip_probes(std::size_t n) { next_question_ += static_cast<std::uint32_t>(n); }

  [[nodiscard]] std::uint64_t stream_of(std::string_view name) const {
    return combine(stream_key_, hash_of(name));
  }

  template <class T>
  static void draw_into(Question& q) {
    detail::draw_answer(*static_cast<T*>(q.answer_), q.limits_, q.dice());
    q.drawn_ = true;
  }

  template <class T, class... Parts>
  void fill(Question& q, int seat, const StageCard& stage, Asking<T, Parts...>& spec,
            Answer<T>& answer) {
    using Spec = Asking<T, Parts...>;
    q.seat_ = seat;
    q.stage_ = &stage;
    q.answer_ = static_cast<T*>(&answer);
    q.limits_ = spec.limits_;
    q.asking_ = &spec;
    q.draw_ = Spec::Check::found ? &Question::draw_checked : &AnyTable::draw_into<T>;
    q.is_legal_ = &detail::is_legal_answer<T>;
    if constexpr (Spec::Fallback::found)
      q.fallback_ = &std::get<typename Spec::Fallback::type>(spec.parts_).value;
    if constexpr (Spec::View::found) q.build_view_ = &Spec::build;
    if constexpr (Spec::Check::found) q.check_ = &Spec::reason;
  }

  template <class T, class... Parts>
  Answer<T> ask(int seat, const StageCard& stage, Asking<T, Parts...>& spec) {
    Answer<T> answer = spec.initial_answer();
    Question q;
    fill(q, seat, stage, spec, answer);
    static_cast<Given&>(answer) = put(q);
    return answer;
  }

  template <class T, class... Parts>
  std::optional<T> probe(int seat, const StageCard& stage, Asking<T, Parts...>& spec) {
    Answer<T> answer = spec.initial_answer();
    Question q;
    fill(q, seat, stage, spec, answer);
    static_cast<Given&>(answer) = put(q);
    if (q.declined_ || answer.forced()) return std::nullopt;
    return static_cast<T&&>(std::move(answer));
  }

  /// Bit i of `declined` is set if question i, a probe, was declined.
  template <class T, class Make>
  InlineList<Answer<T>, kMaxSeats> ask_all(std::span<const int> seats, const StageCard& stage,
                                           Make& make, std::uint32_t& declined) {
    using Spec = decltype(make(0));
    if (seats.size() > kMaxSeats) throw std::length_error("more seats are asked than there can be");
    InlineList<Spec, kMaxSeats> specs;
    InlineList<Question, kMaxSeats> questions;
    InlineList<Given, kMaxSeats> given;
    InlineList<Answer<T>, kMaxSeats> answers;
    questions.resize_for_overwrite(seats.size());
    given.resize_for_overwrite(seats.size());
    for (std::size_t i = 0; i < seats.size(); ++i) {
      Spec& spec = specs.push_back_made([&] { return make(seats[i]); });
      answers.push_back(spec.initial_answer());
      fill(questions[i], seats[i], stage, spec, answers.back());
    }
    put_all(questions, given);
    for (std::size_t i = 0; i < seats.size(); ++i) {
      static_cast<Given&>(answers[i]) = given[i];
      declined |= questions[i].declined_ ? 1U << i : 0U;
    }
    return answers;
  }

  template <class T, class Make>
  InlineList<std::optional<T>, kMaxSeats> probe_all(std::span<const int> seats,
                                                    const StageCard& stage, Make& make) {
    InlineList<std::optional<T>, kMaxSeats> result;
    bool anybody = false;
    for (const int seat : seats) need(seat, "probe_all"), anybody |= answers_probes(seat);
    if (!anybody) {
      skip_probes(seats.size());
      result.resize(seats.size());
      return result;
    }
    std::uint32_t declined = 0;
    const auto answers = ask_all<T>(seats, stage, make, declined);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if ((declined >> i & 1U) != 0 || answers[i].forced())
        result.push_back(std::nullopt);
      else
        result.push_back(static_cast<const T&>(answers[i]));
    }
    return result;
  }

  template <class E, class V>
  void say_as(std::uint32_t audience, const EventCard& card, const V& e) {
    if constexpr (std::is_base_of_v<E, V>) {
      say(audience, card, static_cast<const E*>(&e));
    } else {
      const E made = e();
      say(audience, card, &made);
    }
  }
};

}  // namespace agon
