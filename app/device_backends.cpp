#include "app/device_backends.h"

#include "app/output.h"
#include "core/flash/matrix_unit.h"
#include "gpu/cuda_backend.h"
#include "gpu/device_texts.h"
#include "ui/widgets/message_bar.h"

#include <array>
#include <atomic>
#include <filesystem>
#include <QStandardPaths>

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

namespace {

std::atomic<bool> waits = true, ready = false;

std::optional<Message> whyNotReady() {
    if (!waits && !ready)
        return gpu::still_checking();
    if (const auto& why_none = gpu::devices().why_none)
        return why_none;
    if (!waits && !gpu::device_is_fast())
        return gpu::slower_than_cores(gpu::devices().devices.front().name);
    return std::nullopt;
}

class DeviceBackend : public Backend {
public:
    explicit DeviceBackend(gpu::Precision precision) : precision_(precision) {}

    std::string_view id() const override { return "cuda"; }
    std::string title() const override { return real() ? real()->title() : "cuda"; }
    bool gives_every_stage() const override { return false; }
    std::optional<Message> why_not(const ResolvedProblem& problem) const override {
        if (auto why = whyNotReady())
            return why;
        if (!real())
            return gpu::devices().why_none.value_or(Message(ATTNLAB_TEXT("There is no CUDA device")));
        return real()->why_not(problem);
    }
    Trace run(const ResolvedProblem& problem, const RunControl& control) const override {
        return real()->run(problem, control);
    }

private:
    const Backend* real() const {
        if (waits)
            checkDevice();
        return gpu::cuda_backend(precision_);
    }
    const gpu::Precision precision_;
};

class DeviceMaps : public MapEngine {
public:
    explicit DeviceMaps(gpu::Precision precision) : precision_(precision) {}

    std::string title() const override {
        const auto* real = gpu::cuda_maps(precision_);
        return real ? real->title() : "cuda";
    }
    std::unique_ptr<const MapHead> open(const flash::Problem& head) const override {
        if (whyNotReady())
            return nullptr;
        if (waits)
            checkDevice();
        const auto* real = gpu::cuda_maps(precision_);
        return real ? real->open(head) : nullptr;
    }

private:
    const gpu::Precision precision_;
};

/// Another build may have other kernels.
std::string buildOf(const std::filesystem::path& program) {
    std::error_code failed;
    const auto bytes = std::filesystem::file_size(program, failed);
    const auto time = std::filesystem::last_write_time(program, failed).time_since_epoch().count();
    return std::string(ATTNLAB_VERSION) + " " + std::to_string(bytes) + " " + std::to_string(time);
}

} // namespace

void setUpDeviceCheck() {
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (failed)
        return; // nothing could be started
    const auto cache = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation);
    gpu::CheckSetup setup{
        .command = {program.string(), "devices", "--check-these"}, .file = {}, .build = buildOf(program)};
    const auto folder = std::filesystem::path(cache.toStdString()) / "attnlab";
    if (!cache.isEmpty()) {
        setup.file = folder / "cuda-kernels.tsv";
        flash::keep_choices(folder / "matrix-unit.tsv", setup.build);
    }
    gpu::use_check(setup);
}

void setWhenNotReady(WhenNotReady what) { waits = what == WhenNotReady::Wait; }
void setDevicesReady() { ready = true; }

void checkDevice() {
    const auto unchecked = gpu::check_state().unchecked.size();
    if (unchecked == 0)
        return;
    printError("attnlab: checks " + std::to_string(unchecked) + " kernels on " + gpu::devices().devices.front().name +
               ", once for this driver and program");
    try {
        gpu::check_device();
    } catch (const Error&) { // reported by who needs the device
    }
}

const Backend& deviceBackend(gpu::Precision precision) {
    static const std::array<DeviceBackend, 3> backends{DeviceBackend(gpu::Precision::Float32),
                                                       DeviceBackend(gpu::Precision::BFloat16),
                                                       DeviceBackend(gpu::Precision::Float16)};
    return backends[static_cast<std::size_t>(precision)];
}

const MapEngine& deviceMaps(gpu::Precision precision) {
    static const std::array<DeviceMaps, 3> maps{
        DeviceMaps(gpu::Precision::Float32), DeviceMaps(gpu::Precision::BFloat16), DeviceMaps(gpu::Precision::Float16)};
    return maps[static_cast<std::size_t>(precision)];
}

} // namespace attnlab::app
