"""GeoTIFF files made byte by byte, without libtiff, from what the specification says."""
import struct
import zlib

TYPES = {"f4": (3, 32), "f8": (3, 64), "i1": (2, 8), "i2": (2, 16), "i4": (2, 32), "u1": (1, 8), "u2": (1, 16),
         "u4": (1, 32)}
CODES = {"f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "u1": "B", "u2": "H", "u4": "I"}
SHORT, LONG, DOUBLE, ASCII = 3, 4, 12, 2
SIZES = {SHORT: 2, LONG: 4, DOUBLE: 8, ASCII: 1}
PROJECTED = [1, 1, 0, 2, 1024, 0, 1, 1, 1025, 0, 1, 1]


def differences(values, bits):
    """Predictor 2: each but the first is what it adds to the one before."""
    return [values[0]] + [(b - a) % (1 << bits) for a, b in zip(values, values[1:])]


def float_planes(values, kind):
    """Predictor 3: bytes of all values from the highest on, then differences of bytes."""
    size = struct.calcsize(CODES[kind])
    packed = [struct.pack(">" + CODES[kind], v) for v in values]
    plain = [p[k] for k in range(size) for p in packed]
    return bytes([plain[0]] + [(b - a) % 256 for a, b in zip(plain, plain[1:])])


def encode_row(values, kind, order, predictor):
    if predictor == 3:
        return float_planes(values, kind)
    code = CODES[kind]
    if predictor == 2:
        bits = TYPES[kind][1]
        values = differences([v % (1 << bits) for v in values], bits)
        code = code.upper()
    return struct.pack(f"{order}{len(values)}{code}", *values)


def pieces(rows, tile, strip):
    """Rows of each strip, or of each tile, those beyond the rim filled with 0."""
    if not tile:
        return [rows[k:k + strip] for k in range(0, len(rows), strip)]
    out = []
    for y in range(0, len(rows), tile):
        for x in range(0, len(rows[0]), tile):
            part = [row[x:x + tile] + [0] * (tile - len(row[x:x + tile])) for row in rows[y:y + tile]]
            out.append(part + [[0] * tile] * (tile - len(part)))
    return out


def make(rows, kind="f4", order="<", tile=0, strip=3, deflate=False, predictor=1, hole=None, keys=PROJECTED,
         scale=(2.0, 2.0, 0.0), tie=(0, 0, 0, 100.0, 200.0, 0), transformation=None, bands=1, more=()):
    """The bytes of a file; rows are from the north."""
    data = []
    for piece in pieces(rows, tile, strip):
        raw = b"".join(encode_row(row, kind, order, predictor) for row in piece)
        data.append(zlib.compress(raw) if deflate else raw)
    form, bits = TYPES[kind]
    tags = {256: (LONG, [len(rows[0])]), 257: (LONG, [len(rows)]), 258: (SHORT, [bits]),
            259: (SHORT, [8 if deflate else 1]), 262: (SHORT, [1]), 277: (SHORT, [bands]), 339: (SHORT, [form])}
    if predictor != 1:
        tags[317] = (SHORT, [predictor])
    offsets, counts = (324, 325) if tile else (273, 279)
    if tile:
        tags.update({322: (LONG, [tile]), 323: (LONG, [tile])})
    else:
        tags[278] = (LONG, [strip])
    if scale:
        tags[33550] = (DOUBLE, scale)
    if tie:
        tags[33922] = (DOUBLE, tie)
    if transformation:
        tags[34264] = (DOUBLE, transformation)
    if keys:
        tags[34735] = (SHORT, keys)
    if hole is not None:
        tags[42113] = (ASCII, hole.encode() + b"\0")
    tags.update(dict(more))
    at, places = 8, []
    for piece in data:
        places.append(at)
        at += len(piece)
    tags[offsets], tags[counts] = (LONG, places), (LONG, [len(piece) for piece in data])
    return put_together(b"".join(data), tags, order)


def put_together(data, tags, order):
    letter = {SHORT: "H", LONG: "I", DOUBLE: "d"}
    data += b"\0" * (len(data) % 2)
    start = 8 + len(data)
    extra_at = start + 2 + 12 * len(tags) + 4
    entries, extra = b"", b""
    for tag in sorted(tags):
        kind, values = tags[tag]
        raw = values if kind == ASCII else struct.pack(f"{order}{len(values)}{letter[kind]}", *values)
        entries += struct.pack(order + "HHI", tag, kind, len(raw) // SIZES[kind])
        if len(raw) <= 4:
            entries += raw.ljust(4, b"\0")
        else:
            entries += struct.pack(order + "I", extra_at + len(extra))
            extra += raw + b"\0" * (len(raw) % 2)
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, start)
    return head + data + struct.pack(order + "H", len(tags)) + entries + struct.pack(order + "I", 0) + extra
