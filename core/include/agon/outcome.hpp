#pragma once

#include <agon/detail/asking.hpp>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace agon {

/// Most metrics a game declares for one seat, and for the match as a whole.
inline constexpr std::size_t kMaxMetrics = 32;

/// A score: any number, or Money in cents.
struct Score {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not given
  /// Not given.
  constexpr Score() = default;
  /// A number, or Money in cents.
  ///@{
  template <class N>
  requires std::is_arithmetic_v<N>
  constexpr Score(N number) : value(static_cast<double>(number)) {}  // NOLINT: a score is a number
  constexpr Score(Money money) : value(static_cast<double>(money.cents)) {}  // NOLINT: likewise
  ///@}
};

/// What one seat got: `{.score = kept, .disagreement = 0, .ideal = pie}`.
struct SeatScore {
  Score score = 0;  ///< what the seat got, in the unit of the game's card
  /// What staying outside gives: 0 of the normalised score. It follows, as the ideal does, from
  /// settings and chance, never from who plays. Left out in both: there is no pie.
  Score disagreement{};
  /// The seat's best payoff with everybody else at their disagreement point or above: 1 of it.
  Score ideal{};
  int rank = 0;  ///< 1 is best; 0: by score, equal scores share the better rank
};

/// One seat of an Outcome.
struct SeatOutcome {
  double score = 0;  ///< as SeatScore has it; money in cents
  double disagreement = std::numeric_limits<double>::quiet_NaN();  ///< likewise; NaN: none
  double ideal = std::numeric_limits<double>::quiet_NaN();         ///< likewise
  int rank = 0;                                                    ///< likewise
  InlineList<double, kMaxMetrics> metrics;  ///< in the order of their description; NaN: not defined
};

/// How a match came out. Metrics are given as described structs of numbers, bools and optionals of
/// them; NaN stands for "not defined in this match".
class Outcome {
 public:
  /// An outcome without scores yet.
  explicit Outcome(int seats = 0) { resize(seats); }
  /// What each seat got, in the order of seats.
  Outcome(std::initializer_list<SeatScore> got) {
    resize(static_cast<int>(got.size()));
    int next = 0;
    for (const SeatScore& one : got) seat(next++, one);
  }
  /// Copies the seats that there are.
  Outcome(const Outcome& other) : match_(other.match_), types_(other.types_), size_(other.size_) {
    copy_seats(other);
  }
  /// Likewise.
  Outcome& operator=(const Outcome& other) {
    if (this == &other) return *this;
    match_ = other.match_;
    types_ = other.types_;
    size_ = other.size_;
    copy_seats(other);
    return *this;
  }

  /// At most kMaxSeats; new seats have no score yet. Throws std::length_error for more.
  void resize(int seats) {
    const auto size = static_cast<std::size_t>(seats);
    if (size > kMaxSeats) throw std::length_error("an outcome has too many seats");
    for (; size_ < size; ++size_) ::new (static_cast<void*>(data() + size_)) SeatOutcome;
    size_ = size;
  }
  /// How many seats it has.
  [[nodiscard]] int seats() const { return static_cast<int>(size_); }
  /// Throws std::out_of_range for a seat that the outcome does not have.
  SeatOutcome& operator[](int seat) { return data()[checked(seat)]; }
  /// Likewise.
  const SeatOutcome& operator[](int seat) const { return data()[checked(seat)]; }

  /// What one seat got.
  Outcome& seat(int seat, const SeatScore& got) {
    SeatOutcome& own = (*this)[seat];
    own.score = got.score.value;
    own.disagreement = got.disagreement.value;
    own.ideal = got.ideal.value;
    own.rank = got.rank;
    return *this;
  }
  /// The metrics of one seat, of the type that the game's card declares.
  template <class M>
  Outcome& seat_metrics(int seat, const M& metrics) {
    flatten(metrics, (*this)[seat].metrics);
    types_.same_seats =
        types_.same_seats && (types_.seat == nullptr || types_.seat == &type_of<M>());
    types_.seat = &type_of<M>();
    return *this;
  }
  /// The metrics of the match as a whole.
  template <class M>
  Outcome& match_metrics(const M& metrics) {
    flatten(metrics, match_);
    types_.match = &type_of<M>();
    return *this;
  }
  /// The metrics of the match in the order of their description; empty: none were given.
  [[nodiscard]] const InlineList<double, kMaxMetrics>& match_metrics() const { return match_; }
  /// Likewise.
  InlineList<double, kMaxMetrics>& match_metrics() { return match_; }

  /// What metrics were given as; null: none, or not as structs.
  struct MetricTypes {
    const Type* seat = nullptr;   ///< those of seats
    const Type* match = nullptr;  ///< those of the match
    bool same_seats = true;       ///< all seats' are of one type
  };
  /// See MetricTypes.
  [[nodiscard]] const MetricTypes& metric_types() const { return types_; }
  /// For metrics that were written number by number: what they are. Null: there are none.
  void declare_metrics(const Type* seat, const Type* match) { types_ = {seat, match, true}; }

 private:
  [[nodiscard]] std::size_t checked(int seat) const {
    if (seat < 0 || static_cast<std::size_t>(seat) >= size_) [[unlikely]]
      throw std::out_of_range("the outcome has no seat " + std::to_string(seat) + ", it has " +
                              std::to_string(size_));
    return static_cast<std::size_t>(seat);
  }
  template <class V>
  static double as_double(const V& value) {
    if constexpr (detail::IsOptional<V>::value)
      return value ? as_double(*value) : std::numeric_limits<double>::quiet_NaN();
    else if constexpr (std::same_as<V, Money>)
      return static_cast<double>(value.cents);
    else {
      static_assert(std::is_arithmetic_v<V> || std::is_enum_v<V>,
                    "a metric is a number, a bool, an enum, Money, or an optional of one; texts "
                    "and lists belong into events: table.note()");
      return static_cast<double>(value);
    }
  }
  template <class M>
  static void flatten(const M& metrics, InlineList<double, kMaxMetrics>& out) {
    using Members = boost::describe::describe_members<M, boost::describe::mod_public>;
    static_assert(boost::mp11::mp_size<Members>::value <= kMaxMetrics, "too many metrics");
    out.resize_for_overwrite(boost::mp11::mp_size<Members>::value);
    double* next = out.data();
    boost::mp11::mp_for_each<Members>([&](auto d) { *next++ = as_double(metrics.*d.pointer); });
  }

  static_assert(std::is_trivially_destructible_v<SeatOutcome>);
  void copy_seats(const Outcome& other) {
    for (std::size_t i = 0; i < size_; ++i)
      ::new (static_cast<void*>(data() + i)) SeatOutcome(other.data()[i]);
  }
  SeatOutcome* data() { return std::launder(reinterpret_cast<SeatOutcome*>(storage_)); }
  [[nodiscard]] const SeatOutcome* data() const {
    return std::launder(reinterpret_cast<const SeatOutcome*>(storage_));
  }

  // Only the seats there are get built: sixteen would cost more than some games do.
  alignas(SeatOutcome) std::byte storage_[sizeof(SeatOutcome) * kMaxSeats];
  InlineList<double, kMaxMetrics> match_;
  MetricTypes types_;
  std::size_t size_ = 0;
};

}  // namespace agon
