// Draws the window to pictures: those of the documentation, and every page with every sample for a look at them.
#include "core/random.h"
#include "tests/gallery/photographer.h"
#include "ui/document/local_files.h"
#include "ui/document/samples.h"
#include "ui/export/animation.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/learn_page.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/learn/lesson_page.h"
#include "ui/learn/presentation.h"
#include "ui/panels/mask/mask_painter.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QMenuBar>
#include <QStandardPaths>
#include <QStatusBar>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

using namespace attnlab;
using namespace attnlab::gallery;
using namespace attnlab::ui;

namespace {

/// Four long heads, each of which reads what is near, and what lies a multiple of its period away.
AttentionProblem longHeads() {
    constexpr std::int64_t heads = 4, length = 16384, width = 64, waves = 6;
    AttentionProblem problem;
    for (const char* name : {"query", "key", "value"}) {
        auto tensor = random_normal({1, heads, length, width}, std::char_traits<char>::length(name), 0.0, 0.6);
        auto numbers = tensor.mutable_values();
        for (std::int64_t head = 0; head < heads; ++head)
            for (std::int64_t i = 0; i < length; ++i)
                for (std::int64_t wave = 0; wave < waves; ++wave) {
                    const double period =
                        wave == 0 ? length : 900.0 * static_cast<double>(head + 1) / static_cast<double>(wave);
                    const double angle = 2.0 * std::acos(-1.0) * static_cast<double>(i) / period;
                    double* pair = &numbers[static_cast<std::size_t>((head * length + i) * width + 2 * wave)];
                    pair[0] += 2.5 * std::cos(angle);
                    pair[1] += 2.5 * std::sin(angle);
                }
        problem.tensors.emplace(name, Tensor(tensor.shape(), {numbers.begin(), numbers.end()}, DType::Float32));
    }
    return problem;
}

/// An edit as it looks: words are chosen, the scale is changed, cells are masked, and all of it is taken back.
void filmEdit(const QString& folder) {
    const QSize size(960, 600);
    Photographer photographer(folder, {QSize(1280, 800)});
    photographer.open("multi_head_fox");
    auto& window = photographer.window();
    auto& document = window.document();
    const auto encoder = makeWebpEncoder(size, true);
    constexpr int still = 1200;
    for (const int row : {3, 4, 7}) {
        window.viewState().setPinned(Cell{row, row - 1});
        photographer.film(*encoder, size, still);
    }
    for (const char* scale : {"none", "dk", "sqrt_dk"}) {
        auto spec = document.problem().spec;
        spec.scale = {scale, {}};
        document.setSpec(spec, QStringLiteral("Scale"));
        photographer.film(*encoder, size, still);
    }
    auto* painter = window.maskPainter();
    for (int column = 6; column >= 1; --column) {
        painter->begin(Cell{7, column}, false);
        painter->end();
        photographer.film(*encoder, size, 400);
    }
    photographer.film(*encoder, size, 2 * still);
    while (document.undoStack()->canUndo()) {
        document.undoStack()->undo();
        photographer.film(*encoder, size, 150);
    }
    photographer.film(*encoder, size, still);
    const QString file = QDir(folder).filePath(QStringLiteral("edit.webp"));
    writeBytes(file, encoder->finish());
    std::fprintf(stdout, "%s\n", qPrintable(file));
}

/// The pictures in docs/.
bool documentation(const QString& folder) {
    const QSize usual(1280, 800);
    bool good = true;
    const auto main_page = [&](const char* name, const Appearance& look) {
        Photographer photographer(folder, look);
        photographer.open("multi_head_fox");
        photographer.pin(3, 2);
        good = photographer.take(QString::fromLatin1(name)) && good;
    };
    const QString chinese = QStringLiteral("zh_CN");
    main_page("window-light", {usual});
    main_page("window-dark", {usual, ThemeChoice::Dark});
    main_page("window-light-zh", {usual, ThemeChoice::Light, chinese});
    main_page("window-dark-zh", {usual, ThemeChoice::Dark, chinese});
    const auto page = [&](const char* name, const char* sample, const char* id, const Appearance& look) {
        Photographer photographer(folder, look);
        photographer.open(sample);
        if (id == std::string_view("compare"))
            photographer.window().actions().compare->trigger();
        photographer.turnTo(QString::fromLatin1(id));
        good = photographer.take(QString::fromLatin1(name)) && good;
    };
    page("window-compare-zh", "multi_head_fox", "compare", {usual, ThemeChoice::Light, chinese});
    page("window-steps", "milk_or_cat_sweet", "steps", {usual});
    page("window-tiles", "flash_tiles", "tiles", {usual});
    {
        Photographer photographer(folder, {usual, ThemeChoice::Dark});
        photographer.showLesson(1, 3);
        photographer.openBoard();
        good = photographer.take(QStringLiteral("lesson-dark")) && good;
    }
    {
        Photographer photographer(folder, {usual});
        photographer.open(longHeads(), QStringLiteral("Four long heads"));
        photographer.awaitMaps();
        photographer.window().viewState().setColors({{}, true});
        photographer.pin(8000, 7100);
        good = photographer.take(QStringLiteral("window-map")) && good;
    }
    const auto model = [&](const char* name, const Appearance& look) {
        Photographer photographer(folder, look);
        photographer.showModel(2, 0); // which moves the name
        good = photographer.take(QString::fromLatin1(name)) && good;
    };
    model("window-model", {usual});
    model("window-model-zh", {usual, ThemeChoice::Dark, chinese});
    const auto lab = [&](const char* name, lab::BoardKind board) {
        Photographer photographer(folder, {usual});
        photographer.window().learnMode()->showLab(board);
        good = photographer.take(QString::fromLatin1(name)) && good;
    };
    lab("lab-scale", lab::BoardKind::ScaleLab);
    lab("lab-mask", lab::BoardKind::MaskLab);
    filmEdit(folder);
    return good;
}

/// Every page of every sample, the lessons and the labs.
bool everything(const QString& folder, const Appearance& look) {
    bool good = true;
    {
        Photographer photographer(folder, look);
        for (const auto& sample : samples()) {
            const QString name = QString::fromLatin1(sample.id);
            photographer.open(sample.id);
            good = photographer.take(name) && good;
            photographer.window().actions().compare->trigger();
            for (const QString& page : photographer.window().centre()->availableIds()) {
                photographer.turnTo(page);
                if (page != QLatin1String("matrix"))
                    good = photographer.take(name + QLatin1Char('-') + page) && good;
            }
            photographer.turnTo(QStringLiteral("matrix"));
        }
    }
    {
        Photographer photographer(folder, look);
        photographer.showModel(2, 0);
        good = photographer.take(QStringLiteral("model")) && good;
    }
    Photographer photographer(folder, look);
    auto* learn = photographer.window().learnMode();
    learn->showList();
    good = photographer.take(QStringLiteral("lessons")) && good;
    for (int lesson = 0; lesson < static_cast<int>(learn->page()->lessons().size()); ++lesson) {
        photographer.showLesson(lesson, 0);
        good = photographer.take(QStringLiteral("lesson-%1").arg(lesson + 1)) && good;
    }
    for (const auto board : {lab::BoardKind::ScaleLab, lab::BoardKind::MaskLab}) {
        learn->showLab(board);
        good = photographer.take(textOf(lab::id_of(board))) && good;
    }
    return good;
}

/// Every step of a lesson as a presentation shows it on a screen of this size, its board uncovered.
bool lesson(const QString& folder, const Appearance& look, int number) {
    Photographer photographer(folder, look);
    auto* page = photographer.window().learnMode()->page();
    if (number < 1 || number > static_cast<int>(page->lessons().size())) {
        std::fprintf(stderr, "gallery: there are lessons 1 to %d\n", static_cast<int>(page->lessons().size()));
        return false;
    }
    photographer.showLesson(number - 1, 0);
    photographer.window().menuBar()->hide();
    photographer.window().statusBar()->hide();
    page->setFont(Presentation::presentationFont(look.size.height(), QApplication::font()));
    page->setPresenting(true);
    bool good = true;
    auto* steps = page->lessonPage();
    for (int step = 0; step < steps->lesson()->stepCount(); ++step) {
        steps->showStep(step);
        photographer.openBoard();
        good = photographer.take(QStringLiteral("lesson-%1-%2").arg(number).arg(step + 1)) && good;
    }
    return good;
}

/// Presents a lesson or lecture by its one key: a picture and a row of `log` for each press, with the milliseconds
/// until the board shows all. Presses that turn a page are not logged.
bool present(Photographer& photographer, const Appearance& look, int index, const QString& name, QStringList& log) {
    auto& window = photographer.window();
    auto* page = window.learnMode()->page();
    photographer.showLesson(index, 0);
    window.menuBar()->hide();
    window.statusBar()->hide();
    page->setFont(Presentation::presentationFont(look.size.height(), QApplication::font()));
    page->setPresenting(true);
    auto* steps = page->lessonPage();
    const LessonPtr given = steps->lesson();
    log << QStringLiteral("| press | due | step | shows | ms |") << QStringLiteral("|---|---|---|---|---|");
    bool good = true;
    int logged = 0;
    const auto take = [&](int press) {
        good = photographer.take(QStringLiteral("%1-%2").arg(name).arg(press, 2, 10, QLatin1Char('0'))) && good;
    };
    take(0);
    for (int press = 1; !steps->presenterNotes().press.isEmpty(); ++press) {
        const int step = steps->step();
        const QString answer = steps->panel()->question()->chosen();
        QElapsedTimer timer;
        timer.start();
        window.actions().next_step->trigger();
        constexpr int most = 60000;
        const auto settled = [&] {
            const auto& model = page->frame()->model();
            return model.result() && !model.isComputing() && page->frame()->board()->isSettled();
        };
        while (!settled() && timer.elapsed() < most)
            wait(1);
        window.repaint();
        if (step != steps->step() || answer != steps->panel()->question()->chosen()) {
            const int due = static_cast<int>(std::lround(60.0 * given->minute(steps->step())));
            log << QStringLiteral("| %1 | %2:%3 | %4. %5 | %6 | %7 |")
                       .arg(++logged)
                       .arg(due / 60)
                       .arg(due % 60, 2, 10, QLatin1Char('0'))
                       .arg(steps->step() + 1)
                       .arg(given->stepTitle(steps->step()), step == steps->step() ? QStringLiteral("answer")
                                                             : given->hasQuestion(steps->step())
                                                                 ? QStringLiteral("question")
                                                                 : QStringLiteral("slide"))
                       .arg(timer.elapsed());
        }
        take(press);
    }
    log << QString();
    return good;
}

/// The first lecture, with a log.
bool lecture(const QString& folder, const Appearance& look) {
    Photographer photographer(folder, look);
    const auto& lessons = photographer.window().learnMode()->page()->lessons();
    const auto found = std::ranges::find_if(lessons, [](const LessonPtr& one) { return one->minutes() > 0.0; });
    if (found == lessons.end())
        return false;
    QStringList log;
    const bool good =
        present(photographer, look, static_cast<int>(found - lessons.begin()), QStringLiteral("lecture"), log);
    writeBytes(folder + QStringLiteral("/log.md"), log.join(QLatin1Char('\n')).toUtf8());
    return good;
}

/// Every lesson.
bool presentAll(const QString& folder, const Appearance& look) {
    Photographer photographer(folder, look);
    const auto count = photographer.window().learnMode()->page()->lessons().size();
    bool good = true;
    QStringList log;
    for (std::size_t k = 0; k < count; ++k)
        good = present(photographer, look, static_cast<int>(k),
                       QStringLiteral("lesson-%1").arg(k + 1, 2, 10, QLatin1Char('0')), log) &&
               good;
    return good;
}

/// Every step of every lesson in the window, as it opens and with its answer; then the labs.
bool readAll(const QString& folder, const Appearance& look) {
    Photographer photographer(folder, look);
    auto* learn = photographer.window().learnMode();
    auto* page = learn->page();
    bool good = true;
    for (std::size_t lesson = 0; lesson < page->lessons().size(); ++lesson) {
        photographer.showLesson(static_cast<int>(lesson), 0);
        auto* steps = page->lessonPage();
        for (int step = 0; step < steps->lesson()->stepCount(); ++step) {
            steps->showStep(step);
            const QString name = QStringLiteral("lesson-%1-%2")
                                     .arg(lesson + 1, 2, 10, QLatin1Char('0'))
                                     .arg(step + 1, 2, 10, QLatin1Char('0'));
            good = photographer.take(name) && good;
            auto* question = steps->panel()->question();
            if (question->isEmpty())
                continue;
            question->choose(0);
            photographer.settle();
            question->requestAnswer();
            good = photographer.take(name + QStringLiteral("-answer")) && good;
        }
    }
    for (const auto board : {lab::BoardKind::ScaleLab, lab::BoardKind::MaskLab}) {
        learn->showLab(board);
        good = photographer.take(textOf(lab::id_of(board))) && good;
    }
    return good;
}

bool readSize(const QString& text, QSize& size) {
    const auto parts = text.split(QLatin1Char('x'));
    size = parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
    return size.width() >= 640 && size.height() >= 400;
}

} // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    Application application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("AttnLabTest"));
    QCoreApplication::setApplicationName(QStringLiteral("AttnLabGallery"));
    setReducedMotion(true);

    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addPositionalArgument("FOLDER", "Where the pictures go.");
    parser.addOption({"all", "Every page of every sample instead of the pictures of the documentation."});
    parser.addOption({"lesson", "Every step of one lesson instead.", "NUMBER"});
    parser.addOption({"lecture", "The lecture, press by press, with a log instead."});
    parser.addOption({"present", "Every lesson as a presentation, press by press, instead."});
    parser.addOption({"read", "Every step of every lesson with its answer, and the labs, instead."});
    parser.addOption({"film", "Only the moving picture of an edit."});
    parser.addOption({"size", "The size of the window.", "WxH", "1280x800"});
    parser.addOption({"dark", "Dark colours."});
    parser.addOption({"contrast", "High contrast, with --dark white on black."});
    parser.addOption({"language", "en or zh_CN.", "CODE", "en"});
    parser.addOption({"font", "The size of letters, in percent.", "PERCENT", "100"});
    parser.process(application);
    Appearance look;
    if (parser.positionalArguments().size() != 1 || !readSize(parser.value("size"), look.size)) {
        std::fputs("gallery: expected one FOLDER, and --size WxH of at least 640x400\n", stderr);
        return 2;
    }
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * parser.value("font").toDouble() / 100);
    QApplication::setFont(font);
    look.theme = parser.isSet("contrast")
                     ? (parser.isSet("dark") ? ThemeChoice::ContrastDark : ThemeChoice::ContrastLight)
                 : parser.isSet("dark") ? ThemeChoice::Dark
                                        : ThemeChoice::Light;
    look.language = parser.value("language");
    const QString folder = parser.positionalArguments().first();
    QDir().mkpath(folder);
    if (parser.isSet("lesson"))
        return lesson(folder, look, parser.value("lesson").toInt()) ? 0 : 1;
    if (parser.isSet("lecture"))
        return lecture(folder, look) ? 0 : 1;
    if (parser.isSet("present"))
        return presentAll(folder, look) ? 0 : 1;
    if (parser.isSet("read"))
        return readAll(folder, look) ? 0 : 1;
    if (parser.isSet("film")) {
        filmEdit(folder);
        return 0;
    }
    return (parser.isSet("all") ? everything(folder, look) : documentation(folder)) ? 0 : 1;
}
