// The rounded panel for a group of widgets.
#pragma once

#include <QBoxLayout>
#include <QWidget>

class QLabel;
class QPainter;

namespace attnlab::ui {

class MarkdownLabel;

/// Paints a card over the whole of `widget`, from its paintEvent.
void paintCard(QWidget& widget);

/// Paints the focus frame around the whole of `widget`.
void paintFocusFrame(QPainter& painter, const QWidget& widget);

/// A card with a heading, a short text to its right, and a body.
class Card : public QWidget {
    Q_OBJECT
public:
    explicit Card(QWidget* parent = nullptr);

    /// `help` is for a title that is a shortened one, as for the other text.
    void setTitle(const QString& title, const QString& help = {});
    /// The short text at the right end of the heading.
    void setHeadingNote(const QString& text, const QString& help = {});
    QString title() const;
    QString aside() const;
    QVBoxLayout* body() { return body_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* title_;
    QLabel* aside_;
    QVBoxLayout* body_;
};

/// A card without a heading.
class PlainCard : public QWidget {
    Q_OBJECT
public:
    explicit PlainCard(QBoxLayout::Direction direction, QWidget* parent = nullptr);
    QBoxLayout* content() { return content_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QBoxLayout* content_;
};

/// As setVisible, but the surrounding layout is updated once, in the next event loop iteration; setVisible does so each
/// time, at once.
void showWithin(QWidget* widget, bool shown);

/// Widgets made later are last in the order of Tab: moves `added` directly after `after`.
void placeForTab(QWidget* after, QWidget* added);

/// A label in the theme's secondary colour that follows light and dark; bold for headings.
QLabel* mutedLabel(QWidget* parent, bool bold = false);
MarkdownLabel* mutedMarkdownLabel(QWidget* parent);

} // namespace attnlab::ui
