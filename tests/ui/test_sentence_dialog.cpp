// The dialog for other words.
#include "ribbon_support.h"
#include "tests/test_main.h"
#include "ui/panels/ribbon/sentence_dialog.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTimer>

using namespace attnlab;
using namespace attnlab::ui;

class TestSentenceDialog : public QObject {
    Q_OBJECT
    using Side = RibbonTokens::Side;

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    void editingIsOneStep() {
        Ribbon ribbon(sampleOf("multi_head_fox"));
        QTimer::singleShot(0, this, [] {
            auto* dialog = qobject_cast<SentenceDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            QCOMPARE(dialog->queryLine()->text(), QStringLiteral("The quick brown fox jumped over the lazy dog"));
            dialog->queryLine()->setText("The brown owl");
            dialog->accept();
        });
        QTest::mouseClick(ribbon.card.editButton(), Qt::LeftButton);
        QCOMPARE(ribbon.document.undoStack()->count(), 1);
        QCOMPARE(ribbon.document.problem().query_tokens, (std::vector<std::string>{"The", "brown", "owl"}));
        ribbon.compute();
        QCOMPARE(ribbon.arcs().tokens().count(Side::Keys), 3);
        ribbon.document.undoStack()->undo();
        QCOMPARE(ribbon.document.problem(), sampleOf("multi_head_fox"));
    }

    void theDialogSaysWhatIsNew() {
        auto next = sampleOf("multi_head_fox");
        SentenceDialog dialog(next);
        QVERIFY(!dialog.keyLine());
        QVERIFY(!dialog.said().contains("random"));
        dialog.queryLine()->setText("The red fox met the red hen");
        QVERIFY(dialog.said().contains("keep their vectors: 3. New words: 4."));
        QVERIFY(dialog.said().contains("there is no trained model behind this sample"));
        QVERIFY(dialog.queryPreview()->accessibleDescription().contains("red"));
        QVERIFY(dialog.buttons()->button(QDialogButtonBox::Ok)->isEnabled());
        dialog.queryLine()->setText("  ");
        QVERIFY(!dialog.buttons()->button(QDialogButtonBox::Ok)->isEnabled());
        QString longer;
        for (int i = 0; i < 513; ++i)
            longer += "word ";
        dialog.queryLine()->setText(longer);
        QVERIFY(!dialog.buttons()->button(QDialogButtonBox::Ok)->isEnabled());
        dialog.queryLine()->setText("The fox");
        dialog.edit()(next, {});
        QCOMPARE(next.query_tokens.size(), 2U);
    }

    void dialogPictures() {
        SentenceDialog dialog(sampleOf("cross_attention"));
        dialog.queryLine()->setText("le chat blanc");
        dialog.keyLine()->setText("我爱北京的猫");
        dialog.resize(dialog.sizeHint());
        const QImage picture = dialog.grab().toImage();
        QVERIFY(picture.width() >= 500);
        if (qEnvironmentVariableIsSet("ATTNLAB_PICTURES"))
            picture.save(qEnvironmentVariable("ATTNLAB_PICTURES") + QStringLiteral("/dialog.png"));
    }

    void twoLinesForTwoSentences() {
        auto next = sampleOf("cross_attention");
        SentenceDialog dialog(next);
        QVERIFY(dialog.keyLine());
        dialog.keyLine()->setText("the cat");
        dialog.edit()(next, {});
        QCOMPARE(next.key_tokens.size(), 2U);
        QCOMPARE(next.query_tokens.size(), 3U);
    }

    void refusedWithAReason_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::newRow("layers") << QByteArray("transformer");
        QTest::newRow("pages") << QByteArray("paged_cache");
        QTest::newRow("patches") << QByteArray("patches");
        QTest::newRow("pooled") << QByteArray("linformer_pooled");
    }

    void refusedWithAReason() {
        QFETCH(QByteArray, id);
        Ribbon ribbon(sampleOf(id.constData()));
        QVERIFY(!ribbon.card.editButton()->isHidden());
        QVERIFY(!ribbon.card.editButton()->isEnabled());
        QVERIFY(ribbon.card.editButton()->toolTip().size() > 20);
        QCOMPARE(ribbon.card.editButton()->accessibleDescription(), ribbon.card.editButton()->toolTip());
    }
};

ATTNLAB_TEST(TestSentenceDialog)
#include "test_sentence_dialog.moc"
