#include "app/backends.h"

#include "app/commands.h"
#include "app/device_backends.h"
#include "app/spec_options.h"
#include "core/flash/cpu_backend.h"
#include "gpu/cuda_backend.h"

#include <array>

namespace attnlab::app {
namespace {

struct NamedPrecision {
    const char* name;
    gpu::Precision precision;
};
constexpr NamedPrecision precisions[] = {
    {"float32", gpu::Precision::Float32}, {"bfloat16", gpu::Precision::BFloat16}, {"float16", gpu::Precision::Float16}};

std::vector<const Backend*> backendsOf(gpu::Precision precision) {
    const auto* cuda = &deviceBackend(precision);
    if (gpu::devices().devices.empty())
        return {&reference_backend(), &cpu_backend()};
    if (!gpu::device_is_fast())
        return {&reference_backend(), &cpu_backend(), cuda};
    return {&reference_backend(), cuda, &cpu_backend()};
}

} // namespace

gpu::Precision readPrecision(const QCommandLineParser& parser) {
    const auto text = parser.value("precision");
    for (const auto& [name, precision] : precisions)
        if (text == QLatin1String(name))
            return precision;
    throw UsageError("--precision: has '" + text.toStdString() + "', expected float32, bfloat16 or float16");
}

Backends windowBackends() {
    static const std::array<const Backend*, 3> backends{&reference_backend(), &deviceBackend(gpu::Precision::Float32),
                                                        &cpu_backend()};
    return backends;
}

Backends allBackends(gpu::Precision precision) {
    static std::array<std::vector<const Backend*>, std::size(precisions)> known;
    auto& backends = known[static_cast<std::size_t>(precision)];
    if (backends.empty())
        backends = backendsOf(precision);
    return backends;
}

void addBackendOptions(CommandParser& parser, const char* missing) {
    parser.addOptions(
        {{"backend", QStringLiteral("How to compute: auto, reference, cpu or cuda (default: %1).").arg(missing), "B",
          missing},
         {"precision",
          "What the cuda backend stores queries, keys and values as: float32 (default), bfloat16 or "
          "float16.",
          "P", "float32"}});
}

BackendChoice readBackend(const QCommandLineParser& parser) {
    const auto precision = readPrecision(parser);
    BackendChoice choice{parser.value("backend").toStdString(), {}};
    if (precision != gpu::Precision::Float32 && choice.id != "cuda")
        throw UsageError("--precision: has '" + parser.value("precision").toStdString() +
                         "', which only --backend cuda can");
    choice.backends = allBackends(precision);
    checkBackend(choice.id, choice.backends);
    return choice;
}

} // namespace attnlab::app
