#include "gpu/host/device_forward.h"

#include "gpu/host/rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace attnlab::gpu {
namespace {

constexpr int slots = 2;
/// Rows per multiprocessor that are enough to keep it busy.
constexpr std::int64_t busy_rows = 512;

std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// The contiguous arrays of a piece, with the same layout on the device and in pinned memory.
class Layout {
public:
    std::size_t add(std::size_t bytes) {
        const auto at = bytes_;
        bytes_ += rounded(bytes);
        return at;
    }
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

struct Offsets {
    std::size_t query = 0, key = 0, value = 0, lengths = 0, padding = 0, kept = 0, bias = 0;
    std::size_t inputs = 0; ///< total bytes of these
    std::size_t output = 0, lse = 0;
    std::size_t copied = 0; ///< bytes up to here have a counterpart in pinned memory
    std::size_t scratch = 0, all = 0;
};

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

class DeviceForward {
public:
    DeviceForward(Runtime& runtime, const ForwardKernel& kernel, const DeviceProblem& problem,
                  const RunControl& control, PinnedMemory& pinned, const Plan& plan)
        : runtime_(runtime), pinned_(pinned), kernel_(kernel), problem_(problem), shape_(problem.shape),
          control_(control), masks_(problem.masks, problem.shape), plan_(plan), width_(padded_width(shape_.E)),
          value_width_(padded_width(shape_.Ev)) {}

    DeviceResult run() {
        result_.output.assign(static_cast<std::size_t>(shape_.B * shape_.H * shape_.L * shape_.Ev), 0.0f);
        result_.lse.assign(static_cast<std::size_t>(shape_.B * shape_.H * shape_.L),
                           -std::numeric_limits<float>::infinity());
        const auto pieces = pieces_of(shape_, plan_);
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            control_.checkpoint();
            const int number = static_cast<int>(k % slots);
            finish(number);
            start(number, pieces[k]);
            control_.report(static_cast<double>(k) / static_cast<double>(pieces.size()));
        }
        // In the order in which they were started.
        for (std::size_t k = pieces.size(); k < pieces.size() + slots; ++k)
            finish(static_cast<int>(k % slots));
        control_.report(1.0);
        return std::move(result_);
    }

    /// Waits, since copies of a piece must be complete before its memory is freed.
    ~DeviceForward() {
        for (int number = 0; number < slots; ++number) {
            const Settled settled(runtime_, stream_of(number));
        }
        for (auto& slot : slots_)
            pinned_.give_back(std::move(slot.pinned));
    }
    DeviceForward(const DeviceForward&) = delete;
    DeviceForward& operator=(const DeviceForward&) = delete;

private:
    struct Slot {
        Buffer device, pinned;
        Piece piece;
        Offsets at;
        bool busy = false;
    };

    static Stream stream_of(int number) { return number == 0 ? Stream::First : Stream::Second; }
    std::int64_t padded_width(std::int64_t width) const {
        // Any width, but rows still begin at multiples of 16 bytes.
        return kernel_.width > 0 ? kernel_.width : (width + 7) / 8 * 8;
    }
    std::int64_t group() const { return shape_.H / shape_.Hkv; }
    std::size_t element_bytes() const { return problem_.precision == Precision::Float32 ? 4 : 2; }

    Offsets offsets_of(const Piece& piece) const {
        const auto rows = static_cast<std::size_t>(piece.batches * piece.kv_heads * group() * piece.rows);
        const auto keys = static_cast<std::size_t>(piece.batches * piece.kv_heads * piece.keys);
        const auto matrices = static_cast<std::size_t>((masks_.cells_by_batch() ? piece.batches : 1) *
                                                       (masks_.cells_by_head() ? piece.kv_heads * group() : 1));
        const auto cell_rows = matrices * static_cast<std::size_t>(masks_.cell_rows(piece.rows));
        const auto words = static_cast<std::size_t>(PackedMasks::words_of(piece.keys));
        const auto width = static_cast<std::size_t>(width_), value_width = static_cast<std::size_t>(value_width_);
        Layout layout;
        Offsets at;
        at.query = layout.add(rows * width * element_bytes());
        at.key = layout.add(keys * width * element_bytes());
        at.value = layout.add(keys * value_width * element_bytes());
        at.lengths = layout.add(masks_.has_lengths() ? static_cast<std::size_t>(piece.batches * piece.rows) * 4 : 0);
        at.padding = layout.add(masks_.has_padding() ? static_cast<std::size_t>(piece.batches) * words * 4 : 0);
        at.kept = layout.add(masks_.has_booleans() ? cell_rows * words * 4 : 0);
        at.bias = layout.add(masks_.has_bias() ? cell_rows * static_cast<std::size_t>(piece.keys) * 4 : 0);
        at.inputs = layout.bytes();
        at.output = layout.add(rows * value_width * sizeof(float));
        at.lse = layout.add(rows * sizeof(float));
        at.copied = layout.bytes();
        at.scratch = layout.add((rows * width + keys * (width + value_width)) *
                                static_cast<std::size_t>(kernel_.scratch_bytes_of_a_number));
        at.all = layout.bytes();
        return at;
    }

    void start(int number, const Piece& piece) {
        auto& slot = slots_[static_cast<std::size_t>(number)];
        slot.piece = piece;
        slot.at = offsets_of(piece);
        if (slot.pinned.bytes() == 0) { // with a single piece the second slot is unused
            const auto largest = offsets_of({0, plan_.batches, 0, plan_.kv_heads, 0, plan_.rows, 0, plan_.keys});
            slot.device = Buffer(runtime_, Buffer::Place::Device, largest.all);
            slot.pinned = pinned_.take(largest.copied);
        }
        fill(slot);
        const auto stream = stream_of(number);
        runtime_.copy_to_device(slot.device.as(), slot.pinned.as(), slot.at.inputs, stream);
        runtime_.launch(kernel_, arguments_of(slot), stream);
        runtime_.copy_from_device(slot.pinned.as() + slot.at.output, slot.device.as() + slot.at.output,
                                  slot.at.copied - slot.at.output, stream);
        slot.busy = true;
    }

    void fill(Slot& slot) const {
        const auto& piece = slot.piece;
        auto* memory = slot.pinned.as();
        fill_heads("query", piece.first_kv_head * group(), piece.kv_heads * group(), shape_.H, shape_.L,
                   piece.first_row, piece.rows, shape_.E, width_, memory + slot.at.query, piece);
        fill_heads("key", piece.first_kv_head, piece.kv_heads, shape_.Hkv, shape_.S, piece.first_key, piece.keys,
                   shape_.E, width_, memory + slot.at.key, piece);
        fill_heads("value", piece.first_kv_head, piece.kv_heads, shape_.Hkv, shape_.S, piece.first_key, piece.keys,
                   shape_.Ev, value_width_, memory + slot.at.value, piece);
        const auto copy = [&](const auto& values, std::size_t at) {
            std::memcpy(memory + at, values.data(), values.size() * sizeof(values[0]));
        };
        if (masks_.has_lengths())
            copy(masks_.lengths(piece), slot.at.lengths);
        if (masks_.has_padding())
            copy(masks_.padding(piece), slot.at.padding);
        if (masks_.has_booleans())
            masks_.pack_booleans(piece, reinterpret_cast<std::uint32_t*>(memory + slot.at.kept));
        if (masks_.has_bias())
            masks_.pack_bias(piece, reinterpret_cast<float*>(memory + slot.at.bias));
    }

    /// The rows of all heads of a piece, in the kernel's precision and width.
    void fill_heads(const char* name, std::int64_t first_head, std::int64_t heads, std::int64_t all_heads,
                    std::int64_t all_rows, std::int64_t first, std::int64_t rows, std::int64_t width,
                    std::int64_t padded, unsigned char* to, const Piece& piece) const {
        const auto bytes = static_cast<std::size_t>(rows * padded) * element_bytes();
        for (std::int64_t b = 0; b < piece.batches; ++b)
            for (std::int64_t h = 0; h < heads; ++h, to += bytes) {
                control_.checkpoint();
                const auto head = (piece.first_batch + b) * all_heads + first_head + h;
                const auto own = problem_.source(name, head * all_rows + first, rows);
                store_rows(own.data(), rows, width, padded, problem_.precision, to);
            }
    }

    ForwardArguments arguments_of(const Slot& slot) const {
        const auto& piece = slot.piece;
        auto* memory = slot.device.as();
        ForwardArguments a;
        a.precision = problem_.precision;
        a.B = static_cast<int>(piece.batches);
        a.Hkv = static_cast<int>(piece.kv_heads);
        a.H = static_cast<int>(piece.kv_heads * group());
        a.L = static_cast<int>(piece.rows);
        a.S = static_cast<int>(piece.keys);
        a.E = static_cast<int>(kernel_.width > 0 ? width_ : shape_.E);
        a.Ev = static_cast<int>(kernel_.width > 0 ? value_width_ : shape_.Ev);
        const auto rows = [&](std::size_t at, std::int64_t heads, std::int64_t count, std::int64_t width) {
            return Rows{memory + at, heads * count * width, count * width, width};
        };
        a.query = rows(slot.at.query, a.H, a.L, width_);
        a.key = rows(slot.at.key, a.Hkv, a.S, width_);
        a.value = rows(slot.at.value, a.Hkv, a.S, value_width_);
        a.scale = static_cast<float>(problem_.scale);
        a.softcap = static_cast<float>(problem_.softcap);
        a.output_scale = static_cast<float>(problem_.output_scale);
        a.output = rows(slot.at.output, a.H, a.L, value_width_);
        a.lse = reinterpret_cast<float*>(memory + slot.at.lse);
        a.scratch = kernel_.scratch_bytes_of_a_number > 0 ? memory + slot.at.scratch : nullptr;
        set_masks(slot, a);
        return a;
    }

    void set_masks(const Slot& slot, ForwardArguments& a) const {
        const auto& piece = slot.piece;
        const auto* memory = slot.device.as();
        const auto words = PackedMasks::words_of(piece.keys);
        const auto heads = masks_.cells_by_head() ? piece.kv_heads * group() : 1;
        const auto rows = masks_.cell_rows(piece.rows);
        const bool by_row = rows == piece.rows;
        a.first_row = static_cast<int>(piece.first_row);
        a.first_key = static_cast<int>(piece.first_key);
        a.band = masks_.band();
        a.blocked = masks_.blocked();
        a.fill = masks_.fill();
        if (masks_.has_lengths())
            a.valid_lengths = {reinterpret_cast<const std::int32_t*>(memory + slot.at.lengths), piece.rows, 1};
        if (masks_.has_padding())
            a.key_padding = {reinterpret_cast<const std::uint32_t*>(memory + slot.at.padding), words, 0, 0};
        if (masks_.has_booleans())
            a.kept = {reinterpret_cast<const std::uint32_t*>(memory + slot.at.kept),
                      masks_.cells_by_batch() ? heads * rows * words : 0, masks_.cells_by_head() ? rows * words : 0,
                      by_row ? words : 0};
        if (masks_.has_bias())
            a.bias = {reinterpret_cast<const float*>(memory + slot.at.bias),
                      masks_.cells_by_batch() ? heads * rows * piece.keys : 0,
                      masks_.cells_by_head() ? rows * piece.keys : 0, by_row ? piece.keys : 0};
    }

    /// Waits for the piece of a slot, if any, and stores its result.
    void finish(int number) {
        auto& slot = slots_[static_cast<std::size_t>(number)];
        if (!slot.busy)
            return;
        runtime_.synchronize(stream_of(number));
        slot.busy = false;
        const auto& piece = slot.piece;
        const auto* output = reinterpret_cast<const float*>(slot.pinned.as() + slot.at.output);
        const auto* lse = reinterpret_cast<const float*>(slot.pinned.as() + slot.at.lse);
        for (std::int64_t b = 0; b < piece.batches; ++b)
            for (std::int64_t h = 0; h < piece.kv_heads * group(); ++h)
                for (std::int64_t i = 0; i < piece.rows; ++i, output += value_width_, ++lse) {
                    const auto head = (piece.first_batch + b) * shape_.H + piece.first_kv_head * group() + h;
                    take_row(head * shape_.L + piece.first_row + i, piece.first_key == 0, output, *lse);
                }
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
    const std::int64_t width_, value_width_;
    std::array<Slot, slots> slots_;
    DeviceResult result_;
};

Footprint footprint_of(const DeviceProblem& problem, const ForwardKernel& kernel) {
    const PackedMasks masks(problem.masks, problem.shape);
    Footprint footprint{.shape = problem.shape,
                        .element_bytes = problem.precision == Precision::Float32 ? 4u : 2u,
                        .cell_bytes_of_32_keys = masks.cell_bytes_of_32_keys(),
                        .cells_by_head = masks.cells_by_head(),
                        .cells_by_batch = masks.cells_by_batch(),
                        .cells_by_row = masks.cell_rows(2) == 2,
                        .scratch_bytes_of_a_number = static_cast<std::size_t>(kernel.scratch_bytes_of_a_number)};
    const auto padded = [&](std::int64_t width) { return kernel.width > 0 ? kernel.width : (width + 7) / 8 * 8; };
    footprint.shape.E = padded(footprint.shape.E);
    footprint.shape.Ev = padded(footprint.shape.Ev);
    return footprint;
}

const ForwardKernel& kernel_for(const DeviceProblem& problem, ForwardKernels kernels, const Device& device) {
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
    if (const auto* kernel = choose(kernels, device.capability, wanted))
        return *kernel;
    throw Error({ATTNLAB_TEXT("The device %1 has no kernel for this problem"), {device.name}});
}

} // namespace

DeviceResult forward_on(Runtime& runtime, ForwardKernels kernels, const DeviceProblem& problem,
                        const RunControl& control, PinnedMemory& pinned, std::size_t budget, const Grain& grain) {
    control.checkpoint();
    const auto& s = problem.shape;
    if (s.B * s.H * s.L == 0)
        return {};
    const auto& kernel = kernel_for(problem, kernels, runtime.device());
    // Leaves a tenth to other programs on the device.
    const auto free = budget > 0 ? budget : runtime.free_memory() / 10 * 9;
    // Results for parts of the keys are merged by their lse, which loses precision next to a large fill.
    constexpr double largest_merged_fill = 64.0;
    Grain whole = grain;
    if (std::isfinite(problem.masks.fill) && std::abs(problem.masks.fill) > largest_merged_fill)
        whole.keys = std::max(whole.keys, s.S);
    const auto enough_rows = busy_rows * std::max(1, runtime.device().multiprocessors);
    for (auto for_a_slot = free / slots;; for_a_slot /= 2) {
        const auto plan = plan_forward(footprint_of(problem, kernel), for_a_slot, enough_rows, whole);
        if (!plan)
            throw OutOfMemory({ATTNLAB_TEXT("The device %1 has %2 MB free, too little even for a part of this problem"),
                               {runtime.device().name, std::to_string(free >> 20)}});
        try {
            return DeviceForward(runtime, kernel, problem, control, pinned, *plan).run();
        } catch (const OutOfMemory&) { // taken by others meanwhile, or fragmented: try smaller ones
        }
    }
}

} // namespace attnlab::gpu
