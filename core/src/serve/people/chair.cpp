#include "people/chair.hpp"

#include <utility>

#include "people/session.hpp"

namespace agon::serve {

Chair::Chair(Session& session, std::shared_ptr<Sitting> sitting, bool probes,
             std::shared_ptr<const Agent> substitute)
    : session_(session),
      sitting_(std::move(sitting)),
      probes_(probes),
      substitute_(std::move(substitute)) {}

void Chair::ask(OwnedQuestion question, Completion done) const {
  done.hold();  // the session minds the time: it can be paused
  session_.ask(sitting_, std::move(question), std::move(done));
}

void Chair::match_ended(MatchEnding ending) const {
  session_.match_ended(sitting_, std::move(ending));
}

void Chair::match_over(const void* /*table*/) const noexcept {
  session_.match_over(sitting_);
}

}  // namespace agon::serve
