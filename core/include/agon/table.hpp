#pragma once

#include <agon/question.hpp>
#include <agon/typed_answer.hpp>
#include <algorithm>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <tuple>

namespace agon {

/// Most seats that one table has.
inline constexpr std::size_t kMaxSeats = 16;

// ---- what can be said with a question, beside limits -------------------------------------------

/// What the seat may see now: a callable that returns a described struct, or a reference to one.
/// Called at most once, and only if somebody looks. What it refers to must stay as it is until the
/// answer, as must what spans and string_views in it point to.
template <class F>
struct ViewPart {
  F make;
};
template <class F>
constexpr ViewPart<F> view(F make) {
  return {std::move(make)};
}

/// What limits cannot say: a pure callable from an answer to a reason why it is not legal, empty if
/// it is. The seat is told the reason.
template <class F>
struct CheckPart {
  F reason;
};
template <class F>
constexpr CheckPart<F> check(F reason) {
  return {std::move(reason)};
}

/// What is played when no attempt is legal; default: a default-constructed answer. It must be
/// legal.
template <class T>
struct FallbackPart {
  T value;
};
template <class T>
constexpr FallbackPart<T> fallback(T value) {
  return {std::move(value)};
}

namespace detail {

template <class P>
struct IsView : std::false_type {};
template <class F>
struct IsView<ViewPart<F>> : std::true_type {};
template <class P>
struct IsCheck : std::false_type {};
template <class F>
struct IsCheck<CheckPart<F>> : std::true_type {};
template <class P>
struct IsFallback : std::false_type {};
template <class T>
struct IsFallback<FallbackPart<T>> : std::true_type {};
template <class T, class P>
inline constexpr bool is_limit = std::same_as<P, Limit<T>>;

/// What a question keeps of a part: limits go into one array, the others stay as they are.
struct NotKept {};
template <class T, class P>
using Kept = std::conditional_t<is_limit<T, P>, NotKept, P>;

/// Up to kMaxSeats objects, each built where it stays and only as it is needed.
template <class T>
class SeatList {
 public:
  SeatList() {}  // NOLINT: leaves the room as it is, which `= default` in a {} would clear
  SeatList(const SeatList&) = delete;
  SeatList& operator=(const SeatList&) = delete;
  ~SeatList() { std::destroy_n(data(), size_); }
  /// Appends what `make()` returns, without a copy.
  template <class Make>
  T& add(Make make) {
    T& made = *::new (static_cast<void*>(data() + size_)) T(make());
    ++size_;
    return made;
  }
  T& add() {
    T& made = *::new (static_cast<void*>(data() + size_)) T;
    ++size_;
    return made;
  }
  std::span<T> all() { return {data(), size_}; }

 private:
  T* data() { return std::launder(reinterpret_cast<T*>(storage_)); }
  alignas(T) std::byte storage_[sizeof(T) * kMaxSeats];
  std::size_t size_ = 0;
};

/// Turns into what `make` returns, so that emplace() builds it in place.
template <class F>
struct InPlace {
  F& make;
  operator decltype(std::declval<F&>()())() const { return make(); }  // NOLINT: implicit on purpose
};

template <template <class> class Is, class Default, class... P>
struct FindPart {
  using type = Default;
  static constexpr bool found = false;
};
template <template <class> class Is, class Default, class First, class... Rest>
struct FindPart<Is, Default, First, Rest...>
    : std::conditional_t<Is<First>::value, std::type_identity<First>,
                         FindPart<Is, Default, Rest...>> {
  static constexpr bool found = Is<First>::value || FindPart<Is, Default, Rest...>::found;
};

}  // namespace detail

/// A question about to be asked: the answer's type, and the parts that go with it.
template <class T, class... Parts>
class Asking {
  static_assert(((detail::IsView<Parts>::value || detail::IsCheck<Parts>::value ||
                  detail::IsFallback<Parts>::value || detail::is_limit<T, Parts>)&&...),
                "a question takes limits that name members of its answer, and view(), check(), "
                "fallback()");

 public:
  constexpr explicit Asking(Parts... parts) : parts_(keep(parts)...) { (take(parts), ...); }
  Asking(const Asking& other) : parts_(other.parts_), limits_(other.limits_) {}
  Asking& operator=(const Asking&) = delete;

 private:
  friend class Table;

  using View = detail::FindPart<detail::IsView, void, Parts...>;
  using Check = detail::FindPart<detail::IsCheck, void, Parts...>;
  using Fallback = detail::FindPart<detail::IsFallback, void, Parts...>;
  static constexpr std::size_t kLimits = (std::size_t{0} + ... + detail::is_limit<T, Parts>);

  template <class P>
  static constexpr detail::Kept<T, P> keep(P& part) {
    if constexpr (detail::is_limit<T, P>)
      return {};
    else
      return std::move(part);
  }
  template <class P>
  constexpr void take(P& part) {
    if constexpr (detail::is_limit<T, P>) limits_[filled_++] = part.data;
  }

  static auto view_made() {
    if constexpr (View::found)
      return std::type_identity<decltype(std::declval<typename View::type&>().make())>{};
    else
      return std::type_identity<const char&>{};
  }
  using ViewMade = typename decltype(view_made())::type;
  using ViewResult = std::remove_cvref_t<ViewMade>;
  static constexpr bool kViewIsElsewhere = std::is_reference_v<ViewMade>;

  static const void* build(void* self) {
    auto& me = *static_cast<Asking*>(self);
    auto& make = std::get<typename View::type>(me.parts_).make;
    if constexpr (kViewIsElsewhere) {
      return std::addressof(make());
    } else {
      me.built_.emplace(detail::InPlace<std::remove_reference_t<decltype(make)>>{make});
      return &*me.built_;
    }
  }
  static std::string reason(void* self, const void* answer) {
    if constexpr (Check::found)
      return std::get<typename Check::type>(static_cast<Asking*>(self)->parts_)
          .reason(*static_cast<const T*>(answer));
    else
      return {};
  }

  std::tuple<detail::Kept<T, Parts>...> parts_;
  std::array<LimitData, kLimits> limits_{};
  std::size_t filled_ = 0;
  std::conditional_t<kViewIsElsewhere, detail::NotKept, std::optional<ViewResult>> built_{};
};

/// asking<Bid>(view(...), limit(...), check(...), fallback(...)): for ask_all.
template <class T, class... Parts>
constexpr Asking<T, Parts...> asking(Parts... parts) {
  return Asking<T, Parts...>(std::move(parts)...);
}

class Table;

/// Luck of the match at one place: `table.chance("supply", day)`. It is a function of the suite's
/// seed, the scenario, the block, the name and the indices, never of who plays or of what was drawn
/// before. Each draw is recorded.
class AGON_API Luck {
 public:
  /// Uniform over lo..hi, both included. Throws std::invalid_argument if there is nothing between.
  std::int64_t between(std::int64_t lo, std::int64_t hi);
  /// Uniform over 0..n-1; n >= 1.
  std::int64_t below(std::int64_t n) { return between(0, n - 1); }
  /// Uniform over [0, 1).
  double unit();
  /// One of these seats, evenly: the highest of numbers that every seat draws for itself. So a seat
  /// that is drawn stays the one when others leave, and one draw serves whoever is tied.
  int one_of(std::span<const int> seats);
  /// True with this probability.
  bool happens(double probability) { return unit() < probability; }
  /// A uniform permutation of the items.
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      const auto j = static_cast<std::size_t>(below(static_cast<std::int64_t>(i)));
      std::swap(items[i - 1], items[j]);
    }
  }

 private:
  friend class Table;
  Luck(Table& table, std::string_view name, Dice dice, std::array<std::int64_t, 2> at, int n)
      : table_(table), name_(name), dice_(dice), at_(at), n_(n) {}
  Table& table_;
  std::string_view name_;
  Dice dice_;
  std::array<std::int64_t, 2> at_;
  int n_;
  bool fresh_ = true;  ///< nothing was drawn yet
};

/// What game code talks to. It stands between the game and the agents; the same game code runs
/// live, replayed, resumed and scripted, because it only ever meets a table.
class AGON_API Table {
 public:
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  [[nodiscard]] int seats() const { return seats_; }
  /// The seat's name, as other seats see it.
  [[nodiscard]] std::string_view name(int seat) const {
    need(seat, "name");
    return names_[static_cast<std::size_t>(seat)];
  }

  /// Asks one seat and waits. Turned-down attempts are asked again with the reason, as often as the
  /// preset says; then the fallback is played.
  template <class T, class... Parts>
  Answer<T> ask(int seat, std::string_view stage, Parts... parts) {
    Asking<T, Parts...> spec(std::move(parts)...);
    return ask_one<T>(seat, stage, spec);
  }
  template <class T, class... Parts>
  Answer<T> ask_one(int seat, std::string_view stage, Asking<T, Parts...>& spec) {
    Answer<T> answer = fresh(spec);
    Question q;
    fill(q, seat, stage, spec, answer, false);
    static_cast<Given&>(answer) = put(q);
    return answer;
  }

  /// Asks several seats at once; nobody sees another's answer. `make(seat)` returns asking<T>(...).
  /// The answers stand in the order of `seats`.
  template <class T, class Make>
  InlineList<Answer<T>, kMaxSeats> ask_all(std::span<const int> seats, std::string_view stage,
                                           Make make) {
    std::uint32_t declined = 0;
    return all<T>(seats, stage, make, false, declined);
  }

  /// A question with no effect on play: a plan, a belief. Empty if the agent declines or gives
  /// nothing legal.
  template <class T, class... Parts>
  std::optional<T> probe(int seat, std::string_view stage, Parts... parts) {
    need(seat, "probe");
    if (!answers_probes(seat)) return skip_probes(1), std::nullopt;
    Asking<T, Parts...> spec(std::move(parts)...);
    Answer<T> answer = fresh(spec);
    Question q;
    fill(q, seat, stage, spec, answer, true);
    static_cast<Given&>(answer) = put(q);
    if (q.declined_ || answer.forced()) return std::nullopt;
    return static_cast<T&&>(std::move(answer));
  }
  /// probe() of several seats at once, in the order of `seats`.
  template <class T, class Make>
  InlineList<std::optional<T>, kMaxSeats> probe_all(std::span<const int> seats,
                                                    std::string_view stage, Make make) {
    InlineList<std::optional<T>, kMaxSeats> result;
    for (const int seat : seats) need(seat, "probe_all");
    if (std::none_of(seats.begin(), seats.end(), [&](int seat) { return answers_probes(seat); })) {
      skip_probes(seats.size());
      result.resize(seats.size());
      return result;
    }
    std::uint32_t declined = 0;
    const auto answers = all<T>(seats, stage, make, true, declined);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if ((declined >> i & 1U) != 0 || answers[i].forced())
        result.push_back(std::nullopt);
      else
        result.push_back(static_cast<const T&>(answers[i]));
    }
    return result;
  }

  /// Says something to everybody: announce<Offer>("offer", offer). The event is a described struct
  /// E (or an Answer<E>), or a callable that makes one and is only called if somebody listens.
  template <class E, class V>
  void announce(std::string_view name, const V& event) {
    if (listening_) say_as<E>(kEverybody, name, event);
  }
  /// Says something to one seat.
  template <class E, class V>
  void tell(int seat, std::string_view name, const V& event) {
    need(seat, "tell");
    if (listening_) say_as<E>(1U << seat, name, event);
  }
  /// For the record only: true values, yardsticks, reasons.
  template <class E, class V>
  void note(std::string_view name, const V& event) {
    if (listening_) say_as<E>(kNobody, name, event);
  }

  /// Luck at a place. Give each place its own name and indices: at the same place there is the same
  /// luck again, so a day's is chance("supply", day). A place that is used twice in a match is an
  /// error of the game.
  [[nodiscard]] Luck chance(std::string_view name) {
    return {*this, name, Dice(luck_of(name)), {}, 0};
  }
  [[nodiscard]] Luck chance(std::string_view name, std::int64_t i) {
    return {*this, name, Dice(luck_of(name), 1, fold(i)), {i, 0}, 1};
  }
  [[nodiscard]] Luck chance(std::string_view name, std::int64_t i, std::int64_t j) {
    return {*this, name, Dice(luck_of(name), 2, fold(i), fold(j)), {i, j}, 2};
  }

  /// What this seat carried over from the match before in a learning sequence, if any.
  template <class C>
  std::optional<C> carried(int seat) {
    need(seat, "carried");
    std::optional<C> value(std::in_place);
    if (!bring(seat, type_of<C>(), &*value)) value.reset();
    return value;
  }
  /// Hands `value` to the same seat's agent in the next match of the sequence. Recorded.
  template <class C>
  void carry(int seat, const C& value) {
    need(seat, "carry");
    take_along(seat, type_of<C>(), &value);
  }

 protected:
  Table() = default;
  ~Table() = default;

  static constexpr std::uint32_t kEverybody = ~0U;
  static constexpr std::uint32_t kNobody = 0U;

  int seats_ = 0;
  bool listening_ = false;             ///< somebody hears or records events and draws
  std::uint32_t declines_probes_ = 0;  ///< bit s: seat s declines every probe without looking
  std::uint32_t next_question_ = 0;
  std::uint64_t luck_key_ = 0;
  std::array<std::string_view, kMaxSeats> names_{};

 private:
  friend class Luck;

  virtual Given put(Question& question) = 0;
  virtual void put_all(std::span<Question> questions, std::span<Given> given) = 0;
  virtual void say(std::uint32_t audience, std::string_view name, const Type& type,
                   const void* event) = 0;
  /// `first`: of this Luck.
  virtual void drawn(std::string_view name, std::span<const std::int64_t> at, bool first,
                     const Type& type, const void* value) = 0;
  virtual bool bring(int seat, const Type& type, void* value) = 0;
  virtual void take_along(int seat, const Type& type, const void* value) = 0;
  /// Throws std::out_of_range, which is charged to the game, for a seat that there is not.
  void need(int seat, const char* call) const {
    if (seat < 0 || seat >= seats_) [[unlikely]]
      no_seat(seat, call);
  }
  [[noreturn]] void no_seat(int seat, const char* call) const;
  /// True if a probe of this seat would not be declined unseen.
  [[nodiscard]] bool answers_probes(int seat) const { return (declines_probes_ >> seat & 1U) == 0; }
  /// Probes that are declined unseen keep their numbers.
  void skip_probes(std::size_t n) { next_question_ += static_cast<std::uint32_t>(n); }

  [[nodiscard]] std::uint64_t luck_of(std::string_view name) const {
    return combine(luck_key_, hash_of(name));
  }
  static std::uint32_t fold(std::int64_t i) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) ^
                                      static_cast<std::uint64_t>(i) >> 32);
  }

  template <class T, class... Parts>
  static Answer<T> fresh(Asking<T, Parts...>& spec) {
    using Spec = Asking<T, Parts...>;
    if constexpr (Spec::Fallback::found)
      return Answer<T>{std::get<typename Spec::Fallback::type>(spec.parts_).value, {}};
    else
      return Answer<T>{};
  }

  template <class T>
  static void draw_into(Question& q) {
    detail::draw_answer(*static_cast<T*>(q.answer_), q.limits_, q.dice());
    q.drawn_ = true;
  }

  template <class T, class... Parts>
  void fill(Question& q, int seat, std::string_view stage, Asking<T, Parts...>& spec,
            Answer<T>& answer, bool probe) {
    using Spec = Asking<T, Parts...>;
    q.seat_ = seat;
    q.stage_ = stage;
    q.probe_ = probe;
    q.answer_type_ = &type_of<T>();
    q.answer_ = static_cast<T*>(&answer);
    q.limits_ = spec.limits_;
    q.asking_ = &spec;
    q.draw_ = Spec::Check::found ? &Question::draw_checked : &Table::draw_into<T>;
    q.is_legal_ = &detail::is_legal_answer<T>;
    if constexpr (Spec::Fallback::found)
      q.fallback_ = &std::get<typename Spec::Fallback::type>(spec.parts_).value;
    if constexpr (Spec::View::found) {
      q.view_type_ = &type_of<typename Spec::ViewResult>();
      q.build_view_ = &Spec::build;
    }
    if constexpr (Spec::Check::found) {
      q.check_ = &Spec::reason;
    }
  }

  /// Bit i of `declined` is set if question i, a probe, was declined.
  template <class T, class Make>
  InlineList<Answer<T>, kMaxSeats> all(std::span<const int> seats, std::string_view stage,
                                       Make& make, bool probe, std::uint32_t& declined) {
    using Spec = decltype(make(0));
    if (seats.size() > kMaxSeats) throw std::length_error("more seats are asked than there can be");
    detail::SeatList<Spec> specs;
    detail::SeatList<Question> questions;
    detail::SeatList<Given> given;
    InlineList<Answer<T>, kMaxSeats> answers;
    for (std::size_t i = 0; i < seats.size(); ++i) {
      Spec& spec = specs.add([&] { return make(seats[i]); });
      answers.push_back(fresh(spec));
      fill(questions.add(), seats[i], stage, spec, answers.back(), probe);
      given.add();
    }
    put_all(questions.all(), given.all());
    for (std::size_t i = 0; i < seats.size(); ++i) {
      static_cast<Given&>(answers[i]) = given.all()[i];
      declined |= questions.all()[i].declined_ ? 1U << i : 0U;
    }
    return answers;
  }
  template <class E, class V>
  void say_as(std::uint32_t audience, std::string_view name, const V& e) {
    if constexpr (std::is_base_of_v<E, V>) {
      say(audience, name, type_of<E>(), static_cast<const E*>(&e));
    } else {
      const E made = e();
      say(audience, name, type_of<E>(), &made);
    }
  }
};

}  // namespace agon
