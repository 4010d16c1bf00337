// The common part of the tests of maps in the window.
#pragma once

#include "core/map/map_engine.h"
#include "tests/ui/traces.h"

#include <atomic>
#include <functional>

namespace attnlab::ui {

inline AttentionProblem longProblem(int heads = 2) {
    auto problem = problemOf(heads, 300, 500, 8);
    problem.spec.masks = {{"window", {}}};
    problem.spec.masks[0].parameters.set("w", std::int64_t{200});
    return problem;
}

/// Computes the only head of a problem on the CPU under another name, until it fails; can block before a given call.
/// Calls `on_call` first, from the thread that computes.
class Engine : public MapEngine {
public:
    explicit Engine(AttentionProblem problem = longProblem(1)) : problem_(std::move(problem)) {}
    std::string title() const override { return "an engine"; }
    std::unique_ptr<const MapHead> open(const flash::Problem&) const override {
        return std::make_unique<const Head>(*this);
    }

    mutable std::atomic<int> calls = 0;
    std::atomic<bool> fails = false;
    std::function<void()> on_call;
    int break_before = 0; ///< blocks before this call until goes_on is set
    std::atomic<bool> goes_on = false;

private:
    struct Head : MapHead {
        explicit Head(const Engine& owner)
            : engine(owner), map(std::make_shared<const MapInputs>(owner.problem_), 0, 0) {}
        std::vector<float> lse(const RunControl&) const override {
            take_call();
            return {map.lse().begin(), map.lse().end()};
        }
        void weights(const CellRect& cells, const RowScales&, float* out, bool log2,
                     const RunControl& control) const override {
            take_call();
            map.weights(cells, out, log2 ? AttentionMap::Form::Log2 : AttentionMap::Form::Weight, control);
        }
        MapBins pool(const BinGrid& grid, const RowScales&, bool sums, const RunControl& control) const override {
            take_call();
            return map.pool(grid, sums ? Pool::Mean : Pool::Max, control);
        }
        std::string kernel() const override { return {}; }
        void take_call() const {
            if (engine.on_call)
                engine.on_call();
            if (++engine.calls == engine.break_before)
                engine.goes_on.wait(false);
            if (engine.fails)
                throw Error(Message("the engine is gone"));
        }
        const Engine& engine;
        const AttentionMap map;
    };
    const AttentionProblem problem_;
};

} // namespace attnlab::ui
