#include "run/drift_check.hpp"

#include <agon/model/model_agent.hpp>

namespace agon {

DriftCheck::DriftCheck(const std::string& file, const Suite& suite)
    : questions_(drift::Questions::read(file)), models_(drift::models_of(suite)) {}

std::optional<Reply> DriftCheck::ask(std::size_t model, drift::Phase phase, MatchLedger& calls,
                                     const std::function<bool()>& stop) const {
  int failed = 0;
  for (std::size_t q = 0; q < questions_.all.size() && !stop(); ++q) {
    const auto ledger = calls.attempt(static_cast<int>(model), static_cast<std::uint32_t>(q),
                                      static_cast<int>(phase));
    std::optional<Reply> reply =
        models_[model].agent->model_agent()->probe_model(questions_.all[q].probe, *ledger);
    if (!reply) break;  // the agent's models cannot be asked
    if (reply->halt != Halt::no) return reply;
    failed = reply->status == Fault::ok ? 0 : failed + 1;
    if (failed == 2) break;  // each has taken all its tries: the next would too
  }
  return std::nullopt;
}

}  // namespace agon
