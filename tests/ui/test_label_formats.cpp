// No label of the program detects its text format automatically, and the sources use only few ways to set texts of
// widgets.
#include "core/io/saved/workspace_file.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/map_page_support.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/export/export_dialog.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lesson_page.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/pages/compare/compare_controls.h"
#include "ui/panels/inputs/tensor_dialogs.h"
#include "ui/panels/mask/mask_import.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/coach_marks.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/work_area.h"

#include <QDirIterator>
#include <QLabel>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>
#include <QTimer>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Places where the program shows its own markup around escaped text.
const QStringList reviewed = {
    QStringLiteral("attnlab::ui::FormulaPanel"),
    QStringLiteral("QMessageBox"), // Help > About
};

QString ownerOf(const QLabel& label) {
    for (const QWidget* widget = label.parentWidget(); widget; widget = widget->parentWidget()) {
        QString name = QString::fromLatin1(widget->metaObject()->className());
        if (name != QLatin1String("QWidget"))
            return name;
    }
    return {};
}

/// Labels that interpret their text and are not on the list.
QStringList unreviewedLabels(int* count) {
    QStringList wrong;
    for (QWidget* widget : QApplication::allWidgets()) {
        auto* label = qobject_cast<QLabel*>(widget);
        if (!label)
            continue;
        ++*count;
        label->ensurePolished(); // as when it is shown
        const bool known = dynamic_cast<MarkdownLabel*>(label) || reviewed.contains(ownerOf(*label));
        if (label->textFormat() != Qt::PlainText && !(label->textFormat() == Qt::RichText && known))
            wrong << QStringLiteral("%1 in %2: “%3”").arg(label->objectName(), ownerOf(*label), label->text().left(60));
    }
    return wrong;
}

struct Rule {
    const char* name;
    const char* pattern;
    QStringList allowed; ///< files below ui
};

/// The functions whose text Qt interprets as markup, and the files that may use them.
const Rule rules[] = {
    {"labels are attnlab::ui::Label", R"(\bnew QLabel\b|\bpublic QLabel\b|\bQLabel \w+\s*[;({])", {"widgets/labels.h"}},
    {"no label decides by its text", R"(Qt::AutoText)", {"widgets/style.cpp"}},
    {"rich text", R"(Qt::RichText|Qt::MarkdownText)", {"panels/help/help.cpp", "widgets/rich_text.cpp"}},
    {"documents load nothing",
     R"(\bnew QTextDocument\b|(unique|shared)<QTextDocument>\(|\bQTextDocument \w+\s*[;({]|public QTextDocument\b)",
     {"widgets/rich_text.h"}},
    {"markup is parsed",
     R"(\b(set|insert|from)(Html|Markdown)\()",
     // The last one writes to the clipboard.
     {"panels/help/reference_dialog.cpp", "widgets/rich_text.cpp", "drawing/matrix_data.cpp"}},
    {"browsers are Help's",
     R"(#include <QText(Browser|Edit)>)",
     // The last one underlines parts of a plain text.
     {"panels/help/reference_dialog.cpp", "model/text_panel.cpp"}},
    {"nothing else of Qt that reads markup",
     R"(\bQ(StaticText|WhatsThis|ErrorMessage|GraphicsTextItem|InputDialog|SplashScreen)\b)",
     {}},
    {"boxes",
     R"(\bQMessageBox \w+\s*[;({]|QMessageBox::(about|aboutQt|critical|information|question|warning)\()",
     {"widgets/popups.cpp", "panels/help/help.cpp"}},
    // Its texts are from the program's tables.
    {"What's This", R"(setWhatsThis\()", {"panels/mechanism/mechanism_bar.cpp", "panels/mechanism/parameter_form.cpp"}},
};

} // namespace

class TestLabelFormats : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    int seen_ = 0;

    void check(const QString& where) {
        QCoreApplication::processEvents();
        const auto wrong = unreviewedLabels(&seen_);
        QVERIFY2(wrong.isEmpty(), qPrintable(where + QLatin1Char('\n') + wrong.join(QLatin1Char('\n'))));
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 60000); }
    void open(const QString& sample) {
        window_->files().openSample(sample);
        settle();
    }
    Actions& actions() { return window_->actions(); }
    /// A dialog that does not block.
    void checkDialog(QAction* action) {
        const QString name = action->text();
        QVERIFY2(action->isEnabled(), qPrintable(name));
        action->trigger();
        check(name);
        QDialog* dialog = nullptr;
        for (auto* each : window_->findChildren<QDialog*>())
            if (each->isVisible())
                dialog = each;
        QVERIFY2(dialog, qPrintable(name));
        dialog->reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabTestFormats");
        QSettings().clear();
        applyTheme(ThemeChoice::Light); // with the program's style
    }

    void init() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        open(QStringLiteral("milk_or_cat_sweet"));
        seen_ = 0;
    }
    void cleanup() {
        window_.reset();
        QSettings().clear();
    }

    void pages_data() {
        QTest::addColumn<QString>("id");
        for (const auto& sample : samples())
            QTest::newRow(sample.id) << QString::fromLatin1(sample.id);
    }

    void pages() {
        QFETCH(QString, id);
        open(id);
        startComparing(window_->document());
        settle();
        window_->viewState().setPinned(Cell{0, 0});
        int pages = 0;
        for (const QString& page : window_->centre()->availableIds()) {
            window_->centre()->setCurrent(page);
            check(page);
            ++pages;
        }
        QVERIFY(pages > 1);
        QVERIFY2(seen_ > 100, qPrintable(QString::number(seen_)));
    }

    void map() {
        settings::setMapFromCells(1000);
        window_->files().openProblem(longProblem(), QStringLiteral("long"), QStringLiteral("weights"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->largeInputs()->isOpen() && !window_->isComputing(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->largeInputs()->session().pyramid(), 60000);
        check(QStringLiteral("map"));
        checkDialog(actions().export_shown);
    }

    void dialogs() {
        for (auto* action : {actions().export_shown, actions().preferences, actions().key_grid, actions().samples,
                             actions().reference, actions().shortcuts})
            checkDialog(action);
        actions().tour->trigger();
        check(actions().tour->text());
        delete window_->findChild<CoachMarks*>();
        FillDialog filling({"x", DType::Float64, 4, 8, 6}, {});
        ResizeDialog resizing(window_->document().problem(), QStringLiteral("query"));
        const Tensor importing_mask(Shape{9, 9});
        MaskImportDialog importing(importing_mask, QStringLiteral("m.npy"), MaskContext{1, 4, 9, 9},
                                   readingOf(importing_mask));
        check(QStringLiteral("fill, resize, mask"));
    }

    /// Dialogs that block for an answer.
    void boxes() {
        int boxes = 0;
        const auto look = [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            check(box->windowTitle());
            ++boxes;
            box->reject();
        };
        QTimer::singleShot(0, this, look);
        actions().about->trigger();
        auto problem = window_->document().problem();
        problem.query_tokens = {"a"};
        window_->document().edit(QStringLiteral("edit"), problem);
        window_->files().setAnswer(FileController::Answer::Ask);
        QTimer::singleShot(0, this, look);
        QVERIFY(!window_->files().mayDiscard());
        window_->files().setAnswer(FileController::Answer::Discard);
        QCOMPARE(boxes, 2);
    }

    void lessons() {
        auto& learn = *window_->learnMode();
        learn.showList();
        check(QStringLiteral("list"));
        const auto count = static_cast<int>(learn.page()->lessons().size());
        QVERIFY(count >= 10);
        for (int i = 0; i < count; ++i) {
            learn.showLesson(i);
            auto& lesson = *learn.page()->lessonPage();
            for (int step = 0; step < lesson.lesson()->stepCount(); ++step) {
                lesson.showStep(step);
                check(QStringLiteral("lesson %1, step %2").arg(i + 1).arg(step + 1));
            }
        }
        QTRY_VERIFY_WITH_TIMEOUT(actions().export_step->isEnabled(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(learn.page()->frame()->model().result(), 60000);
        checkDialog(actions().export_step);
        checkDialog(actions().export_handout);
        for (const auto board : {lab::BoardKind::ScaleLab, lab::BoardKind::MaskLab}) {
            learn.showLab(board);
            QTRY_VERIFY_WITH_TIMEOUT(learn.page()->frame()->model().result(), 60000);
            check(textOf(lab::id_of(board)));
        }
    }

    void sources_data() {
        QTest::addColumn<int>("rule");
        for (int i = 0; i < static_cast<int>(std::size(rules)); ++i)
            QTest::newRow(rules[i].name) << i;
    }

    void sources() {
        QFETCH(int, rule);
        const QRegularExpression pattern(QString::fromLatin1(rules[rule].pattern));
        QVERIFY(pattern.isValid());
        QSet<QString> found;
        int files = 0;
        for (const char* folder : {ATTNLAB_SOURCE_DIR "/ui", ATTNLAB_SOURCE_DIR "/app"}) {
            const QDir below(QString::fromUtf8(folder));
            QDirIterator each(below.path(), {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
            while (each.hasNext()) {
                QFile file(each.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                ++files;
                if (pattern.match(QString::fromUtf8(file.readAll())).hasMatch())
                    found << below.relativeFilePath(file.fileName());
            }
        }
        QVERIFY(files > 300);
        // An unnecessary entry would allow another use.
        QStringList used(found.begin(), found.end()), allowed = rules[rule].allowed;
        used.sort();
        allowed.sort();
        QCOMPARE(used.join(QLatin1Char(' ')), allowed.join(QLatin1Char(' ')));
    }

    /// Of connections there is the local socket of the window alone.
    void theNetworkIsNotUsed() {
        const QRegularExpression calls("QTcp|QUdp|QNetworkAccess|QSslSocket|QWebSocket|QDesktopServices|AF_INET|curl/");
        int read = 0;
        for (const char* folder : {"app", "core", "gpu", "ui"}) {
            QDirIterator each(QStringLiteral(ATTNLAB_SOURCE_DIR "/") + folder, {"*.cpp", "*.h", "*.cu"}, QDir::Files,
                              QDirIterator::Subdirectories);
            while (each.hasNext()) {
                QFile source(each.next());
                QVERIFY(source.open(QIODevice::ReadOnly));
                QVERIFY2(!QString::fromUtf8(source.readAll()).contains(calls), qPrintable(source.fileName()));
                ++read;
            }
        }
        QVERIFY(read > 500);
    }
};

ATTNLAB_TEST(TestLabelFormats)
#include "test_label_formats.moc"
