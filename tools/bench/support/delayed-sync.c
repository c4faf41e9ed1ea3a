/* Lets fsync and fdatasync take DELAYED_SYNC_US microseconds longer, as on a slower disk. Preloaded with LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int delayed(const char *name, int file) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *text = getenv("DELAYED_SYNC_US");
  long delay = text ? atol(text) : 0;
  struct timespec time = {delay / 1000000, delay % 1000000 * 1000};
  int result = sync(file);
  if (delay > 0) nanosleep(&time, NULL);
  return result;
}

int fsync(int file) { return delayed("fsync", file); }

int fdatasync(int file) { return delayed("fdatasync", file); }
