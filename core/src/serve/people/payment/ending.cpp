#include "people/payment/ending.hpp"

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "text/percent.hpp"

namespace agon::serve {
namespace {

struct KindOfEnd {
  EndReason why;
  StudyOutcome outcome;
  std::string_view text;
};
constexpr std::array kEnds{
    KindOfEnd{EndReason::done, StudyOutcome::complete, "server.end_done"},
    KindOfEnd{EndReason::waited, StudyOutcome::waited, "server.end_waited"},
    KindOfEnd{EndReason::closed, StudyOutcome::complete, "server.end_closed"},
    KindOfEnd{EndReason::no_match, StudyOutcome::complete, "server.end_none"},
    KindOfEnd{EndReason::declined, StudyOutcome::no_consent, "server.end_declined"},
    KindOfEnd{EndReason::left, StudyOutcome::left, "server.end_left"},
    KindOfEnd{EndReason::gone, StudyOutcome::timed_out, "server.end_gone"},
    KindOfEnd{EndReason::dropped, StudyOutcome::left, "server.end_dropped"},
    KindOfEnd{EndReason::screened_out, StudyOutcome::screened_out, "server.end_screened_out"},
};

/// Characters beside letters and digits that stay as they are (RFC 3986, section 2.3).
constexpr std::string_view kUnreserved = "-_.~";

const KindOfEnd& kind_of_end(EndReason why) {
  for (const KindOfEnd& kind : kEnds)
    if (kind.why == why) return kind;
  return kEnds.front();
}

const std::optional<std::string>& text_for(const suite_file::TextsByOutcome& texts,
                                           StudyOutcome outcome) {
  switch (outcome) {
    case StudyOutcome::complete:
      return texts.complete;
    case StudyOutcome::waited:
      return texts.waited ? texts.waited : texts.complete;
    case StudyOutcome::screened_out:
      return texts.screened_out;
    case StudyOutcome::timed_out:
      return texts.timed_out;
    case StudyOutcome::no_consent:
      return texts.no_consent;
    case StudyOutcome::left:
      return texts.left;
  }
  return texts.left;
}

/// Nothing of one text for all outcomes is for those who did not agree: they did not take part.
std::optional<std::string> text_for(const suite_file::TextByOutcome& texts,
                                    const ParticipantRow& who) {
  const std::optional<StudyOutcome> outcome = outcome_of(who);
  if (const auto* one = std::get_if<std::string>(&texts)) {
    if (outcome == StudyOutcome::no_consent) return {};
    return *one;
  }
  if (!outcome) return {};
  return text_for(std::get<suite_file::TextsByOutcome>(texts), *outcome);
}

}  // namespace

std::optional<StudyOutcome> outcome_of(const ParticipantRow& who) {
  if (!who.end) return {};
  const StudyOutcome outcome = kind_of_end(*who.end).outcome;
  return outcome == StudyOutcome::complete && who.instructed == 0 ? StudyOutcome::left : outcome;
}

std::string_view end_text(EndReason why) {
  return kind_of_end(why).text;
}

std::optional<std::string> code_of(const suite_file::People& people, const ParticipantRow& who) {
  return text_for(people.code ? *people.code : suite_file::TextByOutcome(who.code), who);
}

std::optional<std::string> return_address(const suite_file::People& people,
                                          const ParticipantRow& who) {
  if (!people.return_to) return {};
  const std::optional<std::string> code = code_of(people, who);
  // Who did not agree goes back where there is a code for that.
  const auto* one = std::get_if<std::string>(&*people.return_to);
  const std::optional<std::string> address =
      one != nullptr && code ? std::optional(*one) : text_for(*people.return_to, who);
  if (!address) return {};
  boost::json::object values;
  if (!who.panel_parameters.empty())
    values = json::parse(who.panel_parameters, "panel").as_object();
  values["code"] = code.value_or("");
  // In one pass: what comes with a person is no place for something else.
  std::string filled;
  for (std::size_t at = 0; at < address->size();) {
    const std::size_t end = (*address)[at] == '{' ? address->find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      filled += (*address)[at++];
      continue;
    }
    const boost::json::value* value = values.if_contains(address->substr(at + 1, end - at - 1));
    if (value != nullptr && value->is_string())
      filled += text::percent_encoded(value->as_string(), kUnreserved);
    at = end + 1;
  }
  return filled;
}

}  // namespace agon::serve
