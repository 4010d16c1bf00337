// A slider with a logarithmic axis and marked numbers.
#pragma once

#include <optional>
#include <QSlider>
#include <QString>
#include <vector>

namespace attnlab::ui {

/// Stops exactly at the marks. A drag goes where the mouse is, also from a press beside the handle; with Alt it does
/// not snap. Arrow keys take a step, with Shift ten, with Alt a tenth; Home and End go to the ends. Escape during a
/// drag brings the number before back.
class LogSlider : public QSlider {
    Q_OBJECT
public:
    struct Mark {
        double number = 1.0;
        QString text;
    };

    explicit LogSlider(QWidget* parent = nullptr);

    /// 0 < low < high; the marks are within, ascending.
    void setAxis(double low, double high, std::vector<Mark> marks);
    const std::vector<Mark>& marks() const { return marks_; }
    /// That of the handle: exact at a mark, else rounded to four digits.
    double number() const;
    /// Does not emit edited(). A number beyond an end stands at the end.
    void setNumber(double number);
    /// A ring where the number was before; nullopt: none.
    void setBefore(std::optional<double> number);
    /// Where a number is, in the widget.
    double xOf(double number) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    /// By the user.
    void edited(double number);
    /// Escape during a drag.
    void dragCancelled();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int placeOf(double number) const;
    double xAt(int place) const;
    double grooveY() const;
    void dragTo(const QMouseEvent& event);
    void step(int steps);

    double low_ = 1.0, high_ = 10.0;
    std::vector<Mark> marks_;
    std::optional<double> before_;
};

} // namespace attnlab::ui
