#include "record/transcript.hpp"

#include <agon/form.hpp>
#include <algorithm>

#include "describe/skinned_types.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/utf8.hpp"

namespace agon::record {
namespace {

std::string seat_name(const std::vector<std::string>& names, int seat) {
  const auto i = static_cast<std::size_t>(seat);
  return i < names.size() ? printable(names[i]) : "seat " + std::to_string(seat);
}

/// A text of the record as it was read.
std::string in_skin(std::string_view text, const TranscriptOptions& options) {
  return options.skin == nullptr ? std::string(text) : options.skin->skin().shown(text);
}

/// A value after what it belongs to; one of several lines begins on the next.
std::string after(std::string name, const std::string& value) {
  return name + (value.starts_with('\n') ? ":" : ": ") + value;
}

/// Longer values are told over several lines.
constexpr std::size_t kWidest = 100;

std::string indented(std::string_view lines, std::size_t by = 6) {
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    out += "\n" + std::string(end == 0 ? 0 : by, ' ') + std::string(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

/// Lines after what stands before the first.
std::string hanging(std::string_view lines, std::size_t by) {
  const std::size_t end = std::min(lines.find('\n'), lines.size());
  return std::string(lines.substr(0, end)) +
         indented(lines.substr(std::min(end + 1, lines.size())), by);
}

/// On one line, or on several where it is long.
std::string value_words(const Entry& e, const RecordedTypes& recorded,
                        const TranscriptOptions& options) {
  const FindTypes& types = options.types;
  std::optional<std::string> json = recorded.json(e.shape, e.payload);
  if (!json) return "(cannot be decoded)";
  auto candidates = types ? types(e.shape) : std::vector<const Type*>();
  // Without the plugin that made it the shape itself still tells what is what.
  if (candidates.empty()) candidates.push_back(recorded.find(e.shape));
  if (options.skin != nullptr) {
    json = options.skin->shown(*candidates.front(), *json);
    for (const Type*& type : candidates) type = &options.skin->shown(*type);
  }
  if (!types) return printable(*json);
  const Type* type = candidates.front();
  const Telling all{.unshown = true, .seats = options.seat_names};
  std::string line = plain_line(type, *json, all);
  // Two types of one shape may have other units: then none is told rather than a wrong one.
  if (std::any_of(candidates.begin() + 1, candidates.end(),
                  [&](const Type* other) { return plain_line(other, *json, all) != line; })) {
    type = nullptr;
    line = plain_line(type, *json, all);
  }
  // Names and units are the plugin's or the archive's own words.
  return printable(text::width(line) <= kWidest ? line : plain_text(type, *json, all), true);
}

/// The same below the line of its entry where it takes several.
std::string value_text(const Entry& e, const RecordedTypes& recorded,
                       const TranscriptOptions& options) {
  std::string words = value_words(e, recorded, options);
  const bool fits = words.find('\n') == std::string::npos && text::width(words) <= kWidest;
  return fits || !options.types ? words : indented(words);
}

std::string audience_text(std::uint32_t audience, const std::vector<std::string>& names) {
  if (audience == ~std::uint32_t{0}) return "all";
  if (audience == 0) return "record";
  std::string text;
  for (std::size_t s = 0; s < kMaxSeats; ++s)
    if ((audience >> s & 1U) != 0)
      text += (text.empty() ? "" : ", ") + seat_name(names, static_cast<int>(s));
  return text;
}

std::string fault_name(Fault fault) {
  return std::string(name_of(fault));
}

/// What was turned down may be of any length: its beginning shows what it was.
std::string beginning_of(std::string_view payload) {
  constexpr std::size_t kMost = 400;
  if (payload.size() <= kMost) return printable(payload);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(payload[end]) & 0xC0U) == 0x80U) --end;
  return printable(payload.substr(0, end)) + " [" + std::to_string(payload.size() - end) +
         " bytes more]";
}

/// The attempts that were not taken, and why.
std::vector<std::string> turned_down(const Entry& e, const TranscriptOptions& options) {
  std::vector<std::string> all;
  for (const Attempt& a : e.attempts)
    if (!is_played(a.fault))
      all.push_back("(" + fault_name(a.fault) + "): " +
                    (a.form == Form::json ? beginning_of(in_skin(a.payload, options)) + ": " : "") +
                    printable(in_skin(a.complaint, options)));
  return all;
}

std::string remark(const Entry& e) {
  return std::string(e.forced ? " (the fallback)" : "") +
         (e.by_rules ? " (nothing else was legal: nobody was asked)" : "") +
         (e.by_substitute ? " (by the substitute)" : "");
}

std::string outcome_words(const Entry& e, const TranscriptOptions& options) {
  std::string words;
  for (int i = 0; i < e.outcome->seats(); ++i)
    words += (i == 0 ? "" : ", ") + seat_name(options.seat_names, i) + " " +
             score_text((*e.outcome)[i].score, options.score_decimals);
  return words;
}

std::string question_text(const Entry& e, const RecordedTypes& recorded,
                          const TranscriptOptions& options) {
  std::string line =
      seat_name(options.seat_names, e.seat) + " " + printable(in_skin(e.name, options));
  if (e.probe) line += " (probe)";
  for (const std::string& refused : turned_down(e, options))
    line += "\n      turned down " + refused;
  if (e.declined) return line + ": declined";
  const std::string value = value_text(e, recorded, options);
  if (e.attempts.size() > 1)
    line += (value.starts_with('\n') ? "" : "\n      ") + value;
  else
    line = after(std::move(line), value);
  line += remark(e);
  if (!e.thought.empty())
    line += "\n      thought: " + hanging(printable(in_skin(e.thought, options), true), 15);
  return line;
}

void append_outcome(std::string& out, const Outcome& outcome) {
  const auto metrics = [&](const InlineList<double, kMaxMetrics>& list) {
    out += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out += ',';
      json::append_number(out, list[i]);
    }
    out += ']';
  };
  out += "\"seats\":[";
  for (int i = 0; i < outcome.seats(); ++i) {
    if (i != 0) out += ',';
    out += "{\"score\":";
    json::append_number(out, outcome[i].score);
    out += ",\"zero\":";
    json::append_number(out, outcome[i].disagreement);
    out += ",\"one\":";
    json::append_number(out, outcome[i].ideal);
    out += ",\"rank\":";
    json::append_number(out, outcome[i].rank);
    out += ",\"metrics\":";
    metrics(outcome[i].metrics);
    out += '}';
  }
  out += "],\"metrics\":";
  metrics(outcome.match_metrics());
}

void append_member(std::string& out, const char* name, std::string_view text) {
  out += ",\"";
  out += name;
  out += "\":";
  json::append_string(out, text);
}

void append_audience(std::string& out, std::uint32_t audience) {
  out += ",\"audience\":";
  if (audience == ~std::uint32_t{0}) {
    out += "\"all\"";
  } else {
    out += '[';
    bool first = true;
    for (std::size_t s = 0; s < kMaxSeats; ++s) {
      if ((audience >> s & 1U) == 0) continue;
      if (!first) out += ',';
      first = false;
      json::append_number(out, s);
    }
    out += ']';
  }
}

/// How the question was answered, too.
void append_question(std::string& out, const Entry& e) {
  out += ",\"number\":";
  json::append_number(out, e.number);
  out += e.probe ? ",\"probe\":true" : ",\"probe\":false";
  out += e.forced ? ",\"forced\":true" : ",\"forced\":false";
  if (e.declined) out += ",\"declined\":true";
  if (e.by_rules) out += ",\"by_rules\":true";
  if (e.by_substitute) out += ",\"by_substitute\":true";
  out += ",\"attempts\":[";
  for (std::size_t i = 0; i < e.attempts.size(); ++i) {
    const Attempt& a = e.attempts[i];
    if (i != 0) out += ',';
    out += "{\"class\":";
    json::append_string(out, fault_name(a.fault));
    if (a.form == Form::json) append_member(out, "said", a.payload);
    if (a.form == Form::none && !a.payload.empty()) append_member(out, "problem", a.payload);
    if (!a.complaint.empty()) append_member(out, "complaint", a.complaint);
    out += '}';
  }
  out += ']';
  // What a record from elsewhere has in its place must not pass for entries.
  if (!e.view.empty())
    out += ",\"view\":" + (json::is_value(e.view) ? std::string(e.view) : "null");
  if (!e.thought.empty()) append_member(out, "thought", e.thought);
  if (e.remembers) append_member(out, "memo", e.memo);
}

void append_entry(std::string& out, const Entry& e, const RecordedTypes& recorded) {
  static constexpr const char* kNames[] = {"event", "question", "draw", "carry", "outcome"};
  out += "{\"entry\":\"";
  out += kNames[static_cast<std::size_t>(e.what) - static_cast<std::size_t>(Entry::What::event)];
  out += '"';
  if (e.what == Entry::What::outcome) {
    out += ',';
    append_outcome(out, *e.outcome);
    out += '}';
    return;
  }
  if (!e.name.empty()) append_member(out, "name", e.name);
  if (e.what == Entry::What::event) append_audience(out, e.audience);
  if (e.what == Entry::What::draw) {
    out += ",\"at\":[";
    for (std::size_t i = 0; i < e.at.size(); ++i) {
      if (i != 0) out += ',';
      json::append_number(out, e.at[i]);
    }
    out += ']';
    if (e.given) out += ",\"given\":true";
  }
  if (e.what == Entry::What::question || e.what == Entry::What::carry) {
    out += ",\"seat\":";
    json::append_number(out, e.seat);
  }
  if (e.what == Entry::What::question) append_question(out, e);
  if (!e.declined) {
    out += ",\"value\":" + recorded.json(e.shape, e.payload).value_or("null");
  }
  out += '}';
}

}  // namespace

std::string entry_line(const Entry& e, const RecordedTypes& recorded,
                       const TranscriptOptions& options, std::string_view telling) {
  const std::vector<std::string>& names = options.seat_names;
  switch (e.what) {
    case Entry::What::event: {
      const std::string to = "  [" + audience_text(e.audience, names) + "] ";
      if (!telling.empty()) return to + hanging(printable(telling, true), 6);
      return after(to + printable(in_skin(e.name, options)), value_text(e, recorded, options));
    }
    case Entry::What::question:
      return "  > " + question_text(e, recorded, options);
    case Entry::What::draw: {
      std::string line = "  chance: " + printable(in_skin(e.name, options));
      for (std::size_t i = 0; i < e.at.size(); ++i)
        line += (i == 0 ? " at " : ", ") + std::to_string(e.at[i]);
      return line + (e.given ? " was given as " : " drew ") + value_text(e, recorded, options);
    }
    case Entry::What::carry:
      return after("  " + seat_name(names, e.seat) + " carries on",
                   value_text(e, recorded, options));
    case Entry::What::outcome:
      return "  outcome: " + outcome_words(e, options);
  }
  return {};
}

void transcript(std::string_view record, const RecordedTypes& recorded,
                const TranscriptOptions& options,
                const std::function<void(const std::string& line)>& line) {
  std::size_t events = 0;
  each_entry(record, [&](const Entry& e) {
    std::string_view telling;
    if (e.what == Entry::What::event && events < options.tellings.size())
      telling = options.tellings[events];
    events += e.what == Entry::What::event ? 1 : 0;
    if (options.seat >= 0) {
      const bool heard = e.what == Entry::What::event && (e.audience >> options.seat & 1U) != 0;
      const bool own = (e.what == Entry::What::question || e.what == Entry::What::carry) &&
                       e.seat == options.seat;
      if (!heard && !own) return true;
    }
    line(entry_line(e, recorded, options, telling) + "\n");
    return true;
  });
}

void told(std::string_view record, const RecordedTypes& recorded, const TranscriptOptions& options,
          const std::function<bool(ToldEntry&&)>& each) {
  std::size_t events = 0;
  each_entry(record, [&](const Entry& e) {
    ToldEntry out;
    out.what = e.what;
    out.name = printable(in_skin(e.name, options));
    switch (e.what) {
      case Entry::What::event:
        out.audience = e.audience;
        if (events < options.tellings.size()) out.words = printable(options.tellings[events], true);
        ++events;
        break;
      case Entry::What::question:
        out.seat = e.seat;
        out.question = e.number;
        out.probe = e.probe;
        out.turned_down = turned_down(e, options);
        out.thought = printable(in_skin(e.thought, options), true);
        out.remark = remark(e);
        if (e.declined) out.words = "declined";
        break;
      case Entry::What::carry:
        out.seat = e.seat;
        break;
      case Entry::What::draw:
        break;
      case Entry::What::outcome:
        out.words = outcome_words(e, options);
    }
    if (out.words.empty()) out.words = value_words(e, recorded, options);
    return each(std::move(out));
  });
}

std::string entry_json(const Entry& entry, const RecordedTypes& recorded) {
  std::string out;
  append_entry(out, entry, recorded);
  return out;
}

}  // namespace agon::record
