#include "lock.hpp"

#include "plugin/search_path.hpp"

namespace agon::worker {
namespace {

/// What every program needs of the system: what is installed for everybody, nothing of anybody's.
const std::vector<std::string> kSystem{
    "/usr",      "/lib",      "/lib64",         "/lib32",
    "/bin",      "/sbin",     "/etc/localtime", "/etc/ld.so.cache",
    "/dev/null", "/dev/zero", "/dev/urandom",   "/dev/random"};

void see_room(const Room& room, std::vector<std::string> system) {
  system.insert(system.end(), room.readable.begin(), room.readable.end());
  see_only(system);
}

}  // namespace

void lock_for_loading(const Room& room) {
  give_up_rights(room.memory);
  const std::string own_libraries = plugin::program_folder() / "..";
  see_room(room, {"/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/local/lib", "/lib", "/lib64",
                  "/lib32", "/etc/ld.so.cache", own_libraries});
  filter_calls_of_loading();
}

void lock_for_playing() {
  filter_calls_of_playing();
}

void lock_for_program(const Room& room) {
  give_up_rights(room.memory);
  see_room(room, kSystem);
  filter_calls_of_program();
}

}  // namespace agon::worker
