#pragma once

#include <agon/callback.hpp>
#include <agon/purpose.hpp>
#include <agon/telling.hpp>
#include <agon/type.hpp>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

/// @file
/// What a game asks and says, as objects. Each is a type of its own, so that a stage or an event
/// that the game's table does not list, or one that is given another type, does not compile.
namespace agon {

/// A text as a template argument.
template <std::size_t N>
struct Name {
  /// With its final zero.
  char text[N];  // NOLINT(modernize-avoid-c-arrays): deduced from a literal
  /// "offer", say.
  // NOLINTNEXTLINE(google-explicit-constructor): "offer" is a name
  constexpr Name(const char (&from)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  /// The text, without its final zero.
  [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }
};

namespace detail {
template <class T>
struct TellingOf {
  using type = std::string (*)(const T&, const Scene&);
};
template <>
struct TellingOf<void> {
  using type = std::nullptr_t;
};
}  // namespace detail

/// A function that puts a T into sentences and small tables (agon/telling.hpp).
template <class T>
using TellingOf = typename detail::TellingOf<T>::type;

/// A stage at which seats are asked for an answer A, and may see a V with it:
///
///     constexpr agon::Stage<"offer", Offer, OfferView> kOffer{"how many coins you hand over"};
template <Name N, class A, class V = void>
struct Stage {
  using Answer = A;                                   ///< what is asked for
  using View = V;                                     ///< what is shown with it; void: nothing
  static constexpr std::string_view name = N.view();  ///< unique within its game
  std::string_view doc;    ///< what is asked for: told to people and models
  std::string_view who{};  ///< which seats: "buyer", "every bidder still in"; empty: all
  /// Puts the view into words for people and models, without what they were told by events; null:
  /// its members are shown.
  TellingOf<V> telling = nullptr;
  /// True for an answer after which the seat has no more to decide in the match, such as
  /// accepting a deal: people are asked whether they mean it. Null: no answer is such.
  bool (*ends)(const A& answer) = nullptr;
};

/// A question with no effect on play: a plan, a belief.
template <Name N, class A, class V = void>
struct Probe {
  using Answer = A;                                   ///< what is asked for
  using View = V;                                     ///< what is shown with it; void: nothing
  static constexpr std::string_view name = N.view();  ///< unique within its game
  std::string_view doc;              ///< what is asked for: told to people and models
  std::string_view who{};            ///< which seats; empty: all
  Purpose purpose = Purpose::other;  ///< never Purpose::act
  TellingOf<V> telling = nullptr;    ///< as Stage has it
};

/// Who is told of an event.
enum class Audience : std::uint8_t {
  everybody,
  one_seat,
  record,  ///< nobody: it is kept with the match
};

/// Something that is said: E is a described struct.
///
///     constexpr agon::Event<"hammer", Sale> kHammer{"an item is sold, or is not", &tell};
template <Name N, class E, Audience A = Audience::everybody>
struct Event {
  using Said = E;                                     ///< what is said
  static constexpr std::string_view name = N.view();  ///< unique within its game
  static constexpr Audience audience = A;             ///< who is told
  std::string_view doc;                               ///< what has happened
  /// Puts it into sentences for people and models; what returns nothing tells them nothing, or
  /// nothing new. Null: its members are shown.
  TellingOf<E> telling = nullptr;
};
/// Said to one seat: Table::tell().
template <Name N, class E>
using PrivateEvent = Event<N, E, Audience::one_seat>;
/// For the record alone, as true values and yardsticks are: Table::note().
template <Name N, class E>
using Note = Event<N, E, Audience::record>;

/// A stage or probe as the arena holds it.
struct StageCard {
  std::string_view name;           ///< unique within its game
  std::string_view doc;            ///< as Stage has it
  const Type* answer = nullptr;    ///< description of the answer
  const Type* view = nullptr;      ///< null: nothing is shown
  bool probe = false;              ///< the answer has no effect on play
  std::string_view who{};          ///< as Stage has it
  Purpose purpose = Purpose::act;  ///< what it is for
  /// Null: members of the view are shown.
  Callback<std::string(const void* view, const Scene& scene)> telling{};
  /// As Stage has it.
  Callback<bool(const void* answer)> ends{};
};

/// An event as the arena holds it.
struct EventCard {
  std::string_view name;                    ///< unique with its type within its game
  std::string_view doc;                     ///< as Event has it
  const Type* type = nullptr;               ///< description of what is said
  Audience audience = Audience::everybody;  ///< who is told
  /// Null: its members are shown.
  Callback<std::string(const void* event, const Scene& scene)> telling{};
};

namespace detail {

template <class T>
inline constexpr bool is_stage = false;
template <Name N, class A, class V>
inline constexpr bool is_stage<Stage<N, A, V>> = true;
template <class T>
inline constexpr bool is_probe = false;
template <Name N, class A, class V>
inline constexpr bool is_probe<Probe<N, A, V>> = true;
template <class T>
inline constexpr bool is_event = false;
template <Name N, class E, Audience A>
inline constexpr bool is_event<Event<N, E, A>> = true;

template <const auto& Object>
using TypeOf = std::remove_cvref_t<decltype(Object)>;
template <class T>
inline constexpr bool is_question = is_stage<T> || is_probe<T>;

/// Whether there is a function, told by types: with -fsanitize=undefined g++ takes no comparison of
/// a function with nullptr for a constant (its bug 71962).
template <auto Function>
inline constexpr bool is_given =
    !std::is_same_v<std::integral_constant<decltype(Function), Function>,
                    std::integral_constant<decltype(Function), nullptr>>;

/// The telling of a stage or an event, from what it is of.
template <const auto& Told, class T>
constexpr auto telling() -> std::string (*)(const void*, const Scene&) {
  if constexpr (!std::is_void_v<T>)
    if constexpr (is_given<Told.telling>)
      return [](const void* what, const Scene& scene) {
        return Told.telling(*static_cast<const T*>(what), scene);
      };
  return nullptr;
}

/// Whether an answer ends the match for its seat, as the stage says it.
template <const auto& S>
constexpr auto ends() -> bool (*)(const void*) {
  if constexpr (requires { S.ends; })
    if constexpr (is_given<S.ends>)
      return [](const void* answer) {
        return S.ends(*static_cast<const typename TypeOf<S>::Answer*>(answer));
      };
  return nullptr;
}

template <const auto& S>
constexpr StageCard stage_card() {
  using Of = TypeOf<S>;
  StageCard card{Of::name, S.doc, &type_of<typename Of::Answer>()};
  if constexpr (!std::is_void_v<typename Of::View>) card.view = &type_of<typename Of::View>();
  card.who = S.who;
  if constexpr (is_probe<Of>) {
    static_assert(S.purpose != Purpose::act, "a probe has no effect on play: ask a Stage instead");
    card.probe = true;
    card.purpose = S.purpose;
  }
  card.telling = telling<S, typename Of::View>();
  card.ends = ends<S>();
  return card;
}

template <const auto& E>
constexpr EventCard event_card() {
  using Of = TypeOf<E>;
  EventCard card{Of::name, E.doc, &type_of<typename Of::Said>(), Of::audience};
  card.telling = telling<E, typename Of::Said>();
  return card;
}

/// What a table lists, as cards.
template <const auto&... Listed>
struct Cards {
  static_assert(((is_question<TypeOf<Listed>> || is_event<TypeOf<Listed>>)&&...),
                "a table lists stages, probes and events");

  template <class T>
  static constexpr bool lists = (std::is_same_v<T, TypeOf<Listed>> || ...);

  static constexpr auto stages = [] {
    std::array<StageCard, (std::size_t{0} + ... + is_question<TypeOf<Listed>>)> cards{};
    [[maybe_unused]] std::size_t next = 0;
    [[maybe_unused]] const auto add = [&]<const auto & L>() {
      if constexpr (is_question<TypeOf<L>>) cards[next++] = stage_card<L>();
    };
    (add.template operator()<Listed>(), ...);
    return cards;
  }();
  static constexpr auto events = [] {
    std::array<EventCard, (std::size_t{0} + ... + is_event<TypeOf<Listed>>)> cards{};
    [[maybe_unused]] std::size_t next = 0;
    [[maybe_unused]] const auto add = [&]<const auto & L>() {
      if constexpr (is_event<TypeOf<L>>) cards[next++] = event_card<L>();
    };
    (add.template operator()<Listed>(), ...);
    return cards;
  }();

  /// The card of the stage, probe or event of type T.
  template <class T>
  static constexpr const auto& card() {
    constexpr std::size_t place = [] {
      std::size_t before = 0;
      bool found = false;
      ((found = found || std::is_same_v<T, TypeOf<Listed>>,
        before += !found && is_event<TypeOf<Listed>> == is_event<T>),
       ...);
      return before;
    }();
    if constexpr (is_event<T>)
      return events[place];
    else
      return stages[place];
  }
};

}  // namespace detail

}  // namespace agon
