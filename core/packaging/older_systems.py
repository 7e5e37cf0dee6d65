"""Makes programs and libraries that were linked on a new system run on one with glibc 2.31 and the C++ library
of g++ 10, without linking them again: their tables of symbols ask for older versions, and a library beside them
(older_systems.cpp) has what no older version has."""
import itertools
import os
import platform
import re
import struct
import tempfile

# The versions of Debian 11 and Ubuntu 20.04: what the files may ask for.
NEWEST = {"GLIBC": (2, 31), "GLIBCXX": (3, 4, 28), "CXXABI": (1, 3, 12)}
BASE = {"x86_64": "GLIBC_2.2.5"}.get(platform.machine(), "GLIBC_2.17")  # what glibc began with on this processor
OLDEST = (BASE, "GLIBCXX_3.4", "CXXABI_1.3")
LIBRARY = "agon-older.so"
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "older_systems.cpp")
PARTS = ("floating_from_chars.o", "floating_to_chars.o")  # of libstdc++.a
# The library calls older ones of the same name, so its own lack the first letter.
SHORTER = {"__libc_start_main", "pthread_cond_clockwait", "pthread_condattr_setclock"}


def is_newer(version):
    """Whether a version such as GLIBC_2.34 is of a newer system."""
    name, _, number = version.partition("_")
    return name in NEWEST and re.fullmatch(r"[\d.]+", number) is not None and \
        tuple(map(int, number.split("."))) > NEWEST[name]


class Wanted:
    """The symbols of other libraries, by version, that an ELF file of 64 bits asks for. Changes are in place."""

    VERSYM, VERNEED, DYNSYM = 0x6fffffff, 0x6ffffffe, 11  # types of sections

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.data = bytearray(file.read())
        at, = self.read("<Q", 0x28)
        size, count = self.read("<HH", 0x3A)
        sections = [self.read("<IIQQQQIIQQ", at + i * size) for i in range(count)]
        by_type = {each[1]: each for each in sections}
        self.libraries = {}  # by the place of an entry: places, indices and names of its versions
        if self.VERNEED not in by_type:
            return
        _, _, _, _, self.symbols_at, self.symbols_size, strings, *_ = by_type[self.DYNSYM]
        self.strings_at = sections[strings][4]
        self.indices_at = by_type[self.VERSYM][4]
        place, step = by_type[self.VERNEED][4], 1
        while step:
            _, count, _, first, step = self.read("<HHIII", place)
            self.libraries[place] = list(self.versions(place + first, count))
            place += step

    def read(self, format, place):
        return struct.unpack_from(format, self.data, place)

    def write(self, format, place, value):
        struct.pack_into(format, self.data, place, value)

    def text(self, offset):
        start = self.strings_at + offset
        return self.data[start:self.data.index(0, start)].decode()

    def versions(self, place, count):
        for _ in range(count):
            _, _, index, name, step = self.read("<IHHII", place)
            yield place, index, self.text(name)
            place += step

    def symbols(self, wanted):
        """With the version of an index: name, place, and place of the index."""
        for i in range(self.symbols_size // 24):
            index_at, place = self.indices_at + 2 * i, self.symbols_at + 24 * i
            if self.read("<H", index_at)[0] & 0x7fff == wanted:
                yield self.text(self.read("<I", place)[0]), place, index_at

    def newer(self):
        """Those of newer systems, as NAME@VERSION."""
        return sorted(f"{symbol}@{version}" for _, index, version in itertools.chain(*self.libraries.values())
                      if is_newer(version) for symbol, _, _ in self.symbols(index))

    def age(self, provided, moved):
        """Asks for those `provided` without a version, and for the oldest version of those `moved`; other newer
        symbols stay. Returns whether it changed."""
        changed = False
        for library, versions in self.libraries.items():
            oldest = next((index for _, index, name in versions if name in OLDEST), None)
            kept = []
            for version in versions:
                found = list(self.symbols(version[1]))
                if oldest is None or not is_newer(version[2]) or not {each[0] for each in found} <= provided | moved:
                    kept.append(version)
                    continue
                for name, place, index_at in found:
                    self.write("<H", index_at, 1 if name in provided else oldest)
                    if name in SHORTER:
                        self.write("<I", place, self.read("<I", place)[0] + 1)
            changed = changed or len(kept) < len(versions)
            self.link(library, [place for place, _, _ in kept])
        if changed:
            with open(self.path, "r+b") as file:
                file.write(self.data)
        return changed

    def link(self, library, places):
        """Makes these the versions of the library."""
        self.write("<H", library + 2, len(places))
        self.write("<I", library + 8, places[0] - library)
        for place, following in zip(places, [*places[1:], None]):
            self.write("<I", place + 12, 0 if following is None else following - place)


def build(run, compiler, wanted, out):
    """Makes the library, of those functions that are `wanted` of it; returns their names. `run` runs a tool and
    returns what it says."""
    with tempfile.TemporaryDirectory() as folder:
        parts = [os.path.join(folder, each) for each in PARTS]
        run("ar", "x", "--output", folder, run(compiler, "-print-file-name=libstdc++.a").strip(), *PARTS)
        compiled, script = os.path.join(folder, "older.o"), os.path.join(folder, "older.map")
        run(compiler, "-std=c++20", "-O2", "-fPIC", "-ffunction-sections", f'-DAGON_BASE="{BASE}"', "-c", SOURCE,
            "-o", compiled)
        defined = set(re.findall(r" [TBDW] (\S+)$", run("nm", compiled, *parts), re.MULTILINE))
        provided = wanted & (defined | SHORTER)
        names = sorted(each[1:] if each in SHORTER else each for each in provided)
        with open(script, "w", encoding="ascii") as file:
            file.write("{ global: %s; local: *; };\n" % "; ".join(names))
        # glibc 2.31 has threads and dlopen() in libraries of their own.
        run(compiler, "-shared", "-s", compiled, *parts, "-Wl,--gc-sections", f"-Wl,--version-script={script}",
            f"-Wl,-soname,{os.path.basename(out)}", "-Wl,--build-id=none", "-Wl,-z,defs", "-Wl,--no-as-needed",
            "-l:libpthread.so.0", "-l:libdl.so.2", "-o", out)
    return provided


def apply(run, compiler, files, folder):
    """Makes the files, of programs and libraries, run on older systems, with a library in the folder."""
    newer = {path: {each.split("@")[0] for each in Wanted(path).newer()} for path in files}
    out = os.path.join(folder, LIBRARY)
    provided = build(run, compiler, set().union(*newer.values()), out)
    # What glibc had from the beginning, and has by a newer version because it is in another of its libraries.
    dump = run("objdump", "-T", run(compiler, "-print-file-name=libc.so.6").strip())
    moved = set(re.findall(rf"[ (]{re.escape(BASE)}\)? +(\S+)$", dump, re.MULTILINE))
    Wanted(out).age(set(), moved)
    for path in files:
        if newer[path] & (provided | moved):
            run("patchelf", "--add-needed", LIBRARY, path)
            Wanted(path).age(provided, moved)
