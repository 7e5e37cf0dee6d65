#pragma once

#include <agon/model/model_call.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace agon {

/// What a call may take, for the caps of a run.
struct CallEstimate {
  std::string_view provider;   ///< as ModelCall has it
  std::string_view model;      ///< as asked for
  std::int64_t input = 0;      ///< tokens of the prompt, estimated
  std::int64_t output = 0;     ///< most tokens that it may write; 0: not limited
  bool is_free = false;        ///< it costs nothing, whatever the prices say
  bool is_batched = false;     ///< it goes out in a batch, at the price of that
  std::string_view purpose{};  ///< as ModelCall has it
};

/// What a run writes down of the batches that its calls go out in, so that they are found again
/// after it was killed. Functions may be called from any thread.
class AGON_API BatchNotes {
 public:
  BatchNotes() = default;
  BatchNotes(const BatchNotes&) = delete;
  BatchNotes& operator=(const BatchNotes&) = delete;
  virtual ~BatchNotes();

  /// All notes of earlier runs and of this one, in order.
  [[nodiscard]] virtual std::vector<std::string> all() const = 0;
  /// On the disk when it returns. Throws Error if that is not possible.
  virtual void add(const std::string& note) = 0;
  /// Whether nothing of the run goes on by itself, beside the caller: all that was begun waits.
  [[nodiscard]] virtual bool is_idle() const = 0;
  /// Whether the run takes no more answers: what is waited for is left to the next one.
  [[nodiscard]] virtual bool is_over() const = 0;
};

/// Where the calls of one question's attempt are kept: each is durable before its text is used, so
/// that no answered call is ever paid twice. Calls of an attempt are numbered by the agent from 0,
/// in program order. Functions may be called from any thread.
class AGON_API CallLedger {
 public:
  CallLedger() = default;
  CallLedger(const CallLedger&) = delete;
  CallLedger& operator=(const CallLedger&) = delete;
  virtual ~CallLedger();

  /// The call with this number, if it has been answered before (a resume, a replay). The caller
  /// compares the messages: another request under the same number is another call.
  [[nodiscard]] virtual std::optional<ModelCall> find(int index) = 0;
  /// True if calls that are not found must not be made: the ledger is all there is.
  [[nodiscard]] virtual bool is_closed() const { return false; }
  /// True if the run has a cache of answers: then reuse() is asked before admit().
  [[nodiscard]] virtual bool has_cache() const { return false; }
  /// The answer that the run's cache of answers has to this request, which has provider, endpoint,
  /// model, purpose, parameters and messages as they would be sent. The call is then on record
  /// under this number and costs nothing: no leave is needed, and keep() is not called.
  /// `is_sampled`: two calls with this request may be answered in two ways. Throws Error as keep().
  [[nodiscard]] virtual std::optional<ModelCall> reuse(int /*index*/, const ModelCall& /*request*/,
                                                       bool /*is_sampled*/) {
    return std::nullopt;
  }
  /// The name of the call with this number among all of the archive: letters, digits and hyphens,
  /// at most 55 of them. Empty: it has none.
  [[nodiscard]] virtual std::string name_of(int /*index*/) const { return {}; }
  /// Where the run notes its batches; null: it keeps none, and calls are made one by one.
  [[nodiscard]] virtual std::shared_ptr<BatchNotes> batches() const { return nullptr; }
  /// Asks leave to make a call under the run's caps. Not Halt::no: it must not be made. Each leave
  /// is followed by one keep() or one give_back().
  virtual Halt admit(const CallEstimate& estimate) = 0;
  /// Makes an answered call durable, then returns. Throws Error if that is not possible.
  virtual void keep(int index, const ModelCall& call) = 0;
  /// The call that leave was given for came to nothing. Kept for the record, never found again.
  virtual void give_back(int index, const ModelCall& failed) = 0;
};

}  // namespace agon
