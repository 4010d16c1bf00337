#include "app/device_watch.h"

#include "app/device_backends.h"
#include "gpu/cuda_backend.h"
#include "gpu/device_texts.h"
#include "ui/widgets/failure.h"

namespace attnlab::app {

DeviceWatch::DeviceWatch(Work work, Tell tell) : work_(std::move(work)), tell_(std::move(tell)) {
    run([this] {
        thread_ =
            std::thread([this] { run([this] { work_({.cancelled = [this] { return cancelled_.load(); }}, tell_); }); });
    });
}

DeviceWatch::~DeviceWatch() {
    cancelled_ = true;
    if (thread_.joinable())
        thread_.join();
}

void DeviceWatch::run(const std::function<void()>& work) const {
    try {
        if (const auto why = ui::caughtFailure(work, {gpu::no_memory_to_check, gpu::check_failed}))
            tell_(*why);
    } catch (...) { // not even the message can be made: the window goes on without the device
    }
}

void getDeviceReady(const RunControl& control, const DeviceWatch::Tell& tell) {
    if (gpu::devices().devices.empty())
        return;
    const auto name = gpu::devices().devices.front().name;
    gpu::check_device(control, [&](const std::string& kernel) { tell(gpu::checking(name, kernel)); });
    if (!gpu::cuda_backend(gpu::Precision::Float32))
        return tell(gpu::devices().why_none.value_or(Message()));
    setDevicesReady();
    tell(gpu::trusted_on(name, gpu::check_state().verdicts));
}

} // namespace attnlab::app
