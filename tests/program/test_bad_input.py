"""Bad input: exit code 2, one line on stderr that names the culprit, nothing written."""
import os

from _checks import ONE_CONTACT, ONE_CONTACT_EXACT, Checks, sanitized, write

t = Checks()
write("one.dat", ONE_CONTACT)
write("one.txt", " ".join(map(str, ONE_CONTACT_EXACT)))

BLOCKS = "3\n2\n1\n6\n6\n2\n2\n2\n3 6\n3 6\n3\n2\n0 1 2\n0 {column}\n0\n{one}\n1\n{one}\n{tail}"
ONE_BLOCK = "1 0 0 0 1 0 0 0 1"
TAIL = "-1 1 0 -1 1 0\n0.5 0.5\n"

FAULTY = {
    "empty.dat": "",
    "prose.dat": "this is no problem\n",
    "truncated-matrix.dat": ONE_CONTACT[:25],
    "truncated-coefficients.dat": ONE_CONTACT[: -len("0.5\n")],
    "sizes-disagree.dat": ONE_CONTACT.replace("3 3\n", "4 4\n"),
    "matrix-too-small.dat": "3\n2\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 1 0\n0.5\n",
    "not-square.dat": "3\n1\n0\n3\n4\n3 4\n1 0 0\n0 1 0\n0 0 1\n0 0 0\n-1 1 0\n0.5\n",
    "dimension.dat": ONE_CONTACT.replace("3\n1\n0", "9\n1\n0", 1),
    "storage.dat": ONE_CONTACT.replace("3\n1\n0", "3\n1\n8", 1),
    "negative-contacts.dat": ONE_CONTACT.replace("3\n1\n0", "3\n-1\n0", 1),
    "huge.dat": ONE_CONTACT.replace("3\n1\n0", "3\n2000000000\n0", 1),
    "overflow.dat": ONE_CONTACT.replace("3\n1\n0", "3\n99999999999999999999\n0", 1),
    "nan-in-q.dat": ONE_CONTACT.replace("-1 1 0\n0.5", "nan 1 0\n0.5"),
    "inf-in-w.dat": ONE_CONTACT.replace("1 0 0\n", "inf 0 0\n", 1),
    "negative-coefficient.dat": ONE_CONTACT.replace("0.5", "-0.5"),
    "nan-coefficient.dat": ONE_CONTACT.replace("0.5", "nan"),
    "word-for-number.dat": ONE_CONTACT.replace("0.5", "half"),
    "index-too-large.dat": BLOCKS.format(column=7, one=ONE_BLOCK, tail=TAIL),
    "index-negative.dat": BLOCKS.format(column=-1, one=ONE_BLOCK, tail=TAIL),
    "broken.hdf5": "\x89HDF\r\n\x1a\n and nothing more",
}


def refuse_everywhere(what, path):
    """No verb that reads a problem takes it, and none leaves a file behind."""
    before = sorted(os.listdir("."))
    t.expect_refusal(what, "solve", path, "-o", "never.txt", naming=path)
    if not sanitized():  # all have one reader
        t.expect_refusal(what, "certify", path, "one.txt", naming=path)
        t.expect_refusal(what, "convert", path, "never.hdf5", naming=path)
        t.expect_refusal(what, "info", path, "--json", naming=path)
    t.check(sorted(os.listdir(".")) == before, "nothing was written")


print("leaks are looked for in one case of each kind")
t.expect_refusal("read", "solve", write("nan.dat", ONE_CONTACT.replace("0.5", "nan")))
t.expect_refusal("guess", "solve", "one.dat", "--guess", "missing.txt")
t.expect_refusal("target", "solve", "one.dat", "-o", "no/such/folder/x.txt")
t.expect_refusal("impulses", "certify", "one.dat", "missing.txt")
t.expect_refusal("target", "convert", "one.dat", "no/such/folder/x.txt")
t.skip_leak_check()

t.expect(0, "info", "one.dat")
write("two.dat", BLOCKS.format(column=1, one=ONE_BLOCK, tail=TAIL))
t.expect(0, "info", "two.dat")

print("faulty problem files")
for name, text in FAULTY.items():
    refuse_everywhere(name, write(name, text))
fixtures = os.path.join(t.source, "tests", "fixtures", "bad")
for name in sorted(os.listdir(fixtures)) if os.path.isdir(fixtures) else []:
    if name.endswith((".dat", ".hdf5", ".h5", ".txt")):
        refuse_everywhere(f"fixture {name}", os.path.join(fixtures, name))

print("a problem without contacts: it reads, but there is nothing to do with it")
empty = write("no-contacts.dat", "3\n0\n0\n0\n0\n0 0\n")
for verb, rest in [("solve", ["-o", "never.txt"]), ("certify", ["one.txt"]), ("convert", ["never.dat"])]:
    t.expect_refusal(f"{verb} without contacts", verb, empty, *rest, naming=empty)

print("files that cannot be read")
os.mkdir("folder.dat")
refuse_everywhere("a directory", "folder.dat")
refuse_everywhere("a missing file", "missing.dat")
write("secret.dat", ONE_CONTACT)
os.chmod("secret.dat", 0)
if os.access("secret.dat", os.R_OK):
    print("        no permission: not checked, this user may read everything")
else:
    refuse_everywhere("no permission", "secret.dat")

print("faulty impulses")
for name, text in {"short.txt": "1 2\n", "long.txt": "1 2 3 4\n", "nan.txt": "1 nan 0\n",
                   "word.txt": "1 x 0\n", "nothing.txt": ""}.items():
    write(name, text)
    t.expect_refusal(f"certify {name}", "certify", "one.dat", name, naming=name)
    t.expect_refusal(f"guess {name}", "solve", "one.dat", "--guess", name, "-o", "never.txt",
                     naming=name)
t.expect_refusal("missing impulses", "certify", "one.dat", "missing.txt", naming="missing.txt")

print("targets that cannot or must not be written")
os.mkdir("closed")
for verb in ["solve", "convert"]:
    option = ["-o"] if verb == "solve" else []
    for target in ["no/such/folder/x.txt", "closed", "one.dat", "./one.dat", "/dev/null"]:
        t.expect_refusal(f"{verb} to {target}", verb, "one.dat", *option, target, naming=target)
t.check(open("one.dat", encoding="utf-8").read() == ONE_CONTACT, "the input is as it was")
if not os.access("secret.dat", os.R_OK):
    os.chmod("closed", 0o500)
    t.expect_refusal("closed folder", "solve", "one.dat", "-o", "closed/x", naming="closed/x")

print("wrong usage")
for arguments, naming in [
        ([], "FILE"), (["one.dat", "two.dat"], "two.dat"), (["one.dat", "--solver", "magic"], "magic"),
        (["one.dat", "--solver", "atuo"], "'auto'"), (["one.dat", "--law", "cnovex"], "'convex'"),
        (["one.dat", "--law", "bilateral"], "bilateral"), (["one.dat", "--law", "5"], "5"),
        (["one.dat", "--measure", "max"], "max"), (["one.dat", "--sweep", "back"], "back"),
        (["one.dat", "--tol"], "--tol"), (["one.dat", "--tol="], "--tol"),
        (["one.dat", "--tol", "--json"], "--tol"), (["one.dat", "--json=yes"], "--json"),
        (["one.dat", "-o"], "-o"), (["one.dat", "-o", ""], "-o"), (["one.dat", "--guess"], "--guess")]:
    t.expect_refusal("solve " + " ".join(arguments), "solve", *arguments, naming=naming)
for option, words in {
        "--tol": ["x", "1e-8x", "1e-8 ", " 1", "-1", "nan", "inf", "1e99", "0x1", "1e", ".", "1,5"],
        "--max-time": ["x", "-1", "nan", "1 s"],
        "--max-iter": ["x", "1.5", "1e5", "-3", "99999999999999999999", "", "--3", "-"],
        "--seed": ["x", "-1", "0.5", "99999999999999999999"]}.items():
    for word in words:
        t.expect_refusal(f"{option} '{word}'", "solve", "one.dat", option, word, "-o", "never.txt",
                         naming=option)
for verb in ["certify", "convert", "info"]:
    t.expect_refusal(f"{verb} alone", verb, naming="missing")
t.expect_refusal("certify without RESULT", "certify", "one.dat", naming="RESULT")
t.expect_refusal("version with an argument", "version", "extra", naming="extra")
t.check(not os.path.exists("never.txt"), "nothing was written")

t.finish()
