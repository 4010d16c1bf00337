// Controls for a number or an expression: a logarithmic slider, dragging a number, a field that checks its text.
#pragma once

#include "core/message.h"

#include <functional>
#include <optional>
#include <QObject>
#include <QPoint>
#include <QSlider>
#include <QString>
#include <QWidget>
#include <string>
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
    /// An arrow key, which the slider takes with Shift and Alt, too.
    static bool isStep(const QKeyEvent& key);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    /// By the user.
    void edited(double number);
    /// Escape during a drag.
    void dragCancelled();

protected:
    bool event(QEvent* event) override;
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

class QMouseEvent;
class QWidget;

namespace attnlab::ui {

/// Watches a widget for a horizontal drag with the left button and counts steps of a few pixels: ten times as many with
/// Shift, a tenth with Alt or Ctrl. Escape, or a press of another button, ends the drag and brings the number before
/// back. The mouse has the shape of an arrow to both sides where a drag may begin.
class NumberDrag : public QObject {
    Q_OBJECT
public:
    explicit NumberDrag(QWidget& target);

    /// Where a drag may begin, in the widget; by default everywhere.
    void setWhere(std::function<bool(const QPoint&)> where) { where_ = std::move(where); }
    bool isDragging() const { return dragging_; }

signals:
    void began();
    /// The steps since the beginning.
    void moved(double steps);
    /// `kept` is false after Escape.
    void ended(bool kept);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool move(const QMouseEvent& event);
    void end(bool kept);

    QWidget& target_;
    std::function<bool(const QPoint&)> where_;
    bool pressed_ = false, dragging_ = false, has_shape_ = false;
    QPoint pressed_at_;
    double last_x_ = 0.0, steps_ = 0.0;
};

/// `start` after so many steps of a tenth of its leading digit's place; whole numbers move by 1. Rounded so that binary
/// errors do not show.
double draggedNumber(double start, double steps, bool is_whole);

} // namespace attnlab::ui

class QLabel;
class QLineEdit;

namespace attnlab::ui {

/// The text takes effect with Enter or when the field is left. While it is wrong, the line below says where and why,
/// and it stays as it was typed.
class ExpressionField : public QWidget {
    Q_OBJECT
public:
    /// Throws Error for a text that is wrong.
    using Check = std::function<void(const std::string&)>;
    explicit ExpressionField(Check check, QWidget* parent = nullptr);
    ~ExpressionField() override;

    /// The last text that was valid.
    const QString& text() const { return text_; }
    /// Shows another text; keeps what is typed if it is the text already.
    void setText(const QString& text);
    void setPlaceholder(const QString& text);
    /// The error of the text that is typed; empty if it is valid.
    QString complaint() const;
    QLineEdit* edit() const { return edit_; }

signals:
    /// By the user; the text is valid and new.
    void textAccepted(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    bool isValid();
    void accept();

    Check check_;
    QString text_;
    QLineEdit* edit_;
    QLabel* complaint_;
};

} // namespace attnlab::ui
