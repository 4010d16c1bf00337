// A message with what can be done about it, which never interrupts; and messages of work that failed.
#pragma once

#include "core/message.h"

#include <functional>
#include <optional>
#include <QColor>
#include <QFrame>
#include <QWidget>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace attnlab::ui {

class MessageIcon;

class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Notice, Warning, Error };
    /// Makes a text anew when the language changes: calls tr() or translated().
    using Words = std::function<QString()>;

    explicit MessageBar(QWidget* parent = nullptr);

    /// A notice disappears by itself; the others stay until they are closed, replaced or cleared by their `topic`.
    void showMessage(Kind kind, const QString& text, const QString& topic = {});
    /// The same; the text follows changes of the language.
    void showMessage(Kind kind, Words words, const QString& topic = {});
    void showMessage(Kind kind, const Message& message, const QString& topic = {});
    /// With a button: calls `clicked` and closes the bar. Calls `declined` when the user closes the bar instead;
    /// neither when another message replaces it.
    void showQuestion(Words text, Words button, std::function<void()> clicked, std::function<void()> declined);
    /// Adds a button to the displayed message, for a solution. Calls `clicked` and closes the bar.
    void offer(Words button, std::function<void()> clicked);
    /// Adds a second button beside that one.
    void alsoOffer(Words button, std::function<void()> clicked);
    /// Removes the message of this topic, if it is displayed.
    void clear(const QString& topic);
    Kind kind() const { return kind_; }
    QString text() const;
    /// The width of the text on one line with its buttons.
    int widthOnOneLine() const;

signals:
    void closed(const QString& topic); ///< by the user

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// A button of the displayed message.
    struct Offer {
        QPushButton* button;
        Words words = {};
        std::function<void()> clicked = {};
    };
    void setOffer(Offer& offer, Words words, std::function<void()> clicked);
    void answer(Offer& offer);
    void takeColors();
    void nameKind();
    void retranslate();

    MessageIcon* mark_;
    QLabel* label_;
    Offer action_;
    Offer other_action_;
    QToolButton* close_;
    QTimer* timer_;
    std::function<void()> declined_;
    QString topic_;
    Words words_; ///< of the displayed message; null: its text stays
    Kind kind_ = Kind::Notice;
    bool coloring_ = false; ///< in changeEvent
};

/// The sign of a message.
class MessageIcon : public QWidget {
public:
    using QWidget::QWidget;

    void setKind(MessageBar::Kind kind);
    void setColors(const QColor& sign, const QColor& cut_out);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    MessageBar::Kind kind_ = MessageBar::Kind::Notice;
    QColor sign_, cut_out_;
};

// Catches exceptions of work in other threads, which would otherwise be lost as a cancelled future.

/// Texts for failures without a message.
struct FailureMessages {
    const char* no_memory;
    const char* other; ///< with %1
};
extern const FailureMessages computing_failed;
extern const FailureMessages reading_failed;
extern const FailureMessages writing_failed;
extern const FailureMessages handling_failed;

/// The error of `work`; nullopt on success or cancellation.
std::optional<Message> caughtFailure(const std::function<void()>& work, const FailureMessages& words);

} // namespace attnlab::ui
