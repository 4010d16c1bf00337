#include "gpu/host/device_map.h"

#include "core/flash/far_rows.h"
#include "core/map/bin_total.h"
#include "gpu/host/backend.h"
#include "gpu/host/device_forward.h"
#include "gpu/host/rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

namespace attnlab::gpu {
namespace {

constexpr float log2_e = 1.44269504f;

/// Bins pooled so far by strips of rows; those complete for all later rows are stored.
class BinRows {
public:
    BinRows(const BinGrid& grid, bool sums) : bins_(bins_of(grid.rows(), grid.columns(), sums)) {}

    /// One for each column.
    BinTotal* totals(std::int64_t row) {
        auto& totals = open_[row];
        totals.resize(static_cast<std::size_t>(bins_.columns));
        return totals.data();
    }
    void close_before(std::int64_t row) {
        while (!open_.empty() && open_.begin()->first < row) {
            const auto& [number, totals] = *open_.begin();
            for (std::size_t column = 0; column < totals.size(); ++column)
                totals[column].put(bins_, bins_.index(number, static_cast<std::int64_t>(column)));
            open_.erase(open_.begin());
        }
    }
    MapBins finished() {
        close_before(bins_.rows);
        return std::move(bins_);
    }

private:
    MapBins bins_;
    std::map<std::int64_t, std::vector<BinTotal>> open_;
};

class Head : public MapHead {
public:
    Head(Runtime& runtime, ForwardKernels forwards, const MapKernel& kernel, const flash::Problem& head,
         Precision precision, std::size_t most_bytes, PinnedMemory& pinned, std::mutex& mutex)
        : runtime_(runtime), forwards_(forwards), kernel_(kernel), head_(head), precision_(precision),
          most_bytes_(most_bytes), pinned_(pinned), mutex_(mutex), masks_(head_.masks, head_.shape),
          query_(uploaded(head.query, head.shape.L)), key_(uploaded(head.key, head.shape.S)) {}

    std::vector<float> lse(const RunControl& control) const override {
        const std::lock_guard turn(mutex_);
        DeviceProblem problem{
            .shape = head_.shape, .precision = precision_, .scale = head_.scale, .masks = head_.masks};
        problem.source = [this](const char* name, std::int64_t first, std::int64_t rows) {
            const auto width = head_.shape.E;
            if (std::strcmp(name, "value") == 0) // has no width
                return std::vector<float>();
            const float* from = (std::strcmp(name, "query") == 0 ? head_.query : head_.key) + first * width;
            return std::vector<float>(from, from + rows * width);
        };
        return forward_on(runtime_, forwards_, problem, control, pinned_).lse;
    }

    void weights(const CellRect& cells, const RowScales& rows, float* out, bool log2,
                 const RunControl& control) const override {
        const auto bytes_of_a_row = static_cast<std::size_t>(cells.columns()) * sizeof(float);
        in_strips(cells, bytes_of_a_row, control, [&](const CellRect& strip) {
            MapArguments map = arguments_of(strip);
            Strip memory(*this, strip, rows, map);
            const auto bytes = static_cast<std::size_t>(strip.rows()) * bytes_of_a_row;
            Buffer device(runtime_, Buffer::Place::Device, bytes);
            map.cells = device.as<float>();
            map.cells_as_log2 = log2;
            const Settled settled(runtime_, Stream::First);
            runtime_.launch(kernel_, map, Stream::First);
            float* to = out + (strip.first_row - cells.first_row) * cells.columns();
            runtime_.copy_from_device(to, device.as(), bytes, Stream::First);
            runtime_.synchronize(Stream::First);
        });
    }

    MapBins pool(const BinGrid& grid, const RowScales& rows, bool sums, const RunControl& control) const override {
        BinRows bins(grid, sums);
        const auto bins_of_block = kernel_.bins_of_a_block(bounded(grid.bin_rows));
        const auto bytes_of_a_row =
            static_cast<std::size_t>(bins_of_block * grid.columns() * 12 / kernel_.rows_of_block) + 1;
        in_strips(grid.cells, bytes_of_a_row, control, [&](const CellRect& strip) {
            const auto first = (strip.first_row - grid.cells.first_row) / grid.bin_rows;
            bins.close_before(first);
            pool_strip(grid, strip, rows, sums, bins);
        });
        return bins.finished();
    }

private:
    static int bounded(std::int64_t size) { return static_cast<int>(std::min<std::int64_t>(size, Band::unlimited)); }

    Buffer uploaded(const float* from, std::int64_t rows) const {
        const auto row_bytes = static_cast<std::size_t>(kernel_.width) * (precision_ == Precision::Float32 ? 4 : 2);
        const auto bytes = std::max<std::size_t>(16, static_cast<std::size_t>(rows) * row_bytes);
        Buffer device(runtime_, Buffer::Place::Device, bytes), pinned = pinned_.take(bytes);
        store_rows(from, rows, head_.shape.E, kernel_.width, precision_, pinned.as());
        runtime_.copy_to_device(device.as(), pinned.as(), bytes, Stream::First);
        runtime_.synchronize(Stream::First);
        pinned_.give_back(std::move(pinned));
        return device;
    }

    /// Whole blocks of rows, as many as fit their results into the memory limit.
    template <class Visit>
    void in_strips(const CellRect& cells, std::size_t bytes_of_a_row, const RunControl& control, Visit visit) const {
        const std::lock_guard turn(mutex_);
        const auto block = static_cast<std::int64_t>(kernel_.rows_of_block);
        // The masks of a strip may be as large as its cells.
        const auto words = static_cast<std::size_t>(PackedMasks::words_of(cells.columns()));
        const auto all_bytes = bytes_of_a_row + words * masks_.cell_bytes_of_32_keys();
        const auto blocks = static_cast<std::int64_t>(most_bytes_ / all_bytes) / block;
        const auto rows = std::max<std::int64_t>(1, blocks) * block;
        for (auto first = cells.first_row; first < cells.last_row && cells.columns() > 0; first += rows) {
            control.checkpoint();
            control.report(static_cast<double>(first - cells.first_row) / static_cast<double>(cells.rows()));
            visit({first, std::min(first + rows, cells.last_row), cells.first_column, cells.last_column});
        }
        control.report(1.0);
    }

    MapArguments arguments_of(const CellRect& strip) const {
        const auto bytes = precision_ == Precision::Float32 ? 4 : 2;
        MapArguments map;
        auto& a = map.scores;
        a.precision = precision_;
        a.L = static_cast<int>(strip.rows());
        a.S = static_cast<int>(strip.columns());
        a.E = a.Ev = kernel_.width;
        a.query = {query_.as() + strip.first_row * kernel_.width * bytes, 0, 0, kernel_.width};
        a.key = {key_.as() + strip.first_column * kernel_.width * bytes, 0, 0, kernel_.width};
        a.scale = static_cast<float>(head_.scale);
        a.first_row = static_cast<int>(strip.first_row);
        a.first_key = static_cast<int>(strip.first_column);
        a.band = masks_.band();
        return map;
    }

    /// The inputs of a launch besides queries and keys: scales of its rows, masks.
    class Strip {
    public:
        Strip(const Head& head, const CellRect& strip, const RowScales& rows, MapArguments& map) {
            const Piece piece{0, 1, 0, 1, strip.first_row, strip.rows(), strip.first_column, strip.columns()};
            const auto& masks = head.masks_;
            const auto count = static_cast<std::size_t>(strip.rows());
            const auto scales = [&](const float* of_all) {
                return upload(head.runtime_, of_all + strip.first_row, count);
            };
            map.base = scales(rows.base);
            map.log2_sum = scales(rows.log2_sum);
            map.factor = scales(rows.factor);
            auto& a = map.scores;
            if (masks.has_lengths()) {
                const auto lengths = masks.lengths(piece);
                a.valid_lengths = {upload(head.runtime_, lengths.data(), lengths.size()), 0, 1};
            }
            if (masks.has_padding()) {
                const auto words = masks.padding(piece);
                a.key_padding = {upload(head.runtime_, words.data(), words.size()), 0, 0, 0};
            }
            const auto words_of_a_row = PackedMasks::words_of(strip.columns());
            const auto cell_rows = masks.cell_rows(strip.rows());
            const bool by_row = cell_rows == strip.rows();
            if (masks.has_booleans()) {
                std::vector<std::uint32_t> words(static_cast<std::size_t>(cell_rows * words_of_a_row));
                masks.pack_booleans(piece, words.data());
                a.kept = {upload(head.runtime_, words.data(), words.size()), 0, 0, by_row ? words_of_a_row : 0};
            }
            if (masks.has_bias()) {
                std::vector<float> values(static_cast<std::size_t>(cell_rows * strip.columns()));
                masks.pack_bias(piece, values.data());
                a.bias = {upload(head.runtime_, values.data(), values.size()), 0, 0, by_row ? strip.columns() : 0};
            }
        }

    private:
        /// From ordinary memory: the copy may still be in progress, but `from` may be freed after the call.
        template <class T>
        const T* upload(Runtime& runtime, const T* from, std::size_t count) {
            const auto bytes = std::max<std::size_t>(16, count * sizeof(T));
            buffers_.emplace_back(runtime, Buffer::Place::Device, bytes);
            runtime.copy_to_device(buffers_.back().as(), from, count * sizeof(T), Stream::First);
            runtime.synchronize(Stream::First);
            return buffers_.back().template as<T>();
        }
        std::vector<Buffer> buffers_;
    };

    void pool_strip(const BinGrid& grid, const CellRect& strip, const RowScales& rows, bool sums, BinRows& bins) const {
        MapArguments map = arguments_of(strip);
        Strip memory(*this, strip, rows, map);
        map.bin_rows = bounded(grid.bin_rows);
        map.bin_columns = bounded(grid.bin_columns);
        map.row = static_cast<int>(strip.first_row - grid.cells.first_row);
        const std::int64_t blocks = (strip.rows() + kernel_.rows_of_block - 1) / kernel_.rows_of_block,
                           high = kernel_.bins_of_a_block(map.bin_rows), wide = bin_columns_of(map);
        const auto all = static_cast<std::size_t>(blocks * high * wide);
        const auto bytes = all * (sums ? 12 : 8);
        Buffer device(runtime_, Buffer::Place::Device, bytes), pinned = pinned_.take(bytes);
        map.largest = device.as<float>();
        map.kept = device.as<std::uint32_t>() + all;
        map.sum = sums ? device.as<float>() + 2 * all : nullptr;
        {
            const Settled settled(runtime_, Stream::First);
            runtime_.launch(kernel_, map, Stream::First);
            runtime_.copy_from_device(pinned.as(), device.as(), bytes, Stream::First);
            runtime_.synchronize(Stream::First);
        }
        const Pooled pooled{pinned.as<float>(), pinned.as<std::uint32_t>() + all,
                            sums ? pinned.as<float>() + 2 * all : nullptr};
        for (std::int64_t block = 0; block < blocks; ++block) {
            const auto first = (map.row + block * kernel_.rows_of_block) / grid.bin_rows;
            for (std::int64_t bin = 0; bin < high && first + bin < grid.rows(); ++bin)
                pooled.add_to(bins.totals(first + bin), static_cast<std::size_t>((block * high + bin) * wide),
                              static_cast<std::size_t>(wide));
        }
        pinned_.give_back(std::move(pinned));
    }

    /// The results of a launch.
    struct Pooled {
        const float* largest;
        const std::uint32_t* kept;
        const float* sum;

        void add_to(BinTotal* totals, std::size_t from, std::size_t count) const {
            for (std::size_t k = from; k < from + count; ++k, ++totals)
                if (kept[k] != 0) // many blocks have fewer rows of bins than allocated
                    totals->take({largest[k], sum ? static_cast<double>(sum[k]) : 0.0, static_cast<double>(kept[k])});
        }
    };

    Runtime& runtime_;
    const ForwardKernels forwards_;
    const MapKernel& kernel_;
    const flash::Problem head_;
    const Precision precision_;
    const std::size_t most_bytes_;
    PinnedMemory& pinned_;
    std::mutex& mutex_;
    const PackedMasks masks_;
    const Buffer query_, key_;
};

class Engine : public MapEngine {
public:
    Engine(Runtime& runtime, ForwardKernels forwards, MapKernels maps, Precision precision, std::size_t most_bytes)
        : runtime_(runtime), forwards_(forwards), maps_(maps), precision_(precision), most_bytes_(most_bytes),
          pinned_(runtime) {}

    std::string title() const override { return title_of(runtime_.device(), precision_); }

    std::unique_ptr<const MapHead> open(const flash::Problem& head) const override {
        const auto& s = head.shape;
        constexpr std::int64_t most = Band::unlimited - 1;
        if (s.L > most || s.S > most || s.E > most)
            return nullptr;
        const auto largest = [&](const float* numbers, std::int64_t rows) {
            return flash::size_bound({numbers, static_cast<std::size_t>(rows * s.E)});
        };
        const double score = largest(head.query, s.L) * largest(head.key, s.S) * static_cast<double>(s.E) *
                             std::max(1.0, std::abs(head.scale));
        if (!(score <= largest_score)) // also true for NaN and infinity
            return nullptr;
        const auto* kernel = choose(maps_, runtime_.device().capability, precision_, static_cast<int>(s.E));
        if (!kernel)
            return nullptr;
        const std::lock_guard turn(mutex_);
        return std::make_unique<const Head>(runtime_, forwards_, *kernel, head, precision_, most_bytes_, pinned_,
                                            mutex_);
    }

private:
    Runtime& runtime_;
    const ForwardKernels forwards_;
    const MapKernels maps_;
    const Precision precision_;
    const std::size_t most_bytes_;
    mutable PinnedMemory pinned_;
    mutable std::mutex mutex_;
};

} // namespace

std::unique_ptr<const MapEngine> map_engine_on(Runtime& runtime, ForwardKernels forwards, MapKernels maps,
                                               Precision precision, std::size_t most_bytes) {
    return std::make_unique<const Engine>(runtime, forwards, maps, precision, most_bytes);
}

} // namespace attnlab::gpu
