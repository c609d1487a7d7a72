/* Preloaded into a command: its files reach the disk so slowly that a signal comes first. Before it
 * waits it makes the file that SLOW_DISK_REACHED names. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int fsync(int descriptor) {
  const char* reached = getenv("SLOW_DISK_REACHED");
  (void)descriptor;
  if (reached != NULL) close(open(reached, O_WRONLY | O_CREAT, 0666));
  sleep(60);
  return 0;
}
