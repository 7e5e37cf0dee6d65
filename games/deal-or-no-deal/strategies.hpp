#pragma once

#include <agon/agent.hpp>
#include <agon/question.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "deal-or-no-deal/messages.hpp"

namespace deal_or_no_deal {

/// What a strategy needs to know at any question of either protocol.
struct Position {
  int seat = 0;
  Amounts counts;
  Amounts values;
  /// What everything is worth to the other side: as told, or else taken to be as to this seat.
  int total_value = 0;
  /// What this seat proposed to take and the other side did not take up, oldest first.
  std::vector<Amounts> rejected;
  /// What was left to the other side and not taken, and what it proposed to take instead.
  std::vector<std::pair<Amounts, Amounts>> refusals;
  /// What the other side's latest proposal leaves to this seat.
  std::optional<Amounts> offered;
  /// What this seat's own latest proposal would take.
  std::optional<Amounts> own_latest;
  /// This seat's decision now, from 0, and how many it has at most.
  int decision = 0;
  int decisions = 1;

  [[nodiscard]] std::int64_t maximum() const { return worth(counts, values); }
  /// Is this the last chance to agree?
  [[nodiscard]] bool is_last() const { return decision + 1 >= decisions; }
};

/// The position of a question with a view of this game; nothing for other questions.
[[nodiscard]] std::optional<Position> position_of(agon::Question& question);

/// Answers a question of either protocol: `propose` is the part to propose if this seat does not
/// accept. With `accept` it takes what the other side offers, and in a negotiation says so by
/// proposing the same split and asking to stop. `last_take` is what it presents at the end of a
/// negotiation.
void play_proposal(agon::Question& question, const Position& position, bool accept,
                   const Amounts& propose, const Amounts& last_take);

/// Time-dependent concession: what it aspires to falls in equal steps from decision to decision.
class Concede : public agon::Agent {
 public:
  struct Params {
    double start = 1;
    double reserve = 0.5;
  };

  /// Throws agon::Error if the reserve is above the start.
  explicit Concede(const Params& params);
  void answer(agon::Question& question) const override;

  /// What it wants at least at this position, in points.
  [[nodiscard]] double aspiration(const Position& position) const;

 private:
  Params params_;
};
AGON_DESCRIBE(Concede::Params,
              (start, "aspiration at the first decision, as a share of what everything is worth",
               agon::range(0, 1)),
              (reserve, "aspiration at the last decision, as a share of what everything is worth",
               agon::range(0, 1)))

/// The part that is worth at least `aspiration` to somebody with these values and leaves the other
/// side as many items as possible; on a tie it gives away what it values least, then it is the
/// first in the order of all_splits(). `aspiration` is at most what everything is worth.
[[nodiscard]] Amounts most_generous(const Amounts& counts, const Amounts& values,
                                    double aspiration);

/// Which offers without envy are accepted.
enum class Accepts : std::uint8_t { best, any };
AGON_DESCRIBE_ENUM(Accepts,
                   (best,
                    "those worth no less than what it would propose next: who the likelihood "
                    "of a rejection by greed has accept"),
                   (any, "all of them: consistent with gamma 0, where only envy rejects"))

/// What a belief makes of the values that the other side states.
enum class Hears : std::uint8_t { trusts, checks };
AGON_DESCRIBE_ENUM(Hears, (trusts, "it takes them for the truth"),
                   (checks,
                    "it takes them for the truth until the other side turns down what by these "
                    "values is worth no less than what it asks for instead, or asks for a part "
                    "that leaves it envious, and then forgets them"))

/// The belief-based strategy of Hua et al. 2024, Algorithm 1, with an exact belief: it proposes
/// what is best for itself among the splits that may be envy-free, and learns from rejections.
/// Stateless: the belief is worked out again from the public history at every question.
class EnvyFreeBayes : public agon::Agent {
 public:
  struct Params {
    double lambda = 1;
    double gamma = 1;
    Accepts accept = Accepts::best;
    bool yield = true;
    bool report = true;
    std::optional<Hears> hears{};
    std::optional<bool> tells{};
  };

  explicit EnvyFreeBayes(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return params_.report; }

 private:
  Params params_;
};
AGON_DESCRIBE(
    EnvyFreeBayes::Params,
    (lambda, "how far a rejection moves the belief to what Bayes' rule says", agon::range(0, 1),
     agon::source("Hua et al. 2024, Algorithm 1, which gives no value; 1 is pure Bayes")),
    (gamma, "how likely greed is as the reason of a rejection, compared with envy",
     agon::range(0, 1), agon::source("Hua et al. 2024, Algorithm 1: 1")),
    (accept,
     "which offers without envy it accepts before the last chance: only those worth no "
     "less than what it would propose next, or any (with gamma 0: only envy rejects)",
     agon::source("Hua et al. 2024 leave it open")),
    (yield, "take any offer without envy at the last chance, instead of holding out"),
    (report, "answer when asked what the other side's values may be"),
    (hears, "what it makes of stated values; left out: it does not hear them", agon::left_out),
    (tells, "states its own values, truly, where it is asked; left out: nothing", agon::left_out))

/// What a side states of its own values.
enum class Stated : std::uint8_t { truth, lie, nothing };
AGON_DESCRIBE_ENUM(
    Stated, (truth, "its values"),
    (lie,
     "the values that would serve it best if they were believed: on average over what "
     "the other side may value, or for what that has stated; the truth where there are too many to "
     "weigh"),
    (nothing, "nothing"))

/// Divides by what was stated: the Nash bargaining split of the stated values.
class ByClaims : public agon::Agent {
 public:
  struct Params {
    Stated states = Stated::truth;
    bool believes = true;
  };

  explicit ByClaims(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  void state(agon::Question& question, Claim& claim) const;

  Params params_;
};
AGON_DESCRIBE(ByClaims::Params, (states, "what it states of its own values"),
              (believes,
               "takes the other side at its word; else it supposes that the other side values all "
               "items alike, as it does of a side that states nothing"))

/// Plays as the belief-based strategy would with other values than its own, so that its statement,
/// its refusals and its proposals agree: those that serve it best against a side that uses this
/// strategy and believes them.
class Mislead : public agon::Agent {
 public:
  struct Params {
    Stated states = Stated::lie;
    bool pretends = true;
  };

  explicit Mislead(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  /// What it pretends to value; its own values where there are too many to choose from.
  [[nodiscard]] static Amounts pretence(const Amounts& counts, const Amounts& own, int total_value,
                                        std::size_t seat,
                                        const std::optional<ItemCounts>& their_claim);
  void state(agon::Question& question, Claim& claim) const;

  Params params_;
};
AGON_DESCRIBE(Mislead::Params,
              (states,
               "what it states of its own values where it is asked; the lie is as what it "
               "pretends"),
              (pretends, "plays by the values that it pretends to have; else by its own"))

/// The valuation that serves side `side` with values `own` best if the other side believes it and
/// proposes what is best for itself among the splits without envy: on average over the valuations
/// `others` of the other side, each as likely as any; of equals the one nearest to `own`, then the
/// first. Where there are too many to weigh, of `own` and some that are spread evenly over them.
/// Throws agon::Error for more than kMaxValuations.
[[nodiscard]] Amounts best_pretence(const Amounts& counts, const Amounts& own, int total_value,
                                    std::size_t side, std::vector<Amounts> others);

/// Side 0's part of the Nash bargaining split between two valuations: the highest product of both
/// sides' points, on a tie the higher sum, then the first in the order of all_splits().
[[nodiscard]] Amounts nash_part(const Amounts& counts, const Amounts& first, const Amounts& second);

/// The valuation that serves side `side` with values `own` best if nash_part() divides by it, on
/// average over the valuations `others` of the other side, each as likely as any; of equals the one
/// nearest to `own`, then the first. Everything together is worth `total_value` by it. Where there
/// are too many to weigh, of `own` and some that are spread evenly over them. Throws agon::Error
/// for more than kMaxValuations.
[[nodiscard]] Amounts best_lie(const Amounts& counts, const Amounts& own, int total_value,
                               std::size_t side, std::vector<Amounts> others);

}  // namespace deal_or_no_deal
