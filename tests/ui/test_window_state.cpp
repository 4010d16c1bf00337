// Where the user was, in a window whose widgets were made in another order, or are others.
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/window/main_window.h"
#include "ui/window/window_state.h"
#include "ui/window/work_area.h"

#include <QComboBox>
#include <QSlider>

#include <memory>

using namespace attnlab;
using namespace attnlab::ui;

class TestWindowState : public QObject {
    Q_OBJECT

    /// A page that other windows may make later, or not at all.
    static QSlider* addSlider(MainWindow& window, const char* page, const char* name) {
        auto* made = new QWidget(window.centralWidget());
        made->setObjectName(page);
        auto* slider = new QSlider(made);
        slider->setObjectName(name);
        slider->setRange(0, 99);
        return slider;
    }

private slots:
    void otherWidgetsAreLeftAlone() {
        MainWindow before(backends), after(backends);
        addSlider(before, "first page", "speed")->setValue(30);
        auto* other = addSlider(after, "second page", "length"); // as many as before
        WindowState state(before);
        state.restoreViews(after);
        QCOMPARE(other->value(), 0);
    }

    void theOrderDoesNotMatter() {
        MainWindow before(backends), after(backends);
        addSlider(before, "first page", "speed")->setValue(30);
        addSlider(before, "second page", "speed")->setValue(40);
        auto* second = addSlider(after, "second page", "speed");
        auto* first = addSlider(after, "first page", "speed");
        WindowState state(before);
        state.restoreViews(after);
        QCOMPARE(first->value(), 30);
        QCOMPARE(second->value(), 40);
    }

    void pagesOfAMechanism() {
        MainWindow before(backends), after(backends);
        for (auto* window : {&before, &after}) {
            window->files().openSample("multi_head_fox");
            QTRY_VERIFY(window->computed() && !window->isComputing());
        }
        const auto boxes = [](const MainWindow& window) {
            QList<QComboBox*> found;
            for (const auto* page : window.centre()->findChildren<ExhibitPage*>())
                found << page->findChildren<QComboBox*>();
            return found;
        };
        QList<int> chosen;
        for (auto* box : boxes(before)) {
            box->setCurrentIndex(box->count() - 1);
            chosen << box->currentIndex();
        }
        QVERIFY(chosen.size() > 2);
        addSlider(after, "a page", "speed"); // one more than before: the others are restored
        WindowState state(before);
        state.restore(after);
        QList<int> restored;
        for (const auto* box : boxes(after))
            restored << box->currentIndex();
        QCOMPARE(restored, chosen);
    }
};

ATTNLAB_TEST(TestWindowState)
#include "test_window_state.moc"
