/* Opens libvtopo_reorder.so when it is first asked: processes that ask nothing have nothing of it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

typedef int (*reorder_function)(const struct vtopo_reorder_question*, int*, char*, size_t);

static pthread_mutex_t the_mutex = PTHREAD_MUTEX_INITIALIZER;
static reorder_function the_function;
static char the_failure[PATH_MAX + 64];

/* VTOPO_REORDER_LIBRARY, or the file next to this library. */
static void library_path(char* path, size_t length) {
  const char* chosen = getenv("VTOPO_REORDER_LIBRARY");
  Dl_info self;
  if (chosen != NULL && *chosen != '\0') {
    snprintf(path, length, "%s", chosen);
    return;
  }
  snprintf(path, length, "libvtopo_reorder.so");
  if (dladdr((void*)&the_mutex, &self) == 0 || self.dli_fname == NULL) return;
  const char* slash = strrchr(self.dli_fname, '/');
  if (slash == NULL) return;
  snprintf(path, length, "%.*s/libvtopo_reorder.so", (int)(slash - self.dli_fname), self.dli_fname);
}

static void open_library(void) {
  char path[PATH_MAX];
  library_path(path, sizeof path);
  /* Its names and those of the libraries that it needs stay its own. */
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) *(void**)&the_function = dlsym(library, "vtopo_reorder");
  if (the_function == NULL) {
    const char* why = dlerror();
    snprintf(the_failure, sizeof the_failure, "cannot be opened: %s", why == NULL ? path : why);
  }
}

int vtopo_answer(const struct vtopo_reorder_question* question, int* new_ranks, char* sentence,
                 size_t length) {
  int answer = VTOPO_NOT_DONE;
  pthread_mutex_lock(&the_mutex);
  if (the_function == NULL && the_failure[0] == '\0') open_library();
  if (the_function != NULL)
    answer = the_function(question, new_ranks, sentence, length);
  else
    snprintf(sentence, length, "libvtopo_reorder.so %s", the_failure);
  pthread_mutex_unlock(&the_mutex);
  return answer;
}
