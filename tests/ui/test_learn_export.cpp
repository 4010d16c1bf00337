// A step as a picture and a lesson as a handout, by the export dialog.
#include "learn_support.h"

#include "tests/test_main.h"
#include "ui/export/export_dialog.h"
#include "ui/learn/cards/board_layout.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson_export.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QtConcurrent>
#include <QTemporaryDir>
#include <QTest>
#include <QtPdf/QPdfDocument>
#include <QTranslator>

#include <atomic>
#include <cmath>
#include <new>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

class Square : public Drawing {
public:
    QSizeF smallest(const QFont&, double) const override { return {200, 100}; }
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle&) const override {
        painter.fillRect(area, Qt::blue);
    }
    QString textAt(const QPointF& position, const QRectF& area, const QFont&) const override {
        return area.contains(position) ? QStringLiteral("board") : QString();
    }
};

ExportSubject step() {
    return stepExport(std::make_shared<Square>(), QStringLiteral("A <b>step</b> & 分数"),
                      QStringLiteral("The variance is **64**."), QStringLiteral("01-widths-growth"));
}

int bluePixels(const QImage& image) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == QColor(Qt::blue);
    return count;
}

/// Throws as a board or the cover of a board asks for its words.
class ThrowingTranslator : public QTranslator {
public:
    explicit ThrowingTranslator(QByteArray context) : context_(std::move(context)) {}
    bool armed = false;

    QString translate(const char* context, const char*, const char*, int) const override {
        if (armed && QByteArray(context).contains(context_))
            throw std::bad_alloc();
        return {};
    }
    bool isEmpty() const override { return false; }

private:
    QByteArray context_;
};

} // namespace

class TestLearnExport : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabLearnExportTest");
        QSettings().clear();
    }

    void aStepBecomesAPicture_data() {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF-");
    }

    void aStepBecomesAPicture() {
        QFETCH(QString, suffix);
        QFETCH(QByteArray, begin);
        ExportDialog dialog(step());
        dialog.choose("picture", suffix);
        QSignalSpy exported(&dialog, &ExportDialog::exported);
        const QString path = folder_.filePath("step." + suffix);
        QVERIFY2(dialog.exportTo(path), qPrintable(dialog.errorText()));
        QCOMPARE(exported.size(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray data = file.readAll();
        QVERIFY(data.startsWith(begin));
        if (suffix == "svg")
            QVERIFY2(data.contains("variance"), data.constData());
    }

    void wordsTakeRoomFromTheBoard() {
        const QString with = folder_.filePath("with.png"), without = folder_.filePath("without.png");
        ExportDialog dialog(step());
        QVERIFY(dialog.exportTo(with));
        dialog.findChild<QCheckBox*>("text")->setChecked(false);
        QVERIFY(dialog.exportTo(without));
        QVERIFY(bluePixels(QImage(with)) > 0);
        QVERIFY(bluePixels(QImage(with)) < bluePixels(QImage(without)));
    }

    void whatCannotBeWrittenIsSaid() {
        ExportDialog dialog(step());
        QVERIFY(!dialog.exportTo(folder_.filePath("no/such/step.png")));
        QVERIFY2(dialog.errorText().contains("step.png"), qPrintable(dialog.errorText()));
    }

    void aHandoutIsWhole() {
        const QString folder = writeLesson(folder_.path());
        ExportDialog dialog(handoutExport(readLesson(folder, folder), "01-widths"));
        QSignalSpy exported(&dialog, &ExportDialog::exported);
        dialog.findChild<QComboBox*>("paper")->setCurrentIndex(1);
        QCOMPARE(dialog.proposedName(), "01-widths");
        const QString for_students = dialog.description();
        dialog.findChild<QComboBox*>("content")->setCurrentIndex(1);
        QCOMPARE(dialog.proposedName(), "01-widths-solutions");
        QVERIFY(!for_students.isEmpty() && dialog.description() != for_students);
        const QString path = folder_.filePath("handout.pdf");
        QVERIFY2(dialog.exportTo(path), qPrintable(dialog.errorText()));
        QCOMPARE(exported.size(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray data = file.readAll();
        QVERIFY(data.startsWith("%PDF-") && data.contains("%%EOF"));
        QVERIFY2(data.contains("/MediaBox [0 0 612"), "Letter");
    }

    /// Neither what is right nor what a covered board shows is in the content for students.
    void studentsGetNoAnswers() {
        const QString folder = writeLesson(folder_.path());
        const auto lesson = readLesson(folder, folder);
        const auto questions = makeHandout(lesson, HandoutKind::Questions);
        const auto solutions = makeHandout(lesson, HandoutKind::Solutions);
        QCOMPARE(questions.steps.size(), std::size_t{3});
        const auto& asked = questions.steps[1];
        const auto& solved = solutions.steps[1];
        QVERIFY(!asked.question.text.isEmpty() && asked.question.answer.isEmpty());
        QVERIFY(asked.picture && questions.steps[0].picture && solved.picture);
        const auto hidden = [](const HandoutStep& step) {
            std::vector<bool> cards;
            for (const auto& card : dynamic_cast<const BoardPicture&>(*step.picture).cards)
                cards.push_back(card.content.matrix->isHidden(0, 0) && std::isnan(card.content.matrix->view()(0, 0)));
            return cards;
        };
        QCOMPARE(hidden(asked), std::vector<bool>(2, true));
        QCOMPARE(hidden(solved), std::vector<bool>(2, false));
        QCOMPARE(asked.question.options.size(), solved.question.options.size());
        for (const auto& option : asked.question.options)
            QVERIFY(!option.right && option.measured.isEmpty());
        QVERIFY(solved.question.options[1].right && !solved.question.options[1].measured.isEmpty());
        QVERIFY(solved.question.answer.contains("Entropy"));
        QCOMPARE(hidden(questions.steps[2]), std::vector<bool>(2, false)); // it masks
    }

    /// A later picture of the same numbers does not answer the question.
    void sheetsCoverWhatWasAsked() {
        const QString folder = writeLesson(folder_.path());
        replaceIn(folder + "/scene.json", R"({"id": "a", "masks": ["causal"]})", R"({"id": "a", "scale": "none"})");
        const auto lesson = readLesson(folder, folder);
        const auto is_hidden = [](const HandoutStep& step, std::size_t card) {
            return dynamic_cast<const BoardPicture&>(*step.picture).cards.at(card).content.matrix->isHidden(0, 0);
        };
        const auto questions = makeHandout(lesson, HandoutKind::Questions);
        QVERIFY(is_hidden(questions.steps[2], 0) && !is_hidden(questions.steps[2], 1));
        const auto solutions = makeHandout(lesson, HandoutKind::Solutions);
        QVERIFY(!is_hidden(solutions.steps[2], 0) && !is_hidden(solutions.steps[2], 1));
    }

    /// The numbers of a question are there, words for a screen are not, nor is a step that tells answers.
    void sheetsAreForPaper() {
        const QString folder = writeLesson(folder_.path());
        replaceIn(folder + "/en.md", "Which of the two has", "At d = {{E | 0}}, which has");
        replaceIn(folder + "/en.md", "Look at both.", "Look at both. {{screen: Draw again.}}");
        replaceIn(folder + "/scene.json", R"("id": "mask",)", R"("id": "mask", "sheet": false,)");
        const auto lesson = readLesson(folder, folder);
        const auto questions = makeHandout(lesson, HandoutKind::Questions);
        QVERIFY2(questions.steps[1].question.text.startsWith("At d = 64, which"),
                 qPrintable(questions.steps[1].question.text));
        QCOMPARE(questions.steps[1].text.trimmed(), "Look at both.");
        QVERIFY(questions.steps[2].left_out && questions.steps[2].number == 3 && questions.steps[2].text.isEmpty());
        const auto solutions = makeHandout(lesson, HandoutKind::Solutions);
        QVERIFY(!solutions.steps[2].left_out && !solutions.steps[2].text.isEmpty());
        QCOMPARE(lesson->text(1, lesson->scene(1), nullptr), "Look at both. Draw again.");
    }

    /// Where every card is covered, students see the inputs too, if they are small and the same for all cards.
    void studentsSeeSmallInputs() {
        const auto cards = [](const QString& folder) {
            const auto handout = makeHandout(readLesson(folder, folder), HandoutKind::Questions);
            QStringList ids;
            if (const auto* board = dynamic_cast<const BoardPicture*>(handout.steps[1].picture.get()))
                for (const auto& card : board->cards)
                    ids << card.content.id;
            return ids;
        };
        const QString folder = writeLesson(folder_.path());
        const QStringList covered = {"none", "sqrt_dk"};
        QCOMPARE(cards(folder), covered); // 64 numbers in each row
        replaceIn(folder + "/scene.json", R"("E": 64)", R"("E": 4)");
        QCOMPARE(cards(folder), QStringList({"query", "key", "value"}) + covered);
        replaceIn(folder + "/scene.json", R"("settings": "same",)",
                  R"("settings": [{"id": "none", "scale": "none"},
                                  {"id": "sqrt_dk", "scale": "sqrt_dk", "tensors": {"value": [[1], [2], [3], [4], [5], [6]]}}],)");
        QCOMPARE(cards(folder), covered);
    }

    /// An answer about another draw, or another view, comes with its picture.
    void solutionsShowWhatTheAnswerIsAbout() {
        const QString folder = writeLesson(folder_.path());
        replaceIn(folder + "/scene.json", R"("question": {)", R"("question": {"about": {"E": 256}, )");
        const auto lesson = readLesson(folder, folder);
        const auto handout = makeHandout(lesson, HandoutKind::Solutions);
        const auto caption = [](const std::shared_ptr<const Drawing>& picture) {
            const auto* board = dynamic_cast<const BoardPicture*>(picture.get());
            return board ? board->caption : QString();
        };
        QVERIFY(caption(handout.steps[1].picture).contains("64"));
        QVERIFY2(caption(handout.steps[1].revealed).contains("256"), qPrintable(caption(handout.steps[1].revealed)));
        QVERIFY(!handout.steps[0].revealed && !handout.steps[2].revealed);
        QVERIFY(!makeHandout(lesson, HandoutKind::Questions).steps[1].revealed);
    }

    void aHandoutIsPreviewedFromItsBytes() {
        const QString folder = writeLesson(folder_.path());
        ExportDialog dialog(handoutExport(readLesson(folder, folder), "01-widths"));
        dialog.open();
        QVERIFY(dialog.previewPicture().isNull());
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.previewPicture().isNull(), 30000);
        const QImage questions = dialog.previewPicture().toImage();
        dialog.findChild<QComboBox*>("content")->setCurrentIndex(1);
        QVERIFY(dialog.previewPicture().isNull()); // no longer the questions
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.previewPicture().isNull(), 30000);
        const QImage solutions = dialog.previewPicture().toImage();
        QVERIFY(solutions != questions);
        const QString path = folder_.filePath("previewed.pdf");
        QVERIFY2(dialog.exportTo(path), qPrintable(dialog.errorText()));
        QPdfDocument document;
        QCOMPARE(document.load(path), QPdfDocument::Error::None);
        QImage page(solutions.size(), QImage::Format_RGB32);
        page.fill(Qt::white);
        QPainter(&page).drawImage(0, 0, document.render(0, solutions.size()));
        QCOMPARE(solutions.convertToFormat(page.format()), page);
    }

    /// An exception in the window's thread reaches the worker, which would wait for the handout forever.
    void failuresInTheWindowEndTheHandout_data() {
        QTest::addColumn<QByteArray>("context");
        QTest::newRow("as its board is made") << QByteArray("BoardCover");
        QTest::newRow("as a step begins") << QByteArray("Card");
    }

    void failuresInTheWindowEndTheHandout() {
        QFETCH(QByteArray, context);
        const QString folder = writeLesson(folder_.path());
        const auto subject = handoutExport(readLesson(folder, folder), "01-widths");
        ThrowingTranslator translator(context);
        QCoreApplication::installTranslator(&translator);
        const auto back = qScopeGuard([&] { QCoreApplication::removeTranslator(&translator); });
        translator.armed = true;
        std::atomic<bool> gives_up = false;
        RunControl control;
        control.cancelled = [&] { return gives_up.load(); };
        auto failed = QtConcurrent::run([&] {
            try {
                subject.outputs.front().write(folder_.filePath("failed.pdf"), {}, control);
            } catch (const std::bad_alloc&) {
                return true;
            } catch (...) {
            }
            return false;
        });
        QElapsedTimer timer;
        timer.start();
        while (!failed.isFinished()) {
            gives_up = timer.elapsed() > 10'000;
            QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        }
        translator.armed = false;
        QVERIFY(failed.result());
        QVERIFY(timer.elapsed() < 10'000);
    }

    void cancellingLeavesNoFile() {
        const QString folder = writeLesson(folder_.path());
        const auto subject = handoutExport(readLesson(folder, folder), "01-widths");
        const QString path = folder_.filePath("cancelled.pdf");
        RunControl control;
        control.cancelled = [] { return true; };
        auto cancelled = QtConcurrent::run([&] {
            try {
                subject.outputs.front().write(path, {}, control);
            } catch (const Cancelled&) {
                return true;
            }
            return false;
        });
        QTRY_VERIFY_WITH_TIMEOUT(cancelled.isFinished(), 30000);
        QVERIFY(cancelled.result());
        QVERIFY(!QFile::exists(path));
    }

    void aHandoutThatCannotBeWrittenIsSaid() {
        const QString folder = writeLesson(folder_.path());
        ExportDialog dialog(handoutExport(readLesson(folder, folder), "01-widths"));
        QVERIFY(!dialog.exportTo(folder_.filePath("no/such/handout.pdf")));
        QVERIFY2(dialog.errorText().contains("handout.pdf"), qPrintable(dialog.errorText()));
    }

    void progressKeepsLessonsApart() {
        const LessonProgress one{"growth", {"growth", "predict"}, {{"predict", "sqrt_dk"}}};
        const LessonProgress other{"a", {"a"}, {}};
        setLessonProgress("02-why", one);
        setLessonProgress("/home/me/my lessons/02-why", other);
        QVERIFY(lessonProgress("02-why") == one);
        QVERIFY(lessonProgress("/home/me/my lessons/02-why") == other);
        QVERIFY(lessonProgress("03-more") == LessonProgress());
        QVERIFY(hasProgress());
        forgetProgress();
        QVERIFY(lessonProgress("02-why") == LessonProgress());
        QVERIFY(!hasProgress());
    }

    void aPictureSaysWhatItsBoardSays() {
        const StepPicture picture(std::make_shared<Square>(), QStringLiteral("Words."));
        const QRectF area(0, 0, 400, 300);
        QCOMPARE(picture.textAt({10, 10}, area, QFont()), QString("board"));
        QCOMPARE(picture.textAt({10, 299}, area, QFont()), QString());
    }
};

ATTNLAB_TEST(TestLearnExport)
#include "test_learn_export.moc"
