// The row above every page: where it is, what it names, and which actions it offers.
#include "tests/test_main.h"
#include "tests/ui/sample_window.h"
#include "ui/learn/learn_page.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/text_panel.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/model_mode.h"
#include "ui/window/top_bar.h"
#include "ui/window/workspace_parts.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::ui;

class TestTopBar : public QObject, protected SampleFixture {
    Q_OBJECT

    Actions& actions() { return window_->actions(); }
    TopBar& top() { return *window_->findChild<TopBar*>(); }
    bool hasIcon(const QAction* action) {
        const auto buttons = top().findChildren<QToolButton*>();
        return std::ranges::any_of(buttons, [&](const QToolButton* button) {
            return button->defaultAction() == action && button->isVisible();
        });
    }
    QRect placeOf(const QWidget& part) { return {part.mapTo(window_.get(), QPoint()), part.size()}; }
    void openModel() {
        actions().go_model->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window_->modelMode()->isOn() && window_->modelMode()->page()->wall()->chosen(), 30000);
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { window_.reset(); }

    void isInOnePlaceOnEveryPage() {
        const auto places = [this] {
            QCoreApplication::processEvents();
            const QRect chooser = placeOf(*top().chooser());
            return QList<QRect>{
                placeOf(top()), placeOf(*window_->findChild<Rail*>()), {chooser.topLeft(), QSize(1, chooser.height())}};
        };
        const auto before = places();
        QVERIFY(before[0].height() > 30 && before[0].height() < 50);
        actions().go_lessons->trigger();
        QCOMPARE(places(), before);
        window_->learnMode()->showLesson(0);
        QCOMPARE(places(), before);
        openModel();
        QCOMPARE(places(), before);
        actions().go_workspace->trigger();
        QCOMPARE(places(), before);
    }

    /// What does not apply is absent, not grey.
    void offersWhatAppliesToThePage() {
        const auto shows = [this](const QAction* action) { return top().button(action)->isVisible(); };
        QVERIFY(hasIcon(actions().undo) && hasIcon(actions().redo));
        QVERIFY(shows(actions().compare) && shows(actions().export_shown) && !shows(actions().export_step));
        actions().go_lessons->trigger();
        QVERIFY(!hasIcon(actions().undo) && !shows(actions().compare));
        QVERIFY(!shows(actions().export_shown) && !shows(actions().export_step)); // a list has no picture
        window_->learnMode()->showLesson(0);
        QTRY_VERIFY(shows(actions().export_step));
        openModel();
        const auto& page = *window_->modelMode()->page();
        QVERIFY(hasIcon(actions().undo) && !shows(actions().compare) && shows(actions().export_shown));
        for (const QWidget* part :
             {static_cast<const QWidget*>(page.texts()->compareButton()),
              static_cast<const QWidget*>(page.workspaceButton()), static_cast<const QWidget*>(page.kind())})
            QVERIFY(part->isVisible() && top().isAncestorOf(part));
        actions().go_workspace->trigger();
        QVERIFY(hasIcon(actions().undo) && shows(actions().compare) && shows(actions().export_shown));
        QVERIFY(!page.workspaceButton()->isVisible());
    }

    void namesWhatIsOpen() {
        const auto entries = [this] { return top().chooser()->menu()->actions(); };
        openSample("multi_head_fox");
        QVERIFY2(top().chooser()->accessibleName().contains(window_->document().title()),
                 qPrintable(top().chooser()->accessibleName()));
        for (const QAction* entry : {actions().open, actions().samples, actions().recent->menuAction()})
            QVERIFY(entries().contains(entry));
        openModel();
        QTRY_VERIFY2(top().chooser()->accessibleName().contains(QStringLiteral("gpt2")),
                     qPrintable(top().chooser()->accessibleName()));
        for (const QAction* entry :
             {actions().open_model, actions().recent_models->menuAction(), window_->modelMode()->page()->bfloat16()})
            QVERIFY(entries().contains(entry));
        actions().go_lessons->trigger();
        QCOMPARE(top().chooser()->accessibleName(), QStringLiteral("Open: Lessons"));
        window_->learnMode()->showLesson(1);
        const QString lesson = window_->learnMode()->page()->heading();
        QVERIFY(lesson.startsWith(QStringLiteral("Lesson 2 of ")));
        QCOMPARE(top().chooser()->accessibleName(), QStringLiteral("Open: ") + lesson);
        QVERIFY(entries().contains(actions().lessons));
        actions().go_workspace->trigger();
        QVERIFY(top().chooser()->accessibleName().contains(window_->document().title()));
    }

    void buttonsFollowTheirAction() {
        auto* compare = top().button(actions().compare);
        actions().compare->setEnabled(false);
        QVERIFY(!compare->isEnabled());
        actions().compare->setEnabled(true);
        actions().compare->setText(QStringLiteral("Beside"));
        QCOMPARE(compare->text(), QStringLiteral("Beside"));
        QSignalSpy triggered(actions().compare, &QAction::triggered);
        QTest::mouseClick(compare, Qt::LeftButton);
        QCOMPARE(triggered.count(), 1);
    }

    void aNarrowRowHasIcons() {
        QVERIFY(!top().button(actions().compare)->text().isEmpty());
        window_->setMinimumSize(1, 1);
        window_->resize(560, 700);
        QTRY_VERIFY(top().button(actions().compare)->text().isEmpty());
        QVERIFY(!top().button(actions().compare)->icon().isNull());
        QCOMPARE(top().button(actions().compare)->accessibleName(), QStringLiteral("Compare"));
        QVERIFY(placeOf(*top().button(actions().export_shown)).right() < window_->width());
        window_->resize(1280, 800);
        QTRY_COMPARE(top().button(actions().compare)->text(), QStringLiteral("Compare"));
    }

    void aPresentationHidesIt() {
        actions().go_lessons->trigger();
        window_->learnMode()->showLesson(0);
        window_->learnMode()->presentation()->enter();
        QTRY_VERIFY(!top().isVisible());
        window_->learnMode()->presentation()->leave();
        QTRY_VERIFY(top().isVisible());
    }
};

ATTNLAB_TEST(TestTopBar)
#include "test_top_bar.moc"
