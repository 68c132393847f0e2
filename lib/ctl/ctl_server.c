/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_ctl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "plx_text.h"

#include "ctl_priv.h"

/*
 * The listening side of the control socket. One thread accepts and owns the slots; each connection
 * has a thread that ends by marking its slot, and the accepting thread joins it before the slot is
 * used again. The file is made with its final mode: Linux takes the mode of a socket file from the
 * descriptor at bind(), less the umask. A lock on the folder holds from the look at an old file
 * until listen(), so that two starts at once do not take each other's file away.
 */

#define BACKLOG    64
#define BACKOFF_MS 100  /* after accept() failed, for want of descriptors */
#define LOCK_MS    1000 /* for the lock on the folder: anybody who may read it may hold it */

struct ctl_server {
	struct plx_ctl *ctl;
	int fd;
	int stop_fd; /* eventfd: readable once all is to end */
	pthread_t thread;
	struct sockaddr_un addr;
	dev_t dev; /* of the file as bound: another one is not removed */
	ino_t ino;
	struct ctl_conn conns[CTL_CONNS_MAX]; /* owner: the accepting thread */
};

static void
conn_join(struct ctl_conn *conn)
{
	pthread_join(conn->thread, NULL);
	atomic_store(&conn->state, CTL_CONN_FREE);
}

/* A slot that is free; the threads that have ended are joined first. */
static struct ctl_conn *
slot_find(struct ctl_server *server)
{
	struct ctl_conn *found = NULL;

	for (int i = 0; i < CTL_CONNS_MAX; i++) {
		struct ctl_conn *conn = &server->conns[i];

		if (atomic_load_explicit(&conn->state, memory_order_acquire) == CTL_CONN_DONE)
			conn_join(conn);
		if (found == NULL && atomic_load(&conn->state) == CTL_CONN_FREE)
			found = conn;
	}
	return found;
}

/* Threads that never take a signal: handlers run in the program's own ones. */
static int
thread_create(pthread_t *thread, const char *name, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret == 0)
		pthread_setname_np(*thread, name);
	return -ret;
}

static int
conn_start(struct ctl_server *server, int fd)
{
	struct ctl_conn *conn = slot_find(server);
	int ret;

	if (conn == NULL)
		return -EBUSY;
	conn->ctl = server->ctl;
	conn->fd = fd;
	conn->stop_fd = server->stop_fd;
	conn->is_dead = false;
	conn->last_progress_ms = 0;
	atomic_store(&conn->state, CTL_CONN_RUNNING);
	ret = thread_create(&conn->thread, "plx-ctl-conn", ctl_conn_main, conn);
	if (ret < 0)
		atomic_store(&conn->state, CTL_CONN_FREE);
	return ret;
}

static bool
peer_allowed(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
		return false;
	return peer.uid == geteuid() || peer.uid == 0;
}

/* Tell why and close. The peer gets what fits, nobody waits for it. */
static void
peer_refuse(int fd, int code, const char *sentence)
{
	char *line = ctl_reply_error(code, sentence);
	ssize_t sent = 0;

	if (line != NULL)
		sent = send(fd, line, strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL);
	(void)sent;
	free(line);
	close(fd);
}

static void
peer_accept(struct ctl_server *server)
{
	int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC);
	int ret;

	if (fd < 0) {
		struct pollfd stop = { .fd = server->stop_fd, .events = POLLIN };

		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
			poll(&stop, 1, BACKOFF_MS);
		return;
	}
	if (!peer_allowed(fd)) {
		peer_refuse(fd, -EPERM, "only the daemon's own user and root are answered");
		return;
	}
	ret = conn_start(server, fd);
	if (ret == -EBUSY)
		peer_refuse(fd, ret, "all 32 control connections are in use; close one");
	else if (ret < 0)
		peer_refuse(fd, ret, "no thread for another control connection");
}

static void *
server_main(void *arg)
{
	struct ctl_server *server = arg;
	struct pollfd fds[2] = { { .fd = server->fd, .events = POLLIN },
				 { .fd = server->stop_fd, .events = POLLIN } };

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents != 0)
			break;
		if (fds[0].revents != 0)
			peer_accept(server);
		fds[0].revents = 0;
		fds[1].revents = 0;
	}
	for (int i = 0; i < CTL_CONNS_MAX; i++) {
		if (atomic_load(&server->conns[i].state) != CTL_CONN_FREE)
			conn_join(&server->conns[i]);
	}
	return NULL;
}

/* Does somebody answer at the address? 0: nobody, the file is stale. */
static int
old_socket_try(const struct sockaddr_un *addr)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int ret;

	if (fd < 0)
		return -errno;
	ret = connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) == 0 ? 0 : errno;
	close(fd);
	/* EAGAIN: somebody listens and is busy */
	return ret == ECONNREFUSED || ret == ENOENT ? 0 : -EADDRINUSE;
}

/* Make room for the new file. Only a socket that nobody listens on is removed. */
static int
old_file_remove(const struct sockaddr_un *addr, struct plx_err *err)
{
	struct stat st;
	char shown[200];

	if (lstat(addr->sun_path, &st) != 0)
		return 0; /* bind() will tell what is wrong */
	plx_text_show(addr->sun_path, shown, sizeof(shown));
	if (!S_ISSOCK(st.st_mode))
		return plx_err_set(err, -EEXIST,
				   "%s is there and is no socket; remove it or choose another path",
				   shown);
	if (old_socket_try(addr) < 0)
		return plx_err_set(
			err, -EADDRINUSE,
			"somebody listens on %s already; end that or choose another path", shown);
	if (unlink(addr->sun_path) != 0 && errno != ENOENT) {
		int ret = -errno;

		return plx_err_set(err, ret, "the old socket %s cannot be removed: %s", shown,
				   strerror(-ret));
	}
	return 0;
}

/* A lock on the folder of the path, as far as there is one to be had in a second. */
static int
folder_lock(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[sizeof(((struct sockaddr_un *)0)->sun_path)] = ".";
	size_t len = slash == NULL ? 0 : (size_t)(slash - path);
	int fd;

	if (slash != NULL) {
		len = len == 0 ? 1 : len;
		memcpy(folder, path, len);
		folder[len] = '\0';
	}
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int waited = 0; fd >= 0 && waited < LOCK_MS; waited += 10) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR))
			break;
		poll(NULL, 0, 10);
	}
	return fd;
}

static int
bind_locked(struct ctl_server *server, struct plx_err *err)
{
	const struct sockaddr *addr = (const struct sockaddr *)&server->addr;
	struct stat st;
	char shown[200];
	int ret = old_file_remove(&server->addr, err);

	if (ret < 0)
		return ret;
	plx_text_show(server->addr.sun_path, shown, sizeof(shown));
	if (fchmod(server->fd, 0600) != 0 || bind(server->fd, addr, sizeof(server->addr)) != 0) {
		ret = -errno;
		return plx_err_set(err, ret, "the socket %s cannot be made: %s", shown,
				   strerror(-ret));
	}
	if (lstat(server->addr.sun_path, &st) == 0) {
		server->dev = st.st_dev;
		server->ino = st.st_ino;
	}
	if (listen(server->fd, BACKLOG) != 0) {
		ret = -errno;
		unlink(server->addr.sun_path);
		return plx_err_set(err, ret, "listening on %s failed: %s", shown, strerror(-ret));
	}
	return 0;
}

static int
server_bind(struct ctl_server *server, struct plx_err *err)
{
	int lock_fd = folder_lock(server->addr.sun_path);
	int ret = bind_locked(server, err);

	if (lock_fd >= 0)
		close(lock_fd);
	return ret;
}

static void
file_remove(const struct ctl_server *server)
{
	struct stat st;

	if (lstat(server->addr.sun_path, &st) == 0 && st.st_dev == server->dev &&
	    st.st_ino == server->ino)
		unlink(server->addr.sun_path);
}

static int
server_open(struct ctl_server *server, struct plx_err *err)
{
	int ret;

	server->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	server->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (server->fd < 0 || server->stop_fd < 0) {
		ret = plx_err_set(err, -errno, "no socket to be had: %s", strerror(errno));
		goto err_close;
	}
	ret = server_bind(server, err);
	if (ret < 0)
		goto err_close;
	ret = thread_create(&server->thread, "plx-ctl", server_main, server);
	if (ret < 0) {
		plx_err_set(err, ret, "no thread for the control socket: %s", strerror(-ret));
		goto err_file;
	}
	return 0;

err_file:
	file_remove(server);
err_close:
	if (server->fd >= 0)
		close(server->fd);
	if (server->stop_fd >= 0)
		close(server->stop_fd);
	return ret;
}

int
plx_ctl_listen(struct plx_ctl *ctl, const char *path, struct plx_err *err)
{
	struct ctl_server *server;
	size_t len = strlen(path);
	int ret;

	if (ctl->server != NULL)
		return plx_err_set(err, -EALREADY, "it listens on %s already",
				   ctl->server->addr.sun_path);
	if (len == 0 || len >= sizeof(server->addr.sun_path))
		return plx_err_set(
			err, -ENAMETOOLONG,
			"a socket path has 1..%zu bytes, this one %zu; choose a shorter one",
			sizeof(server->addr.sun_path) - 1, len);
	server = calloc(1, sizeof(*server));
	if (server == NULL)
		return plx_err_set(err, -ENOMEM, "no memory for the control socket");
	server->ctl = ctl;
	server->addr.sun_family = AF_UNIX;
	memcpy(server->addr.sun_path, path, len + 1);
	ret = server_open(server, err);
	if (ret < 0) {
		free(server);
		return ret;
	}
	ctl->server = server;
	return 0;
}

void
ctl_server_destroy(struct ctl_server *server)
{
	const uint64_t one = 1;
	ssize_t written;

	if (server == NULL)
		return;
	file_remove(server);
	do {
		written = write(server->stop_fd, &one, sizeof(one));
	} while (written < 0 && errno == EINTR);
	pthread_join(server->thread, NULL);
	close(server->fd);
	close(server->stop_fd);
	free(server);
}
