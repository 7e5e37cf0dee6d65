// An agent whose every answer is "paid for": it keeps the rules of the ledger as an agent of models
// does, and writes a line into a file for each call that its imagined server answers.
#include <fcntl.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/model/model_agent.hpp>
#include <agon/plugin.hpp>
#include <chrono>
#include <thread>

namespace {

struct Model {
  std::string provider = "mock";
  std::string model;
  double temperature = 1;
};
AGON_DESCRIBE(Model, (provider, "whose"), (model, "which"), (temperature, "how warm"))

enum class Trouble : std::uint8_t { none, failed, money, configuration, preflight };
AGON_DESCRIBE_ENUM(Trouble, (none, "all is well"), (failed, "calls fail, match by match"),
                   (money, "no money is left"), (configuration, "the key is wrong"),
                   (preflight, "it can be told beforehand"))

struct Params {
  Model model;
  std::string memory = "whole";
  std::string log;
  int delay = 0;
  Trouble trouble = Trouble::none;
  int every = 1;
  bool counts = true;
};
AGON_DESCRIBE(Params, (model, "what answers"), (memory, "what it is reminded of"),
              (log, "file that gets a line for each answered call"),
              (delay, "milliseconds for an answer"), (trouble, "what goes wrong"),
              (every, "trouble at questions whose number is a multiple of this"),
              (counts, "the server tells how many tokens a call took"))

class Paid final : public agon::ModelAgent {
 public:
  using Params = ::Params;
  Paid(const Params& params, const agon::AgentServices& services) : params_(params) {
    if (!services.dry_run) return;
    params_.log.clear();
    params_.delay = 0;
    params_.trouble = Trouble::none;
  }

  [[nodiscard]] agon::ModelName model() const override {
    return {params_.model.provider, params_.model.model, params_.model.provider == "mock"};
  }
  [[nodiscard]] bool answers_probes() const override { return false; }

  [[nodiscard]] std::vector<agon::Finding> preflight(const agon::Game&, const agon::PromptSet*,
                                                     const agon::Expected&) const override {
    if (params_.trouble != Trouble::preflight)
      return {{agon::Finding::Level::ok, "the server is there"}};
    return {{agon::Finding::Level::error, "PAID_API_KEY is not set", "export PAID_API_KEY=..."}};
  }

  void ask(agon::OwnedQuestion q, agon::Completion done) const override {
    // As the threads of an agent of models: they outlive the question, never the process.
    std::thread([params = params_, q = std::move(q), done = std::move(done)] {
      try {
        done(answer(params, q));
      } catch (const std::exception& error) {
        done({.status = agon::Fault::crashed, .problem = error.what()});
      }
    }).detach();
  }

 private:
  static agon::Reply answer(const Params& params, const agon::OwnedQuestion& q) {
    agon::ModelCall call{.provider = params.model.provider,
                         .endpoint = "",
                         .model = params.model.model,
                         .purpose = "answer",
                         .parameters = R"({"temperature":0})",
                         .messages = {}};
    call.messages.push_back({"system", q.rules});
    for (const agon::Delivery& d : q.history)
      call.messages.push_back(
          {d.what == agon::Delivery::What::answer ? "assistant" : "user", d.name + " " + d.json});
    if (auto past = q.ledger->find(0)) return {.json = past->text};
    if (q.ledger->is_closed())
      return {.status = agon::Fault::provider_failed, .problem = "there is no such call"};
    const agon::Halt halt = q.ledger->admit(
        {params.model.provider, params.model.model, 100, 10, params.model.provider == "mock"});
    if (halt != agon::Halt::no)
      return {.status = agon::Fault::provider_failed, .problem = "no leave", .halt = halt};
    if (params.trouble != Trouble::none && params.trouble != Trouble::preflight &&
        q.number % static_cast<unsigned>(params.every) == 0) {
      call.fault = agon::Fault::provider_failed;
      call.problem = "HTTP 500";
      q.ledger->give_back(0, call);
      return {.status = agon::Fault::provider_failed,
              .problem = "the server broke",
              .halt = params.trouble == Trouble::money           ? agon::Halt::out_of_money
                      : params.trouble == Trouble::configuration ? agon::Halt::configuration
                                                                 : agon::Halt::no};
    }
    if (params.delay > 0) std::this_thread::sleep_for(std::chrono::milliseconds(params.delay));
    agon::Dice dice(q.dice_key, q.dice_place, static_cast<std::uint32_t>(q.attempt));
    call.text = R"({"bid": )" + std::to_string(dice.below(40)) + "}";
    if (params.model.provider == "mock") call.provider_cost = 0;
    if (params.counts) call.usage = {.input = 100, .output = 10};
    call.finish = "stop";
    call.served_model = params.model.model + "-2026";
    call.fingerprint = "fp";
    if (!params.log.empty()) {
      const std::string line =
          q.match + " " + std::to_string(q.number) + " " + std::to_string(q.attempt) + "\n";
      const int file = open(params.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
      const bool written =
          file >= 0 && write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
      if (file >= 0) close(file);
      if (!written) throw std::runtime_error("the log cannot be written");
    }
    q.ledger->keep(0, call);
    return {.json = call.text};
  }

  Params params_;
};

}  // namespace

AGON_PLUGIN(
    "paid", "1.0", +[](agon::Registry& registry) {
      registry.add(agon::agent<Paid>({.id = "paid", .doc = "Is paid for every answer."}));
    })
