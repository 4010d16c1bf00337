#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/test_main.h"
#include "ui/drawing/formula_view.h"
#include "ui/panels/help/reference_dialog.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>

#include <memory>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

QStringList shownTitles(const ReferenceDialog& dialog) {
    QStringList titles;
    for (int row = 0; row < dialog.list()->count(); ++row)
        if (const auto* item = dialog.list()->item(row); !item->isHidden())
            titles << item->text().trimmed();
    return titles;
}

} // namespace

class TestReference : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    /// The chosen row of every kind of list has the soft back of pickers, and the ink of other rows.
    void listsHaveOneFormOfRows_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("dark");
        for (const auto* kind : {"list", "tree", "table", "picker"})
            for (const bool dark : {false, true})
                QTest::addRow("%s, %s", kind, dark ? "dark" : "light") << QString(kind) << dark;
    }

    void listsHaveOneFormOfRows() {
        QFETCH(QString, kind);
        QFETCH(bool, dark);
        applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        const auto restore = qScopeGuard([] { applyTheme(ThemeChoice::Light); });
        std::unique_ptr<QAbstractItemView> view;
        if (kind == QLatin1String("list")) {
            auto list = std::make_unique<QListWidget>();
            list->addItems({"first", "second", "third"});
            view = std::move(list);
        } else if (kind == QLatin1String("tree")) {
            auto tree = std::make_unique<QTreeWidget>();
            tree->setColumnCount(2);
            tree->setRootIsDecorated(false);
            for (const auto* name : {"first", "second", "third"})
                new QTreeWidgetItem(tree.get(), {QString(name), QStringLiteral("key")});
            view = std::move(tree);
        } else if (kind == QLatin1String("table")) {
            auto table = std::make_unique<QTableWidget>(3, 1);
            table->setSelectionBehavior(QAbstractItemView::SelectRows);
            for (int row = 0; row < 3; ++row)
                table->setItem(row, 0, new QTableWidgetItem(QStringLiteral("row HLH")));
            view = std::move(table);
        } else {
            auto picker = std::make_unique<PickerView>(nullptr);
            picker->setItems(
                {{.id = "a", .title = "first"}, {.id = "b", .title = "second"}, {.id = "c", .title = "third"}});
            view = std::move(picker);
        }
        view->resize(300, 200);
        view->show();
        const auto chosen = view->model()->index(1, 0), other = view->model()->index(2, 0);
        view->setCurrentIndex(chosen);
        const QImage seen = view->viewport()->grab().toImage();
        const auto back_of = [&](const QModelIndex& index) {
            const QRect row = view->visualRect(index);
            return seen.pixelColor(row.right() - 8, row.center().y());
        };
        QCOMPARE(back_of(chosen), theme().accent_soft);
        QVERIFY(back_of(other) != theme().accent_soft);
        const QRect row = view->visualRect(chosen);
        bool has_ink = false;
        for (int y = row.top() + 2; y < row.bottom() - 1; ++y)
            for (int x = row.left() + 4; x < row.left() + 120; ++x)
                has_ink = has_ink || seen.pixelColor(x, y) == theme().text;
        QVERIFY(has_ink);
    }

    void aSearchThatFindsNothingSaysSo() {
        ReferenceDialog dialog;
        dialog.search()->setText(QStringLiteral("no page has this"));
        const auto* box = dialog.list()->viewport()->findChild<StateBox*>();
        QVERIFY(box && !box->state().what.isEmpty());
        dialog.search()->clear();
        QVERIFY(box->state().what.isEmpty());
    }

    void everyRowOfTheTablesHasAPage() {
        const auto topics = referenceTopics();
        std::size_t rows = 0;
        for (const auto& variant : mechanisms()) {
            const auto id = QStringLiteral("variant/") + QString::fromUtf8(variant.id.data(), int(variant.id.size()));
            const auto found = std::find_if(topics.begin(), topics.end(), [&](const auto& t) { return t.id == id; });
            QVERIFY2(found != topics.end(), qPrintable(id));
            QVERIFY2(*variant.look_for, qPrintable(id));
            QVERIFY2(found->html.contains(QString::fromUtf8(variant.look_for).toHtmlEscaped()), qPrintable(id));
            QVERIFY2(found->html.contains(QString::fromUtf8(variant.source.data()).toHtmlEscaped()), qPrintable(id));
            for (const auto& input : variant.inputs)
                QVERIFY2(found->html.contains(QString::fromUtf8(input.name.data(), int(input.name.size()))),
                         qPrintable(id));
            QVERIFY2(found->html.contains(QStringLiteral("formula:")), qPrintable(id));
            ++rows;
        }
        rows += scale_modes().size() + position_terms().size() + mask_kinds().size();
        QVERIFY(topics.size() >= rows);
    }

    void namesOnlyFormulasThatAreThere() {
        static const QRegularExpression image(QStringLiteral("formula:([a-z_0-9]+)"));
        for (const auto& topic : referenceTopics()) {
            const auto match = image.match(topic.html);
            QVERIFY2(!match.hasMatch() || hasFormula(match.captured(1)), qPrintable(topic.id));
        }
    }

    void showsTheTopicAskedFor() {
        ReferenceDialog dialog;
        QCOMPARE(dialog.topic(), QStringLiteral("variant/scaled_dot_product"));
        dialog.showTopic(QStringLiteral("scale/cbrt_dk"));
        QCOMPARE(dialog.topic(), QStringLiteral("scale/cbrt_dk"));
        QVERIFY(dialog.browser()->toPlainText().contains(QStringLiteral("--scale cbrt_dk")));
        dialog.showTopic(QStringLiteral("variant/nothing"));
        QCOMPARE(dialog.topic(), QStringLiteral("variant/scaled_dot_product"));
    }

    void closesByItsButton() {
        ReferenceDialog dialog;
        dialog.show();
        QTest::keyClicks(dialog.search(), QStringLiteral("tanh"));
        QTest::keyClick(dialog.search(), Qt::Key_Return);
        QVERIFY(dialog.isVisible());
        auto* close = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Close);
        QVERIFY(close && close->isVisible());
        QTest::mouseClick(close, Qt::LeftButton);
        QVERIFY(!dialog.isVisible());
    }

    void searchNarrowsTheList() {
        ReferenceDialog dialog;
        const auto all = shownTitles(dialog).size();
        QTest::keyClicks(dialog.search(), QStringLiteral("tanh"));
        const auto found = shownTitles(dialog);
        QVERIFY(found.size() < all);
        QVERIFY(found.contains(translated(mechanism_of("additive").title)));
        QVERIFY(!found.contains(translated(mechanism_of("causal").title)));
        dialog.search()->clear();
        QCOMPARE(shownTitles(dialog).size(), all);
    }
};

ATTNLAB_TEST(TestReference)
#include "test_reference.moc"
