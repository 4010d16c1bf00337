// Labels and badges for plain text, and a field for several lines.
#pragma once

#include "core/message.h"

#include <optional>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QString>

namespace attnlab::ui {

/// Shows its text literally, whereas a QLabel interprets text that looks like HTML and opens the files that it refers
/// to: tokens, names and messages come from untrusted files.
class Label : public QLabel {
public:
    explicit Label(QWidget* parent = nullptr) : QLabel(parent) { setTextFormat(Qt::PlainText); }
    explicit Label(const QString& text, QWidget* parent = nullptr) : Label(parent) { setText(text); }
};

/// A label that never requires more room than it is given.
/// One line that ends in "…" where it does not fit, and can shrink to a few letters, so that its text does not move
/// other widgets. A tooltip shows the full text when it is cut and no other tooltip is set. For plain text without word
/// wrap; otherwise it behaves as a QLabel.
class ElidedLabel : public Label {
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// The elided side; initially Qt::ElideRight.
    void setElideMode(Qt::TextElideMode mode);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// text() as painted.
    virtual QString shownText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    bool isPlain() const;
    bool elides() const { return isPlain() && !wordWrap(); }
    QSize sizeFor(int text_width) const;

    Qt::TextElideMode mode_ = Qt::ElideRight;
};

/// An ElidedLabel that takes the width it is given and asks for none.
enum class LineStyle { Plain, Bold, Muted };
ElidedLabel* makeLineLabel(LineStyle style);

/// A label of several lines whose size is cheap to query.
/// With word wrap, the text is laid out once for each width: a QLabel does so for every query of a layout, several
/// times for each change around it. A word of plain text that is longer than a line is elided, and the label has no
/// preferred width: it takes the available one.
class WrappedLabel : public ElidedLabel {
public:
    using ElidedLabel::ElidedLabel;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;
    QString shownText() const override;

private:
    struct Layout {
        QString text;
        QFont font;
        int width = -1, height = 0;
    };
    mutable Layout latest_[2]; ///< a layout queries the current width and the next one
};

/// Shows an error in a dialog.
/// Hidden without an error; in the theme's red.
class ErrorLabel : public Label {
    Q_OBJECT
public:
    explicit ErrorLabel(QWidget* parent = nullptr);

    void say(const std::optional<Message>& error);
    /// Empty while hidden.
    QString said() const;
};

/// A field for several lines of text.
/// Pasting from an empty clipboard does nothing. In Qt 6.4 it ends the program: QWidgetTextControl reads the first
/// format of what it gets, and there is none.
class TextEdit : public QPlainTextEdit {
public:
    using QPlainTextEdit::QPlainTextEdit;

protected:
    void insertFromMimeData(const QMimeData* source) override {
        if (source && !source->formats().isEmpty())
            QPlainTextEdit::insertFromMimeData(source);
    }
};

} // namespace attnlab::ui

// Labels of any length in headings.

class QFontMetrics;

namespace attnlab::ui {

/// The label in one line, with "…" where it is wider than `letters` of average width.
QString shortenedLabel(const QString& label, const QFontMetrics& metrics, int letters);

// A word in a frame that says what something is, such as "real model".

class Badge : public Label {
    Q_OBJECT
public:
    explicit Badge(QWidget* parent = nullptr);

    /// Hidden for an empty text; `tip` says more.
    void say(const QString& text, const QString& tip = {});

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace attnlab::ui
