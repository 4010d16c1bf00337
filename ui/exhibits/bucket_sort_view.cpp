#include "ui/exhibits/bucket_sort_view.h"

#include "ui/exhibits/drawing_canvas.h"
#include "ui/slice.h"
#include "ui/stages/stage_kinds.h"

#include <QComboBox>
#include <QHBoxLayout>

#include <algorithm>
#include <set>

namespace attnlab::ui {

BucketSortView::BucketSortView(ViewState& view, QWidget* parent)
    : ExhibitPage(parent), view_(view), round_(new QComboBox(this)) {
    tools()->addWidget(round_);
    setTabOrder(round_, canvas());
    connect(&view_, &ViewState::sliceChanged, this, &BucketSortView::refresh);
    connect(round_, &QComboBox::activated, this, &BucketSortView::chooseRound);
    retranslate();
}

void BucketSortView::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    refresh();
}

bool BucketSortView::readBuckets(int head) {
    const auto* sort = computed_ ? exhibitOf<BucketSort>(computed_->trace) : nullptr;
    const Stage* stage = sort ? computed_->trace.find("buckets") : nullptr;
    if (!stage || stage->value.rank() != 4 || stage->value.dim(0) != sort->n_hashes || stage->value.size() == 0 ||
        view_.batch() >= stage->value.dim(1) || head >= stage->value.dim(2))
        return false;
    auto& buckets = drawing_.buckets;
    buckets.rounds = sort->n_hashes;
    buckets.count = sort->n_buckets;
    buckets.tokens = stage->value.dim(3);
    buckets.bucket.clear();
    for (std::int64_t round = 0; round < buckets.rounds; ++round)
        for (std::int64_t token = 0; token < buckets.tokens; ++token)
            buckets.bucket.push_back(static_cast<std::int64_t>(stage->value.at({round, view_.batch(), head, token})));
    return true;
}

void BucketSortView::refresh() {
    canvas()->setDrawing(nullptr);
    // Buckets have no mean.
    const int head = computed_ ? std::max(0, headWithin(computed_->trace, view_.head())) : 0;
    shown_ = readBuckets(head);
    const auto& buckets = drawing_.buckets;
    const auto rounds = static_cast<int>(shown_ ? buckets.rounds : 0);
    if (round_->count() != rounds) {
        round_->clear();
        for (int i = 0; i < rounds; ++i)
            round_->addItem(tr("Round %1").arg(i + 1));
    }
    round_->setVisible(rounds > 1);
    setTitle(tr("Buckets"));
    if (shown_) {
        if (sizeOf(computed_->trace).heads > 1)
            setTitle(tr("Buckets · head %1").arg(head));
        drawing_.round = std::clamp<std::int64_t>(drawing_.round, 0, buckets.rounds - 1);
        round_->setCurrentIndex(static_cast<int>(drawing_.round));
        drawing_.tokens.clear();
        for (const auto& token : computed_->trace.query_tokens)
            drawing_.tokens << QString::fromStdString(token);
        if (drawing_.marked && *drawing_.marked >= buckets.tokens)
            drawing_.marked.reset();
        canvas()->setDrawing(&drawing_);
    }
    refreshWords();
}

QString BucketSortView::bucketsText() const {
    const auto& buckets = drawing_.buckets;
    std::set<std::int64_t> used;
    for (std::int64_t token = 0; token < buckets.tokens; ++token)
        used.insert(buckets.at(drawing_.round, token));
    double pairs = 0.0;
    for (std::int64_t token = 0; token < buckets.tokens; ++token)
        pairs += static_cast<double>(buckets.readBy(token).size());
    return tr("Round %1 of %2 puts %3 tokens into %4 of %5 buckets. A token reads those that share a bucket with it in "
              "any "
              "round: %6 of %7 pairs.")
        .arg(drawing_.round + 1)
        .arg(buckets.rounds)
        .arg(buckets.tokens)
        .arg(used.size())
        .arg(buckets.count)
        .arg(pairs)
        .arg(buckets.tokens * buckets.tokens);
}

void BucketSortView::refreshWords() {
    setWords(!shown_ ? QString() : drawing_.marked ? drawing_.tokenText(*drawing_.marked) : bucketsText());
    canvas()->refresh();
}

void BucketSortView::chooseRound(int round) {
    if (!shown_)
        return;
    drawing_.round = std::clamp<std::int64_t>(round, 0, drawing_.buckets.rounds - 1);
    round_->setCurrentIndex(static_cast<int>(drawing_.round));
    refreshWords();
}

void BucketSortView::mark(std::optional<std::int64_t> token) {
    if (drawing_.marked == token)
        return;
    drawing_.marked = token;
    refreshWords();
}

void BucketSortView::markAndReveal(std::int64_t token) {
    mark(token);
    reveal(drawing_.rectOf(token, canvas()->area(), canvas()->font()));
}

bool BucketSortView::pressKey(int key) {
    if (!shown_)
        return false;
    if (key == Qt::Key_Right || key == Qt::Key_Left) {
        chooseRound(static_cast<int>(drawing_.round) + (key == Qt::Key_Right ? 1 : -1));
        return true;
    }
    const auto stepped = steppedMark(key, Qt::Key_Down, Qt::Key_Up, drawing_.marked, drawing_.buckets.tokens - 1);
    if (!stepped)
        return false;
    if (*stepped)
        markAndReveal(**stepped);
    else
        mark(std::nullopt);
    return true;
}

void BucketSortView::point(std::optional<QPointF> position) {
    if (shown_)
        mark(position ? drawing_.tokenAt(*position, canvas()->area(), canvas()->font()) : std::nullopt);
}

std::shared_ptr<const Drawing> BucketSortView::picture() const {
    return shown_ ? std::make_shared<BucketSortDrawing>(drawing_) : nullptr;
}

void BucketSortView::retranslate() {
    round_->setAccessibleName(tr("Round of hashing"));
    round_->setToolTip(round_->accessibleName());
    round_->clear();
    refresh();
}

} // namespace attnlab::ui
