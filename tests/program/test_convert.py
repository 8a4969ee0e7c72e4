"""scree convert and scree info: a problem survives the way through both formats."""
import os

from _checks import ONE_CONTACT, ONE_CONTACT_GLOBAL, Checks, many_contacts, write

t = Checks()
write("one.dat", ONE_CONTACT)
write("many.dat", many_contacts(5, mu=0.3))
write("global.dat", ONE_CONTACT_GLOBAL)

print("info")
table = t.expect(0, "info", "one.dat")
for label in ["file", "format", "contacts", "rows per contact", "law", "rows", "form", "blocks",
              "mu", "title", "guesses", "solution"]:
    t.check(any(line.startswith(label) for line in table.out.splitlines()),
            f"the table has '{label}'", table.out)
found = t.expect_json(0, "info", "many.dat")
t.check(found.get("contacts") == 5 and found.get("rows") == 15 and found.get("width") == 3,
        "sizes", found)
t.check(found.get("form") == "assembled" and found.get("blocks") == 25 and found.get("dof") is None,
        "form and blocks", found)
t.check(found.get("coefficients") == {"mu": [0.3, 0.3]}, "range of the coefficients", found)
t.check(found.get("title") is None and found.get("guesses") == 0 and found.get("solution") is False,
        "nothing comes with it", found)
found = t.expect_json(0, "info", "global.dat")
t.check(found.get("form") == "factored" and found.get("dof") == 3 and found.get("blocks") is None,
        "a global problem has degrees of freedom", found)

print("convert: text, HDF5, text")
t.expect(0, "convert", "global.dat", "first.hdf5")
t.expect(0, "convert", "first.hdf5", "first.dat")
t.skip_leak_check()
for name in ["one", "many", "global"]:
    result = t.expect(0, "convert", f"{name}.dat", f"{name}.hdf5")
    lines = result.out.splitlines()
    t.check(len(lines) == 1 and f"{name}.dat" in lines[0] and f"{name}.hdf5" in lines[0] and
            not result.err, "one line: " + "".join(lines), result.describe())
    t.expect(0, "convert", f"{name}.hdf5", f"{name}-back.dat")
    before = t.expect_json(0, "info", f"{name}.dat")
    after = t.expect_json(0, "info", f"{name}-back.dat")
    middle = t.expect_json(0, "info", f"{name}.hdf5")
    for info in (before, middle, after):
        info.pop("file", None)
    t.check(before == after, f"{name} came back as it went", f"{before}\n{after}")
    t.check("HDF5" in middle.get("format", ""), f"in between it was {middle.get('format')}")
    t.expect(0, "solve", f"{name}.dat", "--tol", "1e-10", "-o", f"{name}.txt")
    for other in [f"{name}.hdf5", f"{name}-back.dat"]:
        t.expect(0, "certify", other, f"{name}.txt", "--tol", "1e-9")
found = t.expect_json(0, "convert", "one.dat", "again.h5")
t.check(found.get("out") == "again.h5" and found.get("out_format") == "FCLIB HDF5",
        "JSON says what was written", found)

print("what comes with a problem goes along into HDF5")
fixtures = os.path.join(t.source, "tests", "fixtures")
rich = os.path.join(fixtures, "local.hdf5")
extras = ["title", "solution", "guesses"]
before = t.expect_json(0, "info", rich)
t.check(before.get("title") and before.get("solution") and before.get("guesses"),
        "the fixture has all of it", before)
t.expect_json(0, "convert", rich, "rich.hdf5")
after = t.expect_json(0, "info", "rich.hdf5")
t.check([before.get(key) for key in extras] == [after.get(key) for key in extras], "HDF5 keeps it",
        after)
result = t.expect(0, "convert", rich, "rich.dat")
t.check("without title" in result.out, "text drops it and says so", result.out)
after = t.expect_json(0, "info", "rich.dat")
t.check([after.get(key) for key in extras] == [None, False, 0], "and holds none of it", after)

print("every fixture")
for name in sorted(os.listdir(fixtures)):
    path = os.path.join(fixtures, name)
    if not name.endswith((".dat", ".hdf5")):
        continue
    found = t.expect_json(0, "info", path)
    if found.get("law") == "half line" or "LCP" in found.get("format", ""):
        t.expect_refusal(f"{name} to HDF5", "convert", path, "copy.hdf5", naming="copy.hdf5")
    else:
        t.expect(0, "convert", path, "copy.hdf5")
        same = t.expect_json(0, "info", "copy.hdf5")
        t.check(all(found.get(key) == same.get(key)
                    for key in ["contacts", "rows", "row_names", "form", "dof", "coefficients"]),
                f"{name} holds the same as HDF5", f"{found}\n{same}")

t.finish()
