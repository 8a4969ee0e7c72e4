/* Recordings as tables of text: frames, bodies, contacts, joints. */
#include "base/env.h"
#include "io/file_util.h"
#include "io/number_text.h"
#include "io/recording.h"
#include "scree_io/recording.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_real(FILE* file, double value)
{
    char text[SCRI_NUMBER_SIZE];
    scri_number_print(value, text);
    fputc(',', file);
    fputs(text, file);
}

static void put_reals(FILE* file, const double* value, int n)
{
    for (int k = 0; k < n; ++k) put_real(file, value[k]);
}

static void put_floats(FILE* file, const float* value, int n)
{
    for (int k = 0; k < n; ++k) put_real(file, (double)value[k]);
}

/* In quotes, which are doubled within. */
static void put_text(FILE* file, const char* text)
{
    fputs(",\"", file);
    for (; *text; ++text) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void put_start(FILE* file, int64_t k, const scree_frame* frame)
{
    fprintf(file, "%" PRId64, k);
    put_real(file, frame->time);
}

/* ---- the tables ---- */

static const char frames_head[] = "frame,time [s],step,bodies,contacts,kinetic energy [J],"
                                  "potential energy [J],largest residual so far,"
                                  "largest penetration so far [m]\n";

static void put_frame(FILE* file, int64_t k, const scree_frame* f, const scree_recording_info* info)
{
    (void)info;
    put_start(file, k, f);
    fprintf(file, ",%" PRId64 ",%" PRId32 ",%" PRId32, f->step, f->n_bodies, f->n_contacts);
    put_real(file, f->kinetic);
    put_real(file, f->potential);
    put_real(file, f->residual_max);
    put_real(file, f->penetration_max);
    fputc('\n', file);
}

static const char bodies_head[] =
    "frame,time [s],body,name,mass [kg],x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],"
    "wx [rad/s],wy [rad/s],wz [rad/s]\n";

static void put_bodies(FILE* file, int64_t k, const scree_frame* f,
                       const scree_recording_info* info)
{
    for (int32_t i = 0; i < f->n_bodies; ++i) {
        if (!scree_frame_holds(f, i)) continue;
        put_start(file, k, f);
        fprintf(file, ",%" PRId32, i);
        put_text(file, info->name[i]);
        put_real(file, info->mass[i]);
        put_reals(file, f->position + 3 * (size_t)i, 3);
        put_reals(file, f->rotation + 4 * (size_t)i, 4);
        put_reals(file, f->velocity + 3 * (size_t)i, 3);
        put_reals(file, f->angular_velocity + 3 * (size_t)i, 3);
        fputc('\n', file);
    }
}

static const char contacts_head[] =
    "frame,time [s],body a,body b,x [m],y [m],z [m],nx,ny,nz,fx [N],fy [N],fz [N],mx [N m],"
    "my [N m],mz [N m],gap [m],mode\n";

static void put_contacts(FILE* file, int64_t k, const scree_frame* f,
                         const scree_recording_info* info)
{
    (void)info;
    for (size_t i = 0; i < (size_t)f->n_contacts; ++i) {
        put_start(file, k, f);
        fprintf(file, ",%" PRId32 ",%" PRId32, f->pair[2 * i], f->pair[2 * i + 1]);
        put_floats(file, f->point + 3 * i, 3);
        put_floats(file, f->normal + 3 * i, 3);
        put_floats(file, f->force + 3 * i, 3);
        put_floats(file, f->moment + 3 * i, 3);
        put_floats(file, f->gap + i, 1);
        fprintf(file, ",%s\n", f->mode ? scree_friction_mode_name(f->mode[i]) : "");
    }
}

static const char joints_head[] =
    "frame,time [s],joint,name,kind,body a,body b,q0 [m or rad],q1 [m or rad],q2 [m or rad],"
    "rate0 [1/s],rate1 [1/s],rate2 [1/s],effort0 [N or N m],effort1 [N or N m],effort2 [N or N m],"
    "fx [N],fy [N],fz [N],mx [N m],my [N m],mz [N m]\n";

static void put_joints(FILE* file, int64_t k, const scree_frame* f,
                       const scree_recording_info* info)
{
    for (size_t i = 0; i < (size_t)f->n_joints; ++i) {
        const scree_recorded_joint* joint = &info->joints[i];
        if (isnan(f->joint_force[3 * i])) continue;
        put_start(file, k, f);
        fprintf(file, ",%zu", i);
        put_text(file, joint->name);
        fprintf(file, ",%s,%" PRId32 ",%" PRId32, scree_joint_kind_name(joint->kind),
                joint->body[0], joint->body[1]);
        put_reals(file, f->joint_coordinate + 3 * i, 3);
        put_reals(file, f->joint_rate + 3 * i, 3);
        put_reals(file, f->joint_effort + 3 * i, 3);
        put_reals(file, f->joint_force + 3 * i, 3);
        put_reals(file, f->joint_torque + 3 * i, 3);
        fputc('\n', file);
    }
}

/* ---- files ---- */

scree_status scri_export_frames(const scree_env* env, scree_recording* recording,
                                const char* prefix, const scree_export_def* def,
                                scree_export_def* out)
{
    scree_export_def usual = scree_default_export_def();
    if (!recording || !prefix) return SCREE_ERROR_ARGUMENT;
    *out = def ? *def : usual;
    int64_t n = scree_recording_get_info(recording).n_frames;
    if (out->struct_size != sizeof *out || out->stride < 1 || out->first < 0) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "a scree_export_def begins with scree_default_export_def(), its stride is "
                         "at least 1 and its first frame at least 0");
    }
    if (out->end > n) out->end = n;
    return SCREE_OK;
}

typedef struct csv_table {
    const char* ending;
    const char* head;
    void (*put)(FILE* file, int64_t k, const scree_frame* frame, const scree_recording_info* info);
} csv_table;

static scree_status write_rows(scree_recording* recording, const scree_export_def* def,
                               const csv_table* table, FILE* file)
{
    scree_recording_info info = scree_recording_get_info(recording);
    fputs(table->head, file);
    for (int64_t k = def->first; k < def->end && !ferror(file); k += def->stride) {
        scree_frame frame;
        scree_status status = scree_recording_read(recording, k, &frame);
        if (status) return status;
        table->put(file, k, &frame, &info);
    }
    return SCREE_OK;
}

static scree_status write_table(const scree_env* env, scree_recording* recording,
                                const char* prefix, const scree_export_def* def,
                                const csv_table* table)
{
    scri_output output;
    size_t size = strlen(prefix) + strlen(table->ending) + 1;
    char* path = scri_alloc(env, size);
    if (path) snprintf(path, size, "%s%s", prefix, table->ending);
    scree_status status = path ? scri_output_begin(env, path, &output) : SCREE_ERROR_MEMORY;
    if (status == SCREE_ERROR_MEMORY) scri_fail(env, status, "%s: out of memory", prefix);
    if (!status) {
        status = write_rows(recording, def, table, output.stream);
        status = scri_output_end(&output, status);
    }
    scri_release(env, path);
    return status;
}

scree_status scree_export_csv(const scree_env* env, scree_recording* recording, const char* prefix,
                              const scree_export_def* def)
{
    static const csv_table tables[] = {{"_frames.csv", frames_head, put_frame},
                                       {"_bodies.csv", bodies_head, put_bodies},
                                       {"_contacts.csv", contacts_head, put_contacts},
                                       {"_joints.csv", joints_head, put_joints}};
    scree_export_def frames;
    scree_status status = scri_export_frames(env, recording, prefix, def, &frames);
    size_t n_tables = sizeof tables / sizeof tables[0];
    if (!status && scree_recording_get_info(recording).n_joints == 0) --n_tables;
    for (size_t k = 0; k < n_tables && !status; ++k) {
        status = write_table(env, recording, prefix, &frames, &tables[k]);
    }
    return status;
}
