// Offers to cancel background work that takes long.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

class QProgressBar;
class QProgressDialog;
class QWidget;

namespace attnlab::ui {

class LatestJobBase;

/// A box over `window` with a text, the progress of a job and Cancel. It shows when the job has run for 0.3 s, not
/// while the job is held, and closes when the job is settled. Without reports of progress its bar only shows that
/// something goes on. The job must outlive it.
class ProgressBox : public QObject {
    Q_OBJECT
public:
    static constexpr int patience_milliseconds = 300;

    /// A modal box keeps the user from everything else in the window, closing it included.
    ProgressBox(LatestJobBase& job, QWidget* window, QString text, Qt::WindowModality modality = Qt::NonModal);
    ~ProgressBox() override;

private:
    void show();
    void close();

    LatestJobBase& job_;
    QWidget* window_;
    QString text_;
    Qt::WindowModality modality_;
    QTimer patience_;
    QPointer<QProgressDialog> box_;
    QProgressBar* bar_ = nullptr; ///< of the box
};

} // namespace attnlab::ui
