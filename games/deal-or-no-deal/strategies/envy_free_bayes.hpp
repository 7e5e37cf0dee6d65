#pragma once

#include <agon/agent.hpp>

namespace deal_or_no_deal {

/// Which offers without envy are accepted.
enum class Accepts : std::uint8_t { best, any };
AGON_DESCRIBE_ENUM(Accepts,
                   (best,
                    "those worth no less than what it would propose next: who the likelihood "
                    "of a rejection by greed has accept"),
                   (any, "all of them: consistent with gamma 0, where only envy rejects"))

/// The belief-based strategy of Hua et al. 2024, Algorithm 1, with an exact belief: it proposes
/// what is best for itself among the splits that may be envy-free, and learns from rejections.
/// Stateless: the belief is worked out anew from the public history at every question.
class EnvyFreeBayes : public agon::Agent {
 public:
  struct Params {
    double lambda = 1;
    double gamma = 1;
    Accepts accept = Accepts::best;
    bool yield = true;
    bool report = true;
  };

  explicit EnvyFreeBayes(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return params_.report; }

  /// How it is registered.
  [[nodiscard]] static agon::AgentCard card();

 private:
  Params params_;
};
AGON_DESCRIBE(EnvyFreeBayes::Params,
              (lambda, "how far a rejection moves the belief to what Bayes' rule says",
               agon::range(0, 1),
               agon::source("Hua et al. 2024, Algorithm 1, which gives no value; 1 is pure Bayes")),
              (gamma, "how likely greed is as the reason of a rejection, compared with envy",
               agon::range(0, 1), agon::source("Hua et al. 2024, Algorithm 1: 1")),
              (accept,
               "which offers without envy it accepts before the last chance: only those worth no "
               "less than what it would propose next, or any (with gamma 0: only envy rejects)",
               agon::source("Hua et al. 2024 leave it open")),
              (yield, "take any offer without envy at the last chance, instead of holding out"),
              (report, "answer when asked what the other side's values may be"))

}  // namespace deal_or_no_deal
