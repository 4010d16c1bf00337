#include "ui/matrix/map/head_overview.h"

#include "ui/matrix/map/map_colors.h"
#include "ui/matrix/stages/head_grid.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace attnlab::ui {

HeadOverview::HeadOverview(LargeInputs& large, ViewState& view, QWidget* parent)
    : QWidget(parent), large_(large), session_(large.session()), view_(view), note_(mutedLabel(this)),
      stop_(new QToolButton(this)), grid_(new HeadGrid(this)) {
    grid_->setMeanShown(false);
    auto* title = mutedLabel(this, true);
    title->setText(tr("Heads"));
    auto* heading = new QHBoxLayout;
    heading->addWidget(title);
    heading->addStretch();
    heading->addWidget(note_);
    heading->addWidget(stop_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(11, 6, 8, 6);
    layout->setSpacing(4);
    layout->addLayout(heading);
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
    setAccessibleName(tr("Heads"));
    stop_->setText(tr("Stop"));
    stop_->setToolTip(tr("Do not compute the heads that are not there yet"));
    if (large_.isOpen())
        open();
}

/// Another problem, of which nothing is computed yet, or the present one in a new widget.
void HeadOverview::open() {
    heads_ = std::min(large_.heads(), MapSession::most_overviews);
    heads_shown_.assign(static_cast<std::size_t>(heads_), {});
    grid_->setHeads(static_cast<int>(heads_));
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
    const bool stopped = !session_.wantsOverviews();
    const bool working = done < total && !stopped;
    stop_->setVisible(working);
    note_->setText(total < 2                 ? tr("There is one head.")
                   : working                 ? tr("%1 of %2 heads").arg(done).arg(total)
                   : stopped && done < total ? tr("Stopped after %1 of %2 heads").arg(done).arg(total)
                                             : tr("one colour scale"));
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
    const ColorScale scale = mapScale(view_.colors(), range);
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
QSize HeadOverview::sizeHint() const { return {640, grid_->heightFor(HeadGrid::usual_picture) + 50}; }

void HeadOverview::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
