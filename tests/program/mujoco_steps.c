/* What MuJoCo makes of an MJCF file: `mujoco_steps FILE SECONDS` prints one line per body with its
 * name, centre of mass and orientation. For test_mujoco.py, which compiles it. */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    char error[1000] = "";
    if (argc != 3) return 2;
    mjModel* model = mj_loadXML(argv[1], NULL, error, sizeof error);
    if (!model) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    mjData* data = mj_makeData(model);
    if (model->nkey > 0) mj_resetDataKeyframe(model, data, 0);
    double end = atof(argv[2]);
    while (data->time < end - 0.5 * model->opt.timestep) mj_step(model, data);
    mj_kinematics(model, data);
    for (int i = 1; i < model->nbody; ++i) {
        const double *x = data->xipos + 3 * i, *q = data->xquat + 4 * i;
        printf("%s %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", mj_id2name(model, mjOBJ_BODY, i),
               x[0], x[1], x[2], q[0], q[1], q[2], q[3]);
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
