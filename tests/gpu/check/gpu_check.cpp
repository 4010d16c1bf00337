// Every kernel of the table on the device against float64, over shapes that nobody would choose. Prints a line for each
// kernel, writes JSON where a file is named, and fails when any is wrong. --kernel TEXT takes those whose name holds
// it,
// --quick few cases.
#include "gpu/cuda_backend.h"
#include "tests/gpu/check/cases.h"
#include "tests/gpu/check/hopper_products.h"

#include <cstdio>
#include <cstring>
#include <cuda_runtime_api.h>
#include <stdexcept>

using namespace attnlab;
using namespace attnlab::gpu;

namespace {

void require(const char* call, int code) {
    if (code != 0)
        throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(static_cast<cudaError_t>(code)));
}

/// Arrays of the host, copied to the device and back.
class OnDevice {
public:
    ~OnDevice() {
        for (void* memory : memory_)
            cudaFree(memory);
    }
    template <class T>
    void move(T*& data, std::size_t bytes) {
        if (!data)
            return;
        void* memory = nullptr;
        require("cudaMalloc", cudaMalloc(&memory, std::max<std::size_t>(16, bytes)));
        memory_.push_back(memory);
        require("cudaMemcpy", cudaMemcpy(memory, data, bytes, cudaMemcpyHostToDevice));
        data = static_cast<T*>(memory);
    }

private:
    std::vector<void*> memory_;
};

ForwardData::Difference run(const ForwardKernel& kernel, const Device& device, const ForwardCase& wanted) {
    ForwardData data(wanted, kernel.width, 7);
    auto a = data.arguments;
    OnDevice memory;
    const auto bytes = static_cast<std::int64_t>(a.precision == Precision::Float32 ? 4 : 2);
    const auto size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
    for (auto* rows : {&a.query, &a.key, &a.value})
        memory.move(rows->data, size(a.B * rows->batch_stride * bytes));
    memory.move(a.output.data, data.output.size() * sizeof(float));
    memory.move(a.lse, data.lse.size() * sizeof(float));
    const auto words = (a.S + 31) / 32;
    memory.move(a.valid_lengths.lengths, size(a.B * a.valid_lengths.batch_stride) * 4);
    memory.move(a.key_padding.words, size(a.B * words) * 4);
    memory.move(a.kept.words, size(static_cast<std::int64_t>(a.H) * a.L * words) * 4);
    memory.move(a.bias.values, size(static_cast<std::int64_t>(a.B) * a.L * a.S) * 4);
    if (!kernel.supports(a))
        return {-1.0, -1.0};
    require(kernel.name, kernel.launch(a, device, nullptr));
    require(kernel.name, cudaDeviceSynchronize());
    require("cudaMemcpy",
            cudaMemcpy(data.output.data(), a.output.data, data.output.size() * sizeof(float), cudaMemcpyDeviceToHost));
    require("cudaMemcpy", cudaMemcpy(data.lse.data(), a.lse, data.lse.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return data.difference();
}

struct Choices {
    std::string kernel, json;
    bool quick = false;
};

struct Line {
    std::string kernel;
    int cases = 0, unsupported = 0, wrong = 0;
    ForwardData::Difference worst = {}; ///< as parts of what is allowed
};

std::vector<NamedCase> cases_for(const ForwardKernel& kernel, bool quick) {
    const int width = kernel.width > 0 ? kernel.width : 40;
    std::vector<NamedCase> cases;
    for (const auto& [L, S] :
         {std::pair{113, 203}, std::pair{1, 1}, std::pair{3, 0}, std::pair{70, 150}, std::pair{257, 131},
          std::pair{128, 128}, std::pair{1, 1000}, std::pair{300, 1}, std::pair{129, 513}}) {
        if (quick && L != 113)
            continue;
        for (const bool narrow : {false, true}) {
            ForwardCase c{.precision = kernel.precision, .H = 2, .Hkv = 1, .L = L, .S = S};
            c.E = c.Ev = narrow && width > 8 ? width - 3 : width;
            const auto name = std::to_string(L) + "x" + std::to_string(S) + (narrow ? " padded" : "");
            if ((L == 113 || L == 70) && !(quick && narrow))
                for (auto& [mask, changed] : mask_cases_of(c))
                    cases.push_back({name + " " + mask, changed});
            else
                cases.push_back({name, c});
        }
    }
    return cases;
}

Line checked(const ForwardKernel& kernel, const Device& device, bool quick) {
    Line line;
    line.kernel = kernel.name;
    for (const auto& [name, forward] : cases_for(kernel, quick)) {
        const auto got = run(kernel, device, forward);
        const auto limits = limits_of(forward);
        ++line.cases;
        if (got.output < 0.0) {
            ++line.unsupported;
            continue;
        }
        const ForwardData::Difference part{got.output / limits.output, got.lse / limits.lse};
        if (!(part.output <= 1.0 && part.lse <= 1.0)) {
            ++line.wrong;
            std::printf("WRONG %s, %s: output off by %.3g, lse by %.3g\n", kernel.name, name.c_str(), got.output,
                        got.lse);
        }
        line.worst.output = std::isnan(part.output) ? part.output : std::max(line.worst.output, part.output);
        line.worst.lse = std::isnan(part.lse) ? part.lse : std::max(line.worst.lse, part.lse);
    }
    return line;
}

void write_json(const std::string& path, const Device& device, const std::vector<Line>& lines) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (!file)
        throw std::runtime_error(path + ": cannot be written");
    std::fprintf(file, "{\"device\": \"%s\", \"compute_capability\": %d, \"kernels\": [", device.name.c_str(),
                 device.capability);
    for (const auto& line : lines)
        std::fprintf(file,
                     "%s\n  {\"name\": \"%s\", \"cases\": %d, \"unsupported\": %d, \"wrong\": %d, \"output_of_limit\": "
                     "%.4g, \"lse_of_limit\": %.4g}",
                     &line == lines.data() ? "" : ",", line.kernel.c_str(), line.cases, line.unsupported, line.wrong,
                     std::isnan(line.worst.output) ? 1e9 : line.worst.output,
                     std::isnan(line.worst.lse) ? 1e9 : line.worst.lse);
    std::fprintf(file, "\n]}\n");
    std::fclose(file);
}

int check(const Choices& choices) {
    const auto& found = devices();
    if (found.devices.empty()) {
        std::printf("no device: %s\n", found.why_none->english().c_str());
        return 3;
    }
    const auto& device = found.devices.front();
    require("cudaSetDevice", cudaSetDevice(device.ordinal));
    std::vector<Line> lines;
    // Before the kernels that rest on it.
    int wrong = device.capability == 90 ? HopperProducts::check() : 0;
    for (const auto& kernel : forward_kernels()) {
        if (device.capability < kernel.least_capability || device.capability > kernel.most_capability ||
            std::strstr(kernel.name, choices.kernel.c_str()) == nullptr)
            continue;
        lines.push_back(checked(kernel, device, choices.quick));
        const auto& line = lines.back();
        wrong += line.wrong;
        std::printf("%-24s %4d cases, %3d unsupported, %3d wrong; worst of what is allowed: output %.2f, lse %.2f\n",
                    line.kernel.c_str(), line.cases, line.unsupported, line.wrong, line.worst.output, line.worst.lse);
    }
    if (!choices.json.empty())
        write_json(choices.json, device, lines);
    if (lines.empty()) {
        std::printf("no kernel was checked\n");
        return 1;
    }
    return wrong == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    Choices choices;
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        if (word == "--quick")
            choices.quick = true;
        else if (word == "--kernel" && k + 1 < argc)
            choices.kernel = argv[++k];
        else if (word == "--json" && k + 1 < argc)
            choices.json = argv[++k];
        else {
            std::fprintf(stderr, "usage: gpu_check [--quick] [--kernel TEXT] [--json FILE]\n");
            return 2;
        }
    }
    try {
        return check(choices);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpu_check: %s\n", error.what());
        return 1;
    }
}
