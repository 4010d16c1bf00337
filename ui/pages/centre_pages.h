// The centre of the window: pages in one place, with a switch above them.
#pragma once

#include "ui/document/random_numbers.h"
#include "ui/document/view_state.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace attnlab::ui {

class FlowLayout;
class Page;
class FittingScrollArea;
class SegmentSwitch;

/// Shows the page ViewState::page() or, while that is unavailable, the first available one; a page that becomes
/// available again with the mechanism is shown again. The switch is visible while there is a choice; beside it is the
/// header of the page.
class CentrePages : public QWidget {
    Q_OBJECT
public:
    explicit CentrePages(ViewState& view, QWidget* parent = nullptr);

    /// Pages are in the order of addition; at least one must always be available. `title` is a literal marked by
    /// QT_TRANSLATE_NOOP("CentrePages", ...). A new page is available.
    void addPage(const QString& id, const char* title, Page* page);
    void setAvailable(const QString& id, bool available);
    bool isAvailable(const QString& id) const;
    /// The user's choice; also stored for a page that is not available yet.
    void setCurrent(const QString& id) { view_.setPage(id); }
    /// The id of the displayed page; empty before the first.
    QString current() const { return shown_; }
    /// Null before the first.
    Page* currentPage() const;

    /// See Page::setMadeUp.
    void setMadeUp(const RandomNumbers& made_up);
    const RandomNumbers& madeUp() const { return made_up_; }
    void setLow(bool low);

    SegmentSwitch* segments() const { return switch_; }
    /// The ids of the segments, from the left.
    QStringList availableIds() const;

signals:
    void currentChanged(const QString& id);
    /// Emitted for any page.
    void exported(const QStringList& files);
    void animationRequested();

private:
    struct Entry {
        QString id;
        const char* title;
        Page* page;
        FittingScrollArea* room;
        bool available = true;
    };

    const Entry* find(const QString& id) const;
    void renewSegments();
    void showPage(const Entry& page, bool shown);
    void refresh();

    ViewState& view_;
    RandomNumbers made_up_;
    SegmentSwitch* switch_;
    FlowLayout* above_; ///< the switch and the header of the page
    QVBoxLayout* column_;
    std::vector<Entry> pages_;
    QString shown_;
};

} // namespace attnlab::ui
