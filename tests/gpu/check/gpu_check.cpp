// Compares the CUDA path on a device with float64, for awkward shapes: the product that verifies the Hopper layout,
// every kernel of the tables, backend and maps as the program calls them. Prints a line for each, and writes JSON to a
// given file after each. See usage() for the options.
#include "tests/gpu/check/hopper_products.h"
#include "tests/gpu/check/on_device.h"
#include "tests/gpu/check/whole_path.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>

using namespace attnlab;
using namespace attnlab::gpu;

namespace {

struct Choices {
    std::vector<std::string> kernels; ///< exact names; empty: all
    std::string json;
    bool quick = false, list = false;
};

struct Line {
    std::string name;
    int cases = 0, unsupported = 0, wrong = 0;
    ForwardData::Difference worst = {}; ///< relative to the tolerance
    std::string first_wrong = {};
    double seconds = 0.0;

    void fail(const std::string& why) {
        if (wrong++ == 0)
            first_wrong = why;
        if (wrong <= 5)
            std::printf("WRONG %s, %s\n", name.c_str(), why.c_str());
    }
};

/// A check with its name.
struct Check {
    std::string name;
    std::function<void(Line&, bool quick)> run;
};

std::vector<NamedCase> cases_for(const ForwardKernel& kernel, bool quick) {
    const int width = kernel.width > 0 ? kernel.width : 40;
    std::vector<NamedCase> cases;
    for (const auto& [L, S] : {std::pair{113, 203}, std::pair{1, 1}, std::pair{3, 0}, std::pair{70, 150},
                               std::pair{257, 131}, std::pair{128, 128}, std::pair{1, 1000}, std::pair{300, 1},
                               std::pair{129, 513}, std::pair{1100, 700}, std::pair{1, 16384}, std::pair{1, 131072}}) {
        if (quick && L != 113)
            continue;
        for (const bool narrow : {false, true}) {
            ForwardCase c{.precision = kernel.precision, .H = 2, .Hkv = 1, .L = L, .S = S};
            c.E = c.Ev = narrow && width > 8 ? width - 3 : width;
            const auto name = std::to_string(L) + "x" + std::to_string(S) + (narrow ? " padded" : "");
            if (narrow && S > 10000)
                continue;
            if ((L == 113 || L == 70) && !(quick && narrow))
                for (auto& [mask, changed] : mask_cases_of(c))
                    cases.push_back({name + " " + mask, changed});
            else
                cases.push_back({name, c});
        }
    }
    return cases;
}

/// The larger one; NaN exceeds everything.
double worse(double so_far, double now) { return now <= so_far || std::isnan(so_far) ? so_far : now; }

/// On so few multiprocessors every block takes a second work.
constexpr int few_multiprocessors = 2;

bool is_persistent(const char* kernel) { return std::string_view(kernel).starts_with("hopper"); }

void check_forward_on(const ForwardKernel& kernel, const Device& device, Line& line, bool quick) {
    for (const auto& [name, forward] : cases_for(kernel, quick)) {
        const auto limits = limits_of(forward);
        const auto got = run_on_device(kernel, device, forward, limits, name);
        ++line.cases;
        if (got.output < 0.0) {
            ++line.unsupported;
            continue;
        }
        const ForwardData::Difference part{got.output / limits.output, got.lse / limits.lse};
        if (!(part.output <= 1.0 && part.lse <= 1.0)) {
            char text[128];
            std::snprintf(text, sizeof text, " on %d multiprocessors: output off by %.3g, lse by %.3g; ",
                          device.multiprocessors, got.output, got.lse);
            line.fail(name + text + got.text());
        }
        line.worst.output = worse(line.worst.output, part.output);
        line.worst.lse = worse(line.worst.lse, part.lse);
    }
}

void check_forward(const ForwardKernel& kernel, const Device& device, Line& line, bool quick) {
    check_forward_on(kernel, device, line, quick);
    if (!is_persistent(kernel.name))
        return;
    Device few = device;
    few.multiprocessors = few_multiprocessors;
    check_forward_on(kernel, few, line, true);
}

void check_map(const MapKernel& kernel, const Device& whole_device, Line& line, bool quick) {
    Device device = whole_device;
    if (is_persistent(kernel.name))
        device.multiprocessors = few_multiprocessors;
    int number = 0;
    for (const auto& [name, map] : map_cases(kernel.precision, kernel.width)) {
        if (quick && number++ % 6 != 0)
            continue;
        ++line.cases;
        if (const auto wrong = run_on_device(kernel, device, map, name); !wrong.empty())
            line.fail(name + ": " + wrong);
    }
}

template <class Kernel>
bool fits(const Kernel& kernel, const Device& device) {
    return device.capability >= kernel.least_capability && device.capability <= kernel.most_capability;
}

Check whole_check(const std::string& name, const std::function<std::string()>& run) {
    return {name, [run](Line& line, bool) {
                ++line.cases;
                if (const auto wrong = run(); !wrong.empty())
                    line.fail(wrong);
            }};
}

std::vector<Check> checks_on(const Device& device) {
    std::vector<Check> checks;
    // Before the kernels that depend on it.
    if (device.capability == 90)
        checks.push_back({"products", [](Line& line, bool) {
                              line.cases = HopperProducts::forms;
                              if (const int wrong = HopperProducts::check())
                                  line.fail(std::to_string(wrong) + " forms are wrong");
                          }});
    for (const auto& kernel : forward_kernels())
        if (fits(kernel, device))
            checks.push_back({kernel.name, [&kernel, &device](Line& line, bool quick) {
                                  check_forward(kernel, device, line, quick);
                              }});
    for (const auto& kernel : map_kernels())
        if (fits(kernel, device))
            checks.push_back(
                {kernel.name, [&kernel, &device](Line& line, bool quick) { check_map(kernel, device, line, quick); }});
    for (const auto& [precision, name, tolerance] : {std::tuple{Precision::Float32, "backend float32", 1e-5},
                                                     std::tuple{Precision::BFloat16, "backend bfloat16", 3e-2},
                                                     std::tuple{Precision::Float16, "backend float16", 4e-3}})
        checks.push_back(whole_check(
            name, [precision = precision, tolerance = tolerance] { return WholePath::backend(precision, tolerance); }));
    checks.push_back(whole_check("maps", [] { return WholePath::maps(); }));
    return checks;
}

/// For JSON. Names and messages contain no other characters to escape.
std::string quoted(const std::string& text) {
    std::string all = "\"";
    for (const char sign : text) {
        if (sign == '"' || sign == '\\')
            all += '\\';
        all += sign == '\n' ? ' ' : sign;
    }
    return all + "\"";
}

void write_json(const std::string& path, const Device& device, const std::vector<Line>& lines) {
    if (path.empty())
        return;
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (!file)
        throw std::runtime_error(path + ": cannot be written");
    std::fprintf(file, "{\"device\": %s, \"compute_capability\": %d, \"driver\": %d, \"runtime\": %d, \"checks\": [",
                 quoted(device.name).c_str(), device.capability, devices().driver_version, devices().runtime_version);
    for (const auto& line : lines)
        std::fprintf(file,
                     "%s\n  {\"name\": %s, \"cases\": %d, \"unsupported\": %d, \"wrong\": %d, \"output_of_limit\": "
                     "%.4g, \"lse_of_limit\": %.4g, \"first_wrong\": %s, \"seconds\": %.2f}",
                     &line == lines.data() ? "" : ",", quoted(line.name).c_str(), line.cases, line.unsupported,
                     line.wrong, std::isfinite(line.worst.output) ? line.worst.output : 1e9,
                     std::isfinite(line.worst.lse) ? line.worst.lse : 1e9, quoted(line.first_wrong).c_str(),
                     line.seconds);
    std::fprintf(file, "\n]}\n");
    std::fclose(file);
}

/// After an error of CUDA the device is often unusable: later checks would fail too.
bool run(const Check& check, bool quick, Line& line) {
    const auto start = std::chrono::steady_clock::now();
    bool goes_on = true;
    try {
        check.run(line, quick);
    } catch (const std::exception& error) {
        line.fail(error.what());
        goes_on = false;
    }
    line.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf(
        "%-28s %4d cases, %3d unsupported, %3d wrong; worst of what is allowed: output %.2f, lse %.2f; %.1f s\n",
        line.name.c_str(), line.cases, line.unsupported, line.wrong, line.worst.output, line.worst.lse, line.seconds);
    std::fflush(stdout);
    return goes_on;
}

int check(const Choices& choices) {
    const auto& found = devices();
    if (found.devices.empty()) {
        std::printf("no device: %s\n", found.why_none->english().c_str());
        return 3;
    }
    const auto& device = found.devices.front();
    require_success("cudaSetDevice", cudaSetDevice(device.ordinal));
    std::vector<Line> lines;
    bool well = true;
    for (const auto& one : checks_on(device)) {
        const auto& wanted = choices.kernels;
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), one.name) == wanted.end())
            continue;
        if (choices.list) {
            std::printf("%s\n", one.name.c_str());
            continue;
        }
        lines.push_back({.name = one.name});
        const bool goes_on = run(one, choices.quick, lines.back());
        well = well && lines.back().wrong == 0;
        write_json(choices.json, device, lines);
        if (!goes_on)
            return 1;
    }
    if (lines.empty() && !choices.list) {
        std::printf("nothing was checked\n");
        return 1;
    }
    return well ? 0 : 1;
}

int usage() {
    std::fprintf(stderr, "usage: gpu_check [--quick] [--kernel NAME]... [--json FILE]\n       gpu_check --list\n");
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    Choices choices;
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        if (word == "--quick")
            choices.quick = true;
        else if (word == "--list")
            choices.list = true;
        else if (word == "--kernel" && k + 1 < argc)
            choices.kernels.push_back(argv[++k]);
        else if (word == "--json" && k + 1 < argc)
            choices.json = argv[++k];
        else
            return usage();
    }
    try {
        return check(choices);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpu_check: %s\n", error.what());
        return 1;
    }
}
