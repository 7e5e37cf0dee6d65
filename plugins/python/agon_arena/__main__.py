"""The command: `python -m agon_arena WORDS` is `agon WORDS`, and so is the script of that name."""
import os
import sys

from . import program


def main():
    found = program.find()
    if found is None or (os.path.exists(found) and os.path.samefile(found, sys.argv[0])):
        sys.exit("agon: the program is not beside the package agon_arena, and neither AGON nor PATH leads to it; "
                 "install the wheel again, or export AGON=WHERE_AGON_IS/bin/agon")
    unfit = None if os.environ.get("AGON") else program.unfit()
    if unfit:
        sys.exit(f"agon: error: {unfit[0]}\nhint: {unfit[1]}")
    program.provide_python()
    try:
        os.execv(found, ["agon", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"agon: {found} cannot be run: {error.strerror}")


if __name__ == "__main__":
    main()
