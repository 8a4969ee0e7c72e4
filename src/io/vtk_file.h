/* A data set for ParaView: points, lines or polygons with data, as VTK's XML with raw bytes behind
 * it
 * ("appended"), in the byte order of this machine. */
#ifndef SCRI_VTK_FILE_H
#define SCRI_VTK_FILE_H

#include <stdint.h>
#include <stdio.h>

enum { SCRI_VTK_FIELDS = 12 };

typedef enum scri_vtk_type {
    SCRI_VTK_FLOAT64,
    SCRI_VTK_FLOAT32,
    SCRI_VTK_INT64,
    SCRI_VTK_INT32,
    SCRI_VTK_UINT8
} scri_vtk_type;

typedef enum scri_vtk_cells { SCRI_VTK_POINTS, SCRI_VTK_LINES, SCRI_VTK_POLYGONS } scri_vtk_cells;

typedef struct scri_vtk_field {
    const char* name;
    scri_vtk_type type;
    int components;
    const void* data; /* for every point */
} scri_vtk_field;

/* The first field holds the places of the points. */
typedef struct scri_vtk_data {
    double time;
    int32_t n_points;
    int n_fields;
    scri_vtk_field fields[SCRI_VTK_FIELDS];
    scri_vtk_cells cells;
    int64_t n_cells, n_corners;
    const int64_t* corner; /* [n_corners] */
    const int64_t* end;    /* [n_cells] of each cell's corners */
    const int32_t* zone;   /* [n_cells]; NULL: none */
} scri_vtk_data;

size_t scri_vtk_type_size(scri_vtk_type type);

void scri_vtk_write(FILE* file, const scri_vtk_data* data);

#endif
