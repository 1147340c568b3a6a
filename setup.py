# SPDX-License-Identifier: Apache-2.0
"""Builds the extension with CMake for pip; everything else is in pyproject.toml.

The build folder is TANDEM_BUILD, else build/release, which `./run` and `./test` use too: what is compiled there is not
compiled again.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).parent
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


def version() -> str:
    """From CMakeLists.txt, where it is kept."""
    found = re.search(r"project\(tandem VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    if found is None:
        raise SystemExit("CMakeLists.txt: expected project(tandem VERSION ...)")
    return found[1]


def build_page(environment: dict[str, str]) -> None:
    """The page that ISCoin("virtual") serves is part of the extension; it needs Node.js 18 and npm."""
    if shutil.which("npm") is None:
        print("tandem: without its page, which needs Node.js and npm: tools/setup run installs them")
    elif subprocess.run([ROOT / "web" / "build"], env=environment).returncode != 0:
        print("tandem: without its page, which could not be built; web/build says why")


class CMakeBuild(build_ext):
    """Compiles the target tandem_python and copies what it makes."""

    def build_extension(self, extension: Extension) -> None:
        build = pathlib.Path(os.environ.get("TANDEM_BUILD", ROOT / "build" / "release"))
        environment = {"CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1", **os.environ}
        build_page(environment)
        if not (build / "CMakeCache.txt").exists():
            configure = ["cmake", "--preset", "release", "-B", str(build), "-DTANDEM_TESTS=OFF"]
            subprocess.run(configure, cwd=ROOT, env=environment, check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "tandem_python"], env=environment, check=True)
        made = build / "python" / "tandem" / f"_tandem{SUFFIX}"
        if not made.exists():
            there = ", ".join(each.name for each in made.parent.glob("_tandem*.so")) or "none"
            raise SystemExit(f"expected {made.name} for this Python, got {there}: make the venv with /usr/bin/python3")
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(made, target)


work = ROOT / "build" / "pip"
shutil.rmtree(work, ignore_errors=True)  # what an earlier version left there must not get into the wheel
work.mkdir(parents=True)
setup(
    version=version(),
    ext_modules=[Extension("tandem._tandem", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"egg_info": {"egg_base": str(work)}, "build": {"build_base": str(work)}},  # keeps the source folder clean
)
