"""Where the program `agon` is that belongs to this package, and the Python that it runs games with."""
import os
import shutil
import sys


def find():
    """The one that AGON names, or in the tree that a wheel has, or above share/agon/python/agon_arena
    in an installation and a build, or in PATH; None: there is none."""
    if os.environ.get("AGON"):
        return os.environ["AGON"]
    package = os.path.dirname(os.path.abspath(__file__))
    for prefix in (os.path.join(package, "tree"), os.path.join(package, *[os.pardir] * 4)):
        beside = os.path.join(os.path.normpath(prefix), "bin", "agon")
        if os.access(beside, os.X_OK):
            return beside
    return shutil.which("agon")


def unfit():
    """Why what the wheel has cannot run on this system, and what to do; None: it can, or this is no wheel."""
    try:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "tree", "glibc")) as file:
            needed = file.read().strip()
    except OSError:
        return None
    try:
        has = os.confstr("CS_GNU_LIBC_VERSION")  # such as "glibc 2.31"
    except (ValueError, OSError):
        has = None  # musl, for example
    if has and [int(each) for each in has.split()[-1].split(".")[:2]] >= [int(each) for each in needed.split(".")]:
        return None
    return (f"this wheel needs glibc {needed} or newer, and this system has {has or 'another C library'}",
            "use a newer Linux distribution, such as Debian 11 or Ubuntu 20.04, or build Agon on this machine")


def provide_python():
    """Games in Python are run by python3 of PATH, or else by that of this package."""
    if shutil.which("python3") is None:
        os.environ["PATH"] = os.environ.get("PATH", os.defpath) + os.pathsep + os.path.dirname(sys.executable)
