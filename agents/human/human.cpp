#include "human/human.hpp"

#include "human/desk.hpp"

namespace agon::agents {

Human::Human(const Params& params) : Human(params, Desk::standard()) {}

Human::Human(const Params& params, std::shared_ptr<Desk> desk)
    : params_(params),
      person_(std::make_shared<const Person>(
          Person{params.pseudonym, params.session, params.consent, params.told})),
      desk_(std::move(desk)) {}

Human::~Human() = default;

void Human::ask(OwnedQuestion question, Completion done) const {
  desk_->put(std::move(question), person_, std::move(done));
}

void Human::match_ended(MatchEnding ending) const {
  desk_->end(std::move(ending));
}

void Human::match_over(const void* table) const noexcept {
  desk_->match_over(table);
}

}  // namespace agon::agents
