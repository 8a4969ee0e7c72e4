/* A tree as YAML text: what is read from it is the same tree, but for places, aliases and
 * comments. */
#ifndef SCRI_YAML_WRITE_H
#define SCRI_YAML_WRITE_H

#include "io/yaml_tree.h"

#include <stdio.h>

void scri_yaml_write(FILE* out, const scri_yaml* root);

#endif
