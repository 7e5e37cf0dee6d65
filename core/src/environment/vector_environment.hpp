#pragma once

#include <agon/agon.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "environment.hpp"

namespace agon {

/// Many environments of one game that are stepped together, and shown as rows of the caller's
/// buffers.
class VectorEnvironment {
 public:
  /// Throws Error for options that make no sense, and for more than kMost tables.
  VectorEnvironment(const OpenGame& game, const EnvironmentOptions& options, int n,
                    const agon_vec_buffers& buffers);

  void reset(std::uint64_t seed);
  /// `places`: an answer a table, one behind another; null: drawn.
  void step(const double* places);

  static constexpr int kMost = 20'000;

 private:
  struct EnvironmentState {
    std::unique_ptr<Environment> environment;
    std::uint64_t block = 0;
    int stage = -1;               ///< shown last; -1: none
    std::uint32_t fallbacks = 0;  ///< of the seat that is asked, when it was
  };
  void begin(std::size_t i);
  void end(std::size_t i);
  void show(std::size_t i);
  /// Where to write a row of a buffer of numbers: in the buffer itself, or in `scratch`, zeros,
  /// which put() then writes as floats.
  double* row(double* buffer, std::size_t at, std::size_t width,
              std::vector<double>& scratch) const;
  void put(double* buffer, std::size_t at, std::span<const double> scratch) const;

  const OpenGame& game_;
  EnvironmentOptions options_;
  FlatStages stages_;
  SeatedAgents agents_;
  agon_vec_buffers out_;
  std::vector<EnvironmentState> tables_;
  std::vector<double> scratch_{}, high_{};
  std::uint64_t seed_ = 0;
};

}  // namespace agon
