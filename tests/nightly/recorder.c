/* Records what a program writes below a folder, in order: every write, change of size, removal and sync.
 *
 * cc -shared -fPIC -o recorder.so recorder.c -ldl
 * LD_PRELOAD=recorder.so RECORDED_FOLDER=/folder RECORD=/elsewhere/record program
 *
 * A record is a line "what place length name" and, for a write, so many bytes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int record = -1;

static void note(char what, const char *name, long place, const void *bytes, size_t length)
{
    const char *folder = getenv("RECORDED_FOLDER");
    if (folder == NULL || strncmp(name, folder, strlen(folder)) != 0)
        return;
    if (record < 0)
        record = syscall(SYS_openat, AT_FDCWD, getenv("RECORD"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    char line[4400];
    int size = snprintf(line, sizeof line, "%c %ld %zu %s\n", what, place, length, name);
    syscall(SYS_write, record, line, size);
    if (bytes != NULL && length > 0)
        syscall(SYS_write, record, bytes, length);
}

static const char *name_of(int file)
{
    static __thread char name[4096];
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    name[length < 0 ? 0 : length] = 0;
    return name;
}

#define REAL(kind, name) ((kind)dlsym(RTLD_NEXT, name))

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t place)
{
    ssize_t done = REAL(ssize_t (*)(int, const void *, size_t, off64_t), "pwrite64")(file, bytes, length, place);
    if (done > 0)
        note('w', name_of(file), place, bytes, done);
    return done;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t place)
{
    return pwrite64(file, bytes, length, place);
}

ssize_t write(int file, const void *bytes, size_t length)
{
    const char *name = name_of(file);
    off_t place = name[0] == '/' ? lseek(file, 0, SEEK_CUR) : 0;
    ssize_t done = syscall(SYS_write, file, bytes, length);
    if (done > 0)
        note('w', name, place, bytes, done);
    return done;
}

int ftruncate64(int file, off64_t length)
{
    int failed = REAL(int (*)(int, off64_t), "ftruncate64")(file, length);
    if (!failed)
        note('t', name_of(file), length, NULL, 0);
    return failed;
}

int ftruncate(int file, off_t length)
{
    return ftruncate64(file, length);
}

int fsync(int file)
{
    int failed = REAL(int (*)(int), "fsync")(file);
    if (!failed)
        note('s', name_of(file), 0, NULL, 0);
    return failed;
}

int fdatasync(int file)
{
    int failed = REAL(int (*)(int), "fdatasync")(file);
    if (!failed)
        note('s', name_of(file), 0, NULL, 0);
    return failed;
}

int unlink(const char *name)
{
    int failed = REAL(int (*)(const char *), "unlink")(name);
    if (!failed)
        note('u', name, 0, NULL, 0);
    return failed;
}
