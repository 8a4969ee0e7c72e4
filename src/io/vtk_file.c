#include "io/vtk_file.h"

#include "io/number_text.h"

#include <inttypes.h>

size_t scri_vtk_type_size(scri_vtk_type type)
{
    static const size_t size[] = {8, 4, 8, 4, 1};
    return size[type];
}

/* Describes an array and returns where the next one begins. */
static uint64_t describe(FILE* file, const scri_vtk_field* field, uint64_t n, uint64_t offset)
{
    static const char* const name[] = {"Float64", "Float32", "Int64", "Int32", "UInt8"};
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%" PRIu64 "\"/>\n",
            name[field->type], field->name, field->components, offset);
    return offset + sizeof n + n * (uint64_t)field->components * scri_vtk_type_size(field->type);
}

static void append(FILE* file, const scri_vtk_field* field, uint64_t n)
{
    uint64_t bytes = n * (uint64_t)field->components * scri_vtk_type_size(field->type);
    fwrite(&bytes, sizeof bytes, 1, file);
    if (bytes > 0) fwrite(field->data, 1, (size_t)bytes, file);
}

static void write_head(FILE* file, const scri_vtk_data* data)
{
    const uint16_t one = 1;
    char time[SCRI_NUMBER_SIZE];
    int64_t n[3] = {0, 0, 0};
    n[data->cells] = data->n_cells;
    scri_number_print(data->time, time);
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
            "byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
            "%s</DataArray>\n</FieldData>\n",
            *(const uint8_t*)&one == 1 ? "LittleEndian" : "BigEndian", time);
    fprintf(file,
            "<Piece NumberOfPoints=\"%" PRId32 "\" NumberOfVerts=\"%" PRId64
            "\" NumberOfLines=\"%" PRId64 "\" NumberOfStrips=\"0\" NumberOfPolys=\"%" PRId64
            "\">\n",
            data->n_points, n[SCRI_VTK_POINTS], n[SCRI_VTK_LINES], n[SCRI_VTK_POLYGONS]);
}

void scri_vtk_write(FILE* file, const scri_vtk_data* data)
{
    const scri_vtk_field corner = {"connectivity", SCRI_VTK_INT64, 1, data->corner};
    const scri_vtk_field end = {"offsets", SCRI_VTK_INT64, 1, data->end};
    const scri_vtk_field zone = {"zone", SCRI_VTK_INT32, 1, data->zone};
    static const char* const names[] = {"Verts", "Lines", "Polys"};
    const char* cells = names[data->cells];
    uint64_t n_points = (uint64_t)data->n_points, n_corners = (uint64_t)data->n_corners;
    uint64_t n_cells = (uint64_t)data->n_cells;
    write_head(file, data);
    fputs("<Points>\n", file);
    uint64_t offset = describe(file, &data->fields[0], n_points, 0);
    fprintf(file, "</Points>\n<%s>\n", cells);
    offset = describe(file, &corner, n_corners, offset);
    offset = describe(file, &end, n_cells, offset);
    fprintf(file, "</%s>\n<PointData>\n", cells);
    for (int k = 1; k < data->n_fields; ++k) {
        offset = describe(file, &data->fields[k], n_points, offset);
    }
    fputs("</PointData>\n", file);
    if (data->zone) {
        fputs("<CellData>\n", file);
        describe(file, &zone, n_cells, offset);
        fputs("</CellData>\n", file);
    }
    fputs("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", file);
    append(file, &data->fields[0], n_points);
    append(file, &corner, n_corners);
    append(file, &end, n_cells);
    for (int k = 1; k < data->n_fields; ++k) append(file, &data->fields[k], n_points);
    if (data->zone) append(file, &zone, n_cells);
    fputs("\n</AppendedData>\n</VTKFile>\n", file);
}
