/* The engine: everything but files and studies. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include "scree/base.h"
#include "scree/certificate.h"
#include "scree/joint.h"
#include "scree/problem.h"
#include "scree/reactions.h"
#include "scree/scene.h"
#include "scree/set.h"
#include "scree/shape.h"
#include "scree/solver.h"
#include "scree/system.h"
#include "scree/world.h"

#endif
