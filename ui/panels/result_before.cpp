#include "ui/panels/result_before.h"

#include "ui/matrix/stages/stage_matrix.h"
#include "ui/panels/setting_words.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace attnlab::ui {
namespace {

constexpr std::int64_t most_cells = 1 << 20; ///< of the scores of a result that is kept in memory

bool isSmall(const Trace& trace) {
    std::int64_t cells = 0;
    for (const Stage& stage : trace.stages)
        cells = std::max(cells, stage.value.size());
    return cells <= most_cells;
}

} // namespace

void ResultBefore::setNext(const ComputedPtr& computed, const AttentionProblem& problem) {
    if (!computed || !shown_ || !keepsColors(shown_from_, shown_from_.spec, problem, problem.spec))
        before_.reset();
    else if (!before_ && shown_from_.spec != problem.spec && isSmall(shown_->trace)) {
        before_ = shown_;
        before_from_ = shown_from_.spec;
    }
    if (before_ && before_from_ == problem.spec)
        before_.reset();
    shown_ = computed;
    shown_from_ = problem;
}

QString ResultBefore::setting() const {
    if (!before_)
        return {};
    const std::array settings{before_from_, shown_from_.spec};
    return SettingWords::ofEach(settings).front();
}

} // namespace attnlab::ui
