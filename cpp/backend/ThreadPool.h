// The one thread pool: workers spin for about 50 us, then park. The number and the borders of
// chunks are the caller's and come from shapes alone; which thread runs a chunk changes nothing.
// Safe across fork: in a child the workers start again on first use.
#pragma once

#include <cstdint>

#include "lucid/core/FunctionRef.h"

LUCID_NAMESPACE_BEGIN

// Runs body(i) for each i in [0, num_chunks), on the calling thread and the pool's workers, and
// returns when all have run. The first exception is rethrown here, after the others have stopped. A
// call from inside a body, or while another caller holds the pool, runs on the calling thread
// alone.
LUCID_API void parallel_for(int64_t num_chunks, FunctionRef<void(int64_t)> body);

// At least 1; the default is LUCID_NUM_THREADS, else the cores that the affinity mask and the
// cgroup quota allow. Throws InvalidArgument below 1.
LUCID_API void set_num_threads(int count);
LUCID_API int get_num_threads() noexcept;

// Ends the workers (at exit); later calls run on the calling thread.
void shut_down_thread_pool() noexcept;
// Around fork(): the first holds the pool still, the others let it go on in the parent and start
// anew in the child.
void thread_pool_before_fork() noexcept;
void thread_pool_after_fork_parent() noexcept;
void thread_pool_after_fork_child() noexcept;

LUCID_NAMESPACE_END
