# SPDX-License-Identifier: Apache-2.0
"""Builds the site strictly and follows every link in it: pages, anchors, pictures; every document is in the menu, and
every public name of the Python package in its reference."""
import ast
import html
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).parents[2]


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.loaded, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.targets.append(value)
                if name == "src" or tag == "link":
                    self.loaded.append(value)


def broken(folder):
    """Links of our pages that lead nowhere; doxygen's own pages are only targets."""
    pages = {path: Links(path.read_text()) for path in folder.rglob("*.html") if "api/cpp/" not in path.as_posix()}
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links are from the root of the server
        for target in page.targets:
            link = urllib.parse.urlsplit(target)
            if link.scheme or link.netloc:
                if target in page.loaded and link.scheme != "data":
                    yield f"{path.relative_to(folder)}: loads {target} from elsewhere"
                continue
            there = (path.parent / urllib.parse.unquote(link.path)).resolve() if link.path else path
            if there.is_dir():
                there /= "index.html"
            if not there.exists():
                yield f"{path.relative_to(folder)}: {target} does not exist"
            elif link.fragment and there in pages and urllib.parse.unquote(link.fragment) not in pages[there].anchors:
                yield f"{path.relative_to(folder)}: {target} has no such heading"


def unlisted():
    """Documents that the menu does not show."""
    menu = (ROOT / "mkdocs.yml").read_text()
    for path in sorted((ROOT / "docs").rglob("*.md")):
        name = path.relative_to(ROOT / "docs").as_posix()
        if f": {name}\n" not in menu:
            yield f"mkdocs.yml: docs/{name} is not in the menu"


def sections(page):
    """Module to what its section of the Python reference describes: signatures, names of classes, items of lists."""
    for part in page.split("<h2 id=")[1:]:
        texts = re.findall(r"<h3 [^>]*>(.*?)<a|<(?:strong|li)>.*?<code>(.*?)</code>|<li><a[^>]*><code>(.*?)</code>", part)
        yield (re.search(r">(.*?)<", part)[1], [html.unescape(re.sub("<.*?>", "", "".join(text))) for text in texts])


def wanted(path):
    """What a module's section has to describe: the names of __all__, and of its classes constructors and fields."""
    body = ast.parse(path.read_text()).body
    public = next((ast.literal_eval(node.value) for node in body
                   if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"), [])
    for name in public:
        yield rf"(tandem\.kinematics\.)?{name}\b"
    for node in body:
        if not isinstance(node, ast.ClassDef) or node.name not in public:
            continue
        for each in node.body:
            if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                names = [argument.arg for argument in (*each.args.args[1:], *each.args.kwonlyargs)]
                yield rf"{node.name}\(" + "".join(rf".*\b{name}: " for name in names)
            elif isinstance(each, ast.AnnAssign) and not each.target.id.startswith("_"):
                yield f"{each.target.id}: "


def undescribed(folder):
    """Public names of the Python package that its reference does not have."""
    found = dict(sections((folder / "api/python.html").read_text()))
    package = ROOT / "tandem/python/tandem"
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        if path.name.startswith("_") and path.name != "__init__.py":
            continue
        for name in wanted(path):
            if not any(re.match(name, text) for text in found.get(module, [])):
                yield f"api/python.html: {module}: expected {name}, got none"


def main():
    if not shutil.which("mkdocs") or not shutil.which("doxygen"):
        sys.exit("mkdocs or doxygen is missing; run: tools/setup test")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "tools/site", folder], check=True)
        wrong = [*unlisted(), *broken(pathlib.Path(folder).resolve()), *undescribed(pathlib.Path(folder))]
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
