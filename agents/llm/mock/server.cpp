#include "llm/mock/server.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <agon/plugin_command.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include "llm/mock/batches.hpp"
#include "llm/provider/provider.hpp"

namespace agon::llm::mock {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::uint64_t kMostBody = 64U << 20U;

std::string_view view(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

class MockServer::Impl {
 public:
  explicit Impl(ServerOptions options)
      : options_(std::move(options)),
        batches_(options_.batches,
                 [this](Spoken wire, const std::string& body, const std::string& id) {
                   return reply_to_call(wire, {}, body, id);
                 }),
        acceptor_(io_) {
    if (!options_.log.empty()) {
      log_ = std::fopen(options_.log.c_str(), "ae");
      if (log_ == nullptr)
        throw Error(ErrorKind::failure, "the log cannot be written", options_.log);
    }
    error_code code;
    const tcp::endpoint place(asio::ip::address_v4::loopback(), options_.port);
    acceptor_.open(place.protocol(), code);
    acceptor_.set_option(tcp::acceptor::reuse_address(true), code);
    acceptor_.bind(place, code);
    if (!code) acceptor_.listen(4096, code);
    if (code)
      throw Error(ErrorKind::failure,
                  fmt::format("port {} cannot be listened on: {}", options_.port, code.message()),
                  {}, "port 0 takes one that is free");
    port_ = acceptor_.local_endpoint().port();
    accept();
    thread_ = std::thread([this] { io_.run(); });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    io_.stop();
    thread_.join();
    if (log_ != nullptr) std::fclose(log_);
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  /// One connection: a request, its reply, the next request.
  class Session : public std::enable_shared_from_this<Session> {
   public:
    Session(Impl& server, tcp::socket socket)
        : server_(server), socket_(std::move(socket)), timer_(server.io_) {}

    void read() {
      parser_.emplace();
      parser_->body_limit(kMostBody);
      http::async_read(socket_, buffer_, *parser_,
                       [self = shared_from_this()](error_code code, std::size_t) {
                         if (!code) self->answer();
                       });
    }

   private:
    void answer() {
      reply_ = server_.reply_to_request(parser_->get());
      if (reply_.hangs) return wait_for_end();
      if (reply_.latency_ms <= 0) return write();
      timer_.expires_after(
          std::chrono::microseconds(static_cast<std::int64_t>(reply_.latency_ms * 1000)));
      timer_.async_wait([self = shared_from_this()](error_code code) {
        if (!code) self->write();
      });
    }

    /// Nothing is said until the other side has had enough.
    void wait_for_end() {
      socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code) {});
    }

    void write() {
      const bool keeps = parser_->get().keep_alive() && !reply_.is_cut;
      response_ = Response(static_cast<http::status>(reply_.status), parser_->get().version());
      for (const auto& [name, value] : reply_.headers) response_.insert(name, value);
      if (response_.find(http::field::content_type) == response_.end())
        response_.set(http::field::content_type, "application/json");
      response_.keep_alive(keeps);
      response_.content_length(reply_.body.size());
      // Of a reply that is cut, the length is promised and half of it comes.
      if (reply_.is_cut) reply_.body.resize(reply_.body.size() / 2);
      response_.body() = std::move(reply_.body);
      http::async_write(socket_, response_,
                        [self = shared_from_this(), keeps](error_code code, std::size_t) {
                          if (!code && keeps) return self->read();
                          error_code ignored;
                          self->socket_.shutdown(tcp::socket::shutdown_both, ignored);
                        });
    }

    Impl& server_;
    tcp::socket socket_;
    asio::steady_timer timer_;
    boost::beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    CannedReply reply_;
    Response response_;
  };

  void accept() {
    acceptor_.async_accept([this](error_code code, tcp::socket socket) {
      if (!code) {
        error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Session>(*this, std::move(socket))->read();
      }
      accept();
    });
  }

  /// `id`: of a call in a batch; empty: it came by itself.
  void count(std::string_view what, const ParsedCall* call, std::uint64_t hash, int status,
             std::string_view id = {}) {
    {
      const std::lock_guard lock(mutex_);
      ++counts_[std::string(what)];
    }
    if (log_ == nullptr) return;
    JsonWriter w;
    w.open_object().name("n").number(calls_).name("what").text(what).name("status").number(status);
    w.name("model").text(call == nullptr ? "" : call->model);
    w.name("request").text(fmt::format("{:016x}", hash));
    if (!id.empty()) w.name("id").text(id);
    w.close_object();
    tell(log_, w.take() + "\n");
    std::fflush(log_);
  }

  CannedReply reply_to_request(const Request& request) {
    const std::string_view target = view(request.target());
    const std::string_view path = target.substr(0, target.find('?'));
    std::string_view key = view(request[http::field::authorization]);
    if (key.starts_with("Bearer ")) key.remove_prefix(7);
    for (const char* header : {"x-api-key", "api-key", "x-goog-api-key"})
      if (key.empty()) key = view(request[header]);
    const std::uint64_t number = requests_++;
    if (options_.before) {
      auto canned =
          options_.before({.method = std::string(view(request.method_string())),
                           .path = std::string(path),
                           .query = std::string(target.substr(path.size())),
                           .body = request.body(),
                           .authorization = std::string(key),
                           .organization = std::string(view(request["OpenAI-Organization"])),
                           .number = number});
      if (canned) {
        count("canned", nullptr, hash_of(request.body()), canned->status);
        return std::move(*canned);
      }
    }
    if (path == "/health") return {.body = R"({"status":"ok"})"};
    if (path == "/calls") return {.body = counts_json()};
    const Spoken wire = path.starts_with("/v1/messages") ? Spoken::anthropic
                        : path == "/v1/completions"      ? Spoken::completions
                        : path == "/v1/responses"        ? Spoken::responses
                        : path.starts_with("/v1beta")    ? Spoken::gemini
                                                         : Spoken::chat;
    const bool is_anthropic = wire == Spoken::anthropic;
    if (!options_.key.empty() && key != options_.key) {
      count("wrong_key", nullptr, 0, 401);
      if (wire == Spoken::gemini)
        return error_reply(wire, 400, "", "API_KEY_INVALID",
                           "API key not valid. Please pass a valid API key.");
      return error_reply(wire, 401, is_anthropic ? "authentication_error" : "invalid_request_error",
                         "invalid_api_key", "the key is not the right one");
    }
    if (auto reply = batches_.reply(view(request.method_string()), path, request.body()))
      return *std::move(reply);
    if (path == "/v1/models") return {.body = models_json()};
    if (path == "/v1beta/models") return {.body = gemini_models_json()};
    if ((wire == Spoken::chat && path != "/v1/chat/completions") ||
        (is_anthropic && path != "/v1/messages"))
      return error_reply(wire, 404, "invalid_request_error", "not_found",
                         fmt::format("there is nothing at {}", path));
    return reply_to_call(wire, path, request.body());
  }

  CannedReply reply_to_call(Spoken wire, std::string_view path, const std::string& body,
                            std::string_view id = {}) {
    const std::uint64_t hash = hash_of(body);
    const std::uint64_t number = calls_++;
    std::string wrong = "this is no call";
    std::optional<ParsedCall> call;
    if (wire != Spoken::gemini)
      call = parse_call(wire, body);
    else if (wrong = read_gemini_call(path, body, call.emplace()); !wrong.empty())
      call.reset();
    if (!call) {
      count("bad_request", nullptr, hash, 400, id);
      return error_reply(wire, 400, "invalid_request_error", "", wrong);
    }
    const bool is_there = options_.models.empty() ||
                          std::find(options_.models.begin(), options_.models.end(), call->model) !=
                              options_.models.end();
    if (!is_there) {
      count("unknown_model", &*call, hash, 404, id);
      return error_reply(wire, 404,
                         wire == Spoken::anthropic ? "not_found_error" : "invalid_request_error",
                         wire == Spoken::gemini ? "" : "model_not_found",
                         fmt::format("there is no model \"{}\"", call->model));
    }
    // The same request again draws again: else a fault would last for ever.
    const std::uint32_t again = seen_[hash]++;
    const Dice dice(combine(static_cast<std::uint64_t>(options_.mock.seed), hash), again);
    Heard heard{call->messages, call->schema, call->max_tokens, number, {}, call->tools};
    heard.choices = call->choices;
    if (call->likely > 0 || call->choices > 1) heard.labels = labels_in(call->messages);
    const Speech speech = speak(options_.mock, heard, dice);
    CannedReply reply = reply_to(*call, speech, number);
    count(name_of(speech.fate), &*call, hash, reply.status, id);
    return reply;
  }

  [[nodiscard]] std::string counts_json() const {
    JsonWriter w;
    w.open_object();
    for (const auto& [what, n] : counts()) w.name(what).number(n);
    return w.close_object().take();
  }
  [[nodiscard]] std::string models_json() const {
    JsonWriter w;
    w.open_object().name("object").text("list").name("data").open_list();
    for (const std::string& model : options_.models)
      w.open_object().name("id").text(model).name("object").text("model").close_object();
    return w.close_list().close_object().take();
  }

  [[nodiscard]] std::string gemini_models_json() const {
    JsonWriter w;
    w.open_object().name("models").open_list();
    for (const std::string& model : options_.models)
      w.open_object().name("name").text("models/" + model).close_object();
    return w.close_list().close_object().take();
  }

  ServerOptions options_;
  BatchDesk batches_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::FILE* log_ = nullptr;
  mutable std::mutex mutex_;  ///< of the counts
  std::map<std::string, std::uint64_t> counts_;
  std::uint64_t requests_ = 0;
  std::uint64_t calls_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> seen_;  ///< how often a body has come, by hash
  std::thread thread_;
};

MockServer::MockServer(ServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
MockServer::~MockServer() = default;

std::uint16_t MockServer::port() const {
  return impl_->port();
}
std::string MockServer::url() const {
  return fmt::format("http://127.0.0.1:{}", port());
}
std::map<std::string, std::uint64_t> MockServer::counts() const {
  return impl_->counts();
}

namespace {

std::uint16_t port_of(const std::string& text) {
  std::uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || stop != end)
    throw Error(ErrorKind::usage, fmt::format("'{}' is no port", text), "--port",
                "give a number from 0 to 65535; 0 takes one that is free");
  return port;
}

/// A number from 0 to `most`.
double number_of(const std::string& text, const std::string& option, double most) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || !(number >= 0 && number <= most))
    throw Error(ErrorKind::usage, fmt::format("'{}' is no number from 0 to {:g}", text, most),
                option);
  return number;
}

std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) names.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

/// The members of MockSpec are options of the same names.
const Field* member_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  for (const Field& f : type_of<MockSpec>().fields)
    if (f.name == name && f.name != "script" && f.name != "in_real_time") return &f;
  return nullptr;
}

ServerOptions options_of(std::span<const std::string> arguments) {
  ServerOptions options;
  JsonWriter mock;
  mock.open_object();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string name = arguments[i];
    std::optional<std::string> value;
    if (const std::size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    if (!name.starts_with("--"))
      throw Error(ErrorKind::usage, fmt::format("'{}' is no option", name), {},
                  "'agon mock-server --help' lists them");
    if (!value) {
      if (i + 1 == arguments.size())
        throw Error(ErrorKind::usage, fmt::format("{} needs a value", name), {},
                    "'agon mock-server --help' lists the options");
      value = arguments[++i];
    }
    if (name == "--port") {
      options.port = port_of(*value);
    } else if (name == "--log") {
      options.log = *value;
    } else if (name == "--models") {
      options.models = names_of(*value);
    } else if (name == "--key-env") {
      const char* key = std::getenv(value->c_str());
      if (key == nullptr || *key == '\0')
        throw Error(ErrorKind::usage, fmt::format("{} is not set", *value), "--key-env",
                    "export it, or name another variable");
      options.key = key;
    } else if (name == "--batch-looks") {
      options.batches.looks = static_cast<int>(number_of(*value, name, 1'000'000));
    } else if (name == "--batch-expired") {
      options.batches.expired = number_of(*value, name, 1);
    } else if (const Field* member = member_of(name.substr(2))) {
      mock.name(member->name);
      if (member->type->kind == Kind::enumeration)
        mock.text(*value);
      else
        mock.json(*value);
    } else {
      throw Error(ErrorKind::usage, fmt::format("mock-server has no option '{}'", name), {},
                  "'agon mock-server --help' lists them");
    }
  }
  if (const auto problem = read_json(options.mock, mock.close_object().take(), Missing::keeps))
    throw Error(ErrorKind::usage, problem->text(), "mock-server");
  check_mock(options.mock);
  return options;
}

int run(std::span<const std::string> arguments) {
  ServerOptions options = options_of(arguments);
  // Blocked before the server's thread begins, so that only this thread hears them.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  MockServer server(std::move(options));
  tell(stdout, server.url() + "\n");
  if (std::fflush(stdout) != 0)
    throw Error(ErrorKind::failure, "the URL cannot be written", "standard output");
  tell(stderr, fmt::format("OPENAI_BASE_URL={0}/v1, ANTHROPIC_BASE_URL={0} or "
                           "GEMINI_BASE_URL={0}/v1beta; Ctrl-C ends it\n",
                           server.url()));
  int signal = 0;
  sigwait(&set, &signal);
  return 0;
}

}  // namespace

PluginCommand server_command() {
  return {.id = "mock-server",
          .doc = "serve the mock model on loopback, in all wire formats",
          .usage =
              "[OPTION...]\n"
              "\n"
              "Options\n"
              "  --port P            on 127.0.0.1; default 0: one that is free, told on standard "
              "output\n"
              "  --log FILE          a line of JSON for each call\n"
              "  --models A,B        models that are there; default: whatever is asked for\n"
              "  --key-env NAME      ask for the key that this environment variable holds\n"
              "  --answers HOW       random (default), or first: the first that the schema allows\n"
              "  --seed N            of answers and faults; default 0\n"
              "  --latency-ms MS     median time for a reply; default 0\n"
              "  --latency-spread X  standard deviation of its logarithm; default 0\n"
              "  --help              show this help\n"
              "\n"
              "Shares of the calls that go wrong, from 0 (default) to 1\n"
              "  --rate-limited X        429 with a Retry-After of one second\n"
              "  --rate-limited-plain X  429 without one\n"
              "  --server-error X        500\n"
              "  --hang X                no reply ever\n"
              "  --cut X                 a reply that breaks off in its middle\n"
              "  --truncated X           an answer cut at the limit of tokens\n"
              "  --refused X             a refusal\n"
              "  --malformed X           an answer that is not JSON\n"
              "  --illegal X             JSON against the schema's bounds\n"
              "  --empty X               no text at all\n"
              "  --slow X                a first byte after ten times the latency\n"
              "\n"
              "Batches of OpenAI and Anthropic; the faults above apply to their calls\n"
              "  --batch-looks N         polls before a batch ends; default 0\n"
              "  --batch-expired X       share of the calls that expire; default 0\n"
              "\n"
              "Example\n"
              "  agon mock-server --port 8089 --latency-ms 200 --rate-limited 0.05",
          .run = &run};
}

}  // namespace agon::llm::mock
