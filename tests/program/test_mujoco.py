"""The same MJCF in MuJoCo and here: free motion and joint space, where both integrate smooth equations.

Contacts and limits are left out: MuJoCo's are springs, ours rigid. Exit code 77 (skipped) where MuJoCo
(Debian: libmujoco-dev) or a C compiler is missing.
"""
import os
import shutil
import subprocess
import sys

from _checks import Checks, write

t = Checks()
t.skip_leak_check()
compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mujoco_steps.c")
built = compiler and subprocess.run([compiler, source, "-o", "mujoco_steps", "-lmujoco"], check=False,
                                    stderr=subprocess.DEVNULL).returncode == 0
if not built:
    print("skipped: MuJoCo is not installed")
    sys.exit(77)

HEAD = """<mujoco><compiler angle="radian"/><option timestep="2e-4" integrator="RK4" gravity="0 0 -9.81"/>
<default><geom contype="0" conaffinity="0"/></default>"""

# name, model, what is asked of positions (m) and orientations
MODELS = [
    ("free fall of a body that tumbles", HEAD + """<worldbody>
<body name="a" pos="0 0 5"><freejoint/><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.2 0.25"/>
<geom size="0.1"/></body></worldbody>
<keyframe><key qpos="0 0 5 1 0 0 0" qvel="1 -0.5 2 3 1 -2"/></keyframe></mujoco>"""),
    ("a double pendulum with a spring and a damper", HEAD + """<worldbody>
<body name="a"><joint name="top" axis="0 1 0" damping="0.05"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/>
<body name="b" pos="1 0 0"><joint name="elbow" axis="0 1 0" stiffness="20" springref="0.4"/>
<geom type="box" pos="0.3 0 0" size="0.3 0.05 0.04"/></body></body></worldbody></mujoco>"""),
    ("an arm in space: hinge, crossing hinge, slide, motors", HEAD + """<worldbody>
<body name="base" pos="0 0 1"><joint name="yaw" axis="0 0 1" damping="0.2"/><geom type="cylinder" size="0.1 0.2"/>
<body name="arm" pos="0 0 0.2"><joint name="pitch" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.6 0 0" size="0.04"/>
<body name="rod" pos="0.6 0 0"><joint name="reach" type="slide" axis="1 0 0" stiffness="300" damping="5"/>
<geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02"/></body></body></body></worldbody>
<actuator><motor joint="yaw" gear="2"/><motor joint="pitch"/></actuator>
<keyframe><key qpos="0.1 0.2 0" qvel="0.5 0 0" ctrl="3 -15"/></keyframe></mujoco>"""),
    ("a ball joint and what hangs on it", HEAD + """<worldbody>
<body name="a" pos="0 0 0"><joint type="ball"/><geom type="box" pos="0.2 0.1 -0.4" size="0.2 0.1 0.4"/>
<body name="b" pos="0.4 0 -0.8"><joint axis="1 1 0"/><geom type="sphere" pos="0 0 -0.2" size="0.1"/></body></body>
</worldbody><keyframe><key qpos="1 0 0 0 0.3" qvel="0.4 -0.2 1 2"/></keyframe></mujoco>"""),
]
SECONDS, NEAR = "1", 2e-5


def off(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


for what, text in MODELS:
    print(what)
    theirs = subprocess.run(["./mujoco_steps", write("model.xml", text), SECONDS], check=False,
                            capture_output=True, text=True)
    if not t.check(theirs.returncode == 0, "MuJoCo reads it", theirs.stderr):
        continue
    peers = {line.split()[0]: [float(word) for word in line.split()[1:]] for line in theirs.stdout.splitlines()}
    ours = t.expect_json(0, "run", "model.xml", "--until", SECONDS)["final"]["bodies"]
    t.check({body["name"] for body in ours} == set(peers), "the same bodies", ours)
    for body in ours:
        place, turn = peers[body["name"]][:3], peers[body["name"]][3:]
        mine = body["rotation"]
        worst = max(off(body["position"], place), min(off(mine, turn), off(mine, [-x for x in turn])))
        t.check(worst <= NEAR, f"'{body['name']}' is where MuJoCo has it, to {worst:.1e}", (body, peers))

t.finish()
