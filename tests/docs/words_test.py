# SPDX-License-Identifier: Apache-2.0
"""Holds the language of everything a user reads: README, docs, help and error texts in tandem/, texts of the page.

  words    none of the words below, each with what to write instead; inline code and fenced blocks of documents aside
  errors   "expected ..., got ...": not seen, saw or found
  lines    of README and docs at most 120 characters; tables, fenced blocks and lines with a link aside

words_allowed.txt counts what is left, for each rule and file. A count that rises fails the test, and so does one that is
too high by now: `words_test.py --write` lowers the counts, and never raises one.
"""
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
ALLOWED = Path(__file__).with_name("words_allowed.txt")
LONGEST = 120

WORDS = {  # regular expression: instead
    r"told": "reported, sent, unless set",
    r"nobody": "no client, no subscriber, or the passive",
    r"somebody|anybody": "another client, another publisher",
    r"whoever": "any client that",
    r"likewise": "the same, also",
    r"anew": "again",
    r"mend(s|ed|ing)?": "fix",
    r"so long": "SECONDS, a timeout",
    r"stands?|stood": "is, is at rest, is listed",
    r"for ever": "indefinitely",
    r"in vain": "without effect",
    r"errands?|wish(es)?": "command",
    r"orders|(an|the last|a late|another) order": "command",
    r"numbers? that (is|are) none": "NaN or infinity",
    r"let outputs leave": "enable outputs",
    r"that cannot be(?=[.,;:)]|$)": "invalid",
}
WORD = re.compile(r"\b(" + "|".join(WORDS) + r")(?!\w)", re.IGNORECASE)
# Names of others and settled terms, which are taken out before the words are looked for.
EXCEPT = re.compile(
    r"VDA ?5050\b[^.\n]*"  # its orders
    r"|stand-?alone|standstill|stand-?(by|ins?)\b|in order to|understands?",
    re.IGNORECASE)
FLEETS = ["docs/vda5050.md"]  # documents of which the whole is about VDA 5050 and its orders
ORDER = re.compile(r"\border(s?)\b", re.IGNORECASE)
OLD_ERROR = re.compile(r"expected\b.*\b(seen|saw|found)\b", re.IGNORECASE | re.DOTALL)
DOCUMENTS = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]

CPP_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|R\"(\w*)\((.*?)\)\1\"|\"((?:\\.|[^\"\\\n])*)\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
TS_TOKEN = re.compile(
    r"(?<!:)//[^\n]*|/\*.*?\*/|`((?:\\.|[^`\\])*)`|\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'", re.DOTALL)


def prose(text):
    """A document without its fenced blocks; inline code and targets of links are blank."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)", " ", text)


def literals(text, token):
    """The strings of a source; those that only white space divides are one."""
    joined, end = [], None
    text = re.sub(r"^\s*#\s*include[^\n]*|^import [^\n]*", "", text, flags=re.MULTILINE)
    for found in token.finditer(text):
        whole = found.group(0)
        if whole.startswith(("//", "/*")) or (token is CPP_TOKEN and whole.startswith("'")):
            continue
        body = next((group for group in reversed(found.groups()) if group is not None), "")
        if end is not None and not text[end:found.start()].strip():
            joined[-1] += body
        else:
            joined.append(body)
        end = found.end()
    return joined


def words_in(text):
    return [found.group(0) for found in WORD.finditer(EXCEPT.sub(" ", text))]


def long_lines(text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif len(line) > LONGEST and not fenced and not line.startswith("|") and "](" not in line and "http" not in line:
            yield f"line {number} has {len(line)} characters"


def offences():
    """(rule, file): what breaks the rule there."""
    found = {}
    for name in DOCUMENTS:
        text = (ROOT / name).read_text()
        spoken = ORDER.sub(" ", text) if name in FLEETS else text
        found["words", name] = words_in(prose(spoken))
        found["lines", name] = list(long_lines(text))
    sources = [(path, CPP_TOKEN) for kind in ("cpp", "hpp") for path in (ROOT / "tandem").rglob(f"*.{kind}")]
    sources += [(path, TS_TOKEN) for path in (ROOT / "web/src").rglob("*.ts")]
    for path, token in sources:
        name = str(path.relative_to(ROOT))
        texts = literals(path.read_text(), token)
        found["words", name] = [word for text in texts for word in words_in(text)]
        found["errors", name] = [text for text in texts if OLD_ERROR.search(text)]
    return {key: value for key, value in found.items() if value}


def allowed():
    counts = Counter()
    for line in ALLOWED.read_text().splitlines() if ALLOWED.exists() else []:
        if line and not line.startswith("#"):
            count, rule, name = line.split(maxsplit=2)
            counts[rule, name] = int(count)
    return counts


def write(counts):
    lines = ["# What is left to reword: count, rule, file. Counts only go down (words_test.py --write)."]
    lines += [f"{count:4} {rule} {name}" for (rule, name), count in sorted(counts.items())]
    ALLOWED.write_text("\n".join(lines) + "\n")


def check_itself():
    """Each rule finds what it should, and nothing in what is good."""
    assert words_in("The order of VDA 5050 is told") == [] and words_in("unless told") == ["told"]
    assert words_in("two orders at standstill") == ["orders"]
    assert words_in(prose("`mend 3` ends it\n```\nnobody\n```\n")) == []
    assert literals('a("expected x, "\n  "seen y"); // told\n', CPP_TOKEN) == ["expected x, seen y"]
    assert OLD_ERROR.search("expected x, seen y") and not OLD_ERROR.search("expected x, got y")
    assert literals("a('it', `b`) // 'told'", TS_TOKEN) == ["it", "b"]
    assert list(long_lines("x" * 121 + "\n| " + "x" * 200 + "\n```\n" + "x" * 200 + "\n```\n")) == [
        "line 1 has 121 characters"]


def main():
    check_itself()
    found, limits = offences(), allowed()
    counts = {key: len(value) for key, value in found.items()}
    if "--write" in sys.argv:
        first = not ALLOWED.exists()
        limits = counts if first else {key: min(limit, counts.get(key, 0)) for key, limit in limits.items()}
        write({key: count for key, count in limits.items() if count})
        limits = allowed()
    wrong = []
    for rule, name in sorted(counts.keys() | limits.keys()):
        count, limit = counts.get((rule, name), 0), limits[rule, name]
        if count > limit:
            wrong.append(f"{name}: {rule}: expected at most {limit}, got {count}: {found[rule, name]}")
        elif count < limit:
            wrong.append(f"{name}: {rule}: expected {limit} as in {ALLOWED.name}, got {count}; run words_test.py --write")
    print("\n".join(wrong) or f"{sum(counts.values())} left in {ALLOWED.name}")
    if wrong:
        print("instead of the words:", *(f"\n  {word}: {instead}" for word, instead in WORDS.items()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
