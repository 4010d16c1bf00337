#include "tests/gallery/photographer.h"

#include "app/backends.h"
#include "layout_faults.h"
#include "ui/document/file_controller.h"
#include "ui/export/animation.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/learn/learn_page.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"
#include "ui/window/results.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QImage>
#include <QPixmap>
#include <QPushButton>
#include <QSettings>

#include <cstdio>

namespace attnlab::gallery {

using namespace attnlab::ui;

void wait(int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < milliseconds)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 10);
}

Photographer::Photographer(const QString& folder, const Appearance& look) : folder_(folder) {
    QSettings().clear();
    applyLanguage(look.language);
    applyTheme(look.theme);
    window_ = std::make_unique<MainWindow>(app::allBackends());
    window_->files().setAnswer(FileController::Answer::Discard);
    window_->setMinimumSize(1, 1); // as on a screen that is smaller
    window_->resize(look.size);
    window_->show();
    settle();
}

Photographer::~Photographer() = default;

void Photographer::open(const char* sample) {
    window_->files().openSample(QString::fromLatin1(sample));
    settle();
}

void Photographer::open(const AttentionProblem& problem, const QString& title) {
    window_->files().openProblem(problem, title, QStringLiteral("weights"));
    settle();
}

void Photographer::awaitMaps() {
    constexpr int most = 120000;
    const auto& maps = window_->results().large().session();
    QElapsedTimer timer;
    timer.start();
    while (!(maps.pyramid() && maps.overview(3)) && timer.elapsed() < most)
        wait(100);
}

void Photographer::pin(int row, int column) {
    window_->viewState().setPinned(Cell{row, column});
    settle();
}

void Photographer::turnTo(const QString& page) {
    window_->centre()->setCurrent(page);
    settle();
}

void Photographer::showLesson(int lesson, int step) {
    window_->learnMode()->showLesson(lesson);
    for (int i = 0; i < step; ++i)
        window_->learnMode()->page()->next();
    settle();
}

void Photographer::openBoard() {
    window_->learnMode()->page()->frame()->cover()->button()->click();
    settle();
}

void Photographer::showModel(int pass, int head) {
    window_->actions().sample_model->trigger();
    settle();
    auto* page = window_->modelMode()->page();
    page->wall()->choose({pass, head});
    settle();
}

void Photographer::film(FrameEncoder& encoder, QSize size, int milliseconds) {
    settle();
    const QImage frame = window_->grab().toImage();
    encoder.add(frame.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation), milliseconds);
}

bool Photographer::take(const QString& name) {
    settle();
    if (const QString faults = layoutFaults(*window_); !faults.isEmpty())
        std::fprintf(stderr, "%s:\n%s\n", qPrintable(name), qPrintable(faults));
    const QString file = QDir(folder_).filePath(name + QStringLiteral(".png"));
    const bool written = window_->grab().save(file);
    std::fprintf(written ? stdout : stderr, "%s%s\n", qPrintable(file), written ? "" : ": cannot be written");
    return written;
}

void Photographer::settle() {
    constexpr int of_animations = 250;
    QElapsedTimer timer;
    timer.start();
    do
        wait(of_animations);
    while (!isSettled() && timer.elapsed() < 60000);
}

bool Photographer::isSettled() const {
    auto* learn = window_->learnMode();
    auto* frame = learn->isOn() ? learn->page()->frame() : nullptr;
    return !window_->isComputing() && (!frame || (!frame->model().isComputing() && frame->board()->isSettled()));
}

} // namespace attnlab::gallery
