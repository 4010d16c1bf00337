// Computes every step of a lesson and gathers what its handout holds.
#pragma once

#include "ui/export/export_subject.h"
#include "ui/learn/handout.h"
#include "ui/learn/lesson.h"

#include <QObject>
#include <QTimer>

#include <exception>
#include <functional>
#include <memory>

namespace attnlab::ui {

class BoardFrame;

/// One step after the other; the window goes on living meanwhile. Deleting it cancels. Needs a QApplication: the
/// pictures come from boards that nobody sees.
class HandoutMaker : public QObject {
    Q_OBJECT
public:
    explicit HandoutMaker(LessonPtr lesson, QObject* parent = nullptr);
    ~HandoutMaker() override;

    void start();
    /// After finished(). Throws what making it threw.
    Handout handout() const;

signals:
    void progressed(double fraction);
    /// handout() is complete, or has failed.
    void finished();

private:
    void guarded(const std::function<void()>& work);
    void begin(int step);
    void look();

    LessonPtr lesson_;
    Handout handout_;
    int step_ = 0;
    bool failed_ = false;
    int looks_ = 0;
    std::exception_ptr error_;
    std::unique_ptr<BoardFrame> frame_;
    StepQuestion question_;
    LatestJob<StepQuestion> measuring_;
    QTimer timer_;
};

/// The same, waiting in an event loop of its own. Throws what making it threw.
Handout makeHandout(const LessonPtr& lesson);

/// A PDF of every step; `name` is proposed for the file. Its write() may be called in any thread but the GUI's, whose
/// event loop makes the boards meanwhile.
ExportSubject handoutExport(const LessonPtr& lesson, const QString& name);

} // namespace attnlab::ui
