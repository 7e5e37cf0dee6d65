#include <agon/conversion.hpp>
#include <agon/model/model_agent.hpp>
#include <stdexcept>
#include <vector>

#include "describe/value.hpp"
#include "table/mailbox.hpp"

namespace agon {

Agent::~Agent() = default;
WaitingAgent::~WaitingAgent() = default;
ModelAgent::~ModelAgent() = default;
CallLedger::~CallLedger() = default;

void Agent::ask(OwnedQuestion, Completion done) const {
  done({.status = Fault::crashed, .problem = "this agent answers at once or not at all"});
}

std::shared_ptr<const Agent> Agent::in_block(std::string_view, std::uint64_t) const {
  return nullptr;
}

std::vector<Finding> ModelAgent::preflight(const Game&, const PromptSet*, const Expected&) const {
  return {};
}

std::string ModelAgent::said(const OwnedQuestion&) const {
  return {};
}

std::optional<Reply> ModelAgent::probe_model(const ModelProbe&, CallLedger&) const {
  return std::nullopt;
}

void Agent::match_ended(MatchEnding) const {}

void Agent::match_over(const void*) const noexcept {}

void WaitingAgent::answer(Question& question) const {
  question.decline();
}

Completion::Completion(std::shared_ptr<Mailbox> box, std::uint32_t number, int attempt)
    : box_(std::move(box)), number_(number), attempt_(attempt) {}

void Completion::operator()(Reply reply) const {
  box_->deliver(number_, attempt_, std::move(reply));
}

void Completion::hold() const {
  box_->hold(number_, attempt_);
}

void Completion::begin() const {
  box_->begin(number_, attempt_);
}

bool Completion::abandoned() const {
  return !box_->wanted(number_, attempt_);
}

bool ends_match(const OwnedQuestion& question, std::string_view json) {
  if (question.ends == nullptr) return false;
  Value answer(*question.answer_type);
  if (read_json(*question.answer_type, answer.get(), json, question.limits.get())) return false;
  try {
    return question.ends(answer.get());
  } catch (...) {
    // A fault of the game, not of whoever answers: the table comes upon it when it judges.
    return false;
  }
}

struct OwnedLimits::Storage {
  std::vector<LimitData> limits;
  std::vector<std::vector<int>> each;
  std::vector<std::vector<std::string>> texts;
  std::vector<std::vector<std::string_view>> names;
};

OwnedLimits::OwnedLimits(std::span<const LimitData> limits) {
  auto storage = std::make_shared<Storage>();
  storage->limits.assign(limits.begin(), limits.end());
  // Reserved, so that what the limits point to stays where it is.
  storage->each.reserve(limits.size());
  storage->texts.reserve(limits.size());
  storage->names.reserve(limits.size());
  for (LimitData& limit : storage->limits) {
    if (limit.kind == LimitKind::each) {
      storage->each.emplace_back(limit.each, limit.each + limit.n);
      limit.each = storage->each.back().data();
    } else if (limit.kind == LimitKind::names) {
      auto& texts = storage->texts.emplace_back(limit.names, limit.names + limit.n);
      auto& names = storage->names.emplace_back(texts.begin(), texts.end());
      limit.names = names.data();
    }
  }
  storage_ = std::move(storage);
}

std::span<const LimitData> OwnedLimits::get() const {
  return storage_ == nullptr ? std::span<const LimitData>{} : storage_->limits;
}

}  // namespace agon
