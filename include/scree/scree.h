/* All of Scree's public interface. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include "scree/base.h"
#include "scree/belt.h"
#include "scree/certificate.h"
#include "scree/cone.h"
#include "scree/foundation.h"
#include "scree/identify.h"
#include "scree/lcp.h"
#include "scree/mechanism.h"
#include "scree/packing.h"
#include "scree/polyhedral.h"
#include "scree/problem.h"
#include "scree/problem_file.h"
#include "scree/reactions.h"
#include "scree/recording.h"
#include "scree/repose.h"
#include "scree/scene.h"
#include "scree/set.h"
#include "scree/shape.h"
#include "scree/sliding_disc.h"
#include "scree/solver.h"
#include "scree/stability.h"
#include "scree/system.h"
#include "scree/world.h"

#endif
