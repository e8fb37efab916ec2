-- Plays a session in headless Neovim (make nvim): every line that it prints is checked, and
-- the first that is wrong ends it with status 1.

vim.opt.runtimepath:prepend(os.getenv("NVIM_DAP"))
dofile("editors/nvim/gulo.lua")
local dap = require("dap")
local limit = 60000 -- milliseconds
local stops = 0

local function check(what, got, want)
  io.stdout:write(string.format("%s: %s\n", what, got))
  if got ~= want then
    io.stdout:write(string.format("  it should be %s\n", want))
    vim.cmd("cq")
  end
end

dap.listeners.after.event_stopped["test"] = function() stops = stops + 1 end

-- act does something and waits until the program has stopped, its frame known.
local function act(what, f)
  local n, old = stops, dap.session() and dap.session().current_frame
  f()
  local ok = vim.wait(limit, function()
    local s = dap.session()
    return stops > n and s and s.current_frame and s.current_frame ~= old and s.current_frame.scopes
  end, 20)
  check(what .. " stops", tostring(ok), "true")
end

local function ask(command, arguments)
  local out
  dap.session():request(command, arguments, function(err, r) out = { err, r } end)
  vim.wait(limit, function() return out ~= nil end, 20)
  if out[1] then check(command, out[1].message or "an error", "an answer") end
  return out[2]
end

local function place()
  local f = dap.session().current_frame
  return f.name .. " " .. f.line
end

local function variables(scope)
  for _, s in ipairs(dap.session().current_frame.scopes) do
    if s.name == scope then
      local out = {}
      for _, v in ipairs(ask("variables", { variablesReference = s.variablesReference }).variables) do
        table.insert(out, v.name .. "=" .. v.value)
      end
      return table.concat(out, " "), s.variablesReference
    end
  end
end

vim.cmd("edit examples/reverse.c")
vim.fn.cursor(28, 1)
dap.toggle_breakpoint()
act("launch", function() dap.run(dap.configurations.c[1]) end)
check("at", place(), "main 40")
act("continue", dap.continue)
check("at", place(), "reverse 28")
act("step over", dap.step_over)
check("at", place(), "reverse 29")
local locals, ref = variables("Locals")
check("locals", locals, "current=n4 temp1=null temp2=null")
check("globals", (variables("Globals")), "head=n4")
act("step back", dap.step_back)
check("at", place(), "reverse 28")
act("step over", dap.step_over)
_, ref = variables("Locals")
check("set current", ask("setVariable", { variablesReference = ref, name = "current", value = "n3" }).value, "n3")
check("current->data", ask("evaluate", { expression = "current->data", context = "hover", frameId = dap.session().current_frame.id }).result, "8")
act("step out", dap.step_out)
check("at", place(), "main 45")
vim.fn.cursor(46, 1)
dap.set_breakpoint("n->data < 5")
vim.wait(500)
act("continue", dap.continue)
check("at", place(), "main 46")
check("locals", (variables("Locals")), "n=n2")
act("restart", function() dap.session():request("restart", {}, function() end) end)
check("at", place(), "main 40")
dap.terminate()
vim.wait(limit, function() return dap.session() == nil end, 20)
check("session", tostring(dap.session()), "nil")
vim.cmd("qa!")
