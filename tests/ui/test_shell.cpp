// What is around the pages: places, the palette, the gallery of samples, the tour, and what says where numbers are
// from.
#include "core/mechanisms.h"
#include "tests/test_main.h"
#include "tests/ui/map_page_support.h"
#include "tests/ui/sample_window.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/learn/learn_page.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/model/arcs_view.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/weights_view.h"
#include "ui/pages/exhibits/player.h"
#include "ui/pages/matrix_page.h"
#include "ui/pages/step/step_view.h"
#include "ui/panels/help/help.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/coach_marks.h"
#include "ui/window/command_palette.h"
#include "ui/window/learn_mode.h"
#include "ui/window/model_mode.h"
#include "ui/window/preferences.h"
#include "ui/window/start_gallery.h"
#include "ui/window/work_area.h"
#include "ui/window/workspace_parts.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::ui;

class TestShell : public QObject, protected SampleFixture {
    Q_OBJECT

    Actions& actions() { return window_->actions(); }
    LearnMode& learn() { return *window_->learnMode(); }
    ModelMode& model() { return *window_->modelMode(); }
    SentenceRibbon& ribbon() { return *window_->workArea()->ribbon(); }

    void press(Qt::Key key) { QTest::keyClick(window_.get(), key, Qt::ControlModifier); }
    void openModel() {
        press(Qt::Key_2);
        QTRY_VERIFY_WITH_TIMEOUT(model().isOn() && model().page()->wall()->chosen(), 30000);
    }
    CommandPalette& palette() {
        auto* found = window_->findChild<CommandPalette*>();
        Q_ASSERT(found);
        return *found;
    }
    /// Types the words and presses Enter.
    void find(const QString& words) {
        actions().find_anything->trigger();
        QTRY_VERIFY(palette().isVisible());
        palette().search()->setText(words);
        QVERIFY2(!palette().titles().isEmpty(), qPrintable(words));
        QTest::keyClick(palette().search(), Qt::Key_Return);
        QVERIFY(!palette().isVisible());
        QCoreApplication::processEvents();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { window_.reset(); }

    void placesHaveKeysAndKeepTheirState() {
        window_->viewState().setStage(QStringLiteral("scaled"));
        press(Qt::Key_3);
        QVERIFY(learn().isOn() && actions().go_lessons->isChecked());
        QCOMPARE(learn().page()->showing(), LearnPage::Showing::List);
        learn().showLesson(1);
        QTRY_VERIFY_WITH_TIMEOUT(actions().next_step->isEnabled(), 10000);
        actions().next_step->trigger();
        const int step = learn().page()->lessonPage()->step();
        QCOMPARE(step, 1);
        openModel();
        QVERIFY(!learn().isOn() && actions().go_model->isChecked());
        const auto heads = model().page()->wall()->shown();
        model().page()->wall()->choose(heads[5]);
        press(Qt::Key_3);
        QVERIFY(learn().isOn() && !model().isOn());
        QCOMPARE(learn().page()->showing(), LearnPage::Showing::Lesson);
        QCOMPARE(learn().page()->lessonIndex(), 1);
        QCOMPARE(learn().page()->lessonPage()->step(), step);
        press(Qt::Key_2);
        QVERIFY(model().isOn());
        QCOMPARE(model().page()->wall()->chosen(), std::optional(heads[5]));
        press(Qt::Key_1);
        QVERIFY(!model().isOn() && !learn().isOn() && actions().go_workspace->isChecked());
        QCOMPARE(window_->viewState().stage(), QStringLiteral("scaled"));
        press(Qt::Key_J);
        QVERIFY(model().isOn());
        press(Qt::Key_W);
        QVERIFY(!model().isOn());
        press(Qt::Key_L);
        QCOMPARE(learn().page()->showing(), LearnPage::Showing::List);
    }

    /// A large head has the row of stages, too, and the place Map beside the workspace; it keeps its cell.
    void aLargeHeadIsThePlaceMap() {
        const auto usual = settings::mapFromCells();
        settings::setMapFromCells(1000);
        const auto restore = qScopeGuard([&] { settings::setMapFromCells(usual); });
        auto* bar = window_->mechanismBar();
        QVERIFY(!bar->scalePicker()->isVisible());
        QSignalSpy ready(&window_->largeInputs()->session(), &MapSession::ready);
        window_->document().reset(longProblem(2));
        QVERIFY(ready.wait(20000));
        QVERIFY(actions().go_map->isVisible() && actions().go_map->isChecked() && actions().go_workspace->isVisible());
        QVERIFY(actions().compare->isVisible() && !actions().next_stage->isVisible()); // it has no stages
        StageStrip* strip = window_->stageStrip();
        QTRY_VERIFY(strip->isVisible());
        QCOMPARE(strip->stageNames(), QStringList({"scores", "scaled", "masked", "weights"}));
        QCOMPARE(strip->shownStages(), strip->stageNames());
        QCOMPARE(strip->operations(), QStringList({"Q·Kᵀ", "÷ √8", "window 200", "softmax"}));
        for (const QString& stage : strip->stageNames()) {
            QVERIFY(!strip->tile(stage)->text().isEmpty());
            QCOMPARE(strip->tile(stage)->isEnabled(), stage == "weights");
        }
        QVERIFY(strip->tile("weights")->isChecked() && !bar->scalePicker()->isVisible());
        // Its operations act on it.
        QTest::keyClick(strip->scaleButton(), Qt::Key_Up);
        QCOMPARE(window_->document().problem().spec.scale.id, std::string("temperature"));
        QCOMPARE(strip->operations()[1], QStringLiteral("÷ 3.1"));
        actions().undo->trigger();
        QCOMPARE(strip->operations()[1], QStringLiteral("÷ √8"));
        QVERIFY(ready.wait(20000));
        window_->viewState().setPinned(Cell{42, 7});
        press(Qt::Key_3);
        QVERIFY(learn().isOn() && !actions().go_map->isChecked() && actions().go_map->isVisible());
        press(Qt::Key_4);
        QVERIFY(!learn().isOn() && actions().go_map->isChecked());
        // The workspace shows cells around the chosen one, the map all of the head; each is as it was left.
        const HeatmapView* heatmap = window_->matrixPage()->heatmap();
        QVERIFY(heatmap->isFitted());
        press(Qt::Key_1);
        QVERIFY(actions().go_workspace->isChecked() && !actions().go_map->isChecked());
        QVERIFY(!heatmap->isFitted() && heatmap->visibleCells().contains(7, 42));
        QVERIFY(heatmap->cellRect({42, 7}).height() > 10.0);
        const ViewPosition cells = heatmap->position();
        press(Qt::Key_4);
        QVERIFY(heatmap->isFitted() && actions().go_map->isChecked());
        press(Qt::Key_1);
        QCOMPARE(heatmap->position(), cells);
        press(Qt::Key_4);
        QVERIFY(!actions().compare_file->isVisible());
        QCOMPARE(window_->matrixPage()->heatmap()->pinned(), (Cell{42, 7}));
        find(QStringLiteral("Four heads"));
        settle();
        QTRY_VERIFY(strip->stageNames().contains("output") && strip->tile("scores")->isEnabled());
        QVERIFY(actions().go_workspace->isChecked() && !actions().go_map->isVisible());
        QVERIFY(bar->moreButton()->isVisible());
        QVERIFY(actions().compare->isVisible() && actions().next_stage->isVisible());
    }

    /// A place is where it was: a second click hits the same one.
    void placesStayWhereTheyAre() {
        auto* rail = window_->findChild<Rail*>();
        const auto places = [&] {
            QCoreApplication::processEvents();
            QList<QRect> all;
            for (QAction* place : {actions().go_workspace, actions().go_model, actions().go_lessons})
                all << QRect(rail->widgetForAction(place)->mapTo(window_.get(), QPoint()),
                             rail->widgetForAction(place)->size());
            return all;
        };
        const auto before = places();
        press(Qt::Key_3);
        QCOMPARE(places(), before);
        openModel();
        QCOMPARE(places(), before);
        press(Qt::Key_1);
        QCOMPARE(places(), before);
    }

    void theRailIsInEveryPlace() {
        const auto* rail = window_->findChild<Rail*>();
        const auto* inputs = window_->panelDocks()->actions().front();
        QVERIFY(rail->isVisible() && inputs->isVisible());
        press(Qt::Key_3);
        QVERIFY(rail->isVisible() && !inputs->isVisible());
        learn().presentation()->enter();
        QTRY_VERIFY(!rail->isVisible());
        learn().presentation()->leave();
        QTRY_VERIFY(rail->isVisible());
        openModel();
        QVERIFY(rail->isVisible() && !inputs->isVisible());
        press(Qt::Key_1);
        QVERIFY(rail->isVisible() && inputs->isVisible());
        QVERIFY(!actions().go_map->isVisible());
    }

    void whatDoesNotApplyIsNotShown() {
        const auto shows = [this](const char* menu) {
            const auto menus = window_->menuBar()->actions();
            return std::ranges::any_of(
                menus, [&](const QAction* each) { return each->text() == QLatin1String(menu) && each->isVisible(); });
        };
        QVERIFY(shows("&Attention"));
        QVERIFY(!actions().next_step->isVisible() && !actions().present->isVisible());
        press(Qt::Key_3);
        QVERIFY(!shows("&Attention"));
        QVERIFY(!actions().next_head->isVisible() && actions().present->isVisible());
        openModel();
        QVERIFY(!shows("&Attention"));
        QVERIFY(actions().next_head->isEnabled() && !actions().compare->isVisible());
        press(Qt::Key_1);
        QVERIFY(shows("&Attention") && actions().compare->isEnabled());
    }

    void commandsActOnTheModelToo() {
        openModel();
        auto* wall = model().page()->wall();
        wall->chooseFirst();
        actions().next_head->trigger();
        QCOMPARE(wall->chosen(), std::optional(wall->shown()[1]));
        actions().previous_head->trigger();
        actions().previous_head->trigger();
        QCOMPARE(wall->chosen(), std::optional(wall->shown()[0]));
        HeadPanel* head = model().page()->head();
        QCOMPARE(head->view(), head->weights());
        QTest::keyClick(window_.get(), Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(head->view(), head->arcs());
        actions().previous_page->trigger();
        actions().previous_page->trigger(); // round the end
        QCOMPARE(head->view(), head->rollout());
        actions().next_page->trigger();
        QCOMPARE(head->view(), head->weights());
    }

    void pagesAreSteppedThrough() {
        actions().next_page->trigger();
        QCOMPARE(window_->centre()->current(), QStringLiteral("steps"));
        actions().next_page->trigger();
        QCOMPARE(window_->centre()->current(), QStringLiteral("matrix"));
    }

    /// By the keys of the page as soon as it is open, and from the switch of pages.
    void spacePlaysSteps() {
        window_->matrixPage()->heatmap()->setFocus();
        window_->centre()->setCurrent(QStringLiteral("steps"));
        auto* player = window_->centre()->findChild<StepPage*>()->findChild<Player*>();
        QTRY_VERIFY(player->isVisible());
        QTest::keyClick(window_->focusWidget(), Qt::Key_Space);
        QVERIFY(player->isPlaying());
        window_->centre()->segments()->setFocus();
        QTest::keyClick(window_->centre()->segments(), Qt::Key_Space);
        QVERIFY(!player->isPlaying());
    }

    /// Without a model there is nothing to export; back in the workspace there is.
    void anEmptyModelPageLeavesExport() {
        model().restoreState(true);
        QVERIFY(model().isOn() && !actions().export_shown->isVisible());
        actions().go_workspace->trigger();
        QVERIFY(!model().isOn() && actions().export_shown->isVisible());
    }

    void thePaletteEndsAtAWholeEntry() {
        window_->resize(1280, 800);
        actions().find_anything->trigger();
        QTRY_VERIFY(palette().isVisible());
        const auto& view = *palette().view();
        const int end = view.viewport()->height();
        int last = 0;
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            const QRect entry = view.visualRect(view.model()->index(row, 0));
            QVERIFY2(entry.top() >= end || entry.bottom() < end,
                     qPrintable(view.model()->index(row, 0).data().toString()));
            if (entry.bottom() < end)
                last = entry.bottom() + 1;
        }
        QVERIFY(last > 200);
        QCOMPARE(last, end);
        palette().close();
    }

    void thePaletteFindsEveryKind() {
        actions().find_anything->trigger();
        QTRY_VERIFY(palette().isVisible());
        const auto all = palette().titles();
        for (const char* title :
             {"Workspace", "Export…", "Padding: two sentences in one batch", "Multi-head", "What attention computes"})
            QVERIFY2(all.contains(QString::fromUtf8(title)), qPrintable(all.join(u'|')));
        palette().search()->setText(QStringLiteral("nothing is called so"));
        QVERIFY(palette().titles().isEmpty());
        palette().search()->setText(QStringLiteral("mask lab"));
        QCOMPARE(palette().titles().front(), QStringLiteral("Mask lab"));
        palette().close();
        find(QStringLiteral("four heads"));
        settle();
        QCOMPARE(window_->document().problem().query_tokens.size(), std::size_t{9});
        find(QStringLiteral("head 2"));
        QCOMPARE(window_->viewState().head(), 2);
        find(QStringLiteral("lazy"));
        QCOMPARE(window_->viewState().pinned()->row, 7);
        find(QStringLiteral("gaussian"));
        settle();
        QCOMPARE(window_->document().problem().spec.variant, std::string("gaussian_kernel"));
        find(QStringLiteral("what attention computes"));
        QTRY_VERIFY(learn().isOn());
        QCOMPARE(learn().page()->lessonIndex(), 0);
    }

    void thePaletteFindsEnglishNames_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("kind");
        QTest::newRow("action") << QStringLiteral("mask lab") << QStringLiteral("action");
        QTest::newRow("menu and action") << QStringLiteral("theme dark") << QStringLiteral("theme");
        QTest::newRow("sample") << QStringLiteral("four heads") << QStringLiteral("sample");
        QTest::newRow("mechanism") << QStringLiteral("multi-head") << QStringLiteral("mechanism");
        QTest::newRow("id of a mechanism") << QStringLiteral("gaussian_kernel") << QStringLiteral("id");
        QTest::newRow("lesson") << QStringLiteral("what attention computes") << QStringLiteral("lesson");
        QTest::newRow("stage") << QStringLiteral("scaled") << QStringLiteral("stage");
    }
    /// Where the window speaks Chinese: by the text on show and by its English name.
    void thePaletteFindsEnglishNames() {
        QFETCH(QString, words);
        QFETCH(QString, kind);
        const auto restore = qScopeGuard([] { applyLanguage(QStringLiteral("en")); });
        applyLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(withoutMnemonic(actions().mask_lab->text()) != QLatin1String("Mask lab"));
        settle();
        const QString title = kind == "action"  ? withoutMnemonic(actions().mask_lab->text())
                              : kind == "theme" ? withoutMnemonic(actions().theme->actions().at(2)->text())
                              : kind == "sample"
                                  ? std::ranges::find(samples(), std::string("multi_head_fox"),
                                                      [](const Sample& one) { return std::string(one.id); })
                                        ->displayTitle()
                              : kind == "mechanism" ? translated(mechanism_of("multi_head").title)
                              : kind == "id"        ? translated(mechanism_of("gaussian_kernel").title)
                              : kind == "lesson"    ? learn().page()->lessons().front()->title()
                                                    : stageWordsInPass("scaled");
        actions().find_anything->trigger();
        QTRY_VERIFY(palette().isVisible());
        const auto isFound = [&] {
            const auto titles = palette().titles();
            return std::ranges::any_of(titles,
                                       [&](const QString& one) { return one.contains(title, Qt::CaseInsensitive); });
        };
        palette().search()->setText(words);
        QVERIFY2(isFound(), qPrintable(title));
        palette().search()->setText(title);
        QVERIFY2(isFound(), qPrintable(title));
        palette().close();
    }

    void thePaletteFindsHeadsOfAModel() {
        openModel();
        find(QStringLiteral("1.1"));
        QCOMPARE(model().page()->wall()->chosen(), (std::optional<HeadIndex>{{1, 1}}));
    }

    void aQuestionMarkShowsEveryKey() {
        const auto sheet = [this] { return window_->findChild<ShortcutsDialog*>(); };
        actions().find_anything->trigger();
        QTRY_VERIFY(palette().isVisible());
        QTest::keyClick(palette().search(), '?'); // text
        QCOMPARE(palette().search()->text(), QStringLiteral("?"));
        palette().close();
        QVERIFY(!sheet());
        window_->matrixPage()->heatmap()->setFocus();
        QTest::keyClick(window_->matrixPage()->heatmap(), '?');
        QVERIFY(sheet() && sheet()->isVisible());
        sheet()->close();
    }

    void preferencesAreInOneDialog() {
        actions().preferences->trigger();
        auto* dialog = window_->findChild<PreferencesDialog*>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        QVERIFY(!theme().dark);
        dialog->themes()->setCurrentIndex(static_cast<int>(ThemeChoice::Dark));
        dialog->reducedMotion()->setChecked(true);
        dialog->accept();
        QVERIFY(theme().dark && reducedMotion());
        QCOMPARE(settings::themeChoice(), ThemeChoice::Dark);
        QVERIFY(settings::reducedMotion());
        settings::setReducedMotion(false);
        setReducedMotion(false);
        settings::setThemeChoice(ThemeChoice::Light);
        applyTheme(ThemeChoice::Light);
        actions().preferences->trigger();
        for (auto* each : window_->findChildren<PreferencesDialog*>())
            if (each->isVisible())
                dialog = each;
        dialog->languages()->setCurrentIndex(dialog->languages()->findData(QStringLiteral("zh_CN")));
        dialog->accept();
        QTRY_COMPARE(currentLanguage(), QStringLiteral("zh_CN"));
        settings::setLanguage(QStringLiteral("en"));
        applyLanguage(QStringLiteral("en"));
    }

    void samplesAreAGallery() {
        actions().samples->trigger();
        auto* gallery = window_->findChild<StartGallery*>();
        QTRY_VERIFY(gallery && gallery->isVisible());
        QVERIFY(gallery->cards().size() >= samples().size());
        for (std::size_t i = 0; i < samples().size(); ++i)
            QTRY_VERIFY2_WITH_TIMEOUT(!gallery->cards()[i]->picture().isNull(), samples()[i].id, 30000);
        if (gallery->cards().size() > samples().size()) // the trained model
            QVERIFY(!gallery->cards().back()->picture().isNull());
        gallery->cards()[2]->click();
        QTRY_VERIFY(!gallery->isVisible());
        settle();
        QCOMPARE(window_->document().title(), samples()[2].displayTitle());
    }

    void aNewDocumentAsksForASentence() {
        actions().new_document->trigger();
        settle();
        QTRY_VERIFY(ribbon().sentenceField()->isVisible() && ribbon().sentenceField()->hasFocus());
        QTest::keyClicks(ribbon().sentenceField(), "the cat drank milk");
        QTest::keyClick(ribbon().sentenceField(), Qt::Key_Return);
        settle();
        QCOMPARE(window_->document().problem().query_tokens, (std::vector<std::string>{"the", "cat", "drank", "milk"}));
        QTRY_COMPARE(window_->viewState().pinned()->row, 0);
        QVERIFY(!ribbon().sentenceField()->isVisible());
        QVERIFY(ribbon().madeUp()->isVisible() && ribbon().modelButton()->isVisible());
    }

    void whatIsCancelledChangesNothing_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<bool>("from_model");
        QTest::newRow("new") << QStringLiteral("new") << false;
        QTest::newRow("new, from the model") << QStringLiteral("new") << true;
        QTest::newRow("a sample of the gallery, from the model") << QStringLiteral("gallery") << true;
        QTest::newRow("a sample of the palette, from the model") << QStringLiteral("palette") << true;
    }
    /// The question about unsaved work is answered with Cancel.
    void whatIsCancelledChangesNothing() {
        QFETCH(QString, what);
        QFETCH(bool, from_model);
        auto next = window_->document().problem();
        next.spec.scale = {"dk", {}};
        window_->document().edit(QStringLiteral("edit"), next);
        settle();
        window_->centre()->setCurrent(QStringLiteral("steps"));
        if (from_model)
            openModel();
        const QString title = window_->document().title();
        window_->files().setAnswer(FileController::Answer::Cancel);
        if (what == "new")
            actions().new_document->trigger();
        else if (what == "palette")
            find(QStringLiteral("four heads"));
        else {
            actions().samples->trigger();
            auto* gallery = window_->findChild<StartGallery*>();
            QTRY_VERIFY(gallery && gallery->isVisible());
            gallery->cards()[2]->click();
            QTRY_VERIFY(!gallery->isVisible());
        }
        QTest::qWait(50); // what comes later would change something now
        QCOMPARE(window_->document().title(), title);
        QVERIFY(window_->document().isModified());
        QCOMPARE(window_->centre()->current(), QStringLiteral("steps"));
        QCOMPARE(model().isOn(), from_model);
        QVERIFY(!ribbon().sentenceField()->isVisible());
        window_->files().setAnswer(FileController::Answer::Discard);
    }

    /// A low window has the sentence on the page Matrix only.
    void aNewDocumentAsksInALowWindowToo() {
        window_->setMinimumSize(1, 1);
        window_->resize(845, 513);
        actions().next_page->trigger();
        QTRY_VERIFY(!ribbon().isVisible());
        actions().new_document->trigger();
        settle();
        QTRY_VERIFY(ribbon().sentenceField()->isVisible() && ribbon().sentenceField()->hasFocus());
    }

    void numbersSayWhereTheyAreFrom() {
        QTRY_COMPARE(ribbon().madeUp()->text(), QStringLiteral("made-up numbers"));
        QVERIFY(ribbon().madeUp()->isVisible());
        openModel();
        QCOMPARE(model().page()->kind()->text(), QStringLiteral("real model"));
        QVERIFY(model().page()->kind()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(model().page()->workspaceButton()->isEnabled(), 10000);
        model().page()->workspaceButton()->click();
        settle();
        QTRY_VERIFY(!model().isOn());
        QTRY_COMPARE(ribbon().madeUp()->text(), QStringLiteral("real model"));
    }

    void theTourWalksOverTheWindow() {
        actions().tour->trigger();
        QPointer<CoachMarks> tour = window_->findChild<CoachMarks*>();
        QTRY_VERIFY(tour && tour->isVisible());
        int marks = 0;
        for (; tour && tour->isVisible(); ++marks) {
            QVERIFY(!tour->hole().isEmpty() && !tour->words().isEmpty());
            const int before = tour->current();
            QTest::keyClick(tour, Qt::Key_Return);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QVERIFY(!tour || !tour->isVisible() || tour->current() > before);
        }
        QVERIFY(marks >= 5);
        actions().tour->trigger();
        tour = window_->findChild<CoachMarks*>();
        QTest::keyClick(tour, Qt::Key_Escape);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!tour);
    }
};

ATTNLAB_TEST(TestShell)
#include "test_shell.moc"
