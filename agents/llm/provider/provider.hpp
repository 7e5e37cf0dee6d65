#pragma once

#include <agon/model/call_ledger.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/preflight.hpp>
#include <agon/model/provider.hpp>
#include <agon/plugin.hpp>
#include <agon/random.hpp>
#include <agon/secrets.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm/model_spec.hpp"

namespace agon::llm {

/// What became of a call. `call.fault` is ok, empty, truncated or refused if the model answered;
/// provider_failed if nothing came of it, and then `halt` says whether the run must stop.
struct ModelResult {
  ModelCall call;
  Halt halt = Halt::no;
  bool is_rejected = false;  ///< the endpoint is there, and turned just this request down
  bool is_setting = false;   ///< a setting of the model is not taken
  bool is_slow = false;      ///< the endpoint is there, and gave no answer in time
  bool is_limited = false;   ///< the endpoint is there, and wants to be asked less
  int status = 0;            ///< of HTTP, of the last reply; 0: none
};

/// The words for the form of an answer as they stand after the last message.
[[nodiscard]] inline std::string form_after(const ModelRequest& request) {
  return request.form.empty() ? std::string() : "\n\n" + request.form;
}

/// Which call of a run's archive a request is.
struct BatchPlace {
  std::string name{};                   ///< CallLedger::name_of()
  std::shared_ptr<BatchNotes> notes{};  ///< CallLedger::batches()

  [[nodiscard]] bool is_known() const { return notes != nullptr && !name.empty(); }
};

/// A request as it would be sent by what is known of the endpoint.
struct PlannedCall {
  ModelCall call{};        ///< up to its messages
  bool is_sampled = true;  ///< two calls with it may be answered in two ways
};

/// A model that can be called, by any number of threads at once. Retries, waiting, limits and what
/// an endpoint does not understand are dealt with inside.
class Provider {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Provider() = default;
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;
  virtual ~Provider() = default;

  /// Calls the model and waits, until `deadline` at the latest. The dice are for the mock's answers
  /// and for jitter between tries; give each call its own. Never throws for what an endpoint does.
  virtual ModelResult call(const ModelRequest& request, Time deadline, Dice dice) = 0;

  /// Whether such calls go out in batches, where their place is known.
  [[nodiscard]] virtual bool takes_batches(const ModelRequest& /*request*/) const { return false; }
  /// The same as call() in a batch, for which it waits up to a day or longer.
  virtual ModelResult call_in_batch(const ModelRequest& request, const BatchPlace& /*place*/,
                                    Time deadline, Dice dice) {
    return call(request, deadline, dice);
  }

  /// What a call may take, for the ledger. The texts in it live as long as this object.
  [[nodiscard]] virtual CallEstimate estimate(const ModelRequest& request) const = 0;

  /// What call() would send, for a cache of answers; nothing if answers are made up.
  [[nodiscard]] virtual std::optional<PlannedCall> planned(const ModelRequest& /*request*/) const {
    return std::nullopt;
  }

  /// Looks at key, endpoint, model, structured output and context length. Spends a few tokens.
  [[nodiscard]] virtual std::vector<Finding> preflight(const Expected& expected) = 0;
};

/// The models that one agent calls.
struct AgentModels {
  std::shared_ptr<Provider> own;
  /// Those that calls of a purpose go to in the place of its own.
  std::map<std::string, std::shared_ptr<Provider>, std::less<>> by_purpose{};

  [[nodiscard]] bool is_own(std::string_view purpose) const {
    return by_purpose.find(purpose) == by_purpose.end();
  }
  [[nodiscard]] Provider& of(std::string_view purpose) const {
    const auto other = by_purpose.find(purpose);
    return other == by_purpose.end() ? *own : *other->second;
  }
};

/// The card of a model's provider. Throws Error, at `$.model.provider`, for one that is not there.
[[nodiscard]] const ProviderCard& card_of(const ModelSpec& spec, const AgentServices& services);

/// The provider of a model. With services.dry_run it is the mock whatever the spec says, without
/// its faults. Throws Error for settings that make no sense together; a missing key is not an error
/// here, but a call then fails with Halt::configuration.
[[nodiscard]] std::shared_ptr<Provider> make_provider(const ModelSpec& spec,
                                                      const AgentServices& services);

/// The mock in process: no network, and no time spent waiting unless the spec says so. What it does
/// is a pure function of the spec, the request and the dice; a script goes by the order of calls.
[[nodiscard]] std::shared_ptr<Provider> make_mock_provider(const ModelSpec& spec,
                                                           const std::atomic<bool>* stop = nullptr);

/// The key of an endpoint. It is read from its variable here and nowhere else, is known to
/// agon::secrets from then on, and is handed out as a header only.
class Key {
 public:
  /// Throws Error for a key that cannot be kept out of what is written.
  explicit Key(const Endpoint& endpoint);

  [[nodiscard]] bool is_set() const { return !text_.empty(); }
  /// "Authorization: Bearer ...", or what the provider takes instead; empty without a key.
  [[nodiscard]] std::string header() const;
  /// Tells keys apart, and nothing else.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  std::string text_;
  std::string before_;  ///< all that stands before it in its header
};

/// Writes to standard error or a log, without keys. What cannot be written is lost: a full disk or
/// a reader that is gone is no reason to end a run with paid calls. (fmt::print would throw.)
inline void tell(std::FILE* file, std::string_view text) {
  const std::string words = secrets::cut(std::string(text));
  (void)std::fwrite(words.data(), 1, words.size(), file);
}

/// The mock, which needs no endpoint.
[[nodiscard]] const ProviderCard& mock_card();

/// Adds all providers of this library.
void add_providers(Registry& registry);

}  // namespace agon::llm
