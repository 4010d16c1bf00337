#include "ui/pages/exhibits/bucket_sort_view.h"

#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_kinds.h"

#include <QComboBox>

#include <algorithm>
#include <set>

namespace attnlab::ui {

BucketSortView::BucketSortView(ViewState& view, QWidget* parent)
    : MarkingPage(Qt::Key_Down, Qt::Key_Up, parent), view_(view), round_(new QComboBox(this)) {
    tools()->addWidget(round_);
    setTabOrder(round_, canvas());
    connect(&view_, &ViewState::sliceChanged, this, &BucketSortView::renew);
    connect(round_, &QComboBox::activated, this, &BucketSortView::chooseRound);
    round_->setAccessibleName(tr("Round of hashing"));
    round_->setToolTip(round_->accessibleName());
    renew();
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

std::int64_t BucketSortView::read() {
    // Buckets have no mean.
    const int head = computed_ ? std::max(0, headWithin(computed_->trace, view_.head())) : 0;
    const bool shown = readBuckets(head);
    const auto& buckets = drawing_.buckets;
    const auto rounds = static_cast<int>(shown ? buckets.rounds : 0);
    if (round_->count() != rounds) {
        round_->clear();
        for (int i = 0; i < rounds; ++i)
            round_->addItem(tr("Round %1").arg(i + 1));
    }
    round_->setVisible(rounds > 1);
    setTitle(tr("Buckets"));
    if (!shown)
        return 0;
    if (sizeOf(computed_->trace).heads > 1)
        setTitle(tr("Buckets · head %1").arg(head));
    drawing_.round = std::clamp<std::int64_t>(drawing_.round, 0, buckets.rounds - 1);
    round_->setCurrentIndex(static_cast<int>(drawing_.round));
    drawing_.tokens.clear();
    for (const auto& token : computed_->trace.query_tokens)
        drawing_.tokens << QString::fromStdString(token);
    return buckets.tokens;
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

QString BucketSortView::wordsNow() const {
    return drawing_.marked ? drawing_.tokenText(*drawing_.marked) : bucketsText();
}

std::optional<std::int64_t> BucketSortView::markAt(const QPointF& position) const {
    return drawing_.tokenAt(position, canvas()->area(), canvas()->font());
}

QRectF BucketSortView::rectOf(std::int64_t token) const {
    return drawing_.rectOf(token, canvas()->area(), canvas()->font());
}

void BucketSortView::chooseRound(int round) {
    if (!hasExhibit())
        return;
    drawing_.round = std::clamp<std::int64_t>(round, 0, drawing_.buckets.rounds - 1);
    round_->setCurrentIndex(static_cast<int>(drawing_.round));
    renewWords();
}

bool BucketSortView::pressKey(int key) {
    if (!hasExhibit() || (key != Qt::Key_Right && key != Qt::Key_Left))
        return MarkingPage::pressKey(key);
    chooseRound(static_cast<int>(drawing_.round) + (key == Qt::Key_Right ? 1 : -1));
    return true;
}

} // namespace attnlab::ui
