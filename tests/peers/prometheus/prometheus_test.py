# SPDX-License-Identifier: Apache-2.0
"""Debian's Prometheus on a running tandem: prometheus_test.py TANDEM

promtool reads the alerts of docs/prometheus_alerts.yaml, plays the worlds of alerts_test.yaml, and checks the text under
/metrics. Then prometheus scrapes that page; what it answers is compared with /status.json, and an alert fires for a
machine that is unplugged and for one that is stopped. On loopback of a network of its own.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[2]))
import alone  # noqa: E402

HERE = Path(__file__).parent
RULES = HERE.parents[2] / "docs" / "prometheus_alerts.yaml"
PAGE, SERVER = "http://127.0.0.1:8088", "http://127.0.0.1:9090"
TRUCK = "http://127.0.0.1:8089"  # a truck with VDA 5050
PATIENCE = 90  # s


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **more)
    return done.returncode, done.stdout + done.stderr


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def eventually(look, what):
    last = None
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            last = look()
            if last:
                return last
        except OSError as error:
            last = error
        time.sleep(0.2)
    raise AssertionError(f"{what}: not within {PATIENCE} s; last: {last}")


def get(address):
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.read().decode()


def query(text):
    answer = json.loads(get(f"{SERVER}/api/v1/query?{urllib.parse.urlencode({'query': text})}"))
    check(answer["status"] == "success", answer)
    return answer["data"]["result"]


def value(text):
    result = query(text)
    return float(result[0]["value"][1]) if len(result) == 1 else float("nan")


def test_rules(folder):
    code, said = run("promtool", "check", "rules", str(RULES))
    check(code == 0, said)
    rules = yaml.safe_load(RULES.read_text())
    alerts = [rule["alert"] for group in rules["groups"] for rule in group["rules"]]
    tests = (HERE / "alerts_test.yaml").read_text()
    for alert in alerts:
        check(f"alertname: {alert}\n" in tests, f"{alert} has no test in alerts_test.yaml")
    # promtool compares annotations too; their words are not what is tested.
    for group in rules["groups"]:
        for rule in group["rules"]:
            check(set(rule["annotations"]) == {"summary", "action"}, f"{rule['alert']}: expected summary and action")
            del rule["annotations"]
    (folder / "bare.yaml").write_text(yaml.safe_dump(rules))
    (folder / "tests.yaml").write_text(tests.replace("ALERTS", "bare.yaml"))
    code, said = run("promtool", "test", "rules", str(folder / "tests.yaml"))
    check(code == 0, said)
    # The metrics that the alerts and the dashboard look at.
    used = set(re.findall(r"\btandem_[a-z0-9_]+", RULES.read_text()))
    used |= set(re.findall(r"\btandem_[a-z0-9_]+", (RULES.parent / "grafana_dashboard.json").read_text()))
    print(f"{len(alerts)} alerts checked and played")
    return {re.sub(r"_bucket$", "", name) for name in used} - {"tandem_links", "tandem_motion", "tandem_fleet", "tandem_timing", "tandem_page_and_recording"}


def test_text(used):
    text = get(f"{PAGE}/metrics")
    both = text + get(f"{TRUCK}/metrics")
    there = set(re.findall(r"^# TYPE (\S+)", both, re.M))
    check(used <= there, f"not under /metrics: {sorted(used - there)}")
    code, said = run("promtool", "check", "metrics", input=text)
    check(code == 0 and not said.strip(), f"promtool check metrics: status {code}: {said}")
    print(f"promtool check metrics: {len(there)} metrics")


def main():
    binary = Path(sys.argv[1]).resolve()
    if not (shutil.which("prometheus") and shutil.which("promtool")):
        sys.exit("expected Debian's package prometheus; tools/setup test installs it")
    alone.enter()
    children = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            used = test_rules(folder)
            environment = {**os.environ, "ROS_DOMAIN_ID": "93", "HOME": name}
            control = ["--control", str(folder / "control.sock")]
            log = (folder / "tandem.log").open("w")
            tandem = subprocess.Popen(
                [binary, "demo", "em1500", "raptorlift", "--port", "8088", "--record", str(folder / "run.mcap"), *control],
                stdout=log, stderr=log, env=environment)
            children.append(tandem)
            (folder / "truck.yaml").write_text(
                "ros: { enabled: false }\nmqtt: { broker: \"mqtt://127.0.0.1:1\" }\nmachines:\n"
                "  truck: { type: raptorlift, device: virtual, vda5050: true, manufacturer: T, serial: \"1\" }\n")
            children.append(subprocess.Popen(
                [binary, "run", str(folder / "truck.yaml"), "--port", "8089", "--control", str(folder / "truck.sock")],
                stdout=log, stderr=log, env=environment))
            for page in (PAGE, TRUCK):
                eventually(lambda: urllib.request.urlopen(f"{page}/ready", timeout=5).status == 200, "tandem is ready")
            test_text(used)
            (folder / "prometheus.yml").write_text(
                "global: { scrape_interval: 1s, evaluation_interval: 1s }\n"
                f"rule_files: ['{RULES}']\n"
                "scrape_configs:\n"
                "  - { job_name: tandem, static_configs: [{ targets: ['127.0.0.1:8088'] }] }\n")
            server_log = (folder / "prometheus.log").open("w")
            children.append(subprocess.Popen(
                ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                 "--web.listen-address=127.0.0.1:9090"], stdout=server_log, stderr=server_log, env=environment))
            eventually(lambda: value('up{job="tandem"}') == 1, "prometheus scrapes tandem")
            test_history(binary, control)
            tandem.send_signal(signal.SIGINT)
            check(tandem.wait(PATIENCE) == 0, (folder / "tandem.log").read_text()[-2000:])
            eventually(lambda: firing("TandemDown"), "TandemDown fires when tandem has ended")
        except AssertionError:
            for file in sorted(folder.glob("*.log")):
                print(file.name, file.read_text()[-3000:], sep="\n")
            raise
        finally:
            for child in children:
                child.kill()
                child.wait()
    print("prometheus has what tandem says, and its alerts fire")


def firing(alert):
    return query(f'ALERTS{{alertname="{alert}",alertstate="firing"}}')


def test_history(binary, control):
    status = json.loads(get(f"{PAGE}/status.json"))
    for machine in status["machines"]:
        labels = f'machine="{machine["name"]}"'
        eventually(lambda: value(f'tandem_link_state{{{labels},state="live"}}') == 1, f"{labels} is live")
        eventually(lambda: value(f"tandem_samples_total{{{labels}}}") >= machine["samples"], f"samples of {labels}")
        # Over the same seconds: what it counted is what it says of its rate.
        eventually(lambda: abs(value(f"rate(tandem_samples_total{{{labels}}}[10s])") / machine["rate"] - 1) < 0.2,
                   f"rate of {labels}")
    eventually(lambda: value("tandem_recorded_messages_total") > 0, "the recording grows")
    check(not firing("TandemDown") and not firing("TandemLinkLost"), "an alert fires although all is well")

    name = next(machine["name"] for machine in status["machines"] if machine["moves"])
    check(not firing("TandemStopped"), "TandemStopped fires although nothing is stopped")
    check(run(binary, "stop", *control)[0] == 0, "stop")
    stopped = eventually(lambda: firing("TandemStopped"), "TandemStopped fires")
    check([each["metric"]["machine"] for each in stopped] == [name], stopped)
    check(run(binary, "unplug", name, *control)[0] == 0, "unplug")
    lost = eventually(lambda: firing("TandemLinkLost") or firing("TandemStale"), "an alert fires for an unplugged machine")
    check(lost[0]["metric"]["machine"] == name, lost)
    check(run(binary, "plug", *control)[0] == 0, "plug")
    eventually(lambda: not firing("TandemLinkLost") and not firing("TandemStale"), "the alert ends with its cause")


main()
