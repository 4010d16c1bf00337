// Emulates one block of CUDA threads on the CPU. Each thread is a fiber; all run in turn on one thread of the system,
// from one barrier or warp instruction to the next. Shared memory records the readers and writers since the last
// barrier, so a missing barrier is detected although nothing runs concurrently.
#pragma once

#include "tests/gpu/stack_switch.h"

#include <csetjmp>
#include <cstdint>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <ucontext.h>
#include <vector>

namespace attnlab::emulator {

/// An invalid operation of a kernel.
class Fault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

constexpr int lanes = 32;

/// The shared memory of a block.
class SharedMemory {
public:
    explicit SharedMemory(int bytes);

    /// Throws Fault for bytes that are out of range, misaligned, never written, being copied, or written by another
    /// warp since the last barrier.
    const unsigned char* read(int at, int bytes, int warp);
    /// The same; also for bytes that another warp has read since.
    unsigned char* write(int at, int bytes, int warp);
    /// Start and end of an asynchronous copy of 16 bytes.
    void begin_copy(int at, int warp);
    void end_copy(int at, const unsigned char (&values)[16], int warp);
    void barrier() { ++epoch_; }

private:
    struct Word {
        int write_epoch = -1, write_warp = -1, read_epoch = -1, copies = 0;
        std::uint32_t read_warps = 0;
    };

    void require_range(int at, int bytes, const char* what) const;
    void mark_written(Word& word, int at, int warp);

    std::vector<unsigned char> bytes_;
    std::vector<Word> words_;
    int epoch_ = 0;
};

class Block {
public:
    Block(int number, int threads, int shared_bytes);

    /// Runs `kernel` once for each thread. Rethrows exceptions of threads, and throws Fault on a deadlock.
    void run(const std::function<void()>& kernel);

    /// The block of the running thread.
    static Block& current();

    int number() const { return number_; }
    int thread() const { return running_; }
    int warp() const { return running_ / lanes; }
    int lane() const { return running_ % lanes; }
    SharedMemory& memory() { return memory_; }

    void sync_block();
    /// All lanes of a warp pass an operand; the last one calls `together` with those of all lanes, in order. Throws
    /// Fault when lanes arrive at different instructions.
    void together(const char* instruction, void* operand, const std::function<void(void* const* operands)>& together);

    struct Copy {
        int at;
        unsigned char values[16];
    };
    /// Asynchronous copies of the running thread: those of the open group, and the closed groups in order.
    void begin_copy(int at, const void* from, bool valid);
    void commit_copies();
    void wait_for_copies(int groups_left);

private:
    struct Thread {
        ucontext_t context{};
        jmp_buf there{};
        Stack stack;
        bool started = false, done = false;
        std::vector<Copy> open;
        std::vector<std::vector<Copy>> groups;
    };
    struct Warp {
        const char* instruction = nullptr;
        int arrived = 0;
        long generation = 0;
        void* operands[lanes] = {};
    };

    static void enter();
    // A function that returns twice must not be inlined.
    [[gnu::noinline]] void prepare(Thread& thread, unsigned char* stack);
    [[gnu::noinline]] void resume(Thread& thread);
    [[gnu::noinline]] void yield();
    template <class Condition>
    void wait_until(Condition condition);

    int number_;
    std::vector<Thread> threads_;
    std::vector<Warp> warps_;
    SharedMemory memory_;
    int running_ = 0;
    int at_barrier_ = 0;
    long barriers_ = 0;
    long progress_ = 0; ///< counts events that let a waiting thread continue
    jmp_buf back_{};
    Stack scheduler_;
    const std::function<void()>* kernel_ = nullptr;
    std::exception_ptr failure_;
};

/// Runs every block of a grid, one after the other.
void run_grid(int blocks, int threads, int shared_bytes, const std::function<void()>& kernel);

} // namespace attnlab::emulator
