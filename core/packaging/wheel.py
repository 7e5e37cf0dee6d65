#!/usr/bin/env python3
"""Makes the wheel of Agon from a build: command, plugins, libraries and the Python module, with all that they
link to but glibc and the C++ library, whose versions may be older than here (older_systems.py).

    core/packaging/wheel.py build    # the same as: ninja -C build wheel

It is the same, byte by byte, whenever it is made of the same files. Needs patchelf, libdeflate-tools, and
Debian's package database for the licences.
"""
import argparse
import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import older_systems

NAME = "agon_arena"
TREE = f"{NAME}/tree"
# Of an installation: the rest is for plugins in C++, shells, and readers of documents.
TAKEN = ("bin", "include", "lib", "share/agon")
HEADER = "agon/agon.h"
LEFT_OUT = ("lib/cmake", "lib/python3", "lib/pkgconfig")

# What every Linux with a Python has.
SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl|nsl|nss_.*|stdc\+\+|gcc_s))\.so")

# Debian's libcurl also speaks RTMP, LDAP and SSH, signs in by Kerberos, and reads names with other letters
# than ASCII's. Agon lets it speak HTTP and HTTPS alone, to names in ASCII, without cookies, and asks for no
# compression but gzip's: it never calls these libraries, which with those that they need would be a quarter
# of the wheel. Libraries of the same names, whose functions only fail, take their places.
UNUSED = re.compile(r"lib(rtmp|ldap|lber|ssh2|gssapi_krb5|psl|idn2|zstd|brotlidec)[-.]")
FAILURES = {"gss_": 13 << 16, "idn2_lookup": -1}  # what a function returns, by the front of its name; else 0

SCRIPT = '''\
#!python
import importlib.util
import os
import sys

beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if os.path.isdir(os.path.join(beside, "agon_arena")):  # by `pip install --target`: Python does not look there
    sys.path.insert(0, beside)
# Not the module itself, which takes longer than the command.
spec = importlib.util.find_spec("agon_arena")
sys.modules[spec.name] = importlib.util.module_from_spec(spec)
from agon_arena.__main__ import main

main()
'''

METADATA = """\
Metadata-Version: 2.1
Name: agon-arena
Version: {version}
Summary: An arena for economic games: language models, rule agents, people and programs play the same matches
License: Apache-2.0
Requires-Python: >=3.9
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering
Description-Content-Type: text/markdown

`agon` is the command, and so is `python -m agon_arena`. In Python: `import agon_arena as agon`.

The wheel has all that both need but glibc, libstdc++ and a Python; licences of the libraries are in its metadata.
"""


class Unmade(Exception):
    """Why there is no wheel, and what to do."""


def run(*words):
    """What a tool says."""
    try:
        return subprocess.run(words, check=True, capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C"}).stdout
    except FileNotFoundError:
        package = {"objdump": "binutils", "strip": "binutils"}.get(words[0], words[0])
        raise Unmade(f"there is no program '{words[0]}' here; on Debian: apt install {package}") from None
    except subprocess.CalledProcessError as error:
        raise Unmade(f"{' '.join(words)}: {error.stderr.strip()}") from None


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path):
    return re.findall(r"NEEDED +(\S+)", run("objdump", "-p", path))


def symbols(path, undefined):
    """Names of functions and variables that it takes from others, or that it has for them."""
    lines = run("objdump", "-T", path).splitlines()
    return {line.split()[-1] for line in lines if len(line.split()) > 4 and ("*UND*" in line) == undefined}


def copy_tree(source, target):
    """The installed files that a wheel has, each once: it has no links."""
    for top in TAKEN:
        if not os.path.isdir(os.path.join(source, top)):
            raise Unmade(f"{source} has no {top}: build all first")
        for folder, folders, files in os.walk(os.path.join(source, top)):
            inside = os.path.relpath(folder, source)
            folders[:] = [each for each in folders
                          if each != "__pycache__" and os.path.join(inside, each) not in LEFT_OUT]
            os.makedirs(os.path.join(target, inside), exist_ok=True)
            for name in files:
                path = os.path.join(folder, name)
                if inside == "lib" and ".so" in name:
                    name = library_name(source, path)
                shutil.copy(path, os.path.join(target, inside, name))
    shutil.copytree(os.path.join(source, "share/agon/python", NAME), os.path.dirname(target), dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__pycache__"))


def library_name(tree, path):
    """The one of a library's names by which it is looked for: by programs, or, where it has none with a
    version, by programs that load it."""
    plain = os.path.basename(path).split(".so")[0] + ".so"
    if os.path.exists(os.path.join(tree, "lib", plain)):
        return plain
    return re.search(r"SONAME +(\S+)", run("objdump", "-p", path)).group(1)


class Libraries:
    """The libraries of the system that the tree in a folder is linked to."""

    def __init__(self, tree, source):
        self.places = {}  # by name: as the linker finds them for what is installed
        self.licensed = set()
        self.taken = set()  # names of copies
        self.stood_in = {}  # by name: the libraries that use it
        self.folder = os.path.join(tree, "lib")
        for folder, _, files in os.walk(source):
            for path in (os.path.join(folder, name) for name in files):
                if is_elf(path):
                    self.places.update(re.findall(r"(\S+) => (/\S+)", run("ldd", path)))

    def take(self, program):
        """Copies what the program needs, and what that needs."""
        for name in needed(program):
            copy = os.path.join(self.folder, name)
            if SYSTEM.match(name):
                continue
            if UNUSED.match(name) and os.path.basename(program).startswith("libcurl."):
                self.stood_in.setdefault(name, []).append(program)
                continue
            if os.path.exists(copy):
                continue
            if name not in self.places:
                raise Unmade(f"{program} needs {name}, which is not on this system")
            real = os.path.realpath(self.places[name])
            self.licensed.add(package_of(real))
            self.taken.add(name)
            shutil.copyfile(real, copy)
            os.chmod(copy, 0o644)
            run("strip", "--strip-unneeded", copy)
            run("patchelf", "--set-rpath", "$ORIGIN", copy)
            self.take(copy)

    def stand_in(self, compiler):
        """Makes the libraries that take the places of the unused ones."""
        for name, users in self.stood_in.items():
            if os.path.exists(os.path.join(self.folder, name)):  # something else needs it
                continue
            real = self.places[name]
            wanted = sorted(set().union(*(symbols(user, True) for user in users)) & symbols(real, False))
            source, versions = "", {}
            for symbol in wanted:
                value = next((each for front, each in FAILURES.items() if symbol.startswith(front)), 0)
                source += f"long {symbol}(void) {{ return {value}; }}\n"
            for line in run("objdump", "-T", real).splitlines():
                words = line.split()
                if words and words[-1] in wanted and words[-2] not in ("Base", words[-1]):
                    versions.setdefault(words[-2].strip("()"), []).append(words[-1])
            with tempfile.TemporaryDirectory() as folder:
                code, script = os.path.join(folder, "unused.c"), os.path.join(folder, "unused.map")
                write(code, source.encode())
                write(script, "".join(f"{version} {{ {'; '.join(sorted(found))}; }};\n"
                                      for version, found in sorted(versions.items())).encode())
                options = [f"-Wl,--version-script={script}"] if versions else []
                run(compiler, "-x", "c", "-Os", "-fPIC", "-fno-builtin", "-shared", "-nostdlib", "-s",
                    "-Wl,--build-id=none", f"-Wl,-soname,{name}", *options, code, "-o",
                    os.path.join(self.folder, name))


    def rename(self, files):
        """Gives them names of their own: a process has one library of a name, and what is stood in for
        here is used by others, such as matplotlib."""
        own = {name: f"agon-{name}" for name in [*self.taken, *self.stood_in]}
        for path in sorted(files):
            options = [word for name in sorted(set(needed(path)) & own.keys())
                       for word in ("--replace-needed", name, own[name])]
            if options:
                run("patchelf", *options, path)
            name = os.path.basename(path)
            if name in own and os.path.dirname(path) == self.folder:
                run("patchelf", "--set-soname", own[name], path)  # with the others, patchelf mixes names up
                os.rename(path, os.path.join(self.folder, own[name]))


def package_of(path):
    """The package of Debian that a file belongs to; either name of a folder that is merged into /usr counts."""
    for each in (path, path.replace("/usr/lib/", "/lib/", 1), "/usr" + path):
        try:
            return run("dpkg", "--search", each).split(":")[0]
        except Unmade as error:
            if "no path found" not in str(error):
                raise
    raise Unmade(f"{path} is of no package of Debian, so its licence is not known; install the library from Debian")


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def elf_files(folder):
    for inside, _, files in os.walk(folder):
        yield from (path for path in (os.path.join(inside, name) for name in files) if is_elf(path))


def glibc_of(folder):
    """The version of the newest symbol of glibc that a file asks for; at least that of Debian 11."""
    versions = {older_systems.NEWEST["GLIBC"]}  # not tested on older ones
    for path in elf_files(folder):
        found = re.findall(r"\bGLIBC_(\d+)\.(\d+)", run("objdump", "-p", path))
        versions.update((int(major), int(minor)) for major, minor in found)
    return max(versions)


def add_metadata(folder, version, licensed, tree):
    """Writes the folder of metadata, but for the list of files, and the script; returns tag and folder."""
    info = f"{NAME}-{version}.dist-info"
    tag = "py3-none-manylinux_%d_%d_%s" % (*glibc_of(folder), platform.machine())
    texts = {f"{info}/METADATA": METADATA.format(version=version),
             f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: agon {version}\nRoot-Is-Purelib: false\nTag: {tag}\n",
             f"{NAME}-{version}.data/scripts/agon": SCRIPT}
    for name, text in texts.items():
        write(os.path.join(folder, name), text.encode())
    os.chmod(os.path.join(folder, f"{NAME}-{version}.data/scripts/agon"), 0o755)
    licences = {open_text(os.path.join(tree, "share/doc/agon/copyright")): ["agon"]}
    for package in sorted(licensed):
        licences.setdefault(open_text(f"/usr/share/doc/{package}/copyright"), []).append(package)
    for text, packages in licences.items():
        write(os.path.join(folder, info, "licenses", "+".join(packages), "copyright"), short(text).encode())
    return tag, info


def open_text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        raise Unmade(f"the licence {path} is missing") from None


def short(licence):
    """Debian says of each file of Boost whose it is, in 2 MB. Its licence asks for no notice with machine code."""
    paragraphs = licence.split("\n\n")
    if len(licence) < 1 << 20:
        return licence
    return "\n\n".join(each for each in paragraphs if not each.lstrip().startswith("Files:"))


class Deflated:
    """Compresses one file as zlib does, in 4% less space."""

    def compress(self, data):
        try:
            packed = subprocess.run(("libdeflate-gzip", "-12", "-c"), input=data, check=True, capture_output=True).stdout
        except FileNotFoundError:
            raise Unmade("there is no program 'libdeflate-gzip' here; on Debian: apt install libdeflate-tools") from None
        if packed[3] != 0:  # the header has more than its ten bytes
            raise Unmade("libdeflate-gzip writes a header of another kind; the wheel was made with version 1.14")
        return packed[10:-8]

    def flush(self):
        return b""


def pack(folder, info, path):
    """Writes the files and the list of them, in an order and with times that are always the same."""
    names = sorted(os.path.relpath(os.path.join(inside, name), folder)
                   for inside, _, files in os.walk(folder) for name in files)
    record = []
    with zipfile.ZipFile(path, "w") as wheel:
        def add(name, data, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry._compresslevel = 9
            with wheel.open(entry, "w") as out:
                out._compressor = Deflated() if len(data) > 4096 else out._compressor  # zipfile takes no other
                out.write(data)
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")
            add(name, data, 0o755 if os.access(os.path.join(folder, name), os.X_OK) else 0o644)
        record.append(f"{info}/RECORD,,\n")
        add(f"{info}/RECORD", "".join(record).encode(), 0o644)


def make(tree, version, compiler, out):
    """Makes the wheel of an installed tree in the folder `out` and returns its path."""
    with tempfile.TemporaryDirectory() as folder:
        inside = os.path.join(folder, TREE)
        copy_tree(tree, inside)
        libraries = Libraries(inside, tree)
        for path in sorted(elf_files(inside)):
            run("strip", "--strip-unneeded", path)
            libraries.take(path)
        libraries.stand_in(compiler)
        libraries.rename(elf_files(inside))
        older_systems.apply(run, compiler, sorted(elf_files(inside)), libraries.folder)
        write(os.path.join(inside, "glibc"), ".".join(map(str, glibc_of(folder))).encode())
        libraries.licensed.add("libstdc++6")
        tag, info = add_metadata(folder, version, libraries.licensed, tree)
        path = os.path.join(out, f"{NAME}-{version}-{tag}.whl")
        pack(folder, info, path)
        return path


def cache_of(build):
    try:
        with open(os.path.join(build, "CMakeCache.txt")) as file:
            return file.read()
    except OSError:
        raise Unmade(f"{build} is no build folder: it has no CMakeCache.txt; build Agon first") from None


def main():
    words = argparse.ArgumentParser(description="makes the wheel of Agon from a build")
    words.add_argument("build", help="the build folder")
    words.add_argument("--out", help="the folder that the wheel goes to; without it, the build folder")
    given = words.parse_args()
    try:
        cache = dict(re.findall(r"^(\w+):\w+=(.*)$", cache_of(given.build), re.MULTILINE))
        with tempfile.TemporaryDirectory() as tree:
            run("cmake", "--install", given.build, "--prefix", tree, "--component", "runtime")
            header = os.path.join(tree, "include", HEADER)
            os.makedirs(os.path.dirname(header))
            shutil.copy(os.path.join(cache["CMAKE_HOME_DIRECTORY"], "core", "include", HEADER), header)
            path = make(tree, cache["CMAKE_PROJECT_VERSION"], cache["CMAKE_CXX_COMPILER"], given.out or given.build)
    except (Unmade, OSError) as error:
        sys.exit(f"wheel.py: {error}")
    print(f"{path}: {os.path.getsize(path) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
