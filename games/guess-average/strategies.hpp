#pragma once

#include "guess-average/play.hpp"
#include "shared/strategy.hpp"

namespace guess_average {

/// Parameters of `fix`.
struct FixParams {
  double mean = 40;
  double deviation = 0;
};
AGON_DESCRIBE(FixParams,
              (mean, "the number it chooses around", agon::range(0, 1e6),
               agon::source("K-Level Reasoning: 40")),
              (deviation, "standard deviation of its choices; 0: always the same",
               agon::range(0, 1e6), agon::source("K-Level Reasoning: 0 (Fix), 5 (Var)")))

/// Chooses around the same number in every round.
void choose_fix(const FixParams& params, const Turn& turn, Pick& pick, agon::Question& question);
using Fix = shared::Strategy<&choose_fix>;

/// Parameters of `last`.
struct LastParams {
  double first = 40;
  double deviation = 0;
};
AGON_DESCRIBE(LastParams,
              (first, "the number it chooses around in the first round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning: 40")),
              (deviation, "standard deviation of its choices; 0: the target itself",
               agon::range(0, 1e6), agon::source("K-Level Reasoning: 0 (Fix), 5 (Var)")))

/// Chooses around the target of the round before.
void choose_last(const LastParams& params, const Turn& turn, Pick& pick, agon::Question& question);
using Last = shared::Strategy<&choose_last>;

/// Parameters of `mono`.
struct MonoParams {
  int first = 40;
  int step = 5;
};
AGON_DESCRIBE(MonoParams,
              (first, "its number in the first round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, published code: 40")),
              (step, "how much less it chooses every round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, published code: 5")))

/// Chooses less by the same step every round.
void choose_mono(const MonoParams& params, const Turn& turn, Pick& pick);
using Mono = shared::Strategy<&choose_mono>;

/// Parameters of `monorand`.
struct MonorandParams {
  int first = 40;
  int least_step = 0;
  int most_step = 5;
};
AGON_DESCRIBE(MonorandParams,
              (first, "its number in the first round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, published code: 40")),
              (least_step, "smallest step; the text of the paper says 1", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, published code: 0")),
              (most_step, "largest step", agon::range(0, 1e6),
               agon::source("K-Level Reasoning: 5")))

/// Chooses less by the same step every round; the step is drawn before its first choice.
class Monorand final : public agon::Agent {
 public:
  using Params = MonorandParams;
  /// Throws agon::Error if the smallest step is above the largest.
  explicit Monorand(const Params& params);
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

/// Parameters of `k-level`.
struct KLevelParams {
  int k = 2;
  double start = 50;
  double deviation = 0;
};
AGON_DESCRIBE(KLevelParams,
              (k,
               "how often it asks what is best against others like that; 0 does what the others do",
               agon::range(0, 50), agon::unit("levels"), agon::source("K-Level Reasoning: k = 2")),
              (start, "average that it expects before the first round", agon::range(0, 1e6),
               agon::source("K-Level Reasoning, appendix C: 50")),
              (deviation,
               "standard deviation of its choices; without it those of its kind all say the same, "
               "and then nobody wins",
               agon::range(0, 1e6)))

/// Expects the others to choose what they chose on average in the round before, and answers to
/// others who answer to that, k times over. It counts its own part of the average in.
void choose_k_level(const KLevelParams& params, const Turn& turn, Pick& pick,
                    agon::Question& question);
using KLevel = shared::Strategy<&choose_k_level>;

}  // namespace guess_average
