#include "base/lock.h"

#include <pthread.h>

/* The state that it guards is one per process, so the lock is too. */
static pthread_mutex_t foreign = PTHREAD_MUTEX_INITIALIZER;

void scri_lock_foreign(void)
{
    pthread_mutex_lock(&foreign);
}

void scri_unlock_foreign(void)
{
    pthread_mutex_unlock(&foreign);
}
