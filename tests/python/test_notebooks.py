"""Every notebook of docs/notebooks runs, cell by cell, without Jupyter.

A cell with the tag "parameters" may have values that make the notebook short, in its metadata:
"test": {"MATCHES": 256}. They are set after the cell has run, as papermill does it.

    AGON_BUILD=build /usr/bin/python3 -m unittest test_notebooks
"""
import ast
import contextlib
import glob
import io
import json
import linecache
import os
import sys
import tempfile
import unittest
import unittest.mock

from arena import SOURCE

sys.path.insert(0, os.path.join(os.environ["AGON_BUILD"], "share", "agon", "python"))

# What notebooks may need and a machine may lack.
OPTIONAL = {"matplotlib", "numpy", "pandas"}


def names_set(code):
    """The names that the statements of a cell set."""
    return {name.id for name in ast.walk(ast.parse(code)) if isinstance(name, ast.Name)
            and isinstance(name.ctx, ast.Store)}


def shorten(where, cell, code, namespace):
    """Sets the values of a test after a cell of parameters."""
    short = cell["metadata"].get("test", {})
    if short and "parameters" not in cell["metadata"].get("tags", []):
        raise AssertionError(f"{where}: values for tests in a cell without the tag \"parameters\"")
    unknown = set(short) - names_set(code)
    if unknown:
        raise AssertionError(f"{where}: a value for tests of {', '.join(sorted(unknown))}, which the cell does not set")
    namespace.update(short)


def run_notebook(path):
    """Runs its code cells in a fresh namespace, which it returns; an error names notebook and cell."""
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    if notebook["nbformat"] != 4:
        raise AssertionError(f"{name}: nbformat is {notebook['nbformat']}; expected 4")
    namespace = {"__name__": "__main__"}
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        where = f"{name}, cell {number}"
        if cell["outputs"] or cell["execution_count"] is not None:
            raise AssertionError(f"{where} has outputs; clear them")
        code = "".join(cell["source"])
        linecache.cache[where] = len(code), None, code.splitlines(True), where  # for tracebacks
        try:
            exec(compile(code, where, "exec"), namespace)
        except ModuleNotFoundError as error:
            if error.name in OPTIONAL:
                raise unittest.SkipTest(f"{where}: {error.name} is not installed") from None
            raise AssertionError(f"{where}: {error}") from error
        except SyntaxError as error:
            raise AssertionError(f"{where}: {error.msg}, line {error.lineno}; magics (%, !) are not Python") from error
        except Exception as error:
            raise AssertionError(f"{where}: {type(error).__name__}: {error}") from error
        shorten(where, cell, code, namespace)
    return namespace


@contextlib.contextmanager
def elsewhere():
    """In an empty folder, without a screen, in silence."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, MPLBACKEND="Agg"), \
            contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(here)


class Notebooks(unittest.TestCase):
    def test_every_notebook_runs(self):
        paths = sorted(glob.glob(os.path.join(SOURCE, "docs", "notebooks", "*.ipynb")))
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(notebook=os.path.basename(path)), elsewhere():
                run_notebook(path)


class Runner(unittest.TestCase):
    def run_cells(self, *sources, **metadata):
        """A notebook of a text and these cells; the metadata is that of the first."""
        cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# A notebook"]}]
        cells += [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
                   "source": source.splitlines(True)} for source in sources]
        cells[1]["metadata"] = metadata
        with elsewhere() as folder:
            path = os.path.join(folder, "small.ipynb")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, file)
            return run_notebook(path)

    def test_an_error_names_notebook_and_cell(self):
        for source, words in (("1 / 0", "small.ipynb, cell 3: ZeroDivisionError"), ("%time x", "small.ipynb, cell 3: "),
                              ("import nothing_of_this_name", "small.ipynb, cell 3: No module")):
            with self.subTest(source=source), self.assertRaisesRegex(AssertionError, words):
                self.run_cells("x = 1", source)

    def test_a_test_replaces_parameters(self):
        tags = ["parameters"]
        found = self.run_cells("N = 1000\nM = 1", "seen = N + M", tags=tags, test={"N": 2})
        self.assertEqual(found["seen"], 3)
        with self.assertRaisesRegex(AssertionError, "cell 2: a value for tests of K, which the cell does not set"):
            self.run_cells("N = 1000", tags=tags, test={"K": 2})
        with self.assertRaisesRegex(AssertionError, "without the tag"):
            self.run_cells("N = 1000", test={"N": 2})

    def test_a_notebook_sees_nothing_of_another(self):
        self.run_cells("x = 1")
        with self.assertRaisesRegex(AssertionError, "NameError"):
            self.run_cells("x")

    def test_a_package_that_is_not_installed_is_no_failure(self):
        with self.assertRaisesRegex(unittest.SkipTest, "cell 2: pandas is not installed"):
            self.run_cells("raise ModuleNotFoundError('no pandas', name='pandas')")


if __name__ == "__main__":
    unittest.main()
