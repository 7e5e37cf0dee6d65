#include "table/match_state.hpp"

#include <agon/model/prompt_set.hpp>
#include <algorithm>
#include <utility>

#include "table/contract.hpp"

namespace agon {

void MatchState::stop(End end, std::string problem) {
  closed = true;
  result.end = end;
  result.problem = std::move(problem);
  throw Stop{};
}

void MatchState::heed_cancel() {
  if (closed) throw Stop{};
  if (setup.cancel.stop_requested()) stop(End::stopped, "the match was stopped");
}

std::shared_ptr<const Skin> MatchState::skin(int seat, const Agent& agent) const {
  const auto& prompts = setup.seats[static_cast<std::size_t>(seat)].prompts;
  return prompts != nullptr && agent.is_costly() ? prompts->skin : nullptr;
}

void MatchState::check_length(std::size_t more) {
  if (recorder->entries() >= record::kMostEntries)
    throw GameFault{"the match's record has more than " + std::to_string(record::kMostEntries) +
                    " entries: does the game ever end?"};
  const std::size_t size = recorder->bytes().size();
  if (size + more <= kLargestRecord) return;
  if (2 * (recorder->waited_bytes() + more) > size + more) stop_as_too_long();
  if (size > kLargestRecord)
    throw GameFault{"the match's record has grown beyond " + std::to_string(kLargestRecord >> 20) +
                    " MiB: does the game ever end?"};
}

void MatchState::stop_as_too_long() {
  result.is_too_long = true;
  stop(End::unfinished, "the match is too long: its record would grow beyond " +
                            std::to_string(kLargestRecord >> 20) +
                            " MiB, most of it what its agents are shown and say. No more is asked "
                            "or paid for it; play fewer rounds, or agents that say less");
}

void MatchState::note_crash() {
  try {
    throw;
  } catch (const MachineFault& fault) {
    result.outage = true;
    stop(End::unfinished, fault.what());
  } catch (const std::exception& error) {
    // An agent that says so will not be replaced by a fallback: the match is left unfinished.
    if (const auto* own = dynamic_cast<const Error*>(&error);
        own != nullptr && own->kind() == ErrorKind::unfinished)
      stop(End::unfinished, own->problem());
    crash = error.what();
    if (crash.empty()) crash = "?";
  } catch (...) {
    crash = "it threw something that is no exception";
  }
}

Playback::Playback(const MatchSetup& setup) {
  if (!setup.past.empty()) history_ = record::read(setup.past);
  for (const record::Entry& e : history_.entries) {
    if (e.what != record::Entry::What::question) continue;
    if (!setup.cut || (e.number != setup.cut->question && e.number <= setup.cut->last)) {
      answers_.emplace(e.number, &e);
    } else if (e.number == setup.cut->question && !setup.cut->answer.empty()) {
      changed_.what = e.what;
      changed_.name = e.name;
      changed_.seat = e.seat;
      changed_.number = e.number;
      changed_.probe = e.probe;
      changed_.attempts = {{Fault::ok, record::Form::json, setup.cut->answer, {}}};
      answers_.emplace(e.number, &changed_);
    }
  }
  if (setup.given != nullptr) given_ = *setup.given;
  for (const record::Entry& e : history_.entries) {
    if (setup.given != nullptr || !e.given) continue;
    std::int64_t value = 0;
    record::Bytes bytes(e.payload);
    if (!record::decode(bytes, type_of<std::int64_t>(), &value))
      throw Error(ErrorKind::invalid, "a draw on record that was given is no whole number");
    given_[{std::string(e.name), e.at}].push_back(value);
  }
  for (auto& [place, values] : given_) std::reverse(values.begin(), values.end());
}

bool Playback::give(std::string_view name, std::span<const std::int64_t> at, const Type& type,
                    void* value) {
  if (given_.empty() || &type != &type_of<std::int64_t>()) return false;
  const auto given = given_.find({std::string(name), {at.begin(), at.end()}});
  if (given == given_.end() || given->second.empty()) return false;
  *static_cast<std::int64_t*>(value) = given->second.back();
  given->second.pop_back();
  return true;
}

}  // namespace agon
