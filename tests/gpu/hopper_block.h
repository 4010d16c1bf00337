// Emulates a thread block of a Hopper GPU on the CPU: each thread is a fiber; with shared memory, barriers with phases,
// and asynchronous copies by the copy engine and products by the tensor cores, which are incomplete until a thread
// waits for them. It follows the PTX ISA and does not depend on the kernels. Throws Fault on a deadlock or a violated
// rule.
#pragma once

#include "gpu/hopper/hopper_layout.h"
#include "gpu/numbers.h"
#include "tests/gpu/stack_switch.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <ucontext.h>

namespace attnlab::gpu::hopper::emulated {

struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// When copies and products are executed: at once, as late as possible, only the products late, or at random times.
enum class Delay { None, Longest, Products, Random };

/// One of a warp's products, 16 x N x 16, with the registers of its 32 lanes.
struct Product {
    bool bfloat16 = true, a_in_registers = false, b_is_mn_major = false, adds = false;
    int n = 0;
    std::uint64_t a = 0, b = 0;
    int lanes = 0;
    float* sums[32] = {};
    const std::uint32_t* fragments[32] = {};
    std::uint32_t fragments_at_start[32][4] = {};
};

inline float number(std::uint16_t bits, bool bfloat16) { return bfloat16 ? from_bfloat16(bits) : from_float16(bits); }

class Block {
public:
    static constexpr std::uint32_t shared_bytes = 227 * 1024;

    Block(int threads, int block_index, int grid_size, Delay delay, unsigned seed)
        : index(block_index), grid(grid_size), delay_(delay), random_(seed), fibers_(static_cast<std::size_t>(threads)),
          warps_(static_cast<std::size_t>(threads / 32)), shared_(shared_bytes / 2, 0x7FFF),
          barriers_(shared_bytes / 8) {}

    /// The running block; threads run one at a time.
    static Block& current() { return *current_block; }

    /// `kernel` must outlive the block.
    void begin(const std::function<void()>& kernel) {
        kernel_ = &kernel;
        for (auto& fiber : fibers_)
            start(fiber);
    }
    /// Lets every thread go on that can. False when all have come to their ends.
    bool go_on() {
        current_block = this;
        advance();
        if (alive_ == 0 && !copies_.empty())
            throw Fault("copies are under way at the end of the block");
        return alive_ > 0;
    }

    int thread() const { return thread_; }
    const int index, grid;
    std::int64_t copied_bytes = 0;

    template <class Ready>
    void wait_until(const char* what, const Ready& ready) {
        if (delay_ != Delay::Random && ready())
            return;
        auto& fiber = fibers_[static_cast<std::size_t>(thread_)];
        fiber.what = what;
        fiber.ready = [&ready] { return ready(); };
        if (_setjmp(fiber.there) == 0) {
            emulator::leave(&fiber.place, main_);
            emulator::jump(back_);
        }
        returned().ready = nullptr;
    }

    // mbarriers
    void init_barrier(std::uint32_t address, int arrivals) { barrier(address) = {arrivals, arrivals, 0, 0, true}; }
    void arrive(std::uint32_t address, int bytes) {
        auto& state = live_barrier(address);
        if (state.missing == 0)
            throw Fault("more arrivals at a barrier than it was made for");
        state.bytes += bytes;
        --state.missing;
        finish_phase(state);
    }
    void wait(std::uint32_t address, int parity) {
        const auto& state = live_barrier(address);
        wait_until("an mbarrier", [&] { return (state.phase & 1) != parity; });
    }

    /// Named barriers; 0 is that of all threads.
    void come_to(int id, int threads, bool stays) {
        auto& state = named_.at(static_cast<std::size_t>(id));
        if (threads % 32 != 0 || (state.arrived > 0 && state.threads != threads))
            throw Fault("threads disagree how many come to a named barrier");
        state.threads = threads;
        const int round = state.round;
        if (++state.arrived == threads) {
            state.arrived = 0;
            ++state.round;
        }
        if (stays)
            wait_until("a named barrier", [&] { return state.round != round; });
    }
    int size() const { return static_cast<int>(fibers_.size()); }

    /// What lane `from` of the warp gives, when all lanes have given.
    std::uint32_t exchanged(std::uint32_t value, int from) {
        auto& lane = fibers_[static_cast<std::size_t>(thread_)];
        auto& warp = warps_[static_cast<std::size_t>(thread_ / 32)];
        const int round = lane.exchanges++;
        warp.given[round & 1][thread_ % 32] = value;
        const int wanted = (round + 1) * 32;
        ++warp.exchanges;
        wait_until("a shuffle", [&] { return warp.exchanges >= wanted; });
        return warp.given[round & 1][from];
    }

    void store_word(std::uint32_t address, std::uint32_t word) {
        half_at(address) = static_cast<std::uint16_t>(word);
        half_at(address + 2) = static_cast<std::uint16_t>(word >> 16);
    }
    std::uint32_t load_word(std::uint32_t address) {
        return half_at(address) | static_cast<std::uint32_t>(half_at(address + 2)) << 16;
    }

    // The copy engine
    void copy(std::uint32_t panel, const TileSource& source, std::uint32_t address, int column, int row, int head,
              int batch) {
        if (panel % atom_bytes != 0)
            throw Fault("a panel does not start at a multiple of 1024 bytes");
        if (source.box_rows < 1 || source.box_rows > 256 || (source.row_stride | source.head_stride) % 8 != 0)
            throw Fault("a tile that the copy engine cannot describe");
        copies_.push_back({panel, &source, address, column, row, head, batch});
        if (delay_ == Delay::None || delay_ == Delay::Products)
            finish_copy(0);
    }

    // The tensor cores
    void multiply(const Product& like, float* sums, const std::uint32_t* fragments) {
        auto& warp = warps_[static_cast<std::size_t>(thread_ / 32)];
        auto& lane = fibers_[static_cast<std::size_t>(thread_)];
        if (!lane.fenced)
            throw Fault("a product without a fence after the last wait for products");
        if (lane.products == static_cast<int>(warp.products.size()))
            warp.products.push_back(like);
        auto& product = warp.products[static_cast<std::size_t>(lane.products++)];
        if (product.b != like.b || product.a != like.a || product.adds != like.adds)
            throw Fault("lanes of a warp disagree about a product");
        product.sums[thread_ % 32] = sums;
        product.fragments[thread_ % 32] = fragments;
        if (fragments)
            std::memcpy(product.fragments_at_start[thread_ % 32], fragments, 16);
        ++product.lanes;
        if (delay_ == Delay::None || (delay_ == Delay::Random && random_() % 2))
            finish_products(warp, lane.products);
    }
    void fence() { fibers_[static_cast<std::size_t>(thread_)].fenced = true; }
    void commit() {
        auto& lane = fibers_[static_cast<std::size_t>(thread_)];
        lane.groups.push_back(lane.products);
    }
    void wait_products(int pending) {
        auto& lane = fibers_[static_cast<std::size_t>(thread_)];
        lane.fenced = false;
        const int over = static_cast<int>(lane.groups.size()) - pending;
        if (over <= 0)
            return;
        const int wanted = lane.groups[static_cast<std::size_t>(over - 1)];
        auto& warp = warps_[static_cast<std::size_t>(thread_ / 32)];
        wait_until("products", [&] {
            // As late as possible, when no thread can continue: a tile released too early is overwritten by then.
            const bool now = delay_ == Delay::None || delay_ == Delay::Random || idle_;
            return warp.finished >= wanted || (now && finish_products(warp, wanted));
        });
    }

private:
    struct Fiber {
        ucontext_t context = {}; ///< for the start alone, since switching by it makes system calls
        jmp_buf there = {};
        std::unique_ptr<std::byte[]> stack;
        emulator::Stack place;
        std::function<bool()> ready;
        const char* what = "";
        bool started = false, done = false, fenced = false;
        int exchanges = 0, products = 0;
        std::vector<int> groups;
    };
    struct Warp {
        std::vector<Product> products;
        int finished = 0, exchanges = 0;
        std::uint32_t given[2][32] = {};
    };
    struct Phases {
        int arrivals = 0, missing = 0, bytes = 0, phase = 0;
        bool live = false;
    };
    struct Named {
        int threads = 0, arrived = 0, round = 0;
    };
    struct Copy {
        std::uint32_t panel;
        const TileSource* source;
        std::uint32_t barrier;
        int column, row, head, batch;
    };

    static void enter() {
        auto& block = current();
        const auto thread = static_cast<std::size_t>(block.thread_);
        emulator::arrive(block.fibers_[thread].place, block.main_);
        try {
            (*block.kernel_)();
        } catch (...) {
            block.thrown_ = std::current_exception();
        }
        block.fibers_[thread].done = true;
        --block.alive_;
        emulator::leave(nullptr, block.main_);
        emulator::jump(block.back_);
    }
    /// The running fiber, to which control has returned.
    Fiber& returned() {
        auto& fiber = fibers_[static_cast<std::size_t>(thread_)];
        emulator::arrive(fiber.place, main_);
        return fiber;
    }
    void resume(Fiber& fiber) {
        if (_setjmp(back_) != 0) {
            emulator::arrive(main_, fibers_[static_cast<std::size_t>(thread_)].place);
            return;
        }
        emulator::leave(&main_, fiber.place);
        if (fiber.started)
            emulator::jump(fiber.there);
        fiber.started = true;
        setcontext(&fiber.context);
    }

    void start(Fiber& fiber) {
        constexpr std::size_t stack_bytes = 256 * 1024;
        fiber.stack.reset(new std::byte[stack_bytes]);
        fiber.place = {fiber.stack.get(), stack_bytes};
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = stack_bytes;
        makecontext(&fiber.context, &Block::enter, 0);
        ++alive_;
    }

    /// Gives a turn to every thread that can continue, starting at a random one.
    void advance() {
        bool moved = false;
        const std::size_t first = random_() % fibers_.size();
        for (std::size_t k = 0; k < fibers_.size(); ++k) {
            const std::size_t i = (first + k) % fibers_.size();
            auto& fiber = fibers_[i];
            if (fiber.done || (fiber.ready && !fiber.ready()) || (delay_ == Delay::Random && random_() % 4 == 0))
                continue;
            thread_ = static_cast<int>(i);
            resume(fiber);
            moved = true;
            if (thrown_)
                std::rethrow_exception(thrown_);
        }
        if (!copies_.empty() && (!moved || (delay_ == Delay::Random && random_() % 2)))
            finish_copy(delay_ == Delay::Longest ? copies_.size() - 1 : random_() % copies_.size());
        else if (!moved && idle_ && delay_ != Delay::Random)
            throw Fault("deadlock: " + waiting());
        else
            idle_ = !moved;
        stuck_ = moved ? 0 : stuck_ + 1;
        if (stuck_ > 1000)
            throw Fault("deadlock: " + waiting());
    }

    std::string waiting() const {
        std::string text;
        for (std::size_t i = 0; i < fibers_.size(); i += 32)
            if (!fibers_[i].done)
                text += "thread " + std::to_string(i) + " waits for " + fibers_[i].what + "; ";
        return text;
    }

    Phases& barrier(std::uint32_t address) {
        if (address % 8 != 0 || address >= shared_bytes)
            throw Fault("a barrier outside of shared memory");
        return barriers_[address / 8];
    }
    Phases& live_barrier(std::uint32_t address) {
        auto& state = barrier(address);
        if (!state.live)
            throw Fault("a barrier that was not initialised");
        return state;
    }
    static void finish_phase(Phases& state) {
        if (state.missing > 0 || state.bytes != 0)
            return;
        state.missing = state.arrivals;
        ++state.phase;
    }

    std::uint16_t& half_at(std::uint32_t address) {
        const auto byte = swizzled(address);
        if (byte % 2 != 0 || byte >= shared_bytes)
            throw Fault("an address outside of shared memory");
        return shared_[byte / 2];
    }

    void finish_copy(std::size_t which) {
        const Copy copy = copies_[which];
        copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(which));
        const auto& source = *copy.source;
        const auto* numbers = static_cast<const std::uint16_t*>(source.numbers) + copy.batch * source.batch_stride +
                              copy.head * source.head_stride;
        const bool outside = copy.head >= source.heads || copy.batch >= source.batches;
        for (int r = 0; r < source.box_rows; ++r)
            for (int c = 0; c < panel_columns; ++c) {
                const std::int64_t row = copy.row + r, column = copy.column + c;
                const bool zero = outside || row < 0 || row >= source.rows || column >= source.columns;
                half_at(copy.panel + static_cast<std::uint32_t>(r * panel_row_bytes + c * 2)) =
                    zero ? std::uint16_t{0} : numbers[row * source.row_stride + column];
            }
        const int bytes = tile_bytes(source.box_rows, panel_columns);
        copied_bytes += bytes;
        auto& state = live_barrier(copy.barrier);
        state.bytes -= bytes;
        finish_phase(state);
    }

    /// True when the warp's first `wanted` products are complete; executes them if all lanes have arrived.
    bool finish_products(Warp& warp, int wanted) {
        while (warp.finished < wanted) {
            if (warp.products[static_cast<std::size_t>(warp.finished)].lanes < 32)
                return false;
            auto& product = warp.products[static_cast<std::size_t>(warp.finished++)];
            finish(product, static_cast<int>(&warp - warps_.data()) % 4);
        }
        return true;
    }

    /// Where the numbers of an operand in shared memory are. PTX ISA, canonical layouts.
    class Operand {
    public:
        Operand(std::uint64_t matrix, bool mn_major)
            : mn_major_(mn_major), start_(field(matrix, 0)), leading_(field(matrix, 16)), stride_(field(matrix, 32)) {
            if (matrix >> 62 != 1 || (matrix >> 49 & 7) != 0)
                throw Fault("a descriptor that is not one of a 128-byte swizzle");
        }
        /// `cell` counts along rows of A or columns of B, `k` along the summed dimension.
        std::uint32_t address(int cell, int k) const {
            const auto c = static_cast<std::uint32_t>(cell), d = static_cast<std::uint32_t>(k);
            return start_ + (mn_major_ ? c / 64 * leading_ + c % 64 * 2 + d / 8 * stride_ + d % 8 * 128
                                       : c / 8 * stride_ + c % 8 * 128 + d * 2);
        }

    private:
        static std::uint32_t field(std::uint64_t matrix, int bit) {
            return static_cast<std::uint32_t>((matrix >> bit & 0x3FFF) << 4);
        }
        bool mn_major_;
        std::uint32_t start_, leading_, stride_;
    };

    void finish(Product& product, int warp_of_group) {
        constexpr int most_columns = 256, at_once = 8; // vectors of a known length, which the compiler makes use of
        if (product.n > most_columns || product.n % at_once != 0)
            throw Fault("a product of " + std::to_string(product.n) + " columns");
        float a[16][16] = {};
        for (int lane = 0; lane < 32 && product.a_in_registers; ++lane)
            for (int e = 0; e < 8; ++e) {
                if (product.fragments[lane][e / 2] != product.fragments_at_start[lane][e / 2])
                    throw Fault("an operand in registers was changed while its product was under way");
                const auto pair = product.fragments[lane][e / 2];
                a[fragment_row(lane, e)][fragment_column(lane, e)] =
                    number(static_cast<std::uint16_t>(e % 2 ? pair >> 16 : pair & 0xFFFF), product.bfloat16);
            }
        if (!product.a_in_registers) {
            const Operand in_memory(product.a, false);
            for (int row = 0; row < 16; ++row)
                for (int k = 0; k < 16; ++k)
                    a[row][k] = number(half_at(in_memory.address(warp_of_group * 16 + row, k)), product.bfloat16);
        }
        const Operand in_memory(product.b, product.b_is_mn_major);
        float b[16][most_columns], sums[16][most_columns];
        for (int k = 0; k < 16; ++k)
            for (int column = 0; column < product.n; ++column)
                b[k][column] = number(half_at(in_memory.address(column, k)), product.bfloat16);
        for (int lane = 0; lane < 32; ++lane)
            for (int r = 0; r < product.n / 2; ++r)
                sums[accumulator_row(lane, r)][accumulator_column(lane, r)] =
                    product.adds ? product.sums[lane][r] : 0.0f;
        for (int row = 0; row < 16; ++row)
            for (int from = 0; from < product.n; from += at_once) {
                float* sum = &sums[row][from];
                for (int k = 0; k < 16; ++k)
                    for (int column = 0; column < at_once; ++column)
                        sum[column] += a[row][k] * b[k][from + column];
            }
        for (int lane = 0; lane < 32; ++lane)
            for (int r = 0; r < product.n / 2; ++r)
                product.sums[lane][r] = sums[accumulator_row(lane, r)][accumulator_column(lane, r)];
    }

    static inline Block* current_block = nullptr;
    Delay delay_;
    std::mt19937 random_;
    std::vector<Fiber> fibers_;
    std::vector<Warp> warps_;
    std::vector<std::uint16_t> shared_; ///< holds NaN until written
    std::vector<Phases> barriers_;
    std::array<Named, 16> named_ = {};
    std::vector<Copy> copies_;
    const std::function<void()>* kernel_ = nullptr;
    std::exception_ptr thrown_;
    jmp_buf back_ = {};    ///< to resume()
    emulator::Stack main_; ///< that of the caller of run()
    int thread_ = 0, alive_ = 0, stuck_ = 0;
    bool idle_ = false; ///< no thread could continue, and no copy was left
};

} // namespace attnlab::gpu::hopper::emulated
