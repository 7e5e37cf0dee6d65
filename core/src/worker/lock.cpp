#include "lock.hpp"

namespace agon::worker {

void lock_for_loading(const Room&) {}
void lock_for_playing() {}
void lock_for_program(const Room&) {}

}  // namespace agon::worker
