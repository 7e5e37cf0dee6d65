#pragma once

#include <agon/model/call_ledger.hpp>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llm/http/transport.hpp"
#include "llm/model_spec.hpp"
#include "llm/provider/provider.hpp"
#include "llm/provider/traffic.hpp"
#include "llm/wire/batch.hpp"

namespace agon::llm {

/// While it is there, a call that is in no batch is on its way: batches wait, as its answer may
/// lead to more calls for them.
class LiveExchange {
 public:
  LiveExchange() { ++count(); }
  LiveExchange(const LiveExchange&) = delete;
  LiveExchange& operator=(const LiveExchange&) = delete;
  ~LiveExchange() { --count(); }

  static std::atomic<int>& count();
};

/// The calls of one model of one endpoint that go out in batches. Each waits for its own answer;
/// one of those who wait does what there is to do for all: it sends what has come together once
/// nothing of the run goes on without an answer, looks at batches that are worked on, and hands out
/// what was answered. Each batch is noted in the archive before it is made, and once more with the
/// id that the endpoint gives it.
class Batches {
 public:
  using Time = Clock::Time;

  /// What a caller lends to the work for all.
  struct Host {
    const ModelSpec& spec;
    const Endpoint& endpoint;
    Clock& clock;
    StopFlag stop{};
    std::function<HttpReply(HttpRequest request, std::size_t most)> send;
    std::function<void(const std::string&)> say;

    [[nodiscard]] const BatchFormat& format() const { return *batch_format_of(*endpoint.provider); }
    [[nodiscard]] double poll_s() const { return spec.batch_poll_s.value_or(10); }
  };

  explicit Batches(std::string group);
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  /// Waits for the answer to a call, as the reply that it would get by itself. NetFailure::stopped:
  /// it is left to the next run. Throws Error if a batch cannot be noted.
  HttpReply exchange(const Host& host, const BatchPlace& place, const std::string& body,
                     Time deadline);
  /// Of calls in batches: they wait for no place of their own.
  [[nodiscard]] Traffic& traffic() { return traffic_; }

  /// The one of this process for a model of an endpoint and a key; made on first use.
  static std::shared_ptr<Batches> shared(const Endpoint& endpoint, std::uint64_t key_hash);

 private:
  /// A batch that was made, or may have been.
  struct Sent {
    std::string key;    ///< ours
    std::string id;     ///< the endpoint's; empty: it is not known whether it was made
    std::string after;  ///< it was made after this; ISO 8601 in UTC
    std::vector<std::string> calls;
    bool is_past = false;    ///< an earlier run made it
    bool is_wanted = false;  ///< somebody waits for one of its calls
    Time next_look{};
    double pause_s = 0;
    int failures = 0;  ///< of looks, in a row
    int absences = 0;  ///< lists of batches that it was not in
  };
  struct Waiting {
    const std::string* body = nullptr;
    Time since{};
  };
  using Lock = std::unique_lock<std::mutex>;

  /// Reads what was noted, unless it has been read.
  void take_notes(const std::shared_ptr<BatchNotes>& notes);
  void take_note(const std::string& note);
  /// Does one thing that there is to do, or waits until there is something.
  void work(const Host& host, Lock& lock);
  [[nodiscard]] bool is_time_to_send(const Host& host, Time now);
  /// Makes a batch of calls that are in none.
  void send(const Host& host, Lock& lock);
  /// What the endpoint said to the attempt to make it.
  void made(const Host& host, Lock& lock, const std::string& key, const HttpReply& reply);
  void look(const Host& host, Lock& lock, const std::string& key);
  /// Finds out whether a batch was made whose id did not come back.
  void find(const Host& host, Lock& lock, const std::string& key);
  /// The endpoint does not give the batch, or its results: its calls are told, or go out again
  /// where it has been forgotten.
  void withhold(const Host& host, const std::string& key, const HttpReply& reply);
  /// Fetches what was answered.
  void fetch(const Host& host, Lock& lock, const std::string& key, const BatchStatus& status);
  /// The batch is over: these are the answers; calls without one go out again.
  void close(const Host& host, const std::string& key, std::vector<BatchResult> results);
  /// Whether `status` is the batch that may have been made; nothing: it is not known yet.
  [[nodiscard]] std::optional<bool> is_same(const Host& host, Lock& lock, const Sent& batch,
                                            const BatchStatus& status);
  /// All of its calls that are waited for get this reply.
  void answer_all(const std::string& key, const HttpReply& reply);
  /// A look came to nothing; the next one is later.
  void put_off(const Host& host, Sent& batch, const std::string& problem);
  void note(Lock& lock, const std::string& text);

  const std::string group_;
  Traffic traffic_;
  std::mutex mutex_;  ///< of what follows
  Condition worker_;
  Condition others_;
  bool is_worked_ = false;                    ///< somebody does the work for all
  std::weak_ptr<BatchNotes> known_notes_;     ///< that were read
  std::shared_ptr<BatchNotes> notes_;         ///< of those who wait
  std::map<std::string, Waiting> waiting_;    ///< by the call's id
  std::set<std::string> fresh_;               ///< of these: those that are in no batch
  std::map<std::string, Sent> sent_;          ///< by key
  std::map<std::string, std::string> in_;     ///< the key of the batch that a call is in
  std::set<std::string> ids_;                 ///< of batches that are known
  std::map<std::string, HttpReply> replies_;  ///< that nobody has taken
  Time quiet_since_{};
};

}  // namespace agon::llm
