#pragma once

/// Marks what the core library shows to plugins. Everything else is built with hidden visibility,
/// so that two plugins never share a symbol by accident.
#define AGON_API __attribute__((visibility("default")))
