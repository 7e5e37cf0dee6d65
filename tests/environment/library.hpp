#pragma once

#include <agon/agon.h>

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"

/// The C interface as tests use it: handles that free themselves, errors as text.
namespace environment_test {

inline std::string last_error() {
  return agon_last_error();
}

struct Catalogue {
  Catalogue() { REQUIRE(agon_open(nullptr, &handle) == AGON_OK); }
  ~Catalogue() { agon_close(handle); }
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;
  agon_catalogue* handle = nullptr;
};

struct Game {
  Game(const Catalogue& catalogue, const std::string& id, const std::string& preset = "",
       const std::string& settings = "") {
    const int code =
        agon_game_open(catalogue.handle, id.c_str(), preset.c_str(), settings.c_str(), &handle);
    INFO(last_error());
    REQUIRE(code == AGON_OK);
  }
  ~Game() { agon_game_close(handle); }
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;
  [[nodiscard]] std::string describe() const {
    const char* text = nullptr;
    REQUIRE(agon_game_describe(handle, 0, &text) == AGON_OK);
    return text;
  }
  agon_game* handle = nullptr;
};

struct Env {
  explicit Env(const Game& game, const std::string& options = "") {
    const int code = agon_env_make(game.handle, options.c_str(), &handle);
    INFO(last_error());
    REQUIRE(code == AGON_OK);
  }
  ~Env() { agon_env_free(handle); }
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;

  void reset(std::uint64_t seed, std::uint64_t block = 0) const {
    REQUIRE(agon_env_reset(handle, seed, block) == AGON_OK);
  }
  [[nodiscard]] std::vector<agon_question> open() const {
    std::vector<agon_question> questions(16);
    const int n = agon_env_open(handle, questions.data(), 16);
    REQUIRE(n >= 0);
    questions.resize(static_cast<std::size_t>(n));
    return questions;
  }
  [[nodiscard]] std::string question(int i) const {
    const char* text = nullptr;
    REQUIRE(agon_env_question(handle, i, &text) == AGON_OK);
    return text;
  }
  void step() const {
    const int code = agon_env_step(handle);
    INFO(last_error());
    REQUIRE(code == AGON_OK);
  }
  void draw_all() const {
    for (int i = 0; i < static_cast<int>(open().size()); ++i)
      REQUIRE(agon_env_answer(handle, i, nullptr) == AGON_OK);
    step();
  }
  void play_through() const {
    while (!open().empty()) draw_all();
  }
  [[nodiscard]] std::vector<agon_seat_outcome> outcome() const {
    std::vector<agon_seat_outcome> seats(16);
    REQUIRE(agon_env_outcome(handle, seats.data(), nullptr) == AGON_OK);
    return seats;
  }
  [[nodiscard]] std::string record() const {
    const char* text = nullptr;
    REQUIRE(agon_env_record(handle, &text) == AGON_OK);
    return text;
  }
  agon_env* handle = nullptr;
};

}  // namespace environment_test
