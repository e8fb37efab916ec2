local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(24))
local t = {}
for i = 1, 20000 do t[i] = (i * 7919) % 10007 end
table.sort(t)
print(t[1], t[#t])
for w in ("the quick brown fox"):gmatch("%a+") do io.write(w:upper(), " ") end
print(string.format("%5.2f %d %s", 3.14159, 42, "x"))
local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
print(co(), co(), co())
print(pcall(error, "text"))
print(select("#", string.byte("hello", 1, -1)), ("x"):rep(10), 7 // 2, 2 ^ 10)
local m = {}
for i = 1, 20000 do m["k" .. i] = i end
local sum = 0
for _, v in pairs(m) do sum = sum + v end
print(sum, #table.concat(t, ","), load("return 1 + 1")())
