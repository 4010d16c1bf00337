// One line at the top of the window for what went wrong or just happened; it never interrupts.
#pragma once

#include "core/message.h"

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace attnlab::ui {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Notice, Error };

    explicit MessageBar(QWidget* parent = nullptr);

    /// A notice goes away by itself; an error stays until closed, replaced or cleared by its `topic`.
    void showMessage(Kind kind, const QString& text, const QString& topic = {});
    /// The same; the text follows a change of language.
    void showMessage(Kind kind, const Message& message, const QString& topic = {});
    /// With a button: `clicked` runs and the bar closes. `declined` runs when the user closes the bar instead; neither
    /// when another message takes its place.
    void showQuestion(const QString& text, const QString& button, std::function<void()> clicked,
                      std::function<void()> declined);
    /// Adds a button to the message on show: a way out of what it says. `clicked` runs and the bar closes.
    void offer(const QString& button, std::function<void()> clicked);
    /// A second button, beside that one.
    void offerToo(const QString& button, std::function<void()> clicked);
    /// Takes back the message of this topic, if it is the one on show.
    void clear(const QString& topic);
    QString text() const;
    /// Room for the text on one line with its buttons.
    int widthOnOneLine() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void answer(std::function<void()>& clicked);
    void paintKind();
    void retranslate();

    QLabel* label_;
    QPushButton* action_;
    QPushButton* other_action_;
    QToolButton* close_;
    QTimer* timer_;
    std::function<void()> clicked_;
    std::function<void()> other_clicked_;
    std::function<void()> declined_;
    QString topic_;
    Message message_; ///< what is on show, where the engine said it
    Kind kind_ = Kind::Notice;
    bool painting_ = false; ///< in changeEvent
};

} // namespace attnlab::ui
