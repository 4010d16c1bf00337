#include "gpu/host/device_head.h"

#include "gpu/host/bin_rows.h"
#include "gpu/host/device_forward.h"
#include "gpu/host/recheck.h"
#include "gpu/host/staging.h"

#include <algorithm>
#include <cstring>

namespace attnlab::gpu {
namespace {

int bin_size_of(std::int64_t size) { return static_cast<int>(std::min<std::int64_t>(size, Band::unlimited)); }

/// TFLOP/s of the slowest map kernel on an H200.
constexpr double slowest_map = 40.0;

double operations_of(const MapArguments& map) {
    return 2.0 * map.scores.L * static_cast<double>(map.scores.S) * map.scores.E;
}

/// The results of a launch.
struct PooledBins {
    const float* largest;
    const std::uint32_t* kept;
    const float* sum;

    void add_to(BinTotal* totals, std::size_t from, std::size_t count) const {
        for (std::size_t k = from; k < from + count; ++k, ++totals)
            if (kept[k] != 0) // many blocks have fewer rows of bins than allocated
                totals->take({largest[k], sum ? static_cast<double>(sum[k]) : 0.0, static_cast<double>(kept[k])});
    }
};

} // namespace

/// The inputs of a launch besides queries and keys: scales of its rows, masks, scratch memory.
class DeviceHead::Strip {
public:
    Strip(const DeviceHead& head, const CellRect& strip, const RowScales& rows, MapArguments& map)
        : runtime_(head.tools_.runtime) {
        const Piece piece{0, 1, 0, 1, strip.first_row, strip.rows(), strip.first_column, strip.columns()};
        const auto count = static_cast<std::size_t>(strip.rows());
        map.base = upload(rows.base + strip.first_row, count);
        map.log2_sum = upload(rows.log2_sum + strip.first_row, count);
        map.factor = upload(rows.factor + strip.first_row, count);
        set_masks(head.masks_, piece, map.scores);
    }
    void add_scratch(const MapKernel& kernel, MapArguments& map) {
        if (kernel.scratch_bytes_of_a_number > 0) {
            buffers_.emplace_back(runtime_, Buffer::Place::Device, scratch_bytes(kernel, map));
            map.scores.scratch = buffers_.back().as();
        }
    }

private:
    void set_masks(const PackedMasks& masks, const Piece& piece, ForwardArguments& a) {
        if (masks.has_lengths()) {
            const auto lengths = masks.lengths(piece);
            a.valid_lengths = {upload(lengths.data(), lengths.size()), 0, masks.lengths_by_row() ? 1 : 0};
        }
        if (masks.has_padding()) {
            const auto words = masks.padding(piece);
            a.key_padding = {upload(words.data(), words.size()), 0, 0, 0};
        }
        const auto words_of_a_row = PackedMasks::words_of(piece.keys);
        const auto cell_rows = masks.cell_rows(piece.rows);
        const bool by_row = cell_rows == piece.rows;
        if (masks.has_booleans()) {
            std::vector<std::uint32_t> words(static_cast<std::size_t>(cell_rows * words_of_a_row));
            masks.pack_booleans(piece, words.data());
            a.kept = {upload(words.data(), words.size()), 0, 0, by_row ? words_of_a_row : 0};
        }
        if (masks.has_bias()) {
            std::vector<float> values(static_cast<std::size_t>(cell_rows * piece.keys));
            masks.pack_bias(piece, values.data());
            a.bias = {upload(values.data(), values.size()), 0, 0, by_row ? piece.keys : 0};
        }
    }
    /// From ordinary memory: the copy may still be in progress, but `from` may be freed after the call.
    template <class T>
    const T* upload(const T* from, std::size_t count) {
        const auto bytes = std::max<std::size_t>(16, count * sizeof(T));
        buffers_.emplace_back(runtime_, Buffer::Place::Device, bytes);
        runtime_.copy_to_device(buffers_.back().as(), from, count * sizeof(T), Stream::First);
        runtime_.synchronize(Stream::First);
        return buffers_.back().template as<T>();
    }

    Runtime& runtime_;
    std::vector<Buffer> buffers_;
};

DeviceHead::DeviceHead(const MapTools& tools, int width, const flash::Problem& head)
    : tools_(tools), width_(width), head_(head), masks_(head_.masks, head_.shape),
      query_(uploaded(head.query, head.shape.L)), key_(uploaded(head.key, head.shape.S)),
      launch_throttle_(slowest_map, tools.runtime.device().multiprocessors) {}

std::string DeviceHead::kernel() const { return last_kernel_.load(); }

Buffer DeviceHead::uploaded(const float* from, std::int64_t rows) const {
    const auto E = head_.shape.E;
    const auto row_bytes = static_cast<std::size_t>(width_) * (tools_.precision == Precision::Float32 ? 4 : 2);
    Buffer device(tools_.runtime, Buffer::Place::Device,
                  std::max<std::size_t>(16, static_cast<std::size_t>(rows) * row_bytes));
    const auto all = static_cast<std::size_t>(2 * (rows + 2) * std::max<std::int64_t>(1, E)) * sizeof(float) + 1024;
    const auto bytes = std::min(most_staged_bytes, (all + 511) / 512 * 512);
    const bool as_is = tools_.precision == Precision::Float32 && E == width_;
    Buffer converting(tools_.runtime, Buffer::Place::Device, as_is ? 16 : bytes);
    Staging staging(tools_.runtime, tools_.pinned, Stream::First, bytes);
    staging.set_device(converting.as());
    staging.put([&](std::int64_t first,
                    std::int64_t many) { return std::vector<float>(from + first * E, from + (first + many) * E); },
                rows, E, width_, tools_.precision, device.as(), {});
    tools_.runtime.synchronize(Stream::First);
    return device;
}

std::vector<float> DeviceHead::lse(const RunControl& control) const {
    const std::lock_guard turn(tools_.mutex);
    DeviceProblem problem{
        .shape = head_.shape, .precision = tools_.precision, .scale = head_.scale, .masks = head_.masks};
    problem.source = [this](const char* name, std::int64_t first, std::int64_t rows) {
        const auto width = head_.shape.E;
        if (std::strcmp(name, "value") == 0) // has no width
            return std::vector<float>();
        const float* from = (std::strcmp(name, "query") == 0 ? head_.query : head_.key) + first * width;
        return std::vector<float>(from, from + rows * width);
    };
    auto result = forward_on(tools_.runtime, tools_.forwards, problem, control, tools_.pinned, 0, {}, tools_.verdicts);
    rechecked(result.kernel, [&] { recheck(problem, result, result.kernel, random_, control); });
    return std::move(result.lse);
}

void DeviceHead::rechecked(const char* kernel, const std::function<void()>& check) const {
    try {
        check();
    } catch (const WrongNumbers& error) {
        if (tools_.verdicts)
            tools_.verdicts->put({kernel, false, error.what()});
        throw;
    }
}

MapArguments DeviceHead::arguments_of(const CellRect& strip) const {
    const auto bytes = tools_.precision == Precision::Float32 ? 4 : 2;
    MapArguments map;
    auto& a = map.scores;
    a.precision = tools_.precision;
    a.L = static_cast<int>(strip.rows());
    a.S = static_cast<int>(strip.columns());
    a.E = a.Ev = width_;
    a.query = {query_.as() + strip.first_row * width_ * bytes, 0, 0, width_};
    a.key = {key_.as() + strip.first_column * width_ * bytes, 0, 0, width_};
    a.scale = static_cast<float>(head_.scale);
    a.first_row = static_cast<int>(strip.first_row);
    a.first_key = static_cast<int>(strip.first_column);
    a.band = masks_.band();
    // Only their presence matters for choosing a kernel; a Strip sets the addresses.
    static const std::uint32_t word = 0;
    static const float number = 0.0f;
    static const std::int32_t length = 0;
    a.kept.words = masks_.has_booleans() ? &word : nullptr;
    a.key_padding.words = masks_.has_padding() ? &word : nullptr;
    a.bias.values = masks_.has_bias() ? &number : nullptr;
    a.valid_lengths.lengths = masks_.has_lengths() ? &length : nullptr;
    return map;
}

const MapKernel& DeviceHead::kernel_for(const MapArguments& map) const {
    const auto& device = tools_.runtime.device();
    if (const auto* kernel = choose(tools_.maps, device.capability, map, trusted_maps(tools_.verdicts)))
        return *kernel;
    throw Error({ATTNLAB_TEXT("The device %1 has no kernel for this problem"), {device.name}});
}

/// Whole blocks of rows, as many as fit their results into the memory limit and a launch of about a tenth of a second.
std::int64_t DeviceHead::rows_of_strip(const CellRect& cells, std::size_t bytes_of_a_row,
                                       const MapKernel& kernel) const {
    const auto block = static_cast<std::int64_t>(kernel.rows_of_block);
    // The masks of a strip may be as large as its cells.
    const auto words = static_cast<std::size_t>(PackedMasks::words_of(cells.columns()));
    const auto all_bytes = bytes_of_a_row + words * masks_.cell_bytes_of_32_keys();
    const auto fit = static_cast<std::int64_t>(tools_.most_bytes / all_bytes) / block;
    const double of_a_block = 2.0 * static_cast<double>(block) * static_cast<double>(cells.columns()) * width_;
    const auto quick = static_cast<std::int64_t>(std::min(launch_throttle_.operations() / of_a_block, 1e9));
    // Fewer would leave some multiprocessors idle.
    const auto busy = std::max<std::int64_t>(1, tools_.runtime.device().multiprocessors);
    return std::max<std::int64_t>(1, std::min(fit, std::max(busy, quick))) * block;
}

/// Calls visit(strip) for strips of rows.
template <class Visit>
void DeviceHead::in_strips(const CellRect& cells, std::size_t bytes_of_a_row, const MapKernel& kernel,
                           const RunControl& control, Visit visit) const {
    last_kernel_ = kernel.name;
    for (auto first = cells.first_row; first < cells.last_row && cells.columns() > 0;) {
        control.checkpoint();
        control.report(static_cast<double>(first - cells.first_row) / static_cast<double>(cells.rows()));
        const auto end = std::min(first + rows_of_strip(cells, bytes_of_a_row, kernel), cells.last_row);
        visit({first, end, cells.first_column, cells.last_column});
        first = end;
    }
    control.report(1.0);
}

/// Waits for a launch, whose results it copies.
void DeviceHead::launch(const MapKernel& kernel, const MapArguments& map, void* to, const void* from,
                        std::size_t bytes) const {
    auto& runtime = tools_.runtime;
    const Settled settled(runtime, Stream::First);
    const double begin = runtime.seconds();
    runtime.launch(kernel, map, Stream::First);
    runtime.copy_from_device(to, from, bytes, Stream::First);
    runtime.synchronize(Stream::First);
    launch_throttle_.record_duration(operations_of(map), runtime.seconds() - begin);
}

void DeviceHead::weights(const CellRect& cells, const RowScales& rows, float* out, bool log2,
                         const RunControl& control) const {
    const std::lock_guard turn(tools_.mutex);
    float some_cell = 0.0f;
    MapArguments wanted = arguments_of(cells);
    wanted.cells = &some_cell;
    const auto& kernel = kernel_for(wanted);
    const auto bytes_of_a_row = static_cast<std::size_t>(cells.columns()) * sizeof(float);
    in_strips(cells, bytes_of_a_row, kernel, control, [&](const CellRect& strip) {
        MapArguments map = arguments_of(strip);
        Strip inputs(*this, strip, rows, map);
        const auto bytes = static_cast<std::size_t>(strip.rows()) * bytes_of_a_row;
        Buffer device(tools_.runtime, Buffer::Place::Device, bytes);
        map.cells = device.as<float>();
        map.cells_as_log2 = log2;
        inputs.add_scratch(kernel, map);
        launch(kernel, map, out + (strip.first_row - cells.first_row) * cells.columns(), device.as(), bytes);
    });
    rechecked(kernel.name, [&] { recheck(head_, tools_.precision, cells, rows, out, log2, kernel.name, random_); });
}

MapBins DeviceHead::pool(const BinGrid& grid, const RowScales& rows, bool sums, const RunControl& control) const {
    const std::lock_guard turn(tools_.mutex);
    BinRows bins(grid, sums);
    MapArguments wanted = arguments_of(grid.cells);
    wanted.bin_rows = bin_size_of(grid.bin_rows);
    wanted.bin_columns = bin_size_of(grid.bin_columns);
    const auto& kernel = kernel_for(wanted);
    const std::int64_t high = kernel.bins_of_a_block(wanted.bin_rows);
    const auto bytes_of_a_row = static_cast<std::size_t>(high * grid.columns() * 12 / kernel.rows_of_block) + 1;
    in_strips(grid.cells, bytes_of_a_row, kernel, control, [&](const CellRect& strip) {
        bins.close_before((strip.first_row - grid.cells.first_row) / grid.bin_rows);
        MapArguments map = arguments_of(strip);
        Strip inputs(*this, strip, rows, map);
        map.bin_rows = wanted.bin_rows;
        map.bin_columns = wanted.bin_columns;
        map.row = static_cast<int>(strip.first_row - grid.cells.first_row);
        inputs.add_scratch(kernel, map);
        const std::int64_t blocks = (strip.rows() + kernel.rows_of_block - 1) / kernel.rows_of_block,
                           wide = bin_columns_of(map);
        const auto all = static_cast<std::size_t>(blocks * high * wide);
        const auto bytes = all * (sums ? 12 : 8);
        Buffer device(tools_.runtime, Buffer::Place::Device, bytes), pinned = tools_.pinned.take(bytes);
        map.largest = device.as<float>();
        map.kept = device.as<std::uint32_t>() + all;
        map.sum = sums ? device.as<float>() + 2 * all : nullptr;
        launch(kernel, map, pinned.as(), device.as(), bytes);
        const PooledBins pooled{pinned.as<float>(), pinned.as<std::uint32_t>() + all,
                                sums ? pinned.as<float>() + 2 * all : nullptr};
        for (std::int64_t block = 0; block < blocks; ++block) {
            const auto first = (map.row + block * kernel.rows_of_block) / grid.bin_rows;
            for (std::int64_t bin = 0; bin < high && first + bin < grid.rows(); ++bin)
                pooled.add_to(bins.totals(first + bin), static_cast<std::size_t>((block * high + bin) * wide),
                              static_cast<std::size_t>(wide));
        }
        tools_.pinned.give_back(std::move(pinned));
    });
    auto result = bins.finished();
    rechecked(kernel.name, [&] { recheck(head_, tools_.precision, grid, rows, result, kernel.name, random_); });
    return result;
}

} // namespace attnlab::gpu
