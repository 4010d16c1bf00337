#include "ui/model/weights_view.h"

#include "core/explain/reading.h"
#include "core/model/one_head.h"
#include "core/model/pass_figures.h"
#include "core/stages/view.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QAbstractItemView>
#include <QBoxLayout>
#include <QComboBox>

namespace attnlab::ui {
namespace {

constexpr int shown_letters = 8; ///< of a view of the weights

std::vector<Cell> largestOfRows(const MatrixView& matrix) {
    std::vector<Cell> cells;
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        std::int64_t largest = 0;
        for (std::int64_t key = 1; key < matrix.columns; ++key)
            if (matrix(row, key) > matrix(row, largest))
                largest = key;
        cells.push_back({static_cast<int>(row), static_cast<int>(largest)});
    }
    return cells;
}

} // namespace

namespace {

/// "Weights · Layer 1 · head 1", for screen readers.
QString captionOf(const SelectedHeadPtr& head, const QString& what) {
    return head ? WeightsView::tr("%1 · %2").arg(what, headTitle(*head->result, head->place)) : QString();
}

} // namespace

WeightsView::WeightsView(QWidget* parent) : HeadView(parent), heatmap_(new HeatmapView), picker_(new QComboBox(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    picker_->hide(); // until it is in the heading, and there are weights
    picker_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picker_->setMinimumContentsLength(shown_letters);
    picker_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    picker_->view()->setTextElideMode(Qt::ElideNone);
    column->addWidget(heatmap_, 1);
    picker_->setAccessibleName(tr("How the weights are shown"));
    offerViews();
    connect(picker_, &QComboBox::currentIndexChanged, this, [this] {
        showMatrix();
        emit noteChanged();
    });
    connect(heatmap_, &HeatmapView::cellClicked, this, [this](Cell cell) {
        if (!head_ || heatmap_->matrix().view().rows == head_->heads().queries || !head_->weights)
            emit rowChosen(cell.row); // a row of words is no query
    });
    connect(heatmap_, &HeatmapView::cellHovered, heatmap_, &HeatmapView::setCrosshair);
}

/// output_norm is missing: a pass has no output projection.
void WeightsView::offerViews() {
    picker_->addItem(tr("weights"), QString());
    for (const auto& view : weights_views())
        if (view.id != "output_norm") {
            picker_->addItem(translated({view.title, {"0"}}), textOf(view.id));
            picker_->setItemData(picker_->count() - 1, translated(view.help), Qt::ToolTipRole);
        }
}

void WeightsView::setHead(const SelectedHeadPtr& head, const QString& message) {
    head_ = head;
    heatmap_->setMessage(message);
    picker_->setVisible(head_ && head_->weights); // a cell of a long text is of several tokens
    showMatrix();
    emit noteChanged();
}

ComputedPtr WeightsView::stages() const {
    return viewed_ ? viewed_ : !head_ ? nullptr : head_->weights ? head_->weights : head_->pooled;
}

void WeightsView::showMatrix() {
    viewed_.reset();
    const auto chosen = picker_->currentData().toString().toStdString();
    std::optional<MatrixData> matrix;
    if (head_ && head_->weights && !chosen.empty()) {
        auto computed = std::make_shared<Computed>(*head_->weights);
        auto& trace = computed->trace;
        try {
            const auto& tokens = head_->heads().tokens;
            const auto one = head_->heads().one(head_->place.head);
            ViewInputs inputs{.values = model::values_of(*one.pass, one.index),
                              .output_weight = {},
                              .query_words = words_of(tokens.queries),
                              .key_words = words_of(tokens.keys),
                              .tokens = {trace.query_tokens, trace.key_tokens}};
            inputs.query_words.resize(static_cast<std::size_t>(head_->stage()->value.dim(2)), -1);
            inputs.key_words.resize(static_cast<std::size_t>(head_->stage()->value.dim(3)), -1);
            trace.stages.push_back(view_of_weights(*head_->stage(), chosen, inputs, {}));
            matrix = sliceOf(trace, trace.stages.back(), 0, 0);
            viewed_ = computed;
            heatmap_->setMessage({});
        } catch (const Error& error) {
            heatmap_->setMessage(translated(error.message()), PictureState::Look::Error);
        }
    } else if (head_) {
        heatmap_->setMessage({});
        matrix = head_->weights ? sliceOf(head_->weights->trace, *head_->stage(), 0, 0) : pooled();
    }
    heatmap_->setCaption(captionOf(head_, viewed_ ? picker_->currentText() : name()));
    if (matrix)
        heatmap_->setMatrix(*matrix, scaleOf(*matrix));
    else
        heatmap_->setMatrix({}, {});
    heatmap_->setHighlighted(matrix && isAligned() ? largestOfRows(matrix->view()) : std::vector<Cell>());
}

/// Of words of two texts, which cross-attention aligns.
bool WeightsView::isAligned() const { return head_ && head_->weights && head_->heads().is_cross; }

QWidget* WeightsView::headingTool() const { return picker_; }

MatrixData WeightsView::pooled() const {
    MatrixData matrix;
    const auto& cells = head_->pooled->trace.find("weights")->value;
    matrix.values = cells.reshaped({cells.dim(2), cells.dim(3)});
    matrix.row_step = matrix.column_step = head_->step();
    matrix.row_title = tr("query token");
    matrix.column_title = tr("key token");
    return matrix;
}

void WeightsView::setRow(std::optional<int> query, const explain::Reading& reading) {
    heatmap_->setPinned(query && !reading.keys.empty()
                            ? std::optional(Cell{*query, static_cast<int>(reading.keys.front().key)})
                            : std::nullopt);
}

QString WeightsView::note() const {
    if (!head_)
        return {};
    const auto& figures = head_->result->figures(head_->place);
    const auto word = explain::what_it_does(figures);
    const QString words = tr("%1 · on average %2 on one token")
                              .arg(word.empty() ? tr("%1 tokens").arg(head_->heads().queries) : translated(word),
                                   textOf(explain::share_text(figures.max_weight)));
    if (viewed_)
        return translated(viewed_->trace.stages.back().operation);
    if (isAligned())
        return tr("%1 · outlined: what each token reads most").arg(words);
    return head_->weights ? words
                          : tr("%1 · each cell is the largest weight of %2 × %2 tokens").arg(words).arg(head_->step());
}

std::optional<Figure> WeightsView::figure() const {
    return head_ ? std::optional(Figure{heatmap_->matrix(), heatmap_->colorScale()}) : std::nullopt;
}

std::optional<MatrixData> WeightsView::matrix() const {
    return head_ ? std::optional(heatmap_->matrix()) : std::nullopt;
}

namespace {

/// What no causal layer reads, whatever its window is.
Stage laterPositions(std::int64_t positions) {
    Stage blocked;
    blocked.name = "blocked";
    blocked.value = Tensor({1, 1, positions, positions}, 0.0, DType::Bool);
    const auto cells = blocked.value.mutable_values();
    for (std::int64_t row = 0; row < positions; ++row)
        std::fill_n(cells.begin() + row * positions + row + 1, positions - row - 1, 1.0);
    blocked.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    blocked.role = StageRole::Mask;
    return blocked;
}

ComputedPtr rolledOut(const ModelResult& result, int pass, const RunControl& control) {
    const auto& heads = result.heads({pass, 0});
    const auto layers = layersUpTo(result, pass);
    bool is_causal = true;
    auto computed = std::make_shared<Computed>();
    auto& trace = computed->trace;
    trace.query_tokens = heads.tokens.queries;
    trace.key_tokens = heads.tokens.keys;
    trace.passes[""].keys_are_queries = true;
    const auto rolled = model::rollout(
        std::ssize(layers),
        [&](std::int64_t layer) {
            auto read = result.heads({layers[static_cast<std::size_t>(layer)], 0}).whole();
            is_causal = is_causal && read->causal && !read->reads_both_ways();
            return read;
        },
        control);
    if (is_causal)
        trace.stages.push_back(laterPositions(rolled.dim(0)));
    Stage stage;
    stage.name = "rollout";
    stage.value = rolled.reshaped({1, 1, rolled.dim(0), rolled.dim(1)});
    stage.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    trace.stages.push_back(std::move(stage));
    return computed;
}

} // namespace

RolloutView::RolloutView(QWidget* parent)
    : HeadView(parent), heatmap_(new HeatmapView), job_([this](const Rolled& rolled) { show(rolled); }) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(heatmap_);
    connect(heatmap_, &HeatmapView::cellClicked, this, [this](Cell cell) { emit rowChosen(cell.row); });
    connect(heatmap_, &HeatmapView::cellHovered, heatmap_, &HeatmapView::setCrosshair);
    connect(&job_, &LatestJobBase::progressed, this, [this](double done) {
        heatmap_->setMessage(tr("Computing the rollout… %1").arg(progressText(done)), PictureState::Look::Loading);
    });
    connect(&job_, &LatestJobBase::failed, this, [this](const Message& why) {
        unavailable_reason_ = translated(why);
        heatmap_->setMessage(unavailable_reason_, PictureState::Look::Error);
        emit noteChanged();
    });
}

void RolloutView::setHead(const SelectedHeadPtr& head, const QString& message) {
    head_ = head;
    rolled_.reset();
    unavailable_reason_.clear();
    job_.cancel();
    if (!head_)
        latest_ = {};
    if (head_ && latest_.result == head_->result && latest_.pass == head_->place.pass) {
        show(latest_);
        return;
    }
    heatmap_->setMatrix({}, {});
    heatmap_->setMessage(head_ ? tr("Computing the rollout…") : message,
                         head_ ? PictureState::Look::Loading : PictureState::Look::Empty);
    emit noteChanged();
    if (head_)
        job_.request([result = head_->result, pass = head_->place.pass](const RunControl& control) {
            return Rolled{result, pass, rolledOut(*result, pass, control)};
        });
}

void RolloutView::show(const Rolled& rolled) {
    if (!head_ || rolled.result != head_->result || rolled.pass != head_->place.pass)
        return;
    latest_ = rolled;
    rolled_ = rolled.trace;
    heatmap_->setCaption(ownTitle());
    if (const auto matrix = sliceOf(rolled_->trace, *rolled_->trace.find("rollout"), 0, 0))
        heatmap_->setMatrix(*matrix, scaleOf(*matrix));
    emit noteChanged();
}

/// The reading is of the rollout.
void RolloutView::setRow(std::optional<int> query, const explain::Reading& reading) {
    const int key = query && !reading.keys.empty() ? static_cast<int>(reading.keys.front().key) : query.value_or(0);
    heatmap_->setPinned(query ? std::optional(Cell{*query, key}) : std::nullopt);
}

QString RolloutView::ownTitle() const {
    if (!head_)
        return {};
    return (head_->result->are_layers ? tr("Rollout up to layer %1 · all heads") : tr("Rollout up to %1 · all heads"))
        .arg(passTitle(*head_->result, head_->place.pass));
}

QString RolloutView::note() const {
    if (!rolled_)
        return unavailable_reason_;
    return tr("What reaches each word through all heads of these layers (Abnar and Zuidema 2020)");
}

std::optional<Figure> RolloutView::figure() const {
    return rolled_ ? std::optional(Figure{heatmap_->matrix(), heatmap_->colorScale()}) : std::nullopt;
}

std::optional<MatrixData> RolloutView::matrix() const {
    return rolled_ ? std::optional(heatmap_->matrix()) : std::nullopt;
}

namespace {

struct Size {
    std::int64_t queries, keys;
};

Stage stageOf(const char* name, const Tensor& numbers, StageRole role = StageRole::Step) {
    Stage stage;
    stage.name = name;
    const auto rows = numbers.dim(0), columns = numbers.dim(1);
    stage.value = numbers.reshaped({1, 1, rows, columns});
    stage.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    stage.role = role;
    return stage;
}

/// The first queries and keys of a head.
Tensor firstWeights(const model::Pass& pass, int head, const Size& size) {
    std::vector<float> rows(static_cast<std::size_t>(size.queries * pass.keys));
    pass.weights(head, 0, size.queries, rows);
    Tensor weights({size.queries, size.keys}, 0.0, DType::Float32);
    const auto to = weights.mutable_values();
    for (std::int64_t row = 0; row < size.queries; ++row)
        std::copy_n(rows.begin() + row * pass.keys, size.keys, to.begin() + row * size.keys);
    return weights;
}

Tensor blockedCells(const model::Pass& pass, const Size& size) {
    Tensor blocked({size.queries, size.keys}, 1.0, DType::Bool);
    const auto cells = blocked.mutable_values();
    for (std::int64_t row = 0; row < size.queries; ++row) {
        const auto range = pass.readable(row);
        const auto at = cells.begin() + row * size.keys;
        std::fill(at + std::min(range.first, size.keys), at + std::min(range.last, size.keys), 0.0);
    }
    return blocked;
}

/// Rows are called alike in both.
Trace traceOf(const model::Pass& pass, int head, const Size& size, const model::PassTokens& tokens) {
    Trace trace;
    trace.key_tokens = tokens.keys;
    trace.key_tokens.resize(std::min(trace.key_tokens.size(), static_cast<std::size_t>(size.keys)));
    if (pass.causal || pass.window > 0)
        trace.stages.push_back(stageOf("blocked", blockedCells(pass, size), StageRole::Mask));
    trace.stages.push_back(stageOf("weights", firstWeights(pass, head, size)));
    return trace;
}

Trace pooledTrace(const model::Pass& pass, int head, std::int64_t step, const Size& size, const RunControl& control) {
    const auto whole = model::pooled_weights(pass, head, step, control);
    Tensor first({size.queries, size.keys});
    const auto to = first.mutable_values();
    for (std::int64_t row = 0; row < size.queries; ++row)
        std::copy_n(whole.values().begin() + row * whole.dim(1), size.keys, to.begin() + row * size.keys);
    Trace trace;
    trace.stages.push_back(stageOf("weights", first));
    return trace;
}

ComputedPtr stagesOf(const Trace& a, const Trace& b, const Stage& difference) {
    auto computed = std::make_shared<Computed>();
    computed->trace.query_tokens = a.query_tokens;
    const auto add = [&](const char* name, Stage stage) {
        stage.name = name;
        computed->trace.stages.push_back(std::move(stage));
    };
    add("a.weights", *a.find("weights"));
    add("b.weights", *b.find("weights"));
    add("difference.weights", difference);
    return computed;
}

void setSteps(MatrixData& matrix, std::int64_t step) { matrix.row_step = matrix.column_step = step; }

} // namespace

QStringList labelsOfBoth(const std::vector<std::string>& a, const std::vector<std::string>& b, std::int64_t count) {
    QStringList labels;
    for (std::size_t i = 0; i < std::min({a.size(), b.size(), static_cast<std::size_t>(count)}); ++i)
        labels << (a[i] == b[i] ? textOf(a[i]) : textOf(a[i]) + QStringLiteral(" → ") + textOf(b[i]));
    return labels;
}

ComparedHead comparedHead(const ComparedPass& pass, int head, std::int64_t step, const RunControl& control) {
    constexpr double third = 1.0 / 3.0;
    const bool pools = step > 1;
    const auto cells = [step](std::int64_t one, std::int64_t other) {
        return (std::min(one, other) + step - 1) / step;
    };
    const Size size{cells(pass.a->queries, pass.b->queries), cells(pass.a->keys, pass.b->keys)};
    Trace a = pools ? pooledTrace(*pass.a, head, step, size, control.part(0.0, third))
                    : traceOf(*pass.a, head, size, pass.tokens_a);
    Trace b = pools ? pooledTrace(*pass.b, head, step, size, control.part(third, 2.0 * third))
                    : traceOf(*pass.b, head, size, pass.tokens_b);
    const auto rows = labelsOfBoth(pass.tokens_a.queries, pass.tokens_b.queries, pools ? 0 : size.queries);
    for (const auto& row : rows)
        a.query_tokens.push_back(row.toStdString());
    b.query_tokens = a.query_tokens;
    auto comparison = compare(a, b);
    ComparedHead made;
    if (pools)
        comparison.difference =
            stageOf("weights", model::head_difference(*pass.a, *pass.b, head, step, control).pooled);
    made.stages = stagesOf(a, b, comparison.difference);
    if (auto matrices = comparedMatrices(a, b, comparison, 0, 0, {}))
        made.matrices = std::move(*matrices);
    if (!pools) { // each has its own words
        made.matrices.a.row_labels = labelsOfBoth(pass.tokens_a.queries, pass.tokens_a.queries, size.queries);
        made.matrices.b.row_labels = labelsOfBoth(pass.tokens_b.queries, pass.tokens_b.queries, size.queries);
    }
    made.matrices.difference.column_labels =
        labelsOfBoth(pass.tokens_a.keys, pass.tokens_b.keys, pools ? 0 : size.keys);
    if (pools)
        for (auto* matrix : {&made.matrices.a, &made.matrices.b, &made.matrices.difference})
            setSteps(*matrix, step);
    return made;
}

namespace {

constexpr std::int64_t most_compared_at_once = 256;

} // namespace

DifferenceView::DifferenceView(QWidget* parent)
    : HeadView(parent), choice_(new SegmentSwitch), map_(new HeatmapView),
      job_([this](const std::shared_ptr<ComparedHead>& made) { show(std::move(*made)); }) {
    choice_->setUsesScrollButtons(false);
    for (const QString& name : {tr("A"), tr("B"), tr("B − A")})
        choice_->addTab(name);
    choice_->setAccessibleName(tr("Which of the matrices is shown"));
    choice_->setCurrentIndex(Difference);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    choice_->setParent(this);
    choice_->hide(); // until it is in the heading, and there is a head
    column->addWidget(map_, 1);
    connect(choice_, &QTabBar::currentChanged, this, [this] {
        showMatrix();
        emit noteChanged();
    });
    connect(map_, &HeatmapView::cellHovered, map_, &HeatmapView::setCrosshair);
    connect(map_, &HeatmapView::cellClicked, this, [this](Cell cell) {
        map_->setPinned(cell);
        emit rowChosen(cell.row);
    });
    connect(&job_, &LatestJobBase::progressed, this, [this](double done) {
        showNothing(tr("Comparing this head… %1").arg(progressText(done)), PictureState::Look::Loading);
    });
    connect(&job_, &LatestJobBase::failed, this,
            [this](const Message& why) { showNothing(translated(why), PictureState::Look::Error); });
}

void DifferenceView::setHead(const SelectedHeadPtr& head, const QString& message) {
    head_ = head && head->result->compared ? head : nullptr;
    choice_->setVisible(head_ != nullptr);
    job_.cancel();
    if (!head_) {
        showNothing(message);
        return;
    }
    const auto& pass = *head_->result->comparedHeads(head_->place);
    const auto side = std::max(std::min(pass.a->queries, pass.b->queries), std::min(pass.a->keys, pass.b->keys));
    if (side <= most_compared_at_once) {
        show(comparedHead(pass, head_->place.head, 1));
        return;
    }
    showNothing({});
    job_.request([head, step = (side + most_cells_a_side - 1) / most_cells_a_side](const RunControl& control) {
        const auto& compared = *head->result->comparedHeads(head->place);
        return std::make_shared<ComparedHead>(comparedHead(compared, head->place.head, step, control));
    });
}

void DifferenceView::showNothing(const QString& message, PictureState::Look look) {
    shown_.reset();
    map_->setMessage(message, look);
    showMatrix();
    emit noteChanged();
}

void DifferenceView::show(ComparedHead compared) {
    shown_ = std::move(compared);
    ValueRange range;
    range.include(-head_->result->compared->largest);
    range.include(head_->result->compared->largest);
    shown_->matrices.gaps = colorScale({}, range, true);
    for (const auto which : {A, B, Difference})
        choice_->setTabToolTip(which, title(which));
    showMatrix();
    emit noteChanged();
}

QWidget* DifferenceView::headingTool() const { return choice_; }

QString DifferenceView::title(Shown which) const {
    const bool texts = head_ && head_->result->compared->of == ComparedRuns::Of::Texts;
    switch (which) {
    case A:
        return texts ? tr("A: the first text") : tr("A: all heads on");
    case B:
        return texts ? tr("B: the second text") : tr("B: heads switched off");
    case Difference:
        break;
    }
    return tr("B − A");
}

void DifferenceView::showMatrix() {
    if (!shown_) {
        map_->setMatrix({}, {});
        return;
    }
    const auto& matrices = shown_->matrices;
    const auto which = static_cast<Shown>(choice_->currentIndex());
    map_->setCaption(captionOf(head_, title(which)));
    if (which == Difference && isSame()) { // a field of zeros would say less
        const bool is_same_text =
            head_->result->compared->of == ComparedRuns::Of::Texts && !head_->result->comparesOtherTexts();
        map_->setMessage(is_same_text ? tr("A and B are the same text. Change a word in B.")
                         : head_->result->isOff(head_->place)
                             ? tr("This head reads what it read before. Heads in later layers may read otherwise.")
                             : tr("This head reads the same in A and in B."));
        map_->setMatrix({}, {});
        return;
    }
    map_->setMessage({});
    map_->setMatrix(which == A   ? matrices.a
                    : which == B ? matrices.b
                                 : matrices.difference,
                    which == Difference ? matrices.gaps : matrices.values);
}

bool DifferenceView::isSame() const {
    const auto gaps = shown_->matrices.difference.view();
    return std::all_of(gaps.data, gaps.data + gaps.rows * gaps.columns, [](double gap) { return gap == 0.0; });
}

void DifferenceView::setRow(std::optional<int> query, const explain::Reading& reading) {
    if (!shown_)
        return;
    const auto view = shown_->matrices.a.view();
    const bool inside = query && *query < view.rows && !reading.keys.empty() && reading.keys.front().key < view.columns;
    map_->setPinned(inside ? std::optional(Cell{*query, static_cast<int>(reading.keys.front().key)}) : std::nullopt);
}

QString DifferenceView::note() const {
    if (!shown_)
        return {};
    const auto& pass = *head_->result->comparedHeads(head_->place);
    const auto which = static_cast<Shown>(choice_->currentIndex());
    if (which != Difference)
        return title(which);
    QString moved = tr("%1 of the attention moved, on average")
                        .arg(textOf(explain::share_text(pass.distances[static_cast<std::size_t>(head_->place.head)])));
    if (head_->result->compared->of == ComparedRuns::Of::SwitchedOff)
        return moved;
    if (pass.a->queries == pass.b->queries && pass.a->keys == pass.b->keys)
        return tr("%1 · by position").arg(moved);
    return tr("%1 · the first %2 × %3 tokens, by position")
        .arg(moved)
        .arg(std::min(pass.a->queries, pass.b->queries))
        .arg(std::min(pass.a->keys, pass.b->keys));
}

std::optional<Figure> DifferenceView::figure() const {
    return shown_ ? std::optional(
                        Figure{shown_->matrices.panels(title(A), title(B), title(Difference)), shown_->matrices.values})
                  : std::nullopt;
}

std::optional<MatrixData> DifferenceView::matrix() const {
    return shown_ ? std::optional(shown_->matrices.difference) : std::nullopt;
}

} // namespace attnlab::ui
