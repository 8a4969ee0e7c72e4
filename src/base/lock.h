/* One lock for libraries behind ours that keep state of their own and bear one thread at a time. */
#ifndef SCRI_LOCK_H
#define SCRI_LOCK_H

/* Never held while code of the host is called. */
void scri_lock_foreign(void);
void scri_unlock_foreign(void);

#endif
