// Stands in the place of a board until the reader has made a prediction.
#pragma once

#include <QWidget>

class QPushButton;

namespace attnlab::ui {

class BoardCover : public QWidget {
    Q_OBJECT
public:
    explicit BoardCover(QWidget* parent = nullptr);

    QPushButton* button() const { return button_; }

signals:
    /// To see the board without a prediction.
    void lifted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPushButton* button_;
};

} // namespace attnlab::ui
