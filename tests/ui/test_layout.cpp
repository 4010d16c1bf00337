// Lays out the window with arbitrary content: this terminates, in the requested size, and nothing is cut or covered.
#include "core/lab/scene.h"
#include "layout_faults.h"
#include "layout_support.h"
#include "tests/ui/backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/export/export_dialog.h"
#include "ui/learn/board_frame.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/pages/matrix_page.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/panel_docks.h"
#include "ui/window/window_pages.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QStandardPaths>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr QSize smallest_window(1024, 640);
constexpr std::array usual_sizes{smallest_window,  QSize(1280, 720),  QSize(1278, 773),
                                 QSize(1280, 800), QSize(1366, 768),  QSize(1440, 900),
                                 QSize(1600, 873), QSize(1920, 1200), QSize(2560, 1440)};

int numberFrom(const char* variable, int otherwise) {
    bool given = false;
    const int number = qEnvironmentVariableIntValue(variable, &given);
    return given ? number : otherwise;
}

QString textOf(QSize size) { return QStringLiteral("%1 x %2").arg(size.width()).arg(size.height()); }

} // namespace

class TestLayout : public QObject {
    Q_OBJECT

    QFont usual_font_;
    QSize asked_;
    std::unique_ptr<MainWindow> window_;

    /// A window at the first start of the program.
    void begin(QSize size, double font_scale = 1.0, const QString& language = QStringLiteral("en"),
               ThemeChoice look = ThemeChoice::Light) {
        window_.reset();
        QSettings().clear();
        QApplication::setFont(usual_font_);
        applyLanguage(language); // which chooses a font of the usual size
        QFont font = QApplication::font();
        font.setPointSizeF(font.pointSizeF() * font_scale);
        QApplication::setFont(font);
        applyTheme(look);
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        resizeTo(size); // panels keep their share of the window's first size
        window_->files().openSample(QString::fromLatin1(samples().front().id));
    }

    void resizeTo(QSize size) {
        asked_ = size;
        window_->resize(size);
    }

    /// The error in the window's current size; empty if none.
    QString sizeFault() {
        if (!settles(*window_))
            return QStringLiteral("goes on laying out");
        if (window_->size() != asked_)
            return textOf(window_->size()) + QStringLiteral(" where asked for ") + textOf(asked_);
        const QSize needed = window_->layout()->totalMinimumSize();
        if (needed.expandedTo(smallest_window) != smallest_window)
            return QStringLiteral("needs ") + textOf(needed) + needs(*window_, 0);
        return {};
    }

    /// Once the window is laid out.
    QString layoutFaultsNow() {
        if (!settles(*window_))
            return QStringLiteral("goes on laying out");
        return window_->size() == asked_ ? layoutFaults(*window_) : textOf(window_->size());
    }

    /// Of the cells of a matrix.
    static double sideOf(const HeatmapView& view) {
        const auto cells = view.matrix().view();
        const QRectF last = view.cellRect({static_cast<int>(cells.rows) - 1, static_cast<int>(cells.columns) - 1});
        return last.bottom() - view.cellRect({0, 0}).top();
    }

    /// The same, and what is cut or covered.
    QString fault() {
        const QString wrong = sizeFault();
        return wrong.isEmpty() ? layoutFaults(*window_) : wrong;
    }

    /// The widgets that require much room, and their children.
    static QString needs(const QWidget& widget, int depth) {
        QString text;
        for (const QObject* child : widget.children()) {
            const auto* part = qobject_cast<const QWidget*>(child);
            if (!part || part->isWindow() || part->isHidden() ||
                part->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
                continue;
            const QSize least = part->minimumSizeHint().expandedTo(part->minimumSize());
            if (least.width() > 250 || least.height() > 180)
                text += QLatin1Char('\n') + QString(2 * depth + 2, QLatin1Char(' ')) +
                        QString::fromLatin1(part->metaObject()->className()) + QLatin1Char(' ') + textOf(least) +
                        needs(*part, depth + 1);
        }
        return text;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabLayoutTest");
        applyLanguage(QStringLiteral("en"));
        usual_font_ = QApplication::font();
    }

    void cleanup() {
        window_.reset();
        QApplication::setFont(usual_font_);
        applyLanguage(QStringLiteral("en"));
        applyTheme(ThemeChoice::Light);
        QSettings().clear();
    }

    void aLongLabelUnderTheMouse() {
        for (const QSize size : usual_sizes) {
            begin(size);
            // The sample is loaded and not laid out yet: as when the program is started with a file.
            QCoreApplication::processEvents();
            QTRY_VERIFY(!window_->isComputing());
            AttentionProblem problem;
            problem.tensors["query"] = normalTensor({5, 4}, 11);
            problem.tensors["key"] = normalTensor({5, 4}, 21);
            problem.tensors["value"] = normalTensor({5, 4}, 31);
            problem.spec.masks = {{"causal", {}}};
            problem.query_tokens = {"the-quick-brown-fox-jumps-over-the-lazy", "a", "b", "c", "d"};
            window_->document().reset(problem);
            window_->viewState().setPinned({});
            QCOMPARE(fault(), QString());
            for (int row = 0; row < 5; ++row) {
                window_->viewState().setHovered(Cell{row, 0});
                QVERIFY2(fault().isEmpty(), qPrintable(textOf(size) + QStringLiteral(": ") + fault()));
            }
        }
    }

    void oneSampleAfterAnother_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QStringList>("ids");
        const QStringList all{"reformer_buckets",
                              "transformer",
                              "multi_head_fox",
                              "hierarchical_context",
                              "padding",
                              "cross_attention",
                              "flash_tiles",
                              "hierarchical_context",
                              "performer_features",
                              "milk_or_cat_sweet",
                              "padding",
                              "multi_head_fox",
                              "patches",
                              "milk_or_cat_hungry",
                              "longformer_window",
                              "multi_head_fox"};
        for (const QSize size : {QSize(1440, 900), QSize(1278, 773), QSize(1600, 873)})
            QTest::newRow(qPrintable(textOf(size))) << size << all;
    }

    void oneSampleAfterAnother() {
        QFETCH(QSize, size);
        QFETCH(QStringList, ids);
        begin(size);
        QCOMPARE(fault(), QString());
        for (const QString& id : ids) {
            window_->files().openSample(id);
            QVERIFY2(fault().isEmpty(), qPrintable(id + QStringLiteral(": ") + fault()));
        }
    }

    void theSmallestWindowHoldsEveryPage_data() {
        QTest::addColumn<double>("font_scale");
        QTest::addColumn<QString>("language");
        for (const double scale : {1.0, 1.5})
            for (const char* language : {"en", "zh_CN"})
                QTest::addRow("%s, %.1f", language, scale) << scale << QString::fromLatin1(language);
    }

    void theSmallestWindowHoldsEveryPage() {
        QFETCH(double, font_scale);
        QFETCH(QString, language);
        begin(smallest_window, font_scale, language);
        for (const auto& sample : samples()) {
            window_->files().openSample(QString::fromLatin1(sample.id));
            QVERIFY(settles(*window_));
            window_->actions().compare->trigger();
            QVERIFY(settles(*window_));
            for (const QString& page : window_->centre()->availableIds()) {
                window_->centre()->setCurrent(page);
                QVERIFY2(fault().isEmpty(),
                         qPrintable(QStringLiteral("%1, %2: %3").arg(QLatin1String(sample.id), page, fault())));
            }
        }
        auto* learn = window_->learnMode();
        learn->showList();
        QCOMPARE(fault(), QString());
        for (std::size_t lesson = 0; lesson < learn->page()->lessons().size(); ++lesson) {
            learn->showLesson(static_cast<int>(lesson));
            QVERIFY2(fault().isEmpty(), qPrintable(QStringLiteral("lesson %1: %2").arg(lesson).arg(fault())));
        }
        for (const auto lab : {lab::BoardKind::ScaleLab, lab::BoardKind::MaskLab}) {
            learn->showLab(lab);
            QCOMPARE(fault(), QString());
        }
    }

    void exportsAreWhole_data() {
        QTest::addColumn<double>("font_scale");
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "zh_CN"})
            for (const double scale : {1.0, 1.5})
                QTest::addRow("%s, %g", language, scale) << scale << QString::fromLatin1(language);
    }

    void exportsAreWhole() {
        QFETCH(double, font_scale);
        QFETCH(QString, language);
        begin({1600, 1000}, font_scale, language);
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        QVERIFY(settles(*window_));
        window_->actions().export_shown->trigger();
        const auto* dialog = window_->findChild<ExportDialog*>();
        QVERIFY(dialog);
        QTest::qWait(1);
        QCOMPARE(layoutFaults(*dialog), QString());
    }

    /// The same sizes in lines of text: 1280 x 800 with letters of 150 %, and a screen of that size at a scale of 1.5.
    void thePictureIsTheLargestThingUnderLargeLetters_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("font_scale");
        QTest::addColumn<QString>("language");
        QTest::addColumn<int>("least");
        for (const char* language : {"en", "zh_CN"}) {
            QTest::addRow("letters, %s", language) << QSize(1280, 800) << 1.5 << QString::fromLatin1(language) << 300;
            QTest::addRow("scale, %s", language) << QSize(845, 513) << 1.0 << QString::fromLatin1(language) << 200;
        }
    }

    void thePictureIsTheLargestThingUnderLargeLetters() {
        QFETCH(QSize, size);
        QFETCH(double, font_scale);
        QFETCH(QString, language);
        QFETCH(int, least);
        begin(size, font_scale, language);
        window_->setMinimumSize(1, 1); // as on a small screen, where inputs and mask are closed at first
        for (const int panel : {0, 1})
            window_->panelDocks()->all()[panel]->hide();
        resizeTo(size);
        for (const char* sample : {"transformer", "flash_tiles", "multi_head_fox"}) {
            window_->files().openSample(QString::fromLatin1(sample));
            QVERIFY2(layoutFaultsNow().isEmpty(), qPrintable(sample + QStringLiteral(": ") + layoutFaultsNow()));
        }
        QVERIFY2(sideOf(*window_->matrixPage()->heatmap()) >= least,
                 qPrintable(QString::number(sideOf(*window_->matrixPage()->heatmap()))));
        window_->actions().compare->trigger();
        for (const QString& page : window_->centre()->availableIds()) {
            window_->centre()->setCurrent(page);
            QVERIFY2(layoutFaultsNow().isEmpty(), qPrintable(page + QStringLiteral(": ") + layoutFaultsNow()));
            if (page == QLatin1String("compare"))
                for (auto* heatmap : window_->centre()->currentPage()->findChildren<HeatmapView*>())
                    QVERIFY2(sideOf(*heatmap) >= least / 3, qPrintable(QString::number(sideOf(*heatmap))));
        }
        // The inspector comes back with the page that has room for it, and makes way for the inputs.
        auto* inspector = window_->panelDocks()->all().back();
        QVERIFY(inspector->isHidden());
        window_->centre()->setCurrent(QStringLiteral("matrix"));
        QVERIFY(settles(*window_));
        QVERIFY(!inspector->isHidden());
        window_->panelDocks()->all().front()->toggleViewAction()->trigger();
        QCOMPARE(layoutFaultsNow(), QString());
        QVERIFY(inspector->isHidden());
        QVERIFY(sideOf(*window_->matrixPage()->heatmap()) >= least);
        window_->panelDocks()->all().front()->toggleViewAction()->trigger();
        QVERIFY(settles(*window_));
        QVERIFY(!inspector->isHidden());
    }

    void anythingInAnyOrder();
};

namespace {

/// Random actions of a user; records what it did.
class Doings {
public:
    Doings(MainWindow& window, QRandomGenerator& random, QSize& asked)
        : window_(window), random_(random), asked_(asked) {}

    QString next() {
        switch (random_.bounded(18)) {
        case 0:
        case 1:
        case 16:
        case 17:
            return openSample();
        case 2:
        case 3:
        case 4:
            return resize();
        case 5:
        case 6:
            return relabel();
        case 7:
            return openProblem();
        case 8:
        case 9:
            return point();
        case 10:
            return choosePage();
        case 11:
            return chooseStage();
        case 12:
            return movePanels();
        case 13:
            return toggle();
        default:
            return learn();
        }
    }

private:
    template <class List>
    const auto& oneOf(const List& list) {
        return list[static_cast<std::size_t>(random_.bounded(static_cast<int>(std::size(list))))];
    }

    QString openSample() {
        const QString id = QString::fromLatin1(oneOf(samples()).id);
        window_.files().openSample(id);
        return QStringLiteral("sample ") + id;
    }

    QString resize() {
        asked_ = random_.bounded(2) == 0 ? oneOf(usual_sizes)
                                         : QSize(within(random_, smallest_window.width(), 2560),
                                                 within(random_, smallest_window.height(), 1440));
        window_.resize(asked_);
        return textOf(asked_);
    }

    /// Gives other labels to the tokens.
    QString relabel() {
        AttentionProblem problem = window_.document().problem();
        if (!window_.computed())
            return QStringLiteral("nothing");
        const Stage* weights = window_.computed()->trace.find("weights");
        if (!weights || weights->value.rank() < 2)
            return QStringLiteral("nothing");
        problem.query_tokens = difficultLabels(random_, weights->value.dim(-2));
        problem.key_tokens = difficultLabels(random_, weights->value.dim(-1));
        window_.document().edit(QStringLiteral("labels"), problem);
        return QStringLiteral("labels");
    }

    QString openProblem() {
        constexpr std::array counts{1, 2, 5, 9, 24, 60, 500};
        const int queries = oneOf(counts), keys = random_.bounded(2) == 0 ? queries : oneOf(counts);
        const int heads = std::array{1, 2, 8}[static_cast<std::size_t>(random_.bounded(queries * keys > 5000 ? 1 : 3))];
        AttentionProblem problem = problemOf(heads, queries, keys, 4);
        problem.query_tokens = difficultLabels(random_, queries);
        if (queries != keys || random_.bounded(2) == 0)
            problem.key_tokens = difficultLabels(random_, keys);
        if (queries == keys && random_.bounded(2) == 0)
            problem.spec.masks = {{"causal", {}}};
        if (random_.bounded(3) == 0) {
            problem.compared_with = problem.spec;
            problem.compared_with->scale = {"none", {}};
        }
        window_.document().edit(QStringLiteral("problem"), problem);
        return QStringLiteral("%1 queries, %2 keys, %3 heads").arg(queries).arg(keys).arg(heads);
    }

    QString point() {
        const auto view = window_.matrixPage()->heatmap()->matrix().view();
        if (view.empty())
            return QStringLiteral("nothing");
        const Cell cell{random_.bounded(static_cast<int>(view.rows)), random_.bounded(static_cast<int>(view.columns))};
        if (random_.bounded(2) == 0)
            window_.viewState().setPinned({});
        const bool pin = random_.bounded(3) == 0;
        pin ? window_.viewState().setPinned(cell) : window_.viewState().setHovered(cell);
        return QStringLiteral("%1 row %2, column %3").arg(pin ? "pin" : "hover").arg(cell.row).arg(cell.column);
    }

    QString choosePage() {
        const QString page = oneOf(window_.centre()->availableIds());
        window_.centre()->setCurrent(page);
        return QStringLiteral("page ") + page;
    }

    QString chooseStage() {
        if (!window_.computed() || window_.computed()->trace.stages.empty())
            return QStringLiteral("nothing");
        const auto stage = QString::fromStdString(oneOf(window_.computed()->trace.stages).name);
        window_.viewState().setStage(stage);
        return QStringLiteral("stage ") + stage;
    }

    QString movePanels() {
        const auto docks = window_.findChildren<QDockWidget*>();
        QDockWidget* dock = oneOf(docks);
        if (random_.bounded(3) == 0) {
            dock->setVisible(!dock->isVisible());
            return dock->objectName() + QStringLiteral(" comes or goes");
        }
        const auto orientation = random_.bounded(2) == 0 ? Qt::Horizontal : Qt::Vertical;
        window_.resizeDocks({dock}, {within(random_, 1, 900)}, orientation);
        return dock->objectName() + QStringLiteral(" of another size");
    }

    QString toggle() {
        switch (random_.bounded(5)) {
        case 0:
            window_.actions().compare->trigger();
            return QStringLiteral("compare");
        case 1:
            applyLanguage(random_.bounded(2) == 0 ? QStringLiteral("en") : QStringLiteral("zh_CN"));
            return QStringLiteral("language ") + currentLanguage();
        case 2:
            applyTheme(random_.bounded(2) == 0 ? ThemeChoice::Light : ThemeChoice::Dark);
            return QStringLiteral("another look");
        case 3:
            window_.messageBar()->showMessage(MessageBar::Kind::Error, difficultLabel(random_).repeated(3));
            return QStringLiteral("a message");
        default:
            window_.document().setSpec(otherSpec(), QStringLiteral("spec"));
            return QStringLiteral("another scale");
        }
    }

    AttentionSpec otherSpec() {
        AttentionSpec spec = window_.document().problem().spec;
        constexpr std::array scales{"none", "sqrt_dk", "dk", "temperature"};
        spec.scale = {oneOf(scales), {}};
        return spec;
    }

    QString learn() {
        auto* learn = window_.learnMode();
        switch (random_.bounded(6)) {
        case 0:
            learn->showList();
            return QStringLiteral("lessons");
        case 1: {
            const auto board = random_.bounded(2) == 0 ? lab::BoardKind::ScaleLab : lab::BoardKind::MaskLab;
            learn->showLab(board);
            return attnlab::ui::textOf(lab::id_of(board));
        }
        case 2:
        case 3: {
            const int lesson = random_.bounded(static_cast<int>(learn->page()->lessons().size()));
            learn->showLesson(lesson);
            for (int steps = random_.bounded(4); steps > 0; --steps)
                learn->page()->next();
            return QStringLiteral("lesson %1").arg(lesson);
        }
        case 4:
            if (auto* frame = learn->isOn() ? learn->page()->frame() : nullptr) {
                auto scene = frame->model().scene();
                scene.query_tokens = difficultLabels(random_, 12);
                scene.key_tokens = difficultLabels(random_, 12);
                frame->model().setScene(scene);
                return QStringLiteral("labels of a lesson");
            }
            [[fallthrough]];
        default:
            learn->leave();
            return QStringLiteral("workspace");
        }
    }

    MainWindow& window_;
    QRandomGenerator& random_;
    QSize& asked_;
};

} // namespace

/// ATTNLAB_LAYOUT_SEED and ATTNLAB_LAYOUT_ROUNDS select other actions, and more of them.
void TestLayout::anythingInAnyOrder() {
    constexpr int doings_with_one_window = 40;
    const int seed = numberFrom("ATTNLAB_LAYOUT_SEED", 1), rounds = numberFrom("ATTNLAB_LAYOUT_ROUNDS", 160);
    QRandomGenerator random(static_cast<quint32>(seed));
    QStringList done;
    for (int round = 0; round < rounds; ++round) {
        if (round % doings_with_one_window == 0) {
            const bool large = random.bounded(2) == 0, chinese = random.bounded(2) == 0, dark = random.bounded(2) == 0;
            begin(usual_sizes[static_cast<std::size_t>(random.bounded(static_cast<int>(usual_sizes.size())))],
                  large ? 1.5 : 1.0, chinese ? QStringLiteral("zh_CN") : QStringLiteral("en"),
                  dark ? ThemeChoice::Dark : ThemeChoice::Light);
            done = {
                QStringLiteral("%1, font %2, %3").arg(textOf(asked_)).arg(large ? 150 : 100).arg(currentLanguage())};
        }
        done << Doings(*window_, random, asked_).next();
        const QString wrong = sizeFault();
        if (!wrong.isEmpty() || QTest::currentTestFailed())
            QFAIL(
                qPrintable(QStringLiteral("seed %1: %2 after\n%3").arg(seed).arg(wrong, done.join(QLatin1Char('\n')))));
    }
}

ATTNLAB_TEST(TestLayout)
#include "test_layout.moc"
