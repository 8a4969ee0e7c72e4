"""Rockfall: maps in, maps on the same cells out, tables and lines that agree with them; the same files for
any number of workers; faults name file and line."""
import csv
import json
import math
import os
from pathlib import Path

from _checks import Checks, cases, sanitized, write

t = Checks()
ENOUGH = ["--step", "0.004", "--size", "0.8"]


def raster(path):
    """Head and rows, from the north on, of an ESRI grid."""
    lines = Path(path).read_text().splitlines()
    head = {key.lower(): float(value) for key, value in (line.split() for line in lines[:6])}
    return head, [[float(x) for x in line.split()] for line in lines[6:]]


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


print("a slope and a valley")
COLUMNS, ROWS, CELL = 40, 24, 1.0
HEAD = f"ncols {COLUMNS}\nnrows {ROWS}\nxllcorner 2600000\nyllcorner 1200000\ncellsize {CELL}\n"
rows = [" ".join(f"{max(20.0 - 0.9 * c, 0.02 * c) + 0.3 * math.sin(1.7 * c + r):.4f}" for c in range(COLUMNS))
        for r in range(ROWS)]
write("hill.asc", HEAD + "NODATA_value -9999\n" + "\n".join(rows) + "\n")
N = cases(3 if sanitized() else 5, 100)
found = t.expect_json(0, "rockfall", "hill.asc", "--release", "2600003.5,1200012", "--blocks", str(N),
                      "--shape", "mixed", "-o", "out/", "--workers", "1", *ENOUGH)
t.check(found["blocks"] == N == found["rested"] + found["left"] + found["late"], "every block ends", found)
t.check(found["energy_gained"] < 1e-4, "none gains energy", found)
t.check(all(os.path.exists(path) for path in found["files"]), "all files are there")
head, passages = raster("out/rockfall_passages.asc")
t.check((head["ncols"], head["nrows"], head["xllcorner"], head["yllcorner"], head["cellsize"])
        == (COLUMNS, ROWS, 2600000, 1200000, CELL), "on the cells of the map", head)
_, deposits = raster("out/rockfall_deposits.asc")
t.check(sum(map(sum, deposits)) == found["rested"], "deposits are the blocks at rest")
t.check(all(d <= p for drow, prow in zip(deposits, passages) for d, p in zip(drow, prow)),
        "and these have passed their cells")
t.check(max(map(max, passages)) == N, "all passed the cell that they came from")

print("tables and lines")
blocks = table("out/rockfall_blocks.csv")
t.check(len(blocks) == N, "a line for each block")
_, speeds = raster("out/rockfall_speed_max.asc")
fastest = max(float(b["speed_m_s"]) for b in blocks)
t.check(abs(max(map(max, speeds)) - fastest) <= 1e-6 * fastest, "the fastest block is the fastest cell")
for block in blocks:
    if block["end"] != "rested":
        continue
    column = int(float(block["x1"]) - 2600000)
    row = ROWS - 1 - int(float(block["y1"]) - 1200000)
    t.check(deposits[row][column] > 0, f"block {block['block']} rests where the deposits say")
runout = table("out/rockfall_runout.csv")
t.check(sum(int(float(r["blocks"])) for r in runout) == N, "the histogram has all blocks")
t.check(float(runout[0]["beyond"]) == 1.0, "and begins with all of them")
lines = json.loads(Path("out/rockfall_lines.geojson").read_text())
t.check(len(lines["features"]) == N, "a line for each")
last = lines["features"][0]["geometry"]["coordinates"][-1]
t.check(abs(last[0] - float(blocks[0]["x1"])) < 1e-3, "which ends where the block does", last)
points = table("out/rockfall_lines.csv")
t.check(len(points) == sum(len(f["geometry"]["coordinates"]) for f in lines["features"]),
        "as many points in the table")
page = Path("out/rockfall.html").read_text()
t.check('id="study"' in page and "http" not in page.split('id="study"')[1].split("</script>")[0],
        "the page holds the study")

print("any number of workers")
other = t.expect_json(0, "rockfall", "hill.asc", "--release", "2600003.5,1200012", "--blocks", str(N),
                      "--shape", "mixed", "-o", "two", "--workers", "2", *ENOUGH)
for one, two in zip(found["files"], other["files"]):
    t.check(Path(one).read_bytes() == Path(two).read_bytes(), f"{two} is the same")

print("places of release")
write("points.csv", "name,x,y\na,2600003.5,1200008\nb,2600004.5,1200016\n")
two = t.expect_json(0, "rockfall", "hill.asc", "--release", "points.csv", "-n", "2", "--time", "0.1", *ENOUGH)
t.check(two["releases"] == 2, "from a table")
t.check([b["y0"] for b in table("rockfall_blocks.csv")] == ["1200008", "1200016"], "in turn")
cells = [["0"] * COLUMNS for _ in range(ROWS)]
cells[ROWS - 1 - 5][4] = "1"
write("cells.asc", HEAD + "\n".join(" ".join(row) for row in cells) + "\n")
t.expect_json(0, "rockfall", "hill.asc", "--release", "cells.asc", "-n", "3", "--time", "0.1", *ENOUGH)
t.check(all(2600004 <= float(b["x0"]) <= 2600005 and 1200005 <= float(b["y0"]) <= 1200006
            for b in table("rockfall_blocks.csv")), "from cells of a raster, anywhere in them")
steep = t.expect_json(0, "rockfall", "hill.asc", "--steeper", "30", "-n", "4", "--time", "0.1", *ENOUGH)
t.check(steep["releases"] > 50, "from what is steep", steep)

print("zones")
write("zones.asc", HEAD + "\n".join(" ".join(str(7 if c < 20 else 9) for c in range(COLUMNS))
                                    for _ in range(ROWS)) + "\n")
write("grounds.csv", "zone,mu,roll,restitution\n7,0.3,0,0.3\n9,1,0.3,0\n")
ZONED = ["rockfall", "hill.asc", "--release", "2600003.5,1200012", "-n", "4", *ENOUGH]
soft = t.expect_json(0, *ZONED, "--zones", "zones.asc", "--grounds", "grounds.csv")
t.check(soft["grounds"] == 3, "two and the usual one", soft)
write("grounds.csv", "zone,mu,roll,restitution\n7,0.3,0,0.3\n9,0.3,0,0.3\n")
hard = t.expect_json(0, *ZONED, "--zones", "zones.asc", "--grounds", "grounds.csv")
t.check(hard["runout_median"] > soft["runout_median"] + 2.0, "soft ground in the valley stops blocks",
        (soft["runout_median"], hard["runout_median"]))

print("without a map")
t.expect(0, "rockfall", "-n", "1", "--time", "0.5", "-o", "slope")
t.expect(0, "rockfall", "slope_map.asc", "--release", "60,100", "-n", "1", "--time", "0.1", what="its map is one")

print("faults")
ONE = ["--release", "2600003.5,1200012"]
t.expect_refusal("no release", "rockfall", "hill.asc", naming="--release")
t.expect_refusal("no file", "rockfall", "none.asc", *ONE, naming="none.asc")
t.expect_refusal("no raster", "rockfall", "points.csv", *ONE, naming=".asc")
t.expect_refusal("a release that is none", "rockfall", "hill.asc", "--release", "4", naming="X,Y")
t.expect_refusal("a release off the map", "rockfall", "hill.asc", "--release", "4,5", naming="within the map")
t.expect_refusal("a size that is none", "rockfall", "hill.asc", *ONE, "--size", "2:1", naming="LOW:HIGH")
t.expect_refusal("zones alone", "rockfall", "hill.asc", *ONE, "--zones", "zones.asc", naming="--grounds")
write("hole.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9\n1 2\n-9 4\n")
t.expect_refusal("a release beside a hole", "rockfall", "hole.asc", "--release", "1,1", naming="within the map")
write("short.asc", "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 five 6\n7 8 9\n")
t.expect_refusal("no number", "rockfall", "short.asc", "--release", "1,1", naming="short.asc:7")
write("grounds.csv", "zone,mu\n7,0.3\n")
t.expect_refusal("a zone without ground", *ZONED, "--zones", "zones.asc", "--grounds", "grounds.csv", naming="zone 9")
write("grounds.csv", "zone,mu,restituton\n7,0.3,0.1\n")
t.expect_refusal("a misspelt column", *ZONED, "--zones", "zones.asc", "--grounds", "grounds.csv",
                 naming="grounds.csv:1")
write("grounds.csv", "zone,mu,restitution\n7,0.3,1.1\n9,0.3,0\n")
t.expect_refusal("too much restitution", *ZONED, "--zones", "zones.asc", "--grounds", "grounds.csv",
                 naming="grounds.csv:2")
t.expect_refusal("a folder that cannot be made", "rockfall", "hill.asc", *ONE, "-o", "no/such/", naming="no/such/")
t.expect_refusal("too steep", "rockfall", "hill.asc", "--steeper", "80", naming="80 degrees")
t.finish()
