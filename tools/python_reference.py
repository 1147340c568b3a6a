# SPDX-License-Identifier: Apache-2.0
"""The public classes and functions of the Python package as Markdown, read from its sources without importing them."""
import ast
import pathlib

PACKAGE = pathlib.Path(__file__).parents[1] / "tandem/python/tandem"


def is_public(node):
    return isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")


def signature(node, owner=""):
    """The call as a user writes it, without self and without defaults that say nothing to a reader."""
    arguments = ast.unparse(node.args)
    for first in ("self", "cls"):
        arguments = arguments.removeprefix(first).removeprefix(", ") if arguments.split(",")[0] == first else arguments
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{owner}{node.name}({arguments}){result}"


def is_property(node):
    return any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list)


def lines_of(node, owner=""):
    """A function, or a class with its methods."""
    text = ast.get_docstring(node) or ""
    if isinstance(node, ast.ClassDef):
        yield f"### {node.name}\n"
        yield f"{text}\n"
        for member in filter(is_public, node.body):
            yield from lines_of(member, f"{node.name}.")
        return
    head = f"{owner}{node.name}" if is_property(node) else signature(node, owner)
    yield f"**`{head}`**\n"
    if text:
        yield f"{text}\n"


def reference():
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        if any(part.startswith("_") for part in name.split(".")):
            continue
        module = ast.parse(path.read_text())
        public = list(filter(is_public, module.body))
        if not public:
            continue
        yield f"## {name}\n"
        yield f"{ast.get_docstring(module) or ''}\n"
        for node in public:
            yield from lines_of(node)


def markdown():
    return "\n".join(reference())
