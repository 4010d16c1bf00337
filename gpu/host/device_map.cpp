#include "gpu/host/device_map.h"

#include "core/flash/far_rows.h"
#include "gpu/host/device_backend.h"
#include "gpu/host/device_head.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace attnlab::gpu {
namespace {

class Engine : public MapEngine {
public:
    Engine(Runtime& runtime, ForwardKernels forwards, MapKernels maps, Precision precision, std::size_t most_bytes,
           KernelVerdicts* verdicts)
        : runtime_(runtime), forwards_(forwards), maps_(maps), precision_(precision), most_bytes_(most_bytes),
          verdicts_(verdicts), pinned_(runtime) {}

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
        const int width =
            map_width(maps_, runtime_.device().capability, precision_, static_cast<int>(s.E), trusted_maps(verdicts_));
        if (width == 0)
            return nullptr;
        const std::lock_guard turn(mutex_);
        return std::make_unique<const DeviceHead>(
            MapTools{runtime_, forwards_, maps_, precision_, most_bytes_, verdicts_, pinned_, mutex_}, width, head);
    }

private:
    Runtime& runtime_;
    const ForwardKernels forwards_;
    const MapKernels maps_;
    const Precision precision_;
    const std::size_t most_bytes_;
    KernelVerdicts* const verdicts_;
    mutable PinnedMemory pinned_;
    mutable std::mutex mutex_;
};

} // namespace

std::unique_ptr<const MapEngine> map_engine_on(Runtime& runtime, ForwardKernels forwards, MapKernels maps,
                                               Precision precision, std::size_t most_bytes, KernelVerdicts* verdicts) {
    return std::make_unique<const Engine>(runtime, forwards, maps, precision, most_bytes, verdicts);
}

} // namespace attnlab::gpu
