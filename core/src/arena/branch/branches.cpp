#include "branch/branches.hpp"

#include <agon/random.hpp>

namespace agon {

ParentArchive::ParentArchive(const std::filesystem::path& path)
    : archive_(archive::Archive::open(path)) {}

std::shared_ptr<const std::string> ParentArchive::record(std::int64_t match) {
  constexpr std::size_t kKept = 16;  // the branches of a match follow one another
  const std::lock_guard lock(mutex_);
  for (const auto& [number, record] : last_)
    if (number == match) return record;
  const archive::MatchRow row = archive_.matches().at(match);
  auto record = std::make_shared<const std::string>(archive_.matches().record_of(row));
  if (last_.size() == kKept) last_.pop_front();
  return last_.emplace_back(match, std::move(record)).second;
}

void ParentArchive::each_call(const archive::MatchId& match,
                              const std::function<void(const archive::CallRow&)>& each) {
  const std::lock_guard lock(mutex_);
  archive_.calls().each(&match, each);
}

Branches::Branches(std::shared_ptr<ParentArchive> parents, std::vector<Branch> all)
    : parents_(std::move(parents)), all_(std::move(all)) {}

void Branches::set_up(std::uint64_t branch, MatchSetup& setup) const {
  const Branch& own = all_.at(branch);
  setup.own_past = parents_->record(own.row.parent);
  setup.past = *setup.own_past;
  setup.cut = own.cut;
  setup.strict_replay = !own.cut;
  setup.another_follows = own.another_follows;
  for (SeatSetup& seat : setup.seats)
    for (const std::int64_t repeat : {own.parent_repeat, own.row.repeat})
      if (repeat > 0) seat.dice_key = combine(seat.dice_key, static_cast<std::uint64_t>(repeat));
}

void Branches::each_call(std::uint64_t branch,
                         const std::function<void(const archive::CallRow&)>& each) const {
  const Branch& own = all_.at(branch);
  if (!own.cut) return;
  parents_->each_call(own.parent, [&](const archive::CallRow& call) {
    if (call.question != own.cut->question && call.question <= own.cut->last) each(call);
  });
}

}  // namespace agon
