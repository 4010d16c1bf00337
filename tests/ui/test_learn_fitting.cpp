// In a presentation every step of every lesson fits the screen: nothing scrolls, nothing is cut.
#include "tests/test_main.h"
#include "ui/learn/cards/cards_area.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/learn_page.h"
#include "ui/learn/presentation.h"
#include "ui/learn/question_view.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestLearnFitting : public QObject {
    Q_OBJECT

    std::unique_ptr<LearnPage> page_;

    LessonPage& lesson() { return *page_->lessonPage(); }
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(page_->frame()->model().result() && !page_->frame()->model().isComputing(), 30000);
        QCoreApplication::processEvents();
    }

    /// What does not fit; empty if everything does.
    QString whatScrolls() {
        if (lesson().panel()->scrolls())
            return QStringLiteral("the text");
        if (lesson().boardScrolls())
            return QStringLiteral("the board");
        for (const auto* area : page_->frame()->findChildren<QScrollArea*>())
            if (area->isVisible() &&
                (area->verticalScrollBar()->maximum() > 0 || area->horizontalScrollBar()->maximum() > 0))
                return QString::fromLatin1(area->metaObject()->className());
        const auto* cards = page_->frame()->findChild<CardsArea*>();
        for (const auto* card : cards && cards->isVisible() ? cards->cards() : std::vector<CardView*>()) {
            if (!card->parentWidget()->rect().contains(card->geometry()))
                return card->content().title;
            const HeatmapView& heatmap = *card->heatmap();
            if (heatmap.isVisible() &&
                (!card->rect().contains(heatmap.geometry()) || heatmap.height() < 3 * heatmap.fontMetrics().height()))
                return card->content().title + QStringLiteral(", its matrix");
        }
        return {};
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabFittingTest");
    }
    void init() { QSettings().clear(); }
    void cleanup() {
        page_.reset();
        QSettings().clear();
        applyLanguage(QStringLiteral("en"));
    }

    void everyStepFits_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("language");
        const int count = static_cast<int>(LearnPage().lessons().size());
        for (int index = 0; index < count; ++index) {
            for (const QSize size : {QSize(1280, 720), QSize(1600, 900), QSize(1920, 1080)})
                QTest::addRow("%d at %d", index + 1, size.width()) << index << size << QStringLiteral("en");
            QTest::addRow("%d in Chinese", index + 1) << index << QSize(1280, 720) << QStringLiteral("zh_CN");
        }
    }

    void everyStepFits() {
        QFETCH(int, index);
        QFETCH(QSize, size);
        QFETCH(QString, language);
        applyLanguage(language);
        page_ = std::make_unique<LearnPage>();
        page_->setFont(Presentation::presentationFont(size.height(), QApplication::font()));
        page_->resize(size);
        page_->show();
        page_->showLesson(index);
        page_->setPresenting(true);
        QStringList wrong;
        for (int step = 0; step < lesson().lesson()->stepCount(); ++step) {
            lesson().showStep(step);
            settle();
            const auto note = [&](const char* when) {
                if (const QString what = whatScrolls(); !what.isEmpty())
                    wrong << QStringLiteral("%1 (%2): %3")
                                 .arg(lesson().lesson()->stepId(step), QLatin1String(when), what);
            };
            note("covered");
            if (lesson().lesson()->hasQuestion(step)) {
                lesson().panel()->question()->choose(0);
                QTRY_VERIFY_WITH_TIMEOUT(!lesson().panel()->question()->answerText().isEmpty(), 30000);
                settle();
                note("answered");
            }
            if (const QString folder = qEnvironmentVariable("ATTNLAB_STEP_PICTURES"); !folder.isEmpty())
                page_->grab().save(QStringLiteral("%1/%2-%3-%4-%5.png")
                                       .arg(folder)
                                       .arg(index + 1)
                                       .arg(step + 1)
                                       .arg(size.width())
                                       .arg(language));
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }
};

ATTNLAB_TEST(TestLearnFitting)
#include "test_learn_fitting.moc"
