#pragma once

#include <agon/callback.hpp>
#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/outcome.hpp>
#include <agon/plugin.hpp>
#include <agon/table.hpp>
#include <agon/talk.hpp>

namespace agon {

/// How many seats a game can have.
struct Seats {
  int min = 2;  ///< fewest, at least 1
  int max = 2;  ///< most, at most kMaxSeats
};

/// A seat of a match: chance and roles belong to seats, agents are moved over them.
struct SeatCard {
  std::string name;    ///< as other seats see it: "Alice"
  std::string role{};  ///< "buyer"; empty if all seats are alike
};

/// A named set of settings, and how often a turned-down attempt is asked again.
struct Preset {
  std::string_view name;             ///< "paper"
  std::string_view doc;              ///< what it is for, in a sentence
  std::string_view settings = "{}";  ///< JSON object of overrides over the defaults
  int reasks = 3;                    ///< how often, before the fallback is played
};

/// A function of a game's settings as one of untyped settings: see agon::hook.
template <auto Function>
struct Hook;
/// Of one argument, the settings.
template <class R, class S, R (*Function)(const S&)>
struct Hook<Function> {
  using Plain = R (*)(const void*);                    ///< what most hooks of cards are
  using Spoken = R (*)(const void*, const Language&);  ///< what hooks for texts are
  /// Calls the function.
  static R call(const void* settings) { return Function(*static_cast<const S*>(settings)); }
  /// The same for what is said in a language, of which the function knows nothing.
  static R call_in(const void* settings, const Language&) { return call(settings); }
  /// As one of them.
  // NOLINTNEXTLINE(google-explicit-constructor): a hook is one
  constexpr operator Plain() const { return &call; }
  /// As one of these.
  // NOLINTNEXTLINE(google-explicit-constructor): a hook is one
  constexpr operator Spoken() const { return &call_in; }
};
/// Of the settings and the language of who reads it.
template <class R, class S, R (*Function)(const S&, const Language&)>
struct Hook<Function> {
  using Spoken = R (*)(const void*, const Language&);  ///< what hooks for texts are
  /// Calls the function.
  static R call_in(const void* settings, const Language& language) {
    return Function(*static_cast<const S*>(settings), language);
  }
  /// As one of these.
  // NOLINTNEXTLINE(google-explicit-constructor): a hook is one
  constexpr operator Spoken() const { return &call_in; }
};
/// Erases the settings type of a hook: .seating = agon::hook<&seating>.
template <auto Function>
inline constexpr Hook<Function> hook{};

/// A function that makes facts of settings as one that writes them: see agon::facts.
template <auto Function>
struct FactsHook;
/// Of one argument, the settings.
template <class F, class S, F (*Function)(const S&)>
struct FactsHook<Function> {
  /// Calls the function and writes what it returns.
  static std::string call(const void* settings, const Language&) {
    return write_json(Function(*static_cast<const S*>(settings)));
  }
};
/// Of the settings and the language of who reads them.
template <class F, class S, F (*Function)(const S&, const Language&)>
struct FactsHook<Function> {
  /// Calls the function and writes what it returns.
  static std::string call(const void* settings, const Language& language) {
    return write_json(Function(*static_cast<const S*>(settings), language));
  }
};
/// Makes the hook for GameCard::facts_for of a function that returns a described struct.
template <auto Function>
inline constexpr auto facts = &FactsHook<Function>::call;

/// A function of a game's settings and a seat as one of untyped settings: see agon::seat_hook.
template <auto Function>
struct SeatHook;
/// Of the settings and the number of the seat.
template <class R, class S, R (*Function)(const S&, int)>
struct SeatHook<Function> {
  /// Calls the function.
  static R call(const void* settings, int seat, const Language&) {
    return Function(*static_cast<const S*>(settings), seat);
  }
};
/// Of these and the language of who reads it.
template <class R, class S, R (*Function)(const S&, int, const Language&)>
struct SeatHook<Function> {
  /// Calls the function.
  static R call(const void* settings, int seat, const Language& language) {
    return Function(*static_cast<const S*>(settings), seat, language);
  }
};
/// Erases the settings type of such a function: .persona_for = agon::seat_hook<&persona>.
template <auto Function>
inline constexpr auto seat_hook = &SeatHook<Function>::call;

/// A rate that `agon report` gives for each agent beside its metrics: sums over sums, as papers
/// report failed bids over all bids.
struct RateCard {
  std::string_view name;      ///< "CFR of bids"
  std::string_view above;     ///< seat metric summed above the line
  std::string_view below{};   ///< seat metric summed below it; empty: the seats that have the other
  std::string_view what{};    ///< what is counted, and what n is
  std::string_view source{};  ///< paper and section
};

/// All that a game says of itself. Members are named in this order: designated initialisers demand
/// it.
struct GameCard {
  std::string_view title{};  ///< for people: "Alternating offers"
  Seats seats{};             ///< how many can play
  /// What players are told. `{{name}}` is replaced by the setting of that name.
  std::string_view rules{};
  /// Instead of `rules`, where the text depends on settings in other ways: agon::hook<&rules>.
  Callback<std::string(const void* settings, const Language& language)> rules_for{};
  /// One entry a seat; default: seats 0, 1, ... without roles: agon::hook<&seating>.
  Callback<std::vector<SeatCard>(const void* settings)> seating{};
  /// A reason why the settings make no sense together, empty if they do: agon::hook<&check>.
  Callback<std::string(const void* settings)> check{};
  std::string_view source{};        ///< paper
  std::string_view score{};         ///< what a seat's score is, with its unit
  std::string_view disagreement{};  ///< what SeatScore::disagreement is: staying outside
  std::string_view ideal{};         ///< what SeatScore::ideal is
  /// Bounds of the normalised score, (score - disagreement) / (ideal - disagreement), for every
  /// seat of every match whatever the settings; with 0, which a forfeit counts, and 1 in them.
  /// Default: none are known.
  Range score_range = any_number;
  const Type* seat_metrics = nullptr;   ///< described struct given to Outcome::seat_metrics
  const Type* match_metrics = nullptr;  ///< described struct given to Outcome::match_metrics
  std::span<const Preset> presets{};    ///< the first is the default; none: just "agon"
  /// Match metric that names the item played for (a product, an instance): matches that share it
  /// are not independent. Empty: every block stands for itself.
  std::string_view cluster{};
  /// Match metric that says how large a match is, such as a list price, where matches differ much
  /// in size: normalised scores add up shares of it, so that one large match does not count for
  /// many small ones. Above 0 where a seat has an ideal above its disagreement point, and the same
  /// for all agents. Empty: scores are added up as they are.
  std::string_view stake{};
  int score_decimals = 0;  ///< 2: scores are cents and shown as 12.50
  int version = 1;         ///< raise it with any change that can change a record or a score
  /// Public figures and sentences for prompts, made from the settings, so that a prompt never says
  /// what the rules do not: a described struct, and agon::facts<&facts> of a function
  /// `Facts facts(const Settings&)`. Never private values. Null: none.
  const Type* facts = nullptr;
  /// Makes `facts`.
  Callback<std::string(const void* settings, const Language& language)> facts_for{};
  std::span<const RateCard> rates{};  ///< of its seat metrics
  /// The agent that did best among those that come with the game, in short form ("survivor",
  /// "last:deviation=5"): whom `agon new suite` measures the others against. Empty: not measured.
  std::string_view reference{};
  /// Who the seat is to be, told to that seat alone before anything else: a few sentences, empty
  /// for none: agon::seat_hook<&persona>.
  Callback<std::string(const void* settings, int seat, const Language& language)> persona_for{};
  /// All sentences that its rules, facts, personas and tellings say through a Language. Then it can
  /// be played in other languages, by those who have them in a file (docs/prompts.md); what its
  /// card, stages and answers say of themselves need not be listed. Empty: it is in English alone.
  std::span<const std::string_view> sentences{};
  /// Where its record has what seats say and what is true (agon/talk.hpp). Null: nobody talks, or
  /// nothing is measured of it.
  const TalkCard* talk = nullptr;
};

/// A game as the arena holds it: made by agon::game<&play>(id, card).
struct Game {
  std::string_view id;                  ///< unique among games: "ultimatum"
  GameCard card;                        ///< what it says of itself
  std::span<const StageCard> stages{};  ///< what its table lists
  std::span<const EventCard> events{};  ///< likewise
  const Type* settings = nullptr;       ///< described struct of its settings
  /// Plays a match; `prepared` is what prepare() made of the settings, or null.
  Callback<Outcome(AnyTable&, const void* settings, const void* prepared)> play{};
  /// Works out once for given settings what all their matches share; null: nothing.
  Callback<const void*(const void* settings)> prepare{};
  Callback<void(const void* prepared)> release{};  ///< of what prepare() made
};

namespace detail {

template <class F>
struct PlayTraits;
template <class T, class S>
struct PlayTraits<Outcome (*)(T, const S&)> {
  using Table = T;
  using Settings = S;
  using Prepared = void;
};
template <class T, class S, class P>
struct PlayTraits<Outcome (*)(T, const S&, const P&)> {
  using Table = T;
  using Settings = S;
  using Prepared = P;
};

}  // namespace detail

/// game<&play>("ultimatum", card) for `Outcome play(Table, const Settings&)`, or
/// game<&play, &prepare>(...) for `Outcome play(Table, const Settings&, const Prepared&)` and
/// `Prepared prepare(const Settings&)`, where Table is the game's own agon::Table<...>.
template <auto Play, auto Prepare = nullptr>
constexpr Game game(std::string_view id, const GameCard& card) {
  using Traits = detail::PlayTraits<decltype(Play)>;
  using Settings = typename Traits::Settings;
  Game g{};
  g.id = id;
  g.card = card;
  g.stages = Traits::Table::stages;
  g.events = Traits::Table::events;
  g.settings = &type_of<Settings>();
  if constexpr (std::is_void_v<typename Traits::Prepared>) {
    g.play = [](AnyTable& table, const void* s, const void*) {
      return Play(typename Traits::Table(table), *static_cast<const Settings*>(s));
    };
  } else {
    using Prepared = typename Traits::Prepared;
    g.play = [](AnyTable& table, const void* s, const void* p) {
      return Play(typename Traits::Table(table), *static_cast<const Settings*>(s),
                  *static_cast<const Prepared*>(p));
    };
    g.prepare = [](const void* s) -> const void* {
      return new Prepared(Prepare(*static_cast<const Settings*>(s)));
    };
    g.release = [](const void* prepared) { delete static_cast<const Prepared*>(prepared); };
  }
  return g;
}

}  // namespace agon

/// The whole of a one-file plugin: AGON_GAME("ultimatum", ultimatum::play, .seats = {2, 2}, ...)
#define AGON_GAME(ID, PLAY, ...)                                              \
  AGON_PLUGIN(                                                                \
      ID, "1", +[](::agon::Registry& registry) {                              \
        registry.add(::agon::game<&PLAY>(ID, ::agon::GameCard{__VA_ARGS__})); \
      })
