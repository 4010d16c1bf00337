// The status bar, and the messages over it.
#pragma once

#include "ui/document/computation.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QTimer;
class QToolButton;

namespace attnlab::ui {

class StatusLine : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setComputed(const ComputedPtr& computed);
    void setFailed(const Message& why);
    /// There is no result of the present inputs.
    void setNoResult(const Message& why);
    /// A map is shown: its engine, and "B 1 · H 8 · L 32768 · S 32768".
    void setMap(const QString& engine, const QString& sizes);
    /// Of the map.
    void setNotes(const std::vector<attnlab::Note>& notes);
    /// Work has begun: progress and Cancel appear if it takes more than 0.3 s.
    void begin();
    void setProgress(double fraction);
    void end();

    /// What is known of the device, beside the rest; empty: nothing.
    void setDevice(const Message& line);
    const Message& device() const { return device_line_; }

    QString engineText() const;
    QString deviceText() const;
    QString shapeLine() const;
    /// A line each, the most severe first.
    QString noteText() const;

signals:
    void cancelRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showNotes();

    QLabel* engine_;
    QLabel* shape_;
    QLabel* device_;
    QLabel* note_;
    QLabel* hint_; ///< on keys
    QProgressBar* progress_;
    QToolButton* cancel_;
    QTimer* delay_;
    ComputedPtr computed_;
    std::vector<Note> notes_;
    Message failure_, device_line_;
};

class MessageBar;

/// Messages over the status bar, so that nothing moves and nothing is covered that can be clicked.
/// Overlays message bars on the lower left of a window, over its status bar. One of several lines grows upwards.
/// Hidden without a message.
class Banners : public QWidget {
    Q_OBJECT
public:
    /// The bars from top to bottom; `area`, the window, must outlive this, which becomes its child.
    Banners(std::initializer_list<MessageBar*> bars, QWidget& area);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QWidget& area_;
    QList<MessageBar*> bars_;
};

} // namespace attnlab::ui
