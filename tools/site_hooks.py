# SPDX-License-Identifier: Apache-2.0
"""Hooks of mkdocs: documents are written for readers of the repository and of the site alike."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import python_reference  # noqa: E402

# What stands behind the language of a fenced block is for the test that runs it (tests/docs/document_test.py).
FENCE = re.compile(r"^(\s*```+)(\w+) .*$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#]*)[^)]*\)")


def on_page_markdown(markdown, page, config, **_):
    docs = pathlib.Path(config["docs_dir"]).resolve()
    folder = pathlib.Path(page.file.abs_src_path).resolve().parent

    def kept(link):
        """Folders and sources beside docs/ are not on the site: their names are enough there."""
        return link[0] if (folder / link[2]).resolve().is_relative_to(docs) else f"`{link[1]}`"

    markdown = LINK.sub(kept, FENCE.sub(r"\1\2", markdown))
    return markdown.replace("[python_reference]", python_reference.markdown())
