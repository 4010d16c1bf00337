// The presenter's own window: notes, what comes next, and the time.
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QString>
#include <QTimer>
#include <QWidget>

class QAction;
class QGridLayout;
class QLabel;
class QPushButton;
class QScreen;

namespace attnlab::ui {

class FittingScrollArea;
class MarkdownLabel;

/// What a presenter reads about the step that the audience sees.
struct PresenterNotes {
    QString title;
    QString position; ///< "Step 3 of 13"
    QString text;     ///< Markdown
    QString press;    ///< what the next press shows
    QString next;     ///< the title of the next step; empty after the last one
    double from = 0;  ///< planned minutes of the step; all 0 without a plan
    double to = 0;
    double all = 0;

    bool operator==(const PresenterNotes&) const = default;
};

/// A window of its own, on the second screen if there is one. Closing it changes nothing in the main window.
class PresenterView : public QWidget {
    Q_OBJECT
public:
    /// `commands` work in this window too; those in `buttons` also have a button. `window` is the audience's, and
    /// deletes this one.
    PresenterView(QWidget& window, const QList<QAction*>& commands, const QList<QAction*>& buttons);

    /// Shows it on another screen than the audience's, or beside it.
    void open();
    void setNotes(const PresenterNotes& notes);

    /// Milliseconds since the clock was started; -1 while it is not running.
    qint64 elapsed() const { return started_.isValid() ? started_.elapsed() + before_ : -1; }
    /// Starts the clock, `milliseconds` after its beginning.
    void startClock(qint64 milliseconds = 0);
    /// "3:05" and "0:20 behind", as displayed.
    QString runningText() const;
    QString paceText() const;
    QString notesText() const;
    QString nextText() const;
    QPushButton* restartButton() const { return restart_; }

    /// The screen for the presenter while the audience looks at `audience`: another one, or null if there is none.
    static QScreen* otherScreen(const QList<QScreen*>& screens, const QScreen* audience);
    /// "0:20 ahead", "0:20 behind" or "on time"; empty without a plan.
    static QString pace(const PresenterNotes& notes, qint64 milliseconds);

signals:
    void shownChanged(bool shown);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showTime();
    void listKeys();

    QWidget& window_;
    QList<QAction*> commands_;
    PresenterNotes notes_;
    QElapsedTimer started_;
    qint64 before_ = 0; ///< milliseconds before started_
    QTimer tick_;
    QLabel* clock_;
    QLabel* running_;
    QLabel* pace_;
    QLabel* plan_;
    QPushButton* restart_;
    QLabel* position_;
    QLabel* title_;
    MarkdownLabel* text_;
    QLabel* next_;
    QLabel* press_;
    QGridLayout* keys_;
    FittingScrollArea* scroll_;
};

} // namespace attnlab::ui
