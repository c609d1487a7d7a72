/* Linked into programs by `vtopo cc`, `cxx` and `fc`: what happens when one is started by itself,
 * as configure scripts, CMake's try_run and Makefiles do that run what they build. SMPI's programs
 * are shared objects without an entry; this is one, with the loader's name. It becomes `vtopo
 * mpirun` with the program on one rank. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#define ALIGNED_STACK __attribute__((force_align_arg_pointer))
#elif defined(__aarch64__)
#define LOADER "/lib/ld-linux-aarch64.so.1"
#define ALIGNED_STACK
#else
#error "what is the loader of this processor's programs?"
#endif

#define IN_PROGRAM __attribute__((used, visibility("hidden")))

IN_PROGRAM __attribute__((section(".interp"))) const char vtopo_program_loader[] = LOADER;

/* By it `vtopo mpirun` knows the programs that it can run. */
IN_PROGRAM const char vtopo_program_mark[] = "compiled for the simulated ranks of vtopo";

/* The bytes of a file of /proc, with a zero behind them; null if it cannot be read. */
static char* bytes_of(const char* path, size_t* size) {
  char* bytes = NULL;
  const int file = open(path, O_RDONLY);
  ssize_t more = file < 0 ? -1 : 1;
  *size = 0;
  while (more > 0) {
    char* larger = realloc(bytes, *size + 4097);
    if (larger == NULL) break;
    bytes = larger;
    more = read(file, bytes + *size, 4096);
    if (more > 0) *size += (size_t)more;
  }
  if (file >= 0) close(file);
  if (bytes != NULL) bytes[*size] = '\0';
  return bytes;
}

/* The entry has no arguments in C's sense: they are read where the system shows them. */
IN_PROGRAM ALIGNED_STACK __attribute__((noreturn)) void vtopo_program_start(void) {
  static char itself[4096];
  static const char* const commands[] = {VTOPO_BUILT, VTOPO_INSTALLED, "vtopo"};
  const char* const words[] = {"vtopo",     "mpirun", "-np",      "1",
                               "--network", "mesh:1", "--format", "none"};
  const size_t num_words = sizeof words / sizeof words[0];
  size_t size = 0;
  size_t count = 0;
  char* line = bytes_of("/proc/self/cmdline", &size);
  const ssize_t length = readlink("/proc/self/exe", itself, sizeof itself - 1);
  for (size_t i = 0; line != NULL && i < size; ++i) count += line[i] == '\0';
  const char** argv = calloc(num_words + count + 2, sizeof *argv);
  if (argv == NULL || length <= 0) _exit(1);
  memcpy(argv, words, sizeof words);
  argv[num_words] = itself;
  count = num_words + 1;
  for (size_t i = 0; line != NULL && i < size; i += strlen(line + i) + 1)
    if (i > 0) argv[count++] = line + i;
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i)
    execvp(commands[i], (char* const*)argv);
  fprintf(stderr,
          "%s: compiled for simulated ranks; run it by \"vtopo mpirun -np 1 --network mesh:1 %s\" "
          "(vtopo: %s)\n",
          itself, itself, strerror(errno));
  fflush(stderr);
  _exit(127);
}
