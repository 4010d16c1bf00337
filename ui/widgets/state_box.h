// Why a picture is missing, or is not of the present inputs: one form for empty, loading and error.
#pragma once

#include <functional>
#include <QColor>
#include <QString>
#include <QWidget>

class QPainter;
class QPushButton;
class QRectF;

namespace attnlab::ui {

class WrappedLabel;

/// The sign of a state or a message: i in a disc, an open ring, ! in a triangle, × in an octagon.
enum class Sign { Notice, Loading, Warning, Error };
void paintSign(QPainter& painter, const QRectF& square, Sign sign, const QColor& color, const QColor& cut_out);

/// The colours of a message or a state with this sign.
struct SignColors {
    QColor back, text, sign;
};
SignColors colorsOf(Sign sign);

struct PictureState {
    enum class Look { Empty, Loading, Error } look = Look::Empty;
    QString what;       ///< "Nothing computed yet"; empty: there is nothing to say
    QString why = {};   ///< the cause, in one sentence
    QString to_do = {}; ///< the text of the button; empty: there is none

    bool operator==(const PictureState&) const = default;
};

/// A sign, what is the case, why, and a button for what to do about it. Hidden while there is nothing to say.
class StateBox : public QWidget {
    Q_OBJECT
public:
    /// Makes the state anew when the language changes: calls tr() or translated().
    using Words = std::function<PictureState()>;
    /// Middle, Top: over `host`, whose size it follows. Layout: where a layout puts it.
    enum class Place { Middle, Top, Layout };
    StateBox(QWidget* host, Place place);

    void setState(const PictureState& state);
    void setState(Words words);
    const PictureState& state() const { return state_; }
    /// Visible where the state says what to do.
    QPushButton* button() const { return button_; }

signals:
    void clicked(); ///< the button

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Sign sign() const;
    void show(const PictureState& state);
    void takeColors();
    void place();

    Place place_;
    QWidget* sign_;
    WrappedLabel *what_, *why_;
    QPushButton* button_;
    PictureState state_;
    Words words_;
    bool coloring_ = false; ///< in changeEvent
};

} // namespace attnlab::ui
