"""GeoTIFF: every kind of file says the same as an ESRI grid, faults get one line, what is written is read back."""
import struct
import sys
from pathlib import Path

from _checks import Checks, write
from _tiff import PROJECTED, SHORT, make

t = Checks()
N, M = 7, 5
WHOLE = [[(13 * r + 7 * c) % 101 + 3 for c in range(N)] for r in range(M)]
REAL = [[v + 0.25 * ((r * c) % 4) for c, v in enumerate(row)] for r, row in enumerate(WHOLE)]


def save(name, bytes_):
    Path(name).write_bytes(bytes_)
    return name


def values_of(path):
    """Rows from the north, and the head, of what the program makes of a file."""
    t.expect(0, "convert", path, "back.asc")
    lines = Path("back.asc").read_text().split("\n")
    head = {line.split()[0]: float(line.split()[1]) for line in lines[:6]}
    Path("back.asc").unlink()
    return [[float(word) for word in line.split()] for line in lines[6:6 + int(head["nrows"])]], head


def check_file(what, bytes_, rows):
    found, head = values_of(save("one.tif", bytes_))
    t.check(found == rows and head["xllcorner"] == 100 and head["yllcorner"] == 190 and head["cellsize"] == 2, what,
            f"{head}\n{found}")


if "left out of this build" in t.run("info", save("any.tif", make(REAL))).err:
    print("skipped: built without libtiff")
    sys.exit(77)

print("kinds of values, byte orders, strips and tiles, compression")
check_file("floats in strips", make(REAL), REAL)
t.skip_leak_check()
for kind in ("f4", "f8", "i1", "i2", "i4", "u1", "u2", "u4"):
    rows = REAL if kind[0] == "f" else WHOLE
    for order in "<>":
        check_file(f"{kind}, {order}", make(rows, kind, order), rows)
        check_file(f"{kind}, {order}, tiles", make(rows, kind, order, tile=16, deflate=True), rows)
    predictor = 3 if kind[0] == "f" else 2
    if kind[1] != "1":
        check_file(f"{kind}, predictor", make(rows, kind, deflate=True, predictor=predictor), rows)
        check_file(f"{kind}, predictor, tiles", make(rows, kind, tile=16, deflate=True, predictor=predictor), rows)
below = [[-v for v in row] for row in WHOLE]
check_file("negative integers", make(below, "i2"), below)

print("where it lies")
POINT = PROJECTED[:-1] + [2]
check_file("values of points", make(REAL, keys=POINT, tie=(0, 0, 0, 101.0, 199.0, 0)), REAL)
check_file("tie point of another cell", make(REAL, tie=(2, 1, 0, 104.0, 198.0, 0)), REAL)
MATRIX = [2.0, 0, 0, 100.0, 0, -2.0, 0, 200.0, 0, 0, 0, 0, 0, 0, 0, 1]
check_file("a transformation", make(REAL, scale=None, tie=None, transformation=MATRIX), REAL)
NORTH = [2.0, 0, 0, 100.0, 0, 2.0, 0, 190.0, 0, 0, 0, 0, 0, 0, 0, 1]
check_file("rows from the south", make(REAL[::-1], scale=None, tie=None, transformation=NORTH), REAL)
check_file("no keys", make(REAL, keys=None), REAL)

print("holes")
for kind, word, value in (("f4", "-9999", -9999.0), ("f4", "-3.4028234663852886e+38", -3.4028234663852886e38),
                          ("f8", "nan", float("nan")), ("i2", "-32768 ", -32768), ("u2", "65535", 65535)):
    rows = [list(row) for row in WHOLE]
    rows[1][2] = value
    found, _ = values_of(save("hole.tif", make(rows, kind, hole=word)))
    t.check(found[1][2] == -9999 and sum(v == -9999 for row in found for v in row) == 1, f"{kind} {word}", found)
j = t.expect_json(0, "info", "hole.tif")
t.check(j["holes"] == 1 and j["columns"] == N and j["rows"] == M and j["origin"] == [101, 191] and j["cell"] == 2
        and j["low"] == 3, "info counts them", j)

print("what is written is read back, with its keys")
UTM = [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 32632]
t.expect(0, "convert", save("utm.tif", make(REAL, "f8", keys=UTM, hole="7")), "again.tif")
first, head = values_of("utm.tif")
second, other = values_of("again.tif")
t.check(first == second and head == other, "the same values in the same place", other)
raw = Path("again.tif").read_bytes()
t.check(raw.find(struct.pack("<4H", 3072, 0, 1, 32632)) > 0, "the coordinate system goes along")
t.check(raw.find(struct.pack("<4H", 1025, 0, 1, 1)) > 0, "as values of areas")
t.expect(0, "convert", "again.tif", "text.asc")
t.expect(0, "convert", "text.asc", "third.tif")
t.check(values_of("third.tif") == (first, head), "through text")

print("scenes and studies read it")
SCENE = "bodies: [{name: a, kind: static, shape: {type: mesh, file: FILE}}]\nstop: {time: 0.01}\n"
save("flat.tif", make([[1.0] * 40 for _ in range(30)]))
t.expect(0, "run", write("flat.yaml", SCENE.replace("FILE", "flat.tif")), "--quiet")
j = t.expect_json(0, "rockfall", "flat.tif", "--release", "140,170", "-n", "1", "-o", "fall")
t.check(Path("fall_speed_max.tif").exists() and not Path("fall_speed_max.asc").exists(), "layers are GeoTIFF too")
again, _ = values_of("fall_passages.tif")
t.check(sum(v for row in again for v in row) >= 1, "the block passed")

print("faults")
FAULTS = [
    ("degrees", make(REAL, keys=[1, 1, 0, 1, 1024, 0, 1, 2]), "degrees"),
    ("geocentric", make(REAL, keys=[1, 1, 0, 1, 1024, 0, 1, 3]), "centre of the earth"),
    ("feet", make(REAL, keys=[1, 1, 0, 1, 3076, 0, 1, 9003]), "coordinates are in unit 9003"),
    ("feet up", make(REAL, keys=[1, 1, 0, 1, 4099, 0, 1, 9002]), "heights are in unit 9002"),
    ("turned", make(REAL, transformation=[2, 0.1] + MATRIX[2:]), "turned against the axes"),
    ("nowhere", make(REAL, tie=None), "does not say where it lies"),
    ("no size", make(REAL, scale=(0.0, 2.0, 0.0)), "cells have no size"),
    ("oblong", make(REAL, scale=(1.0, 2.0, 0.0)), "not square"),
    ("bands", make(REAL, bands=3, more={258: (SHORT, [32] * 3), 339: (SHORT, [3] * 3)}.items()), "3 bands of 32 bits"),
    ("bits", make(REAL, more={258: (SHORT, [24])}.items()), "24 bits"),
    ("a line", make([[1.0] * 9]), "9 columns and 1 rows"),
    ("huge", make(REAL, more={256: (4, [40000]), 257: (4, [40000])}.items()), "do not hold 40000 columns"),
    ("infinite", make([[1.0, 2.0], [float("inf"), 1.0]]), "row 2, column 1 is not finite"),
    ("empty", b"", "GeoTIFF"),
    ("text", b"ncols 3\nnrows 2\n", "GeoTIFF"),
    ("cut", make(REAL, deflate=True)[:60], "GeoTIFF"),
    ("spoilt", make(REAL, deflate=True).replace(b"x\x9c", b"y\x9c"), "row 1 cannot be read"),
]
for what, bytes_, naming in FAULTS:
    path = save(what.replace(" ", "-") + ".tif", bytes_)
    t.expect_refusal(what, "info", path, naming=naming)
save("void.tif", make([[5, 5], [5, 5]], "i2", hole="5"))
t.expect_refusal("no heights at all", "info", "void.tif", naming="no cell has a height")
t.expect_refusal("a hole in a scene", "run", write("hole.yaml", SCENE.replace("FILE", "hole.tif")),
                 naming="row 2, column 3")
t.finish()
