-- The configuration of docs/editors.md.
local dap = require("dap")
dap.adapters.gulo = { type = "executable", command = "gulo", args = { "dap" }, options = { initialize_timeout_sec = 30 } }
dap.configurations.c = {
  { type = "gulo", request = "launch", name = "gulo", program = "${file}", stopOnEntry = true },
}
