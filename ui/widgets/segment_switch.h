// A row of segments, one of which is chosen.
#pragma once

#include <QTabBar>

namespace attnlab::ui {

/// A tab bar (for keys, focus and screen readers) that looks like a switch.
class SegmentSwitch : public QTabBar {
    Q_OBJECT
public:
    explicit SegmentSwitch(QWidget* parent = nullptr);

    /// Instead of setTabVisible(), after which a QTabBar keeps the places of the other tabs.
    void showTab(int index, bool shown);

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
    void paintEvent(QPaintEvent* event) override;
};

} // namespace attnlab::ui
