# SPDX-License-Identifier: Apache-2.0
"""Type stubs: what _tandem.pyi says is what the extension has, and everything that is public has hints."""
import ast
import importlib
import inspect
import pathlib
import typing
import unittest

from tandem import _tandem

STUBS = pathlib.Path(_tandem.__file__).with_name("_tandem.pyi")
MODULES = ["pose", "ros", "recording", "kinematics.ur", "kinematics.stewart", "kinematics.cables", "kinematics.ackermann"]


def stubbed():
    """Names of the stubs: functions, and classes with what they have."""
    names = set()
    for node in ast.parse(STUBS.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names.add(node.name)
            for each in node.body:
                name = each.target.id if isinstance(each, ast.AnnAssign) else each.name
                if name != "__init__":
                    names.add(f"{node.name}.{name}")
    return names


def present():
    names = set()
    for name, value in vars(_tandem).items():
        if name.startswith("_"):
            continue
        names.add(name)
        if inspect.isclass(value):
            names |= {f"{name}.{each}" for each in vars(value) if not each.startswith("_")}
    return names


class StubsTest(unittest.TestCase):
    def test_the_stubs_are_complete_and_have_nothing_else(self):
        self.assertEqual(sorted(stubbed() ^ present()), [])

    def test_everything_public_has_a_docstring_and_hints(self):
        for name in MODULES:
            module = importlib.import_module(f"tandem.{name}")
            self.assertTrue(module.__doc__, name)
            for public in module.__all__:
                owner = getattr(module, public)
                if not inspect.isclass(owner) or not owner.__module__.startswith("tandem"):
                    continue
                self.assertTrue(owner.__doc__, owner)
                for each, function in inspect.getmembers(owner, inspect.isfunction):
                    if each.startswith("_") or not function.__module__.startswith("tandem"):
                        continue
                    with self.subTest(f"{name}.{public}.{each}"):
                        self.assertTrue(function.__doc__)
                        self.assertIn("return", typing.get_type_hints(function))


if __name__ == "__main__":
    unittest.main()
