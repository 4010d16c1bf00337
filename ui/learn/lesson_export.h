// Exports a lesson: every step for its handout, and one step as a picture.
#pragma once

#include "ui/drawing/drawing.h"
#include "ui/export/export_subject.h"
#include "ui/export/live_page.h"
#include "ui/learn/handout.h"
#include "ui/learn/lesson/displayed_lesson.h"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <QObject>
#include <QTimer>
#include <utility>
#include <vector>

namespace attnlab::ui {

class BoardFrame;

/// One step after the other; the window goes on living meanwhile. Deleting it cancels. Needs a QApplication: the
/// pictures come from boards that nobody sees.
class HandoutMaker : public QObject {
    Q_OBJECT
public:
    HandoutMaker(LessonPtr lesson, HandoutKind kind, QObject* parent = nullptr);
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
    void show(const lab::Scene& scene, const lab::BoardSpec& view, std::optional<lab::BoardSpec> asking = std::nullopt);
    void look();
    void addStep();
    std::optional<std::pair<lab::Scene, lab::BoardSpec>> otherBoard() const;
    void next();

    LessonPtr lesson_;
    Handout handout_;
    int step_ = 0;
    bool has_other_board_ = false; ///< otherBoard() is on show
    bool failed_ = false;
    int looks_ = 0;
    std::exception_ptr error_;
    std::unique_ptr<BoardFrame> frame_;
    StepQuestion question_;
    LatestJob<StepQuestion> measuring_;
    std::vector<std::vector<lab::HiddenPart>> asked_earlier_; ///< of questions: by step
    LatestJob<std::vector<std::vector<lab::HiddenPart>>> comparing_;
    QTimer timer_;
};

/// The same, waiting in an event loop of its own. Throws what making it threw.
Handout makeHandout(const LessonPtr& lesson, HandoutKind kind);

/// A page that computes (ui/export/live_page.h) of a lesson or a lecture of the program or in files. Throws Error.
QByteArray lessonPage(const LessonPtr& lesson, const LivePageOptions& options, const RunControl& control = {});

/// A PDF of every step, for students or with the solutions; `name` is proposed for the file. Its write() may be called
/// in any thread but the GUI's, whose event loop makes the boards meanwhile.
ExportSubject handoutExport(const LessonPtr& lesson, const QString& name);

/// A step of a lesson as one picture: its board with the text below.
class StepPicture : public Drawing {
public:
    /// `board` is not null; `markdown` may be empty.
    StepPicture(std::shared_ptr<const Drawing> board, QString markdown);

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

private:
    double textHeight(const QFont& font, double width) const;
    QRectF boardArea(const QRectF& area, const QFont& font) const;

    std::shared_ptr<const Drawing> board_;
    QString markdown_;
};

/// Adds a page that computes the board, if the engine for pages is here and no model makes its numbers.
void addBoardPage(ExportSubject& subject, const lab::Scene& scene, const lab::BoardSpec& view, const QString& name);
/// A board with or without the text of its step below. `markdown` may be empty; `name` is the proposed file name.
ExportSubject stepExport(std::shared_ptr<const Drawing> board, const QString& title, const QString& markdown,
                         const QString& name);

} // namespace attnlab::ui
