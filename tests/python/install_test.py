# SPDX-License-Identifier: Apache-2.0
"""The package as `cmake --install` leaves it: it imports without the source and the build folder, and works."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = os.environ["TANDEM_BUILD"]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        command = ["cmake", "--install", BUILD, "--component", "python", "--prefix", cls.folder.name]
        subprocess.run(command, check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_python(self, *arguments, beside=""):
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        path = f"{self.folder.name}/lib/{version}/dist-packages"
        environment = {**os.environ, "PYTHONPATH": f"{path}:{beside}"}
        done = subprocess.run(
            [sys.executable, "-B", *arguments], capture_output=True, text=True, timeout=100, env=environment, cwd="/"
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_it_imports_from_where_it_was_installed(self):
        where = self.run_python("-c", "import tandem, tandem._tandem; print(tandem._tandem.__file__, tandem.ISCoin)")
        self.assertTrue(where.startswith(self.folder.name), where)

    def test_package_metadata_has_the_version_of_the_build(self):
        cache = (Path(BUILD) / "CMakeCache.txt").read_text()
        (version,) = (line.split("=")[1] for line in cache.splitlines() if line.startswith("CMAKE_PROJECT_VERSION:"))
        script = (
            "import importlib.metadata as metadata, tandem\n"
            "found = metadata.distribution('tandem')\n"
            "print(tandem.__version__, found.version, found.requires, found.locate_file('tandem'))\n"
        )
        said = self.run_python("-c", script)
        self.assertTrue(said.startswith(f"{version} {version} ['numpy'] {self.folder.name}/"), said)

    def test_the_names_of_the_original_are_a_folder_for_pythonpath(self):
        script = "from URBasic import ISCoin; import tandem; print(ISCoin is tandem.ISCoin)"
        with self.assertRaises(AssertionError):
            self.run_python("-c", script)
        self.assertEqual(self.run_python("-c", script, beside=f"{self.folder.name}/share/tandem/urbasic"), "True\n")

    def test_the_first_example_finds_the_legs(self):
        said = self.run_python(EXAMPLES / "01_legs" / "main.py")
        self.assertIn("leg 6:", said)
        self.assertIn("pose found again", said)

    def test_the_second_example_picks_the_cube(self):
        self.assertIn("cube held", self.run_python(EXAMPLES / "02_pick_cube" / "main.py", "virtual"))

    def test_the_third_example_finds_the_cables(self):
        said = self.run_python(EXAMPLES / "03_cables" / "main.py")
        self.assertIn("cable7:", said)
        self.assertIn("pose found again", said)


if __name__ == "__main__":
    unittest.main()
