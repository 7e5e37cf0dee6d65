#include "command/show_calls.hpp"

#include <fmt/format.h>

#include <agon/model/tool.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <set>

#include "archive/cell.hpp"
#include "json/write.hpp"
#include "text/utf8.hpp"

namespace agon::command {

namespace bj = boost::json;

namespace {

/// A text under a mark, indented and safe for a terminal; `limit`: of characters, 0: none.
void print_text(std::string_view mark, std::string_view text, std::size_t limit) {
  if (text.empty()) return;
  std::string safe = text::printable(text, text::Breaks::keep);
  std::size_t cut = 0;
  if (limit > 0 && safe.size() > limit) {
    // Not within a character.
    while (limit > 0 && (static_cast<unsigned char>(safe[limit]) & 0xC0U) == 0x80U) --limit;
    cut = safe.size() - limit;
    safe.resize(limit);
  }
  print_line(fmt::format("  {}", mark));
  std::size_t at = 0;
  while (at <= safe.size()) {
    const std::size_t end = std::min(safe.find('\n', at), safe.size());
    if (end > at || end < safe.size()) print_line("    " + safe.substr(at, end - at));
    at = end + 1;
  }
  if (cut > 0) print_line(fmt::format("    [{} more bytes; --full shows them]", cut));
}

std::string what_it_took(const archive::CallRow& row) {
  const ModelCall& c = row.call;
  const auto count = [](std::int64_t n) { return n < 0 ? std::string("?") : std::to_string(n); };
  std::string text = fmt::format("{} + {} tokens", count(c.usage.input), count(c.usage.output));
  if (c.usage.thought > 0) text += fmt::format(" ({} thinking)", c.usage.thought);
  text += row.cost ? ", " + archive::dollars(*row.cost) + " USD" : ", cost unknown";
  text += fmt::format(", {:.2f} s", c.latency_ms / 1000);
  if (c.waited_ms >= 10) text += fmt::format(" after {:.2f} s of waiting", c.waited_ms / 1000);
  if (c.tries > 1) text += fmt::format(", {} tries", c.tries);
  return text;
}

/// Whose call it is, at which question, what it took and what went wrong.
void print_head(const archive::CallRow& row, const archive::MatchRow& match) {
  const ModelCall& c = row.call;
  const archive::SeatRow& who = match.seats[static_cast<std::size_t>(row.seat)];
  const auto safe = [](const std::string& text) { return text::printable(text); };
  print_line("");
  print_line(
      heading(fmt::format("{}, question {}{}, {}", safe(who.name), row.question,
                          row.attempt > 0 ? fmt::format(", attempt {}", row.attempt + 1) : "",
                          safe(c.purpose))) +
      fmt::format(": {}/{}", safe(c.provider), safe(c.model)) +
      (c.served_model.empty() || c.served_model == c.model
           ? ""
           : " (served as " + safe(c.served_model) + ")"));
  print_line("  " + what_it_took(row) + (c.finish.empty() ? "" : ", ended: " + safe(c.finish)));
  if (!row.answered || c.fault != Fault::ok)
    print_line(fmt::format(
        "  {}: {}", row.answered ? "fault" : "came to nothing",
        safe(c.problem.empty()
                 ? std::string(type_of<Fault>().enumerators[static_cast<std::size_t>(c.fault)].name)
                 : c.problem)));
}

/// Refuses a call of a seat that is not there.
void check_seat(const archive::Archive& archive, const archive::MatchRow& match,
                const archive::CallRow& row) {
  if (static_cast<std::size_t>(row.seat) >= match.seats.size())
    archive.damaged("a call of a model is of a seat that the match does not have");
}

}  // namespace

void show_calls(const Invocation& call, const archive::Archive& archive,
                const archive::MatchRow& match, int seat) {
  const std::size_t limit = call.has("full") ? 0 : 2000;
  std::vector<std::set<hash::Digest>> shown(match.seats.size());
  bool any = false;
  archive.calls(&match.key.id, [&](const archive::CallRow& row) {
    if (seat >= 0 && row.seat != seat) return;
    check_seat(archive, match, row);
    any = true;
    const ModelCall& c = row.call;
    print_head(row, match);
    std::size_t before = 0;
    for (std::size_t i = 0; i < c.messages.size(); ++i) {
      if (!shown[static_cast<std::size_t>(row.seat)].insert(row.messages[i]).second) {
        ++before;
        continue;
      }
      if (before > 0) print_line(fmt::format("  [{} messages as before]", before));
      before = 0;
      print_text("> " + text::printable(c.messages[i].role), c.messages[i].text, limit);
    }
    if (before > 0) print_line(fmt::format("  [{} messages as before]", before));
    print_text("< thinking", c.reasoning, limit);
    print_text(c.finish == kToolCalls ? "< called" : "< said", c.text, limit);
  });
  if (!any) print_line("\nno model was called");
}

std::string calls_json(const archive::Archive& archive, const archive::MatchRow& match, int seat,
                       std::int64_t question) {
  bj::array calls;
  archive.calls(&match.key.id, [&](const archive::CallRow& row) {
    if ((seat >= 0 && row.seat != seat) || (question >= 0 && row.question != question)) return;
    check_seat(archive, match, row);
    const ModelCall& c = row.call;
    bj::array messages;
    for (const ChatMessage& m : c.messages)
      messages.push_back(bj::object{{"role", m.role}, {"text", m.text}});
    calls.push_back(
        bj::object{{"seat", match.seats[static_cast<std::size_t>(row.seat)].name},
                   {"question", row.question},
                   {"attempt", row.attempt},
                   {"purpose", c.purpose},
                   {"provider", c.provider},
                   {"model", c.model},
                   {"answered", row.answered},
                   {"fault", type_of<Fault>().enumerators[static_cast<std::size_t>(c.fault)].name},
                   {"problem", c.problem},
                   {"messages", std::move(messages)},
                   {"thinking", c.reasoning},
                   {"said", c.text}});
  });
  return json::write_pretty(bj::value(std::move(calls)));
}

void show_question(const archive::Archive& archive, const archive::MatchRow& match,
                   std::int64_t question) {
  bool any = false;
  archive.calls(&match.key.id, [&](const archive::CallRow& row) {
    if (row.question != question) return;
    check_seat(archive, match, row);
    any = true;
    print_head(row, match);
    for (const ChatMessage& m : row.call.messages)
      print_text("> " + text::printable(m.role), m.text, 0);
    print_text("< thinking", row.call.reasoning, 0);
    print_text(row.call.finish == kToolCalls ? "< called" : "< said", row.call.text, 0);
  });
  if (!any) print_line("\nno model was called at question " + std::to_string(question));
}

}  // namespace agon::command
