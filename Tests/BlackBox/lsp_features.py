"""Tests every feature of `loggen lsp` with pytest-lsp's client. Tests/BlackBox/lsp.py runs this file.

Each test has its server and folder. `client` counts characters in both encodings, so tests that use it run twice.
"""

import asyncio
import contextlib
import os
import re
import shutil
import subprocess

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

import lsp as driver

LOGGEN = os.environ["LOGGEN"]
LIMIT = 20

TYPES = """# 共通の型 `types`

## ListOrder

並び順😀。

| value | description |
| --- | --- |
| newest | 新着順 |
| popular | 人気順 |

## RecipeID: int64

レシピのID。
"""
COMMON = """# 共通カラム `common`

| 説明 | カラム | 型 |
| --- | --- | --- |
| 😀 最近の並び順 | last_order | ListOrder? |
"""
SEARCH = """# 😀 レシピ検索 `recipe_search`

検索。結果は `recipe_detail.save_recipe` に続く。

| key | value |
| --- | --- |
| owner | @search-team |

## 😀 検索 `search`

| key | value |
| --- | --- |
| trigger | screen |

| description | column | type | example |
| --- | --- | --- | --- |
| 😀 キーワード | keyword | string(256) | `卵` |
| 😀 並び順 | order | ListOrder | `newest` |
| 😀👩‍👩‍👧 比べた並び順 | orders | [ListOrder; 1...5]? | |
| 選んだもの | recipe_id | RecipeID? | `42` |

## 音声の検索 `search_by_voice`

| column | type |
| --- | --- |
| keyword | string(256) |
"""
DETAIL = """# レシピ詳細 `recipe_detail`

| キー | 値 |
| --- | --- |
| 担当 | @recipe-team |

## レシピを保存した `save_recipe`

| キー | 値 |
| --- | --- |
| 発火条件 | tap(RecipeViewController.saveButton) |

| カラム | 型 | 説明 |
| --- | --- | --- |
| recipe_id | RecipeID? | 保存したレシピ |

## お気に入り `tap_favorite`

| キー | 値 |
| --- | --- |
| 廃止 | use save_recipe |
"""
FILES = {"types.md": TYPES, "common.md": COMMON, "recipe_search.md": SEARCH, "recipe_detail.md": DETAIL, "loggen.yml": "sampling-key: last_order\n"}


class Session:
    """A client with its folder, and copies of open documents."""

    def __init__(self, client, folder, encoding):
        self.client, self.folder, self.encoding = client, folder, encoding
        self.texts, self.versions = {}, {}
        self.edits = []  # of workspace/applyEdit
        self.result = None

    def uri(self, name):
        return driver.uri(self.folder / name)

    def document(self, name):
        return lsp.TextDocumentIdentifier(uri=self.uri(name))

    def text(self, name):
        return self.texts[name] if name in self.texts else (self.folder / name).read_bytes().decode()

    def open(self, name, text=None):
        if text is None:
            text = self.text(name)
        self.texts[name], self.versions[name] = text, 1
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=lsp.TextDocumentItem(
            uri=self.uri(name), language_id="markdown", version=1, text=text)))

    def position(self, name, offset):
        return lsp.Position(**driver.position(self.text(name), offset, self.encoding))

    def find(self, name, needle, offset=0, number=0):
        """Returns the place of a text in a document, after `number` other occurrences."""
        at = -1
        for _ in range(number + 1):
            at = self.text(name).index(needle, at + 1)
        return self.position(name, at + offset)

    def span(self, name, needle, number=0):
        return lsp.Range(start=self.find(name, needle, 0, number), end=self.find(name, needle, len(needle), number))

    def at(self, name, needle, offset=0, number=0):
        return {"text_document": self.document(name), "position": self.find(name, needle, offset, number)}

    def offset(self, text, position):
        return driver.offset(text, {"line": position.line, "character": position.character}, self.encoding)

    def slice(self, name, range):
        text = self.text(name)
        return text[self.offset(text, range.start):self.offset(text, range.end)]

    def applied(self, text, edits):
        plain = lambda p: {"line": p.line, "character": p.character}
        return driver.applied(text, [{"range": {"start": plain(e.range.start), "end": plain(e.range.end)}, "newText": e.new_text} for e in edits], self.encoding)

    def send(self, name, *changes, text):
        self.texts[name] = text
        self.versions[name] += 1
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(
            text_document=lsp.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.versions[name]), content_changes=list(changes)))

    def replace(self, name, old, new, number=0):
        """Replaces a text of an open document by a range."""
        text = self.texts[name]
        range = self.span(name, old, number)
        at = self.offset(text, range.start)
        self.send(name, lsp.TextDocumentContentChangePartial(range=range, text=new), text=text[:at] + new + text[at + len(old):])

    def watched(self, *changes):
        self.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(
            changes=[lsp.FileEvent(uri=self.uri(name), type=kind) for name, kind in changes]))

    def diagnostics(self, name, source="loggen"):
        return [d for d in self.client.diagnostics.get(self.uri(name), []) if source is None or d.source == source]

    def rules(self, name, source="loggen"):
        return sorted(d.code for d in self.diagnostics(name, source))

    async def until(self, condition, seconds=LIMIT):
        for _ in range(int(seconds / 0.01)):
            if condition():
                return True
            await asyncio.sleep(0.01)
        return False

    async def shows(self, name, *rules, source="loggen"):
        """Waits until a document has these problems and no others."""
        if not await self.until(lambda: self.uri(name) in self.client.diagnostics and self.rules(name, source) == sorted(rules), 5):
            raise AssertionError(f"{name} should have {sorted(rules)} and has {self.client.diagnostics.get(self.uri(name))}")

    async def sound(self):
        assert await self.until(lambda: not any(d.source == "loggen" for list in self.client.diagnostics.values() for d in list), 5), self.client.diagnostics

    async def completions(self, name, needle, offset=0, number=0):
        answer = await asyncio.wait_for(self.client.text_document_completion_async(lsp.CompletionParams(**self.at(name, needle, offset, number))), LIMIT)
        return answer.items if isinstance(answer, lsp.CompletionList) else answer or []

    async def labels(self, *place):
        return [item.label for item in await self.completions(*place)]

    def accept(self, name, needle, offset, item):
        """Returns the text after a completion has been accepted as in an editor."""
        text = self.texts[name]
        at = self.find(name, needle, offset)
        edit = item.text_edit
        if edit is None:
            begin = end = self.offset(text, at)
            while begin and re.match(r"\w", text[begin - 1]):
                begin -= 1
            new = item.insert_text or item.label
        else:
            range = edit.range if isinstance(edit, lsp.TextEdit) else edit.replace
            assert range.start.line == range.end.line == at.line and range.start.character <= at.character <= range.end.character, "a completion's range holds the cursor"
            begin, end, new = self.offset(text, range.start), self.offset(text, range.end), edit.new_text
        if item.insert_text_format == lsp.InsertTextFormat.Snippet:
            new = re.sub(r"\$\{\d+:([^}]*)\}|\$\d+|\$\{\d+\}", lambda m: m.group(1) or "", new).replace("\\", "")
        return text[:begin] + new + text[end:]

    def places(self, answer):
        """Returns the file names and the texts of places."""
        if answer is None:
            return []
        found = []
        for one in answer if isinstance(answer, (list, tuple)) else [answer]:
            target, range = (one.target_uri, one.target_selection_range) if isinstance(one, lsp.LocationLink) else (one.uri, one.range)
            name = os.path.relpath(driver.path_of(target), self.folder)
            found.append((name, range.start.line, self.slice(name, range)))
        return sorted(found)

    async def definition(self, *place):
        return self.places(await asyncio.wait_for(self.client.text_document_definition_async(lsp.DefinitionParams(**self.at(*place))), LIMIT))

    async def references(self, *place, declaration=True):
        return self.places(await asyncio.wait_for(self.client.text_document_references_async(
            lsp.ReferenceParams(**self.at(*place), context=lsp.ReferenceContext(include_declaration=declaration))), LIMIT))

    async def rename(self, name, needle, offset, new):
        return await asyncio.wait_for(self.client.text_document_rename_async(lsp.RenameParams(**self.at(name, needle, offset), new_name=new)), LIMIT)

    async def refused(self, awaitable):
        """The message of the error that a request is answered with."""
        with pytest.raises(JsonRpcException) as error:
            await asyncio.wait_for(awaitable, LIMIT)
        return str(error.value)

    def perform(self, edit):
        """Applies a workspace edit like an editor: to open documents in memory, to others on disk."""
        operations = list(edit.document_changes or [])
        if not operations:
            operations = [lsp.TextDocumentEdit(text_document=lsp.OptionalVersionedTextDocumentIdentifier(uri=u), edits=e) for u, e in (edit.changes or {}).items()]
        assert operations, "an edit that changes nothing"
        touched = []
        for operation in operations:
            if isinstance(operation, lsp.CreateFile):
                path = driver.path_of(operation.uri)
                assert not os.path.exists(path) or (operation.options and (operation.options.ignore_if_exists or operation.options.overwrite)), "a file that exists is created"
                if not os.path.exists(path):
                    open(path, "w").close()
                    self.watched((os.path.relpath(path, self.folder), lsp.FileChangeType.Created))
                touched.append(os.path.relpath(path, self.folder))
                continue
            assert isinstance(operation, lsp.TextDocumentEdit), operation
            name = os.path.relpath(driver.path_of(operation.text_document.uri), self.folder)
            version = operation.text_document.version
            assert version is None or version == self.versions.get(name), "an edit of a version that is not the newest"
            new = self.applied(self.text(name), operation.edits)
            touched.append(name)
            if name in self.texts:
                self.send(name, lsp.TextDocumentContentChangeWholeDocument(text=new), text=new)
            else:
                (self.folder / name).write_bytes(new.encode())
                self.watched((name, lsp.FileChangeType.Changed))
        return touched

    async def actions(self, name, diagnostic):
        return list(await asyncio.wait_for(self.client.text_document_code_action_async(lsp.CodeActionParams(
            text_document=self.document(name), range=diagnostic.range, context=lsp.CodeActionContext(diagnostics=[diagnostic]))), LIMIT) or [])

    async def act(self, action):
        """Performs an action: its edit, its command, or both."""
        if isinstance(action, lsp.CodeAction):
            if action.edit is None and action.command is None:
                action = await asyncio.wait_for(self.client.code_action_resolve_async(action), LIMIT)
            if action.edit is not None:
                self.perform(action.edit)
            command = action.command
        else:
            command = action
        if command is not None:
            await asyncio.wait_for(self.client.workspace_execute_command_async(lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)), LIMIT)
        elif not isinstance(action, lsp.CodeAction) or action.edit is None:
            raise AssertionError(f"an action that does nothing: {action}")

    async def act_titled(self, name, diagnostic, *words):
        """Does the one action of a problem whose title has these words."""
        actions = await self.actions(name, diagnostic)
        fitting = [a for a in actions if all(w.lower() in a.title.lower() for w in words)]
        assert len(fitting) >= 1, f"no action contains {words}: {[a.title for a in actions]}"
        await self.act(fitting[0])
        return fitting[0]


def make_client(session):
    client = LanguageClient(converter_factory=default_converter)

    def apply_edit(client, params: lsp.ApplyWorkspaceEditParams):
        s = session[0]
        s.edits.append(params.edit)
        s.perform(params.edit)
        return lsp.ApplyWorkspaceEditResult(applied=True)

    register_lsp_features(client, {**DEFAULT_CLIENT_FEATURES, lsp.WORKSPACE_APPLY_EDIT: apply_edit})
    return client


@contextlib.asynccontextmanager
async def session(folder, files=FILES, encoding="utf-16", capabilities="visual-studio-code", roots=None):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    holder = []
    client = make_client(holder)
    s = Session(client, folder, encoding)
    holder.append(s)
    await client.start_io(LOGGEN, "lsp")
    able = client_capabilities(capabilities) if capabilities else lsp.ClientCapabilities()
    able.general = able.general or lsp.GeneralClientCapabilities()
    if encoding == "utf-8":
        able.general.position_encodings = ["utf-8", "utf-16"]
    roots = roots or [folder]
    parameters = lsp.InitializeParams(
        capabilities=able, root_uri=driver.uri(roots[0]), workspace_folders=[lsp.WorkspaceFolder(uri=driver.uri(r), name=r.name) for r in roots])
    s.result = await asyncio.wait_for(client.initialize_session(parameters), LIMIT)
    assert (s.result.capabilities.position_encoding or "utf-16") == encoding
    try:
        yield s
        await asyncio.wait_for(client.shutdown_session(), LIMIT)
        assert client._server.returncode == 0 and client.error is None, (client._server.returncode, client.error)
    finally:
        if client._server.returncode is None:
            client._server.kill()
        await asyncio.wait_for(client.stop(), LIMIT)


@pytest.fixture(params=["utf-16", "utf-8"])
def encoding(request):
    return request.param


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "定義 Definitions"
    folder.mkdir()
    return folder


def loggen(*arguments, cwd=None):
    return subprocess.run([LOGGEN, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, timeout=60)


def test_the_folder_is_sound(folder):
    driver.write(folder, FILES)
    result = loggen("lint", folder, "--strict")
    assert result.returncode == 0, result.stdout + result.stderr


# MARK: Starting


async def test_it_says_what_it_can(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        can = s.result.capabilities
        sync = can.text_document_sync
        assert isinstance(sync, lsp.TextDocumentSyncOptions) and sync.open_close and sync.change == lsp.TextDocumentSyncKind.Incremental
        assert can.completion_provider and can.definition_provider and can.references_provider
        assert can.document_formatting_provider and can.code_action_provider
        assert not (can.hover_provider or can.document_symbol_provider or can.workspace_symbol_provider)
        assert isinstance(can.rename_provider, lsp.RenameOptions) and can.rename_provider.prepare_provider
        typing = can.document_on_type_formatting_provider
        assert typing and {"|", "\n"} <= {typing.first_trigger_character, *(typing.more_trigger_character or [])}
        assert s.result.server_info and s.result.server_info.name == "loggen"
        assert s.result.server_info.version == loggen("--version").stdout.strip()


@pytest.mark.parametrize("editor", ["emacs", "neovim@v0.6.1", "neovim@v0.7.0", "neovim@v0.11.0", "visual-studio-code", None])
async def test_what_editors_say_of_themselves(folder, editor):
    able = client_capabilities(editor) if editor else lsp.ClientCapabilities()
    offered = (able.general.position_encodings if able.general else None) or []
    chosen = "utf-8" if "utf-8" in [str(getattr(e, "value", e)) for e in offered] else "utf-16"
    async with session(folder, encoding=chosen, capabilities=editor) as s:
        s.open("recipe_search.md")
        s.replace("recipe_search.md", "| ListOrder |", "| Listorder |")
        await s.shows("recipe_search.md", "unknown-type")
        assert await s.completions("recipe_search.md", "| Listorder |", 6)
        assert await s.definition("recipe_search.md", "[ListOrder;", 4)
        edit = await s.rename("types.md", "## ListOrder", 5, "ResultOrder")
        assert edit.document_changes or edit.changes
        if not (able.workspace and able.workspace.workspace_edit and able.workspace.workspace_edit.document_changes):
            assert edit.changes and not edit.document_changes, "this client knows no documentChanges"


# MARK: Diagnostics


async def test_problems_have_a_place_a_name_and_a_way_out(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("recipe_search.md")
        await s.shows("recipe_search.md")
        s.replace("recipe_search.md", "| ListOrder |", "| ListOrdr |")
        await s.shows("recipe_search.md", "unknown-type")
        problem = s.diagnostics("recipe_search.md")[0]
        assert s.slice("recipe_search.md", problem.range) == "ListOrdr"
        assert problem.severity == lsp.DiagnosticSeverity.Error and problem.source == "loggen"
        assert "ListOrdr" in problem.message.split("\n")[0] and "ListOrder" in problem.message
        s.replace("recipe_search.md", "| ListOrdr |", "| ListOrder |")
        await s.shows("recipe_search.md")


async def test_other_files_of_the_folder_follow_unsaved_text(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("types.md")
        s.replace("types.md", "## ListOrder", "## ResultOrder")
        await s.shows("recipe_search.md", "unknown-type", "unknown-type")
        await s.shows("common.md", "unknown-type")
        assert [s.slice("common.md", d.range) for d in s.diagnostics("common.md")] == ["ListOrder?"]
        # Closed without saving, so the file on disk counts again.
        s.client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=s.document("types.md")))
        await s.shows("recipe_search.md")
        await s.shows("common.md")


async def test_a_file_that_is_not_open_has_its_problems_from_the_start(folder):
    async with session(folder, {**FILES, "home.md": "# home\n\n## ShowHome\n"}) as s:
        s.open("recipe_search.md")
        await s.shows("home.md", "identifier")
        await s.shows("recipe_search.md")


async def test_the_other_place_is_related_information(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("recipe_search.md")
        s.replace("recipe_search.md", "`search_by_voice`", "`search`")
        await s.shows("recipe_search.md", "duplicate-event")
        related = s.diagnostics("recipe_search.md")[0].related_information
        assert related and s.places([r.location for r in related]) == [("recipe_search.md", 8, "search")]


async def test_several_changes_in_one_notification(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("recipe_search.md")
        name, old = "recipe_search.md", s.text("recipe_search.md")
        end = s.position(name, len(old))
        first = lsp.TextDocumentContentChangePartial(range=lsp.Range(start=end, end=end), text="\r\n## 😀 One\r")
        # The second change refers to the text after the first.
        s.texts[name] = old + "\r\n## 😀 One\r"
        second = lsp.TextDocumentContentChangePartial(range=s.span(name, "One"), text="Two")
        s.texts[name] = s.texts[name].replace("One", "Two")
        third = lsp.TextDocumentContentChangePartial(range=s.span(name, "😀 Two\r"), text="Three\n")
        s.send(name, first, second, third, text=s.texts[name].replace("😀 Two\r", "Three\n"))
        await s.shows(name, "identifier")
        assert s.slice(name, s.diagnostics(name)[0].range) == "Three"


async def test_a_saved_file_keeps_its_problems(folder):
    async with session(folder) as s:
        s.open("recipe_search.md")
        s.replace("recipe_search.md", "| ListOrder |", "| ListOrdr |")
        await s.shows("recipe_search.md", "unknown-type")
        (s.folder / "recipe_search.md").write_text(s.text("recipe_search.md"))
        s.client.text_document_did_save(lsp.DidSaveTextDocumentParams(text_document=s.document("recipe_search.md")))
        s.watched(("recipe_search.md", lsp.FileChangeType.Changed))
        s.client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=s.document("recipe_search.md")))
        await s.definition("types.md", "ListOrder", 1)
        await s.shows("recipe_search.md", "unknown-type")


async def test_a_new_file_that_was_never_saved(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("home.md", "# home\n\n## show\n\n| column | type |\n| --- | --- |\n| order | ListOrder |\n| other | Unknown |\n")
        await s.shows("home.md", "unknown-type")
        assert await s.definition("home.md", "ListOrder", 2) == [("types.md", 2, "ListOrder")]
        assert ("home.md", 6, "ListOrder") in await s.references("types.md", "## ListOrder", 4)
        s.client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=s.document("home.md")))
        await s.shows("home.md")


async def test_an_unsaved_types_file(folder, encoding):
    files = {name: text for name, text in FILES.items() if name != "types.md"}
    async with session(folder, files, encoding) as s:
        s.open("recipe_detail.md")
        # One problem for all missing types.
        await s.shows("common.md", "unknown-type")
        s.open("types.md", TYPES)
        await s.shows("common.md")
        await s.sound()


async def test_files_change_on_disk(folder):
    async with session(folder) as s:
        s.open("recipe_search.md")
        await s.shows("recipe_search.md")
        (s.folder / "types.md").write_text(TYPES.replace("## ListOrder", "## ResultOrder"))
        s.watched(("types.md", lsp.FileChangeType.Changed))
        await s.shows("recipe_search.md", "unknown-type", "unknown-type")
        (s.folder / "types.md").write_text(TYPES)
        s.watched(("types.md", lsp.FileChangeType.Changed))
        await s.shows("recipe_search.md")
        (s.folder / "recipe_search_2.md").write_text("# recipe_search_2\n\n## ShowMe\n")
        s.watched(("recipe_search_2.md", lsp.FileChangeType.Created))
        await s.shows("recipe_search_2.md", "identifier")
        (s.folder / "recipe_search_2.md").unlink()
        s.watched(("recipe_search_2.md", lsp.FileChangeType.Deleted))
        await s.shows("recipe_search_2.md")
        (s.folder / "types.md").unlink()
        s.watched(("types.md", lsp.FileChangeType.Deleted))
        await s.shows("recipe_search.md")
        await s.shows("common.md", "unknown-type")


async def test_the_configuration_changes_on_disk(folder):
    async with session(folder) as s:
        s.open("recipe_search.md")
        await s.shows("recipe_search.md")
        (s.folder / "loggen.yml").write_text("rules:\n  require-description: warning\n")
        s.watched(("loggen.yml", lsp.FileChangeType.Changed))
        assert await s.until(lambda: "require-description" in s.rules("recipe_search.md"), 5), s.client.diagnostics
        (s.folder / "loggen.yml").write_text("ruls:\n  require-description: warning\n")
        s.watched(("loggen.yml", lsp.FileChangeType.Changed))
        await s.shows("loggen.yml", "configuration")
        (s.folder / "loggen.yml").unlink()
        s.watched(("loggen.yml", lsp.FileChangeType.Deleted))
        await s.shows("loggen.yml")
        await s.sound()


async def test_a_repository_with_definitions_somewhere_in_it(tmp_path):
    repository = tmp_path / "repository"
    definitions = repository / "App" / "Definitions"
    definitions.mkdir(parents=True)
    (repository / "README.md").write_text("# Our app\n\n## How to Build\n")
    (repository / "NOTES.md").write_text("# Our Notes\n\n## Of Today\n")
    async with session(definitions, roots=[repository]) as s:
        s.open("recipe_search.md")
        await s.shows("recipe_search.md")
        s.replace("recipe_search.md", "| ListOrder |", "| ListOrdr |")
        await s.shows("recipe_search.md", "unknown-type")
        await s.labels("recipe_search.md", "| ListOrdr |", 6)
        assert not s.client.diagnostics.get(driver.uri(repository / "NOTES.md")), "other Markdown of the repository is not a definition"


async def test_ordinary_markdown_is_left_alone(folder):
    """One title of many that names its file makes no definition."""
    others = {f"docs/{name}.md": f"# About {name}\n\n## It\n" for name in ("api", "faq", "intro", "deploy")}
    async with session(folder, {**others, "docs/setup.md": "# setup\n\n## Install\n\n| key | value |\n| --- | --- |\n| PORT | 80 |\n"}) as s:
        s.open("docs/setup.md")
        await s.shows("docs/setup.md", source=None)
        s.replace("docs/setup.md", "PORT", "HOST")
        await asyncio.sleep(0.2)
        await s.shows("docs/setup.md", source=None)
        # loggen.yml marks the folder as a definition folder.
        (folder / "docs" / "loggen.yml").write_text("")
        s.watched(("docs/loggen.yml", lsp.FileChangeType.Created))
        assert await s.until(lambda: "unknown-detail" in s.rules("docs/setup.md"), 5), s.client.diagnostics


# MARK: Completion


async def test_types_are_completed(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        name = "recipe_search.md"
        s.open(name)
        s.replace(name, "| ListOrder |", "| So |")
        labels = await s.labels(name, "| So |", 4)
        assert "ListOrder" in labels
        item = next(i for i in await s.completions(name, "| So |", 4) if i.label == "ListOrder")
        accepted = s.accept(name, "| So |", 4, item)
        assert accepted == SEARCH, accepted
        s.replace(name, "| So |", "|  |")
        labels = await s.labels(name, "| order |  |", len("| order | "))
        assert {"ListOrder", "RecipeID", "string", "bool", "int", "int64", "double", "uuid", "url", "date", "timestamp"} <= {re.split(r"\W", l)[0] for l in labels}, labels
        assert not {"owner", "newest", "column"} & set(labels)


async def test_types_are_completed_inside_a_list(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        name = "recipe_search.md"
        s.open(name)
        s.replace(name, "[ListOrder; 1...5]?", "[So; 1...5]?")
        item = next(i for i in await s.completions(name, "[So", 3) if i.label == "ListOrder")
        assert s.accept(name, "[So", 3, item) == SEARCH


async def test_a_type_of_an_unsaved_file_is_completed(folder):
    async with session(folder) as s:
        s.open("types.md")
        s.open("recipe_search.md")
        s.replace("types.md", "## RecipeID: int64", "## RecipeID: int64\n\n## CampaignCode: string(32)")
        s.replace("recipe_search.md", "| ListOrder |", "| Cam |")
        assert "CampaignCode" in await s.labels("recipe_search.md", "| Cam |", 5)


async def test_keys_are_completed_in_the_language_of_the_table(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        for name, row, typed, wanted, other in (
            ("recipe_search.md", "| trigger | screen |", "| trigger | screen |\n|  |  |", {"sampling", "since", "privacy", "expires"}, {"担当", "サンプリング", "trigger"}),
            ("recipe_detail.md", "| 発火条件 | tap(RecipeViewController.saveButton) |", "| 発火条件 | tap(RecipeViewController.saveButton) |\n|  |  |", {"サンプリング", "追加", "個人情報", "期限"}, {"owner", "sampling", "発火条件"}),
        ):
            s.open(name)
            s.replace(name, row, typed)
            labels = set(await s.labels(name, "\n|  |  |", 3))
            assert wanted <= labels, labels
            assert not other & labels, f"of the other language, or there already: {other & labels}"


async def test_headers_are_completed_in_the_language_of_the_table(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("recipe_search.md")
        s.replace("recipe_search.md", "| column | type |\n| --- | --- |", "| column | type |  |\n| --- | --- | --- |")
        labels = set(await s.labels("recipe_search.md", "| column | type |  |", len("| column | type | ")))
        assert {"description", "example", "required", "privacy"} <= labels and not {"説明", "型", "type", "column"} & labels, labels
        s.open("recipe_detail.md")
        s.replace("recipe_detail.md", "| カラム | 型 | 説明 |\n| --- | --- | --- |", "| カラム | 型 | 説明 |  |\n| --- | --- | --- | --- |")
        labels = set(await s.labels("recipe_detail.md", "| カラム | 型 | 説明 |  |", len("| カラム | 型 | 説明 | ")))
        assert {"例", "必須", "個人情報"} <= labels and not {"example", "type", "説明"} & labels, labels


@pytest.mark.parametrize(
    "key, value, wanted",
    [
        ("trigger", "", {"screen", "show", "impression", "tap"}), ("発火条件", "", {"screen", "show", "impression", "tap"}), ("privacy", "", {"none", "personal", "sensitive"}),
        ("個人情報", "", {"none", "personal", "sensitive"}), ("platforms", "", {"ios", "android", "web"}), ("対象", "", {"ios", "android", "web"}),
        ("owner", "", {"@search-team", "@recipe-team"}), ("担当", "@re", {"@recipe-team"}), ("trigger", "tap(", {"RecipeViewController.saveButton"}),
    ])
async def test_values_are_completed(folder, key, value, wanted):
    english = key.isascii()
    header = "| key | value |" if english else "| キー | 値 |"
    text = f"# home\n\n## show\n\n{header}\n| --- | --- |\n| {key} | {value} |\n"
    async with session(folder) as s:
        s.open("home.md", text)
        items = await s.completions("home.md", f"| {key} | {value}", len(f"| {key} | {value}"))
        labels = {i.label for i in items}
        plain = labels | {re.split(r"[( ]", l)[0] for l in labels} | {l.removeprefix("tap(").removesuffix(")") for l in labels}
        assert wanted <= plain, labels
        if value == "tap(":
            item = next(i for i in items if "saveButton" in i.label)
            new = s.accept("home.md", f"| {key} | {value}", len(f"| {key} | {value}"), item)
            assert new.count("tap(") == 1 and "tap(RecipeViewController.saveButton" in new, new


async def test_text_is_not_completed(folder):
    async with session(folder) as s:
        s.open("recipe_search.md")
        assert not await s.completions("recipe_search.md", "検索。結果は", 2)


# MARK: Definition, references


async def test_plain_text_has_no_definition(folder):
    async with session(folder) as s:
        s.open("recipe_search.md")
        assert await s.definition("recipe_search.md", "検索。結果は", 1) == []


async def test_the_definition_of_a_type(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("recipe_search.md")
        for place in (("| ListOrder |", 2), ("| ListOrder |", 5), ("| ListOrder |", 11), ("[ListOrder;", 4)):
            assert await s.definition("recipe_search.md", *place) == [("types.md", 2, "ListOrder")], place
        assert await s.definition("recipe_search.md", "RecipeID?", 1) == [("types.md", 11, "RecipeID")]
        assert await s.definition("common.md", "ListOrder?", 1) == [("types.md", 2, "ListOrder")]
        s.open("types.md")
        s.replace("types.md", "# 共通の型 `types`\n", "# 共通の型 `types`\n\n😀\n")
        assert await s.definition("recipe_search.md", "RecipeID?", 1) == [("types.md", 13, "RecipeID")]


async def test_the_definition_of_an_event(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("recipe_search.md")
        s.open("recipe_detail.md")
        assert await s.definition("recipe_search.md", "recipe_detail.save_recipe", 16) == [("recipe_detail.md", 6, "save_recipe")]
        assert await s.definition("recipe_detail.md", "use save_recipe", 6) == [("recipe_detail.md", 6, "save_recipe")]


async def test_references_of_a_type(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("recipe_search.md")
        uses = [("common.md", 4, "ListOrder"), ("recipe_search.md", 17, "ListOrder"), ("recipe_search.md", 18, "ListOrder")]
        for place in (("types.md", "## ListOrder", 5), ("recipe_search.md", "| ListOrder |", 4)):
            assert await s.references(*place) == uses + [("types.md", 2, "ListOrder")]
            assert await s.references(*place, declaration=False) == uses


async def test_references_of_an_event(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("recipe_detail.md")
        found = await s.references("recipe_detail.md", "`save_recipe`", 3, declaration=False)
        assert [(name, line) for name, line, _ in found] == [("recipe_detail.md", 20), ("recipe_search.md", 2)], found
        assert all("save_recipe" in text for _, _, text in found)
        found = await s.references("recipe_detail.md", "`save_recipe`", 3)
        assert ("recipe_detail.md", 6, "save_recipe") in found


# MARK: Rename


async def test_a_type_is_renamed_in_every_file(folder, encoding):
    async with session(folder, encoding=encoding) as s:
        s.open("recipe_search.md")
        s.open("types.md")
        # Unsaved text is renamed, too.
        s.replace("recipe_search.md", "| 選んだもの |", "| 😀 | again | ListOrder? | |\n| 選んだもの |")
        for place in (("recipe_search.md", "| ListOrder |", 4), ("types.md", "## ListOrder", 4)):
            prepared = await s.client.text_document_prepare_rename_async(lsp.PrepareRenameParams(**s.at(*place)))
            range = prepared if isinstance(prepared, lsp.Range) else prepared.range
            assert s.slice(place[0], range) == "ListOrder"
            if not isinstance(prepared, lsp.Range):
                assert prepared.placeholder == "ListOrder"
        edit = await s.rename("recipe_search.md", "| ListOrder |", 4, "ResultOrder")
        touched = s.perform(edit)
        assert sorted(set(touched)) == ["common.md", "recipe_search.md", "types.md"]
        assert s.text("types.md") == TYPES.replace("ListOrder", "ResultOrder")
        assert s.text("common.md") == COMMON.replace("ListOrder", "ResultOrder")
        assert s.text("recipe_search.md").count("ResultOrder") == 3 and "ListOrder" not in s.text("recipe_search.md")
        await s.sound()


@pytest.mark.parametrize("new", ["", "list order", "list-order", "1Order", "並び順", "string", "int64", "RecipeID", "String", "a|b", "`", "Order\n", "Order😀"])
async def test_a_name_that_cannot_be_is_refused(folder, new):
    async with session(folder) as s:
        s.open("types.md")
        message = await s.refused(s.rename("types.md", "## ListOrder", 5, new))
        assert len(message) > 10, message
        if new in ("RecipeID",):
            assert "RecipeID" in message


async def test_what_has_no_name_is_not_renamed(folder):
    async with session(folder) as s:
        s.open("recipe_search.md")
        for place in (("string(256)", 3), ("検索。結果は", 2), ("@search-team", 2)):
            with contextlib.suppress(JsonRpcException):
                assert await s.client.text_document_prepare_rename_async(lsp.PrepareRenameParams(**s.at("recipe_search.md", *place))) is None, place
            message = await s.refused(s.rename("recipe_search.md", *place, "Other"))
            assert message


# MARK: Formatting

OPTIONS = lsp.FormattingOptions(tab_size=4, insert_spaces=True)


def formatted(tmp_path, files, name):
    """Returns the result of `loggen format` for one file of a folder."""
    folder = tmp_path / "formatted"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    driver.write(folder, files)
    loggen("format", folder / name)
    return (folder / name).read_bytes().decode()


TEXTS = {
    "plain": SEARCH, "japanese": DETAIL, "types": TYPES, "common": COMMON, "crlf": SEARCH.replace("\n", "\r\n"), "cr": SEARCH.replace("\n", "\r"), "mark": "\ufeff" + SEARCH,
    "no end": SEARCH.rstrip("\n"), "error": SEARCH.replace("ListOrder", "Unknown"), "broken": SEARCH.replace("| --- |", "| —- |", 1),
    "empty": "", "mixed": SEARCH.replace("\n", "\r\n", 20),
}


@pytest.mark.parametrize("kind", TEXTS)
async def test_formatting_is_that_of_the_command(folder, tmp_path, encoding, kind):
    text = TEXTS[kind]
    name = {"japanese": "recipe_detail.md", "types": "types.md", "common": "common.md"}.get(kind, "recipe_search.md")
    async with session(folder, encoding=encoding) as s:
        s.open(name, text)
        edits = await s.client.text_document_formatting_async(lsp.DocumentFormattingParams(text_document=s.document(name), options=OPTIONS))
        new = s.applied(text, edits or [])
        assert new == formatted(tmp_path, {**FILES, name: text}, name)
        s.send(name, lsp.TextDocumentContentChangeWholeDocument(text=new), text=new)
        assert not await s.client.text_document_formatting_async(lsp.DocumentFormattingParams(text_document=s.document(name), options=OPTIONS)), "twice is once"


async def test_formatting_of_the_sample(folder, tmp_path):
    files = {f.name: f.read_bytes().decode() for f in driver.SAMPLE.iterdir() if f.suffix in (".md", ".yml") and f.name != "README.md"}
    loose = {name: re.sub(r" *\| *", "|", text) if name.endswith(".md") and "\\|" not in text else text for name, text in files.items()}
    async with session(folder, loose) as s:
        for name in sorted(loose):
            if name.endswith(".md"):
                s.open(name)
                edits = await s.client.text_document_formatting_async(lsp.DocumentFormattingParams(text_document=s.document(name), options=OPTIONS))
                assert s.applied(loose[name], edits or []) == formatted(tmp_path, loose, name), name


@pytest.mark.parametrize("character", ["|", "\n"])
async def test_typing_aligns_the_table_under_the_cursor(folder, tmp_path, encoding, character):
    async with session(folder, encoding=encoding) as s:
        name = "recipe_search.md"
        s.open(name)
        row = "| 😀 大きな新しい行 | added_by_hand | bool |"
        before = "| 選んだもの | recipe_id | RecipeID? | `42` |\n"
        s.replace(name, before, before + row + ("\n" if character == "\n" else "") + "\n")
        at = s.find(name, row, len(row))
        if character == "\n":
            at = lsp.Position(line=at.line + 1, character=0)
        old = s.text(name)
        edits = await s.client.text_document_on_type_formatting_async(lsp.DocumentOnTypeFormattingParams(
            ch=character, options=OPTIONS, text_document=s.document(name), position=at))
        new = s.applied(old, edits or [])
        # The table equals that of the command, and the rest is unchanged.
        begin, end = old.index("| description |"), old.index("\n## 音声")
        assert new.startswith(old[:begin]) and new.endswith(old[end:]), new
        table = new[begin:len(new) - len(old[end:])]
        whole = formatted(tmp_path, {**FILES, name: old}, name)
        wanted = whole[whole.index("| description"):whole.index("\n## 音声")]
        assert table.rstrip("\n") == wanted.rstrip("\n") and table != old[begin:end], table


async def test_typing_elsewhere_changes_nothing(folder):
    async with session(folder) as s:
        name = "recipe_search.md"
        s.open(name)
        s.replace(name, "検索。結果は", "a | b\n検索。結果は")
        edits = await s.client.text_document_on_type_formatting_async(lsp.DocumentOnTypeFormattingParams(
            ch="|", options=OPTIONS, text_document=s.document(name), position=s.find(name, "a | b", 3)))
        assert not edits
        s.replace(name, "a | b\n", "```\n| a | b |\n| --- | --- |\n| 123456 | 2 |\n```\n")
        edits = await s.client.text_document_on_type_formatting_async(lsp.DocumentOnTypeFormattingParams(
            ch="|", options=OPTIONS, text_document=s.document(name), position=s.find(name, "| 123456 | 2 |", 14)))
        assert not edits, "a table in a fence is not a definition"


# MARK: Quick fixes


@pytest.mark.parametrize(
    "old, new, rule, words",
    [
        ("| ListOrder |", "| ListOrdr |", "unknown-type", ["ListOrder"]), ("| string(256) | `卵` |", "| strng(256) | `卵` |", "type-syntax", ["string"]),
        ("| trigger | screen |", "| trigger | scren |", "detail-value", ["screen"]), ("| owner | @search-team |", "| ownr | @search-team |", "unknown-detail", ["owner"]),
        ("## 音声の検索 `search_by_voice`", "## 音声の検索 `searchByVoice`", "identifier", ["search_by_voice"]),
        ("# 😀 レシピ検索 `recipe_search`", "# 😀 レシピ検索 `recipe_serch`", "file-name", ["recipe_search"]),
    ])
async def test_did_you_mean(folder, encoding, old, new, rule, words):
    async with session(folder, encoding=encoding) as s:
        name = "recipe_search.md"
        s.open(name)
        s.replace(name, old, new)
        assert await s.until(lambda: rule in s.rules(name), 5), s.client.diagnostics
        problem = next(d for d in s.diagnostics(name) if d.code == rule)
        action = await s.act_titled(name, problem, *words)
        assert action.kind == lsp.CodeActionKind.QuickFix
        await s.shows(name)
        assert s.text(name) == SEARCH


@pytest.mark.parametrize("known", ["types.md is open", "types.md is on disk", "types.md does not exist", "types.md is empty of types"])
async def test_an_unknown_type_is_declared(folder, encoding, known):
    files = dict(FILES)
    text = "# home\n\n## show\n\n| column | type |\n| --- | --- |\n| colour | AnotherThing |\n"
    if known.startswith("there"):
        files = {"home.md": text}
    elif known.endswith("of types"):
        files = {"home.md": text, "types.md": "# types\n"}
    else:
        files["home.md"] = text
    async with session(folder, files, encoding) as s:
        s.open("home.md")
        if known.endswith("open"):
            s.open("types.md")
        await s.shows("home.md", "unknown-type")
        await s.act_titled("home.md", s.diagnostics("home.md")[0], "types.md")
        await s.shows("home.md")
        assert "AnotherThing" in s.text("types.md")
        if "types.md" in files:
            assert s.text("types.md").startswith(files["types.md"].rstrip("\n"))
        await s.sound()


async def test_a_breaking_change_is_accepted_in_the_lock(folder):
    driver.write(folder, FILES)
    assert loggen("lock", folder).returncode == 0
    async with session(folder) as s:
        name = "recipe_search.md"
        s.open(name)
        await s.shows(name, source=None)
        s.replace(name, "| keyword | string(256) |\n", "| keyword | string(256) |\n| added | bool |\n", 0)
        assert await s.until(lambda: "breaking-change" in s.rules(name, None), 5), s.client.diagnostics
        problem = next(d for d in s.diagnostics(name, None) if d.code == "breaking-change")
        assert problem.source != "loggen", "lint does not report drift"
        # Accepting uses the file on disk.
        (folder / name).write_text(s.text(name))
        s.client.text_document_did_save(lsp.DidSaveTextDocumentParams(text_document=s.document(name)))
        await s.act_titled(name, problem, "accept")
        s.watched(("loggen.lock", lsp.FileChangeType.Changed))
        assert await s.until(lambda: "breaking-change" not in s.rules(name, None), 5), s.client.diagnostics
        assert "recipe_search.search_by_voice 2-0-0" in (folder / "loggen.lock").read_text()
    assert "loggen lock" not in loggen("lock", folder).stdout
    assert loggen("lock", folder).returncode == 0


async def test_a_deleted_event_is_retired_instead(folder):
    driver.write(folder, FILES)
    assert loggen("lock", folder).returncode == 0
    async with session(folder) as s:
        name = "recipe_search.md"
        s.open(name)
        begin = s.text(name).index("## 音声")
        gone = s.text(name)[begin:]
        s.replace(name, gone, "")
        everywhere = lambda: [(u, d) for u, list in s.client.diagnostics.items() for d in list if d.code == "deleted-event"]
        assert await s.until(lambda: len(everywhere()) == 1, 5), s.client.diagnostics
        where, problem = everywhere()[0]
        where = os.path.relpath(driver.path_of(where), folder)
        assert where == name, "it is shown in the document that had the event"
        await s.act_titled(where, problem, "retire")
        assert await s.until(lambda: not everywhere(), 5), s.client.diagnostics
        assert re.search(r"^## .*(~~search_by_voice~~|\[obsolete\] search_by_voice)", s.text(name), re.M), s.text(name)
        await s.sound()


async def test_a_deleted_document_comes_back_with_retired_events(folder):
    driver.write(folder, FILES)
    assert loggen("lock", folder).returncode == 0
    (folder / "recipe_detail.md").unlink()
    async with session(folder, {}) as s:
        s.open("recipe_search.md")
        assert await s.until(lambda: s.rules("loggen.lock", None) == ["deleted-event"] * 2, 5), s.client.diagnostics
        action = await s.act_titled("loggen.lock", s.diagnostics("loggen.lock", None)[0], "recipe_detail.md", "retired")
        assert "2 events" in action.title
        assert await s.until(lambda: not s.rules("loggen.lock", None), 5), s.client.diagnostics
        assert re.findall(r"^## .*$", s.text("recipe_detail.md"), re.M) == ["## ~~save_recipe~~", "## ~~tap_favorite~~"]
        await s.sound()


async def test_a_title_says_what_a_fix_does(folder):
    """Advice may have two alternatives. Each is a separate fix."""
    async with session(folder) as s:
        name = "recipe_search.md"
        s.open(name)
        s.replace(name, "`recipe_search`", "`recipe_find`")
        await s.shows(name, "file-name")
        actions = await s.actions(name, s.diagnostics(name)[0])
        assert [a.title for a in actions] == ["Change the heading to `recipe_search`", "Rename the file to `recipe_find.md`"]
        assert [type(c) for c in actions[0].edit.document_changes] == [lsp.TextDocumentEdit]
        assert [(type(c), driver.path_of(c.new_uri)) for c in actions[1].edit.document_changes] == [(lsp.RenameFile, str(folder / "recipe_find.md"))]


async def test_actions_of_a_range_without_problems(folder):
    async with session(folder) as s:
        s.open("recipe_search.md")
        everything = lsp.Range(start=lsp.Position(line=0, character=0), end=s.position("recipe_search.md", len(SEARCH)))
        assert not await s.client.text_document_code_action_async(lsp.CodeActionParams(
            text_document=s.document("recipe_search.md"), range=everything, context=lsp.CodeActionContext(diagnostics=[])))


async def test_actions_without_the_diagnostics_of_the_client(folder):
    """An editor may ask for a place alone."""
    async with session(folder) as s:
        s.open("recipe_search.md")
        s.replace("recipe_search.md", "| ListOrder |", "| ListOrdr |")
        await s.shows("recipe_search.md", "unknown-type")
        at = s.find("recipe_search.md", "ListOrdr", 3)
        found = await s.client.text_document_code_action_async(lsp.CodeActionParams(
            text_document=s.document("recipe_search.md"), range=lsp.Range(start=at, end=at), context=lsp.CodeActionContext(diagnostics=[])))
        assert any("ListOrder" in a.title for a in found or [])


async def test_an_action_of_a_text_that_has_changed_since(folder):
    """A problem that is resolved has no quick fix."""
    async with session(folder) as s:
        s.open("recipe_search.md")
        s.replace("recipe_search.md", "| ListOrder |", "| ListOrdr |")
        await s.shows("recipe_search.md", "unknown-type")
        problem = s.diagnostics("recipe_search.md")[0]
        s.replace("recipe_search.md", "| ListOrdr |", "| ListOrder |")
        s.replace("recipe_search.md", "# 😀 レシピ検索", "# レシピ検索")
        assert not [a for a in await s.actions("recipe_search.md", problem) if "ListOrder" in a.title]


# MARK: Two folders


async def test_two_folders(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    driver.write(second, {"recipe_search.md": SEARCH, "types.md": TYPES.replace("RecipeID: int64", "RecipeID: uuid").replace("| popular | 人気順 |", "| rating | 点数 |")})
    async with session(first, roots=[first, second]) as s:
        other = Session(s.client, second, s.encoding)
        s.open("recipe_search.md")
        other.open("recipe_search.md")
        other.replace("recipe_search.md", "| ListOrder |", "| So |")
        item = next(i for i in await other.completions("recipe_search.md", "| So |", 4) if i.label == "ListOrder")
        assert "rating" in item.detail and "popular" not in item.detail
        other.replace("recipe_search.md", "| So |", "| ListOrder |")
        edit = await other.rename("recipe_search.md", "| ListOrder |", 4, "ResultOrder")
        assert set(other.perform(edit)) == {"recipe_search.md", "types.md"}
        assert "ResultOrder" not in s.text("types.md")
        assert await s.definition("recipe_search.md", "| ListOrder |", 4) == [("types.md", 2, "ListOrder")]
