#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/test_main.h"
#include "ui/drawing/formula_view.h"
#include "ui/panels/help/reference_dialog.h"
#include "ui/widgets/text.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <QTextBrowser>

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
