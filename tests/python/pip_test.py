# SPDX-License-Identifier: Apache-2.0
"""pip, without a network: a wheel of the package from the release build that is there, and what it installs."""
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


class PipTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.python = Path(cls.folder.name) / "env" / "bin" / "python"
        # pip of the system, which a venv with system site packages shares: none is copied.
        cls.run_command(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", cls.python.parents[1])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_command(cls, *command, path=None):
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        if path is not None:
            environment["PYTHONPATH"] = str(path)
        done = subprocess.run(
            [str(each) for each in command], capture_output=True, text=True, timeout=200, env=environment, cwd=cls.folder.name
        )
        if done.returncode != 0:
            raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def pip(self, verb, *arguments, path=None):
        return self.run_command(
            self.python, "-m", "pip", verb, "-v", "--no-index", "--no-build-isolation", "--disable-pip-version-check", *arguments,
            path=path,
        )

    def shim(self):
        """Copied, as setuptools builds beside its sources."""
        folder = Path(self.folder.name) / "urbasic"
        if not folder.exists():
            self.run_command("cp", "-r", ROOT / "tandem" / "python" / "urbasic", folder)
        return folder

    def test_0_the_shim_takes_a_tandem_on_pythonpath_instead_of_downloading_one(self):
        with self.assertRaises(AssertionError) as without:
            self.pip("install", "--dry-run", self.shim())
        self.assertIn("No matching distribution found for tandem>=0.2", str(without.exception))
        build = Path(os.environ["TANDEM_BUILD"]) / "python"
        said = self.pip("install", "--dry-run", self.shim(), path=build)
        self.assertIn(f"Requirement already satisfied: tandem>=0.2 in {build}", said)

    def test_1_a_wheel_is_made_without_compiling_again(self):
        said = self.pip("wheel", "--no-deps", "-w", "wheels", ROOT)
        self.assertNotIn("Building CXX", said)
        (wheel,) = (Path(self.folder.name) / "wheels").iterdir()
        self.assertRegex(wheel.name, r"^tandem-[\d.]+-cp311-cp311-linux_\w+\.whl$")
        names = zipfile.ZipFile(wheel).namelist()
        sources = (ROOT / "tandem" / "python" / "tandem").rglob("*.py*")
        expected = {f"tandem/{each.relative_to(ROOT / 'tandem/python/tandem')}" for each in sources if each.suffix != ".pyc"}
        extension = f"tandem/_tandem.cpython-311-{os.uname().machine}-linux-gnu.so"
        built = Path(os.environ["TANDEM_BUILD"]) / "python" / extension
        self.assertEqual(zipfile.ZipFile(wheel).read(extension), built.read_bytes())
        packed = {name for name in names if name.startswith("tandem/")}
        self.assertEqual(expected | {extension, "tandem/py.typed"}, packed)

    def test_2_it_installs_and_works(self):
        self.pip("install", ROOT)
        where = self.run_command(self.python, "-c", "import tandem._tandem as t; print(t.__file__)")
        self.assertTrue(where.startswith(self.folder.name), where)
        for example, says in (("06_reach", "reached by"), ("10_poses", "camera in map")):
            self.assertIn(says, self.run_command(self.python, EXAMPLES / example / "main.py"))

    def test_3_the_names_of_the_original_are_a_package_of_their_own(self):
        with self.assertRaises(AssertionError):
            self.run_command(self.python, "-c", "import URBasic")
        self.pip("install", self.shim())
        script = (
            "from URBasic import ISCoin, Joint6D, TCP6D, TCP6DDescriptor, UrScript\n"
            "from URBasic.iscoin import ISCoin as same\n"
            "from URBasic.waypoint6d import Joint6D as joints\n"
            "from my_simulation import ISCoinSim\n"
            "import URBasic.robotModel, URBasic.urScriptExt\n"
            "import tandem\n"
            "assert ISCoin is same is tandem.ISCoin and joints is Joint6D and issubclass(ISCoinSim, ISCoin)\n"
            "model = URBasic.robotModel.RobotModel()\n"
            "robot = URBasic.urScriptExt.UrScriptExt('virtual', model)\n"
            "home = Joint6D.createFromRadians(0, -1.5, 1.4, -1.5, -1.5, 0)\n"
            "assert robot.movej(home) and isinstance(robot, UrScript)\n"
            "print('off by', max(abs(a - b) for a, b in zip(model.ActualQ(), home.toList())))\n"
            "robot.close()\n"
        )
        said = self.run_command(self.python, "-c", script)
        self.assertLess(float(said.split("off by")[1].split()[0]), 0.01)


if __name__ == "__main__":
    unittest.main()
