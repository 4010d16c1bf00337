// Results of random inputs are marked as such in the sentence, in titles and in exported figures.
#include "core/edit/sentence.h"
#include "core/inputs.h"
#include "layout_support.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/random_numbers.h"
#include "ui/document/samples.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/window/actions.h"
#include "ui/window/work_area.h"

#include <QLabel>
#include <QSettings>
#include <QStandardPaths>

using namespace attnlab;
using namespace attnlab::ui;

class TestMadeUp : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    QString titleOf(const QString& page) {
        window_->centre()->setCurrent(page);
        const auto figure = window_->centre()->currentPage()->figureToPrint();
        return figure ? figure->options.title : QString();
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabMadeUpTest");
    }

    void init() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->show();
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        QVERIFY(settles(*window_));
    }

    void cleanup() { window_.reset(); }

    void samplesAreNot() {
        for (const auto& sample : samples()) {
            std::string view;
            const RandomNumbers made(sample.read(&view));
            QVERIFY2(made.isEmpty(), qPrintable(QLatin1String(sample.id) + QStringLiteral(": ") + made.sentence()));
        }
    }

    void typedWordsAre() {
        auto* ribbon = window_->workArea()->ribbon();
        QVERIFY(!ribbon->hint().contains("andom"));
        QVERIFY(!titleOf("matrix").contains("random"));
        window_->document().edit("Edit sentence",
                                 with_sentences(window_->document().problem(), {{"The", "cat", "sat"}, std::nullopt}));
        QVERIFY(settles(*window_));
        QVERIFY2(ribbon->hint().startsWith("Random numbers") && ribbon->hint().contains("“cat”, “sat”"),
                 qPrintable(ribbon->hint()));
        QVERIFY2(window_->windowTitle().contains(", changed"), qPrintable(window_->windowTitle())); // another sentence
        window_->viewState().setPinned(Cell{1, 0});
        QVERIFY2(ribbon->details().startsWith("random numbers"), qPrintable(ribbon->details()));
        window_->actions().compare->trigger();
        QVERIFY(settles(*window_));
        for (const QString& page : window_->centre()->availableIds())
            QVERIFY2(titleOf(page).endsWith("random numbers"), qPrintable(page + ": " + titleOf(page)));
        window_->document().undoStack()->undo();
        window_->document().undoStack()->undo();
        QVERIFY(settles(*window_));
        QVERIFY(!titleOf("matrix").contains("random"));
        QVERIFY(!ribbon->hint().contains("andom"));
    }

    /// The sentence of this sample is about head 0.
    void aSampleSpeaksOfTheHeadOnShow() {
        auto* ribbon = window_->workArea()->ribbon();
        QVERIFY2(ribbon->hint().startsWith("In head 0"), qPrintable(ribbon->hint()));
        for (const int head : {1, int{ViewState::mean_of_heads}}) {
            window_->viewState().setHead(head);
            QVERIFY2(!ribbon->hint().contains("head 0") && ribbon->hint().startsWith("Click"),
                     qPrintable(ribbon->hint()));
        }
        window_->viewState().setHead(0);
        QVERIFY(ribbon->hint().startsWith("In head 0"));
    }

    void completedInputsAre() {
        window_->files().newDocument();
        QVERIFY(settles(*window_));
        QVERIFY(titleOf("matrix").endsWith("random numbers"));
        QVERIFY(window_->workArea()->ribbon()->hint().contains("query, key, value"));
    }

    /// Weights of one's own queries and keys are no random numbers because a value is; nor is one's own value.
    void onlyWhatDependsOnThemIs() {
        window_->files().openSample(QStringLiteral("milk_or_cat_sweet"));
        QVERIFY(settles(*window_));
        auto own = window_->document().problem();
        own.tensors.erase("value");
        complete_inputs(own, input_seed);
        window_->document().edit("Own query and key", own);
        QVERIFY(settles(*window_));
        auto* ribbon = window_->workArea()->ribbon();
        window_->viewState().setPinned(Cell{3, 2});
        QVERIFY2(!ribbon->details().contains("random"), qPrintable(ribbon->details()));
        QVERIFY2(!ribbon->hint().contains("andom"), qPrintable(ribbon->hint()));
        for (const char* stage : {"scores", "masked", "weights"}) {
            window_->viewState().setStage(stage);
            QVERIFY2(!titleOf("matrix").contains("random"), stage);
        }
        window_->viewState().setStage("output");
        QVERIFY(titleOf("matrix").endsWith("random numbers"));

        auto bilinear = window_->document().problem();
        bilinear.spec.variant = "bilinear";
        bilinear.tensors["value"] = Tensor(bilinear.tensors["key"].shape(), 0.5);
        complete_inputs(bilinear, input_seed);
        window_->document().edit("A matrix that nobody learned", bilinear);
        QVERIFY(settles(*window_));
        for (const auto& [stage, random] : {std::pair("query", false), std::pair("value", false),
                                            std::pair("weights", true), std::pair("output", true)}) {
            window_->viewState().setStage(stage);
            QVERIFY2(titleOf("matrix").endsWith("random numbers") == random, stage);
        }
    }

    /// What an edit makes impossible comes back when it is undone.
    void undoRestoresPinAndHead() {
        auto& view = window_->viewState();
        view.setHead(2);
        view.setPinned(Cell{8, 7});
        const auto before = window_->document().problem();
        window_->document().edit("Edit sentence", with_sentences(before, {{"The", "fox"}, std::nullopt}));
        QVERIFY(settles(*window_));
        QVERIFY(!view.pinned());
        window_->document().undoStack()->undo();
        QVERIFY(settles(*window_));
        QCOMPARE(view.pinned(), (Cell{8, 7}));

        auto one_head = before;
        for (const char* name : {"query", "key", "value"})
            one_head.tensors[name] = Tensor({1, 1, 9, 4}, 0.5);
        one_head.spec = AttentionSpec();
        window_->document().edit("One head", one_head);
        QVERIFY(settles(*window_));
        QCOMPARE(view.head(), 0);
        window_->document().undoStack()->undo();
        QVERIFY(settles(*window_));
        QCOMPARE(view.head(), 2);

        // What was chosen since stays.
        window_->document().edit("Edit sentence", with_sentences(before, {{"The", "fox"}, std::nullopt}));
        QVERIFY(settles(*window_));
        view.setPinned(Cell{0, 0});
        window_->document().undoStack()->undo();
        QVERIFY(settles(*window_));
        QCOMPARE(view.pinned(), (Cell{0, 0}));
    }

    void theInspectorSaysWhoseNumbersItShows() {
        auto* label = window_->findChild<InspectorPanel*>()->sideLabel();
        QVERIFY(label->isHidden());
        window_->actions().compare->trigger();
        QVERIFY(settles(*window_));
        QVERIFY(!label->isHidden());
        QVERIFY(label->text().contains("A"));
        window_->document().undoStack()->undo();
        QVERIFY(settles(*window_));
        QVERIFY(label->isHidden());
    }
};

ATTNLAB_TEST(TestMadeUp)
#include "test_made_up.moc"
