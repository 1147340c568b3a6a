# SPDX-License-Identifier: Apache-2.0
"""The Debian packages in a fresh Debian 12: made, checked by lintian, installed, upgraded, used, removed and purged; the
service's command run as its user, and the service by a systemd that was booted there; the image that buildah makes of
the Containerfile. Only with TANDEM_FULL=1 and as root.

  package_test.py [FOLDER]    FOLDER keeps what was made, for a look at it; else all of it goes at the end
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from booted import Booted  # noqa: E402
from container import Image  # noqa: E402
from debian_root import DebianRoot, archives  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
import ports_test  # noqa: E402

SOURCE = Path(__file__).parents[2]
BUILD = Path(os.environ["TANDEM_BUILD"])
MACHINES = {"cable_robot", "em1500", "orca", "raptorlift", "ur3e"}
LARGEST_EXPOSURE = 2.0  # of systemd-analyze security, 0 (best) to 10
SHOWN_WITHIN = 30  # s from `tandem demo` to all machines live, on an idle computer; waited for four times as long
BUSY = 0.1  # share of the processor that others had meanwhile, above which a computer is not idle
SKIPPED = 77


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def enter():
    """Mounts and processes of our own, which end with this test."""
    if "TANDEM_FULL" not in os.environ:
        skip("TANDEM_FULL is not set (./test --full package)")
    if os.geteuid() != 0:
        skip("debootstrap and chroot need root")
    if "TANDEM_TEST_ALONE" in os.environ:
        return
    if shutil.which("debootstrap") is None:
        skip("debootstrap is not installed: tools/setup package")
    if not archives():
        skip("apt has no lists of Debian 12: apt-get update")
    os.environ["TANDEM_TEST_ALONE"] = "1"
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    os.execvp(unshare[0], [*unshare, sys.executable, *sys.orig_argv[1:]])


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


class Report:
    """What each step took."""

    def __init__(self):
        self.begin = time.monotonic()

    def step(self, text):
        print(f"{time.monotonic() - self.begin:7.1f} s  {text}", flush=True)


def make_packages(folder):
    subprocess.run([SOURCE / "tools/package", BUILD, folder], check=True, stdout=subprocess.DEVNULL)
    debs = {file.name.split("_")[0]: file for file in folder.glob("*.deb")}
    expect(set(debs) == {"tandem", "libtandem-dev", "python3-tandem"}, f"expected three packages, got {sorted(debs)}")
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", *debs.values()], capture_output=True, text=True)
    expect(done.returncode == 0, f"lintian: expected no error, got\n{done.stdout}{done.stderr}")
    return debs, done.stdout


def older(deb, folder):
    """The same package as version 0.1.0, to upgrade from, with a file that the new one does not have."""
    tree = folder / "older"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["dpkg-deb", "-R", deb, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", "Version: 0.1.0", control.read_text(), flags=re.MULTILINE))
    name = deb.name.split("_")[0]
    gone = tree / f"usr/share/tandem/old/{name}"
    gone.parent.mkdir(parents=True)
    gone.write_text("of the older version\n")
    made = folder / f"{name}_0.1.0.deb"
    subprocess.run(["dpkg-deb", "-b", "--root-owner-group", tree, made], check=True, stdout=subprocess.DEVNULL)
    return made


def install(root, *packages):
    return root.run("apt-get", "install", "-q", "-y", "--no-install-recommends", *packages)


def version(root, package):
    return root.run("dpkg-query", "-W", "-f=${Version}", package)


def check_upgrade(root, debs, folder):
    root.put(*(older(deb, folder) for deb in debs.values()), *debs.values())
    install(root, *(f"/tmp/{name}_0.1.0.deb" for name in debs))
    edited = root.path("/etc/tandem/demo.yaml")
    edited.write_text(edited.read_text() + "# edited here\n")
    new = debs["tandem"].name.split("_")[1]
    for name, deb in debs.items():
        expect(version(root, name) == "0.1.0", f"expected the older version of {name}")
        expect(root.path(f"/usr/share/tandem/old/{name}").is_file(), f"expected the file of the older {name}")
        install(root, f"/tmp/{deb.name}")
        expect(version(root, name) == new, f"expected {name} {new} after the upgrade")
    expect(not root.path("/usr/share/tandem/old").exists(), "expected no file of the older versions after the upgrade")
    expect("# edited here" in edited.read_text(), "expected an edited configuration to survive the upgrade")
    expect(root.run("tandem", "--version").strip() == f"tandem {new}", "the program reports another version")
    said = root.run("python3", "-c", "import tandem; print(tandem.__version__)")
    expect(said.strip() == new, f"the Python package: expected {new} after the upgrade, got {said}")
    said = root.run("apt-get", "install", "-s", "tandem-mass")
    expect("Remv tandem " in said, f"tandem-mass has a program of the same name: expected a conflict, got {said}")
    uid = root.run("id", "tandem")
    expect("dialout" in uid, f"expected the user tandem in dialout, got {uid}")


def check_files(root):
    for path in ("/usr/share/man/man1/tandem.1.gz", "/usr/share/man/man1/tandem-ros-topic-echo.1.gz",
                 "/usr/share/bash-completion/completions/tandem", "/usr/share/zsh/vendor-completions/_tandem",
                 "/usr/share/fish/vendor_completions.d/tandem.fish", "/usr/share/doc/tandem/examples/01_legs/main.cpp",
                 "/usr/share/doc/tandem/examples/cable_robots/cogiro.yaml", "/usr/share/tandem/ros/tandem_msgs/package.xml"):
        expect(root.path(path).is_file(), f"expected the file {path}")
    node = root.path("/usr/share/tandem/ros/em1500_ads_bridge/scripts/ads_em1500_node")
    expect(os.access(node, os.X_OK), "expected the nodes of the ROS workspace to be executable")
    for machine in sorted(MACHINES):
        root.run("tandem", "check", f"/etc/tandem/{machine}.yaml")
    install(root, "zsh", "fish")
    root.run("zsh", "-n", "/usr/share/zsh/vendor-completions/_tandem")
    offered = root.run("fish", "-c", "complete -C 'tandem demo em'").split()
    expect(offered == ["em1500"], f"fish: expected em1500, got {offered}")
    offered = root.run("fish", "-c", "complete -C 'tandem demo --log w'").split()
    expect(offered[:1] == ["warn"], f"fish: expected warn, got {offered}")


def unit_values(root, instance):
    """Key to values of the unit's [Service], with its specifiers replaced."""
    text = root.path("/lib/systemd/system/tandem@.service").read_text()
    for specifier, value in {"%i": instance, "%t": "/run", "%S": "/var/lib"}.items():
        text = text.replace(specifier, value)
    values = {}
    for line in text.splitlines():
        if "=" in line and not line.startswith("#"):
            values.setdefault(line.split("=")[0], []).append(line.split("=", 1)[1])
    return values


def check_unit(root):
    said = root.run("systemd-analyze", "verify", "--man=no", "tandem@demo.service", check=False)
    complaints = [line for line in said.stdout.splitlines() if "tandem" in line]
    expect(said.returncode == 0 and not complaints, f"systemd-analyze verify: expected nothing, got {said.stdout}")
    said = root.run("systemd-analyze", "security", "--offline=true", "--no-pager", "tandem@demo.service", check=False)
    found = re.search(r"exposure level for .*: ([0-9.]+)", said.stdout)
    expect(found is not None, f"systemd-analyze security: expected an exposure level, got {said.stdout[-400:]}")
    expect(float(found[1]) <= LARGEST_EXPOSURE, f"expected an exposure of {LARGEST_EXPOSURE} at most, got {found[1]}")
    return float(found[1])


def all_live(running, user, limit):
    """Seconds until `tandem status` shows every machine live."""
    begin, said = time.monotonic(), None
    while time.monotonic() - begin < limit:
        expect(running.process.poll() is None, f"ended with {running.process.returncode}:\n{running.text()[-3000:]}")
        said = running.beside(["tandem", "status", "--json"], user)
        if said.returncode == 0:
            states = {row["name"]: row["state"] for row in json.loads(said.stdout)["machines"]}
            if set(states) == MACHINES and set(states.values()) <= {"live", "armed"}:
                return time.monotonic() - begin
        time.sleep(0.5)
    raise AssertionError(f"expected all machines live within {limit} s, got\n{said.stdout}{said.stderr}{running.text()[-3000:]}")


def check_service(root):
    """What systemd would do for tandem@demo: its folders, user, environment and command."""
    unit = unit_values(root, "demo")
    user = unit["User"][0]
    for kind, below in (("RuntimeDirectory", "/run"), ("StateDirectory", "/var/lib")):
        folder = f"{below}/{unit[kind][0]}"
        root.run("install", "-d", "-o", user, "-g", unit["Group"][0], "-m", unit[kind + "Mode"][0], folder)
    # /proc as ProcSubset=pid and ProtectProc=invisible leave it
    subprocess.run(["umount", root.path("/proc")], check=True)
    subprocess.run(["mount", "-t", "proc", "-o", "subset=pid,hidepid=invisible", "proc", root.path("/proc")], check=True)
    environment = dict(item.split("=", 1) for item in unit["Environment"])
    running = root.start(unit["ExecStart"][0].split(), user, environment, unit["WorkingDirectory"][0])
    seconds = all_live(running, user, 4 * SHOWN_WITHIN)
    expect(not running.beside(["tandem", "status"], "nobody").returncode == 0, "another user may not ask for the status")
    code = running.stop()
    expect(code == 0, f"the service: expected status 0 after SIGTERM, got {code}\n{running.text()[-3000:]}")
    subprocess.run(["umount", root.path("/proc")], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", root.path("/proc")], check=True)
    return seconds


def check_booted(root):
    """By systemd itself: the service starts, comes back disarmed after a crash, and stops."""
    booted = Booted(root, {"TANDEM_CONTROL": "/run/tandem/demo/control.sock"})
    try:
        booted.wait()

        def value(key):
            return booted.run("systemctl", "show", "--value", "-p", key, "tandem@demo")

        def armed():
            said = booted.beside(["tandem", "status", "--json"], "tandem").stdout
            return [row["name"] for row in json.loads(said)["machines"] if row["arm"] == "armed"]

        booted.run("systemctl", "start", "tandem@demo")
        seconds = all_live(booted, "tandem", 4 * SHOWN_WITHIN)
        done = booted.beside(["tandem", "arm", "raptorlift"], "tandem")
        expect(done.returncode == 0 and armed() == ["raptorlift"], f"expected one armed machine: {done.stdout}{done.stderr}")
        booted.run("sh", "-c", f"kill -KILL {value('MainPID')}")
        end = time.monotonic() + 60
        while value("NRestarts") != "1" or value("ActiveState") != "active":
            expect(time.monotonic() < end, f"expected one restart after a crash, got {value('NRestarts')}")
            time.sleep(0.5)
        all_live(booted, "tandem", 4 * SHOWN_WITHIN)
        expect(armed() == [], f"expected nothing armed after a crash, got {armed()}")
        booted.run("systemctl", "stop", "tandem@demo")
        expect((value("Result"), value("ExecMainStatus")) == ("success", "0"),
               f"expected a stop with status 0, got {value('Result')}, {value('ExecMainStatus')}")
    finally:
        booted.end()
    return seconds


def processor_time():
    """s since the start of this computer: all, and idle."""
    ticks = list(map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:9]))
    return sum(ticks) / os.sysconf("SC_CLK_TCK"), (ticks[3] + ticks[4]) / os.sysconf("SC_CLK_TCK")


def used_by(process):
    """s of processor time of a process and its threads."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check_demo(root):
    """The promise of installation: everything is shown within 30 s, unless others use this computer's processor."""
    total, idle = processor_time()
    running = root.start(["tandem", "demo"], "tandem", folder="/tmp")
    seconds = all_live(running, "tandem", 4 * SHOWN_WITHIN)
    own = used_by(running.process)
    total, idle = (after - before for after, before in zip(processor_time(), (total, idle)))
    others = max(0.0, total - idle - own) / total
    expect(running.stop() == 0, f"tandem demo:\n{running.text()[-3000:]}")
    expect(seconds <= SHOWN_WITHIN or others > BUSY,
           f"expected all machines live within {SHOWN_WITHIN} s, got {seconds:.1f} s; others used {others:.0%} of the processor")
    return f"{seconds:.1f} s, others used {others:.0%} of the processor"


def check_python(root):
    said = root.run("python3", "/usr/share/doc/tandem/examples/01_legs/main.py")
    expect("pose found again" in said, f"the first example in Python: {said}")
    script = "from URBasic import ISCoin; import tandem; print(ISCoin is tandem.ISCoin)"
    said = root.run("python3", "-B", "-c", script, environment={"PYTHONPATH": "/usr/share/tandem/urbasic"})
    expect(said.strip() == "True", f"the names of URBasic: {said}")
    install(root, "python3-pip")
    said = root.run("python3", "-m", "pip", "list", "--format=freeze")
    expect(f"tandem=={version(root, 'tandem')}\n" in said, f"expected pip to know the package, got {said}")


def check_tutorials(root):
    """Run as they are written with what is installed, in a network of their own."""
    install(root, "iproute2", "mbpoll")
    for file in ("docs/document_test.py", "alone.py"):
        there = root.path(f"/tmp/tests/{file}")
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / "tests" / file, there)
    tutorials = sorted(root.path("/usr/share/doc/tandem/docs/tutorials").glob("*.md"))
    expect(len(tutorials) >= len(MACHINES), f"expected a tutorial for each machine, got {tutorials}")
    subprocess.run(["mount", "-t", "devpts", "-o", "newinstance,ptmxmode=0666", "devpts", root.path("/dev/pts")], check=True)
    for tutorial in tutorials:
        command = ["python3", "-B", "/tmp/tests/docs/document_test.py", f"/usr/share/doc/tandem/docs/tutorials/{tutorial.name}"]
        done = subprocess.run(["unshare", "--net", "chroot", root.folder, *command], text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1200,
                              env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root",
                                   "TANDEM_TEST_ALONE": "1", "TANDEM_PATIENCE": "20"})
        expect(done.returncode == 0, f"{tutorial.name}:\n{done.stdout[-4000:]}")
    subprocess.run(["umount", root.path("/dev/pts")], check=True)
    return [tutorial.stem for tutorial in tutorials]


def check_library(root):
    install(root, "cmake", "g++", "ninja-build", "pkg-config")
    example = "/usr/share/doc/tandem/examples/01_legs"
    root.run("cmake", "-S", example, "-B", "/tmp/legs", "-G", "Ninja")
    root.run("cmake", "--build", "/tmp/legs")
    expect("pose found again" in root.run("/tmp/legs/legs"), "the first example, built against libtandem-dev")
    root.run("sh", "-c", f"g++ {example}/main.cpp -o /tmp/legs/by_name $(pkg-config --cflags --libs tandem-machines)")
    expect("pose found again" in root.run("/tmp/legs/by_name"), "the first example, built by pkg-config")


def check_removal(root):
    kept = root.path("/var/lib/tandem/demo/run.mcap")
    kept.write_text("a recording")
    root.run("apt-get", "remove", "-q", "-y", "tandem", "libtandem-dev", "python3-tandem")
    expect(root.path("/etc/tandem/demo.yaml").is_file(), "expected the configuration after a removal")
    expect(not root.path("/usr/bin/tandem").exists(), "expected no program after a removal")
    root.run("apt-get", "purge", "-q", "-y", "tandem", "libtandem-dev", "python3-tandem")
    expect(kept.is_file(), "expected recordings to survive")
    left = root.run("find", "/etc", "/usr", "/lib", "/var/lib/dpkg/info", "-name", "*tandem*").split()
    expect(not left, f"expected nothing after a purge, got {left}")


def check_container(folder, base, debs):
    image = Image(folder)
    image.build(base, SOURCE / "packaging/Containerfile", debs["tandem"].parent)
    documented = {ports_test.PAGE}.union(*map(ports_test.documented, ports_test.MACHINES))
    expect(image.ports == sorted("/".join(port) for port in documented), f"expected the documented ports, got {image.ports}")
    expect((image.user, image.stop_signal) == ("tandem", "SIGTERM"), f"got {image.user}, {image.stop_signal}")
    refused = image.start({})
    expect(refused.process.wait(60) == 1 and "token" in refused.text(), f"without tokens: {refused.text()[-2000:]}")
    running = image.start({"TANDEM_VIEW_TOKEN": "v" * 20, "TANDEM_CONTROL_TOKEN": "c" * 20})
    seconds = all_live(running, image.user, 4 * SHOWN_WITHIN)
    expect(running.beside(image.health, image.user).returncode == 0, "the health check failed")
    listening = Path(f"/proc/{running.process.pid}/net/tcp").read_text()
    expect(f"00000000:{8088:04X} " in listening, f"expected the page on port 8088:\n{listening}")
    expect(running.stop() == 0, f"the container:\n{running.text()[-3000:]}")
    expect(image.root.run(*image.health, check=False).returncode != 0,
           "the health check passed without a tandem")
    return seconds


def test(folder):
    report = Report()
    debs, said = make_packages(folder / "packages")
    report.step("packages: " + ", ".join(f"{file.name} {file.stat().st_size / 1e6:.1f} MB" for file in debs.values()))
    print(said, end="")
    base = DebianRoot(folder / "base")
    base.make()
    report.step("a fresh Debian")
    root = base.copy_to(folder / "root")
    root.mount()
    root.run("apt-get", "update", "-q")
    check_upgrade(root, debs, folder)
    report.step("installed and upgraded")
    check_files(root)
    report.step("files and completions")
    report.step(f"unit, exposure {check_unit(root)}")
    report.step(f"service: all live after {check_service(root):.1f} s")
    report.step(f"booted: all live after {check_booted(root):.1f} s")
    report.step(f"demo: all live after {check_demo(root)}")
    check_python(root)
    report.step("python3-tandem")
    report.step(f"tutorials: {', '.join(check_tutorials(root))}")
    check_library(root)
    report.step("libtandem-dev")
    check_removal(root)
    report.step("removed and purged")
    report.step(f"container: all live after {check_container(folder / 'image', base, debs):.1f} s")


def main():
    enter()
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True)
        return test(folder)
    with tempfile.TemporaryDirectory() as folder:
        try:
            test(Path(folder))
        finally:
            mounted = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
            for place in reversed([place for place in mounted if place.startswith(folder)]):
                subprocess.run(["umount", "--lazy", place], capture_output=True)


if __name__ == "__main__":
    main()
