// Figures of what a head does: the wall with the answer without each head, and arcs with the answer behind them.
#include "tests/test_main.h"
#include "tests/ui/model_page_support.h"
#include "ui/drawing/attention_drawings.h"
#include "ui/export/export.h"
#include "ui/export/export_dialog.h"
#include "ui/model/effect_marks.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_panel.h"
#include "ui/model/model_figures.h"
#include "ui/model/model_session.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/weights_view.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"

#include <QAction>
#include <QCheckBox>
#include <QFile>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>
#include <optional>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelFigures : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<ModelWindow> shown_;

    ModelPage& page() { return shown_->page(); }
    ModelSession& session() { return *shown_->window().findChild<ModelSession*>(); }

    /// What the context menu of a part opens; null: nothing.
    ExportDialog* dialogOf(QWidget& part) {
        const auto actions = part.actions();
        const auto found = std::ranges::find(actions, QStringLiteral("Export this picture…"), &QAction::text);
        if (found != actions.end())
            (*found)->trigger();
        return shown_->window().findChild<ExportDialog*>();
    }

    /// What the dialog writes, without the tags of SVG.
    QString written(ExportDialog& dialog, const QString& suffix) {
        dialog.choose({}, suffix);
        const QString path = folder_.filePath(QStringLiteral("figure.") + suffix);
        QFile file(path);
        if (dialog.suffix() != suffix || !dialog.exportTo(path) || !file.open(QIODevice::ReadOnly))
            return {};
        const QByteArray bytes = file.readAll();
        return suffix == QLatin1String("svg") || suffix == QLatin1String("tex") ? QString::fromUtf8(bytes)
                                                                                : QString::fromLatin1(bytes);
    }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabModelFiguresTest"); }
    void init() {
        shown_ = std::make_unique<ModelWindow>();
        QVERIFY(shown_->openSample());
    }
    void cleanup() { shown_.reset(); }

    /// The words of every tile, with their bars, and what they mean.
    void theWallOfChanges() {
        QCOMPARE(page().heads()->tabs()->currentIndex(), static_cast<int>(HeadsPanel::Changes));
        const std::unique_ptr<ExportDialog> dialog(dialogOf(*page().wall()));
        QVERIFY(dialog);
        auto* effects = dialog->findChild<QCheckBox*>(QStringLiteral("effects"));
        QVERIFY(effects && effects->isChecked());
        QCOMPARE(dialog->proposedName(), QStringLiteral("gpt2-heads-changes"));
        const QString svg = written(*dialog, QStringLiteral("svg"));
        for (const HeadIndex place : page().wall()->shown()) {
            const QString words = page().wall()->effectText(place);
            const QString painted =
                words.section(QChar(0x2192), -1).toHtmlEscaped(); // the arrow may be of another font
            const QString told = QStringLiteral("%1.%2: %3").arg(place.pass).arg(place.head).arg(words.toHtmlEscaped());
            QVERIFY2(!words.isEmpty() && svg.contains(QLatin1Char('>') + painted + QLatin1Char('<')) &&
                         svg.contains(told),
                     qPrintable(words));
        }
        const auto& answer = page().effects()->answer();
        QVERIFY(svg.contains(QStringLiteral("With all heads on, the answer is %1: %2.")
                                 .arg(answer->name, probabilityText(answer->probability).toHtmlEscaped())));
        const QString tex = written(*dialog, QStringLiteral("tex"));
        QVERIFY(tex.contains(QStringLiteral("\\rightarrow")) && tex.contains(QStringLiteral("With all heads on")));
        QVERIFY(!written(*dialog, QStringLiteral("png")).isEmpty());
        QVERIFY(written(*dialog, QStringLiteral("pdf")).startsWith(QStringLiteral("%PDF")));
        effects->setChecked(false);
        QCOMPARE(dialog->proposedName(), QStringLiteral("gpt2-heads"));
        const QString without = written(*dialog, QStringLiteral("svg"));
        QVERIFY(without.contains(QStringLiteral(">2.0<")) && !without.contains(QStringLiteral("With all heads on")));
    }

    /// The marks are of all heads on, and the pictures may not be.
    void theNoteNamesHeadsThatAreOff() {
        const auto note = [this] {
            const auto marks = effectMarks(*page().effects(), *session().result());
            return wallFigure(*session().result(), {}, &marks).note;
        };
        QVERIFY(!note().contains(QStringLiteral("The pictures have")));
        page().wall()->choose({2, 0});
        page().offButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(page().canExport() && session().result()->isOff({2, 0}), 10000);
        QVERIFY2(note().endsWith(QStringLiteral("The pictures have layer 2 head 0 off.")), qPrintable(note()));
    }

    /// The answer is one to a text, which the file says; of a long one the end.
    void theNoteHasTheText_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("short") << "the  quick brown"
                               << "Text: “the quick brown”. ";
        QTest::newRow("markup") << "a <b>bold</b> fox & dog"
                                << "Text: “a <b>bold</b> fox & dog”. ";
        const QString words = QStringLiteral("fox ").repeated(45);
        QTest::newRow("long") << "the first " + words << "Text: “… " + words.simplified().right(159) + "”. ";
    }
    void theNoteHasTheText() {
        QFETCH(QString, text);
        QFETCH(QString, said);
        page().text()->setPlainText(text);
        QTRY_VERIFY_WITH_TIMEOUT(page().canExport() && session().result()->text == text &&
                                     page().effects()->state() == HeadEffects::State::Done,
                                 30000);
        const QString note = effectMarks(*page().effects(), *session().result()).note;
        QVERIFY2(note.startsWith(said), qPrintable(note));
    }

    /// A head that is off is crossed out, as on the page.
    void headsThatAreOffAreCrossedOut() {
        page().wall()->choose({2, 0});
        page().offButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(page().canExport() && session().result()->isOff({2, 0}), 10000);
        Figure figure = wallFigure(*session().result(), {});
        std::vector<std::size_t> crossed;
        for (std::size_t i = 0; i < figure.panels.size(); ++i)
            if (figure.panels[i].is_crossed_out)
                crossed.push_back(i);
        QCOMPARE(crossed, std::vector<std::size_t>{8}); // of 3 layers of 4 heads
        FigureOptions options;
        const auto cross = [&](const QByteArray& line) { return texData(figure, options).count(line); };
        const auto lines = cross("\\draw[line width=0.80bp");
        const QImage with = figureImage(figure, options);
        figure.panels[8].is_crossed_out = false;
        QCOMPARE(cross("\\draw[line width=0.80bp"), lines - 1);
        QVERIFY(figureImage(figure, options) != with);
    }

    /// A and B are weights, and their difference alone is one; each has its own words.
    void comparedTextsSayWhatTheyAre() {
        page().texts()->compareButton()->click();
        page().texts()->other()->setPlainText(
            QStringLiteral("When Mary and John went to the store, Mary gave a drink to"));
        QTRY_VERIFY_WITH_TIMEOUT(page().canExport() && session().result()->comparesOtherTexts(), 10000);
        page().head()->show(page().head()->difference());
        QTRY_VERIFY_WITH_TIMEOUT(page().head()->difference()->compared(), 10000);
        shown_->window().actions().export_shown->trigger();
        const std::unique_ptr<ExportDialog> dialog(shown_->window().findChild<ExportDialog*>());
        QVERIFY(dialog);
        const QString svg = written(*dialog, QStringLiteral("svg"));
        const auto times = [&svg](const char* words) {
            return svg.count(QRegularExpression(QStringLiteral(">\\s*%1\\s*<").arg(QString::fromUtf8(words))));
        };
        QCOMPARE(times("difference of weights"), 1);
        QCOMPARE(times("weights"), 2);
        QCOMPARE(svg.count(QChar(0x2192)), 2); // "John → Mary" is a row and a column of the difference
        QVERIFY(times(page().head()->title().toUtf8().constData()) > 0); // not "Layer 0 · head 0 · B − A"
    }

    /// Where the wall shows what heads read, so does its figure.
    void theWallOfReads() {
        page().heads()->tabs()->setCurrentIndex(HeadsPanel::Wall);
        const std::unique_ptr<ExportDialog> dialog(dialogOf(*page().wall()));
        QVERIFY(dialog && !dialog->findChild<QCheckBox*>(QStringLiteral("effects"))->isChecked());
    }

    /// With the head off, the other answer.
    void arcsWithTheAnswer() {
        page().wall()->choose({2, 0});
        for (const bool off : {false, true}) {
            if (off) {
                page().offButton()->click();
                QTRY_VERIFY_WITH_TIMEOUT(page().canExport() && session().result()->isOff({2, 0}), 10000);
            }
            const QString answer = answerText(*page().sentence()->next()->answer());
            QVERIFY2(answer.startsWith(QStringLiteral("Mary")) && answer.endsWith(off ? "56%" : "> 99%"),
                     qPrintable(answer));
            const std::unique_ptr<ExportDialog> dialog(dialogOf(*page().arcs()));
            QVERIFY(dialog);
            QCOMPARE(dialog->proposedName(), QStringLiteral("gpt2-layer2-head0-arcs"));
            auto* with_answer = dialog->findChild<QCheckBox*>(QStringLiteral("answer"));
            QVERIFY(with_answer && with_answer->isChecked());
            const QString chip = QLatin1Char('>') + answer.toHtmlEscaped() + QLatin1Char('<');
            QVERIFY(written(*dialog, QStringLiteral("svg")).contains(chip));
            QVERIFY(written(*dialog, QStringLiteral("pdf")).startsWith(QStringLiteral("%PDF")));
            with_answer->setChecked(false);
            QVERIFY(!written(*dialog, QStringLiteral("svg")).contains(chip));
        }
    }

    /// A long name gives way to the word before it and to the number.
    void aShortenedAnswerKeepsItsEnds() {
        MatrixData matrix;
        matrix.values = Tensor({2, 2}, 0.5);
        const Figure figure(findHeadDrawing(QStringLiteral("arcs"))
                                ->make(matrix, std::nullopt, QStringLiteral("unsure: Constantinopolitanisation 0.8%")));
        FigureOptions options;
        options.size_points = {200, 150};
        const QString path = folder_.filePath(QStringLiteral("shortened.svg"));
        writeFigure(path, figure, options);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString svg = QString::fromUtf8(file.readAll());
        const auto words = QRegularExpression(QStringLiteral(">\\s*(unsure: C[^<]*)")).match(svg).captured(1);
        QVERIFY2(words.contains(QChar(0x2026)) && words.endsWith(QStringLiteral(" 0.8%")), qPrintable(words));
    }

    /// A text of which there is no result is not exported with the numbers of the one before.
    void anOutdatedTextIsRefused() {
        page().text()->setPlainText(QStringLiteral("the cat ").repeated(100));
        QTRY_VERIFY(session().isTooLong());
        QTRY_VERIFY(!session().isRunning());
        QVERIFY(!page().canExport());
        QVERIFY(!dialogOf(*page().wall()));
        page().text()->setPlainText(QStringLiteral("When Mary and John went"));
        QTRY_VERIFY_WITH_TIMEOUT(page().canExport(), 10000);
    }
};

ATTNLAB_TEST(TestModelFigures)
#include "test_model_figures.moc"
