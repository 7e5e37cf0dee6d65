#include "llm/http/transport.hpp"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/waiting.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "llm/answer/words.hpp"

namespace agon::llm {

std::string Url::origin() const {
  return scheme + "://" + (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool Url::is_loopback() const {
  if (is_ipv6) {
    in6_addr address{};
    return inet_pton(AF_INET6, host.c_str(), &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
  }
  in_addr address{};
  return host == "localhost" ||
         (inet_pton(AF_INET, host.c_str(), &address) == 1 && ntohl(address.s_addr) >> 24U == 127);
}

std::optional<Url> parse_url(std::string_view text) {
  // A line break or a blank anywhere ends a URL for some readers; letters beyond ASCII look alike.
  if (std::any_of(text.begin(), text.end(), [](char c) { return c < '!' || c > '~'; }))
    return std::nullopt;
  Url url;
  for (const std::string_view scheme : {"http", "https"})
    if (text.starts_with(std::string(scheme) + "://")) url.scheme = scheme;
  if (url.scheme.empty()) return std::nullopt;
  text.remove_prefix(url.scheme.size() + 3);
  std::string_view authority = text.substr(0, text.find_first_of("/?#"));
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    url.is_ipv6 = true;
    url.host = lower_case(authority.substr(1, end - 1));
    in6_addr address{};
    if (inet_pton(AF_INET6, url.host.c_str(), &address) != 1) return std::nullopt;
    authority.remove_prefix(end + 1);
    if (!authority.empty() && authority.front() != ':') return std::nullopt;
    port = authority;
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    url.host = lower_case(authority.substr(0, colon));
    port = authority.substr(colon);
    if (url.host.empty() || !std::all_of(url.host.begin(), url.host.end(), [](char c) {
          return is_alphanumeric(c) || c == '-' || c == '.' || c == '_';
        }))
      return std::nullopt;
  }
  url.port = url.scheme == "https" ? 443 : 80;
  if (port.empty()) return url;
  port.remove_prefix(1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
  if (error != std::errc{} || end != port.data() + port.size() || url.port < 1 || url.port > 65535)
    return std::nullopt;
  return url;
}

namespace {

using Clock = ExchangeLimits::Clock;

/// 1000 calls in flight take 1000 connections: more files than many shells allow at first.
void allow_many_connections() {
  constexpr rlim_t kEnough = 16384;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return;
  limit.rlim_cur = std::min(kEnough, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// Once for the process and never undone: other threads may use the library at any time.
void start_curl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) throw Error(ErrorKind::failure, "libcurl cannot start");
}

/// The file of the certificates that the system trusts, where it is not where this libcurl looks
/// for it, which was built on another distribution; null: it is there, or there is none.
const char* certificates_elsewhere(CURL* easy) {
  const char* known = nullptr;
  curl_easy_getinfo(easy, CURLINFO_CAINFO, &known);
  if (known != nullptr && access(known, R_OK) == 0) return nullptr;
  for (const char* path : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                           "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"})
    if (access(path, R_OK) == 0) return path;
  return nullptr;
}

NetFailure failure_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return NetFailure::none;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return NetFailure::no_host;
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:  // the only time-out that libcurl watches is the connection's
    case CURLE_SSL_CONNECT_ERROR:
      return NetFailure::no_connection;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return NetFailure::tls;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
      return NetFailure::bad_url;
    default:
      return NetFailure::cut;
  }
}

/// Transfers that look for a connection among the same ones. libcurl goes through all of a host, so
/// with thousands of them there are several sets. Those in use come first: what is little shares
/// one set, and over HTTP/2 one connection.
struct Set {
  static constexpr int kMost = 256;  ///< transfers at once

  int epoll;
  std::uint32_t number;
  CURLM* multi = curl_multi_init();
  int transfers = 0;
  Clock::time_point timer = Clock::time_point::max();
};

/// One exchange. It lies on the stack of who waits for it.
struct Transfer {
  const HttpRequest* request = nullptr;
  const ExchangeLimits* limits = nullptr;
  HttpReply reply;
  Set* set = nullptr;
  CURL* easy = nullptr;
  curl_slist* headers = nullptr;
  std::array<char, CURL_ERROR_SIZE> error{};
  Clock::time_point begun;
  Clock::time_point last_byte;
  Clock::time_point expiry;
  Clock::time_point ending = Clock::time_point::max();  ///< somebody wanted to stop before

  std::mutex mutex;
  Condition finished;
  bool is_done = false;

  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() { curl_slist_free_all(headers); }

  [[nodiscard]] Clock::time_point next_expiry() const {
    return std::min({limits->deadline, ending,
                     last_byte + std::chrono::duration_cast<Clock::duration>(limits->idle)});
  }
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& t = *static_cast<Transfer*>(user);
  const std::size_t n = size * count;
  t.last_byte = Clock::now();
  if (t.reply.body.size() + n > t.limits->max_body) {
    t.reply.failure = NetFailure::too_large;
    return 0;  // ends the transfer
  }
  t.reply.body.append(data, n);
  return n;
}

std::size_t take_header(char* data, std::size_t size, std::size_t count, void* user) {
  auto& t = *static_cast<Transfer*>(user);
  const std::size_t n = size * count;
  t.last_byte = Clock::now();
  std::string_view line(data, n);
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n' || line.back() == ' '))
    line.remove_suffix(1);
  // A status line begins again: what came before was a proxy's word or "100 Continue".
  if (line.starts_with("HTTP/")) t.reply.headers.clear();
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || t.reply.headers.size() > 200) return n;
  std::string name = lower_case(line.substr(0, colon));
  line.remove_prefix(colon + 1);
  while (line.starts_with(' ')) line.remove_prefix(1);
  t.reply.headers.emplace_back(std::move(name), line);
  return n;
}

}  // namespace

class Transport::Loop {
  static constexpr std::uint32_t kNoSet = UINT32_MAX;

 public:
  Loop() {
    allow_many_connections();
    start_curl();
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (epoll_ < 0 || wake_ < 0 || add_set() == nullptr)
      throw Error(ErrorKind::failure, "there are no resources for network connections");
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = event_of(kNoSet, wake_);
    epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event);
    thread_ = std::thread([this] { run(); });
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake();
    thread_.join();
    for (CURL* easy : spare_) curl_easy_cleanup(easy);
    for (const auto& set : sets_) curl_multi_cleanup(set->multi);
    close(wake_);
    close(epoll_);
  }

  void submit(Transfer& transfer) {
    bool first = false;
    {
      const std::lock_guard lock(mutex_);
      first = submitted_.empty();
      submitted_.push_back(&transfer);
    }
    if (first) wake();
  }

 private:
  void wake() const {
    const std::uint64_t one = 1;
    // It fails only when the counter is full, and then the loop is awake already.
    [[maybe_unused]] const auto n = write(wake_, &one, sizeof one);
  }

  static std::uint64_t event_of(std::uint32_t set, int fd) {
    return std::uint64_t{set} << 32U | static_cast<std::uint32_t>(fd);
  }

  /// Null where the system gives no more.
  Set* add_set() {
    auto set = std::make_unique<Set>(Set{epoll_, static_cast<std::uint32_t>(sets_.size())});
    if (set->multi == nullptr) return nullptr;
    curl_multi_setopt(set->multi, CURLMOPT_SOCKETFUNCTION, &Loop::socket_changed);
    curl_multi_setopt(set->multi, CURLMOPT_SOCKETDATA, set.get());
    curl_multi_setopt(set->multi, CURLMOPT_TIMERFUNCTION, &Loop::timer_changed);
    curl_multi_setopt(set->multi, CURLMOPT_TIMERDATA, set.get());
    curl_multi_setopt(set->multi, CURLMOPT_MAXCONNECTS, 2L * Set::kMost);
    sets_.push_back(std::move(set));
    return sets_.back().get();
  }

  /// The first with room, or the one with the fewest transfers.
  Set& set_with_room() {
    Set* fewest = sets_.front().get();
    for (const auto& set : sets_) {
      if (set->transfers < Set::kMost) return *set;
      if (set->transfers < fewest->transfers) fewest = set.get();
    }
    Set* const added = add_set();
    return added == nullptr ? *fewest : *added;
  }

  static int socket_changed(CURL*, curl_socket_t fd, int what, void* user, void*) {
    const auto& set = *static_cast<Set*>(user);
    epoll_event event{};
    event.data.u64 = event_of(set.number, fd);
    if (what == CURL_POLL_REMOVE) {
      epoll_ctl(set.epoll, EPOLL_CTL_DEL, fd, &event);
      return 0;
    }
    if ((what & CURL_POLL_IN) != 0) event.events |= EPOLLIN;
    if ((what & CURL_POLL_OUT) != 0) event.events |= EPOLLOUT;
    if (epoll_ctl(set.epoll, EPOLL_CTL_MOD, fd, &event) != 0)
      epoll_ctl(set.epoll, EPOLL_CTL_ADD, fd, &event);
    return 0;
  }
  static int timer_changed(CURLM*, long ms, void* user) {
    static_cast<Set*>(user)->timer =
        ms < 0 ? Clock::time_point::max() : Clock::now() + std::chrono::milliseconds(ms);
    return 0;
  }

  [[nodiscard]] int milliseconds_to_wait() const {
    Clock::time_point next = Clock::time_point::max();
    for (const auto& set : sets_) next = std::min(next, set->timer);
    if (!expiries_.empty()) next = std::min(next, expiries_.begin()->first);
    if (watched_ > 0) next = std::min(next, next_look_);
    if (next == Clock::time_point::max()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60000));
  }

  void run() {
    std::array<epoll_event, 256> events{};
    int running = 0;
    for (;;) {
      const int n = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                               milliseconds_to_wait());
      for (int i = 0; i < n; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        const auto number = static_cast<std::uint32_t>(event.data.u64 >> 32U);
        if (number == kNoSet) {
          std::uint64_t count = 0;
          [[maybe_unused]] const auto bytes = read(wake_, &count, sizeof count);
          continue;
        }
        int flags = 0;
        if ((event.events & EPOLLIN) != 0) flags |= CURL_CSELECT_IN;
        if ((event.events & EPOLLOUT) != 0) flags |= CURL_CSELECT_OUT;
        if ((event.events & (EPOLLERR | EPOLLHUP)) != 0) flags |= CURL_CSELECT_ERR;
        curl_multi_socket_action(sets_[number]->multi, static_cast<int>(event.data.u64), flags,
                                 &running);
      }
      if (!start_submitted()) return;
      for (const auto& set : sets_) {
        if (set->timer <= Clock::now()) {
          set->timer = Clock::time_point::max();
          curl_multi_socket_action(set->multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        finish_done(*set);
      }
      heed_stop();
      expire();
    }
  }

  /// A signal can set a flag and no more: it is looked at while anything is in flight.
  void heed_stop() {
    constexpr auto kLook = std::chrono::milliseconds(100);
    const Clock::time_point now = Clock::now();
    if (watched_ == 0 || now < next_look_) return;
    next_look_ = now + kLook;
    std::vector<Transfer*> stopped;
    for (const auto& [expiry, t] : expiries_)
      if (t->limits->stop != nullptr && *t->limits->stop && t->ending == Clock::time_point::max())
        stopped.push_back(t);
    for (Transfer* t : stopped) {
      expiries_.erase({t->expiry, t});
      t->ending = now + ExchangeLimits::kLastSecond;
      t->expiry = t->next_expiry();
      expiries_.emplace(t->expiry, t);
    }
  }

  /// False when the transport goes.
  bool start_submitted() {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return false;
      starting_.swap(submitted_);
    }
    for (Transfer* t : starting_) start(*t);
    starting_.clear();
    return true;
  }

  void set_certificates(CURL* e, const ExchangeLimits& limits) {
    const char* ca = limits.ca_file.empty() ? std::getenv("SSL_CERT_FILE") : nullptr;
    if (!limits.ca_file.empty()) ca = limits.ca_file.c_str();
    if (ca == nullptr || *ca == '\0') {
      if (!certificates_) certificates_ = certificates_elsewhere(e);
      ca = *certificates_;
    }
    if (ca != nullptr) curl_easy_setopt(e, CURLOPT_CAINFO, ca);
  }

  void start(Transfer& t) {
    if (spare_.empty()) {
      t.easy = curl_easy_init();
    } else {
      t.easy = spare_.back();
      spare_.pop_back();
    }
    t.begun = t.last_byte = Clock::now();
    CURL* const e = t.easy;
    const HttpRequest& r = *t.request;
    curl_easy_setopt(e, CURLOPT_PRIVATE, &t);
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    // What is given up does not wait for the name's address.
    curl_easy_setopt(e, CURLOPT_QUICK_EXIT, 1L);
#endif
    curl_easy_setopt(e, CURLOPT_URL, r.url.c_str());
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
    // Every server has it; the wheel is smaller without libraries for others.
    curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(e, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(e, CURLOPT_ERRORBUFFER, t.error.data());
    curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS,
                     std::max(1L, static_cast<long>(t.limits->connect.count() * 1000)));
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, &take_body);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, &t);
    curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, &take_header);
    curl_easy_setopt(e, CURLOPT_HEADERDATA, &t);
    // Where many requests share a connection (HTTP/2), a new one waits to see whether it may.
    const bool is_https = r.url.starts_with("https:");
    if (is_https) curl_easy_setopt(e, CURLOPT_PIPEWAIT, 1L);
    if (is_https) set_certificates(e, *t.limits);
    for (const std::string& header : r.headers)
      t.headers = curl_slist_append(t.headers, header.c_str());
    if (!r.secret_header.empty()) t.headers = curl_slist_append(t.headers, r.secret_header.c_str());
    if (r.post) {
      // No "Expect: 100-continue": it costs a round trip, and some servers never answer it.
      t.headers = curl_slist_append(t.headers, "Expect:");
      curl_easy_setopt(e, CURLOPT_POST, 1L);
      curl_easy_setopt(e, CURLOPT_POSTFIELDS, r.body.data());
      curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(r.body.size()));
    }
    curl_easy_setopt(e, CURLOPT_HTTPHEADER, t.headers);
    t.expiry = t.next_expiry();
    expiries_.emplace(t.expiry, &t);
    if (t.limits->stop != nullptr) ++watched_;
    // Replies are short: as much is taken for each as one mostly needs.
    curl_easy_setopt(e, CURLOPT_BUFFERSIZE, 4096L);
    t.set = &set_with_room();
    ++t.set->transfers;
    curl_multi_add_handle(t.set->multi, e);
  }

  void finish_done(const Set& set) {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(set.multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      void* user = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user);
      auto& t = *static_cast<Transfer*>(user);
      const CURLcode code = message->data.result;
      if (t.reply.failure == NetFailure::none) t.reply.failure = failure_of(code);
      // The same code says that the scheme is not ours, and that what came is not HTTP.
      curl_off_t sent = 0;
      curl_easy_getinfo(t.easy, CURLINFO_PRETRANSFER_TIME_T, &sent);
      if (t.reply.failure == NetFailure::bad_url && sent > 0) t.reply.failure = NetFailure::odd;
      if (code != CURLE_OK) {
        t.reply.problem = t.error.front() != '\0' ? std::string(t.error.data())
                                                  : std::string(curl_easy_strerror(code));
      }
      finish(t);
    }
  }

  void expire() {
    while (!expiries_.empty() && expiries_.begin()->first <= Clock::now()) {
      Transfer& t = *expiries_.begin()->second;
      if (t.next_expiry() > Clock::now()) {
        expiries_.erase(expiries_.begin());
        t.expiry = t.next_expiry();
        expiries_.emplace(t.expiry, &t);
        continue;
      }
      const bool is_over = t.limits->deadline <= Clock::now();
      t.reply.failure = is_over ? NetFailure::deadline : NetFailure::idle;
      t.reply.problem = is_over ? "the time for the call is up" : "no byte came for too long";
      curl_off_t sent = 0;
      curl_easy_getinfo(t.easy, CURLINFO_PRETRANSFER_TIME_T, &sent);
      if (sent <= 0 && t.limits->deadline > t.begun) {
        t.reply.failure = NetFailure::no_connection;
        t.reply.problem = "there was no connection in time";
      }
      if (t.ending <= Clock::now()) {
        t.reply.failure = NetFailure::stopped;
        t.reply.problem = "the run is being stopped";
      }
      finish(t);
    }
  }

  void finish(Transfer& t) {
    long status = 0;
    curl_easy_getinfo(t.easy, CURLINFO_RESPONSE_CODE, &status);
    t.reply.status = static_cast<int>(status);
    t.reply.latency_ms = std::chrono::duration<double, std::milli>(Clock::now() - t.begun).count();
    expiries_.erase({t.expiry, &t});
    if (t.limits->stop != nullptr) --watched_;
    curl_multi_remove_handle(t.set->multi, t.easy);
    --t.set->transfers;
    curl_easy_reset(t.easy);
    spare_.push_back(t.easy);
    t.easy = nullptr;
    // Held while it is notified: the transfer is gone as soon as its thread has seen this.
    const std::lock_guard lock(t.mutex);
    t.is_done = true;
    t.finished.notify_one();
  }

  std::vector<std::unique_ptr<Set>> sets_;
  int epoll_ = -1;
  int wake_ = -1;
  std::set<std::pair<Clock::time_point, Transfer*>> expiries_;
  int watched_ = 0;  ///< transfers that somebody may want to stop
  Clock::time_point next_look_{};
  std::vector<CURL*> spare_;
  std::optional<const char*> certificates_;  ///< certificates_elsewhere(), once it was looked for
  std::vector<Transfer*> starting_;

  std::mutex mutex_;  ///< of the two below
  std::vector<Transfer*> submitted_;
  bool stopping_ = false;
  std::thread thread_;
};

Transport::Transport() : loop_(std::make_unique<Loop>()) {}
Transport::~Transport() = default;

HttpReply Transport::perform(const HttpRequest& request, const ExchangeLimits& limits) {
  Transfer transfer;
  transfer.request = &request;
  transfer.limits = &limits;
  loop_->submit(transfer);
  std::unique_lock lock(transfer.mutex);
  transfer.finished.wait(lock, [&] { return transfer.is_done; });
  return std::move(transfer.reply);
}

std::shared_ptr<Transport> Transport::shared() {
  static std::mutex mutex;
  static std::weak_ptr<Transport> current;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Transport> transport = current.lock();
  if (transport == nullptr) current = transport = std::make_shared<Transport>();
  return transport;
}

}  // namespace agon::llm
