local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(31))
local t = {}
for i = 1, 300000 do t[i] = (i * 7919) % 1000007 end
table.sort(t)
local s = {}
for i = 1, 300000 do s[#s + 1] = tostring(i) .. "x" end
print(#table.concat(s))
