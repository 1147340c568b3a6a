# SPDX-License-Identifier: Apache-2.0
"""What document_test.py is there to find: each of these documents has to fail, with these words, and the good one must
not."""
import contextlib
import io
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import alone  # noqa: E402
import document_test  # noqa: E402

GOOD = """
```sh
export WORD=kept
test "$WORD" = kept        # the comment is no argument
sleep 0 && \\
  true
```
```sh alone exits-1="false"
false
```
```sh with="tandem virtual raptorlift"
mbpoll -m tcp -p 1502 -a 1 -r 16 -c 4 -t 4:int -0 127.0.0.1
```
```yaml file=lab.yaml
machines: { lift: { type: raptorlift, device: virtual } }
```
```sh
tandem check lab.yaml
```
```python
import tandem
```
```sh not-run="shown, for this test"
exit 1
```
```
only text
```
"""
BAD = {
    "a command that fails": ("```sh\ntandem solve em1500 legs nonsense\n```", "ended with"),
    "a command that does not exist": ("```sh\ntandem strat\n```", "ended with 2"),
    "a command that never shows what it should": ("```sh\ntandem virtual raptorlift --port 99999\n```", "ended with"),
    "one that is too slow": ("```sh\nsleep 60\n```", "did not end within"),
    "one that ends before it shows it": ("```sh\ntrue tandem run lab.yaml\n```", "ended without showing"),
    "success where failure was announced": ('```sh exits-1="true"\ntrue\n```', "ended with 0"),
    "a program beside it that fails": ('```sh with="tandem demo nothing"\ntrue\n```', "ended with 2"),
    "a wrong configuration": ("```yaml\nmachines: { lift: { type: raptorlft, device: virtual } }\n```", "raptorlift"),
    "a wrong section": ("```yaml\nweb: { lisen: off }\n```", "lisen"),
    "a script that raises": ("```python\nimport tandem\ntandem.ISCion\n```", "ISCion"),
    "a command in a block of text": ("```\ntandem demo\n```", "looks like a command"),
    "an unknown kind of block": ("```bash\ntrue\n```", "expected sh, yaml or python"),
    "a block without a reason not to run": ('```sh not-run="no"\ntrue\n```', "the reason in words"),
    "an unknown mark": ("```sh allone\ntrue\n```", "got allone"),
    "a block without an end": ("```sh\ntrue\n", "has no end"),
}


def run(text, name="page.md"):
    """Its exit code and what it printed."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
        path = Path(folder) / name
        path.write_text(text)
        try:
            document_test.main(path)
        except SystemExit as end:
            code = end.code
    return (code, said.getvalue()) if isinstance(code, int) else (1, f"{said.getvalue()}{code}")


class RulesTest(unittest.TestCase):
    def test_a_good_document_passes(self):
        code, said = run(GOOD)
        self.assertEqual(code, 0, said)

    def test_each_fault_fails(self):
        for fault, (text, words) in BAD.items():
            patience = 1 if "slow" in fault else document_test.PATIENCE
            with self.subTest(fault), unittest.mock.patch.object(document_test, "PATIENCE", patience):
                code, said = run(text)
                self.assertEqual(code, 1, said)
                self.assertIn(words, said)

    def test_a_long_line_of_the_readme_fails(self):
        code, said = run("x" * 121 + "\n", "README.md")
        self.assertEqual(code, 1, said)
        self.assertIn("at most 120 characters, got 121", said)


if __name__ == "__main__":
    alone.enter()
    unittest.main()
