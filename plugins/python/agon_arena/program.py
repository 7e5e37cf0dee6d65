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


def provide_python():
    """Games in Python are run by python3 of PATH, or else by that of this package."""
    if shutil.which("python3") is None:
        os.environ["PATH"] = os.environ.get("PATH", os.defpath) + os.pathsep + os.path.dirname(sys.executable)
