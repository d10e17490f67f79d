/*
 * A preload library that notes what was synced: for a file its bytes, for a directory its names. `lost-pages.ts` compiles it, and makes of these
 * notes what a power loss would leave.
 *
 * After fsync of a file, LOST_PAGES/file-<inode> has its bytes; after fsync of a directory, LOST_PAGES/directory-<inode> has a line with inode
 * and name for each entry. Notes are written under another name first, so a process that is killed leaves none half written.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int note_file(int from, int to) {
  char buffer[65536];
  off_t at = 0;
  for (;;) {
    ssize_t count = pread(from, buffer, sizeof buffer, at);
    if (count <= 0) return count < 0 ? -1 : 0;
    if (write(to, buffer, count) != count) return -1;
    at += count;
  }
}

static int note_directory(const char *path, int to) {
  DIR *directory = opendir(path);
  if (!directory) return -1;
  struct dirent *entry;
  while ((entry = readdir(directory)))
    if (entry->d_name[0] != '.') dprintf(to, "%llu %s\n", (unsigned long long)entry->d_ino, entry->d_name);
  return closedir(directory);
}

static int note(int descriptor) {
  const char *notes = getenv("LOST_PAGES");
  struct stat status;
  if (!notes || fstat(descriptor, &status) != 0) return 0;
  int is_directory = S_ISDIR(status.st_mode);
  if (!is_directory && !S_ISREG(status.st_mode)) return 0;
  char path[512], made[600], self[64];
  snprintf(path, sizeof path, "%s/%s-%llu", notes, is_directory ? "directory" : "file", (unsigned long long)status.st_ino);
  snprintf(made, sizeof made, "%s.%d", path, (int)getpid());
  snprintf(self, sizeof self, "/proc/self/fd/%d", descriptor);
  // The descriptor of a log is for appending alone.
  int from = is_directory ? -1 : open(self, O_RDONLY);
  int to = open(made, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int failed = to < 0 || (is_directory ? note_directory(self, to) : from < 0 ? -1 : note_file(from, to));
  if (to >= 0) close(to);
  if (from >= 0) close(from);
  return failed || rename(made, path) != 0 ? -1 : 0;
}

int fsync(int descriptor) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  int result = real(descriptor);
  if (result == 0 && note(descriptor) != 0) abort();
  return result;
}

int fdatasync(int descriptor) { return fsync(descriptor); }
