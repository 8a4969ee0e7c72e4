/* The pile of bench/hulls.py in MuJoCo: soft contacts with elliptic cones, one for a pair of hulls,
 * by conjugate gradients on sparse Jacobians. The version that Debian packages sets aside room for
 * a full Jacobian of as many rows as it is told to expect. */
#include "hulls.h"

#include <mujoco/mujoco.h>
#include <unistd.h>

enum { ROWS_OF_ONE = 12 }; /* four contacts a hull */

static void write_model(FILE* out, const hull_job* job)
{
    double x[3 * POINTS], w = room();
    fprintf(out,
            "<mujoco><size njmax='%d' nconmax='%d' nstack='%d'/>\n"
            "<option timestep='%.17g' gravity='0 0 -9.81' cone='elliptic' jacobian='sparse' "
            "solver='CG' iterations='%d'/>\n"
            "<default><geom friction='%.17g' condim='3' density='%.17g'/></default>\n<asset>\n",
            ROWS_OF_ONE * job->count, ROWS_OF_ONE / 3 * job->count, 20000 * job->count, job->step,
            job->iterations, FRICTION, DENSITY);
    for (int f = 0; f < FORMS; ++f) {
        form_points(f, x);
        fprintf(out, "<mesh name='f%d' vertex='", f);
        for (int i = 0; i < 3 * POINTS; ++i) fprintf(out, "%.17g ", x[i]);
        fprintf(out, "'/>\n");
    }
    fprintf(out, "</asset>\n<worldbody>\n<geom type='plane' size='0 0 1'/>\n");
    for (int k = 0; k < 4; ++k) {
        double u = k < 2 ? (k ? -1.0 : 1.0) : 0.0, v = k < 2 ? 0.0 : (k == 2 ? 1.0 : -1.0);
        fprintf(out, "<geom type='plane' size='0 0 1' pos='%.17g %.17g 0' zaxis='%g %g 0'/>\n",
                -w * u, -w * v, u, v);
    }
    for (int i = 0; i < job->count; ++i) {
        start_place(i, x);
        fprintf(out,
                "<body pos='%.17g %.17g %.17g'><freejoint/><geom type='mesh' mesh='f%d'/></body>\n",
                x[0], x[1], x[2], i % FORMS);
    }
    fprintf(out, "</worldbody></mujoco>\n");
}

int main(int n_arguments, char** arguments)
{
    hull_job job = read_job(n_arguments, arguments);
    char name[] = "/tmp/hulls-XXXXXX", error[1000] = "";
    int file = mkstemp(name);
    FILE* out = file < 0 ? NULL : fdopen(file, "w");
    if (!out) abort();
    write_model(out, &job);
    if (fclose(out)) abort();
    mjModel* model = mj_loadXML(name, NULL, error, sizeof error);
    unlink(name);
    if (!model) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    mjData* data = mj_makeData(model);
    if (!data) return 1;
    long n = lround(job.duration / job.step);
    double begin = processor_seconds();
    for (long k = 0; k < n; ++k) mj_step(model, data);
    double seconds = processor_seconds() - begin, height = 0.0;
    int lost = 0;
    for (int i = 0; i < mjNWARNING; ++i) {
        if (data->warning[i].number) fprintf(stderr, "%s\n", mju_warningText(i, 0));
    }
    mj_kinematics(model, data);
    for (int i = 1; i < model->nbody; ++i) {
        const double* x = data->xipos + 3 * i;
        height += x[2] / job.count;
        lost += !(x[2] > 0.0 && fabs(x[0]) < room() && fabs(x[1]) < room());
    }
    print_result(seconds, n, height, lost);
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
