#include "ui/matrix/map/head_overview.h"

#include "ui/matrix/map/screen_bins.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace attnlab::ui {

HeadOverview::HeadOverview(LargeInputs& large, ViewState& view, QWidget* parent)
    : QWidget(parent), large_(large), session_(large.session()), view_(view), title_(mutedLabel(this, true)),
      note_(mutedLabel(this)), stop_(new QToolButton(this)), grid_(new HeadGrid(this)) {
    grid_->setMeanShown(false);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    note_->setWordWrap(true);
    title_->setText(tr("Heads"));
    title_->setToolTip(tr("All heads on one colour scale"));
    auto* heading = new QHBoxLayout;
    heading->setSpacing(4);
    heading->addWidget(title_, 1);
    heading->addWidget(stop_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(5, 6, 3, 6);
    layout->setSpacing(4);
    layout->addLayout(heading);
    layout->addWidget(note_);
    layout->addWidget(grid_, 1);
    connect(grid_, &HeadGrid::chosen, &view_, &ViewState::setHead);
    connect(grid_, &HeadGrid::enlarged, this, &HeadOverview::enlargeRequested);
    connect(stop_, &QToolButton::clicked, this, [this] {
        session_.cancelOverviews();
        setProgress(done_, total_);
    });
    connect(&session_, &MapSession::overviewReady, this, [this](int, int done, int total) {
        setProgress(done, total);
        refresh();
    });
    connect(&session_, &MapSession::ready, this, &HeadOverview::refresh);
    connect(&view_, &ViewState::colorsChanged, this, &HeadOverview::refresh);
    connect(&view_, &ViewState::sliceChanged, this, [this] { grid_->setSelected(std::max(0, view_.head())); });
    connect(&large_, &LargeInputs::opened, this, &HeadOverview::open);
    for (const auto changes : {&LargeInputs::cancelled, &LargeInputs::resumed, &LargeInputs::choiceChanged})
        connect(&large_, changes, this, [this] { setProgress(done_, total_); });
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Heads"));
    stop_->setText(tr("Stop"));
    stop_->setToolTip(tr("Do not compute the heads that are not there yet"));
    stop_->hide();
    note_->hide();
    setHasChoice(false);
    if (large_.isOpen())
        open();
}

/// Another problem, of which nothing is computed yet, or the present one in a new widget.
void HeadOverview::open() {
    heads_ = std::min(large_.heads(), MapSession::most_overviews);
    heads_shown_.assign(static_cast<std::size_t>(heads_), {});
    grid_->setHeads(static_cast<int>(heads_));
    setHasChoice(heads_ > 1);
    int done = 0;
    for (int head = 0; head < static_cast<int>(heads_); ++head) {
        done += session_.overview(head) ? 1 : 0;
        auto* one = grid_->tile(head);
        one->setText(tr("Head %1").arg(head));
        one->setAccessibleName(one->text());
    }
    setProgress(done, heads_ > 1 ? static_cast<int>(heads_) : 0);
    const MatrixAxes axes = large_.source()->axes();
    grid_->setMapShape(axes.rows.count, axes.columns.count); // lays out the tiles, including names
    grid_->setSelected(std::max(0, view_.head()));
    refresh();
}

void HeadOverview::setProgress(int done, int total) {
    done_ = done;
    total_ = total;
    const bool stopped = !session_.computesOverviews() || session_.isCancelled();
    const bool working = done < total && !stopped;
    stop_->setVisible(working);
    note_->setText(total < 2                 ? QString()
                   : working                 ? tr("%1 of %2 heads").arg(done).arg(total)
                   : stopped && done < total ? tr("Stopped after %1 of %2 heads").arg(done).arg(total)
                                             : QString());
    note_->setVisible(!note_->text().isEmpty());
}

void HeadOverview::setHasChoice(bool has_choice) {
    has_choice_ = has_choice;
    title_->setVisible(has_choice);
    grid_->setVisible(has_choice);
    updateGeometry();
    update();
}

/// Repaints changed tiles: a new head, or all of them after a change of colours.
void HeadOverview::refresh() {
    const Pool pool = session_.choice().pool;
    ValueRange range;
    for (std::int64_t head = 0; head < heads_; ++head) {
        auto& known = heads_shown_[static_cast<std::size_t>(head)];
        const auto bins = session_.overview(head);
        if (known.bins != bins || known.pool != pool) {
            known = {bins, pool, {}, false};
            if (bins)
                includeBins(known.range, *bins, pool);
        }
        range.include(known.range);
    }
    const ColorScale scale = mapScale(session_.colorsFor(view_.colors()), range);
    for (std::int64_t head = 0; head < heads_; ++head) {
        auto& known = heads_shown_[static_cast<std::size_t>(head)];
        if (known.shown && scale == scale_)
            continue;
        known.shown = true;
        grid_->tile(static_cast<int>(head))
            ->setMatrix(
                [bins = known.bins, pool]() -> std::optional<MatrixData> {
                    if (!bins)
                        return std::nullopt;
                    return matrixOfBins(*bins, {{0, bins->rows, 0, bins->columns}, 1, 1}, pool);
                },
                scale);
    }
    scale_ = scale;
}

QString HeadOverview::note() const { return note_->text(); }
QSize HeadOverview::around() const {
    const auto margins = layout()->contentsMargins();
    const int heading = std::max(title_->sizeHint().height(), stop_->sizeHint().height());
    return {margins.left() + margins.right(), margins.top() + margins.bottom() + heading + layout()->spacing()};
}

QSize HeadOverview::sizeHint() const { return has_choice_ ? grid_->sizeHint() + around() : QSize(0, 0); }
QSize HeadOverview::minimumSizeHint() const { return has_choice_ ? grid_->minimumSizeHint() + around() : QSize(0, 0); }

void HeadOverview::paintEvent(QPaintEvent*) {
    if (has_choice_)
        paintCard(*this);
}

} // namespace attnlab::ui
