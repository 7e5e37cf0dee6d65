#include "llm/provider/batches.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <limits>
#include <tuple>
#include <utility>

#include "llm/wire/exchange.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;

/// For so long nothing goes on before a batch is sent: work is handed from thread to thread.
constexpr std::chrono::milliseconds kQuiet{300};
/// How often that is looked at.
constexpr std::chrono::milliseconds kOften{50};
/// How often who does the work for all looks whether the run is over.
constexpr std::chrono::milliseconds kRest{500};
/// A pause grows to so many times the first.
constexpr double kLongestPause = 30;
/// Endpoints keep results for about a month.
constexpr std::chrono::hours kKept{24 * 28};
/// Clocks differ.
constexpr std::chrono::hours kOff{24};
constexpr std::size_t kMostOfResults = std::size_t{2} << 30U;
constexpr std::size_t kMostOfList = std::size_t{64} << 20U;

std::string utc(std::int64_t milliseconds_since_1970) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                     fmt::gmtime(static_cast<std::time_t>(milliseconds_since_1970 / 1000)));
}

std::string utc_before(const Clock& clock, std::chrono::milliseconds before) {
  return utc(clock.milliseconds_since_1970() - before.count());
}

/// The call's place, and its body: another request in the same place is another call.
std::string id_of(const BatchPlace& place, const std::string& body) {
  return fmt::format("{}-{:08x}", place.name, hash_of(body) & 0xFFFFFFFFU);
}

bool is_good(const HttpReply& reply) {
  return reply.failure == NetFailure::none && reply.status >= 200 && reply.status < 300;
}

/// The endpoint understood, and said no: nothing was made. Of 408 and 409 that is not known.
bool turned_down(const HttpReply& reply) {
  return reply.failure == NetFailure::none && reply.status >= 400 && reply.status < 500 &&
         reply.status != 408 && reply.status != 409;
}

/// It answers, and does not give what it was asked for.
bool is_withheld(const HttpReply& reply) {
  return turned_down(reply) && reply.status != 429;
}

std::string problem_of(const HttpReply& reply) {
  return reply.failure == NetFailure::none
             ? fmt::format("status {}: {}", reply.status, excerpt(reply.body))
             : reply.problem;
}

Batches::Time later_by(const Clock& clock, double seconds) {
  return clock.now() + std::chrono::duration_cast<Batches::Time::duration>(
                           std::chrono::duration<double>(seconds));
}

HttpRequest get(const Endpoint& endpoint, std::string_view path) {
  return {.post = false, .url = endpoint.url(path)};
}

std::string note_of(std::string_view group, std::string_view key, std::string_view after,
                    const std::vector<std::string>& calls) {
  JsonWriter w;
  w.open_object().name("to").text(group).name("key").text(key).name("after").text(after);
  w.name("calls").open_list();
  for (const std::string& call : calls) w.text(call);
  return w.close_list().close_object().take();
}

/// What became of it: its id, or nothing.
std::string note_of_id(std::string_view group, std::string_view key, std::string_view id) {
  JsonWriter w;
  w.open_object().name("to").text(group).name("key").text(key).name("id").text(id);
  return w.close_object().take();
}

}  // namespace

std::atomic<int>& LiveExchange::count() {
  static std::atomic<int> live{0};
  return live;
}

Batches::Batches(std::string group)
    : group_(std::move(group)),
      traffic_(std::numeric_limits<int>::max(), std::numeric_limits<int>::max()) {}

std::shared_ptr<Batches> Batches::shared(const Endpoint& endpoint, std::uint64_t key_hash) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::uint64_t>, std::weak_ptr<Batches>> all;
  std::string group =
      fmt::format("{} {} {}", endpoint.provider->id, endpoint.url({}), endpoint.model);
  const std::lock_guard lock(mutex);
  auto& place = all[{group, key_hash}];
  std::shared_ptr<Batches> batches = place.lock();
  if (batches == nullptr) place = batches = std::make_shared<Batches>(std::move(group));
  return batches;
}

void Batches::take_notes(const std::shared_ptr<BatchNotes>& notes) {
  notes_ = notes;
  if (known_notes_.lock() == notes) return;
  // Of another run, which is over.
  known_notes_ = notes;
  sent_.clear();
  in_.clear();
  ids_.clear();
  replies_.clear();
  for (const std::string& note : notes->all()) take_note(note);
}

void Batches::take_note(const std::string& note) {
  bj::object read;
  try {
    read = wire::object_of(note);
  } catch (const Error&) {
    return;
  }
  if (wire::text_at(read, "to") != group_) return;
  const std::string key = wire::text_at(read, "key");
  if (const bj::value* calls = wire::value_at(read, "calls"); calls != nullptr) {
    Sent batch{.key = key, .id = {}, .after = wire::text_at(read, "after"), .calls = {}};
    batch.is_past = true;
    if (calls->is_array())
      for (const bj::value& call : calls->get_array())
        if (call.is_string()) batch.calls.emplace_back(call.get_string());
    for (const std::string& call : batch.calls) in_[call] = key;
    sent_.insert_or_assign(key, std::move(batch));
    return;
  }
  const auto found = sent_.find(key);
  if (found == sent_.end()) return;
  found->second.id = wire::text_at(read, "id");
  if (!found->second.id.empty()) {
    ids_.insert(found->second.id);
    return;
  }
  for (const std::string& call : found->second.calls)
    if (const auto at = in_.find(call); at != in_.end() && at->second == key) in_.erase(at);
  sent_.erase(found);
}

void Batches::note(Lock& lock, const std::string& text) {
  const std::shared_ptr<BatchNotes> notes = notes_;
  lock.unlock();
  try {
    notes->add(text);
  } catch (...) {
    lock.lock();
    throw;
  }
  lock.lock();
}

HttpReply Batches::exchange(const Host& host, const BatchPlace& place, const std::string& body,
                            Time deadline) {
  Lock lock(mutex_);
  take_notes(place.notes);
  const std::string id = id_of(place, body);
  const Time since = host.clock.now();
  waiting_[id] = {&body, since};
  if (const auto in = in_.find(id); in != in_.end()) {
    sent_.at(in->second).is_wanted = true;
  } else if (!replies_.contains(id)) {
    fresh_.insert(id);
    quiet_since_ = since;
  }
  worker_.notify_one();
  const auto leave = [&] {
    waiting_.erase(id);
    fresh_.erase(id);
    if (waiting_.empty()) notes_.reset();
    if (!is_worked_) others_.notify_one();  // who goes on with the work
  };
  try {
    for (;;) {
      if (const auto found = replies_.find(id); found != replies_.end()) {
        HttpReply reply = std::move(found->second);
        replies_.erase(found);
        leave();
        reply.latency_ms =
            std::chrono::duration<double, std::milli>(host.clock.now() - since).count();
        return reply;
      }
      if (host.stop.asked() || place.notes->is_over()) {
        leave();
        return {.failure = NetFailure::stopped, .problem = kStopped};
      }
      if (host.clock.now() >= deadline) {
        leave();
        return {.failure = NetFailure::stopped, .problem = "the time for the answer was up"};
      }
      if (is_worked_) {
        host.clock.wait(lock, others_, deadline, host.stop);
        continue;
      }
      is_worked_ = true;
      work(host, lock);
      is_worked_ = false;
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();  // sending may throw
    is_worked_ = false;
    leave();
    throw;
  }
}

void Batches::work(const Host& host, Lock& lock) {
  if (notes_->is_over()) return others_.notify_all();
  const Time now = host.clock.now();
  Time until = now + (fresh_.empty() ? kRest : kOften);
  for (const auto& [key, batch] : sent_) {
    if (!batch.is_wanted) continue;
    if (batch.next_look <= now) {
      const std::string due = key;  // the batch may go
      return batch.id.empty() ? find(host, lock, due) : look(host, lock, due);
    }
    until = std::min(until, batch.next_look);
  }
  if (!fresh_.empty() && is_time_to_send(host, now)) return send(host, lock);
  host.clock.wait(lock, worker_, until, host.stop);
}

bool Batches::is_time_to_send(const Host& host, Time now) {
  const auto most = static_cast<std::size_t>(host.spec.batch_calls.value_or(100'000));
  if (fresh_.size() >= std::min(most, host.format().most_calls)) return true;
  if (!notes_->is_idle() || LiveExchange::count() > 0) quiet_since_ = now;
  return now - quiet_since_ >= kQuiet;
}

void Batches::send(const Host& host, Lock& lock) {
  const BatchFormat& format = host.format();
  const auto most = static_cast<std::size_t>(host.spec.batch_calls.value_or(100'000));
  constexpr std::size_t kAround = 4096;  // what stands around the calls
  Sent batch{.key = {}, .id = {}, .after = utc_before(host.clock, kOff), .calls = {}};
  std::string calls;
  for (const std::string& id : fresh_) {
    const std::string call =
        format.write_call({id, *waiting_.at(id).body}, host.endpoint.provider->wire->call_path);
    const bool is_full = batch.calls.size() >= std::min(most, format.most_calls) ||
                         calls.size() + call.size() + kAround > format.most_bytes;
    if (is_full && !batch.calls.empty()) break;
    if (!calls.empty()) calls += '\n';
    calls += call;
    batch.calls.push_back(id);
  }
  batch.key = fmt::format(
      "{:016x}",
      combine(hash_of(calls), static_cast<std::uint64_t>(host.clock.milliseconds_since_1970())));
  batch.is_wanted = true;
  batch.pause_s = host.poll_s();
  batch.next_look = later_by(host.clock, batch.pause_s);
  const std::string key = batch.key;
  const std::string intent = note_of(group_, key, batch.after, batch.calls);
  for (const std::string& id : batch.calls) {
    in_[id] = key;
    fresh_.erase(id);
  }
  sent_.insert_or_assign(key, std::move(batch));
  // What was noted and not made is found out later; what was made and not noted would be lost.
  try {
    note(lock, intent);
  } catch (...) {
    answer_all(key, {.failure = NetFailure::stopped, .problem = kStopped});
    throw;
  }
  std::string file;
  lock.unlock();
  if (!format.files_path.empty()) {
    HttpRequest upload{.url = host.endpoint.url(format.files_path)};
    std::string type;
    upload.body = upload_of(calls, type);
    upload.headers.push_back("Content-Type: " + type);
    const HttpReply reply = host.send(std::move(upload), 0);
    file = is_good(reply) ? batch_id_in(reply.body) : std::string();
    if (file.empty()) {
      lock.lock();
      // Without its file there is no batch, whatever became of the file.
      answer_all(key, reply);
      return note(lock, note_of_id(group_, key, {}));
    }
  }
  const HttpReply reply = host.send(
      {.url = host.endpoint.url(format.path),
       .body = format.write_batch(calls, file, key, host.endpoint.provider->wire->call_path)},
      0);
  lock.lock();
  made(host, lock, key, reply);
}

void Batches::made(const Host& host, Lock& lock, const std::string& key, const HttpReply& reply) {
  if (turned_down(reply)) {
    answer_all(key, reply);
    return note(lock, note_of_id(group_, key, {}));
  }
  const std::string id = is_good(reply) ? batch_id_in(reply.body) : std::string();
  Sent& batch = sent_.at(key);
  if (id.empty()) return put_off(host, batch, problem_of(reply));
  batch.id = id;
  ids_.insert(id);
  host.say(fmt::format("{} calls went out in the batch {}", batch.calls.size(), id));
  note(lock, note_of_id(group_, key, id));
}

void Batches::put_off(const Host& host, Sent& batch, const std::string& problem) {
  constexpr int kTold = 3;
  if (!problem.empty() && ++batch.failures == kTold)
    host.say(fmt::format("the batch {} cannot be read; Agon tries again: {}",
                         batch.id.empty() ? batch.key : batch.id, problem));
  if (problem.empty()) batch.failures = 0;
  const double first = host.poll_s();
  batch.next_look = later_by(host.clock, std::max(first, batch.pause_s));
  batch.pause_s = std::min(first * kLongestPause, std::max(first, batch.pause_s) * 2);
}

void Batches::look(const Host& host, Lock& lock, const std::string& key) {
  const Sent batch = sent_.at(key);
  lock.unlock();
  const HttpReply reply = host.send(
      get(host.endpoint, fmt::format("{}/{}", host.format().path, batch.id)), kMostOfList);
  lock.lock();
  if (is_withheld(reply)) return withhold(host, key, reply);
  const auto status = is_good(reply) ? host.format().read_status(reply.body) : std::nullopt;
  if (!status) return put_off(host, sent_.at(key), problem_of(reply));
  switch (status->state) {
    case BatchStatus::State::working:
      return put_off(host, sent_.at(key), {});
    case BatchStatus::State::failed:
      answer_all(key, status->failure);
      return note(lock, note_of_id(group_, key, {}));
    case BatchStatus::State::ended:
      return fetch(host, lock, key, *status);
  }
}

void Batches::withhold(const Host& host, const std::string& key, const HttpReply& reply) {
  Sent& batch = sent_.at(key);
  // Endpoints forget batches in time; one that is not there sooner is another account's.
  const bool is_old = batch.after < utc_before(host.clock, kKept + kOff);
  if (reply.status == 404 && is_old) return close(host, key, {});
  host.say(fmt::format("the batch {} of this archive is not available: {}", batch.id,
                       problem_of(reply)));
  put_off(host, batch, problem_of(reply));
  // It speaks of the batch: the calls must not take it for a word on their form, and change that.
  HttpReply told = reply;
  if (told.status != 401 && told.status != 403) told.status = 404;
  for (const std::string& call : batch.calls)
    if (waiting_.contains(call)) replies_[call] = told;
  others_.notify_all();
}

void Batches::fetch(const Host& host, Lock& lock, const std::string& key,
                    const BatchStatus& status) {
  std::vector<BatchResult> results;
  for (const std::string& path : status.results) {
    lock.unlock();
    const HttpReply reply = host.send(get(host.endpoint, path), kMostOfResults);
    lock.lock();
    if (is_withheld(reply)) return withhold(host, key, reply);
    std::vector<BatchResult> read;
    if (is_good(reply)) read = read_results(host.format(), reply.body);
    // One of several files may be empty: no call failed, or all did.
    if (read.empty() && !(is_good(reply) && reply.body.empty()))
      return put_off(host, sent_.at(key), problem_of(reply));
    for (BatchResult& result : read) results.push_back(std::move(result));
  }
  // Where no result can be read, nothing is known: the calls may have been answered, and paid.
  if (results.empty() && !status.results.empty())
    return put_off(host, sent_.at(key), "its results are empty");
  close(host, key, std::move(results));
}

void Batches::close(const Host& host, const std::string& key, std::vector<BatchResult> results) {
  const Sent batch = sent_.at(key);
  std::map<std::string, HttpReply> replies;
  // An error may be why an earlier run stopped, and mended since: it is no answer to this one.
  for (BatchResult& result : results)
    if (result.reply && (!batch.is_past || result.reply->status < 400))
      replies.insert_or_assign(std::move(result.id), *std::move(result.reply));
  std::size_t missing = 0;
  for (const std::string& call : batch.calls) {
    const auto in = in_.find(call);
    if (in == in_.end() || in->second != key) continue;  // it went out again since
    in_.erase(in);
    if (const auto found = replies.find(call); found != replies.end())
      replies_[call] = std::move(found->second);
    else if (++missing; waiting_.contains(call))
      fresh_.insert(call);
  }
  if (missing > 0 && !batch.id.empty())
    host.say(fmt::format("{} of {} calls of the batch {} were not answered, and are asked again",
                         missing, batch.calls.size(), batch.id));
  quiet_since_ = host.clock.now();
  sent_.erase(key);
  others_.notify_all();
}

void Batches::answer_all(const std::string& key, const HttpReply& reply) {
  const Sent batch = sent_.at(key);
  for (const std::string& call : batch.calls) {
    if (const auto in = in_.find(call); in != in_.end() && in->second == key) in_.erase(in);
    if (waiting_.contains(call)) replies_[call] = reply;
  }
  sent_.erase(key);
  others_.notify_all();
}

std::optional<bool> Batches::is_same(const Host& host, Lock& lock, const Sent& batch,
                                     const BatchStatus& status) {
  if (ids_.contains(status.id)) return false;
  if (!status.key.empty()) return status.key == batch.key;
  // Without a key of ours the batch is known by its calls, once it has results.
  if (status.created.empty() || status.created < batch.after ||
      status.calls != static_cast<std::int64_t>(batch.calls.size()))
    return false;
  if (status.state != BatchStatus::State::ended) return std::nullopt;
  lock.unlock();
  const HttpReply reply = host.send(get(host.endpoint, status.results.front()), kMostOfResults);
  lock.lock();
  if (!is_good(reply)) return std::nullopt;
  const std::vector<BatchResult> results = read_results(host.format(), reply.body);
  if (results.empty()) return std::nullopt;
  return std::find(batch.calls.begin(), batch.calls.end(), results.front().id) != batch.calls.end();
}

void Batches::find(const Host& host, Lock& lock, const std::string& key) {
  constexpr int kMostPages = 20;  // of a hundred batches
  const Sent batch = sent_.at(key);
  const BatchFormat& format = host.format();
  std::string last;
  bool has_more = true;
  bool is_open = false;  // one that may be it is worked on
  for (int page = 0; page < kMostPages && has_more; ++page) {
    std::string path = fmt::format("{}?limit=100", format.path);
    if (!last.empty()) path += fmt::format("&{}={}", format.next, last);
    lock.unlock();
    const HttpReply reply = host.send(get(host.endpoint, path), kMostOfList);
    lock.lock();
    const auto listed = is_good(reply) ? read_batches(format, reply.body, has_more) : std::nullopt;
    if (!listed) return put_off(host, sent_.at(key), problem_of(reply));
    for (const BatchStatus& status : *listed) {
      last = status.id;
      const std::optional<bool> same = is_same(host, lock, batch, status);
      is_open = is_open || !same;
      if (!same.value_or(false)) continue;
      Sent& found = sent_.at(key);
      found.id = status.id;
      found.next_look = host.clock.now();
      ids_.insert(status.id);
      host.say(fmt::format("waiting for the batch {}, which an earlier run sent", status.id));
      return note(lock, note_of_id(group_, key, status.id));
    }
  }
  // An endpoint may still be at work on the request, and list the batch later.
  constexpr int kLooks = 3;
  if (is_open || ++sent_.at(key).absences < kLooks) return put_off(host, sent_.at(key), {});
  // It was not made: its calls go out now.
  close(host, key, {});
  note(lock, note_of_id(group_, key, {}));
}

}  // namespace agon::llm
