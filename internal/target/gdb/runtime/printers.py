# What gulo asks gdb's pretty-printers. A script of the user's is executed by gulo_source; gulo_show prints values.
# Answers are written to a file as JSON.

import gdb
import json
import sys
import traceback


def gulo_place(err, path):
    """Returns the line of a script in which an exception was raised, and what it says."""
    if isinstance(err, SyntaxError) and err.filename == path:
        return err.lineno or 1, "SyntaxError: %s" % err.msg
    line = 0
    for frame in traceback.extract_tb(err.__traceback__):
        if frame.filename == path:
            line = frame.lineno
    return line, "%s: %s" % (type(err).__name__, err)


def gulo_printers():
    """Lists the names of the printers that are in force."""
    names = []
    lists = [gdb.pretty_printers, gdb.current_progspace().pretty_printers]
    lists += [o.pretty_printers for o in gdb.objfiles()]
    for printers in lists:
        for p in printers:
            name = getattr(p, "name", None) or getattr(p, "__name__", "?")
            if name == "builtin":
                continue
            for sub in getattr(p, "subprinters", None) or []:
                names.append("%s;%s" % (name, sub.name))
            if not getattr(p, "subprinters", None):
                names.append(name)
    return names


def gulo_source(out, path):
    answer = {}
    try:
        scope = sys.modules["__main__"].__dict__
        scope["__file__"] = path
        with open(path) as f:
            exec(compile(f.read(), path, "exec"), scope)
    except BaseException as err:
        answer["line"], answer["error"] = gulo_place(err, path)
    try:
        answer["printers"] = gulo_printers()
    except BaseException as err:
        answer.setdefault("error", str(err))
    with open(out, "w") as f:
        json.dump(answer, f)


def gulo_text(value):
    if value is None:
        return ""
    if hasattr(value, "value") and not isinstance(value, gdb.Value):  # a lazy string
        value = value.value()
    if isinstance(value, gdb.Value):
        value = value.format_string(max_elements=20, max_depth=2)
    return " ".join(str(value).split())[:200]


def gulo_summary(printer):
    text = ""
    hint = printer.display_hint() if hasattr(printer, "display_hint") else None
    if hasattr(printer, "to_string"):
        value = printer.to_string()
        text = gulo_text(value)
        if hint == "string" and isinstance(value, str):
            text = '"%s"' % text
    if not hasattr(printer, "children"):
        return text
    parts, more, key = [], False, None
    for name, value in printer.children():
        if len(parts) == 10:
            more = True
            break
        if hint == "map" and key is None:
            key = gulo_text(value)
            continue
        if hint == "map":
            parts.append("[%s] = %s" % (key, gulo_text(value)))
            key = None
        elif hint == "array":
            parts.append(gulo_text(value))
        else:
            parts.append("%s = %s" % (name, gulo_text(value)))
    return (text + " " if text else "") + "{" + ", ".join(parts) + (", …" if more else "") + "}"


def gulo_show(out, path, items):
    answer = []
    limits = ["may-call-functions"]
    before = [gdb.parameter(name) for name in limits]
    gdb.execute("maintenance flush dcache", False, True)
    for name in limits:
        gdb.execute("set %s off" % name, False, True)
    try:
        for addr, name in items:
            try:
                value = gdb.Value(addr).cast(gdb.lookup_type(name).pointer()).dereference()
                printer = gdb.default_visualizer(value)
            except BaseException:
                printer = None
            if printer is None:
                answer.append("")
                continue
            try:
                answer.append(gulo_summary(printer))
            except BaseException as err:
                line, text = gulo_place(err, path)
                answer.append("? (%s:%d: %s)" % (path.rsplit("/", 1)[-1], line, " ".join(text.split())))
    finally:
        for name, value in zip(limits, before):
            gdb.execute("set %s %s" % (name, "on" if value else "off"), False, True)
    with open(out, "w") as f:
        json.dump(answer, f)
