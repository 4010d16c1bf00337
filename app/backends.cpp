#include "app/backends.h"

#include "app/command_table.h"
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
    const auto* cpu = &cpu_backend(precisionOfCores(precision));
    if (gpu::devices().devices.empty())
        return {&reference_backend(), cpu};
    if (!gpu::device_is_fast())
        return {&reference_backend(), cpu, cuda};
    return {&reference_backend(), cuda, cpu};
}

} // namespace

gpu::Precision readPrecision(const QCommandLineParser& parser) {
    const auto text = parser.value("precision");
    for (const auto& [name, precision] : precisions)
        if (text == QLatin1String(name))
            return precision;
    throw UsageError("--precision: has '" + text.toStdString() + "', expected float32, bfloat16 or float16");
}

flash::Precision precisionOfCores(gpu::Precision precision) {
    return precision == gpu::Precision::BFloat16 ? flash::Precision::BFloat16 : flash::Precision::Float32;
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
          "What the cpu and cuda backends store queries, keys and values as: float32 (default), bfloat16, or float16 "
          "with cuda alone.",
          "P", "float32"}});
}

BackendChoice readBackend(const QCommandLineParser& parser) {
    const auto precision = readPrecision(parser);
    BackendChoice choice{parser.value("backend").toStdString(), {}};
    const bool cores_can = precision != gpu::Precision::Float16;
    if (precision != gpu::Precision::Float32 && choice.id != "cuda" && !(cores_can && choice.id == "cpu"))
        throw UsageError("--precision: has '" + parser.value("precision").toStdString() + "', which only " +
                         (cores_can ? "--backend cpu or " : "") + "--backend cuda can");
    choice.backends = allBackends(precision);
    checkBackend(choice.id, choice.backends);
    return choice;
}

} // namespace attnlab::app
