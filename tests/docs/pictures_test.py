# SPDX-License-Identifier: Apache-2.0
"""tools/pictures.mjs, as the README names it: what it lacks is said in words, each with the command that helps."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import alone  # noqa: E402

ROOT = Path(__file__).parents[2]


class PicturesTest(unittest.TestCase):
    def test_after_run_alone_it_says_what_to_install(self):
        with tempfile.TemporaryDirectory() as name:
            checkout = Path(name)
            for part in ("tools/pictures.mjs", "tests/peers/package.json", "tests/peers/page/program.mjs"):
                (checkout / part).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / part, checkout / part)
            bare = {"PATH": name, "CHROMIUM": f"{name}/chromium"}  # neither img2webp nor a browser
            done = subprocess.run(
                [shutil.which("node"), "tools/pictures.mjs"], cwd=checkout, env=bare, capture_output=True, text=True
            )
        self.assertEqual(done.returncode, 1, done.stderr)
        for help in ("./run --for 1", "apt-get install chromium", "apt-get install webp", "tests/peers/setup"):
            self.assertIn(f"is missing: run {help}", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 5, done.stderr)  # words, no trace of a stack

    def test_a_machine_is_drawn_as_often_as_asked_for(self):
        if not (ROOT / "tests/peers/node_modules/puppeteer-core").exists() or not Path("/usr/bin/chromium").exists():
            self.skipTest("needs chromium, and tests/peers/setup")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            # In the place of img2webp: keeps the sizes of the pictures that it is given.
            joins = folder / "img2webp"
            joins.write_text(
                "#!/usr/bin/python3\n"
                "import struct, sys\n"
                "pictures = [each for each in sys.argv if each.endswith('.png')]\n"
                "sizes = [struct.unpack('>II', open(each, 'rb').read()[16:24]) for each in pictures]\n"
                "if pictures: open(sys.argv[-1], 'w').write(repr(sizes))\n"
            )
            joins.chmod(0o755)
            environment = dict(
                os.environ,
                PATH=f"{name}:{os.environ['PATH']}",
                PICTURES=name,
                FRAMES="3",
                TANDEM=f"{os.environ['TANDEM_BUILD']}/tandem",
                ROS_LOCALHOST_ONLY="1",
            )
            done = subprocess.run(
                [shutil.which("node"), ROOT / "tools/pictures.mjs", "em1500"],
                env=environment,
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual((folder / "page_em1500.webp").read_text(), repr([(800, 450)] * 3))

    def test_the_command_that_it_names_exists(self):
        self.assertTrue(os.access(ROOT / "tests/peers/setup", os.X_OK))


if __name__ == "__main__":
    alone.enter()
    unittest.main()
