#include "security/secrets.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <agon/game.hpp>
#include <agon/secrets.hpp>
#include <algorithm>

#include "agents.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"
#include "plugin/catalogue.hpp"
#include "process/sanitized.hpp"
#include "run/runner.hpp"
#include "security/sign.hpp"

namespace {

using namespace agon::secrets;

/// As secrets::cut() does, without leaving the key to other tests.
std::string cut_of(const std::string& key, std::string text) {
  const Matcher matcher(forms_of(key));
  return matcher.cut(matcher.cut(std::move(text), 0), 3);
}

const std::string kKey = "sk-tEst/Zq7+93kd_Vm4";  // 16 letters and digits

TEST_CASE("a key is cut however it is written") {
  const std::string text = GENERATE(
      std::string("sk-tEst/Zq7+93kd_Vm4"),  // as it is
      "SK-TEST/ZQ7+93KD_VM4", "sk-test/zq7+93kd_vm4",
      "4mV_dk39+7qZ/tsEt-ks",      // from its end
      R"(sk-tEst\/Zq7+93kd_Vm4)",  // JSON
      R"(\u0073\u006b\u002D\u0074\u0045\u0073t/Zq7+93kd_Vm4)",
      R"(\u0073\u006B\u002d\u0074Est\/Zq7\u002B93kd_Vm4)",
      R"(\\u0073k-tEst\\/Zq7+93kd_Vm4)",  // twice
      R"(\u{73}k-tEst/Zq7+93kd_Vm\U00000034)", "&#115;k&#45;tEst&#x2F;Zq7&#43;93kd_Vm&#X34;",
      "&#115k-tEst&sol;Zq7&plus;93kd&lowbar;Vm4", "&amp;#115;k-tEst/Zq7+93kd_Vm&amp;amp;#52;",
      "sk%2DtEst%2FZq7%2b93kd%5FVm4", "%73%6B%2DtEst%2fZq7%2B93kd_Vm%34",
      "%2573k-tEst%252FZq7+93kd_Vm4", R"(&#92;u0073k-tEst/Zq7+93kd_V%6D4)",
      R"(\u002573k-tEst/Zq7+93kd_Vm4)",
      R"(%5Cu0073k-tEst/Zq7+93kd_Vm4)",  // in a mixture
      R"(\x73\x6b\x2d\x74Est/Zq7+93kd_Vm4)", "0x73 0x6b 0x2d 0x74 Est/Zq7+93kd_Vm4",
      "c2stdEVzdC9acTcrOTNrZF9WbTQ=",            // base64
      "Basic dTpzay10RXN0L1pxNys5M2tkX1ZtNA==",  // of "u:KEY"
      "QmVhcmVyIHNrLXRFc3QvWnE3Kzkza2RfVm00",    // of "Bearer KEY"
      "eHhzay10RXN0L1pxNys5M2tkX1ZtNA",
      "c2stdEVz\r\n  dC9acTcr\\nOTNrZF9WbTQ=", "c2stdEVzdC9acTcrOTNrZF9WbTQ\\u003d",
      "U0stVEVTVC9aUTcrOTNLRF9WTTQ=", "736b2d744573742f5a71372b39336b645f566d34",
      "73 6B 2D 74 45 73 74 2F 5A 71 37 2B 39 33 6B 64 5F 56 6D 34",
      "73:6b:2d:74:45:73:74:2f:5a:71:37:2b:39:33:6b:64:5f:56:6d:34",
      R"(\x73\x6b\x2d\x74\x45\x73\x74\x2f\x5a\x71\x37\x2b\x39\x33\x6b\x64\x5f\x56\x6d\x34)",
      "0x736b2d744573742f5a71372b39336b645f566d34", "s k - t E s t / Z q 7 + 9 3 k d _ V m 4",
      "sk-tEst/\n\tZq7+93\r\nkd_Vm4",
      R"(["s","k","-","t","E","s","t","/","Z","q","7","+","9","3","k","d","_","V","m","4"])",
      "s\u200bk-tEst/Zq7+\u00ad93kd_Vm4",
      // octal, %u, characters of full width, tags, of mathematics and in circles, base32, base64
      // twice
      R"(\163\153\55\164\105\163\164\57\132\161\67\53\71\63\153\144\137\126\155\64)",
      R"(\163k-tEst/Zq7\0539\063kd_Vm4)",
      R"(\0163\0153\0055\0164\0105\0163\0164/Zq7\00539\0063kd_Vm4)",
      "%u0073%u006B%u002D%u0074%u0045%u0073%u0074%u002F%u005A%u0071%u0037%u002B%u0039%u0033%u006B%"
      "u0064%u005F%u0056%u006D%u0034",
      "%u0073k%u002dtEst/Zq7%2B93kd_Vm4",
      "\U0000ff53\U0000ff4b\U0000ff0d\U0000ff54\U0000ff25\U0000ff53\U0000ff54\U0000ff0f\U0000ff3a"
      "\U0000ff51\U0000ff17\U0000ff0b\U0000ff19\U0000ff13\U0000ff4b\U0000ff44\U0000ff3f\U0000ff36"
      "\U0000ff4d\U0000ff14",
      "\U000e0073\U000e006b\U000e002d\U000e0074\U000e0045\U000e0073\U000e0074\U000e002f\U000e005a"
      "\U000e0071\U000e0037\U000e002b\U000e0039\U000e0033\U000e006b\U000e0064\U000e005f\U000e0056"
      "\U000e006d\U000e0034",
      "\U0001d42c\U0001d424-\U0001d42d\U0001d404\U0001d42c\U0001d42d/"
      "\U0001d419\U0001d42a\U0001d7d5+\U0001d7d7\U0001d7d1\U0001d424\U0001d41d_"
      "\U0001d415\U0001d426\U0001d7d2",
      "\U000024e2\U000024da-\U000024e3\U000024ba\U000024e2\U000024e3/"
      "\U000024cf\U000024e07+93\U000024da\U000024d3_\U000024cb\U000024dc4",
      "\\udb40\\udc73\\udb40\\udc6b\\udb40\\udc2d\\udb40\\udc74\\udb40\\udc45\\udb40\\udc73\\udb40"
      "\\udc74\\udb40\\udc2f\\udb40\\udc5a\\udb40\\udc71\\udb40\\udc37\\udb40\\udc2b\\udb40\\udc39"
      "\\udb40\\udc33\\udb40\\udc6b\\udb40\\udc64\\udb40\\udc5f\\udb40\\udc56\\udb40\\udc6d\\udb40"
      "\\udc34",
      R"(\uff53\uff4b-tEst/Zq7+93kd_Vm4)", "ONVS25CFON2C6WTRG4VTSM3LMRPVM3JU",
      "onvs25cfon2c6wtrg4vtsm3lmrpvm3ju", "EDLIQT25EDQ2UMJH6SLJICRBCHFLCR9K",
      "IJSWC4TFOIQHG2ZNORCXG5BPLJYTOKZZGNVWIX2WNU2A====",
      "YzJzdGRFVnpkQzlhY1Rjck9UTnJaRjlXYlRRPQ==", "ZFRwemF5MTBSWE4wTDFweE55czVNMnRrWDFadE5BPT0=",
      "[115, 107, 45, 116, 69, 115, 116, 47, 90, 113, 55, 43, 57, 51, 107, 100, 95, 86, 109, 52]");
  CAPTURE(text);
  const std::string left = cut_of(kKey, "before " + text + " after");
  CHECK(left.find("[key]") != std::string::npos);
  CHECK(left.starts_with("before "));
  CHECK(left.ends_with(" after"));
  CHECK(left.size() < std::string("before Basic [key] after").size() + 16);
}

TEST_CASE("base64 of the whole header gives the key away at any place") {
  // "Bearer KEY", "x KEY" and "KEY".
  for (const char* text : {"QmVhcmVyIHNrLXRFc3QvWnE3Kzkza2RfVm00",
                           "eCBzay10RXN0L1pxNys5M2tkX1ZtNA==", "c2stdEVzdC9acTcrOTNrZF9WbTQ="}) {
    CAPTURE(text);
    CHECK(cut_of(kKey, text).find("[key]") != std::string::npos);
  }
  // The alphabet of URLs: what it has for + and /.
  const std::string key = "~~~~ab>>>>cd????efgh9876";
  CHECK(cut_of(key, "fn5-fmFiPj4-PmNkPz8_P2VmZ2g5ODc2") == "[key]");
  CHECK(cut_of(key, "fn5+fmFiPj4+PmNkPz8/P2VmZ2g5ODc2") == "[key]");
}

TEST_CASE("base64 of base64 leaves nothing of the key at either end") {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto base64 = [&](const std::string& bytes) {
    std::string out;
    for (std::size_t at = 0; at < bytes.size() * 8; at += 6) {
      unsigned digit = 0;
      for (std::size_t i = at; i < at + 6; ++i) {
        const unsigned byte = i / 8 < bytes.size() ? static_cast<unsigned char>(bytes[i / 8]) : 0;
        digit = digit << 1U | ((byte >> (7 - i % 8)) & 1U);
      }
      out += kAlphabet[digit];
    }
    return out;
  };
  for (std::size_t before = 0; before < 12; ++before) {
    const std::string text = base64(base64(std::string(before, 'x') + kKey + std::string(12, 'y')));
    CAPTURE(before, text);
    const std::string left = cut_of(kKey, text);
    const std::size_t at = left.find("[key]");
    REQUIRE(at != std::string::npos);
    // In bits: what the first encoding made of the key, of the second one.
    const std::size_t begin = before * 8 / 6 * 8;
    const std::size_t end = ((before + kKey.size()) * 8 + 5) / 6 * 8;
    CHECK(at * 6 <= begin);
    CHECK((text.size() - (left.size() - at - 5)) * 6 >= end);
  }
}

TEST_CASE("half of a long key is cut as well, a few characters are not") {
  const std::string key = "sk-abcdefghijklmnopqrstuvwxyz0123456789";
  CHECK(cut_of(key, "sk-abcdefghijklmn and opqrstuvwxyz0123456789") == "[key] and [key]");
  CHECK(cut_of(key, "defghijklmnopqrs") == "[key]");  // 16
  CHECK(cut_of(key, "defghijklmnopqr") == "defghijklmnopqr");
  CHECK(cut_of(key, "sk-abc***789") == "sk-abc***789");
  CHECK(cut_of(key, key + key + "," + key) == "[key],[key]");
}

TEST_CASE("what an escape seems to be may be a part of the key") {
  const std::string key = R"(ab%41cd\u0042ef&#67;gh)";
  CHECK(cut_of(key, "x " + key + " y") == "x [key] y");
  CHECK(cut_of(key, R"({"k":"ab%2541cd\\u0042ef&amp;#67;gh"})") == R"({"k":"[key]"})");
  CHECK(cut_of("tok3n-abcdefgh", R"(x\\\u0074ok3n-abcdefgh)") == "x\\\\[key]");
  // Nor does what stands before the key hide it.
  CHECK(cut_of("ab12cd34ef56", "100%ab12cd34ef56") == "100%[key]");
  CHECK(cut_of("1234abcdefgh", R"(\u1234abcdefgh)") == R"(\u[key])");
}

TEST_CASE("a short key is cut as a whole word, and nothing else is") {
  CHECK(cut_of("ab-c12", "ab-c12, AB-C12 \"ab-c12\"") == "[key], [key] \"[key]\"");
  CHECK(cut_of("ab-c12", "xab-c12 ab-c123 abc12 ab_c12") == "xab-c12 ab-c123 abc12 ab_c12");
  CHECK(cut_of("abc1", "a bc1, abc 1") == "a bc1, abc 1");
  CHECK(cut_of("abc1", R"(\u0061bc1 %61bc%31\n)") == R"([key] [key]\n)");
  CHECK(cut_of("abc1", "61626331 61 62 63 31 YWJjMQ== QmVhcmVyIGFiYzE= qmvhcmvyigfiyze=") ==
        "[key] [key] [key]Q== QmVhcmVyIG[key]E= qmvhcmvyigfiyze=");
}

TEST_CASE("a key of digits is not looked for in lists of numbers") {
  CHECK(cut_of("12345678", "12345678 and 1234 5678") == "[key] and [key]");
  CHECK(cut_of("12345678", R"({"bids":[1,2,3,4,5,6,7,8]})") == R"({"bids":[1,2,3,4,5,6,7,8]})");
}

TEST_CASE("texts without the key are left as they are, byte by byte") {
  std::string bytes;
  for (int i = 0; i < 70000; ++i) bytes += static_cast<char>(i * 7919 >> 3);
  CHECK(cut_of(kKey, bytes) == bytes);
  for (const char* text : {"", "%", "%7", "\\", "\\u", "\\u00", "&", "&#", "&#x", "&#;", "&amp",
                           "0x", "0x7", "\\u{", "\\x7"})
    CHECK(cut_of(kKey, text) == text);
}

TEST_CASE("keys that cannot be cut are told from those that need not be") {
  for (const char* key : {"", "a", "abc", "1234567", "--a-", "123-456"})
    CHECK(kind_of(key) == KeyKind::too_short);
  for (const char* key : {"EMPTY", "none", "ollama", "lm-studio", "any"})
    CHECK(kind_of(key) == KeyKind::placeholder);
  for (const char* key : {"abcd", "12345678", "a234567", "sk-1"})
    CHECK(kind_of(key) == KeyKind::secret);
}

TEST_CASE("what was added is cut from then on, and no core is written any more") {
  // As on a machine that writes cores, and readable by other programs of the same user.
  rlimit limit{1 << 20, RLIM_INFINITY};
  REQUIRE(getrlimit(RLIMIT_CORE, &limit) == 0);
  if (limit.rlim_max > 0) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 1 << 20);
    REQUIRE(setrlimit(RLIMIT_CORE, &limit) == 0);
  }
  REQUIRE(prctl(PR_SET_DUMPABLE, 1) == 0);
  const std::string text = "unit-secret-Qw8rTz5u, EMPTY, and ollama";
  CHECK(cut(text) == text);
  add("EMPTY");
  CHECK(cut(text) == text);
  add("unit-secret-Qw8rTz5u");
  CHECK(cut(text) == "[key], EMPTY, and ollama");
  add("other-secret-Lk2mNb7v");
  CHECK(cut("unit-secret-Qw8rTz5u other-secret-Lk2mNb7v") == "[key] [key]");
  CHECK(cut("unit-secret%2DQw8rTz5u") == "[key]");
  CHECK(cut("unit-secret\\u002DQw8rTz5u") == "[key]");
  CHECK(cut("unit-secret&#45;Qw8rTz5u") == "[key]");
  REQUIRE(getrlimit(RLIMIT_CORE, &limit) == 0);
  CHECK(limit.rlim_cur == 0);
  if (!agon::kSanitized) CHECK(prctl(PR_GET_DUMPABLE) == 0);
  prctl(PR_SET_DUMPABLE, 1);
}

struct Nothing {};
AGON_DESCRIBE(Nothing)

agon::Outcome nothing(agon::Table<>, const Nothing&) {
  return {{.score = 1}};
}

TEST_CASE("a run's row in an archive has no key, whatever a suite and a command hold") {
  const std::string key = "row-secret-Hj4sVc9x";
  add(key);
  agon::Catalogue catalogue;
  agon::agents::enter(catalogue);
  catalogue.add(agon::game<&nothing>("one", {.title = "One", .seats = {1, 1}, .rules = "None."}));
  agon::Suite suite = agon::Suite::parse(
      catalogue, R"({"agents": {"a": "random"}, "scenarios": [{"game": "one"}]})", "s.json", {});
  // As if what reads suites had let it through.
  suite.text += "\n// " + key;
  suite.name = key;
  const archive_samples::Folder folder;
  agon::RunOptions options;
  options.archive = folder / "run.agon";
  options.jobs = 1;
  options.quiet = true;
  options.command = R"(["agon", "run", "--key", ")" + key + R"("])";
  int looks = 0;
  const auto look = [&] {
    const auto archive = agon::archive::Archive::open(options.archive);
    const auto runs = archive.runs();
    REQUIRE(runs.size() == 1);
    ++looks;
    for (const std::string& text :
         {archive.content(runs[0].suite_file.value()).value(), runs[0].command, runs[0].manifest}) {
      INFO(text);
      CHECK(text.find(key) == std::string::npos);
      CHECK(text.find("[key]") != std::string::npos);
    }
  };
  // While it is played and in the end, when the manifest is written again.
  options.on_match = [&](const auto&, const auto&, const auto&, const auto&) { look(); };
  (void)agon::run_suite(suite, catalogue, options);
  look();
  CHECK(looks == 2);
}

}  // namespace
