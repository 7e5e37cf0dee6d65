#pragma once

#include <agon/model/kit.hpp>
#include <agon/model/tool.hpp>
#include <cstdint>
#include <span>
#include <string>

namespace agon {

/// Something that was looked at before a run.
struct Finding {
  /// How bad it is: an error stops the run before it begins.
  enum class Level : std::uint8_t { ok, warning, error };
  Level level = Level::ok;  ///< how bad
  std::string what;         ///< a sentence: "the endpoint answers", "OPENAI_API_KEY is not set"
  std::string hint{};       ///< what to do about it
};

/// What is expected of an agent in the run to come; 0: not known.
struct Expected {
  std::int64_t longest_prompt = 0;  ///< tokens, estimated
  /// The same for each of ModelAgent::other_models(); empty: not known.
  std::span<const std::int64_t> longest_of_others{};
  std::span<const ModelTool> tools{};  ///< that it offers its model; filled in by the agent
  /// The keywords that schemas of its questions may have; filled in by the agent.
  std::span<const std::string> keywords{};
  /// It draws answers from distributions, where its model gives them; filled in by the agent.
  bool draws_answers = true;
};

}  // namespace agon
