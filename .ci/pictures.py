#!/usr/bin/env python3
"""Draws pictures for the documentation: reviews as comments, and Neovim with `loggen lsp`, each light and dark.

usage: .ci/pictures.py LOGGEN [FOLDER]
       LOGGEN is the built command; FOLDER is Sources/Generator/loggen/Documentation.docc/Resources by default

A review is the output of `loggen review --format markdown` for a change of the sample. cmark-gfm renders it with a
style of this file, so it is not a screenshot of a host. The consumers of one review are a dbt project, which
`dbt parse` reads, and a query. Neovim runs in a pseudo-terminal with its built-in client of
language servers and without plugins.

Needs Debian's chromium, cmark-gfm, neovim, git, fonts-noto-cjk, fonts-dejavu-core and python3-pil; PyPI's pyte and dbt-duckdb.
"""

import base64
import contextlib
import fcntl
import html
import importlib.util
import io
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Tests/BlackBox"))
from chromium import Chromium  # noqa: E402

COLUMNS, ROWS = 136, 27
CELL, LINE = 8.428, 21  # in points; CELL is the width of a letter of DejaVu Sans Mono at 14 points


def replaced(text, *changes):
    """Replaces texts in a document. Each must occur exactly once."""
    for old, new in changes:
        if text.count(old) != 1:
            sys.exit(f"the sample does not contain “{old}” exactly once: choose another change")
        text = text.replace(old, new)
    return text


def sample(folder):
    """Copies the sample's definitions, and returns the path of its search category."""
    shutil.copytree(ROOT / "Definitions", folder / "Definitions")
    return folder / "Definitions/recipe_search.md"


# MARK: The review

COMMENT = """<!DOCTYPE html><meta charset="utf-8"><style>
:root { --page: #fff; --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --bar: #f6f8fa; --code: #818b981f; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #f0f6fc; --soft: #9198a1; --line: #3d444d; --bar: #151b23; --code: #656c7633; } }
html { background: var(--page); color: var(--text); font: 14px/1.5 "Noto Sans", "Noto Sans CJK JP", sans-serif; }
body { margin: 16px; }
article { width: 848px; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
header { padding: 8px 16px; background: var(--bar); border-bottom: 1px solid var(--line); color: var(--soft); }
header b { color: var(--text); }
main { padding: 16px 16px 0; }
p, table, details, ul { margin: 0 0 16px; }
table { border-collapse: collapse; }
th, td { padding: 6px 13px; border: 1px solid var(--line); text-align: left; vertical-align: top; }
tr:nth-child(even) { background: var(--bar); }
td:nth-child(4), td code { white-space: nowrap; }
ul { padding-left: 28px; }
summary + ul { margin-top: 8px; }
code { padding: .2em .4em; border-radius: 6px; background: var(--code); font: 85% "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace; white-space: break-spaces; }
</style><article><header><b>log-review</b> commented</header><main>"""


def commit(folder):
    git = ["git", "-C", folder, "-c", "user.name=sample", "-c", "user.email=sample@example.com", "-c", "commit.gpgsign=false"]
    for command in [["init", "--quiet", "--initial-branch=main"], ["add", "--all"], ["commit", "--quiet", "--message=sample"]]:
        subprocess.run(git + command, check=True)


def comment(loggen, folder, expected, opened):
    """Makes the page with the review of the current change. `opened` is the number of the unfolded details."""
    result = subprocess.run([loggen, "review", "Definitions", "--base", "main", "--format", "markdown"], cwd=folder, capture_output=True, text=True)
    if result.returncode != 1 or expected not in result.stdout:
        sys.exit(f"the review ended with the unexpected exit code {result.returncode}:\n{result.stdout}{result.stderr}")
    drawn = subprocess.run(["cmark-gfm", "--extension", "table", "--unsafe"], input=result.stdout, capture_output=True, text=True, check=True).stdout
    page = folder / "review.html"
    page.write_text(COMMENT + drawn.replace("<details>", "<details open>", opened) + "</main></article>", encoding="utf-8")
    return page


def review(loggen, folder):
    """Makes the page with the review of a change: a type changes, an event is retired, and one is added."""
    document = sample(folder)
    commit(folder)
    document.write_text(replaced(
        document.read_text(encoding="utf-8"),
        ("| elapsed              | float                | ○        | 決定から表示までの秒数                   | `0.42`      |",
         "| elapsed              | uint32               | ○        | 決定から表示までのミリ秒数               | `420`       |"),
        ("## 検索履歴を消した `clear_history`", "## 検索履歴を消した `~~clear_history~~`"),
        ("## ~~search_by_voice~~", "## 検索結果を並べ替えた `change_order`\n\n並び順を選び、結果が並び替わった。\n\n| column | type      | description    | example   |\n"
         "| ------ | --------- | -------------- | --------- |\n| order  | ListOrder | 選ばれた並び順 | `popular` |\n\n## ~~search_by_voice~~")),
        encoding="utf-8")
    return comment(loggen, folder, "1 event added, 1 event changed, 1 event retired", 1)


# The consumers of the review with consumers.
CONSUMERS = {
    "analytics/dbt_project.yml": "name: analytics\nprofile: analytics\n",
    "analytics/profiles.yml": "analytics: {target: dev, outputs: {dev: {type: duckdb}}}\n",
    "analytics/models/sources.yml": "sources:\n  - {name: logs, tables: [{name: recipe_search__show_recipe}, {name: recipe_search__tap_recipe}]}\n",
    "analytics/models/stg_shown.sql": "select * from {{ source('logs', 'recipe_search__show_recipe') }}\n",
    "analytics/models/search_ctr.sql":
        "select s.position, count(t.recipe_id) / count(*) as ctr\n"
        "from {{ source('logs', 'recipe_search__show_recipe') }} as s\n"
        "left join {{ source('logs', 'recipe_search__tap_recipe') }} as t using (recipe_id)\ngroup by 1\n",
    "analytics/models/shown_weekly.sql": "select date_trunc('week', occurred_at) as week, count(*) as shown from {{ ref('stg_shown') }} group by 1\n",
    "analytics/models/exposures.yml":
        "exposures:\n"
        "  - {name: search_ctr_board, label: Search CTR, type: dashboard, depends_on: [ref('search_ctr')], owner: {name: Ana, email: ana@example.com}}\n"
        "  - {name: growth_report, label: Growth report, type: dashboard, depends_on: [ref('shown_weekly')], owner: {name: \"@growth\", email: growth@example.com}}\n",
    "queries/keywords.sql": "select keyword, count(*) from recipe_search__show_recipe group by 1 order by 2 desc\n",
}


def consumers(loggen, folder):
    """Makes the page with the review of a change that breaks consumers: a column is deleted, and a trigger changes."""
    document = sample(folder)
    with open(folder / "Definitions/loggen.yml", "a", encoding="utf-8") as file:
        file.write("consumers: [../analytics, ../queries]\n")
    for path, content in CONSUMERS.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    subprocess.run(
        ["dbt", "--quiet", "parse", "--project-dir", folder / "analytics", "--profiles-dir", folder / "analytics"], check=True,
        env=os.environ | {"DO_NOT_TRACK": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"})
    commit(folder)
    document.write_text(replaced(
        document.read_text(encoding="utf-8"),
        ("impression(80%, 2s)", "impression(50%, 1s)"),
        ("| recipe_id | RecipeID      | 見られたレシピ                    | `42`      |\n"
         "| position  | int(0...)     | 上から何番目か(0始まり)           | `4`       |\n",
         "| recipe_id | RecipeID      | 見られたレシピ                    | `42`      |\n")), encoding="utf-8")
    return comment(loggen, folder, "Other owners to ask: ", 1)


# MARK: Neovim

# The client needs few of these lines; the others are appearance.
CONFIGURATION = """
vim.o.background, vim.o.termguicolors, vim.o.number, vim.o.signcolumn, vim.o.wrap = BACKGROUND, true, true, 'yes', false
vim.o.completeopt, vim.o.pumheight, vim.o.shortmess, vim.o.swapfile, vim.o.ruler, vim.o.showcmd = 'menuone,noselect', 14, 'aoOtTIcF', false, false, false
vim.o.laststatus, vim.o.fillchars, vim.o.guicursor, vim.o.showmode = 2, 'eob: ', '', false
local dark = BACKGROUND == 'dark'
local function look(group, light_foreground, dark_foreground, light_background, dark_background, more)
  local value = more or {}
  value.fg, value.bg = dark and dark_foreground or light_foreground, dark and dark_background or light_background
  vim.api.nvim_set_hl(0, group, value)
end
local function looks()
  look('Normal', '#24292f', '#d7dae0', '#ffffff', '#16181d')
  look('LineNr', '#9aa2ab', '#5a6270')
  look('SignColumn')
  look('StatusLine', '#57606a', '#a9b0bb', '#eaeef2', '#23262d')
  for _, group in ipairs({'markdownH1', 'markdownH2', 'Title'}) do look(group, '#0550ae', '#82aaff', nil, nil, {bold = true}) end
  for _, group in ipairs({'markdownH1Delimiter', 'markdownH2Delimiter', 'markdownCodeDelimiter'}) do look(group, '#9aa2ab', '#6b7382') end
  look('markdownCode', '#116329', '#7ddb8f')
  look('Pmenu', '#24292f', '#d7dae0', '#e7ecf2', '#2c313b')
  look('PmenuSel', '#ffffff', '#ffffff', '#0969da', '#3b5bb5')
  look('PmenuSbar', nil, nil, '#d8dee6', '#343a46')
  look('PmenuThumb', nil, nil, '#9aa2ab', '#5a6270')
  look('NormalFloat', '#24292f', '#d7dae0', '#f0f3f7', '#23272f')
  look('FloatBorder', '#9aa2ab', '#6b7382', '#f0f3f7', '#23272f')
  look('DiagnosticError', '#cf222e', '#ff8080')
  look('DiagnosticFloatingError', '#cf222e', '#ff8080')
  look('DiagnosticUnderlineError', '#cf222e', '#ff8080', nil, nil, {underline = true})
end
vim.diagnostic.config({virtual_text = {prefix = '■', spacing = 2, format = function(found) return found.message:match('[^\\n]*') end}, float = {border = 'single'}})
vim.api.nvim_create_autocmd('FileType', {pattern = 'markdown', callback = function()
  looks()
  -- It takes the _ of a name for a mistake.
  vim.schedule(function() vim.api.nvim_set_hl(0, 'markdownError', {link = 'Normal'}) end)
  local client = vim.lsp.start_client({name = 'loggen', cmd = {LOGGEN, 'lsp'}, root_dir = vim.fn.getcwd()})
  vim.lsp.buf_attach_client(0, client)
  vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
  vim.keymap.set('n', 'gl', vim.diagnostic.open_float, {buffer = true})
end})
"""


def without_answers(written):
    """Removes queries to the terminal from a program's output, because pyte would show them."""
    return re.sub(rb"\x1bP.*?\x1b\\|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[>=][0-9;]*[A-Za-z]|\x1b\[[0-9;?]*\$[a-z]", b"", written, flags=re.S)


def neovim(loggen, folder, background, change, steps):
    """Returns Neovim's screen with the sample's document after a change and some keys.

    Each step waits until the screen shows a text. <text> among the keys moves to the first line with the text.
    """
    import pyte

    document = sample(folder)
    document.write_text(replaced(document.read_text(encoding="utf-8"), *change), encoding="utf-8")
    values = f"local LOGGEN, BACKGROUND = [==[{loggen}]==], '{background}'\n"
    (folder / "init.lua").write_text(values + CONFIGURATION, encoding="utf-8")
    home = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ["CONFIG", "DATA", "STATE", "CACHE"]}
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("NVIM", "VIMINIT", "VTE_VERSION", "TMUX")}
    process = subprocess.Popen(
        ["nvim", "-i", "NONE", "-u", folder / "init.lua", "Definitions/recipe_search.md"], cwd=folder, stdin=follower, stdout=follower,
        stderr=follower, env=environment | home | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}, start_new_session=True)
    os.close(follower)
    written = b""

    def screen():
        screen = pyte.Screen(COLUMNS, ROWS)
        pyte.ByteStream(screen).feed(without_answers(written))
        return screen

    def shows(text):
        return any(text in line for line in screen().display)

    def line_of(text):
        return 1 + next(number for number, line in enumerate(document.read_text(encoding="utf-8").split("\n")) if text in line)

    def until(text):
        """Reads until the screen shows a text and has not changed for a while."""
        nonlocal written
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if select.select([leader], [], [], 0.8)[0]:
                try:
                    written += os.read(leader, 65536)
                except OSError:
                    break
            elif shows(text):
                return
        sys.exit(f"Neovim does not show “{text}”:\n" + "\n".join(screen().display))

    try:
        for text, keys in steps:
            until(text)
            os.write(leader, re.sub("<(.+?)>", lambda found: f"{line_of(found[1])}G", keys).encode())
        return screen()
    finally:
        process.kill()
        process.wait()
        os.close(leader)


TERMINAL = """<!DOCTYPE html><meta charset="utf-8"><style>
html { background: %(page)s; } body { margin: 0; padding: 16px; width: max-content; }
.window { border: 1px solid %(line)s; border-radius: 10px; overflow: hidden; background: %(back)s; color: %(text)s; width: max-content; }
.bar { padding: 8px 14px; background: %(bar)s; line-height: 0; }
.bar i { display: inline-block; width: 11px; height: 11px; margin-right: 7px; border-radius: 50%%; background: %(dot)s; }
.screen { position: relative; margin: 8px 10px; font: 14px/%(height)spx "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace; }
.screen span { position: absolute; height: %(height)spx; white-space: pre; overflow: hidden; }
.screen .wide { font: 15.5px/%(height)spx "Noto Sans Mono CJK JP", monospace; text-align: center; margin-top: -1px; }
.screen .cursor { background: %(cursor)s; }
</style><div class="window"><div class="bar"><i></i><i></i><i></i></div><div class="screen" style="width: %(wide)spx; height: %(high)spx">"""
LOOKS = {
    "light": dict(page="#fff", line="#d1d9e0", back="#ffffff", text="#24292f", bar="#eaeef2", dot="#c3cbd4", cursor="#0969da44"),
    "dark": dict(page="#0b0c0f", line="#343a46", back="#16181d", text="#d7dae0", bar="#23262d", dot="#4a4f59", cursor="#82aaff66"),
}


def terminal(screen, scheme, page):
    """Writes a screen as a page with one column per letter, or two for wide letters."""
    look = LOOKS[scheme]
    # The command line is omitted if it is empty.
    rows = screen.lines - (not screen.display[-1].strip())
    parts = [TERMINAL % (look | dict(height=LINE, wide=round(screen.columns * CELL, 1), high=rows * LINE))]

    def colour(value, normal):
        return normal if value == "default" else "#" + value if re.fullmatch("[0-9a-f]{6}", value) else value

    for row in range(rows):
        line = screen.buffer[row]
        column = 0
        while column < screen.columns:
            cell, start = line[column], column
            wide = unicodedata.east_asian_width(cell.data[0]) in "WF" if cell.data else False
            text = cell.data
            column += 2 if wide else 1
            while not wide and column < screen.columns:
                # A run of narrow letters with the same style.
                after = line[column]
                if after._replace(data="") != cell._replace(data="") or not after.data or unicodedata.east_asian_width(after.data[0]) in "WF":
                    break
                text += after.data
                column += 1
            front, back = colour(cell.fg, look["text"]), colour(cell.bg, look["back"])
            if cell.reverse:
                front, back = back, front
            if not text.strip() and back == look["back"] and not cell.underscore:
                continue
            style = f"left:{start * CELL:.2f}px;top:{row * LINE}px;width:{(column - start) * CELL + .3:.2f}px;color:{front}"
            style += f";background:{back}" if back != look["back"] else ""
            style += ";font-weight:bold" if cell.bold else ""
            style += ";text-decoration:underline" if cell.underscore else ""
            parts.append(f'<span{" class=wide" if wide else ""} style="{style}">{html.escape(text)}</span>')
    parts.append(f'<span class="cursor" style="left:{screen.cursor.x * CELL:.2f}px;top:{screen.cursor.y * LINE}px;width:{CELL}px"></span>')
    page.write_text("".join(parts) + "</div></div>", encoding="utf-8")
    return page


# The first shows a misspelt type with its diagnostic, the second the completions for a column's type.
EDITORS = {
    "editor-problem": dict(
        change=[("| recipe_id | RecipeID      | 見られたレシピ", "| recipe_id | RecipID       | 見られたレシピ")],
        steps=[("recipe_search", "<`show_recipe`>zt<RecipID>0fR"), ("■", "gl"), ("did you mean", "")]),
    "editor-completion": dict(
        change=[],
        steps=[("recipe_search", "<`view_search`>zt<referrer>"), ("referrer", "o| section  | "), ("| section  |", "\x18\x0f"), ("ListOrder", "")]),
}


# MARK: Pictures


def photograph(browser, page, picture, scheme, element):
    """Saves a picture of an element with its surroundings at twice the resolution. Few colours keep the file small."""
    from PIL import Image

    browser.size(1200, 1000, scheme)
    browser.open(page)
    browser.run("document.fonts.ready.then(() => 0)")
    width, height = browser.run(f"(box => [Math.ceil(box.right) + 16, Math.ceil(box.bottom) + 16])(document.querySelector('{element}').getBoundingClientRect())")
    shot = browser("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=dict(x=0, y=0, width=width, height=height, scale=2))
    Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(picture, optimize=True)
    print(f"{picture}: {width} × {height} points, {picture.stat().st_size // 1000} kB")


def main():
    if len(sys.argv) == 2 and sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    loggen = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else ROOT / "Sources/Generator/loggen/Documentation.docc/Resources")
    missing = [name for name in ["chromium", "cmark-gfm", "nvim", "git", "dbt", loggen] if not shutil.which(name)]
    missing += [name for name in ["PIL", "pyte"] if not importlib.util.find_spec(name)]
    if missing:
        sys.exit(f"missing: {', '.join(map(str, missing))}\n\n{__doc__.strip()}")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as stack:
        scratch = pathlib.Path(scratch)
        for name in ["review", "consumers", "browser"]:
            (scratch / name).mkdir()
        browser = Chromium(scratch / "browser")
        stack.callback(browser.close)
        comments = {"review-comment": review(loggen, scratch / "review"), "impact-comment": consumers(loggen, scratch / "consumers")}
        for scheme, ending in [("light", ""), ("dark", "~dark")]:
            for name, page in comments.items():
                photograph(browser, page, folder / f"{name}{ending}.png", scheme, "article")
            for name, editor in EDITORS.items():
                place = scratch / (name + ending)
                place.mkdir()
                page = terminal(neovim(loggen, place, scheme, **editor), scheme, place / "screen.html")
                photograph(browser, page, folder / f"{name}{ending}.png", scheme, ".window")


main()
