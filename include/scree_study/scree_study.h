/* The investigations of the papers. */
#ifndef SCREE_STUDY_SCREE_STUDY_H
#define SCREE_STUDY_SCREE_STUDY_H

#include "scree_study/belt.h"
#include "scree_study/creep.h"
#include "scree_study/foundation.h"
#include "scree_study/identify.h"
#include "scree_study/lcp.h"
#include "scree_study/mechanism.h"
#include "scree_study/packing.h"
#include "scree_study/polyhedral.h"
#include "scree_study/repose.h"
#include "scree_study/rockfall.h"
#include "scree_study/sliding_disc.h"
#include "scree_study/sliding_path.h"
#include "scree_study/stability.h"

#endif
