#include "ui/model/compute_capture.h"

#include "core/capture/pass_name.h"
#include "core/model/captured_heads.h"
#include "ui/model/head_pictures.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

namespace attnlab::ui {
namespace {

/// Each layer of one stack, once.
bool areLayers(const Capture& capture) {
    std::set<std::int64_t> layers;
    const auto first = parts_of_pass_name(capture.passes.front().name);
    return first && std::ranges::all_of(capture.passes, [&](const CapturedPass& pass) {
               const auto parts = parts_of_pass_name(pass.name);
               return parts && parts->stack == first->stack && parts->kind == "self" && parts->run == 0 &&
                      layers.insert(parts->layer).second;
           });
}

PassHeads capturedHeads(const CapturePtr& capture, const CapturedPass& captured, int sequence,
                        const RunControl& control) {
    PassHeads heads;
    heads.name = captured.name;
    heads.one = [capture, &captured, sequence](int head) {
        return OneHead{std::make_shared<const model::Pass>(model::pass_of(*capture, captured, sequence, head)), 0};
    };
    heads.whole = [capture, &captured, sequence] {
        return std::make_shared<const model::Pass>(model::pass_of(*capture, captured, sequence));
    };
    heads.tokens = model::tokens_of(*capture, captured, sequence);
    const auto pass = heads.whole();
    heads.is_cross = pass->is_cross();
    summarise(heads, *pass, heads.tokens.queries, control);
    return heads;
}

} // namespace

int sequencesOf(const Capture& capture) {
    auto count = std::int64_t{std::numeric_limits<int>::max()};
    for (const auto& pass : capture.passes)
        count = std::min(count, model::size_of(capture, pass).batch);
    return static_cast<int>(count);
}

ModelResultPtr computeCapture(const CapturePtr& capture, int sequence, const RunControl& control) {
    const auto start = std::chrono::steady_clock::now();
    std::int64_t count = 0;
    for (const auto& pass : capture->passes)
        count += pass.heads;
    if (count > most_captured_heads)
        throw Error({ATTNLAB_TEXT("%1: has %2 heads; at most %3 are shown beside each other"),
                     {capture->file, std::to_string(count), std::to_string(most_captured_heads)}});
    auto made = std::make_shared<ModelResult>();
    made->capture = capture;
    made->sequence = sequence;
    made->are_layers = areLayers(*capture);
    const auto passes = static_cast<double>(capture->passes.size());
    for (const auto& pass : capture->passes) {
        const auto done = static_cast<double>(made->passes.size());
        const auto part = control.part(done / passes, (done + 1.0) / passes);
        part.checkpoint();
        part.report(0.0);
        made->passes.push_back(capturedHeads(capture, pass, sequence, part));
        made->passes.back().title =
            made->are_layers ? QString::number(parts_of_pass_name(pass.name)->layer) : textOf(pass.name);
    }
    made->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return made;
}

} // namespace attnlab::ui
