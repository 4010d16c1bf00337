// A layout that places items in a line and wraps, like words in a paragraph.
#pragma once

#include <QLayout>

#include <memory>
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

} // namespace attnlab::ui
