#include "http/assets.hpp"

#include <agon/error.hpp>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "http/server.hpp"
#include "people/pages/pages.hpp"
#include "support/folders.hpp"
#include "support/web_client.hpp"
#include "text/hash.hpp"

using namespace agon;
using namespace agon::serve;

TEST_CASE("What is vendored is what it was", "[serve]") {
  const Asset* sums = asset("vendor/SHA256SUMS");
  REQUIRE(sums != nullptr);
  std::istringstream lines{std::string(sums->bytes)};
  std::string digest, name;
  int files = 0;
  while (lines >> digest >> name) {
    ++files;
    const Asset* file = asset("vendor/" + name);
    REQUIRE(file != nullptr);
    CHECK(hash::hex(hash::sha256(file->bytes)) == digest);
  }
  CHECK(files >= 1);
  REQUIRE(asset("vendor/LICENSES.md") != nullptr);
  CHECK_THAT(std::string(asset("vendor/LICENSES.md")->bytes),
             Catch::Contains("Apache License") && Catch::Contains("The MIT License (MIT)") &&
                 Catch::Contains("Copyright (c) 2015-present Jason Miller"));
}

TEST_CASE("Every file of the pages is compiled in as it is", "[serve]") {
  const std::filesystem::path folder = test::source_folder() / "core/src/serve/page";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string name = entry.path().lexically_relative(folder).string();
    INFO(name);
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const Asset* file = asset(name);
    REQUIRE(file != nullptr);
    CHECK(file->bytes == bytes);
  }
  CHECK(files >= 3);
  CHECK(asset("report/matches.js") != nullptr);
  CHECK(asset("") == nullptr);
  CHECK(asset("vendor") == nullptr);
}

TEST_CASE("Assets are asked about and sent again only where they changed", "[serve]") {
  Router router;
  add_assets(router);
  const Server server({}, [&](Exchange exchange) { router.handle(std::move(exchange)); });
  WebClient browser(server.port());
  const auto first = browser.ask(browser.get("/assets/vendor/preact.js"));
  CHECK(first.status == 200);
  CHECK(first.header("content-type") == "text/javascript; charset=utf-8");
  CHECK(first.header("cache-control") == "no-cache");
  REQUIRE(asset("vendor/preact.js") != nullptr);
  CHECK(first.body == asset("vendor/preact.js")->bytes);
  const std::string etag = first.header("etag");
  CHECK(etag.size() == 34);
  CHECK(browser.ask(browser.get("/assets/vendor/preact.js", "If-None-Match: W/" + etag + "\r\n"))
            .status == 304);
  CHECK(
      browser.ask(browser.get("/assets/vendor/preact.js", "If-None-Match: \"other\"\r\n")).status ==
      200);
  CHECK(browser.ask(browser.get("/favicon.ico")).header("content-type") == "image/svg+xml");
  CHECK(browser.ask(browser.get("/assets/")).status == 404);
  CHECK(browser.ask(browser.get("/assets/nothing.js")).status == 404);
  CHECK(browser.ask(browser.get("/assets")).status == 404);
  CHECK(browser.ask(browser.post("/assets/vendor/preact.js", "{}")).status == 405);
}

TEST_CASE("A QR code is a picture of squares alone", "[serve]") {
  const std::string svg = qr_svg("https://lab.example.org/join/abc");
  CHECK_THAT(svg, Catch::StartsWith("<svg xmlns=") && Catch::EndsWith("</svg>"));
  CHECK(svg.find("style") == std::string::npos);
  CHECK(svg.find("lab.example.org") == std::string::npos);
  // 32 bytes with medium correction are version 3, of 29 modules, and margins.
  CHECK_THAT(svg, Catch::Contains("viewBox=\"0 0 37 37\""));
  // The corners of three finder patterns are dark; the fourth corner has none.
  for (const std::string corner : {"M4 4h", "M10 4h", "M26 4h", "M4 26h", "M32 4h", "M4 32h"})
    CHECK_THAT(svg, Catch::Contains(corner));
  CHECK(svg.find("M5 5h") == std::string::npos);
  CHECK(svg != qr_svg("https://lab.example.org/join/abd"));
  CHECK_THROWS_WITH(qr_svg(std::string(5000, 'x')), Catch::Contains("does not hold"));
}
