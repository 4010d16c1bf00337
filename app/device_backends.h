// The CUDA device beside the window: it is made ready in a thread, then its backend and maps are created on first use.
#pragma once

#include "core/backend.h"
#include "core/map/map_engine.h"
#include "core/message.h"
#include "core/run_control.h"
#include "gpu/forward_kernels.h"

#include <atomic>
#include <functional>
#include <thread>

namespace attnlab::app {

/// Runs its work in a thread of its own. Whatever the work throws becomes a message, except Cancelled.
class DeviceWatch {
public:
    using Tell = std::function<void(const Message&)>;
    using Work = std::function<void(const RunControl&, const Tell&)>;

    /// `tell` gets the messages, from that thread, or from this one if there is no thread to be had.
    DeviceWatch(Work work, Tell tell);
    /// Cancels the work and waits for it.
    ~DeviceWatch();
    DeviceWatch(const DeviceWatch&) = delete;
    DeviceWatch& operator=(const DeviceWatch&) = delete;

private:
    void run(const std::function<void()>& work) const;

    const Work work_;
    const Tell tell_;
    std::atomic<bool> cancelled_ = false;
    std::thread thread_;
};

/// The work: checks the kernels of the device, and lets the window use it.
void getDeviceReady(const RunControl& control, const DeviceWatch::Tell& tell);

// The CUDA backend and maps, made when they are first needed: a context takes up to a second and the kernels of a new
// device are checked first.

/// Tells gpu/cuda_backend.h how this program checks kernels, and keeps verdicts, and choices of core/flash, in the
/// user's cache folder.
void setUpDeviceCheck();

/// Whether what is not ready yet is waited for. The window does not: it computes on the cores until ready() is called.
enum class WhenNotReady { Wait, Refuse };
void setWhenNotReady(WhenNotReady what);
/// Backends and maps may be used; thread-safe.
void setDevicesReady();

/// Checks the kernels that have no verdict and says so on standard error. Does nothing without a device.
void checkDevice();

/// Always there; why_not() tells where no device can be used.
const Backend& deviceBackend(gpu::Precision precision);
/// Opens nothing where no device can be used.
const MapEngine& deviceMaps(gpu::Precision precision);

} // namespace attnlab::app
