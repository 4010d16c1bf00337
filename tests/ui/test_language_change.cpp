// A change of language, of which the user must notice nothing else.
#include "learn_window.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/map_page_support.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/learn/lab/board_page.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/model/arcs_view.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/sentence_panel.h"
#include "ui/pages/compare/compare_controls.h"
#include "ui/pages/compare/compare_with_file_page.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/outdated_overlay.h"
#include "ui/window/model_mode.h"
#include "ui/window/panel_docks.h"
#include "ui/window/status_line.h"
#include "ui/window/work_area.h"

#include "core/io/npz.h"

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTabBar>

#include <optional>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

QStringList warnings;

void noteWarning(QtMsgType type, const QMessageLogContext&, const QString& text) {
    const bool of_platform = text.startsWith("This plugin does not support");
    if (type != QtDebugMsg && type != QtInfoMsg && !of_platform)
        warnings << text;
}

/// Names the windows that are shown while it lives, and counts how often one is painted.
class ShownWindows : public QObject {
public:
    explicit ShownWindows(const QWidget& painted) : painted_(painted) { qApp->installEventFilter(this); }
    QStringList names;
    int paints = 0;

private:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto* widget = qobject_cast<const QWidget*>(watched);
        if (event->type() == QEvent::Show && widget && widget->isWindow())
            names << QLatin1String(widget->metaObject()->className()) + u' ' + widget->objectName();
        paints += event->type() == QEvent::Paint && watched == &painted_ ? 1 : 0;
        return false;
    }

    const QWidget& painted_;
};

} // namespace

class TestLanguageChange : public QObject, LearnFixture {
    Q_OBJECT

    QtMessageHandler usual_ = nullptr;

    void speak(const char* code) {
        const QString before = window_->menuBar()->actions().front()->text();
        const bool other = currentLanguage() != QLatin1String(code);
        applyLanguage(QString::fromLatin1(code));
        QTRY_VERIFY(!other || window_->menuBar()->actions().front()->text() != before);
        QTRY_VERIFY(window_->updatesEnabled());
    }
    /// English, Chinese and English again.
    void thereAndBack() {
        speak("zh_CN");
        speak("en");
    }
    void show(const AttentionProblem& problem) { window_->files().openProblem(problem, "problem", "weights"); }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        warnings.clear();
        usual_ = qInstallMessageHandler(noteWarning);
        begin();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }
    void cleanup() {
        end();
        qInstallMessageHandler(usual_);
        QVERIFY2(warnings.isEmpty(), qPrintable(warnings.join(QLatin1Char('\n'))));
    }

    void aFontChosenSinceTheStart() {
        const QFont usual = QApplication::font();
        QFont larger = usual;
        larger.setPointSizeF(usual.pointSizeF() + 3);
        QApplication::setFont(larger);
        speak("zh_CN");
        QCOMPARE(QApplication::font().pointSizeF(), larger.pointSizeF());
        QVERIFY(QApplication::font().families().size() > 1);
        speak("en");
        QCOMPARE(QApplication::font(), larger);
        QApplication::setFont(usual);
    }

    void unsavedWorkAndItsHistory() {
        QDir copies(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/recovery");
        copies.removeRecursively();
        window_->files().crashRecovery().start();
        const auto original = window_->document().problem();
        edit(7.0);
        const auto edited = window_->document().problem();
        settle();
        const auto result = window_->computed();
        QSignalSpy runs(&window_->results(), &Results::settled);
        thereAndBack();
        QCOMPARE(runs.size(), 0);
        QCOMPARE(window_->computed(), result);
        QVERIFY(window_->document().isModified() && window_->isWindowModified());
        QVERIFY(actions().undo->isEnabled() && !actions().redo->isEnabled());
        actions().undo->trigger();
        QVERIFY(window_->document().problem() == original);
        QVERIFY(!actions().undo->isEnabled() && actions().redo->isEnabled());
        settle();
        actions().redo->trigger();
        QVERIFY(window_->document().problem() == edited);
        QTRY_VERIFY_WITH_TIMEOUT(copies.exists() && !copies.entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty(),
                                 20000);
        window_->files().crashRecovery().end();
        settle();
        QVERIFY(window_->computed() != result);
        QVERIFY(window_->outdatedOverlay()->isCurrent());
    }

    void titleOfASample_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("then");
        QTest::newRow("English, then Chinese") << "en"
                                               << "zh_CN";
        QTest::newRow("Chinese, then English") << "zh_CN"
                                               << "en";
    }

    void titleOfASample() {
        QFETCH(QString, first);
        QFETCH(QString, then);
        speak(qPrintable(first));
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        settle();
        speak(qPrintable(then));
        const auto sample = std::ranges::find_if(
            samples(), [](const Sample& each) { return QLatin1String(each.id) == QLatin1String("multi_head_fox"); });
        QVERIFY(window_->windowTitle().startsWith(sample->displayTitle()));
        QVERIFY(window_->workArea()->ribbon()->hint().contains(sample->displayHelp()));
        auto changed = window_->document().problem();
        changed.spec.parameters.set("num_heads", std::int64_t{2});
        window_->document().edit("Two heads", changed);
        settle();
        const QString title = window_->windowTitle();
        QVERIFY(title != sample->displayTitle() + QStringLiteral("[*] — AttnLab"));
        speak(qPrintable(first));
        speak(qPrintable(then));
        QCOMPARE(window_->windowTitle(), title);
        speak("en");
    }

    void placeOfTheWindow() {
        window_->resize(1920, 1000); // with room for all panels
        window_->panelDocks()->openInputs();
        window_->setGeometry(window_->geometry().adjusted(10, 10, 30, 40));
        auto docks = window_->panelDocks()->all();
        docks[1]->hide();
        window_->inputs()->showTensor("value");
        window_->viewState().setPinned(Cell{1, 1});
        window_->matrixPage()->heatmap()->setPosition({2.0, {1.0, 1.0}});
        window_->matrixPage()->heatmap()->setFocus();
        actions().paint->setChecked(true);
        window_->findChild<MaskPanel*>()->showMore(true);
        QTest::qWait(500); // until the hidden panel has gone
        const auto zoom = window_->matrixPage()->heatmap()->position();
        const auto geometry = window_->geometry();
        const auto layout = window_->saveState();
        const auto native = window_->winId();
        QList<QRect> places;
        for (const auto* dock : docks)
            places << dock->geometry();
        thereAndBack();
        QCOMPARE(window_->geometry(), geometry);
        QCOMPARE(window_->winId(), native);
        QCOMPARE(window_->saveState(), layout);
        docks = window_->panelDocks()->all();
        QCOMPARE(docks.size(), places.size());
        for (int i = 0; i < docks.size(); ++i)
            QVERIFY2(i == 1 ? !docks[i]->isVisible() : docks[i]->geometry() == places[i],
                     qPrintable(QStringLiteral("%1: %2 x %3 at %4, %5 instead of %6 x %7 at %8, %9")
                                    .arg(docks[i]->objectName())
                                    .arg(docks[i]->width())
                                    .arg(docks[i]->height())
                                    .arg(docks[i]->x())
                                    .arg(docks[i]->y())
                                    .arg(places[i].width())
                                    .arg(places[i].height())
                                    .arg(places[i].x())
                                    .arg(places[i].y())));
        QCOMPARE(window_->inputs()->currentTensor(), QString("value"));
        QCOMPARE(window_->matrixPage()->heatmap()->position().zoom, zoom.zoom);
        QVERIFY(window_->matrixPage()->heatmap()->hasFocus());
        QVERIFY(actions().paint->isChecked() && window_->findChild<MaskPanel*>()->isPainting());
        QVERIFY(window_->findChild<MaskPanel*>()->showsMore());
        QCOMPARE(window_->centre()->current(), QString("matrix"));
    }

    void unfinishedTypingIsKept() {
        auto* table = window_->inputs()->table();
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_4);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_2);
        thereAndBack();
        QCOMPARE(window_->document().problem().tensors.at("query").at({0, 0}), 42.0);
        QVERIFY(window_->inputs()->table()->hasFocus());
        window_->document().undoStack()->undo();
        settle();
    }

    void comparedFile() {
        auto weights = window_->computed()->trace.find("weights")->value;
        weights.set({0, 0, 1, 1}, 0.5);
        io::Archive archive;
        archive.tensors = {{"a", weights}, {"b", weights}};
        const auto path = folder_.filePath("kernel.npz");
        io::write_npz(path.toStdString(), archive);
        window_->files().arrays().readToCompare(
            path, [this](std::shared_ptr<const Contents> contents, const QString& file) {
                window_->centre()->compareWithFilePage()->open(std::move(contents), file);
            });
        const auto page = [this] { return window_->centre()->compareWithFilePage(); };
        QTRY_VERIFY(page()->isOpen() && page()->isVisible());
        window_->viewState().setStage("weights");
        page()->arrays()->setCurrentIndex(page()->arrays()->findData("b"));
        emit page()->arrays()->activated(page()->arrays()->currentIndex());
        page()->tolerance()->setText("0.01");
        QTRY_VERIFY(page()->matrices());
        const QString heading = page()->heading(), words = page()->words(), beyond = page()->beyondText();
        QVERIFY(heading.contains("kernel.npz") && heading.contains("b"));
        speak("zh_CN");
        QVERIFY(page()->isVisible() && page()->matrices()); // at once: nothing is compared again
        QVERIFY(page()->words() != words);
        speak("en");
        QCOMPARE(page()->heading(), heading);
        QCOMPARE(page()->words(), words);
        QCOMPARE(page()->beyondText(), beyond);
        QCOMPARE(page()->arrays()->currentData().toString(), QString("b"));
        QCOMPARE(window_->centre()->current(), QString("against"));
        page()->closeButton()->click();
        QCOMPARE(window_->centre()->current(), QString("matrix"));
        QVERIFY(!window_->centre()->isAvailable("against"));
    }

    void openMap() {
        const auto usual = settings::mapFromCells();
        settings::setMapFromCells(1000);
        auto& session = window_->largeInputs()->session();
        QSignalSpy ready(&session, &MapSession::ready), started(&session, &MapSession::started);
        show(longProblem(2));
        QVERIFY(ready.wait(20000));
        window_->viewState().setPinned(Cell{42, 7});
        const auto pyramid = session.pyramid();
        const auto runs = started.size();
        const QString title = window_->matrixPage()->title();
        thereAndBack();
        QCOMPARE(session.pyramid(), pyramid);
        QCOMPARE(started.size(), runs);
        QVERIFY(window_->largeInputs()->isOpen() && window_->stageStrip()->isVisible());
        QVERIFY(!window_->stageStrip()->tile("scores")->isEnabled()); // a map has no stages
        QCOMPARE(window_->matrixPage()->title(), title);
        QCOMPARE(window_->matrixPage()->heatmap()->pinned(), (Cell{42, 7}));
        QVERIFY(&window_->matrixPage()->heatmap()->source() == window_->largeInputs()->source());
        settings::setMapFromCells(usual);
        window_->files().openSample("milk_or_cat_sweet");
        settle();
        QVERIFY(window_->stageStrip()->tile("scores")->isEnabled());
    }

    /// A message is in one language with its button.
    void messageWithAButton() {
        const auto button = [this] {
            QString text;
            for (const auto* one : window_->messageBar()->findChildren<QPushButton*>())
                text += one->isHidden() ? QString() : one->text();
            return text;
        };
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        settle();
        auto wrong = window_->document().problem();
        wrong.spec.parameters.set("num_heads", std::int64_t{3});
        window_->document().edit(QStringLiteral("Wrong"), wrong);
        QTRY_VERIFY(!button().isEmpty());
        const QString text = window_->messageBar()->text();
        QCOMPARE(button(), QStringLiteral("Make weights that fit"));
        speak("zh_CN");
        QVERIFY(window_->messageBar()->text() != text);
        QCOMPARE(button(), Results::tr("Make weights that fit"));
        QVERIFY(button() != QStringLiteral("Make weights that fit"));
        speak("en");
        QCOMPARE(window_->messageBar()->text(), text);
        QCOMPARE(button(), QStringLiteral("Make weights that fit"));
    }

    void lessonInMidStep() {
        edit(7.0);
        settle();
        const auto problem = window_->document().problem();
        const auto layout = window_->saveState();
        openLesson();
        lesson().showStep(1);
        settleScene();
        auto draw = *model().scene().draw;
        draw.seed += 1;
        model().setDraw(draw);
        settleScene();
        QTRY_VERIFY(!panel().question()->options().empty());
        QTest::qWait(50);
        panel().question()->choose(1);
        QTRY_COMPARE(panel().question()->chosen(), QString("sqrt_dk"));
        const auto scene = model().scene();
        const auto result = model().result();
        const QString english = panel().bodyText();
        speak("zh_CN");
        QCOMPARE(lesson().step(), 1);
        QVERIFY(panel().bodyText() != english);
        QTRY_COMPARE(panel().question()->chosen(), QString("sqrt_dk"));
        speak("en");
        QVERIFY(learn().isOn() && page().isVisible());
        QCOMPARE(panel().bodyText(), english);
        QVERIFY(model().scene() == scene);
        QCOMPARE(model().result(), result);
        QVERIFY(page().isChanged() && panel().hintIsShown() && actions().reset_step->isEnabled());
        QVERIFY(!actions().save->isEnabled());
        actions().reset_step->trigger();
        QVERIFY(!(model().scene() == scene));
        settleScene();
        actions().go_workspace->trigger();
        QVERIFY(!learn().isOn());
        QVERIFY(window_->document().problem() == problem && actions().undo->isEnabled() && actions().save->isEnabled());
        QCOMPARE(window_->saveState(), layout);
    }

    void presentationAndLab() {
        learn().showLab(lab::BoardKind::MaskLab);
        settleScene();
        const auto size = window_->size();
        actions().present->trigger();
        QVERIFY(window_->isFullScreen() && !window_->menuBar()->isVisible());
        const auto points = page().font().pointSizeF();
        thereAndBack();
        QVERIFY(window_->isFullScreen() && !window_->menuBar()->isVisible());
        QVERIFY(actions().present->isChecked());
        QCOMPARE(page().font().pointSizeF(), points);
        QCOMPARE(page().labPage()->lab(), lab::BoardKind::MaskLab);
        actions().present->trigger();
        QVERIFY(!window_->isFullScreen() && window_->menuBar()->isVisible());
        QTRY_COMPARE(window_->size(), size);
        learn().leave();
    }

    /// The document has undo steps, and the latest edit is still being computed.
    void everyPageWithAnEditPending() {
        const auto pages = [this] { return window_->centre(); };
        const auto sliders = [&] {
            QList<int> values;
            for (const auto* slider : pages()->currentPage()->findChildren<QSlider*>())
                values << slider->value();
            return values;
        };
        QStringList seen;
        for (const auto& sample : samples()) {
            window_->files().openSample(QLatin1String(sample.id));
            settle();
            ui::startComparing(window_->document());
            settle();
            for (const auto& id : pages()->availableIds()) {
                if (seen.contains(id))
                    continue;
                seen << id;
                pages()->setCurrent(id);
                QTRY_COMPARE(pages()->current(), id);
                for (auto* slider : pages()->currentPage()->findChildren<QSlider*>())
                    slider->setValue((slider->minimum() + slider->maximum() + 1) / 2);
                const auto original = window_->document().problem();
                auto edited = original;
                const auto query = edited.tensors.find("query");
                auto& tensor = query != edited.tensors.end() ? query->second : edited.tensors.begin()->second;
                tensor.mutable_values().front() += 0.25;
                window_->document().edit(QStringLiteral("edit"), edited);
                const auto values = sliders();
                const int undo_steps = window_->document().undoStack()->index();
                thereAndBack();
                QCOMPARE(pages()->current(), id);
                QCOMPARE(sliders(), values);
                QVERIFY(window_->document().problem() == edited && window_->isWindowModified());
                QCOMPARE(window_->document().undoStack()->index(), undo_steps);
                settle();
                QVERIFY2(window_->outdatedOverlay()->isCurrent(), qPrintable(id));
                actions().undo->trigger();
                QVERIFY(window_->document().problem() == original);
                settle();
                QCOMPARE(pages()->current(), id);
            }
        }
        QVERIFY2(seen.size() > 5, qPrintable(seen.join(u' ')));
    }

    /// The model runs on; a head, its view, a token and the order of the heads were chosen.
    void modelPage() {
        const auto page = [this] { return window_->modelMode()->page(); };
        const auto query = [&] { return page()->findChild<SentencePanel*>()->query(); };
        const auto session = [this]() -> ModelSession& { return *window_->findChild<ModelSession*>(); };
        edit(7.0);
        window_->modelMode()->open(QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/gpt2"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->modelMode()->isOn() && session().model() && !session().isRunning(), 30000);
        page()->text()->setPlainText(QStringLiteral("The fox jumps over the dog"));
        QTRY_VERIFY_WITH_TIMEOUT(!session().isRunning() && page()->wall()->chosen(), 30000);
        page()->order()->setCurrentIndex(page()->order()->count() - 1);
        page()->wall()->choose({1, 1});
        page()->heads()->tabs()->setCurrentIndex(HeadsPanel::Scatter);
        page()->head()->show(page()->head()->arcs());
        emit page()->head()->rowChosen(1);
        QCOMPARE(query(), std::optional(1));
        const int order = page()->order()->currentIndex();
        page()->text()->setPlainText(QStringLiteral("The fox jumps over the lazy dog"));
        thereAndBack();
        QTRY_VERIFY_WITH_TIMEOUT(!session().isRunning() && session().result() && !session().isOutdated(), 30000);
        QVERIFY(window_->modelMode()->isOn() && page()->isVisible());
        QCOMPARE(page()->text()->toPlainText(), QStringLiteral("The fox jumps over the lazy dog"));
        QVERIFY(session().result()->passes.front().queries > 6);
        QCOMPARE(page()->order()->currentIndex(), order);
        QVERIFY((page()->wall()->chosen() == HeadIndex{1, 1}));
        QCOMPARE(page()->heads()->tabs()->currentIndex(), static_cast<int>(HeadsPanel::Scatter));
        QCOMPARE(page()->head()->view(), static_cast<const HeadView*>(page()->head()->arcs()));
        QCOMPARE(query(), std::optional(1));
        window_->modelMode()->leave();
        QVERIFY(actions().undo->isEnabled() && window_->isWindowModified());
    }

    void noOtherWindowIsShown_data() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"workspace", "model", "workspace after a model", "lessons"})
            QTest::newRow(page) << QString::fromLatin1(page);
    }

    /// A part without a parent would be a window for a moment. What is put away meanwhile comes back with the
    /// workspace.
    void noOtherWindowIsShown() {
        QFETCH(QString, page);
        QVERIFY(window_->files().openSample(QString::fromLatin1(samples().front().id)));
        if (page.contains(u"model"))
            window_->modelMode()->openSample(QStringLiteral("The fox jumps over the dog"));
        if (page == u"lessons")
            learn().showList();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->modelMode()->isOn() == page.contains(u"model"),
                                 30000);
        if (page == u"workspace after a model")
            window_->modelMode()->leave();
        const QString title = window_->windowTitle();
        {
            ShownWindows shown(*window_);
            for (const char* language : {"zh_CN", "en"}) {
                shown.paints = 0;
                speak(language);
                QTRY_VERIFY2(shown.paints > 0, "the window shows the language of before");
            }
            QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing(), 30000);
            QVERIFY2(shown.names.isEmpty(), qPrintable(shown.names.join(QStringLiteral(", "))));
        }
        QTRY_COMPARE(window_->windowTitle(), title);
        if (page == u"model")
            window_->modelMode()->leave();
        else if (page == u"lessons")
            learn().leave();
        QTRY_VERIFY(window_->findChild<StatusLine*>()->isVisible());
    }

    void orderOfTheBars() {
        window_->viewState().setPinned(Cell{1, 1});
        const auto order = [this] { return window_->findChild<RowCard*>()->orderSwitch(); };
        order()->setCurrentIndex(1);
        thereAndBack();
        QCOMPARE(order()->currentIndex(), 1);
    }

    void languageOfTheMenu() {
        const QString before = actions().save->text();
        actions().language->actions().back()->trigger();
        QTRY_VERIFY(actions().save->text() != before);
        QVERIFY(actions().language->actions().back()->isChecked());
        actions().language->actions().front()->trigger();
        QTRY_COMPARE(actions().save->text(), before);
    }
};

ATTNLAB_TEST(TestLanguageChange)
#include "test_language_change.moc"
