#include "costs/costs.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

#include "archive/archive.hpp"
#include "archive/compression.hpp"
#include "archive/writer.hpp"
#include "costs/answer_cache.hpp"
#include "describe/file_text.hpp"
#include "describe/schema.hpp"
#include "json/parse.hpp"
#include "task/coroutine_pool.hpp"

namespace agon {
namespace {

__extension__ using Wide = __int128;

std::int64_t millionths(double dollars) {
  return std::llround(dollars * 1e6);
}

}  // namespace

std::int64_t cost_of(const Price& price, const TokenUsage& usage) {
  const std::int64_t input = std::max<std::int64_t>(0, usage.input);
  const std::int64_t cached = std::clamp<std::int64_t>(usage.cached, 0, input);
  const std::int64_t written = std::clamp<std::int64_t>(usage.written, 0, input - cached);
  // Millionths of a dollar per million tokens are billionths of a dollar per thousand tokens.
  const Wide sum = static_cast<Wide>(input - cached - written) * price.input +
                   static_cast<Wide>(cached) * price.cached +
                   static_cast<Wide>(written) * price.written +
                   static_cast<Wide>(std::max<std::int64_t>(0, usage.output)) * price.output;
  return static_cast<std::int64_t>(std::min<Wide>((sum + 999) / 1000, kMostCost));
}

Price Price::in_batch() const {
  const auto share = [this](std::int64_t price) {
    return std::llround(batch * static_cast<double>(price));
  };
  return {share(input), share(output), share(cached), share(written), 1};
}

bool is_batched(const ModelCall& call) {
  return call.parameters.find(archive::kBatched) != std::string::npos;
}

PriceList PriceList::parse(std::string_view text, const std::string& file) {
  PriceList prices;
  prices.text_ = text;
  const FileText source(prices.text_, file, "see 'agon describe prices'");
  source.require_format(prices_file::kFormat, prices_file::kVersion, "a file of prices");
  const auto said = source.read<prices_file::Prices>();
  source.check(said);
  for (const auto& [name, price] : said.models)
    prices.prices_.emplace(
        name, Price{millionths(price.input), millionths(price.output),
                    millionths(price.cached.value_or(price.input)),
                    millionths(price.written.value_or(price.input)), price.batch.value_or(0.5)});
  return prices;
}

std::string prices_schema() {
  boost::json::object schema = file_schema(type_of<prices_file::Prices>());
  require_format(schema, prices_file::kFormat, prices_file::kVersion);
  return schema_document("prices", "Prices of models", std::move(schema));
}

PriceList PriceList::read(const std::filesystem::path& file) {
  return file.empty() ? PriceList() : parse(json::read_file(file), file.string());
}

std::optional<Price> PriceList::of(std::string_view provider, std::string_view model) const {
  const std::string name = std::string(provider) + "/" + std::string(model);
  std::optional<Price> best;
  std::size_t length = 0;
  for (const auto& [pattern, price] : prices_) {
    const bool open = !pattern.empty() && pattern.back() == '*';
    const std::string_view fixed(pattern.data(), pattern.size() - (open ? 1 : 0));
    if (open ? !name.starts_with(fixed) : name != fixed) continue;
    if (!open) return price;
    if (!best || fixed.size() > length) {
      best = price;
      length = fixed.size();
    }
  }
  return best;
}

std::optional<Price> PriceList::of(const ModelName& model) const {
  std::optional<Price> price = of(model.provider, model.model);
  if (price && model.is_batched) price = price->in_batch();
  return !price && model.is_mock ? Price{} : price;
}

std::optional<std::int64_t> PriceList::cost(const ModelCall& call) const {
  if (call.provider_cost >= 0) return std::min(call.provider_cost, kMostCost);
  std::optional<Price> price = of(call.provider, call.model);
  if (!price) return std::nullopt;
  if (is_batched(call)) price = price->in_batch();
  if (price->input == 0 && price->output == 0 && price->cached == 0 && price->written == 0)
    return 0;
  if (call.usage.input < 0 || call.usage.output < 0) return std::nullopt;
  return cost_of(*price, call.usage);
}

CallBudget::CallBudget(Caps caps, const PriceList& prices, const archive::CallTotals& before,
                       const std::vector<CappedPart>& parts)
    : prices_(prices) {
  accounts_.push_back({.part = {.name = {}, .caps = caps}, .spent = before});
  for (const CappedPart& capped : parts)
    accounts_.push_back({.part = capped.part, .spent = capped.before});
}

std::string CallBudget::Account::reached(bool with_reserved) const {
  const auto past = [&](const std::optional<std::int64_t>& cap, std::int64_t taken,
                        std::int64_t reserved) {
    return cap && taken + (with_reserved ? reserved : 0) >= *cap;
  };
  const Caps& caps = part.caps;
  std::string cap, taken;
  const char* member = "";
  if (past(caps.cost, spent.cost, reserved_cost)) {
    cap = fmt::format("{:.2f} USD", static_cast<double>(*caps.cost) / 1e9);
    taken = fmt::format("{:.4f} USD are spent", static_cast<double>(spent.cost) / 1e9);
    member = "cost";
  } else if (past(caps.tokens, spent.tokens, reserved_tokens)) {
    cap = fmt::format("{} tokens", *caps.tokens);
    taken = fmt::format("{} are used", spent.tokens);
    member = "tokens";
  } else if (past(caps.calls, spent.calls, in_flight)) {
    cap = fmt::format("{} model calls", *caps.calls);
    taken = fmt::format("{} are made", spent.calls);
    member = "calls";
  } else {
    return {};
  }
  if (is_of_all()) return fmt::format("the cap of {} is reached: {}", cap, taken);
  return fmt::format("the cap of {} on {} is reached: {}; {}.{} of the suite raises it", cap,
                     part.words(), taken, part.place(), member);
}

std::vector<std::size_t> CallBudget::accounts_of(const CallEstimate& estimate) const {
  std::vector<std::size_t> numbers{0};
  if (accounts_.size() == 1) return numbers;
  const std::string model =
      ModelName{std::string(estimate.provider), std::string(estimate.model)}.text();
  for (std::size_t a = 1; a < accounts_.size(); ++a)
    if (accounts_[a].part.are_on(model, estimate.purpose)) numbers.push_back(a);
  return numbers;
}

std::string CallBudget::why_priced(const std::vector<std::size_t>& accounts) const {
  for (const std::size_t a : accounts)
    if (accounts_[a].part.caps.cost)
      return accounts_[a].is_of_all() ? "the cost of the run has a cap"
                                      : "the cost of " + accounts_[a].part.words() + " has a cap";
  return {};
}

Halt CallBudget::admit(const CallEstimate& estimate, Reservation& held) {
  std::unique_lock lock(mutex_);
  std::optional<Price> price = prices_.of(estimate.provider, estimate.model);
  if (!price && estimate.is_free) price = Price{};
  if (price && estimate.is_batched) price = price->in_batch();
  std::vector<std::size_t> counts_for = accounts_of(estimate);
  if (const std::string why = why_priced(counts_for); !price && !why.empty()) {
    refusal_ = fmt::format("{}, and {}/{} has no price: add it to the file of prices", why,
                           estimate.provider, estimate.model);
    return Halt::configuration;
  }
  const auto reached = [&](bool with_reserved) {
    std::string why;
    for (std::size_t i = 0; i < counts_for.size() && why.empty(); ++i)
      why = accounts_[counts_for[i]].reached(with_reserved);
    return why;
  };
  // Who waits for room waits for calls in flight: where the reservations of one account stand in
  // the way, it has calls in flight.
  settled_.wait(lock, [&] { return stopped_ || reached(true).empty() || !reached(false).empty(); });
  if (stopped_) return Halt::budget;
  if (std::string why = reached(false); !why.empty()) {
    refusal_ = std::move(why);
    return Halt::budget;
  }
  const std::int64_t output = estimate.output > 0 ? estimate.output : longest_;
  held.tokens = estimate.input + output;
  // At worst all of it is put into a cache.
  if (price) price->input = std::max(price->input, price->written);
  held.cost = price ? cost_of(*price, {.input = estimate.input, .output = output}) : 0;
  held.of = std::move(counts_for);
  for (const std::size_t a : held.of) {
    accounts_[a].reserved_tokens += held.tokens;
    accounts_[a].reserved_cost += held.cost;
    ++accounts_[a].in_flight;
  }
  return Halt::no;
}

void CallBudget::settle(const Reservation& held, const archive::CallTotals& took) {
  {
    const std::lock_guard lock(mutex_);
    for (const std::size_t a : held.of) {
      Account& account = accounts_[a];
      account.reserved_tokens -= held.tokens;
      account.reserved_cost -= held.cost;
      --account.in_flight;
      account.spent.calls += took.calls;
      account.spent.tokens += took.tokens;
      account.spent.cost += took.cost;
      account.spent.unpriced += took.unpriced;
    }
    longest_ = std::max(longest_, took.tokens);
  }
  settled_.notify_all();
}

void CallBudget::add_cached(std::int64_t saved) {
  const std::lock_guard lock(mutex_);
  archive::CallTotals& all = accounts_.front().spent;
  ++all.from_cache;
  all.saved = archive::add_capped(all.saved, saved);
}

void CallBudget::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  settled_.notify_all();
}

archive::CallTotals CallBudget::spent() const {
  const std::lock_guard lock(mutex_);
  return accounts_.front().spent;
}

std::int64_t CallBudget::in_flight() const {
  const std::lock_guard lock(mutex_);
  return accounts_.front().in_flight;
}

std::string CallBudget::refusal() const {
  const std::lock_guard lock(mutex_);
  return refusal_;
}

namespace {

/// What a call took, for the caps: what the provider did not count is taken as estimated.
archive::CallTotals taken_by(const ModelCall& call, std::int64_t estimated_input,
                             const std::optional<std::int64_t>& cost, const PriceList& prices) {
  const std::int64_t input = call.usage.input >= 0 ? call.usage.input : estimated_input;
  const std::int64_t output = call.usage.output >= 0
                                  ? call.usage.output
                                  : archive::tokens_in(call.text.size() + call.reasoning.size());
  archive::CallTotals took{.calls = 1, .tokens = input + output};
  took.unpriced = cost ? 0 : 1;
  if (cost)
    took.cost = *cost;
  else if (const auto price = prices.of(call.provider, call.model))
    took.cost =
        cost_of(is_batched(call) ? price->in_batch() : *price, {.input = input, .output = output});
  return took;
}

}  // namespace

RunLedger::RunLedger(archive::Writer* writer, std::int64_t run, Caps caps, PriceList prices,
                     const archive::CallTotals& before, std::shared_ptr<AnswerCache> cache,
                     const std::vector<CappedPart>& parts)
    : writer_(writer),
      run_(run),
      prices_(std::move(prices)),
      budget_(caps, prices_, before, parts),
      cache_(std::move(cache)) {}

namespace {

/// Adds what is not known of an answered call, as estimated.
void add_estimate(archive::CallTotals& to, const archive::UncountedCall& call,
                  const PriceList& prices) {
  if (!call.has_input) to.tokens += call.input;
  if (!call.has_output) to.tokens += call.output;
  if (call.has_cost) return;
  if (const auto price = prices.of(call.provider, call.model))
    to.cost += cost_of(call.is_batched ? price->in_batch() : *price,
                       {.input = call.input, .output = call.output});
}

}  // namespace

archive::CallTotals taken_before(const archive::Archive& archive, const PriceList& prices) {
  archive::CallTotals before = archive.calls().totals();
  archive.calls().uncounted(
      [&](const archive::UncountedCall& call) { add_estimate(before, call, prices); });
  return before;
}

std::vector<CappedPart> taken_before(const archive::Archive* archive, const PriceList& prices,
                                     const std::vector<PartCaps>& parts) {
  std::vector<CappedPart> taken;
  for (const PartCaps& part : parts) taken.push_back({part, {}});
  if (taken.empty() || archive == nullptr) return taken;
  archive->calls().by_purpose([&](const archive::Calls::PurposeCalls& calls) {
    const std::string model = ModelName{calls.provider, calls.model}.text();
    for (CappedPart& one : taken) {
      if (!one.part.are_on(model, calls.purpose)) continue;
      one.before.calls += calls.took.calls;
      one.before.tokens += calls.took.tokens;
      one.before.cost += calls.took.cost;
      one.before.unpriced += calls.took.unpriced;
    }
  });
  archive->calls().uncounted([&](const archive::UncountedCall& call) {
    const std::string model = ModelName{call.provider, call.model}.text();
    for (CappedPart& one : taken)
      if (one.part.are_on(model, call.purpose)) add_estimate(one.before, call, prices);
  });
  return taken;
}

std::map<std::tuple<std::string, std::string, std::string>, ModelMet> RunLedger::met() const {
  const std::lock_guard lock(met_mutex_);
  return met_;
}

void RunLedger::drain(const std::function<bool()>& leave) {
  leave_batches();
  budget_.stop();
  while (budget_.in_flight() > 0 && !leave())
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void RunLedger::close() {
  leave_batches();
  budget_.stop();
  closed_ = true;
  std::unique_lock lock(writer_mutex_);
  writer_ = nullptr;
  kept_.wait(lock, [this] { return keeping_ == 0; });
}

class RunLedger::Keeping {
 public:
  explicit Keeping(RunLedger& ledger) : ledger_(ledger) {
    const std::lock_guard lock(ledger_.writer_mutex_);
    writer_ = ledger_.writer_;
    ++ledger_.keeping_;
  }
  ~Keeping() {
    const std::lock_guard lock(ledger_.writer_mutex_);
    if (--ledger_.keeping_ == 0) ledger_.kept_.notify_all();
  }
  Keeping(const Keeping&) = delete;
  Keeping& operator=(const Keeping&) = delete;

  /// Null: nothing is kept, or not any more.
  [[nodiscard]] archive::Writer* writer() const { return writer_; }

 private:
  RunLedger& ledger_;
  archive::Writer* writer_;
};

void RunLedger::store(const hash::Digest& digest, std::string_view message,
                      const archive::MessageBase* base) {
  const Keeping keeping(*this);
  if (keeping.writer() != nullptr) keeping.writer()->store_as(digest, "message", message, base);
}

void RunLedger::save(archive::CallRow row) {
  {
    const std::lock_guard lock(met_mutex_);
    ModelMet& m = met_[{row.call.provider, row.call.endpoint, row.call.model}];
    ++(row.is_from_cache() ? m.from_cache : m.calls);
    constexpr std::size_t kMost = 32;  // variants are few; a provider that makes each new is not
    if (m.parameters.size() < kMost) m.parameters.insert(row.call.parameters);
    if (!row.call.served_model.empty() && m.served.size() < kMost)
      m.served.insert(row.call.served_model);
    if (!row.call.fingerprint.empty() && m.fingerprints.size() < kMost)
      m.fingerprints.insert(row.call.fingerprint);
  }
  const Keeping keeping(*this);
  if (closed_)
    throw Error(ErrorKind::failure, "the run is over: an answer that came now is not kept");
  archive::Writer* const writer = keeping.writer();
  if (writer == nullptr) return;
  row.run = run_;
  row.parameters = writer->store("parameters", row.call.parameters);
  row.call.messages.clear();
  row.call.parameters.clear();
  writer->save_call(std::move(row));
}

/// The notes are kept among the archive's contents, each under its digest. Who asks for them holds
/// the ledger.
class RunLedger::Notes final : public BatchNotes {
 public:
  explicit Notes(RunLedger& ledger) : ledger_(ledger) {}

  [[nodiscard]] std::vector<std::string> all() const override {
    const std::lock_guard lock(ledger_.notes_mutex_);
    return ledger_.notes_;
  }
  void add(const std::string& note) override {
    const Keeping keeping(ledger_);
    if (keeping.writer() == nullptr)
      throw Error(ErrorKind::failure, "the run is over: a batch that comes now is not kept");
    keeping.writer()->store(archive::kBatchNote, note);
    keeping.writer()->flush();
    const std::lock_guard lock(ledger_.notes_mutex_);
    ledger_.notes_.push_back(note);
  }
  [[nodiscard]] bool is_idle() const override {
    {
      const std::lock_guard lock(ledger_.writer_mutex_);
      if (ledger_.keeping_ > 0) return false;
    }
    return CoroutinePool::shared()->busy() <= 1;
  }
  [[nodiscard]] bool is_over() const override { return ledger_.leaving_batches_; }

 private:
  RunLedger& ledger_;
};

void RunLedger::add_past_batch(std::string note) {
  const std::lock_guard lock(notes_mutex_);
  notes_.push_back(std::move(note));
}

std::shared_ptr<BatchNotes> RunLedger::batches() {
  {
    const std::lock_guard lock(writer_mutex_);
    if (writer_ == nullptr) return nullptr;
  }
  const std::lock_guard lock(notes_mutex_);
  if (batches_ == nullptr) batches_ = std::make_shared<Notes>(*this);
  // The ledger goes when nobody holds it or its notes.
  return {shared_from_this(), batches_.get()};
}

/// Where the calls of one attempt are kept.
class MatchLedger::AttemptLedger final : public CallLedger {
 public:
  AttemptLedger(std::shared_ptr<MatchLedger> match, int seat, std::uint32_t question, int attempt)
      : match_(std::move(match)), seat_(seat), question_(question), attempt_(attempt) {}

  ~AttemptLedger() override {
    // An agent that broke between leave and answer must not hold the caps for ever.
    for (const Leave& leave : leaves_) match_->run_->budget_.settle(leave.held, {});
  }

  std::optional<ModelCall> find(int index) override {
    const std::lock_guard lock(match_->mutex_);
    const auto found = match_->past_.find({question_, attempt_, index});
    if (found == match_->past_.end()) return std::nullopt;
    return found->second;
  }

  // The questions of a drift check, which are outside any match, are about what comes now.
  [[nodiscard]] bool has_cache() const override {
    return match_->run_->cache() != nullptr && match_->match_ != archive::MatchId{};
  }

  std::optional<ModelCall> reuse(int index, const ModelCall& request, bool is_sampled) override {
    if (!has_cache() || (is_sampled && !match_->run_->cache()->is_for_sampling()))
      return std::nullopt;
    {
      const std::lock_guard lock(mutex_);
      cached_[index] = is_sampled;
    }
    std::optional<ModelCall> found =
        match_->run_->cache()->find(digest_of(index, request, is_sampled));
    if (!found) return std::nullopt;
    found->provider = request.provider;
    found->endpoint = request.endpoint;
    found->model = request.model;
    found->purpose = request.purpose;
    found->parameters = request.parameters;
    found->messages = request.messages;
    found->started = archive::now();
    found->tries = 0;
    match_->record({question_, attempt_, index}, seat_, *found, true, 0);
    match_->run_->budget().add_cached(std::max<std::int64_t>(0, found->provider_cost));
    return found;
  }

  // The questions of a drift check are about what is answered now.
  [[nodiscard]] std::string name_of(int index) const override {
    if (match_->match_ == archive::MatchId{}) return {};
    return fmt::format("{}-{}-{}-{}", match_->match_.hex(), question_, attempt_, index);
  }
  [[nodiscard]] std::shared_ptr<BatchNotes> batches() const override {
    return match_->run_->batches();
  }

  Halt admit(const CallEstimate& estimate) override {
    Leave leave;
    leave.input = estimate.input;
    const Halt halt = match_->run_->budget_.admit(estimate, leave.held);
    if (halt != Halt::no) return halt;
    const std::lock_guard lock(mutex_);
    leaves_.push_back(leave);
    return halt;
  }

  void keep(int index, const ModelCall& call) override {
    record(index, call, true);
    std::optional<bool> is_sampled;
    {
      const std::lock_guard lock(mutex_);
      if (const auto asked = cached_.find(index); asked != cached_.end())
        is_sampled = asked->second;
    }
    if (is_sampled)
      match_->run_->cache()->add(digest_of(index, call, *is_sampled), call,
                                 match_->run_->prices().cost(call), *is_sampled);
  }
  void give_back(int index, const ModelCall& failed) override { record(index, failed, false); }

 private:
  struct Leave {
    CallBudget::Reservation held;
    std::int64_t input = 0;
  };

  /// Of agents that sample only the same call of the same match is answered alike: draws of one run
  /// stay independent.
  [[nodiscard]] hash::Digest digest_of(int index, const ModelCall& request, bool is_sampled) const {
    const std::string place =
        is_sampled ? fmt::format("{} {} {} {}", match_->match_.hex(), question_, attempt_, index)
                   : std::string();
    if (!is_batched(request)) return AnswerCache::digest_of(request, place);
    // In a batch or by itself, it is the same request.
    ModelCall alone = request;
    const std::size_t at = alone.parameters.find(archive::kBatched);
    const bool is_first = alone.parameters[at - 1] != ',';
    alone.parameters.erase(is_first ? at : at - 1, archive::kBatched.size() + (is_first ? 0 : 1));
    return AnswerCache::digest_of(alone, place);
  }

  void record(int index, const ModelCall& call, bool answered) {
    std::optional<Leave> leave;
    {
      const std::lock_guard lock(mutex_);
      if (!leaves_.empty()) {
        leave = leaves_.back();
        leaves_.pop_back();
      }
    }
    if (!answered && call.tries == 0) {
      // Nothing was sent, as the endpoint took no more: there is nothing to record or to count.
      if (leave) match_->run_->budget_.settle(leave->held, {});
      return;
    }
    const std::optional<std::int64_t> cost = match_->run_->prices().cost(call);
    // A call that failed before anything was counted took nothing that is known of.
    archive::CallTotals took{.calls = 1};
    if (answered || call.usage.input >= 0)
      took = taken_by(call, leave ? leave->input : 0, cost, match_->run_->prices());
    const auto settle = [&] {
      if (leave) match_->run_->budget_.settle(leave->held, took);
    };
    try {
      match_->record({question_, attempt_, index}, seat_, call, answered, cost);
    } catch (...) {
      settle();
      throw;
    }
    settle();
  }

  const std::shared_ptr<MatchLedger> match_;
  const int seat_;
  const std::int64_t question_;
  const std::int64_t attempt_;
  std::mutex mutex_;
  std::vector<Leave> leaves_;
  std::map<int, bool> cached_;  ///< calls that the cache was asked for, and whether they sample
};

MatchLedger::MatchLedger(std::shared_ptr<RunLedger> run, const archive::MatchId& match,
                         std::size_t seats)
    : run_(std::move(run)), match_(match), taken_(seats) {}

void MatchLedger::add_past(const archive::CallRow& row, Paid paid) {
  const std::lock_guard lock(mutex_);
  if (static_cast<std::size_t>(row.seat) >= taken_.size())
    throw Error(
        ErrorKind::failure,
        "the archive is damaged: a call of a model is of a seat that its match does not have", "",
        "take a copy from before the damage");
  if (paid == Paid::here) count(row.seat, row.call, row.cost, row.answered);
  // Of two calls in one place the later is the one that was used.
  if (row.answered) past_.insert_or_assign({row.question, row.attempt, row.place}, row.call);
}

std::shared_ptr<CallLedger> MatchLedger::attempt(int seat, std::uint32_t question, int attempt) {
  return std::make_shared<AttemptLedger>(shared_from_this(), seat, question, attempt);
}

std::vector<SeatCalls> MatchLedger::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

void MatchLedger::count(int seat, const ModelCall& call, const std::optional<std::int64_t>& cost,
                        bool answered) {
  SeatCalls& t = taken_.at(static_cast<std::size_t>(seat));
  const TokenUsage& usage = call.usage;
  ++t.calls;
  t.input += std::max<std::int64_t>(0, usage.input);
  t.output += std::max<std::int64_t>(0, usage.output);
  t.cached += std::max<std::int64_t>(0, usage.cached);
  t.thought += std::max<std::int64_t>(0, usage.thought);
  t.cost += cost.value_or(0);
  if (!cost && answered) ++t.unpriced;
}

void MatchLedger::record(const CallPosition& place, int seat, const ModelCall& call, bool answered,
                         const std::optional<std::int64_t>& cost) {
  archive::CallRow row;
  row.match = match_;
  row.seat = seat;
  std::tie(row.question, row.attempt, row.place) = place;
  row.answered = answered;
  row.call = call;
  row.cost = cost;
  for (std::size_t i = 0; i < call.messages.size(); ++i)
    row.messages.push_back(store({seat, call.purpose, call.messages.size() - i},
                                 archive::message_bytes(call.messages[i])));
  run_->save(std::move(row));
  const std::lock_guard lock(mutex_);
  count(seat, call, cost, answered);
}

hash::Digest MatchLedger::store(const MessagePlace& place, std::string bytes) {
  std::unique_lock lock(mutex_);
  if (const auto known = known_.find(bytes); known != known_.end()) return known->second;
  LastMessage last;
  if (const auto found = last_.find(place); found != last_.end()) last = found->second;
  lock.unlock();
  const hash::Digest digest = hash::sha256(bytes);
  // Every so often one is stored whole, so that none takes long to read.
  if (last.bytes != nullptr && last.chain + 1 < archive::kLongestChain &&
      last.chain_bytes < archive::kMostChainBytes) {
    const archive::MessageBase base{last.digest, *last.bytes};
    run_->store(digest, bytes, &base);
  } else {
    last = {.chain = -1};
    run_->store(digest, bytes, nullptr);
  }
  // Known once it is queued: a call of another seat that names it is then queued later.
  lock.lock();
  const auto known = known_.emplace(std::move(bytes), digest).first;
  if (known->first.size() >= archive::kShortestDelta)
    last_[place] = {digest, &known->first, last.chain + 1, last.chain_bytes + known->first.size()};
  return digest;
}

}  // namespace agon
