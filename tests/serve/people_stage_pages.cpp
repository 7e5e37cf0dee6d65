// Pages of HTML in which people answer a stage.
#include <fstream>

#include "people.hpp"
#include "people/pages/guarded_page.hpp"

using namespace people;
using archive_samples::Folder;
using boost::json::object;

namespace {

std::string scenario(const std::string& pages) {
  return R"({"game": "parley", "design": {"fixed": [["me", "rule", "rule"]],
             "seat_rotation": "as-listed"}, "pages": )" +
         pages + "}";
}

std::string problem_of(const Folder& folder, const std::string& pages) {
  try {
    Lab lab(folder.path(), R"({"participants": 1})", 1, scenario(pages), 0);
  } catch (const agon::Error& error) {
    return error.where() + ": " + error.problem();
  }
  return {};
}

std::string header(const Response& response, const std::string& name) {
  for (const auto& [own, text] : response.headers)
    if (own == name) return text;
  return {};
}

}  // namespace

TEST_CASE("a stage has a page of its own, which reaches nothing", "[serve][people]") {
  const Folder folder;
  std::ofstream(folder / "bid.html") << "<p>Bid here</p>";
  Lab lab(folder.path(), R"({"participants": 1})", 1, scenario(R"({"bid": "bid.html"})"), 0);
  Somebody who = at_question(lab);
  const value page = who.state.at("match").at("question").at("page");
  CHECK(text_of(page.at("game")) == "parley");
  CHECK(page.at("view").at("round").to_number<int>() == 0);
  CHECK(page.at("seats").as_array().size() == 3);
  REQUIRE(text_of(page.at("path")) == "stage?name=bid");
  const Response html = who.browser.get(who.base + "stage", {{"name", "bid"}});
  CHECK(html.status == 200);
  CHECK(html.body.find("<p>Bid here</p>") != std::string::npos);
  const std::string policy = header(html, "Content-Security-Policy");
  CHECK(policy.starts_with("sandbox allow-scripts; default-src 'none'"));
  CHECK(policy.find("connect-src 'none'") != std::string::npos);
  CHECK(policy.find("allow-same-origin") == std::string::npos);
  CHECK(policy.ends_with("script-src 'none'"));
  CHECK(who.browser.get(who.base + "stage", {{"name", "word"}}).status == 404);
  CHECK(who.browser.get(who.base + "stage").status == 404);
  Browser stranger(lab.router);
  CHECK(stranger.get(who.base + "stage", {{"name", "bid"}}).status == 404);
  // What it sends is an answer like any other.
  CHECK(who.say(R"({"amount": "99"})").status == 422);
  CHECK(who.say(R"({"amount": "7"})").status == 200);
  CHECK(text_of(who.until("question").at("match").at("question").at("complaint")) ==
        "seven is taboo");
}

TEST_CASE("only scripts of a stage's page run, without calls between browsers", "[serve][people]") {
  const auto guarded = agon::serve::guarded_page(
      "<SCRIPT>\r\n1\r\n</SCRIPT><script type=\"application/json\">{}</script>"
      "<script type='module' title='a > b'>2</script><script>3");
  const auto times = [](const std::string& text, const std::string& part) {
    int n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  CHECK(times(guarded.html, "RTCPeerConnection', 'webkit") == 2);
  CHECK(times(guarded.policy, "'sha256-") == 2);
  CHECK(times(guarded.policy, "'unsafe-inline'") == 1);  // of styles
  CHECK(guarded.html.find("\n1\n</SCRIPT>") != std::string::npos);
  CHECK(guarded.html.find(">{}</script>") != std::string::npos);
  CHECK(guarded.html.ends_with("<script>3"));
}

TEST_CASE("pages of stages that cannot be are refused with their place", "[serve][people]") {
  const Folder folder;
  std::ofstream(folder / "large.html") << std::string((512U << 10U) + 1, 'x');
  std::ofstream(folder / "right.html") << std::string(512U << 10U, 'x');
  std::ofstream(folder / "latin.html") << "M\xfcller";
  CHECK(problem_of(folder, R"({"bid": "right.html", "word": ""})").empty());
  const std::string large = problem_of(folder, R"({"bid": "large.html"})");
  CHECK(large.find("$.scenarios[0].pages.bid") != std::string::npos);
  CHECK(large.find("at most 512 KiB") != std::string::npos);
  CHECK(problem_of(folder, R"({"bid": "none.html"})").find("pages.bid") != std::string::npos);
  CHECK(problem_of(folder, R"({"bid": "latin.html"})").find("not valid UTF-8") !=
        std::string::npos);
  CHECK(problem_of(folder, R"({"bit": "right.html"})").find("did you mean 'bid'") !=
        std::string::npos);
}
