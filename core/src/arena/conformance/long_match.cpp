#include "conformance/long_match.hpp"

#include <memory>
#include <vector>

namespace agon::conformance {
namespace {

/// Answers as another agent does, and counts.
class Counted final : public Agent {
 public:
  Counted(const Agent& agent, LongMatch& match) : agent_(agent), match_(match) {}
  void answer(Question& question) const override {
    match_.asks();
    agent_.answer(question);
  }
  [[nodiscard]] bool answers_probes() const override { return agent_.answers_probes(); }

 private:
  const Agent& agent_;
  LongMatch& match_;
};

}  // namespace

MatchResult play_some(MatchSetup match) {
  LongMatch length;
  std::vector<std::unique_ptr<Counted>> counted;
  for (SeatSetup& seat : match.seats) {
    counted.push_back(std::make_unique<Counted>(*seat.agent, length));
    seat.agent = counted.back().get();
  }
  match.cancel = length.token();
  return play_match(match);
}

}  // namespace agon::conformance
