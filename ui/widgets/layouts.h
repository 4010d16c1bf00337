// Layouts and scroll areas: wrapping lines, stacked pages, areas that fit, and the wheel.
#pragma once

#include <memory>
#include <QFormLayout>
#include <QLayout>
#include <QObject>
#include <QScrollArea>
#include <QStackedWidget>
#include <span>
#include <vector>

namespace attnlab::ui {

/// An item with an alignment is aligned within the height of its line; others are at the top.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr, int horizontal_gap = 6, int vertical_gap = 6);
    ~FlowLayout() override;

    /// Gives this widget its minimum width, plus what the others on its line leave.
    void setFilling(const QWidget* widget);

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;
    void setGeometry(const QRect& area) override;

private:
    bool isFilling(QLayoutItem& item) const { return filling_ && item.widget() == filling_; }
    QSize sizeIn(int width, QLayoutItem& item) const;
    /// Lays out the visible items in `area`, moving them if `place`; returns the height.
    int arrange(const QRect& area, bool place) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
    int horizontal_gap_;
    int vertical_gap_;
    const QWidget* filling_ = nullptr;
};

/// Gives the fields of several forms, one above the other, a common left edge.
void alignFields(std::span<QFormLayout* const> forms);

/// Pages that alternate in one place.
/// A QStackedWidget with the size of the current page, not of the largest.
class PageStack : public QStackedWidget {
public:
    explicit PageStack(QWidget* parent = nullptr) : QStackedWidget(parent) {
        connect(this, &QStackedWidget::currentChanged, this, [this] { updateGeometry(); });
    }

    QSize sizeHint() const override { return currentWidget() ? currentWidget()->sizeHint() : QSize(); }
    QSize minimumSizeHint() const override {
        return currentWidget() ? currentWidget()->minimumSizeHint().expandedTo(currentWidget()->minimumSize())
                               : QSize();
    }
};

/// A scroll area whose bars do not oscillate.
/// A scroll area whose bars depend only on its own size and the content's, never on which bars are visible: text that
/// wraps differently beside a bar could otherwise hide and show it without end. The content fills the area and is never
/// smaller than its minimum.
class FittingScrollArea : public QScrollArea {
    Q_OBJECT
public:
    /// Down: the content gets the available width without that of the bar, which is always reserved. Both: it gets at
    /// least its minimum width, and bars appear as needed.
    enum class Scrolls { Down, Both };

    FittingScrollArea(QWidget* content, Scrolls scrolls, QWidget* parent = nullptr);

    /// Lays out the content now; otherwise this happens in the event loop after the content's size hint has changed.
    void fit();

    /// Of the content: layouts use it with a size policy of height for width, up to maximumHeight().
    int heightForWidth(int width) const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    QSize roomWith(bool bar_below, bool bar_beside) const;

    Scrolls scrolls_;
    int least_width_ = 0; ///< last reported
};

/// The wheel scrolls, and changes only what has the focus.
/// A filter for the whole program. Number fields, pickers, tabs and sliders take the wheel while they have the focus;
/// elsewhere it goes on to what scrolls below them, so that scrolling over a panel changes no setting.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    /// Once for the application.
    static void install();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

} // namespace attnlab::ui

// Deletes a widget once no event needs it any more.

class QWidget;

namespace attnlab::ui {

/// Takes `widget` (which may be null) out of its parent and silences it at once; it is deleted when control returns to
/// the event loop. For widgets that a change of what is shown makes superfluous: the change may come from one of their
/// own signals, or from the mouse leaving another widget for one of them, and Qt then still needs them to finish the
/// event.
void removeSafely(QWidget* widget);

} // namespace attnlab::ui
