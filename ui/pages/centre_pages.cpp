#include "ui/pages/centre_pages.h"

#include "core/lookup.h"
#include "ui/document/random_numbers.h"
#include "ui/pages/page.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"

#include <QCoreApplication>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {

CentrePages::CentrePages(ViewState& view, QWidget* parent)
    : QWidget(parent), view_(view), switch_(new SegmentSwitch(this)), above_(new FlowLayout(nullptr, 12, 4)),
      column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->addLayout(above_);
    above_->addWidget(switch_);
    above_->setAlignment(switch_, Qt::AlignVCenter);
    connect(switch_, &QTabBar::currentChanged, this, [this](int index) {
        if (index >= 0)
            setCurrent(switch_->tabData(index).toString());
    });
    connect(&view_, &ViewState::pageChanged, this, &CentrePages::refresh);
    renewSegments();
}

void CentrePages::addPage(const QString& id, const char* title, Page* page) {
    // A page that needs more room scrolls: no page enlarges the window.
    auto* room = new FittingScrollArea(page, FittingScrollArea::Scrolls::Both);
    room->setObjectName(id); // by which WindowState finds its widgets
    room->setMinimumSize(QSize(12, 4) * fontMetrics().height());
    room->hide();
    column_->addWidget(room, 1);
    connect(page, &Page::exported, this, &CentrePages::exported);
    connect(page, &Page::animationRequested, this, &CentrePages::animationRequested);
    pages_.push_back({id, title, page, room});
    if (QWidget* header = page->header()) {
        above_->addWidget(header);
        above_->setAlignment(header, Qt::AlignVCenter);
        header->hide();
    }
    renewSegments();
    refresh();
}

void CentrePages::setMadeUp(const RandomNumbers& made_up) {
    made_up_ = made_up;
    for (const Entry& entry : pages_)
        entry.page->setMadeUp(made_up);
}

void CentrePages::setLow(bool low) {
    for (const Entry& entry : pages_)
        entry.page->setLow(low);
}

void CentrePages::setAvailable(const QString& id, bool available) {
    Entry* page = lookup(pages_, id, &Entry::id);
    if (!page || page->available == available)
        return;
    page->available = available;
    renewSegments();
    refresh();
}

const CentrePages::Entry* CentrePages::find(const QString& id) const { return lookup(pages_, id, &Entry::id); }

bool CentrePages::isAvailable(const QString& id) const {
    const Entry* page = find(id);
    return page && page->available;
}

Page* CentrePages::currentPage() const {
    const Entry* page = find(shown_);
    return page ? page->page : nullptr;
}

QStringList CentrePages::availableIds() const {
    QStringList ids;
    for (const Entry& page : pages_)
        if (page.available)
            ids << page.id;
    return ids;
}

void CentrePages::renewSegments() {
    const QSignalBlocker quiet(switch_);
    switch_->setAccessibleName(tr("Pages of the centre"));
    while (switch_->count() > 0)
        switch_->removeTab(0);
    for (const Entry& page : pages_)
        if (page.available)
            switch_->setTabData(switch_->addTab(QCoreApplication::translate("CentrePages", page.title)), page.id);
    switch_->setVisible(switch_->count() > 1);
    switch_->setCurrentIndex(static_cast<int>(availableIds().indexOf(shown_)));
}

void CentrePages::showPage(const Entry& page, bool shown) {
    page.room->setVisible(shown);
    if (QWidget* header = page.page->header()) {
        header->setVisible(shown);
        above_->setFilling(shown ? header : nullptr);
    }
}

void CentrePages::refresh() {
    if (pages_.empty())
        return;
    const auto available = std::ranges::find(pages_, true, &Entry::available);
    if (available == pages_.end())
        return; // a page is hidden before another is shown
    const QString id = isAvailable(view_.page()) ? view_.page() : available->id;
    if (id != shown_) {
        const Entry* before = find(shown_);
        const QWidget* focused = window()->focusWidget();
        const bool had_focus = before && focused && before->page->isAncestorOf(focused);
        shown_ = id;
        // Hides first, then shows: both at once would require the room of both.
        for (const Entry& page : pages_)
            if (page.id != shown_)
                showPage(page, false);
        Page* page = find(shown_)->page;
        showPage(*find(shown_), true);
        if (had_focus && page->focusProxy()) // whose keys act on what is seen
            page->setFocus(Qt::OtherFocusReason);
        emit currentChanged(shown_);
    }
    const QSignalBlocker quiet(switch_);
    switch_->setCurrentIndex(static_cast<int>(availableIds().indexOf(shown_)));
}

} // namespace attnlab::ui
