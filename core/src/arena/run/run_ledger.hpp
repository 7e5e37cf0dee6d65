#pragma once

#include <agon/export.hpp>
#include <agon/model/call_ledger.hpp>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "archive/calls.hpp"
#include "run/budget.hpp"

namespace agon::archive {
class Archive;
class Writer;
}  // namespace agon::archive

namespace agon {

/// What a run met of one model: for the manifest.
struct ModelMet {
  std::int64_t calls = 0;
  std::set<std::string> parameters;    ///< JSON
  std::set<std::string> served;        ///< names that the provider gave
  std::set<std::string> fingerprints;  ///< of the systems behind it
};

/// What the calls of an archive took, for the caps of the next run on it: tokens that no provider
/// counted, and costs that `prices` can tell by now, as estimated.
[[nodiscard]] AGON_API archive::CallTotals taken_before(const archive::Archive& archive,
                                                        const Prices& prices);

/// The model calls of a run: kept in the archive, or in memory only, under the run's caps. Agents
/// may hold on to parts of it after the run; what they keep then is refused.
class AGON_API RunLedger {
 public:
  /// `writer`: null without an archive; it must outlive close(). `run`: number of the run.
  RunLedger(archive::Writer* writer, std::int64_t run, Caps caps, Prices prices,
            const archive::CallTotals& before);

  [[nodiscard]] Budget& budget() { return budget_; }
  [[nodiscard]] const Prices& prices() const { return prices_; }
  /// By provider, endpoint and model as asked for.
  [[nodiscard]] std::map<std::tuple<std::string, std::string, std::string>, ModelMet> met() const;
  /// Lets no more calls through, and waits until those in flight are over or `leave` says so.
  void drain(const std::function<bool()>& leave);
  /// No call is kept from now on. Waits for those that are being kept.
  void close();

 private:
  friend class MatchLedger;
  void store(const hash::Digest& digest, std::string_view message);
  void save(const archive::CallRow& row);

  std::shared_mutex writing_;
  archive::Writer* writer_;
  const std::int64_t run_;
  const Prices prices_;
  Budget budget_;
  bool closed_ = false;
  mutable std::mutex met_mutex_;
  std::map<std::tuple<std::string, std::string, std::string>, ModelMet> met_;
};

/// What the calls for one seat took.
struct SeatCalls {
  std::int64_t calls = 0;
  std::int64_t input = 0, output = 0, cached = 0, thought = 0;  ///< tokens, where known
  std::int64_t cost = 0;                                        ///< billionths, where known
  std::int64_t unpriced = 0;                                    ///< calls of unknown cost
};

/// The model calls of one match, those of earlier runs included.
class AGON_API MatchLedger : public std::enable_shared_from_this<MatchLedger> {
 public:
  MatchLedger(std::shared_ptr<RunLedger> run, const archive::MatchId& match, std::size_t seats);

  /// A call of this match from an earlier run.
  void add_past(const archive::CallRow& row);
  /// The ledger of one attempt.
  [[nodiscard]] std::shared_ptr<CallLedger> attempt(int seat, std::uint32_t question, int attempt);
  [[nodiscard]] std::vector<SeatCalls> taken() const;

 private:
  class Attempt;
  using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // question, attempt, place

  void record(const Place& place, int seat, const ModelCall& call, bool answered,
              const std::optional<std::int64_t>& cost);
  void count(const archive::CallRow& row);

  const std::shared_ptr<RunLedger> run_;
  const archive::MatchId match_;
  mutable std::mutex mutex_;
  std::map<Place, ModelCall> past_;
  std::vector<SeatCalls> taken_;
  // Messages come back in every call of a seat: each is hashed and stored once.
  std::unordered_map<std::string, hash::Digest> known_;
};

}  // namespace agon
