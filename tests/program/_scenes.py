"""Small scenes for the tests of the program."""

# A sphere above another on a floor; `height` is the gap below the upper one.
TWO_SPHERES = """title: Two spheres
parameters:
  height: {value: 0.01, meaning: "gap below the upper sphere, m"}
world: {step: 1e-3}
materials:
  grain: {mu: 0.5, mu_r: 1e-3, mu_s: 1e-3}
bodies:
  - {name: floor, kind: static, shape: {type: half-space}}
  - {name: lower, position: [0, 0, 0.01], shape: {type: sphere, radius: 0.01}}
  - {name: upper, position: [0.001, 0, 0.03 + height], shape: {type: sphere, radius: 0.01}}
stop: {time: 0.1}
output: {interval: 0.01}
"""

# Spheres that rain into a box: bodies and contacts come in the course of time.
RAIN = """title: Rain into a box
parameters:
  count: {value: 60, meaning: "spheres"}
world: {step: 1e-3}
materials:
  grain: {mu: 0.5, mu_r: 1e-3, mu_s: 1e-3}
containers:
  - {name: box, type: box, inside: {from: [-0.05, -0.05, 0], to: [0.05, 0.05, 1]}}
generators:
  - type: rain
    count: count
    rate: 100
    box: {from: [-0.03, -0.03, 0.2], to: [0.03, 0.03, 0.3]}
    size_spread: 0.2
    body: {name: grain, density: 2500, shape: {type: sphere, radius: 0.01}}
stop: {time: 1}
output: {interval: 0.02}
"""



def leaning(shapes):
    """A body at rest 1 m high, turned by 60 degrees about x, without gravity."""
    return f"""world: {{step: 1e-3, gravity: [0, 0, 0]}}
bodies:
  - name: leaning
    position: [0, 0, 1]
    rotation: {{axis: [1, 0, 0], angle: 60*deg}}
    shapes: [{shapes}]
stop: {{time: 0.002}}
"""


# Bodies that touch nothing.
CLOUD = """world: {step: 1e-3}
generators:
  - type: grid
    count: [11, 10, 10]
    spacing: 1
    body: {name: drop, shape: {type: sphere, radius: 0.1}}
stop: {time: 0.002}
"""
