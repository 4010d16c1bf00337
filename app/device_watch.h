// Gets the CUDA device ready beside the window.
#pragma once

#include "core/message.h"
#include "core/run_control.h"

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

} // namespace attnlab::app
