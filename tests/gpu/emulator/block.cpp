#include "tests/gpu/emulator/block.h"

#include <cstring>
#include <memory>

namespace attnlab::emulator {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

Block* running_block = nullptr;

/// Stacks of the fibers, reused by blocks.
unsigned char* stack_of(std::size_t thread) {
    static std::vector<std::unique_ptr<unsigned char[]>> stacks;
    while (stacks.size() <= thread)
        stacks.emplace_back(new unsigned char[stack_bytes]);
    return stacks[thread].get();
}

std::string at_byte(int at) { return " at byte " + std::to_string(at) + " of shared memory"; }

} // namespace

SharedMemory::SharedMemory(int bytes)
    : bytes_(static_cast<std::size_t>(bytes), 0xff), words_(static_cast<std::size_t>(bytes / 4)) {}

void SharedMemory::require_range(int at, int bytes, const char* what) const {
    if (at < 0 || at + bytes > static_cast<int>(bytes_.size()))
        throw Fault(std::string(what) + " out of range" + at_byte(at));
    if (at % bytes != 0)
        throw Fault(std::string(what) + " misaligned" + at_byte(at));
}

const unsigned char* SharedMemory::read(int at, int bytes, int warp) {
    require_range(at, bytes, "read");
    for (int k = at / 4; k < (at + bytes + 3) / 4; ++k) {
        auto& word = words_[static_cast<std::size_t>(k)];
        if (word.copies > 0)
            throw Fault("read of what is still being copied" + at_byte(at));
        if (word.write_epoch < 0)
            throw Fault("read of what nobody wrote" + at_byte(at));
        if (word.write_epoch == epoch_ && word.write_warp != warp)
            throw Fault("read of what another warp wrote without a barrier between" + at_byte(at));
        if (word.read_epoch != epoch_)
            word.read_warps = 0;
        word.read_epoch = epoch_;
        word.read_warps |= 1u << warp;
    }
    return bytes_.data() + at;
}

void SharedMemory::mark_written(Word& word, int at, int warp) {
    if (word.write_epoch == epoch_ && word.write_warp != warp)
        throw Fault("two warps write without a barrier between" + at_byte(at));
    if (word.read_epoch == epoch_ && (word.read_warps & ~(1u << warp)) != 0)
        throw Fault("write over what another warp reads without a barrier between" + at_byte(at));
    word.write_epoch = epoch_;
    word.write_warp = warp;
}

unsigned char* SharedMemory::write(int at, int bytes, int warp) {
    require_range(at, bytes, "write");
    for (int k = at / 4; k < (at + bytes + 3) / 4; ++k) {
        auto& word = words_[static_cast<std::size_t>(k)];
        if (word.copies > 0)
            throw Fault("write over what is still being copied" + at_byte(at));
        mark_written(word, at, warp);
    }
    return bytes_.data() + at;
}

void SharedMemory::begin_copy(int at, int warp) {
    require_range(at, 16, "copy");
    for (int k = at / 4; k < at / 4 + 4; ++k) {
        auto& word = words_[static_cast<std::size_t>(k)];
        mark_written(word, at, warp);
        if (++word.copies > 1)
            throw Fault("two copies at the same place" + at_byte(at));
    }
    std::memset(bytes_.data() + at, 0xff, 16);
}

void SharedMemory::end_copy(int at, const unsigned char (&values)[16], int warp) {
    for (int k = at / 4; k < at / 4 + 4; ++k) {
        auto& word = words_[static_cast<std::size_t>(k)];
        --word.copies;
        word.write_epoch = epoch_;
        word.write_warp = warp;
    }
    std::memcpy(bytes_.data() + at, values, 16);
}

Block::Block(int number, int threads, int shared_bytes)
    : number_(number), threads_(static_cast<std::size_t>(threads)), warps_(static_cast<std::size_t>(threads / lanes)),
      memory_(shared_bytes) {}

Block& Block::current() { return *running_block; }

void Block::enter() {
    auto& block = current();
    auto& thread = block.threads_[static_cast<std::size_t>(block.running_)];
    arrive(thread.stack, block.scheduler_);
    try {
        (*block.kernel_)();
    } catch (...) {
        if (!block.failure_)
            block.failure_ = std::current_exception();
    }
    thread.done = true;
    ++block.progress_;
    leave(nullptr, block.scheduler_);
    jump(block.back_);
}

void Block::prepare(Thread& thread, unsigned char* stack) {
    thread.stack = {stack, stack_bytes};
    forget(thread.stack);
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = stack;
    thread.context.uc_stack.ss_size = stack_bytes;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, &Block::enter, 0);
}

void Block::run(const std::function<void()>& kernel) {
    kernel_ = &kernel;
    running_block = this;
    for (std::size_t number = 0; number < threads_.size(); ++number)
        prepare(threads_[number], stack_of(number));
    for (bool any = true; any && !failure_;) {
        any = false;
        const long before = progress_;
        for (running_ = 0; running_ < static_cast<int>(threads_.size()) && !failure_; ++running_) {
            auto& thread = threads_[static_cast<std::size_t>(running_)];
            if (thread.done)
                continue;
            any = true;
            resume(thread);
        }
        if (any && !failure_ && progress_ == before)
            throw Fault("threads wait for others that never come");
    }
    running_block = nullptr;
    if (failure_)
        std::rethrow_exception(failure_);
}

/// Uses the context only the first time, since that makes system calls.
void Block::resume(Thread& thread) {
    if (_setjmp(back_) != 0) {
        arrive(scheduler_, threads_[static_cast<std::size_t>(running_)].stack);
        return;
    }
    leave(&scheduler_, thread.stack);
    if (thread.started)
        jump(thread.there);
    thread.started = true;
    setcontext(&thread.context);
}

void Block::yield() {
    auto& thread = threads_[static_cast<std::size_t>(running_)];
    if (_setjmp(thread.there) == 0) {
        leave(&thread.stack, scheduler_);
        jump(back_);
    }
    arrive(threads_[static_cast<std::size_t>(running_)].stack, scheduler_);
}

template <class Condition>
void Block::wait_until(Condition condition) {
    while (!condition())
        yield();
}

void Block::sync_block() {
    const long mine = barriers_;
    if (++at_barrier_ == static_cast<int>(threads_.size())) {
        at_barrier_ = 0;
        ++barriers_;
        ++progress_;
        memory_.barrier();
        return;
    }
    wait_until([&] { return barriers_ != mine; });
}

void Block::together(const char* instruction, void* operand, const std::function<void(void* const*)>& together) {
    auto& warp = warps_[static_cast<std::size_t>(this->warp())];
    if (warp.arrived > 0 && warp.instruction != instruction && std::strcmp(warp.instruction, instruction) != 0)
        throw Fault("lanes of a warp are at " + std::string(warp.instruction) + " and at " + instruction);
    warp.instruction = instruction;
    warp.operands[lane()] = operand;
    const long mine = warp.generation;
    if (++warp.arrived == lanes) {
        together(warp.operands);
        warp.arrived = 0;
        ++warp.generation;
        ++progress_;
        return;
    }
    wait_until([&] { return warp.generation != mine; });
}

void Block::begin_copy(int at, const void* from, bool valid) {
    if (reinterpret_cast<std::uintptr_t>(from) % 16 != 0)
        throw Fault("copy from memory that is not aligned to 16 bytes");
    memory_.begin_copy(at, warp());
    Copy copy{at, {}};
    if (valid)
        std::memcpy(copy.values, from, 16);
    threads_[static_cast<std::size_t>(running_)].open.push_back(copy);
}

void Block::commit_copies() {
    auto& thread = threads_[static_cast<std::size_t>(running_)];
    thread.groups.push_back(std::move(thread.open));
    thread.open.clear();
}

void Block::wait_for_copies(int groups_left) {
    auto& groups = threads_[static_cast<std::size_t>(running_)].groups;
    while (static_cast<int>(groups.size()) > groups_left) {
        for (const auto& copy : groups.front())
            memory_.end_copy(copy.at, copy.values, warp());
        groups.erase(groups.begin());
    }
}

void run_grid(int blocks, int threads, int shared_bytes, const std::function<void()>& kernel) {
    for (int number = 0; number < blocks; ++number)
        Block(number, threads, shared_bytes).run(kernel);
}

} // namespace attnlab::emulator
