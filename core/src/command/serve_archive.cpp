#include <chrono>
#include <thread>

#include "command/served.hpp"
#include "viewer/viewer.hpp"

namespace agon::command {
namespace {

class ServedArchive final : public Served {
 public:
  explicit ServedArchive(Invocation& call) : viewer_(call.argument("WHAT"), call.catalogue()) {}

  void add_routes(serve::Router& router, serve::Door& door) override {
    viewer_.add_routes(router, door);
  }

  int attend(const Interrupt& interrupt, const std::string& url) override {
    (void)url;
    while (!interrupt.asked()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return 0;
  }

 private:
  serve::Viewer viewer_;
};

}  // namespace

std::unique_ptr<Served> serve_archive(Invocation& call) {
  return std::make_unique<ServedArchive>(call);
}

}  // namespace agon::command
