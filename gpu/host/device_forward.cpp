#include "gpu/host/device_forward.h"

#include "core/flash/parallel.h"
#include "gpu/host/launches.h"
#include "gpu/host/piece_arrays.h"
#include "gpu/host/staging.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

namespace attnlab::gpu {
namespace {

constexpr int slots = 2;
/// Rows per multiprocessor that are enough to keep it busy.
constexpr std::int64_t busy_rows = 512;

/// Merges the result of further keys: both are means weighted by exp(lse).
void merge_row(float* output, float& lse, const float* more, float more_lse, std::int64_t width) {
    const float largest = std::isnan(more_lse) ? more_lse : std::max(lse, more_lse);
    if (largest == -std::numeric_limits<float>::infinity())
        return;
    const double own = std::exp(static_cast<double>(lse) - largest),
                 other = std::exp(static_cast<double>(more_lse) - largest);
    const double sum = own + other;
    for (std::int64_t c = 0; c < width; ++c)
        output[c] = static_cast<float>((output[c] * own + more[c] * other) / sum);
    lse = static_cast<float>(largest + std::log(sum));
}

/// Bytes of pinned memory for results on their way.
constexpr std::size_t most_returned_bytes = std::size_t{32} << 20;
/// Query rows of a block of most kernels.
constexpr int rows_of_block = 128;

/// Rows that are neither rounded nor padded are copied to where they are read.
bool converts(const DeviceProblem& problem, const ForwardKernel& kernel) {
    return problem.precision != Precision::Float32 || padded_width(kernel, problem.shape.E) != problem.shape.E ||
           padded_width(kernel, problem.shape.Ev) != problem.shape.Ev;
}

class DeviceForward {
public:
    DeviceForward(Runtime& runtime, const ForwardKernel& kernel, const DeviceProblem& problem,
                  const RunControl& control, PinnedMemory& pinned, const Plan& plan, std::size_t staging_bytes)
        : runtime_(runtime), pinned_(pinned), kernel_(kernel), problem_(problem), shape_(problem.shape),
          control_(control), masks_(problem.masks, problem.shape), plan_(plan), staging_bytes_(staging_bytes),
          launch_throttle_(kernel.speed, runtime.device().multiprocessors),
          arrays_(shape_, masks_, kernel, problem.precision, converts(problem, kernel) ? staging_bytes : 0) {}

    DeviceResult run() {
        result_.output.assign(static_cast<std::size_t>(shape_.B * shape_.H * shape_.L * shape_.Ev), 0.0f);
        result_.lse.assign(static_cast<std::size_t>(shape_.B * shape_.H * shape_.L),
                           -std::numeric_limits<float>::infinity());
        const auto pieces = pieces_of(shape_, plan_);
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            control_.checkpoint();
            const int number = static_cast<int>(k % slots);
            finish(number);
            const auto share = 1.0 / static_cast<double>(pieces.size());
            start(number, pieces[k], control_.part(share * static_cast<double>(k), share * static_cast<double>(k + 1)));
        }
        // In the order in which they were started.
        for (std::size_t k = pieces.size(); k < pieces.size() + slots; ++k)
            finish(static_cast<int>(k % slots));
        control_.report(1.0);
        result_.kernel = kernel_.name;
        return std::move(result_);
    }

    /// Waits, since copies of a piece must be complete before its memory is freed.
    ~DeviceForward() {
        for (int number = 0; number < slots; ++number) {
            const Settled settled(runtime_, stream_of(number));
        }
        for (auto& slot : slots_) {
            slot.staging.reset();
            pinned_.give_back(std::move(slot.returned));
        }
    }
    DeviceForward(const DeviceForward&) = delete;
    DeviceForward& operator=(const DeviceForward&) = delete;

private:
    struct Slot {
        Buffer device, returned; ///< `returned`: lse and outputs in pinned memory
        std::unique_ptr<Staging> staging;
        Piece piece;
        PieceArrays::Offsets at;
        bool busy = false;
    };

    static Stream stream_of(int number) { return number == 0 ? Stream::First : Stream::Second; }
    std::int64_t group() const { return shape_.H / shape_.Hkv; }
    static std::int64_t heads_of(const Piece& piece, std::int64_t group) {
        return piece.batches * piece.kv_heads * group;
    }
    /// Rows of outputs that `returned` takes at a time.
    std::int64_t rows_at_a_time(std::int64_t rows) const {
        const auto row_bytes = std::max<std::size_t>(1, static_cast<std::size_t>(arrays_.value_width()) * 4);
        return std::min(rows, std::max<std::int64_t>(1, static_cast<std::int64_t>(most_returned_bytes / row_bytes)));
    }

    void start(int number, const Piece& piece, const RunControl& control) {
        auto& slot = slots_[static_cast<std::size_t>(number)];
        slot.piece = piece;
        slot.at = arrays_.offsets_of(piece);
        const auto stream = stream_of(number);
        if (!slot.staging) { // with a single piece the second slot is unused
            const Piece largest_piece{0, plan_.batches, 0, plan_.kv_heads, 0, plan_.rows, 0, plan_.keys};
            const auto largest = arrays_.offsets_of(largest_piece);
            const auto rows = heads_of(largest_piece, group()) * plan_.rows;
            slot.device = Buffer(runtime_, Buffer::Place::Device, largest.all);
            slot.returned = pinned_.take(largest.output - largest.lse +
                                         static_cast<std::size_t>(rows_at_a_time(rows) * arrays_.value_width()) * 4);
            slot.staging = std::make_unique<Staging>(runtime_, pinned_, stream, staging_bytes_);
            slot.staging->set_device(slot.device.as() + largest.staging);
        }
        fill(slot, control);
        launch(slot, stream, control);
        const auto rows = heads_of(piece, group()) * piece.rows;
        runtime_.copy_from_device(slot.returned.as(), slot.device.as() + slot.at.lse,
                                  slot.at.output - slot.at.lse +
                                      static_cast<std::size_t>(rows_at_a_time(rows) * arrays_.value_width()) *
                                          sizeof(float),
                                  stream);
        slot.busy = true;
        control.report(1.0);
    }

    /// A launch that takes long is divided: see LaunchSplitter.
    void launch(Slot& slot, Stream stream, const RunControl& control) {
        const int bytes = problem_.precision == Precision::Float32 ? 4 : 2;
        LaunchSplitter launches(arrays_.arguments_of(slot.piece, slot.at, slot.device.as(), problem_), bytes,
                                std::max(1, runtime_.device().multiprocessors) * rows_of_block);
        const bool is_short = launches.operations_left() <= launch_throttle_.operations();
        if (!is_short)
            runtime_.synchronize(stream); // copies do not count
        while (!launches.done()) {
            const auto part =
                launches.next(is_short ? std::numeric_limits<double>::infinity() : launch_throttle_.operations());
            const double begin = runtime_.seconds();
            runtime_.launch(kernel_, part, stream);
            if (is_short)
                continue;
            runtime_.synchronize(stream);
            launch_throttle_.record_duration(launches.operations(), runtime_.seconds() - begin);
            control.checkpoint();
            control.report(launches.share());
        }
    }

    void fill(Slot& slot, const RunControl& control) const {
        const auto& piece = slot.piece;
        auto* memory = slot.device.as();
        fill_heads(slot, "query", group(), shape_.L, {piece.first_row, piece.rows}, memory + slot.at.query, control);
        fill_heads(slot, "key", 1, shape_.S, {piece.first_key, piece.keys}, memory + slot.at.key, control);
        fill_heads(slot, "value", 1, shape_.S, {piece.first_key, piece.keys}, memory + slot.at.value, control);
        const auto copy = [&](const auto& values, std::size_t at) {
            slot.staging->put(values.data(), values.size() * sizeof(values[0]), memory + at);
        };
        if (masks_.has_lengths())
            copy(masks_.lengths(piece), slot.at.lengths);
        if (masks_.has_padding())
            copy(masks_.padding(piece), slot.at.padding);
        if (masks_.has_booleans()) {
            std::vector<std::uint32_t> words((slot.at.bias - slot.at.kept) / sizeof(std::uint32_t));
            masks_.pack_booleans(piece, words.data());
            copy(words, slot.at.kept);
        }
        if (masks_.has_bias()) {
            std::vector<float> values((slot.at.inputs - slot.at.bias) / sizeof(float));
            masks_.pack_bias(piece, values.data());
            copy(values, slot.at.bias);
        }
    }

    struct Range {
        std::int64_t first, count;
    };

    /// The rows of all heads of a piece, of which `of_kv_head` share a key head.
    void fill_heads(Slot& slot, const char* name, std::int64_t of_kv_head, std::int64_t all_rows, const Range& rows,
                    unsigned char* to, const RunControl& control) const {
        const auto& piece = slot.piece;
        const bool is_value = std::strcmp(name, "value") == 0;
        const auto width = is_value ? shape_.Ev : shape_.E;
        const auto padded = is_value ? arrays_.value_width() : arrays_.width();
        const auto heads = piece.kv_heads * of_kv_head, all_heads = shape_.Hkv * of_kv_head;
        for (std::int64_t b = 0; b < piece.batches; ++b) {
            const auto first_head = (piece.first_batch + b) * all_heads + piece.first_kv_head * of_kv_head;
            // Rows of a head are numbered on, unless the piece has a part of them only.
            const bool together = rows.count == all_rows;
            for (std::int64_t h = 0; h < heads; h += together ? heads : 1) {
                control.checkpoint();
                const auto from = (first_head + h) * all_rows + rows.first;
                const auto count = together ? heads * all_rows : rows.count;
                slot.staging->put(
                    [&](std::int64_t first, std::int64_t many) { return problem_.source(name, from + first, many); },
                    count, width, padded, problem_.precision, to, control);
                to += static_cast<std::size_t>(count * padded) * arrays_.element_bytes();
            }
        }
    }

    /// Waits for the piece of a slot, if any, and stores its result.
    void finish(int number) {
        auto& slot = slots_[static_cast<std::size_t>(number)];
        if (!slot.busy)
            return;
        const auto stream = stream_of(number);
        runtime_.synchronize(stream);
        slot.busy = false;
        const auto rows = heads_of(slot.piece, group()) * slot.piece.rows, at_a_time = rows_at_a_time(rows);
        const auto* lse = reinterpret_cast<const float*>(slot.returned.as());
        auto* output = slot.returned.as() + (slot.at.output - slot.at.lse);
        const auto row_bytes = static_cast<std::size_t>(arrays_.value_width()) * sizeof(float);
        for (std::int64_t first = 0; first < rows; first += at_a_time) {
            const auto count = std::min(at_a_time, rows - first);
            if (first > 0) {
                control_.checkpoint();
                runtime_.copy_from_device(
                    output, slot.device.as() + slot.at.output + static_cast<std::size_t>(first) * row_bytes,
                    static_cast<std::size_t>(count) * row_bytes, stream);
                runtime_.synchronize(stream);
            }
            take_rows(slot.piece, first, count, reinterpret_cast<const float*>(output), lse + first);
        }
    }

    void take_rows(const Piece& piece, std::int64_t first, std::int64_t count, const float* output, const float* lse) {
        constexpr std::int64_t of_a_task = 1024;
        flash::parallel_for(count > of_a_task ? flash::thread_count() : 1, (count + of_a_task - 1) / of_a_task,
                            [&](int, std::int64_t task) {
                                const auto end = std::min(count, (task + 1) * of_a_task);
                                for (auto k = task * of_a_task; k < end; ++k)
                                    take_row(row_of(piece, first + k), piece.first_key == 0,
                                             output + k * arrays_.value_width(), lse[k]);
                            });
    }
    /// The row of the result for a row of a piece.
    std::int64_t row_of(const Piece& piece, std::int64_t row) const {
        const auto heads = piece.kv_heads * group(), head = row / piece.rows;
        const auto whole = (piece.first_batch + head / heads) * shape_.H + piece.first_kv_head * group() + head % heads;
        return whole * shape_.L + piece.first_row + row % piece.rows;
    }

    void take_row(std::int64_t row, bool first, const float* output, float lse) {
        float* to = result_.output.data() + row * shape_.Ev;
        float& own_lse = result_.lse[static_cast<std::size_t>(row)];
        if (first) {
            std::copy_n(output, shape_.Ev, to);
            own_lse = lse;
        } else {
            merge_row(to, own_lse, output, lse, shape_.Ev);
        }
    }

    Runtime& runtime_;
    PinnedMemory& pinned_;
    const ForwardKernel& kernel_;
    const DeviceProblem& problem_;
    const flash::Shape shape_;
    const RunControl& control_;
    const PackedMasks masks_;
    const Plan plan_;
    const std::size_t staging_bytes_;
    LaunchThrottle launch_throttle_;
    const PieceArrays arrays_;
    std::array<Slot, slots> slots_;
    DeviceResult result_;
};

/// The size of the staging memory: twice the data of a small problem, at most 1/8 of the budget and most_staged_bytes,
/// at least two rows.
std::size_t staging_bytes_of(const flash::Shape& shape, std::size_t budget) {
    const double rows = static_cast<double>(shape.B) * (static_cast<double>(shape.H) * static_cast<double>(shape.L) +
                                                        2.0 * static_cast<double>(shape.Hkv * shape.S));
    const double row_bytes = static_cast<double>(std::max(shape.E, shape.Ev)) * sizeof(float);
    const double most = static_cast<double>(std::min(most_staged_bytes, budget / 8));
    const double bytes = std::max(2.0 * (row_bytes + 256.0), std::min(most, 2.0 * (rows * row_bytes + 4096.0)));
    return (static_cast<std::size_t>(bytes) + 511) / 512 * 512;
}

Footprint footprint_of(const DeviceProblem& problem, const ForwardKernel& kernel, std::size_t staging_bytes) {
    const PackedMasks masks(problem.masks, problem.shape);
    Footprint footprint{.shape = problem.shape,
                        .element_bytes = problem.precision == Precision::Float32 ? 4u : 2u,
                        .cell_bytes_of_32_keys = masks.cell_bytes_of_32_keys(),
                        .cells_by_head = masks.cells_by_head(),
                        .cells_by_batch = masks.cells_by_batch(),
                        .cells_by_row = masks.cell_rows(2) == 2,
                        .scratch_bytes_of_a_number = static_cast<std::size_t>(kernel.scratch_bytes_of_a_number),
                        .staging_bytes = converts(problem, kernel) ? staging_bytes : 0};
    footprint.shape.E = padded_width(kernel, footprint.shape.E);
    footprint.shape.Ev = padded_width(kernel, footprint.shape.Ev);
    return footprint;
}

/// Null if there is none.
const ForwardKernel* kernel_for(const DeviceProblem& problem, ForwardKernels kernels, const Device& device,
                                const KernelVerdicts* verdicts) {
    const auto& s = problem.shape;
    constexpr std::int64_t most = Band::unlimited - 1;
    if (s.L > most || s.S > most || s.E > 1 << 20 || s.Ev > 1 << 20 || s.H > 1 << 20)
        throw Error({ATTNLAB_TEXT("The cuda backend takes at most %1 queries and keys; there are %2 and %3"),
                     {std::to_string(most), std::to_string(s.L), std::to_string(s.S)}});
    const PackedMasks masks(problem.masks, problem.shape);
    ForwardArguments wanted;
    wanted.precision = problem.precision;
    wanted.H = static_cast<int>(s.H), wanted.Hkv = static_cast<int>(s.Hkv);
    wanted.L = static_cast<int>(s.L), wanted.S = static_cast<int>(s.S);
    wanted.E = static_cast<int>(s.E), wanted.Ev = static_cast<int>(s.Ev);
    wanted.scale = static_cast<float>(problem.scale);
    wanted.softcap = static_cast<float>(problem.softcap);
    wanted.band = masks.band();
    wanted.blocked = masks.blocked();
    // Only tests their presence, so any address will do.
    static const std::uint32_t word = 0;
    static const float number = 0.0f;
    static const std::int32_t length = 0;
    wanted.kept.words = masks.has_booleans() ? &word : nullptr;
    wanted.key_padding.words = masks.has_padding() ? &word : nullptr;
    wanted.bias.values = masks.has_bias() ? &number : nullptr;
    wanted.valid_lengths.lengths = masks.has_lengths() ? &length : nullptr;
    wanted.valid_lengths.row_stride = masks.lengths_by_row() ? 1 : 0;
    return choose(kernels, device.capability, wanted, trusted_forwards(verdicts));
}

} // namespace

DeviceResult forward_on(Runtime& runtime, ForwardKernels kernels, const DeviceProblem& problem,
                        const RunControl& control, PinnedMemory& pinned, std::size_t budget, const Grain& grain,
                        const KernelVerdicts* verdicts) {
    control.checkpoint();
    const auto& s = problem.shape;
    if (s.B * s.H * s.L == 0)
        return {};
    const auto* chosen = kernel_for(problem, kernels, runtime.device(), verdicts);
    if (!chosen)
        throw Error({ATTNLAB_TEXT("The device %1 has no kernel for this problem"), {runtime.device().name}});
    const auto& kernel = *chosen;
    // Leaves a tenth to other programs on the device.
    const auto free = budget > 0 ? budget : runtime.free_memory() / 10 * 9;
    // Results for parts of the keys are merged by their lse, which loses precision next to a large fill.
    constexpr double largest_merged_fill = 64.0;
    Grain whole = grain;
    if (std::isfinite(problem.masks.fill) && std::abs(problem.masks.fill) > largest_merged_fill)
        whole.keys = std::max(whole.keys, s.S);
    const auto enough_rows = busy_rows * std::max(1, runtime.device().multiprocessors);
    for (auto for_a_slot = free / slots;; for_a_slot /= 2) {
        const auto staging_bytes = staging_bytes_of(s, for_a_slot);
        const auto plan = plan_forward(footprint_of(problem, kernel, staging_bytes), for_a_slot, enough_rows, whole);
        if (!plan)
            throw OutOfMemory({ATTNLAB_TEXT("The device %1 has %2 MB free, too little even for a part of this problem"),
                               {runtime.device().name, std::to_string(free >> 20)}});
        try {
            return DeviceForward(runtime, kernel, problem, control, pinned, *plan, staging_bytes).run();
        } catch (const OutOfMemory&) { // taken by others meanwhile, or fragmented: try smaller ones
        }
    }
}

} // namespace attnlab::gpu
