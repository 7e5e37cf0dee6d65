#pragma once

#include "stats/contrast_estimates.hpp"

namespace agon::stats {

using BootstrapProblem = ContrastProblem;
using StudentisedBootstrap = ContrastEstimates;

}  // namespace agon::stats
