/* The certificate in memory that the caller keeps: for one problem after another. */
#ifndef SCRI_CERTIFICATE_H
#define SCRI_CERTIFICATE_H

#include "base/shares.h"
#include "scree/certificate.h"

/* As scree_certify() for the assembled and the bodies form, in `work` of the size below; `speed` as
 * in scree_solver_def. The measures of Siconos, a fifth of the work, are NaN unless `measure` is
 * that one. The team of the shares helps; NULL: there is none. */
void scri_certify(const scree_problem* problem, const double* p, scree_measure measure,
                  double speed, const scri_shares* shares, void* work, scree_certificate* out);
size_t scri_certify_work_size(const scree_problem* problem);

#endif
