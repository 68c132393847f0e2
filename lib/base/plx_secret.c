/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The Pollux developers
 */
#include "plx_secret.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <openssl/crypto.h>

/*
 * A heap of locked pages. Memory comes in chunks of 16 KiB (one page where pages are larger),
 * aligned to their own size, so that the chunk of any block is found by masking its address. A
 * chunk is cut into slots of one power of two; a bitmap in its header says which are taken. What
 * does not fit a slot gets a mapping to itself with the same header. A chunk whose last block is
 * freed goes back to the system at once, so locked memory follows the keys.
 *
 * OpenSSL's secure heap is not used: its size is set once for the life of the process and it
 * belongs to whoever set it up first.
 *
 * The lists are file-scope state behind one mutex: a block is freed by its address
 * alone from any library and any thread, and RLIMIT_MEMLOCK, which it lives on, is one a process as
 * well.
 */

#define CHUNK_MIN_BYTES ((size_t)16384)
#define SLOTS_MAX       512 /* slots are at least a 512th of a chunk */
#define WORD_BITS       64
#define NB_CLASSES      8 /* slot sizes: a 512th of a chunk up to a quarter of it */
#define CLASS_LARGE     NB_CLASSES
#define CHUNK_MAGIC     0x706c7853u

/* At the start of each chunk. */
struct chunk {
	uint32_t magic;
	uint32_t class_idx;
	size_t map_bytes;
	size_t slot_bytes; /* of a large block: its length */
	uint32_t nb_slots;
	uint32_t nb_used;
	struct chunk *prev;
	struct chunk *next;
	uint64_t used[SLOTS_MAX / WORD_BITS];
} __attribute__((aligned(PLX_CACHE_LINE)));

static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk *heap_with_room[NB_CLASSES + 1];
static struct plx_secret_usage heap_usage;

static size_t
chunk_bytes(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return page > CHUNK_MIN_BYTES ? page : CHUNK_MIN_BYTES;
}

static struct chunk *
chunk_of(const void *p)
{
	return (struct chunk *)((uintptr_t)p & ~(uintptr_t)(chunk_bytes() - 1));
}

static size_t
class_slot_bytes(uint32_t class_idx)
{
	return (chunk_bytes() / SLOTS_MAX) << class_idx;
}

static uint32_t
class_of(size_t len)
{
	uint32_t class_idx = 0;

	while (class_idx < NB_CLASSES && class_slot_bytes(class_idx) < len)
		class_idx++;
	return class_idx;
}

/* A mapping aligned to the chunk size; map_bytes is a multiple of it. */
static void *
map_aligned(size_t map_bytes)
{
	size_t align = chunk_bytes();
	size_t head, tail;
	uint8_t *raw;

	raw = mmap(NULL, map_bytes + align, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		   0);
	if (raw == MAP_FAILED)
		return NULL;
	head = (align - ((uintptr_t)raw & (align - 1))) & (align - 1);
	tail = align - head;
	if (head != 0)
		munmap(raw, head);
	if (tail != 0)
		munmap(raw + head + map_bytes, tail);
	return raw + head;
}

static void
chunk_list(struct chunk *c)
{
	struct chunk **head = &heap_with_room[c->class_idx];

	c->prev = NULL;
	c->next = *head;
	if (c->next != NULL)
		c->next->prev = c;
	*head = c;
}

static void
chunk_unlist(struct chunk *c)
{
	if (c->prev != NULL)
		c->prev->next = c->next;
	else
		heap_with_room[c->class_idx] = c->next;
	if (c->next != NULL)
		c->next->prev = c->prev;
}

static int
chunk_create(uint32_t class_idx, size_t len, struct chunk **out)
{
	size_t align = chunk_bytes();
	size_t map_bytes = align;
	struct chunk *c;

	if (class_idx == CLASS_LARGE) {
		if (len > SIZE_MAX / 2)
			return -ENOMEM;
		map_bytes = (sizeof(*c) + len + align - 1) & ~(align - 1);
	}
	c = map_aligned(map_bytes);
	if (c == NULL)
		return -ENOMEM;
	/* the system call itself: address sanitizer makes mlock() a call that does nothing */
	if (syscall(SYS_mlock, c, map_bytes) < 0) {
		/* ENOMEM and EAGAIN are how the kernel says "over the limit" as well */
		munmap(c, map_bytes);
		return -EPERM;
	}
	if (madvise(c, map_bytes, MADV_DONTDUMP) < 0) {
		munmap(c, map_bytes);
		return -ENOMEM;
	}
	c->magic = CHUNK_MAGIC;
	c->class_idx = class_idx;
	c->map_bytes = map_bytes;
	c->slot_bytes = class_idx == CLASS_LARGE ? len : class_slot_bytes(class_idx);
	c->nb_slots =
		class_idx == CLASS_LARGE ? 1 : (uint32_t)((align - sizeof(*c)) / c->slot_bytes);
	chunk_list(c);
	heap_usage.locked_bytes += map_bytes;
	*out = c;
	return 0;
}

static void
chunk_destroy(struct chunk *c)
{
	heap_usage.locked_bytes -= c->map_bytes;
	munmap(c, c->map_bytes);
}

static uint8_t *
chunk_slot(struct chunk *c, uint32_t slot)
{
	return (uint8_t *)(c + 1) + slot * c->slot_bytes;
}

static void *
slot_take(struct chunk *c)
{
	uint32_t word = 0, slot;

	while (c->used[word] == UINT64_MAX)
		word++;
	slot = word * WORD_BITS + (uint32_t)__builtin_ctzll(~c->used[word]);
	c->used[word] |= UINT64_C(1) << (slot % WORD_BITS);
	if (++c->nb_used == c->nb_slots)
		chunk_unlist(c);
	heap_usage.nb_blocks++;
	return chunk_slot(c, slot);
}

static void
slot_give(struct chunk *c, uint32_t slot)
{
	c->used[slot / WORD_BITS] &= ~(UINT64_C(1) << (slot % WORD_BITS));
	if (c->nb_used-- == c->nb_slots)
		chunk_list(c);
	heap_usage.nb_blocks--;
	if (c->nb_used == 0) {
		chunk_unlist(c);
		chunk_destroy(c);
	}
}

int
plx_secret_alloc(size_t len, void **out)
{
	uint32_t class_idx = class_of(len);
	struct chunk *c;
	int ret = 0;

	if (len == 0)
		return -EINVAL;

	pthread_mutex_lock(&heap_lock);
	c = heap_with_room[class_idx];
	if (c == NULL)
		ret = chunk_create(class_idx, len, &c);
	if (ret == 0)
		*out = slot_take(c);
	pthread_mutex_unlock(&heap_lock);
	return ret;
}

void
plx_secret_free(void *p)
{
	struct chunk *c;
	size_t offset;
	uint32_t slot;

	if (p == NULL)
		return;

	pthread_mutex_lock(&heap_lock);
	c = chunk_of(p);
	assert(c->magic == CHUNK_MAGIC);
	offset = (size_t)((uint8_t *)p - chunk_slot(c, 0));
	slot = (uint32_t)(offset / c->slot_bytes);
	/* not the start of a block, or a block freed twice, is a defect of the caller */
	assert(offset % c->slot_bytes == 0 && slot < c->nb_slots);
	assert(c->used[slot / WORD_BITS] & UINT64_C(1) << (slot % WORD_BITS));

	OPENSSL_cleanse(p, c->slot_bytes);
	slot_give(c, slot);
	pthread_mutex_unlock(&heap_lock);
}

void
plx_secret_usage(struct plx_secret_usage *out)
{
	pthread_mutex_lock(&heap_lock);
	*out = heap_usage;
	pthread_mutex_unlock(&heap_lock);
}

void
plx_wipe(void *p, size_t len)
{
	OPENSSL_cleanse(p, len);
}

bool
plx_ct_equal(const void *a, const void *b, size_t len)
{
	return CRYPTO_memcmp(a, b, len) == 0;
}
