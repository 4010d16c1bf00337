// A head of a map on a device: its queries and keys stay there.
#pragma once

#include "gpu/host/launches.h"
#include "gpu/host/masks.h"
#include "gpu/host/pinned.h"
#include "gpu/kernel_verdicts.h"
#include "gpu/map.h"
#include "gpu/runtime.h"

#include "core/map/map_engine.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <random>

namespace attnlab::gpu {

/// What the heads of an engine share; the references must outlive them.
struct MapTools {
    Runtime& runtime;
    ForwardKernels forwards;
    MapKernels maps;
    Precision precision = Precision::Float32;
    std::size_t most_bytes = 0;         ///< of the bins of one launch
    KernelVerdicts* verdicts = nullptr; ///< may be null
    PinnedMemory& pinned;
    std::mutex& mutex;
};

class DeviceHead : public MapHead {
public:
    /// `width` is that of map_width().
    DeviceHead(const MapTools& tools, int width, const flash::Problem& head);

    std::vector<float> lse(const RunControl& control) const override;
    void weights(const CellRect& cells, const RowScales& rows, float* out, bool log2,
                 const RunControl& control) const override;
    MapBins pool(const BinGrid& grid, const RowScales& rows, bool sums, const RunControl& control) const override;
    std::string kernel() const override;

private:
    class Strip;

    Buffer uploaded(const float* from, std::int64_t rows) const;
    MapArguments arguments_of(const CellRect& strip) const;
    const MapKernel& kernel_for(const MapArguments& map) const;
    std::int64_t rows_of_strip(const CellRect& cells, std::size_t bytes_of_a_row, const MapKernel& kernel) const;
    template <class Visit>
    void in_strips(const CellRect& cells, std::size_t bytes_of_a_row, const MapKernel& kernel,
                   const RunControl& control, Visit visit) const;
    /// Calls check(). If it throws WrongNumbers, withdraws trust from the kernel.
    void rechecked(const char* kernel, const std::function<void()>& check) const;
    void launch(const MapKernel& kernel, const MapArguments& map, void* to, const void* from, std::size_t bytes) const;

    const MapTools tools_;
    const int width_;
    const flash::Problem head_;
    const PackedMasks masks_;
    const Buffer query_, key_;
    mutable LaunchThrottle launch_throttle_;
    mutable std::mt19937 random_{std::random_device{}()}; ///< guarded by the mutex
    mutable std::atomic<const char*> last_kernel_ = "";
};

} // namespace attnlab::gpu
