# SPDX-License-Identifier: Apache-2.0
"""Every public name of the Python package as Markdown, read from its sources without importing them.

Public is what a module's __all__ lists: classes with constructor, fields and methods, functions, and names that stand
for something else (fk = arm.fk). What a module only passes on from another public one is a link.
"""
import ast
import pathlib

PACKAGE = pathlib.Path(__file__).parents[1] / "tandem/python/tandem"


def name_of(path):
    return path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


def anchor(module):
    return f"[`{module}`](#{module.replace('.', '').lower()})"


def is_public(node):
    return isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")


def is_property(node):
    return any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list)


def signature(node, name):
    """The call as a user writes it, without self and without `-> None`, which says nothing."""
    arguments = ast.unparse(node.args)
    for first in ("self", "cls"):
        arguments = arguments.removeprefix(first).removeprefix(", ") if arguments.split(",")[0] == first else arguments
    result = ast.unparse(node.returns) if node.returns else "None"
    return f"{name}({arguments})" + (f" -> {result}" if result != "None" else "")


def text_of(node):
    """Its docstring, sessions of an interpreter as code."""
    parts = (ast.get_docstring(node) or "").split("\n\n")
    return "\n\n".join(f"```python\n{part}\n```" if part.startswith(">>>") else part for part in parts)


class Module:
    def __init__(self, path):
        self.name, self.lines = name_of(path), path.read_text().splitlines()
        self.tree = ast.parse("\n".join(self.lines))
        self.nodes, self.imports, self.public = {}, {}, []
        for node in self.tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                self.nodes[node.name] = node
            elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tandem":
                self.imports |= {each.asname or each.name: (node.module, each.name) for each in node.names}
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.nodes[node.targets[0].id] = node.value
        if "__all__" in self.nodes:
            self.public = ast.literal_eval(self.nodes["__all__"])

    def comment(self, node):
        """What is written behind a line, or in the lines of comment above it."""
        line = self.lines[node.lineno - 1]
        if "#" in line:
            return line.split("#", 1)[1].strip()
        above = []
        for text in map(str.strip, reversed(self.lines[: node.lineno - 1])):
            if not text.startswith("#"):
                break
            above.insert(0, text.lstrip("# "))
        return " ".join(above)


class Reference:
    def __init__(self):
        self.modules = {module.name: module for module in map(Module, sorted(PACKAGE.rglob("*.py")))}

    def find(self, module, name):
        """The module that defines it, and its node; None for what is not Python (the extension)."""
        while name not in module.nodes:
            source, name = module.imports.get(name, (None, name))
            if source not in self.modules or self.modules[source] is module:
                return None, None
            module = self.modules[source]
        return module, module.nodes[name]

    def members(self, module, node):
        """Its own, and those of bases that have no section of their own, with the module that they are from."""
        yield from ((module, each) for each in node.body)
        for base in node.bases:
            home, found = self.find(module, base.id) if isinstance(base, ast.Name) else (None, None)
            if isinstance(found, ast.ClassDef) and found.name not in home.public:
                own = {each.name for each in node.body if hasattr(each, "name")}
                yield from ((place, each) for place, each in self.members(home, found)
                            if getattr(each, "name", "__") not in {*own, "__init__"})

    def class_lines(self, module, node):
        yield f"### {node.name}\n"
        made = next((each for each in node.body if getattr(each, "name", "") == "__init__"), None)
        if made is not None and not module.name.rpartition(".")[2].startswith("_"):
            yield f"**`{signature(made, node.name)}`**\n"
        yield f"{text_of(node)}\n"
        if made is not None and ast.get_docstring(made):
            yield f"{text_of(made)}\n"
        fields = []
        for home, each in self.members(module, node):
            if isinstance(each, ast.AnnAssign) and not each.target.id.startswith("_"):
                fields.append((f"{each.target.id}: {ast.unparse(each.annotation)}", home.comment(each)))
            elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
                name = each.targets[0].id
                if not name.startswith("_") and name != ast.unparse(each.value):
                    fields.append((f"{name} = {ast.unparse(each.value)}", home.comment(each)))
        yield from (f"- `{what}`" + (f": {text}" if text else "") for what, text in fields)
        if fields:
            yield ""
        for home, each in filter(lambda row: is_public(row[1]), self.members(module, node)):
            yield from self.class_lines(home, each) if isinstance(each, ast.ClassDef) else self.function_lines(each, node.name)

    def function_lines(self, node, owner=""):
        name = f"{owner}.{node.name}" if owner else node.name
        yield f"**`{name if is_property(node) else signature(node, name)}`**\n"
        if ast.get_docstring(node):
            yield f"{text_of(node)}\n"

    def alias_lines(self, module, name, value):
        """fk = arm.fk, arm = Arm("ur3e")"""
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name):
            _, whole = self.find(module, value.value.id)
            if isinstance(whole, ast.Call):
                kind, node = self.class_of(module, whole)
                method = next((each for each in node.body if getattr(each, "name", "") == value.attr), None)
                if method is not None:
                    yield f"**`{signature(method, name)}`**\n"
                    yield f"`{kind.name}.{node.name}.{value.attr}`. {text_of(method)}\n"
                    return
        yield f"**`{name}`**\n"
        if isinstance(value, ast.Call):
            kind, node = self.class_of(module, value)
            yield f"A `{node.name}` of {anchor(kind.name)}.\n"

    def class_of(self, module, call):
        """Of what Class(...) or Class._of(...) makes."""
        maker = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        return self.find(module, maker.id)

    def lines(self):
        for module in self.modules.values():
            if any(part.startswith("_") for part in module.name.split(".")) or not module.public:
                continue
            yield f"## {module.name}\n"
            yield f"{text_of(module.tree)}\n"
            passed_on = []
            for name in module.public:
                home, node = self.find(module, name)
                if f"{module.name}.{name}" in self.modules:
                    passed_on.append(f"- {anchor(f'{module.name}.{name}')}")
                elif home is None:
                    passed_on.append(f"- `{name}`")
                elif home is not module and not home.name.rpartition(".")[2].startswith("_"):
                    passed_on.append(f"- `{name}` of {anchor(home.name)}")
                elif isinstance(node, ast.ClassDef):
                    yield from self.class_lines(home, node)
                elif isinstance(node, ast.FunctionDef):
                    yield from self.function_lines(node)
                else:
                    yield from self.alias_lines(module, name, node)
            if passed_on:
                yield "Names:\n"
                yield from passed_on
                yield ""


def markdown():
    return "\n".join(Reference().lines())
