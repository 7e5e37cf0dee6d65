#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <agon/conversion.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "human/human.hpp"

namespace agon::agents {
namespace {

/// One sign of a text: how many bytes and columns it takes.
struct Sign {
  std::size_t bytes = 1;
  std::size_t columns = 1;
  bool wide = false;
};

/// Signs of East Asian scripts and pictures take two columns (Unicode Standard Annex 11, roughly).
bool is_wide(char32_t c) {
  constexpr std::pair<char32_t, char32_t> kWide[]{
      {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe30, 0xfe6f},
      {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
  return std::any_of(std::begin(kWide), std::end(kWide),
                     [c](const auto& range) { return c >= range.first && c <= range.second; });
}

Sign sign_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first == 0x1b) {
    const std::size_t end = text.find('m', at);
    return {end == std::string_view::npos ? 1 : end - at + 1, 0};
  }
  std::size_t bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  bytes = std::min(bytes, text.size() - at);
  char32_t value = bytes == 1 ? first : first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i)
    value = value << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
  const bool wide = is_wide(value);
  return {bytes, wide ? 2U : 1U, wide};
}

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Sign sign = sign_at(text, at);
    columns += sign.columns;
    at += sign.bytes;
  }
  return columns;
}

/// How far the lines after the first are moved right.
std::size_t indent_of(std::string_view line, std::size_t columns) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  std::size_t indent = first + (line.substr(first).starts_with("- ") ? 2 : 0);
  for (std::size_t gap = line.find("  ", first); gap != std::string_view::npos;
       gap = line.find("  ", gap)) {
    gap = std::min(line.find_first_not_of(' ', gap), line.size());
    if (const std::size_t at = width(line.substr(0, gap)); at <= columns / 2) indent = at;
  }
  return std::min(indent, columns / 2);
}

void wrap_line(std::string_view line, std::size_t columns, std::string& out) {
  if (width(line) <= columns) {
    out += line;
    return;
  }
  const std::string indent(indent_of(line, columns), ' ');
  std::size_t from = 0, used = 0, broken = 0;  // the present line's begin, and where it may end
  bool blank = true;                           // nothing but blanks so far
  const auto end_line = [&](std::size_t end) {
    out += line.substr(from, end - from);
    while (out.ends_with(' ')) out.pop_back();
    out += '\n' + indent;
    from = std::min(line.find_first_not_of(' ', end), line.size());
    used = indent.size();
    broken = 0;
  };
  for (std::size_t at = 0; at < line.size();) {
    const Sign sign = sign_at(line, at);
    if (sign.wide && at > from) broken = at;
    if (used + sign.columns > columns && line[at] != ' ' && !blank) {
      const std::size_t end = broken > from ? broken : at;
      end_line(end);
      used += width(line.substr(from, at - from));
    }
    if (line[at] == ' ') {
      if (!blank) broken = at;
    } else {
      blank = false;
    }
    used += sign.columns;
    at += sign.bytes;
  }
  out += line.substr(from);
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    wrap_line(text.substr(0, end), columns, out);
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

namespace {

constexpr int kLook = 50;  // milliseconds
constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kColumns = 80;
/// Wider lines are hard to read, and a narrower terminal is none.
constexpr std::size_t kMostColumns = 100, kLeastColumns = 20;

}  // namespace

Console::Console(int in, int out) : in_(in), out_(out) {
  terminal_ = isatty(in) == 1 && isatty(out) == 1;
  const char* plain = std::getenv("NO_COLOR");
  colour_ = terminal_ && (plain == nullptr || *plain == '\0');
}

void Console::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(out_, text.data(), text.size());
    if (n > 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && errno == EAGAIN) {
      pollfd wait{out_, POLLOUT, 0};
      poll(&wait, 1, kLook);
    } else if (n >= 0 || errno != EINTR) {
      return;  // nobody is there to read it
    }
  }
}

void Console::show(std::string_view text) {
  std::size_t columns = kColumns;
  if (winsize size{};
      terminal_ && ioctl(out_, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeastColumns)
    columns = std::min<std::size_t>(size.ws_col, kMostColumns);
  write(wrapped(text, columns));
}

std::string Console::bold(std::string_view text) const {
  return colour_ ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

std::string Console::dim(std::string_view text) const {
  return colour_ ? "\x1b[2m" + std::string(text) + "\x1b[0m" : std::string(text);
}

Console::Got Console::read_line(std::string& line, const std::function<bool()>& stop) {
  for (;;) {
    const std::size_t at = buffer_.find('\n');
    if (at != std::string::npos) {
      line.assign(buffer_, 0, at);
      buffer_.erase(0, at + 1);
      if (line.ends_with('\r')) line.pop_back();
      return Got::line;
    }
    if (ended_) {
      if (buffer_.empty()) return Got::end;
      line = std::exchange(buffer_, {});
      return Got::line;
    }
    if (stop()) return Got::stopped;
    pollfd wait{in_, POLLIN, 0};
    const int ready = poll(&wait, 1, kLook);
    if (ready < 0 && errno != EINTR) ended_ = true;
    if (ready <= 0) continue;
    std::array<char, 4096> bytes;
    const ssize_t n = ::read(in_, bytes.data(), bytes.size());
    if (n > 0)
      buffer_.append(bytes.data(), static_cast<std::size_t>(n));
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
      ended_ = true;
    if (buffer_.size() > kLongestLine && buffer_.find('\n') == std::string::npos) {
      buffer_.clear();
      ended_ = true;
    }
  }
}

void Console::drop_typed() {
  if (!terminal_) return;
  tcflush(in_, TCIFLUSH);
  buffer_.clear();
}

namespace {

constexpr std::size_t kWidestLine = 80;

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string indented(std::string_view text, std::size_t by) {
  std::string out;
  bool start = true;
  for (const char c : text) {
    if (start && c != '\n') out.append(by, ' ');
    out += c;
    start = c == '\n';
  }
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out;
}

/// "offer: give 4 coins", or the value below the name where it is too long for a line.
std::string named(const std::string& name, const Type* type, std::string_view json,
                  std::span<const std::string> seats) {
  const std::string line = plain_line(type, json, {.seats = seats});
  if (line.empty()) return name + "\n";
  if (name.size() + line.size() + 4 <= kWidestLine) return name + ": " + line + "\n";
  return name + ":\n" + indented(plain_text(type, json, {.seats = seats}), 2);
}

/// An event as the seat was told it; empty if it says nothing.
std::string heard(const Delivery& event, std::span<const std::string> seats) {
  if (event.shown() == Delivery::Shown::nothing) return {};
  const std::string text = event.shown() == Delivery::Shown::sentences
                               ? std::string(event.sentences())
                               : named(printable(event.name), event.type, event.json, seats);
  return indented((event.is_private ? "Only you are told: " : "") + text, 2);
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

Conversation::Conversation(Console& console, const OwnedQuestion& question,
                           std::shared_ptr<const Person> person, Sittings& sittings,
                           std::function<bool()> stop)
    : console_(console),
      question_(question),
      person_(std::move(person)),
      sittings_(sittings),
      stop_(std::move(stop)),
      form_(*question.answer_type, question.limits.get()) {}

std::optional<Reply> Conversation::run() {
  Reply reply;
  std::optional<std::string> json;
  const bool first = !sittings_.told_rules.contains({question_.match, question_.seat}) ||
                     (question_.attempt == 0 && question_.history.empty());
  const bool moved = hand_over();
  if (exit_ == Exit::none) {
    if (first) {
      greet();
      show_deliveries(0, true);
    } else if (question_.attempt == 0) {
      show_deliveries(question_.unseen_from, false);
    }
    if (question_.attempt > 0)
      console_.show(console_.bold("That was turned down: ") + printable(question_.complaint) +
                    "\n");
    if (first || moved || question_.attempt == 0) show_question();
    timing_.shown = now();
    json = fill();
  }
  if (!json && exit_ == Exit::stopped) {
    console_.show("\nThis question was taken back: time is up, or the match was stopped.\n");
    console_.drop_typed();
    return std::nullopt;
  }
  timing_.answered = now();
  reply.timing = timing_;
  reply.thought = thought_;
  reply.quit = !json && exit_ == Exit::quit;
  reply.declined = !json && exit_ == Exit::decline;
  if (json) reply.json = std::move(*json);
  if (reply.quit)
    console_.show(
        "You left. The match stops here; where it is kept in an archive, it can be taken up "
        "again.\n");
  return reply;
}

/// The form, and whether what ends the match is meant: a line of JSON is.
std::optional<std::string> Conversation::fill() {
  for (;;) {
    std::optional<std::string> json = form_.fill(*this);
    if (!json || trimmed(last_) == *json || !ends_match(question_, *json)) return json;
    for (bool sure = false; !sure;) {
      const auto said = ask("This ends the match for you. Send it? (yes or no)");
      if (!said) return std::nullopt;
      const std::string_view word = trimmed(*said);
      if (word == "yes" || word == "y" || word == "Yes" || word == "Y") return json;
      sure = word == "no" || word == "n" || word == "No" || word == "N";
      if (!sure && !command(word.substr(word.starts_with('/') ? 1 : 0)))
        console_.show("Please say yes or no.\n");
      if (exit_ != Exit::none) return std::nullopt;
    }
    console_.show("It was not sent. From the start.\n");
  }
}

bool Conversation::hand_over() {
  const Sittings::Seat me{question_.match, question_.seat};
  const auto before = std::exchange(sittings_.last, me);
  const bool same_person = sittings_.person == person_;
  sittings_.person = person_;
  // Who goes on to the next match may well sit elsewhere in it.
  if (!before || before == me || (before->first != me.first && same_person)) return false;
  // The last seat's private facts are still on the screen: move them out of sight.
  if (console_.is_terminal()) console_.show(std::string(60, '\n'));
  console_.show(console_.bold("=== It is " + printable(question_.seat_name) +
                              "'s turn; the others look away. ===") +
                "\n");
  if (!console_.is_terminal()) return true;
  console_.show("Press Enter when " + printable(question_.seat_name) + " sits here. ");
  std::string ignored;
  const Console::Got got = console_.read_line(ignored, stop_);
  if (got == Console::Got::end) exit_ = Exit::quit;
  if (got == Console::Got::stopped) exit_ = Exit::stopped;
  return true;
}

void Conversation::greet() {
  sittings_.told_rules.insert({question_.match, question_.seat});
  std::string title = printable(question_.title.empty() ? question_.game : question_.title);
  if (!question_.match.empty()) title += ", " + printable(question_.match);
  console_.show("\n" + console_.bold(title) + "\n");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < question_.seat_names.size(); ++i)
    if (static_cast<int>(i) != question_.seat) names.push_back(printable(question_.seat_names[i]));
  const std::string others = listed(names);
  console_.show("You are " + printable(question_.seat_name) +
                (question_.role.empty() ? "" : ", the " + printable(question_.role)) +
                (others.empty() ? "" : "; with you at the table: " + others) + ".\n" +
                (question_.persona.empty() ? "" : printable(question_.persona) + "\n") + "\n");
  show_rules();
  console_.show(console_.dim("Type help for help; where a text is asked for, /help.") + "\n");
}

void Conversation::show_rules() {
  if (question_.rules.empty()) return;
  console_.show(indented(printable(question_.rules, true), 0) + "\n");
}

void Conversation::show_deliveries(std::size_t from, bool questions) {
  std::string out;
  for (std::size_t i = from; i < question_.history.size(); ++i) {
    const Delivery& d = question_.history[i];
    if (d.what == Delivery::What::event)
      out += heard(d, question_.seat_names);
    else if (questions && d.what == Delivery::What::answer)
      out += indented(
          named("you answered " + printable(d.name), d.type, d.json, question_.seat_names), 2);
  }
  if (!out.empty()) console_.show("\n" + console_.bold("What happened:") + "\n" + out);
}

void Conversation::show_view(bool docs) {
  if (question_.view_type == nullptr) return;
  // In the game's own words; asked for by name, all there is of it.
  const std::string view = !docs && !question_.view_told.empty()
                               ? question_.view_told
                               : plain_text(question_.view_type, question_.view_json,
                                            {.docs = docs, .seats = question_.seat_names});
  if (!view.empty())
    console_.show("\n" + console_.bold("What you see now:") + "\n" + indented(view, 2));
}

void Conversation::show_question() {
  show_view(false);
  const std::string heading =
      capitalised(printable(question_.stage_doc.empty() ? question_.stage : question_.stage_doc));
  console_.show("\n" + console_.bold(heading) + "\n");
  if (question_.probe)
    console_.show(
        console_.dim("This has no effect on play; an empty line or skip passes it over.") + "\n");
  if (question_.deadline != std::chrono::steady_clock::time_point::max()) {
    const auto left =
        std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::seconds>(
                                      question_.deadline - std::chrono::steady_clock::now())
                                      .count());
    console_.show("You have about " + std::to_string(left) +
                  (left == 1 ? " second.\n" : " seconds.\n"));
  }
}

void Conversation::show_help() {
  console_.show(
      "Answer one entry after another; an empty line leaves out what may be left out.\n"
      "A line that begins with { is the whole answer as JSON.\n"
      "Commands; with a / in front where a text is asked for or a choice has the same name\n"
      "(// is a text's own first /):\n"
      "  rules     the rules of the game\n"
      "  history   all that you were told and answered\n"
      "  view      what you see now, with what it means\n"
      "  schema    the JSON Schema of the answer\n"
      "  again     fill in the form from its start\n"
      "  think: x  notes x as your private reason\n"
      "  skip      passes over a question that has no effect on play\n"
      "  quit      leaves the match, which can be taken up again\n"
      "The answer:\n" +
      indented(form_.outline(), 2));
}

void Conversation::show(std::string_view lines) {
  console_.show(lines);
}

Console::Got Conversation::line(std::string& text) {
  const Console::Got got = console_.read_line(text, stop_);
  if (got == Console::Got::line && timing_.first_input == 0) timing_.first_input = now();
  return got;
}

std::optional<std::string> Conversation::ask(std::string_view prompt) {
  std::string text;
  while (exit_ == Exit::none) {
    // In a pipe a prompt is a line like any other, so that a log of it can be read.
    console_.show(printable(prompt) + (console_.is_terminal() ? ": " : ":\n"));
    const Console::Got got = line(text);
    if (got == Console::Got::end) {
      if (console_.is_terminal()) console_.show("\n");
      exit_ = Exit::quit;
    } else if (got == Console::Got::stopped) {
      exit_ = Exit::stopped;
    } else if (trimmed(text).starts_with("think:")) {
      const std::string_view thought = trimmed(trimmed(text).substr(6));
      thought_ += (thought_.empty() ? "" : "\n") + std::string(thought);
      console_.show(console_.dim("Noted.") + "\n");
    } else if (question_.probe && fresh_ && trimmed(text).empty()) {
      exit_ = Exit::decline;
    } else {
      was_fresh_ = std::exchange(fresh_, false);
      last_ = text;
      return text;
    }
  }
  return std::nullopt;
}

bool Conversation::command(std::string_view word) {
  if (word == "help" || word == "?") {
    show_help();
  } else if (word == "rules") {
    show_rules();
  } else if (word == "history") {
    show_deliveries(0, true);
  } else if (word == "view") {
    show_view(true);
  } else if (word == "schema") {
    console_.write(schema_json(*question_.answer_type, question_.limits.get()) + "\n");
  } else if (word == "skip") {
    if (question_.probe)
      exit_ = Exit::decline;
    else
      console_.show("This question needs an answer; quit leaves the match.\n");
  } else if (word == "quit") {
    exit_ = Exit::quit;
  } else {
    return false;
  }
  fresh_ = was_fresh_;
  return true;
}

void show_endings(Console& console, std::span<const MatchEnding> endings,
                  std::span<const std::string> seat_names) {
  const bool finished =
      std::all_of(endings.begin(), endings.end(), [](const MatchEnding& e) { return e.finished; });
  std::string out;
  const MatchEnding& first = endings.front();
  for (std::size_t i = first.unseen_from; i < first.history.size(); ++i) {
    const Delivery& d = first.history[i];
    if (d.what == Delivery::What::event && (endings.size() == 1 || !d.is_private))
      out += heard(d, seat_names);
  }
  for (const MatchEnding& ending : endings) {
    if (ending.score_told.empty()) continue;
    const auto seat = static_cast<std::size_t>(ending.seat);
    const bool several = endings.size() > 1 && seat < seat_names.size();
    out += "  " + (several ? printable(seat_names[seat]) + ": " : "") + ending.score_told + "\n";
  }
  console.show("\n" +
               console.bold(finished ? "The match is over." : "The match stopped before its end.") +
               "\n" + out);
}

}  // namespace agon::agents
