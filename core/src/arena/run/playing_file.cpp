#include "run/playing_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <string_view>
#include <system_error>

namespace agon {
namespace {

namespace fs = std::filesystem;

/// The file begins with this; then come the slots. A file of another build has another size of them
/// and is nobody's loss.
struct Head {
  char magic[16];
  std::uint64_t slot_bytes;
};
constexpr char kMagic[16] = "agon playing 1";

std::vector<PlayingSlot*> slots_in(std::string& bytes) {
  std::vector<PlayingSlot*> slots;
  Head head{};
  if (bytes.size() < sizeof head) return slots;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.slot_bytes != sizeof(PlayingSlot))
    return slots;
  for (std::size_t at = sizeof head; at + sizeof(PlayingSlot) <= bytes.size();
       at += sizeof(PlayingSlot))
    slots.push_back(reinterpret_cast<PlayingSlot*>(bytes.data() + at));
  return slots;
}

bool was_running(const PlayingSlot& slot) {
  if (slot.trace.doing() != MatchTrace::Doing::playing) return false;
  return slot.ended_by != 0 || (!slot.left && (!slot.waits || slot.looks >= 2));
}

/// Who is to blame, out of what was being played when a run went down.
std::vector<Suspect> suspects_among(const std::vector<PlayingSlot*>& slots) {
  std::vector<Suspect> suspects;
  const auto find = [&](const archive::MatchId& match) {
    return std::find_if(suspects.begin(), suspects.end(),
                        [&](const Suspect& s) { return s.match == match; });
  };
  for (const PlayingSlot* slot : slots)
    if (slot->times > 0)
      suspects.push_back({slot->match, slot->scenario, slot->planned, slot->times, slot->ended_by,
                          std::string(slot->trace.stage())});
  std::vector<const PlayingSlot*> here;
  for (const PlayingSlot* slot : slots)
    if (slot->times == 0 && was_running(*slot)) here.push_back(slot);
  const bool is_known = std::any_of(here.begin(), here.end(),
                                    [](const PlayingSlot* slot) { return slot->ended_by != 0; });
  if (is_known) std::erase_if(here, [](const PlayingSlot* slot) { return slot->ended_by == 0; });
  for (const PlayingSlot* slot : here) {
    auto at = find(slot->match);
    if (at == suspects.end())
      at = suspects.insert(suspects.end(), {slot->match, slot->scenario, slot->planned, 0, 0, {}});
    // One among several that may have done it is not counted twice for being there.
    at->times =
        here.size() == 1 || is_known ? at->times + 1 : std::max<std::uint64_t>(1, at->times);
    at->ended_by = slot->ended_by;
    at->stage = slot->trace.stage();
  }
  return suspects;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

PlayingFile::PlayingFile(const fs::path& archive, int threads)
    : path_(archive.string() + ".playing") {
  std::string left = read(path_);
  suspects_ = suspects_among(slots_in(left));
  map(static_cast<std::size_t>(std::max(1, threads)) + suspects_.size());
  for (std::size_t i = 0; mapped_ != nullptr && i < suspects_.size(); ++i) {
    const Suspect& suspect = suspects_[i];
    PlayingSlot* slot = take();
    slot->match = suspect.match;
    slot->scenario = suspect.scenario;
    slot->planned = suspect.planned;
    slot->times = suspect.times;
    slot->ended_by = suspect.ended_by;
    slot->trace.asks(suspect.stage);
    of_suspects_.push_back(slot);
  }
}

void PlayingFile::map(std::size_t slots) {
  // Beside it first: a process that goes down here leaves the suspects of before.
  const std::string part = path_.string() + ".new";
  const int file = open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return;
  bytes_ = sizeof(Head) + slots * sizeof(PlayingSlot);
  // A hole in a mapped file on a full disk would be a signal, and not an error.
  if (posix_fallocate(file, 0, static_cast<off_t>(bytes_)) == 0) {
    void* mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) mapped_ = mapped;
  }
  close(file);
  if (mapped_ == nullptr) {
    unlink(part.c_str());
    return;
  }
  auto* head = static_cast<Head*>(mapped_);
  std::memcpy(head->magic, kMagic, sizeof kMagic);
  head->slot_bytes = sizeof(PlayingSlot);
  for (std::size_t i = slots; i-- > 0;) free_.push_back(new (this->slots() + i) PlayingSlot());
  std::error_code none;
  fs::rename(part, path_, none);
}

PlayingSlot* PlayingFile::slots() const {
  return reinterpret_cast<PlayingSlot*>(static_cast<char*>(mapped_) + sizeof(Head));
}

PlayingFile::~PlayingFile() {
  if (mapped_ == nullptr) return;
  munmap(mapped_, bytes_);
  if (of_suspects_.empty()) unlink(path_.c_str());
}

void PlayingFile::clear(const archive::MatchId& match) {
  const std::lock_guard lock(mutex_);
  std::erase_if(of_suspects_, [&](PlayingSlot* slot) {
    if (slot->match != match) return false;
    slot->times = 0;
    return true;
  });
}

void PlayingFile::look() {
  if (mapped_ == nullptr) return;
  for (std::size_t i = 0; i < (bytes_ - sizeof(Head)) / sizeof(PlayingSlot); ++i) {
    PlayingSlot& slot = slots()[i];
    const std::uint32_t turn = slot.trace.turns();
    const bool is_same = slot.turn == turn && slot.trace.doing() == MatchTrace::Doing::playing;
    slot.looks = is_same ? slot.looks + 1 : 0;
    slot.turn = turn;
  }
}

void PlayingFile::leave() {
  if (mapped_ == nullptr) return;
  for (std::size_t i = 0; i < (bytes_ - sizeof(Head)) / sizeof(PlayingSlot); ++i)
    slots()[i].left = true;
}

PlayingSlot* PlayingFile::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return nullptr;
  PlayingSlot* slot = free_.back();
  free_.pop_back();
  return slot;
}

void PlayingFile::give_back(PlayingSlot* slot) {
  const std::lock_guard lock(mutex_);
  free_.push_back(slot);
}

std::string describe(const Suspect& suspect) {
  std::string text = suspect.ended_by == PlayingFile::kLeft ? "exit() was called"
                     : suspect.ended_by > 0 ? std::string(name_of_signal(suspect.ended_by))
                                            : "the process ended without a word, as by kill -9, "
                                              "for want of memory, or by _exit()";
  return text + (suspect.stage.empty() ? ", before its first question"
                                       : ", after a question of stage " + suspect.stage);
}

std::string_view name_of_signal(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic error (a division by zero?)";
    case SIGILL:
      return "illegal instruction";
    default:
      return "abort";
  }
}

}  // namespace agon
