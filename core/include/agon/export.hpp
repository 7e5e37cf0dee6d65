#pragma once

/// @namespace agon
/// Games, agents, what they are made of, and what their plugins export.

/// Marks what crosses library borders. Plugins are built with hidden visibility, so that two of
/// them never share a symbol by accident; what the core gives them is marked with this.
#define AGON_API __attribute__((visibility("default")))
