// Every way to set text of a widget shows it literally and opens no files.
#include "tests/test_main.h"
#include "tests/ui/trap.h"
#include "ui/document/settings.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QTextFragment>
#include <QTextList>
#include <QTimer>
#include <QWindow>

using namespace attnlab::ui;
using attnlab::test::tipAt;
using attnlab::test::Trap;

class TestPlainText : public QObject {
    Q_OBJECT

    Trap trap_;

    /// A picture, a style sheet and a background: the last two are looked up when the text is parsed.
    QString page() const {
        return QStringLiteral("<html><head><link rel=\"stylesheet\" href=\"%1\"></head><body><p>words</p>"
                              "<img src=\"%1\"><img src=\"file://%1\"><table style=\"background-image: url(%1)\"><tr>"
                              "<td>cell</td></tr></table></body></html>")
            .arg(trap_.path());
    }

    static void paint(QTextDocument& document) {
        QImage paper(200, 200, QImage::Format_RGB32);
        QPainter painter(&paper);
        document.setTextWidth(200);
        document.drawContents(&painter);
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light); // with the program's style
    }
    void init() { trap_.opened(); }

    /// Which ends the program in Qt 6.4's own field.
    void pastingNothing() {
        TextEdit field(QStringLiteral("words"));
        field.show();
        QGuiApplication::clipboard()->setMimeData(new QMimeData);
        QTest::keyClick(&field, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(field.toPlainText(), QStringLiteral("words"));
        QGuiApplication::clipboard()->setText(QStringLiteral("more "));
        QTest::keyClick(&field, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(field.toPlainText(), QStringLiteral("more words"));
    }

    void theTrapWorks() {
        QTextDocument document;
        document.setHtml(page());
        QVERIFY(trap_.opened() > 0);
        paint(document);
        QVERIFY(trap_.opened() > 0);
    }

    void aLabelShowsItsLetters() {
        Label label(page());
        label.grab();
        label.setText(trap_.markup());
        label.grab();
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QCOMPARE(trap_.opened(), 0);
    }

    void documentsLoadNothing() {
        InertDocument document;
        document.setHtml(page());
        QVERIFY(document.toPlainText().contains(QLatin1String("words")));
        paint(document);
        document.setMarkdown(QStringLiteral("![a](%1) %2").arg(trap_.path(), trap_.markup()));
        paint(document);
        QCOMPARE(trap_.opened(), 0);
    }

    void markdown_data() {
        QTest::addColumn<QString>("markdown");
        QTest::addColumn<QString>("shown");
        QTest::newRow("words") << "**a** and *b*, `c`"
                               << "a and b, c";
        QTest::newRow("picture") << "see ![a plot](TRAP) here"
                                 << "see ![a plot](TRAP) here";
        QTest::newRow("picture with a title") << "![p](TRAP \"t\")"
                                              << "![p](TRAP \"t\")";
        QTest::newRow("without words") << "![](TRAP)"
                                       << "![](TRAP)";
        QTest::newRow("twice the same") << "![p](TRAP)![p](TRAP)"
                                        << "![p](TRAP)![p](TRAP)";
        QTest::newRow("in a link") << "[![p](TRAP)](TRAP) end"
                                   << "![p](TRAP) end";
        QTest::newRow("by reference") << "![p][r]\n\n[r]: TRAP"
                                      << "![p](TRAP)";
        QTest::newRow("HTML") << "see <img src=\"TRAP\"> here"
                              << "see <img src=\"TRAP\"> here";
        QTest::newRow("a block of HTML") << "<table background=\"TRAP\"><tr><td>cell"
                                         << "<table background=\"TRAP\"><tr><td>cell";
        QTest::newRow("token") << "the token <s> and `<pad>`"
                               << "the token <s> and <pad>";
        QTest::newRow("comparison") << "a < b > c & d"
                                    << "a < b > c & d";
        QTest::newRow("escaped") << "&lt;img&gt;"
                                 << "<img>";
    }

    void markdown() {
        QFETCH(QString, markdown);
        QFETCH(QString, shown);
        markdown.replace(QLatin1String("TRAP"), trap_.path());
        shown.replace(QLatin1String("TRAP"), trap_.path());
        QCOMPARE(plainText(markdown), shown);
        const auto document = textDocument(markdown, QGuiApplication::font(), Qt::black);
        paint(*document);
        MarkdownLabel label;
        label.setSource(markdown);
        label.resize(300, 100);
        label.grab();
        QFont larger = label.font();
        larger.setPointSizeF(2.0 * larger.pointSizeF());
        label.setFont(larger);
        label.grab();
        // The label's text is HTML again.
        QTextDocument read;
        read.setHtml(label.text());
        QCOMPARE(read.toPlainText().remove(QChar(0x200b)), shown);
        paint(read);
        QCOMPARE(trap_.opened(), 0);
    }

    void numbersAtTheBeginningStay_data() {
        QTest::addColumn<QString>("markdown");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<bool>("list");
        QTest::newRow("an answer") << "0. The state is empty."
                                   << "0. The state is empty." << false;
        QTest::newRow("below") << "So:\n\n30. That is all."
                               << "So:\n30. That is all." << false;
        QTest::newRow("a list") << "1. one\n2. two"
                                << "one\ntwo" << true;
        QTest::newRow("code") << "```\na\n\n2. b\n```"
                              << "a\n\n2. b" << false;
    }

    void numbersAtTheBeginningStay() {
        QFETCH(QString, markdown);
        QFETCH(QString, shown);
        QFETCH(bool, list);
        const auto document = textDocument(markdown, QGuiApplication::font(), Qt::black);
        QCOMPARE(document->toPlainText().remove(QChar(0x200b)), shown);
        QCOMPARE(document->begin().textList() != nullptr, list);
    }

    void indicesAreLowered_data() {
        QTest::addColumn<QString>("markdown");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("lowered");
        QTest::newRow("one") << "the matrix W_q, alone"
                             << "the matrix Wq, alone"
                             << "q";
        QTest::newRow("two") << "g_ij = **o_i** · v_j"
                             << "gij = oi · vj"
                             << "ij i j";
        QTest::newRow("a name") << "attn_mask, a_long, 1_a, x_i_j"
                                << "attn_mask, a_long, 1_a, x_i_j"
                                << "";
        QTest::newRow("code") << "`W_q` and `a_ij`"
                              << "W_q and a_ij"
                              << "";
    }

    void indicesAreLowered() {
        QFETCH(QString, markdown);
        QFETCH(QString, shown);
        QFETCH(QString, lowered);
        const auto document = textDocument(markdown, QGuiApplication::font(), Qt::black);
        QCOMPARE(document->toPlainText().remove(QChar(0x200b)), shown);
        QStringList found;
        for (auto part = document->begin().begin(); part != document->begin().end(); ++part)
            if (part.fragment().charFormat().verticalAlignment() == QTextCharFormat::AlignSubScript)
                found << part.fragment().text();
        QCOMPARE(found.join(' '), lowered);
    }

    /// A call in a narrow panel, also after a block of code.
    void codeWrapsBetweenWords_data() {
        QTest::addColumn<QString>("before");
        QTest::newRow("alone") << "";
        QTest::newRow("after code") << "See `a`.\n\n";
        QTest::newRow("after a block") << "```\n[False, True]\n```\n\n";
        QTest::newRow("after a backtick in code") << "``a ` b``\n\n";
    }
    void codeWrapsBetweenWords() {
        QFETCH(QString, before);
        const auto document =
            textDocument(before + QStringLiteral("- `scaled_dot_product_attention(attn_mask=…)`: kept"),
                         QGuiApplication::font(), Qt::black);
        const QString text = document->lastBlock().text();
        QVERIFY2(text.startsWith(QStringLiteral("scaled_\u200bdot_\u200b")), qPrintable(text));
    }

    void linksGoToTheWebAlone() {
        const QString html = textDocument(QStringLiteral("[a](file:///etc/passwd) [b](other.pdf) [c](smb://host/x) "
                                                         "[d](https://example.org/d)"),
                                          QGuiApplication::font(), {})
                                 ->toHtml();
        QCOMPARE(html.count(QLatin1String("href=")), 1);
        QVERIFY(html.contains(QLatin1String("href=\"https://example.org/d\"")));
        for (const char* place : {"passwd", "other.pdf", "smb:"})
            QVERIFY2(!html.contains(QLatin1String(place)), place);
    }

    void boxes() {
        QWidget window;
        const auto look = [&](const QString& title) {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            box->grab();
            QCOMPARE(box->text(), page());
            const auto labels = box->findChildren<QLabel*>();
            for (const auto* label : labels)
                QCOMPARE(label->textFormat(), Qt::PlainText);
            QCOMPARE(box->windowHandle()->title(), title);
            box->button(QMessageBox::Yes)->click();
        };
        QTimer::singleShot(0, this, [&] { look(QStringLiteral("a[*]b")); });
        QCOMPARE(ask(&window, {QStringLiteral("a[*]b"), page()}, QMessageBox::Yes | QMessageBox::No, QMessageBox::No),
                 QMessageBox::Yes);
        QCOMPARE(trap_.opened(), 0);
    }

    /// Like Qt's question of a file dialog about overwriting.
    void boxesOfQt() {
        QTimer::singleShot(0, this, [] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            box->grab();
            box->reject();
        });
        QMessageBox::warning(nullptr, QStringLiteral("title"), trap_.markup());
        QCOMPARE(trap_.opened(), 0);
    }

    void tipsOfItems() {
        QStandardItemModel model(1, 1);
        model.setItem(0, 0, new QStandardItem(trap_.markup()));
        model.item(0, 0)->setToolTip(trap_.markup());
        model.setHorizontalHeaderItem(0, new QStandardItem(trap_.markup()));
        model.horizontalHeaderItem(0)->setToolTip(trap_.markup());
        QTableView table;
        table.setModel(&model);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        table.grab();
        for (QWidget* part : {table.viewport(), table.horizontalHeader()->viewport()}) {
            QToolTip::hideText();
            const QLabel* tip = tipAt(*part, {5, 5});
            QVERIFY(tip);
            QCOMPARE(tip->textFormat(), Qt::PlainText);
            QCOMPARE(tip->text(), trap_.markup());
        }
        QToolTip::hideText();
        QCOMPARE(trap_.opened(), 0);
    }

    void menus() {
        QMenu menu;
        menu.addAction(menuText(QStringLiteral("R&D && more\tCtrl+Q")));
        QCOMPARE(menu.actions().front()->text(), QStringLiteral("R&&D &&&& more Ctrl+Q"));
        menu.grab();
        QPushButton button;
        button.setText(QStringLiteral("R&D"));
        QVERIFY(!button.shortcut().isEmpty());
        button.setText(menuText(QStringLiteral("R&D")));
        QVERIFY(button.shortcut().isEmpty());
        setWords(button, QStringLiteral("R&D"));
        QVERIFY(button.shortcut().isEmpty());
        QCOMPARE(button.text(), QStringLiteral("R&D"));
    }

    void titles_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"plain", "a[*]", "[*]a", "a[*][*]b[*]c", "[*][*][*]", "[[*]]"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void titles() {
        QFETCH(QString, name);
        QWidget window;
        window.setWindowTitle(titleText(name) + QStringLiteral("[*] — AttnLab"));
        window.show();
        QCOMPARE(window.windowHandle()->title(), name + QStringLiteral(" — AttnLab"));
        window.setWindowModified(true);
        QCOMPARE(window.windowHandle()->title(), name + QStringLiteral("* — AttnLab"));
    }
};

ATTNLAB_TEST(TestPlainText)
#include "test_plain_text.moc"
