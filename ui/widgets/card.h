// The rounded panel that groups what belongs together.
#pragma once

#include <QWidget>

class QLabel;
class QPainter;
class QVBoxLayout;

namespace attnlab::ui {

class MarkdownLabel;

/// Paints a card over the whole of `widget`, from its paintEvent.
void paintCard(QWidget& widget);

/// Around the whole of `widget`: it has the keyboard.
void paintFocusFrame(QPainter& painter, const QWidget& widget);

/// A card with a heading, a word beside it on the right, and a body.
class Card : public QWidget {
    Q_OBJECT
public:
    explicit Card(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Short text at the right end of the heading.
    void setAside(const QString& text);
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

/// As setVisible, but what is around is laid out in the next turn, once; setVisible does so at once, each time.
void showWithin(QWidget* widget, bool shown);

/// Widgets made later come last for Tab: puts one right after where another stands.
void placeForTab(QWidget* after, QWidget* added);

/// A label in the theme's secondary colour that follows light and dark; bold for headings.
QLabel* mutedLabel(QWidget* parent, bool bold = false);
MarkdownLabel* mutedMarkdownLabel(QWidget* parent);

} // namespace attnlab::ui
