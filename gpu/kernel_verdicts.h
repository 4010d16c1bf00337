// Which kernels of a device have proven right there. Kernels are checked when a device is first used (self_check.h),
// and two rows of every result are computed again on the cores (host/recheck.h).
#pragma once

#include "gpu/map.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace attnlab::gpu {

struct KernelVerdict {
    std::string kernel;
    bool right = false;
    std::string why = {}; ///< in English, when it is not right
};

/// What verdicts are valid for: another driver, device or build of the program needs new ones.
struct VerdictKey {
    std::string device; ///< UUID
    std::string driver; ///< version
    std::string build;
};

/// Thread-safe. Kept in a file with a line for each kernel, of several devices; a file that cannot be written, or is
/// not readable as such, only means that kernels are checked again.
class KernelVerdicts {
public:
    /// An empty path: not kept.
    KernelVerdicts(std::filesystem::path file, VerdictKey key);

    std::optional<KernelVerdict> verdict(const std::string& kernel) const;
    std::vector<KernelVerdict> verdicts() const;
    /// Kernels without a verdict are not trusted.
    bool trusts(const std::string& kernel) const;
    void put(const KernelVerdict& verdict);
    /// Forgets all verdicts, so that all kernels are checked again.
    void forget();

private:
    void load();
    void store() const;

    const std::filesystem::path file_;
    const VerdictKey key_;
    mutable std::mutex mutex_;
    std::map<std::string, KernelVerdict> verdicts_;
    std::vector<std::string> others_; ///< lines of the file about other devices
};

/// The kernels that `verdicts` trusts; all without it.
inline std::function<bool(const ForwardKernel&)> trusted_forwards(const KernelVerdicts* verdicts) {
    if (!verdicts)
        return {};
    return [verdicts](const ForwardKernel& kernel) { return verdicts->trusts(kernel.name); };
}
inline MapPredicate trusted_maps(const KernelVerdicts* verdicts) {
    if (!verdicts)
        return {};
    return [verdicts](const MapKernel& kernel) { return verdicts->trusts(kernel.name); };
}

} // namespace attnlab::gpu
