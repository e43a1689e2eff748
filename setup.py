"""The wheel: the module is built by CMake, the version is that of CMakeLists.txt."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
VERSION = re.search(r"project\(copse VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class CMakeBuild(build_ext):
    """Builds the package of copse/python with its model and takes it as it is."""

    def run(self):
        build = Path(os.environ.get("COPSE_BUILD", ROOT / "build-pip"))
        options = ["-DCOPSE_TESTS=OFF", "-DCOPSE_BENCHMARKS=OFF", "-DCOPSE_PYTHON=ON", "-DCOPSE_TOGETHER=8"]
        subprocess.check_call(
            ["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
             f"-DPython_EXECUTABLE={sys.executable}", *options]
        )
        subprocess.check_call(["cmake", "--build", str(build), "--target", "copse_python_package"])
        target = Path(self.build_lib) / "copse"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(build / "python" / "copse", target, ignore=shutil.ignore_patterns("__pycache__"))


setup(
    version=VERSION,
    packages=[],
    ext_modules=[Extension("copse._copse", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
