/* What the tests of the viscous foundation share. */
#ifndef SUPPORT_FOUNDATION_H
#define SUPPORT_FOUNDATION_H

#include "study/foundation.h"
#include "support/test.h"

static inline scree_foundation_contact resist(const scree_foundation_def* def, double speed)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_foundation_contact contact;
    scree_status status = scree_foundation_resist(&env, def, speed, &contact);
    require(status == SCREE_OK, "no contact: %s", host.text);
    return contact;
}

#endif
