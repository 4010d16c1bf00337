// A message with what can be done about it; it never interrupts.
#pragma once

#include "core/message.h"

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace attnlab::ui {

class KindMark;

class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Notice, Warning, Error };

    explicit MessageBar(QWidget* parent = nullptr);

    /// A notice disappears by itself; the others stay until they are closed, replaced or cleared by their `topic`.
    void showMessage(Kind kind, const QString& text, const QString& topic = {});
    /// The same; the text follows changes of the language.
    void showMessage(Kind kind, const Message& message, const QString& topic = {});
    /// With a button: calls `clicked` and closes the bar. Calls `declined` when the user closes the bar instead;
    /// neither when another message replaces it.
    void showQuestion(const QString& text, const QString& button, std::function<void()> clicked,
                      std::function<void()> declined);
    /// Adds a button to the displayed message, for a solution. Calls `clicked` and closes the bar.
    void offer(const QString& button, std::function<void()> clicked);
    /// Adds a second button beside that one.
    void offerToo(const QString& button, std::function<void()> clicked);
    /// Removes the message of this topic, if it is displayed.
    void clear(const QString& topic);
    Kind kind() const { return kind_; }
    QString text() const;
    /// The width of the text on one line with its buttons.
    int widthOnOneLine() const;

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void answer(std::function<void()>& clicked);
    void takeColors();
    void nameKind();
    void retranslate();

    KindMark* mark_;
    QLabel* label_;
    QPushButton* action_;
    QPushButton* other_action_;
    QToolButton* close_;
    QTimer* timer_;
    std::function<void()> clicked_;
    std::function<void()> other_clicked_;
    std::function<void()> declined_;
    QString topic_;
    Message message_; ///< the displayed message, if from the engine
    Kind kind_ = Kind::Notice;
    bool coloring_ = false; ///< in changeEvent
};

} // namespace attnlab::ui
