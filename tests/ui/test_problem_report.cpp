// What goes into a report of a problem: the program and the machine, nothing of the user's.
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/panels/help/help.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"

#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::ui;

class ProblemReportTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabProblemReportTest");
        QSettings().clear();
    }

    void saysNothingPrivate() {
        AttentionProblem problem;
        problem.query_tokens = {"secret"};
        problem.tensors = {{"query", Tensor({2, 3}, 0.25)}, {"key", Tensor({2, 3}, 0.25)}, {"secret", Tensor({7})}};
        const auto report =
            problemReport({"AttnLab 0.1.0 (abc)\nQt: 6\n", {}, problem}, *QGuiApplication::primaryScreen());
        QVERIFY(report.startsWith("AttnLab 0.1.0 (abc)\nQt: 6\nsystem: "));
        QVERIFY2(report.contains("scaled_dot_product; query (2, 3), key (2, 3)"), qPrintable(report));
        for (const QString& own : {QStringLiteral("secret"), QStringLiteral("0.25"), QDir::homePath()})
            QVERIFY2(!report.contains(own), qPrintable(own));
        problem.spec.variant = "secret";
        const auto unknown = problemReport({{}, {}, problem}, *QGuiApplication::primaryScreen());
        QVERIFY2(unknown.contains("unknown mechanism") && !unknown.contains("secret"), qPrintable(unknown));
    }

    void isCopied() {
        MainWindow window{Backends(backends)};
        window.setBuildReport("AttnLab of this test\n");
        window.setDeviceLine(Message("A card is trusted"));
        window.show();
        window.actions().report->trigger();
        const auto dialogs = window.findChildren<QDialog*>();
        const auto shown = std::ranges::find_if(dialogs, [](const auto* dialog) { return dialog->isVisible(); });
        QVERIFY(shown != dialogs.end());
        const auto* text = (*shown)->findChild<QPlainTextEdit*>();
        QVERIFY(text && text->toPlainText().startsWith("AttnLab of this test\ndevice: A card is trusted\n"));
        for (auto* button : (*shown)->findChildren<QPushButton*>())
            if (button->text() == "Copy")
                button->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), text->toPlainText());
    }
};

ATTNLAB_TEST(ProblemReportTest)
#include "test_problem_report.moc"
