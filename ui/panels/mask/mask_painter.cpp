#include "ui/panels/mask/mask_painter.h"

#include "core/edit/painted_mask.h"
#include "core/lookup.h"
#include "core/random.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cstdlib>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QWidget>

namespace attnlab::ui {

std::vector<Cell> cellsBetween(Cell from, Cell to) {
    const int width = std::abs(to.column - from.column);
    const int height = std::abs(to.row - from.row);
    const int step_x = from.column < to.column ? 1 : -1;
    const int step_y = from.row < to.row ? 1 : -1;
    std::vector<Cell> cells{from};
    int error = width - height;
    for (Cell at = from; at != to; cells.push_back(at)) {
        const int doubled = 2 * error;
        if (doubled > -height) {
            error -= height;
            at.column += step_x;
        }
        if (doubled < width) {
            error += width;
            at.row += step_y;
        }
    }
    return cells;
}

void applyTool(MaskTool tool, Cell from, Cell to, double value, std::span<double> matrix, int rows, int columns) {
    const auto set = [&](int row, int column) {
        if (row >= 0 && row < rows && column >= 0 && column < columns)
            matrix[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                   static_cast<std::size_t>(column)] = value;
    };
    if (tool == MaskTool::Brush) {
        for (const Cell cell : cellsBetween(from, to))
            set(cell.row, cell.column);
        return;
    }
    const auto [top, bottom] = std::minmax({from.row, to.row});
    const auto [left, right] = std::minmax({from.column, to.column});
    const auto [low, high] = std::minmax({from.column - from.row, to.column - to.row});
    const bool all_rows = tool == MaskTool::Column || tool == MaskTool::Diagonal;
    const int first_row = all_rows ? 0 : std::max(top, 0);
    const int last_row = all_rows ? rows - 1 : std::min(bottom, rows - 1);
    for (int row = first_row; row <= last_row; ++row) {
        int first = std::max(left, 0);
        int last = std::min(right, columns - 1);
        if (tool == MaskTool::Row) {
            first = 0;
            last = columns - 1;
        } else if (tool == MaskTool::Diagonal) {
            first = std::max(row + low, 0);
            last = std::min(row + high, columns - 1);
        }
        for (int column = first; column <= last; ++column)
            set(row, column);
    }
}

MaskLayers::MaskLayers(const AttentionProblem& problem, const MaskContext& context) : context_(context) {
    const auto cells = static_cast<double>(context.B) * static_cast<double>(context.H) *
                       static_cast<double>(context.L) * static_cast<double>(context.S);
    too_large_ = cells > static_cast<double>(largest);
    if (too_large_ || cells == 0.0)
        return;
    for (const auto& mask : problem.spec.masks) {
        try {
            const MaskKind& kind = mask_kind(mask.id);
            if (kind.adds)
                continue;
            Tensor blocked = blocked_by(mask, problem, context);
            if (blocked.rank() == 4)
                layers_.push_back({&kind, std::move(blocked)});
        } catch (const Error& error) {
            if (error_.isEmpty())
                error_ = translated(error.message());
        }
    }
    for (const auto& layer : layers_)
        combine(layer.blocked);
}

void MaskLayers::combine(const Tensor& blocked) {
    if (combined_.rank() != 4) {
        combined_ = blocked;
        return;
    }
    const auto values = combined_.mutable_values();
    std::ranges::transform(values, blocked.values(), values.begin(), [](double a, double b) { return std::max(a, b); });
}

Tensor MaskLayers::beyond(const Tensor& blocked) const {
    if (too_large_ || blocked.rank() != 4 || blocked.dim(0) != context_.B || blocked.dim(1) != context_.H ||
        blocked.dim(2) != context_.L || blocked.dim(3) < context_.S)
        return {};
    Tensor result(Shape{context_.B, context_.H, context_.L, context_.S}, 0.0, DType::Bool);
    const auto values = result.mutable_values();
    const auto columns = static_cast<std::size_t>(context_.S);
    const auto known = combined_.values();
    bool any = false;
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        const std::size_t in_trace = cell / columns * static_cast<std::size_t>(blocked.dim(3)) + cell % columns;
        if (blocked.values()[in_trace] != 0.0 && (known.empty() || known[cell] == 0.0)) {
            values[cell] = 1.0;
            any = true;
        }
    }
    return any ? result : Tensor();
}

void MaskLayers::addMechanism(const Tensor& blocked) {
    if (blocked.shape() != Shape{context_.B, context_.H, context_.L, context_.S})
        return;
    layers_.insert(layers_.begin(), {nullptr, blocked});
    combine(blocked);
}

bool MaskLayers::blocksAny() const {
    return std::ranges::any_of(combined_.values(), [](double cell) { return cell != 0.0; });
}

double MaskLayers::blockedShare(int batch, int head, Cell cell) const { return share(combined_, batch, head, cell); }

double MaskLayers::paintedShare(int batch, int head, Cell cell) const {
    for (const auto& layer : layers_)
        if (layer.kind && layer.kind->id == painted_mask::kind_id)
            return share(layer.blocked, batch, head, cell);
    return 0.0;
}

QStringList MaskLayers::blockers(int batch, int head, Cell cell) const {
    QStringList titles;
    for (const auto& layer : layers_)
        if (share(layer.blocked, batch, head, cell) > 0.0)
            titles << (layer.kind ? translated(layer.kind->title)
                                  : QCoreApplication::translate("MaskLayers", "the mechanism"));
    titles.removeDuplicates();
    return titles;
}

double MaskLayers::share(const Tensor& blocked, int batch, int head, Cell cell) const {
    if (blocked.rank() != 4 || cell.row < 0 || cell.row >= rows() || cell.column < 0 || cell.column >= columns())
        return 0.0;
    const std::int64_t in_matrix = cell.row * context_.S + cell.column;
    const std::int64_t matrix = context_.L * context_.S;
    // A view may still refer to a batch or head that the problem no longer has.
    const double* of_batch =
        blocked.data() + std::clamp<std::int64_t>(batch, 0, context_.B - 1) * context_.H * matrix + in_matrix;
    if (head != ViewState::mean_of_heads)
        return of_batch[std::clamp<std::int64_t>(head, 0, context_.H - 1) * matrix];
    double sum = 0.0;
    for (std::int64_t h = 0; h < context_.H; ++h)
        sum += of_batch[h * matrix];
    return sum / static_cast<double>(context_.H);
}

AttentionProblem maskPartOf(const AttentionProblem& problem) {
    AttentionProblem part;
    part.spec.masks = problem.spec.masks;
    part.spec.mask_true = problem.spec.mask_true;
    part.spec.query_offset = problem.spec.query_offset;
    for (const auto& mask : problem.spec.masks) {
        const MaskKind* kind = lookup(mask_kinds(), mask.id);
        if (!kind)
            continue;
        for (const Input& input : kind->inputs)
            if (const auto found = problem.tensors.find(input.name); found != problem.tensors.end())
                part.tensors.insert(*found);
    }
    return part;
}

namespace {

/// Larger painted masks would take hundreds of megabytes for each undo step.
constexpr std::int64_t largest_mask = 4'000'000;

} // namespace

MaskPainter::MaskPainter(Document& document, ViewState& view, QObject* parent)
    : QObject(parent), document_(document), view_(view) {
    connect(&document_, &Document::problemChanged, this, [this] {
        // An undo or another edit during a stroke: its initial state is lost.
        if (!storing_)
            leaveStroke();
        updateContext();
    });
    connect(&view_, &ViewState::sliceChanged, this, &MaskPainter::end);
    updateContext();
}

void MaskPainter::updateContext() {
    const auto context = painted_mask::sizes_of(document_.problem(), computed_ ? &computed_->trace : nullptr);
    if (context == context_)
        return;
    context_ = context;
    emit contextChanged();
}

bool MaskPainter::contains(Cell cell) const {
    return context_ && cell.row >= 0 && cell.row < context_->L && cell.column >= 0 && cell.column < context_->S;
}

bool MaskPainter::isPainted(Cell cell) const {
    const AttentionProblem& problem = document_.problem();
    if (!contains(cell) || !painted_mask::is_applied(problem.spec) ||
        !problem.tensors.contains(painted_mask::array_name))
        return false;
    const Tensor painted = painted_mask::cells_of(problem, *context_);
    if (painted.rank() == 2)
        return painted.at({cell.row, cell.column}) != 0.0;
    const std::int64_t batch = std::clamp<std::int64_t>(view_.batch(), 0, context_->B - 1);
    for (std::int64_t head = 0; head < context_->H; ++head)
        if ((view_.head() == ViewState::mean_of_heads || view_.head() == head) &&
            painted.at({batch, head, cell.row, cell.column}) != 0.0)
            return true;
    return false;
}

bool MaskPainter::isMisfit() const { return context_ && painted_mask::is_misfit(document_.problem(), *context_); }

void MaskPainter::setTool(MaskTool tool) {
    if (tool_ == tool)
        return;
    end();
    tool_ = tool;
    emit settingsChanged();
}

void MaskPainter::setErasing(bool erasing) {
    if (erasing_ == erasing)
        return;
    erasing_ = erasing;
    emit settingsChanged();
}

void MaskPainter::setPerHead(bool per_head) {
    if (per_head_ == per_head)
        return;
    end();
    per_head_ = per_head;
    emit settingsChanged();
}

void MaskPainter::setAllBatches(bool all_batches) {
    if (all_batches_ == all_batches)
        return;
    end();
    all_batches_ = all_batches;
    emit settingsChanged();
}

void MaskPainter::setTrace(const ComputedPtr& computed) {
    computed_ = computed;
    updateContext();
    emit traceChanged();
}

void MaskPainter::cancelOnEscape(QWidget& view) { view.installEventFilter(this); }

bool MaskPainter::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (stroking_ && key && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (event->type() == QEvent::KeyPress)
            cancel();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

void MaskPainter::begin(Cell cell, bool erase) {
    end();
    if (explainRefusal(cell))
        return;
    stroking_ = true;
    stroke_erases_ = erase || erasing_;
    gesture_ = Document::newGesture();
    first_ = last_ = cell;
    before_ = document_.problem();
    start_ = painted_mask::cells_of(before_, *context_);
    working_ = start_;
    apply(cell, cell);
}

void MaskPainter::move(Cell cell) {
    if (!stroking_ || cell == last_)
        return;
    apply(last_, cell);
    last_ = cell;
}

void MaskPainter::end() {
    if (!stroking_)
        return;
    const bool nothing_erased = stroke_erases_ && document_.problem() == before_;
    leaveStroke();
    if (nothing_erased)
        emit refused(tr("Nothing painted there. What a preset blocks opens when the preset is switched off."));
}

void MaskPainter::cancel() {
    if (!stroking_)
        return;
    storing_ = true;
    document_.edit(tr("Paint mask"), before_, gesture_);
    storing_ = false;
    leaveStroke();
}

void MaskPainter::leaveStroke() {
    if (!stroking_)
        return;
    stroking_ = false;
    before_ = {};
    start_ = {};
    working_ = {};
    emit strokeFinished();
}

bool MaskPainter::explainRefusal(Cell cell) {
    if (!context_) {
        emit refused(tr("There are no scores yet to paint a mask on."));
        return true;
    }
    if (cell.column >= context_->S && cell.row >= 0 && cell.row < context_->L) {
        emit refused(tr("This key was appended by the mechanism: every mask lets it through."));
        return true;
    }
    if (!contains(cell))
        return true;
    const std::int64_t matrix = context_->L * context_->S;
    const std::int64_t cells = per_head_ ? matrix * context_->B * context_->H : matrix;
    if (cells > largest_mask) {
        emit refused(tr("A mask of %L1 cells is too large to paint by hand; open it from a file.").arg(cells));
        return true;
    }
    return false;
}

void MaskPainter::apply(Cell from, Cell to) {
    const bool brush = tool_ == MaskTool::Brush;
    const int rows = static_cast<int>(context_->L);
    const int columns = static_cast<int>(context_->S);
    const double value = stroke_erases_ ? 0.0 : 1.0;
    Tensor painted = written(brush ? working_ : start_, [&](std::span<double> matrix) {
        applyTool(tool_, brush ? from : first_, to, value, matrix, rows, columns);
    });
    if (brush)
        working_ = painted;
    if (stroke_erases_ && painted_mask::collapsed(painted) == start_) {
        // Nothing was erased: leaves the masks unchanged, including an empty painted one.
        storing_ = true;
        document_.edit(tr("Erase painted mask"), before_, gesture_);
        storing_ = false;
        return;
    }
    store(before_, painted, stroke_erases_ ? tr("Erase painted mask") : tr("Paint mask"), gesture_);
}

bool MaskPainter::writesAll() const {
    const bool one_head = per_head_ && view_.head() != ViewState::mean_of_heads;
    const bool one_batch = per_head_ && !all_batches_;
    return !(one_head && context_->H > 1) && !(one_batch && context_->B > 1);
}

Tensor MaskPainter::written(Tensor painted, const Write& write) const {
    const bool one_head = per_head_ && view_.head() != ViewState::mean_of_heads;
    const bool one_batch = per_head_ && !all_batches_;
    if (!writesAll())
        painted = painted_mask::spread(painted, *context_);
    const auto cells = static_cast<std::size_t>(context_->L * context_->S);
    const std::int64_t heads = painted.rank() == 4 ? context_->H : 1;
    const std::int64_t count = matrix_count(painted);
    const std::span<double> values = painted.mutable_values();
    for (std::int64_t slice = 0; slice < count; ++slice) {
        const bool other_head = painted.rank() == 4 && one_head && slice % heads != view_.head();
        const bool other_batch = painted.rank() == 4 && one_batch && slice / heads != view_.batch();
        if (!other_head && !other_batch)
            write(values.subspan(static_cast<std::size_t>(slice) * cells, cells));
    }
    return painted;
}

void MaskPainter::store(const AttentionProblem& base, const Tensor& painted, const QString& text, int gesture) {
    AttentionProblem next = base;
    painted_mask::store(next, painted);
    storing_ = true;
    document_.edit(text, std::move(next), gesture);
    storing_ = false;
}

void MaskPainter::clearPainted() {
    end();
    // Without sizes there is no distinction of heads; all cleared, no cells are needed.
    Tensor painted;
    if (context_ && !writesAll() && document_.problem().tensors.contains(painted_mask::array_name)) {
        if (explainRefusal({0, 0}))
            return;
        painted = written(painted_mask::cells_of(document_.problem(), *context_),
                          [](std::span<double> matrix) { std::ranges::fill(matrix, 0.0); });
    }
    store(document_.problem(), painted, tr("Clear painted mask"), 0);
}

void MaskPainter::invertPainted() {
    end();
    if (explainRefusal({0, 0}))
        return;
    const auto invert = [](std::span<double> matrix) {
        for (double& cell : matrix)
            cell = cell == 0.0 ? 1.0 : 0.0;
    };
    store(document_.problem(), written(painted_mask::cells_of(document_.problem(), *context_), invert),
          tr("Invert painted mask"), 0);
}

void MaskPainter::paintPattern(Pattern pattern, double amount) {
    end();
    if (explainRefusal({0, 0}))
        return;
    // All matrices get the same cells, hence a new generator for each.
    ++random_seed_;
    const auto paint = [&](std::span<double> matrix) {
        Random random(random_seed_);
        auto cell = matrix.begin();
        for (std::int64_t i = 0; i < context_->L; ++i)
            for (std::int64_t j = 0; j < context_->S; ++j, ++cell) {
                const bool blocked = pattern == Pattern::Future        ? j > i
                                     : pattern == Pattern::OutsideBand ? 2 * std::abs(i - j) > amount
                                     : pattern == Pattern::OffDiagonal ? i != j
                                                                       : random.uniform() < amount;
                if (blocked)
                    *cell = 1.0;
            }
    };
    store(document_.problem(), written(painted_mask::cells_of(document_.problem(), *context_), paint),
          tr("Paint a pattern"), 0);
}

void MaskPainter::fit() {
    end();
    AttentionProblem next = document_.problem();
    painted_mask::follow_sizes(next);
    if (context_ && painted_mask::is_misfit(next, *context_)) {
        store(next, painted_mask::cells_of(next, *context_), tr("Fit painted mask"), 0);
        return;
    }
    document_.edit(tr("Fit painted mask"), std::move(next));
}

} // namespace attnlab::ui
