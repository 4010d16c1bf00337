// The way to a number, one operation below the other.
#pragma once

#include "ui/panels/inspector/arithmetic.h"

#include <QWidget>

#include <vector>

namespace attnlab::ui {

class Rung;

/// A rung for each line of arithmetic; the addends of a sum are part of the rung with their sum. One stop for Tab:
/// the arrow keys go from rung to rung, Space unfolds a sum. Its height follows from its width.
class Ladder : public QWidget {
    Q_OBJECT
public:
    explicit Ladder(QWidget* parent = nullptr);

    void setLines(const std::vector<ArithmeticLine>& lines);
    bool isUnfolded() const { return unfolded_; }
    /// From the top.
    const std::vector<Rung*>& rungs() const { return rungs_; }

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void setUnfolded(bool unfolded);
    void setCurrent(int index);
    void alignNames();
    void place();

    std::vector<Rung*> rungs_;
    bool unfolded_ = false;
    int current_ = 0; ///< while it has the focus
};

} // namespace attnlab::ui
