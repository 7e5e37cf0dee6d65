#include <string>

#include "catch.hpp"
#include "text/hash.hpp"

using agon::hash::hex;
using agon::hash::sha256;
using agon::hash::Sha256;

TEST_CASE("SHA-256 agrees with the examples published with FIPS 180-4") {
  CHECK(hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex(sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                   "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu")) ==
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  CHECK(hex(sha256(std::string(1'000'000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 is right where the padding spills into another block") {
  // Computed with another implementation (OpenSSL).
  CHECK(hex(sha256(std::string(55, 'x'))) ==
        "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
  CHECK(hex(sha256(std::string(56, 'x'))) ==
        "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
  CHECK(hex(sha256(std::string(63, 'x'))) ==
        "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2");
  CHECK(hex(sha256(std::string(64, 'x'))) ==
        "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
  CHECK(hex(sha256(std::string(65, 'x'))) ==
        "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9");
  CHECK(hex(sha256(std::string(119, 'x'))) ==
        "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c");
  CHECK(hex(sha256(std::string(120, 'x'))) ==
        "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98");
}

TEST_CASE("a text hashed in parts has the digest of the whole") {
  const std::string text(200, 'q');
  for (std::size_t cut = 0; cut <= text.size(); cut += 13) {
    Sha256 hash;
    hash.update(text.substr(0, cut));
    const auto before = hash.digest();
    CHECK(before == sha256(text.substr(0, cut)));
    hash.update(text.substr(cut));
    CHECK(hash.digest() == sha256(text));
  }
}

TEST_CASE("sha256: the processor's own instructions give what the portable rounds give", "[hash]") {
  std::array<std::uint8_t, 64> block{};
  agon::hash::State any{1, 2, 3, 4, 5, 6, 7, 8}, portable = any;
  for (std::uint32_t n = 0; n < 200; ++n) {
    for (std::size_t i = 0; i < block.size(); ++i)
      block[i] = static_cast<std::uint8_t>(n * 37 + i * i * 11 + (any[i % any.size()] >> 9U));
    agon::hash::compress(any, block.data());
    agon::hash::compress_portably(portable, block.data());
    REQUIRE(any == portable);
  }
}
