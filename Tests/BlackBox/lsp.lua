-- Tests neovim's client with `loggen lsp`, without a screen. Tests/BlackBox/lsp.py runs this in a repository with
-- the sample in Definitions/. Works with neovim 0.7, which is in Debian 12, and later.
local failures = 0

local function say(text) io.stdout:write(text .. "\n") end

local function check(condition, what, seen)
  if condition then
    say("ok      " .. what)
  else
    failures = failures + 1
    say("FAILED  " .. what .. (seen == nil and "" or ": " .. vim.inspect(seen)))
  end
  return condition
end

local function read(path) return table.concat(vim.fn.readfile(path, "b"), "\n") end

local function main()
  local root = vim.fn.getcwd()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  local client = vim.lsp.start_client({
    name = "loggen",
    cmd = { vim.env.LOGGEN, "lsp" },
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = "sample" } },
    capabilities = capabilities,
    on_error = function(code, err) check(false, "the client has an error", { code, err }) end,
  })
  assert(client, "the client has not started")

  vim.cmd("edit Definitions/recipe_search.md")
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, client)
  check(vim.wait(10000, function() return vim.lsp.get_client_by_id(client).server_capabilities ~= nil and vim.lsp.buf_is_attached(buffer, client) end, 20), "it is attached")
  vim.wait(10000, function() return vim.lsp.get_client_by_id(client).initialized end, 20)

  local function find(needle)
    for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
      local at = line:find(needle, 1, true)
      if at then return number, at - 1, line end
    end
    error("there is no " .. needle)
  end
  local function ask(method, more)
    local parameters = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
    local answer = vim.lsp.buf_request_sync(0, method, parameters, 10000)
    return answer and answer[client] and answer[client].result, answer
  end
  -- Types keys like a person.
  local function press(keys)
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), "ntx", false)
  end

  -- Typing a typo.
  local row, column = find("| ListOrder")
  vim.api.nvim_win_set_cursor(0, { row, column + 2 + #"ListOrd" })
  press("x")
  check(
    vim.wait(10000, function() return #vim.diagnostic.get(buffer) > 0 end, 20), "a typo is shown as a problem", vim.diagnostic.get(buffer))
  local problem = vim.diagnostic.get(buffer)[1]
  if problem then
    check(problem.lnum == row - 1 and problem.message:find("ListOrdr", 1, true), "at its line, by its name", problem)
    local line = vim.api.nvim_buf_get_lines(0, problem.lnum, problem.lnum + 1, false)[1]
    check(line:sub(problem.col + 1, problem.end_col) == "ListOrdr", "and at its column, behind Japanese text or before it", problem)
  end
  press("u")
  check(vim.wait(10000, function() return #vim.diagnostic.get(buffer) == 0 end, 20), "it goes with the typo", vim.diagnostic.get(buffer))

  -- Completing a type.
  row, column = find("| ListOrder")
  vim.api.nvim_win_set_cursor(0, { row, column + 2 })
  press("ciwSo<Esc>")
  vim.api.nvim_win_set_cursor(0, { row, column + 4 })
  local result = ask("textDocument/completion")
  local items = vim.lsp.util.extract_completion_items(result or {})
  local labels = vim.tbl_map(function(item) return item.label end, items)
  check(vim.tbl_contains(labels, "ListOrder"), "a type is completed", labels)
  press("u")

  -- Definition.
  row, column = find("| ListOrder")
  vim.api.nvim_win_set_cursor(0, { row, column + 4 })
  result = ask("textDocument/definition")
  local place = result and (vim.tbl_islist(result) and result[1] or result)
  check(place and (place.uri or place.targetUri):find("types.md", 1, true), "its definition is found", result)

  -- Renaming in all files. Files that are not open become buffers, which :wall writes.
  local old = read("Definitions/common.md")
  row, column = find("| ListOrder")
  vim.api.nvim_win_set_cursor(0, { row, column + 4 })
  vim.lsp.buf.rename("RecipeOrder")
  local function renamed()
    local other = vim.fn.bufnr(vim.fn.fnamemodify("Definitions/types.md", ":p"))
    return other > 0 and table.concat(vim.api.nvim_buf_get_lines(other, 0, -1, false), "\n"):find("## RecipeOrder", 1, true)
  end
  check(vim.wait(10000, function() return renamed() end, 20), "a type is renamed")
  vim.cmd("silent wall")
  check(not read("Definitions/recipe_search.md"):find("ListOrder", 1, true) and read("Definitions/recipe_search.md"):find("RecipeOrder", 1, true), "the document is saved with the new name")
  check(read("Definitions/types.md"):find("## RecipeOrder", 1, true), "types.md, too")
  check(read("Definitions/common.md") == old, "and what does not use it is as it was")
  check(vim.wait(5000, function() return #vim.diagnostic.get() == 0 end, 20), "without a problem", vim.diagnostic.get())

  -- Formatting.
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { "", "## show_more", "", "|column|type|description|", "|-|-|-|", "|page|int(0...)|何ページ目か|", "|更に|bool|😀|" })
  press("G")
  check(vim.wait(10000, function() return #vim.diagnostic.get(buffer) > 0 end, 20), "a name that is none is shown", vim.diagnostic.get(buffer))
  row, column = find("|更に|")
  vim.api.nvim_win_set_cursor(0, { row, column + 1 })
  press("ct|is_more<Esc>")
  if not find("|is_more|") then error("not typed") end
  if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 20000 }) else vim.lsp.buf.formatting_sync(nil, 20000) end
  local last = vim.api.nvim_buf_get_lines(buffer, -2, -1, false)[1]
  check(last == "| is_more | bool      | 😀           |", "tables are aligned by what is seen", last)
  vim.cmd("silent wall")

  vim.lsp.stop_client(client)
  check(vim.wait(10000, function() return vim.lsp.get_client_by_id(client) == nil or vim.lsp.get_client_by_id(client).is_stopped() end, 20), "it stops")
end

local good, message = xpcall(main, debug.traceback)
if not good then check(false, "the script", message) end
if failures == 0 then
  say("neovim: all is well")
  vim.cmd("qall!")
end
vim.cmd("cquit! 1")
