/* Preloaded into a program to simulate the loss of power. When a file is synced its content is kept as
   $KEEP_SYNCED/INODE; when a folder is synced its names are kept in $KEEP_SYNCED/names, a line `INODE NAME` each.
   Together that is what a disk would hold, if the power went at the moment when the program is killed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void put_in_place(const char *fresh, const char *place)
{
    if (rename(fresh, place))
        abort();
}

static void keep_content(int file, const char *kept, ino_t inode)
{
    char fresh[4096], place[4096], block[65536];
    snprintf(fresh, sizeof fresh, "%s/content.fresh", kept);
    snprintf(place, sizeof place, "%s/%lu", kept, (unsigned long)inode);
    int copy = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    off_t at = 0;
    ssize_t count;
    while ((count = pread(file, block, sizeof block, at)) > 0) {
        if (write(copy, block, (size_t)count) != count)
            abort();
        at += count;
    }
    close(copy);
    put_in_place(fresh, place);
}

static void keep_names(int folder, const char *kept)
{
    char fresh[4096], place[4096];
    snprintf(fresh, sizeof fresh, "%s/names.fresh", kept);
    snprintf(place, sizeof place, "%s/names", kept);
    FILE *names = fopen(fresh, "w");
    DIR *entries = fdopendir(openat(folder, ".", O_RDONLY));
    if (!names || !entries)
        abort();
    for (struct dirent *entry; (entry = readdir(entries));)
        if (entry->d_name[0] != '.')
            fprintf(names, "%lu %s\n", (unsigned long)entry->d_ino, entry->d_name);
    closedir(entries);
    fclose(names);
    put_in_place(fresh, place);
}

static int sync_and_keep(const char *call, int file)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
    const char *kept = getenv("KEEP_SYNCED");
    struct stat about;
    int result = real(file);
    if (result == 0 && kept && fstat(file, &about) == 0) {
        if (S_ISREG(about.st_mode))
            keep_content(file, kept, about.st_ino);
        else if (S_ISDIR(about.st_mode))
            keep_names(file, kept);
    }
    return result;
}

int fsync(int file)
{
    return sync_and_keep("fsync", file);
}

int fdatasync(int file)
{
    return sync_and_keep("fdatasync", file);
}
