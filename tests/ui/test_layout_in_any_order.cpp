// Does anything in any order to the window: it keeps the requested size, and laying it out comes to an end.
#include "core/lab/board.h"
#include "core/lab/scene.h"
#include "layout_window.h"
#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/learn/learn_page.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/pages/matrix_page.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QDockWidget>
#include <QRandomGenerator>

#include <array>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

int numberFrom(const char* variable, int otherwise) {
    bool given = false;
    const int number = qEnvironmentVariableIntValue(variable, &given);
    return given ? number : otherwise;
}

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
        return sizeText(asked_);
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
            return textOf(lab::id_of(board));
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

class TestLayoutInAnyOrder : public QObject, protected LayoutFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { end(); }

    /// ATTNLAB_LAYOUT_SEED and ATTNLAB_LAYOUT_ROUNDS select other actions, and more of them.
    void anythingInAnyOrder() {
        constexpr int doings_with_one_window = 40;
        const int seed = numberFrom("ATTNLAB_LAYOUT_SEED", 1), rounds = numberFrom("ATTNLAB_LAYOUT_ROUNDS", 160);
        QRandomGenerator random(static_cast<quint32>(seed));
        QStringList done;
        for (int round = 0; round < rounds; ++round) {
            if (round % doings_with_one_window == 0) {
                const bool large = random.bounded(2) == 0, chinese = random.bounded(2) == 0,
                           dark = random.bounded(2) == 0;
                begin(usual_sizes[static_cast<std::size_t>(random.bounded(static_cast<int>(usual_sizes.size())))],
                      large ? 1.5 : 1.0, chinese ? QStringLiteral("zh_CN") : QStringLiteral("en"),
                      dark ? ThemeChoice::Dark : ThemeChoice::Light);
                done = {QStringLiteral("%1, font %2, %3")
                            .arg(sizeText(asked_))
                            .arg(large ? 150 : 100)
                            .arg(currentLanguage())};
            }
            done << Doings(*window_, random, asked_).next();
            const QString wrong = sizeFault();
            if (!wrong.isEmpty() || QTest::currentTestFailed())
                QFAIL(qPrintable(
                    QStringLiteral("seed %1: %2 after\n%3").arg(seed).arg(wrong, done.join(QLatin1Char('\n')))));
        }
    }
};

ATTNLAB_TEST(TestLayoutInAnyOrder)
#include "test_layout_in_any_order.moc"
