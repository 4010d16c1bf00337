// A page on paper.
#include "core/message.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/export/export.h"
#include "ui/pages/matrix_page.h"
#include "ui/pages/step/step_view.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/work_area.h"

#include <QFile>
#include <QPrintDialog>
#include <QPrinter>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestPrint : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    QTemporaryDir folder_;

    QByteArray printed(const StyledFigure& shown, const QString& name = "page.pdf") {
        QPrinter printer(QPrinter::HighResolution);
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(folder_.filePath(name));
        printFigure(printer, shown.figure, shown.options);
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabPrintTest");
    }
    void init() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->files().openSample("multi_head_fox");
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000);
    }
    void cleanup() { window_.reset(); }

    void everyPageWithAPictureIsPrinted() {
        for (const char* id : {"matrix", "steps"}) {
            window_->centre()->setCurrent(QLatin1String(id));
            QCOMPARE(window_->centre()->current(), QLatin1String(id));
            const auto shown = window_->centre()->currentPage()->figureToPrint();
            QVERIFY2(shown, id);
            QVERIFY(!shown->options.title.isEmpty());
            const auto file = printed(*shown);
            QVERIFY2(file.startsWith("%PDF"), id);
            QCOMPARE(file.count("/Type /Page\n"), 1); // one page, and something on it
            QVERIFY(file.size() > 3000);
        }
    }

    void aDarkWindowPrintsDarkOnWhite() {
        auto shown = window_->matrixPage()->figureToPrint();
        QVERIFY(shown);
        const auto light = printed(*shown);
        shown->options.dark = shown->options.transparent = true;
        const auto content = [](const QByteArray& file) { return file.mid(file.indexOf("stream"), 2000); };
        QCOMPARE(content(printed(*shown, "dark.pdf")), content(light));
    }

    void whereNothingCanBeWrittenItIsSaid() {
        const auto shown = window_->matrixPage()->figureToPrint();
        QVERIFY_THROWS_EXCEPTION(Error, printed(*shown, "no/such/folder/page.pdf"));
    }

    void theCommandAsksForAPrinter() {
        window_->actions().print->trigger();
        auto* dialog = window_->findChild<QPrintDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        dialog->reject();
        // A lesson has handouts instead.
        window_->actions().lessons->trigger();
        QVERIFY(!window_->actions().print->isEnabled());
        window_->learnMode()->leave();
        QVERIFY(window_->actions().print->isEnabled());
    }
};

ATTNLAB_TEST(TestPrint)
#include "test_print.moc"
