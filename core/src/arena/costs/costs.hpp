#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/model/call_ledger.hpp>
#include <agon/model/model_agent.hpp>
#include <agon/waiting.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "archive/calls.hpp"
#include "suite/agents/models.hpp"

/// A file of prices as it is written.
namespace agon::prices_file {

inline constexpr std::string_view kFormat = "agon.prices";
inline constexpr int kVersion = 1;

struct ModelPrice {
  double input = -1;
  double output = -1;
  std::optional<double> cached;
  std::optional<double> written;
  std::optional<double> batch;
};
AGON_DESCRIBE(ModelPrice, (input, "tokens in", unit("dollars per million tokens"), range(0, 1e6)),
              (output, "tokens out", unit("dollars per million tokens"), range(0, 1e6)),
              (cached, "tokens in that came from a cache (default: as input)",
               unit("dollars per million tokens"), range(0, 1e6), left_out),
              (written, "tokens in that were put into a cache (default: as input)",
               unit("dollars per million tokens"), range(0, 1e6), left_out),
              (batch, "share of these prices that a call in a batch costs (default: 0.5)",
               range(0, 1), left_out))

enum class Currency : std::uint8_t { USD };
AGON_DESCRIBE_ENUM(Currency, (USD, "US dollars"))

struct Prices {
  std::string format;
  int version = kVersion;
  std::optional<std::string> date;
  Currency currency = Currency::USD;
  std::optional<std::string> source;
  std::map<std::string, ModelPrice> models;
};
AGON_DESCRIBE(Prices, (format, "agon.prices", length(1, 100)), (version, "of the format"),
              (date, "when they held, for people", left_out), (currency, "of all prices"),
              (source, "where they are from, for people", left_out),
              (models, "provider/model to its prices; a name may end with *", length(1, 1'000'000)))

}  // namespace agon::prices_file

namespace agon {

/// The most that one call is taken to cost: a million US dollars, in billionths of a dollar. What
/// an endpoint makes up about its tokens then cannot push the sums of a run beyond 64 bits.
inline constexpr std::int64_t kMostCost = 1'000'000'000'000'000;

/// What a model's tokens cost, in millionths of a US dollar per million tokens.
struct Price {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cached = 0;   ///< of the input, where it came from a cache
  std::int64_t written = 0;  ///< of the input, where it was put into one
  double batch = 0.5;        ///< share of all of these that a call in a batch costs

  /// The price of a call in a batch.
  [[nodiscard]] AGON_API Price in_batch() const;
};

/// Whether the call went out in a batch: its parameters say so.
[[nodiscard]] AGON_API bool is_batched(const ModelCall& call);

/// The prices that the user keeps in a file of their own:
///
///     { "format": "agon.prices", "version": 1, "date": "2026-11-01", "currency": "USD",
///       "models": { "openai/some-model": { "input": 0.4, "output": 1.6, "cached": 0.1,
///                                             "written": 0.5 } } }
///
/// in dollars per million tokens; a name may end with `*`. What the file does not name has no
/// price: its cost is unknown, never zero. Only a mock, which runs in process, is known to be free,
/// and says so itself.
class AGON_API PriceList {
 public:
  /// Empty: nothing has a price.
  static PriceList read(const std::filesystem::path& file);
  static PriceList parse(std::string_view text, const std::string& file);

  /// The price of the longest name that fits, of a call that is made by itself.
  [[nodiscard]] std::optional<Price> of(std::string_view provider, std::string_view model) const;
  /// The same, of a call in a batch where the model's go out so.
  [[nodiscard]] std::optional<Price> of(const ModelName& model) const;
  /// Billionths of a US dollar: by the provider's own account, else by price and tokens; nothing if
  /// one of them is not known.
  [[nodiscard]] std::optional<std::int64_t> cost(const ModelCall& call) const;
  /// As the file has it; empty without a file.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::map<std::string, Price, std::less<>> prices_;
  std::string text_;
};

/// The JSON Schema of files of prices.
[[nodiscard]] AGON_API std::string prices_schema();

/// Billionths of a US dollar, rounded up, so that a sum is never too low; at most kMostCost. What
/// of `usage` is not known counts as nothing.
[[nodiscard]] AGON_API std::int64_t cost_of(const Price& price, const TokenUsage& usage);

/// Caps on a part of the calls, and what earlier runs took of it.
struct CappedPart {
  PartCaps part;
  archive::CallTotals before;
};

/// Keeps the caps: each call in flight holds a reservation of the most that it may take, of all
/// caps that it counts for, and no call is let through once what was spent and reserved reaches one
/// of them. So a cap is passed by less than the worst case of one call. Used from any thread.
class CallBudget {
 public:
  AGON_API CallBudget(Caps caps, const PriceList& prices, const archive::CallTotals& before,
                      const std::vector<CappedPart>& parts = {});

  /// What a call in flight holds.
  struct Reservation {
    std::int64_t cost = 0;
    std::int64_t tokens = 0;
    std::vector<std::size_t> of{};  ///< numbers of the accounts
  };

  /// Waits while calls in flight may still leave room under a cap. Not Halt::no: no more calls.
  AGON_API Halt admit(const CallEstimate& estimate, Reservation& held);
  /// The call is over; it took this.
  AGON_API void settle(const Reservation& held, const archive::CallTotals& took);
  /// A call was answered from a cache of answers: it takes nothing, and saved this.
  AGON_API void add_cached(std::int64_t saved);
  /// No more calls: those that wait for room are refused too.
  AGON_API void stop();
  /// Calls that were let through and are not over.
  [[nodiscard]] AGON_API std::int64_t in_flight() const;

  [[nodiscard]] AGON_API archive::CallTotals spent() const;
  /// Why calls are refused, in a sentence; empty while they are not.
  [[nodiscard]] AGON_API std::string refusal() const;

 private:
  /// What calls under the same caps took, and hold.
  struct Account {
    PartCaps part;  ///< without model and purpose: all calls
    archive::CallTotals spent;
    std::int64_t reserved_cost = 0;
    std::int64_t reserved_tokens = 0;
    std::int64_t in_flight = 0;

    /// Which of its caps is reached, in a sentence; empty: none.
    [[nodiscard]] std::string reached(bool with_reserved) const;
    [[nodiscard]] bool is_of_all() const { return part.model.empty() && part.purpose.empty(); }
  };
  /// The numbers of the accounts that a call counts for.
  [[nodiscard]] std::vector<std::size_t> accounts_of(const CallEstimate& estimate) const;
  /// Why a call must have a price, in a sentence; empty: it need not.
  [[nodiscard]] std::string why_priced(const std::vector<std::size_t>& accounts) const;

  const PriceList& prices_;
  mutable std::mutex mutex_;
  Condition settled_;
  std::vector<Account> accounts_;  ///< the first is of all calls
  std::int64_t longest_ = 4096;    ///< tokens of a call so far: for calls without a limit
  bool stopped_ = false;
  std::string refusal_;
};

}  // namespace agon

namespace agon::archive {
class Archive;
struct MessageBase;
class Writer;
}  // namespace agon::archive

namespace agon {

class AnswerCache;

/// What a run met of one model: for the manifest.
struct ModelMet {
  std::int64_t calls = 0;
  std::int64_t from_cache = 0;         ///< beside `calls`: answered from a cache of answers
  std::set<std::string> parameters;    ///< JSON
  std::set<std::string> served;        ///< names that the provider gave
  std::set<std::string> fingerprints;  ///< of the systems behind it
};

/// What the calls of an archive took, for the caps of the next run on it: tokens that no provider
/// counted, and costs that `prices` can tell by now, as estimated.
[[nodiscard]] AGON_API archive::CallTotals taken_before(const archive::Archive& archive,
                                                        const PriceList& prices);

/// The same of the calls that each of these caps is on; `archive` may be null.
[[nodiscard]] AGON_API std::vector<CappedPart> taken_before(const archive::Archive* archive,
                                                            const PriceList& prices,
                                                            const std::vector<PartCaps>& parts);

/// The model calls of a run: kept in the archive, or in memory only, under the run's caps. Agents
/// may hold on to parts of it after the run; what they keep then is refused.
class RunLedger : public std::enable_shared_from_this<RunLedger> {
 public:
  /// `writer`: null without an archive; it must outlive close(). `run`: number of the run.
  /// `cache`: answers of other archives; null: none. `parts`: with caps of their own.
  AGON_API RunLedger(archive::Writer* writer, std::int64_t run, Caps caps, PriceList prices,
                     const archive::CallTotals& before,
                     std::shared_ptr<AnswerCache> cache = nullptr,
                     const std::vector<CappedPart>& parts = {});

  [[nodiscard]] CallBudget& budget() { return budget_; }
  [[nodiscard]] const PriceList& prices() const { return prices_; }
  /// Null: none.
  [[nodiscard]] AnswerCache* cache() const { return cache_.get(); }
  /// By provider, endpoint and model as asked for.
  [[nodiscard]] AGON_API std::map<std::tuple<std::string, std::string, std::string>, ModelMet> met()
      const;
  /// Lets no more calls through, and waits until those in flight are over or `leave` says so.
  AGON_API void drain(const std::function<bool()>& leave);
  /// Calls that wait for a batch are left to the next run.
  void leave_batches() { leaving_batches_ = true; }
  /// What an earlier run wrote down of its batches, in order.
  AGON_API void add_past_batch(std::string note);
  /// Null without an archive.
  [[nodiscard]] AGON_API std::shared_ptr<BatchNotes> batches();
  /// No call is kept from now on. Waits for those that are being kept.
  AGON_API void close();

 private:
  friend class MatchLedger;
  void store(const hash::Digest& digest, std::string_view message,
             const archive::MessageBase* base);
  void save(archive::CallRow row);

  /// Keeps the writer for as long as something is handed to it, which may wait.
  class Keeping;
  class Notes;

  std::mutex writer_mutex_;  ///< of the next three
  Condition kept_;
  int keeping_ = 0;
  archive::Writer* writer_;
  const std::int64_t run_;
  const PriceList prices_;
  CallBudget budget_;
  const std::shared_ptr<AnswerCache> cache_;
  std::atomic<bool> leaving_batches_{false};
  std::atomic<bool> closed_{false};
  mutable std::mutex met_mutex_;
  std::map<std::tuple<std::string, std::string, std::string>, ModelMet> met_;
  std::mutex notes_mutex_;               ///< of the next two
  std::vector<std::string> notes_;       ///< of batches
  std::shared_ptr<BatchNotes> batches_;  ///< made on first use
};

/// What the calls for one seat took.
struct SeatCalls {
  std::int64_t calls = 0;
  std::int64_t input = 0, output = 0, cached = 0, thought = 0;  ///< tokens, where known
  std::int64_t cost = 0;                                        ///< billionths, where known
  std::int64_t unpriced = 0;                                    ///< calls of unknown cost
};

/// The model calls of one match, those of earlier runs included.
class MatchLedger : public std::enable_shared_from_this<MatchLedger> {
 public:
  AGON_API MatchLedger(std::shared_ptr<RunLedger> run, const archive::MatchId& match,
                       std::size_t seats);

  /// What a call took counts for this match, or for another one from which this one goes on.
  enum class Paid : std::uint8_t { here, elsewhere };
  /// A call of this match from an earlier run, or of the match from which it goes on.
  AGON_API void add_past(const archive::CallRow& row, Paid paid = Paid::here);
  /// The ledger of one attempt.
  [[nodiscard]] AGON_API std::shared_ptr<CallLedger> attempt(int seat, std::uint32_t question,
                                                             int attempt);
  [[nodiscard]] AGON_API std::vector<SeatCalls> taken() const;

 private:
  class AttemptLedger;
  using CallPosition =
      std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // question, attempt, place

  /// Messages that are alike: of a seat, for a purpose, so far from the end of a call.
  using MessagePlace = std::tuple<int, std::string, std::size_t>;
  /// The last one that was stored of those that are alike.
  struct LastMessage {
    hash::Digest digest{};
    const std::string* bytes = nullptr;  ///< in known_
    int chain = 0;                       ///< how many may be read for it
    std::size_t chain_bytes = 0;         ///< of these
  };

  void record(const CallPosition& place, int seat, const ModelCall& call, bool answered,
              const std::optional<std::int64_t>& cost);
  /// Stores a message that is not known yet, as what differs from the last one that is alike.
  hash::Digest store(const MessagePlace& place, std::string bytes);
  void count(int seat, const ModelCall& call, const std::optional<std::int64_t>& cost,
             bool answered);

  const std::shared_ptr<RunLedger> run_;
  const archive::MatchId match_;
  mutable std::mutex mutex_;
  std::map<CallPosition, ModelCall> past_;
  std::vector<SeatCalls> taken_;
  // Messages come back in every call of a seat: each is hashed and stored once, or twice where two
  // seats do so at the same time.
  std::unordered_map<std::string, hash::Digest> known_;
  std::map<MessagePlace, LastMessage> last_;
};

}  // namespace agon
