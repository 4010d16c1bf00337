// Compares the backend and the maps as used by the program, with the real CUDA runtime, with the engine on the CPU.
#pragma once

#include "core/attention.h"
#include "core/flash/cpu_backend.h"
#include "core/map/attention_map.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "gpu/cuda_backend.h"

#include <cmath>
#include <string>

namespace attnlab::gpu {

class WholePath {
public:
    /// The error; empty if correct. A note that something else computed it is an error here.
    static std::string backend(Precision precision, double tolerance) {
        for (const bool causal : {false, true}) {
            const auto problem = problem_of(causal);
            const auto* cuda = cuda_backend(precision);
            if (!cuda)
                return "there is no backend";
            const auto got = cuda->run(problem, {}), expected = reference_backend().run(problem, {});
            if (!got.notes.empty())
                return got.notes.front().message.english();
            for (const auto* name : {"output", "lse"}) {
                const double off =
                    largest_difference(got.find(name)->value.values(), expected.find(name)->value.values());
                if (!(off < tolerance))
                    return std::string(name) + (causal ? ", causal" : "") + " off by " + std::to_string(off);
            }
        }
        return {};
    }

    static std::string maps() {
        for (const bool causal : {false, true}) {
            const auto problem = problem_of(causal);
            const AttentionMap device(std::make_shared<const MapInputs>(problem, cuda_maps()), 1, 3),
                cores(std::make_shared<const MapInputs>(problem), 1, 3);
            for (const BinGrid& grid : {BinGrid{device.all(), 64, 64}, BinGrid{{10, 290, 7, 470}, 9, 31}})
                for (const Pool pool : {Pool::Max, Pool::Mean}) {
                    const auto got = device.pool(grid, pool).values(pool),
                               expected = cores.pool(grid, pool).values(pool);
                    if (const double off = largest_difference(got, expected); !(off < 1e-5))
                        return "bins off by " + std::to_string(off);
                }
            if (!device.notes().empty())
                return device.notes().front().english();
        }
        return {};
    }

private:
    static AttentionProblem problem_of(bool causal) {
        AttentionProblem problem;
        problem.tensors["query"] = random_normal({2, 4, 300, 50}, 1);
        problem.tensors["key"] = random_normal({2, 2, 500, 50}, 2);
        problem.tensors["value"] = random_normal({2, 2, 500, 50}, 3);
        if (causal)
            problem.spec.masks.push_back(parse_mask("causal"));
        return problem;
    }

    /// Infinite if only one of them has a NaN.
    template <class Values>
    static double largest_difference(const Values& got, const Values& expected) {
        double largest = 0.0;
        for (std::size_t k = 0; k < got.size(); ++k) {
            const double a = static_cast<double>(got[k]), b = static_cast<double>(expected[k]);
            const bool same = a == b || (std::isnan(a) && std::isnan(b));
            const double off = same ? 0.0 : std::abs(a - b);
            largest = off <= largest ? largest : off <= HUGE_VAL ? off : HUGE_VAL;
        }
        return largest;
    }
};

} // namespace attnlab::gpu
