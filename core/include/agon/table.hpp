#pragma once

#include <agon/detail/any_table.hpp>

namespace agon {

// ---- what can be said with a question, beside limits -------------------------------------------

/// What the seat may see now: a callable that returns the stage's view, or a reference to one.
/// Called at most once, and only if somebody looks. What it refers to must stay as it is until the
/// answer, as must what spans and string_views in it point to.
template <class F>
constexpr ViewPart<F> view(F make) {
  return {std::move(make)};
}

/// What limits cannot say: a pure callable from an answer to a reason why it is not legal, empty if
/// it is. The seat is told the reason.
template <class F>
constexpr CheckPart<F> check(F reason) {
  return {std::move(reason)};
}

/// What is played when no attempt is legal; default: a default-constructed answer. It must be
/// legal.
template <class T>
constexpr FallbackPart<T> fallback(T value) {
  return {std::move(value)};
}

/// asking<Bid>(view(...), limit(...), check(...), fallback(...)): for ask_all.
template <class T, class... Parts>
constexpr Asking<T, Parts...> asking(Parts... parts) {
  return Asking<T, Parts...>(std::move(parts)...);
}

/// Chance of the match at one place: `table.chance("supply", day)`. It is a function of the suite's
/// seed, the scenario, the block, the name and the indices, never of who plays or of what was drawn
/// before. Each draw is recorded.
class AGON_API RandomStream {
 public:
  /// Uniform over lo..hi, both included. Throws std::invalid_argument if there is nothing between.
  std::int64_t between(std::int64_t lo, std::int64_t hi);
  /// Uniform over 0..n-1; n >= 1.
  std::int64_t below(std::int64_t n) { return between(0, n - 1); }
  /// Uniform over [0, 1).
  double unit();
  /// One of these seats, evenly: the highest of numbers that every seat draws for itself. So a seat
  /// that is drawn stays the one when others leave, and one draw serves all ties.
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
  friend class AnyTable;
  RandomStream(AnyTable& table, std::string_view name, Dice dice, std::array<std::int64_t, 2> at,
               int n)
      : table_(table), name_(name), dice_(dice), at_(at), n_(n) {}
  AnyTable& table_;
  std::string_view name_;
  Dice dice_;
  std::array<std::int64_t, 2> at_;
  int n_;
  bool fresh_ = true;  ///< nothing was drawn yet
};

/// What game code talks to: a handle, passed by value. It lists the stages, probes and events of
/// its game, and nothing else can be asked or said at it. The same game code runs live, replayed,
/// resumed and scripted, because it only ever meets a table.
///
///     using Table = agon::Table<kOffer, kReply, kOffered>;
template <const auto&... Listed>
class Table {
  template <class T>
  static constexpr bool lists = detail::Cards<Listed...>::template lists<T>;

 public:
  /// What is listed, in order.
  static constexpr std::span<const StageCard> stages = detail::Cards<Listed...>::stages;
  /// Likewise.
  static constexpr std::span<const EventCard> events = detail::Cards<Listed...>::events;

  /// The arena makes it.
  explicit Table(AnyTable& table) : table_(&table) {}
  /// The table without its list, for functions that games share.
  // NOLINTNEXTLINE(google-explicit-constructor): for functions that games share
  operator AnyTable&() const { return *table_; }

  /// How many seats play.
  [[nodiscard]] int seats() const { return table_->seats(); }
  /// The seat's name, as other seats see it.
  [[nodiscard]] std::string_view name(int seat) const { return table_->name(seat); }

  /// Asks one seat and waits: ask(seat, kOffer, view(...), limit(...), check(...), fallback(...)).
  /// Turned-down attempts are asked again with the reason, as often as the preset says; then the
  /// fallback is played.
  template <class S, class... Parts>
  Answer<typename S::Answer> ask(int seat, const S& stage, Parts... parts) const {
    Asking<typename S::Answer, Parts...> spec(std::move(parts)...);
    return ask_as(seat, stage, spec);
  }
  /// ask() with parts that were made before, for games that ask the same again and again.
  template <class S, class... Parts>
  Answer<typename S::Answer> ask_as(int seat, const S&,
                                    Asking<typename S::Answer, Parts...>& spec) const {
    return table_->ask(seat, asked<S, Asking<typename S::Answer, Parts...>>(), spec);
  }
  /// Asks several seats at once; nobody sees another's answer. `make(seat)` returns asking<T>(...).
  /// The answers stand in the order of `seats`.
  template <class S, class Make>
  InlineList<Answer<typename S::Answer>, kMaxSeats> ask_all(std::span<const int> seats, const S&,
                                                            Make make) const {
    std::uint32_t declined = 0;
    return table_->template ask_all<typename S::Answer>(seats, asked<S, decltype(make(0))>(), make,
                                                        declined);
  }

  /// Empty if the agent declines or gives nothing legal.
  template <class P, class... Parts>
  std::optional<typename P::Answer> probe(int seat, const P&, Parts... parts) const {
    using Spec = Asking<typename P::Answer, Parts...>;
    const StageCard& card = probed<P, Spec>();
    table_->need(seat, "probe");
    if (!table_->answers_probes(seat)) return table_->skip_probes(1), std::nullopt;
    Spec spec(std::move(parts)...);
    return table_->probe(seat, card, spec);
  }
  /// probe() of several seats at once, in the order of `seats`.
  template <class P, class Make>
  InlineList<std::optional<typename P::Answer>, kMaxSeats> probe_all(std::span<const int> seats,
                                                                     const P&, Make make) const {
    return table_->template probe_all<typename P::Answer>(seats, probed<P, decltype(make(0))>(),
                                                          make);
  }

  /// Says something to everybody: announce(kOffered, offer). What is said is the event's struct (or
  /// an Answer of it), or a callable that makes one and is only called if somebody listens.
  template <class E, class V>
  void announce(const E&, const V& event) const {
    say<E, Audience::everybody>(AnyTable::kEverybody, event);
  }
  /// Says something to one seat.
  template <class E, class V>
  void tell(int seat, const E&, const V& event) const {
    table_->need(seat, "tell");
    say<E, Audience::one_seat>(1U << seat, event);
  }
  /// For the record only: true values, yardsticks, reasons.
  template <class E, class V>
  void note(const E&, const V& event) const {
    say<E, Audience::record>(AnyTable::kNobody, event);
  }

  /// Chance at a place. Give each place its own name and indices: at the same place there is the
  /// same chance again, so a day's is chance("supply", day). A place that is used twice in a match
  /// is an error of the game.
  template <class... Indices>
  [[nodiscard]] RandomStream chance(std::string_view name, Indices... at) const {
    return table_->chance(name, static_cast<std::int64_t>(at)...);
  }

  /// The position, 0 to n - 1, of what is dealt among `n` things; n >= 1. By draw it is
  /// chance(name).below(n). In turn it is the match's block plus its position in a learning
  /// sequence, modulo n, the same for all who play the block: n blocks have each thing once, and in
  /// n sequences each thing is once at every position. Recorded as a draw either way.
  [[nodiscard]] std::int64_t deal(std::string_view name, std::int64_t n, Dealing how) const {
    return table_->deal(name, n, how);
  }

  /// What this seat carried over from the match before in a learning sequence, if any.
  template <class C>
  std::optional<C> carried(int seat) const {
    table_->need(seat, "carried");
    std::optional<C> value(std::in_place);
    if (!table_->bring(seat, type_of<C>(), &*value)) value.reset();
    return value;
  }
  /// Hands `value` to the same seat's agent in the next match of the sequence. Recorded.
  template <class C>
  void carry(int seat, const C& value) const {
    table_->need(seat, "carry");
    table_->take_along(seat, type_of<C>(), &value);
  }

 private:
  template <class S, class Spec>
  static constexpr const StageCard& asked() {
    static_assert(detail::is_stage<S>, "ask() is for stages, probe() for probes");
    return listed_question<S, Spec>();
  }
  template <class P, class Spec>
  static constexpr const StageCard& probed() {
    static_assert(detail::is_probe<P>, "probe() is for probes, ask() for stages");
    return listed_question<P, Spec>();
  }
  template <class S, class Spec>
  static constexpr const StageCard& listed_question() {
    static_assert(lists<S>, "the game's table does not list this stage: add it to Table<...>");
    static_assert(std::is_same_v<typename Spec::Answered, typename S::Answer>,
                  "asking<T>() is for another answer than the stage's");
    static_assert(!Spec::has_view || std::is_same_v<typename Spec::Viewed, typename S::View>,
                  "view() makes another type than the stage's view");
    return detail::Cards<Listed...>::template card<S>();
  }
  template <class E, Audience To, class V>
  void say(std::uint32_t audience, const V& event) const {
    static_assert(lists<E>, "the game's table does not list this event: add it to Table<...>");
    static_assert(E::audience == To,
                  "announce() is for an Event, tell() for a PrivateEvent, note() for a Note");
    using Said = typename E::Said;
    static_assert(std::is_base_of_v<Said, V> || std::is_invocable_r_v<Said, const V&>,
                  "what is said is not of the event's type");
    if (table_->listening_)
      table_->template say_as<Said>(audience, detail::Cards<Listed...>::template card<E>(), event);
  }

  AnyTable* table_;
};

// ---- plumbing ----------------------------------------------------------------------------------

/// @cond
namespace detail {
constexpr std::uint32_t fold_index(std::int64_t i) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) ^
                                    static_cast<std::uint64_t>(i) >> 32);
}
}  // namespace detail

inline RandomStream AnyTable::chance(std::string_view name) {
  return {*this, name, Dice(stream_of(name)), {}, 0};
}
inline RandomStream AnyTable::chance(std::string_view name, std::int64_t i) {
  return {*this, name, Dice(stream_of(name), 1, detail::fold_index(i)), {i, 0}, 1};
}
inline RandomStream AnyTable::chance(std::string_view name, std::int64_t i, std::int64_t j) {
  return {*this,
          name,
          Dice(stream_of(name), 2, detail::fold_index(i), detail::fold_index(j)),
          {i, j},
          2};
}
/// @endcond

}  // namespace agon
