// Shows the position among the steps of a lesson.
#pragma once

#include <QWidget>

#include <vector>

namespace attnlab::ui {

/// A dot for each step, filled if seen; a click opens the step. (The keys for next and back serve the keyboard, so the
/// dots take no focus.)
class StepDots : public QWidget {
    Q_OBJECT
public:
    explicit StepDots(QWidget* parent = nullptr);

    void setSteps(std::vector<bool> seen, int current, const QStringList& titles);
    QRectF dotRect(int step) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void stepChosen(int step);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    int stepAt(const QPointF& position) const;
    double pitch() const;

    std::vector<bool> seen_;
    QStringList titles_;
    int current_ = 0;
};

} // namespace attnlab::ui
