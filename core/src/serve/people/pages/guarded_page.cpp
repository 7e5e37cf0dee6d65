#include "people/pages/guarded_page.hpp"

#include <algorithm>

#include "text/hash.hpp"
#include "text/words.hpp"

namespace agon::serve {
namespace {

/// It is nobody's origin, also where it is opened by itself.
constexpr std::string_view kPolicyOfPages =
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; media-src data:; connect-src 'none'; frame-src 'none'; worker-src 'none'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'; script-src";

/// One line, so that lines keep their numbers.
constexpr std::string_view kBeforeEachScript =
    "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', "
    "'WebTransport', 'WebSocket', 'EventSource']) try { Object.defineProperty(window, name, "
    "{ value: undefined }); } catch {} ";

std::string in_base64(const hash::Digest& digest) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  std::uint32_t bits = 0;
  int kept = 0;
  for (const std::uint8_t byte : digest) {
    bits = (bits << 8U) | byte;
    for (kept += 8; kept >= 6; kept -= 6) text += digits[(bits >> (kept - 6)) & 63U];
  }
  if (kept > 0) text += digits[(bits << (6 - kept)) & 63U];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

/// Browsers read every line break as \n before they compare digests.
std::string with_plain_breaks(std::string_view page) {
  std::string text;
  for (std::size_t i = 0; i < page.size(); ++i)
    if (page[i] != '\r')
      text += page[i];
    else if (i + 1 == page.size() || page[i + 1] != '\n')
      text += '\n';
  return text;
}

/// Where the tag ends that begins there, behind its '>'; npos: nowhere.
std::size_t end_of_tag(std::string_view html, std::size_t at) {
  char quote = 0;
  for (; at < html.size(); ++at)
    if (quote != 0)
      quote = html[at] == quote ? '\0' : quote;
    else if (html[at] == '"' || html[at] == '\'')
      quote = html[at];
    else if (html[at] == '>')
      return at + 1;
  return std::string_view::npos;
}

/// Whether a script of this tag runs: others are data.
bool is_run(std::string_view tag) {
  const std::size_t type = tag.find("type");
  return type == std::string_view::npos || tag.find("javascript", type) != std::string_view::npos ||
         tag.find("module", type) != std::string_view::npos;
}

}  // namespace

GuardedPage guarded_page(std::string_view page) {
  GuardedPage guarded{"<!doctype html>\n", std::string(kPolicyOfPages)};
  const std::string html = with_plain_breaks(page);
  const std::string lower = text::lower(html);
  bool runs = false;
  std::size_t at = 0;
  // What is read otherwise here than in a browser has another digest there, and does not run.
  for (;;) {
    const std::size_t tag = lower.find("<script", at);
    const std::size_t begin = tag == std::string::npos ? tag : end_of_tag(html, tag);
    const std::size_t end = begin == std::string::npos ? begin : lower.find("</script", begin);
    if (end == std::string::npos) break;
    guarded.html.append(html, at, begin - at);
    std::string script = html.substr(begin, end - begin);
    if (is_run(std::string_view(lower).substr(tag, begin - tag))) {
      script.insert(0, kBeforeEachScript);
      guarded.policy += " 'sha256-" + in_base64(hash::sha256(script)) + "'";
      runs = true;
    }
    guarded.html += script;
    at = end;
  }
  guarded.html.append(html, at);
  if (!runs) guarded.policy += " 'none'";
  return guarded;
}

}  // namespace agon::serve
