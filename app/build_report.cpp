#include "app/build_report.h"

#include "app/commit.h"
#include "core/flash/matrix_unit.h"
#include "core/flash/processor.h"

#include <QtGlobal>

#include <algorithm>
#include <string_view>
#include <thread>

namespace attnlab::app {
namespace {

std::string compiler() {
#if defined(__clang__)
    return "Clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__);
#else
    return "GCC " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__);
#endif
}

std::string build() {
    const std::string commit = ATTNLAB_COMMIT, type = ATTNLAB_BUILD_TYPE;
    return (commit.empty() ? "" : commit + ", ") + (type.empty() ? "" : type + ", ") + compiler();
}

/// "75-real 90a-real 120" as "7.5 9.0a 12.0".
std::string capabilities(std::string_view architectures) {
    std::string text;
    while (!architectures.empty()) {
        const auto one = architectures.substr(0, architectures.find(' '));
        architectures.remove_prefix(std::min(architectures.size(), one.size() + 1));
        const auto number = one.substr(0, one.find('-'));
        const auto digits = number.find_first_not_of("0123456789");
        const auto minor = (digits == number.npos ? number.size() : digits) - 1;
        if (!text.empty())
            text += ' ';
        text.append(number.substr(0, minor)).append(1, '.').append(number.substr(minor));
    }
    return text;
}

std::string processorKernels() {
    const auto why_no_amx = flash::matrix_unit_unavailable_reason();
    return instruction_set() + (why_no_amx ? "" : " and AMX") + " on the processor" +
           (why_no_amx ? " (" + why_no_amx->english() + ")" : "");
}

} // namespace

std::string buildReport() {
    const std::string_view architectures = ATTNLAB_CUDA_KERNELS;
    const auto name = processor_name();
    return "AttnLab " ATTNLAB_VERSION " (" + build() + ")\n" + //
           "Qt: " + qVersion() + ", built with " QT_VERSION_STR "\n" + "kernels: " + processorKernels() + ", " +
           (architectures.empty() ? "built without CUDA" : "CUDA for " + capabilities(architectures)) + "\n" +
           "processor: " + (name.empty() ? "unknown" : name) + ", " +
           std::to_string(std::thread::hardware_concurrency()) + " threads\n";
}

} // namespace attnlab::app
