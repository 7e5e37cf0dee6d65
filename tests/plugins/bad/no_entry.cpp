// A shared library, but not a plugin.
extern "C" __attribute__((visibility("default"))) int answer() {
  return 42;
}
