// A part of a card in the window.
#pragma once

#include "ui/lab/part.h"

#include <QWidget>

namespace attnlab::ui {

class PartView : public QWidget {
    Q_OBJECT
public:
    explicit PartView(QWidget* parent = nullptr);

    void setPart(PartPtr part);
    const PartPtr& part() const { return part_; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

signals:
    void rowClicked(int row);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    PartPtr part_;
};

} // namespace attnlab::ui
