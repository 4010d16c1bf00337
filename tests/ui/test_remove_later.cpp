// Widgets that the mouse enters while what they show ends.
#include "tests/test_main.h"
#include "ui/panels/inspector/named_numbers.h"
#include "ui/widgets/layouts.h"

#include <QEvent>
#include <QLineEdit>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

#include <functional>

using namespace attnlab::ui;

namespace {

class Source : public QWidget {
public:
    std::function<void()> left;

protected:
    void leaveEvent(QEvent* event) override {
        QWidget::leaveEvent(event);
        left();
    }
};

} // namespace

class TestRemoveLater : public QObject {
    Q_OBJECT

private slots:
    /// Leaving one widget changes what another shows; the mouse enters a part of it that is no longer shown.
    void partsOutliveTheEventThatRemovesThem_data() {
        QTest::addColumn<int>("kind");
        QTest::addRow("tiles") << 0;
        QTest::addRow("numbers") << 1;
    }
    void partsOutliveTheEventThatRemovesThem() {
        QFETCH(const int, kind);
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* source = new Source;
        source->setFixedHeight(100);
        auto* tiles = new NumberTiles;
        auto* table = new NumberTable;
        QWidget* shown = kind == 0 ? static_cast<QWidget*>(tiles) : table;
        column->addWidget(source);
        column->addWidget(tiles);
        column->addWidget(table);
        const auto show = [&](int count) {
            if (kind == 0)
                tiles->setEntries(
                    std::vector<NumberTiles::Entry>(static_cast<std::size_t>(count), {"entropy", "1.132", "nats", {}}));
            else
                table->setEntries(std::vector<NumberTable::Entry>(static_cast<std::size_t>(count), {"name", "1", {}}));
        };
        show(3);
        window.resize(400, 400);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));

        QList<QPointer<QWidget>> parts;
        for (auto* part : shown->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            parts << part;
        const QPointer<QWidget> entered = parts.last();
        const QPoint target = entered->mapTo(&window, entered->rect().center());
        bool alive = false;
        source->left = [&] {
            show(0);
            alive = entered;
        };
        QTest::mouseMove(&window, {10, 10});
        QTest::mouseMove(window.windowHandle(), source->geometry().center());
        QTest::mouseMove(window.windowHandle(), target);
        QTRY_VERIFY(alive);
        QVERIFY(shown->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly).isEmpty());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QTRY_VERIFY(!entered);
        for (const auto& part : parts)
            QVERIFY(!part);
    }

    /// A field with unfinished text loses the focus: that says nothing about what is shown in its place.
    void removedWidgetsAreSilent() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* group = new QWidget;
        auto* inner = new QVBoxLayout(group);
        auto* field = new QLineEdit;
        inner->addWidget(field);
        column->addWidget(group);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        field->setFocus();
        QTest::keyClicks(field, "1.5");
        QSignalSpy finished(field, &QLineEdit::editingFinished);
        const QPointer<QWidget> removed(group);
        removeSafely(group);
        QCOMPARE(finished.count(), 0);
        QCOMPARE(column->count(), 0);
        QVERIFY(removed);
        QTRY_VERIFY(!removed);
        removeSafely(nullptr);
    }
};

ATTNLAB_TEST(TestRemoveLater)
#include "test_remove_later.moc"
