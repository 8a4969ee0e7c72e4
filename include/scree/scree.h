/* All of Scree's public interface. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include "scree/base.h"
#include "scree/certificate.h"
#include "scree/cone.h"
#include "scree/packing.h"
#include "scree/problem.h"
#include "scree/problem_file.h"
#include "scree/reactions.h"
#include "scree/recording.h"
#include "scree/repose.h"
#include "scree/scene.h"
#include "scree/shape.h"
#include "scree/solver.h"
#include "scree/world.h"

#endif
