// The model writes on: a token that is taken, several, and what each was written by.
#include "core/model/generation.h"
#include "core/model/pass_figures.h"
#include "tests/test_main.h"
#include "tests/ui/model_page_support.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_session.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/text_panel.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/actions.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelWriting : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelWindow> shown_;

    ModelPage& page() { return shown_->page(); }
    ModelSession& session() { return *shown_->window().findChild<ModelSession*>(); }
    PredictionsPanel& guesses() { return *page().guesses(); }
    QSlider& slider() { return *page().sentence()->writtenSlider(); }
    int tokens() { return page().arcs()->tokens().count(RibbonTokens::Side::Queries); }
    const std::vector<std::int64_t>& ids() { return session().result()->plain->input.ids; }
    bool isReady() { return !session().isRunning() && !session().isOutdated() && session().result(); }

    void openSample() {
        shown_->window().actions().sample_model->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->mode().isOn() && isReady() && page().wall()->chosen(), 30000);
    }
    void goOn(int count) {
        guesses().writeCount()->setValue(count);
        guesses().writeButton()->click();
    }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabModelWritingTest"); }
    void init() { shown_ = std::make_unique<ModelWindow>(); }
    void cleanup() { shown_.reset(); }

    void aNextTokenIsTaken() {
        openSample();
        const auto before = ids();
        const QString text = page().text()->toPlainText();
        QTest::mouseClick(page().sentence()->next(), Qt::LeftButton); // Mary
        QTRY_VERIFY(isReady() && ids().size() == before.size() + 1);
        QCOMPARE(page().text()->toPlainText(), text + QStringLiteral(" Mary"));
        QCOMPARE(session().request().text, text + QStringLiteral(" Mary"));
        auto expected = before;
        expected.push_back(ids().back());
        QVERIFY(ids() == expected);
        QTRY_COMPARE(tokens(), static_cast<int>(expected.size()));
        // Any other one, by its bar.
        auto* bars = page().outcomes();
        bars->setFocus(Qt::TabFocusReason);
        QTest::keyClick(bars, Qt::Key_Down);
        const auto second = session().result()->guesses.front().now[1].id;
        QTest::keyClick(bars, Qt::Key_Return);
        QTRY_VERIFY(isReady() && ids().size() == before.size() + 2);
        QCOMPARE(ids().back(), second);
        QVERIFY(!guesses().pair() && slider().isVisible());
        shown_->window().actions().undo->trigger(); // one token of the two
        QTRY_VERIFY(isReady() && ids() == expected);
        QVERIFY(slider().isVisible());
        shown_->window().actions().undo->trigger();
        QTRY_VERIFY(isReady() && ids() == before);
        QVERIFY(!session().request().written && !slider().isVisible());
    }

    /// The slider of what was written has the place of the hint, and the chip says what a click does.
    void whatIsWrittenMovesNoPanel() {
        openSample();
        QTRY_VERIFY(page().sentence()->next()->answer());
        const auto places = [this] {
            return std::pair(page().head()->mapTo(&page(), QPoint()), page().heads()->mapTo(&page(), QPoint()));
        };
        const auto before = places();
        QTest::mouseClick(page().sentence()->next(), Qt::LeftButton);
        QTRY_VERIFY(isReady() && slider().isVisible());
        QCoreApplication::processEvents();
        QCOMPARE(places(), before);
        QVERIFY(!page().texts()->hint()->isVisible());
        shown_->window().actions().undo->trigger();
        QTRY_VERIFY(isReady() && !slider().isVisible());
        QVERIFY(page().texts()->hint()->isVisible());
        QVERIFY(page().sentence()->next()->toolTip().contains(QStringLiteral("Click to add it to the text")));
    }

    void theModelGoesOn() {
        openSample();
        const auto before = ids();
        goOn(5);
        QTRY_VERIFY(isReady() && ids().size() == before.size() + 5);
        const auto written = model::write_on(*session().model(), {.ids = before}, {.count = 5});
        QVERIFY(ids() == written.input.ids);
        QVERIFY2(page().text()->toPlainText().endsWith(QStringLiteral("drink to Mary. Mary gave a")),
                 qPrintable(page().text()->toPlainText()));
        // What each read when it was written: its row in the run of the text before it.
        page().wall()->choose({1, 1});
        QVERIFY(slider().isVisible());
        QCOMPARE(slider().minimum(), 0);
        QCOMPARE(slider().maximum(), 5);
        QCOMPARE(slider().value(), 5); // the next one
        QVERIFY(page().sentence()->writtenWords().startsWith(QStringLiteral("To say “")));
        for (int value = 0; value < 5; ++value) {
            slider().setValue(value);
            const auto row = static_cast<std::int64_t>(before.size()) + value - 1;
            QCOMPARE(page().sentence()->query().value(), static_cast<int>(row));
            QVERIFY2(
                page().sentence()->writtenWords().contains(QStringLiteral("token %1 of the 5 written").arg(value + 1)),
                qPrintable(page().sentence()->writtenWords()));
            const auto then = session().model()->run({.ids = {ids().begin(), ids().begin() + row + 1}});
            const auto weights = then.find("decoder.1.self")->weights(1);
            for (const auto& entry : page().sentence()->reading().keys)
                QVERIFY(std::abs(entry.weight -
                                 static_cast<double>(weights[static_cast<std::size_t>(row * (row + 1) + entry.key)])) <
                        1e-5);
        }
        QVERIFY(page().sentence()->writtenWords().startsWith(QStringLiteral("To write “a”")));
        page().sentence()->setQuery(static_cast<int>(before.size()) - 1);
        QCOMPARE(slider().value(), 0);
        shown_->type("When Mary and John");
        QTRY_VERIFY(isReady() && ids().size() < before.size());
        QVERIFY(!slider().isVisible());
    }

    void byChanceWithASeed() {
        openSample();
        QVERIFY(!guesses().seed()->isVisible() && !guesses().temperature()->isVisible());
        guesses().writeHow()->setCurrentIndex(1);
        QVERIFY(guesses().seed()->isVisible() && guesses().temperature()->isVisible());
        const auto before = ids();
        guesses().seed()->setValue(3);
        guesses().temperature()->setValue(1.5);
        goOn(4);
        QTRY_VERIFY(isReady() && ids().size() == before.size() + 4);
        const auto written =
            model::write_on(*session().model(), {.ids = before}, {.count = 4, .temperature = 1.5, .seed = 3});
        QVERIFY(ids() == written.input.ids);
    }

    /// What is written until then stays.
    void writingIsCancelled() {
        QVERIFY(shown_->open("llama"));
        QTRY_VERIFY(isReady());
        const auto before = ids();
        const auto stop = connect(&session(), &ModelSession::textGrows, this, [&] { session().cancel(); });
        goOn(900);
        QTRY_VERIFY_WITH_TIMEOUT(isReady() && ids().size() > before.size(), 60000);
        disconnect(stop);
        QVERIFY(ids().size() <= before.size() + 900);
        QVERIFY(std::equal(before.begin(), before.end(), ids().begin()));
        QVERIFY(session().request().written->ids == ids());
    }

    void stopsAtTheMostThatTheModelReads() {
        QVERIFY(shown_->open("gpt2"));
        shown_->type("the quick brown fox");
        QTRY_VERIFY(isReady());
        QSignalSpy stopped(&session(), &ModelSession::writingStopped);
        goOn(900);
        QTRY_VERIFY_WITH_TIMEOUT(isReady() && ids().size() == 96, 30000);
        QCOMPARE(stopped.size(), 1);
        const QString why = QStringLiteral("The model reads no more than these 96 tokens");
        QCOMPARE(stopped.front().front().toString(), why);
        QTest::qWait(50);
        QCOMPARE(shown_->window().messageBar()->text(), why); // which stays when the result is there
        QVERIFY(shown_->window().messageBar()->isVisible());
        QSignalSpy failed(&session(), &ModelSession::failed);
        goOn(1);
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(ids().size() == 96);
    }

    void aTranslationIsWritten() {
        QVERIFY(shown_->open("t5"));
        QTRY_VERIFY(isReady());
        const auto source = ids();
        goOn(3);
        QTRY_VERIFY(isReady() && session().result()->plain->input.decoder_ids.size() == 4);
        QVERIFY(ids() == source);
        QCOMPARE(page().texts()->target()->text(), session().request().target);
        QVERIFY(!session().request().target.isEmpty());
        // Cross-attention outlines the key that each token reads most.
        const auto cross = session().result()->plain->find("decoder.1.cross");
        const auto best = model::best_keys(*cross, 1);
        for (int pass = 0; pass < static_cast<int>(session().result()->passes.size()); ++pass)
            if (session().result()->passes[static_cast<std::size_t>(pass)].name == cross->name)
                page().wall()->choose({pass, 1});
        const auto& outlined = page().heatmap()->highlighted();
        QCOMPARE(outlined.size(), best.size());
        for (std::size_t row = 0; row < best.size(); ++row)
            QCOMPARE(outlined[row], (Cell{static_cast<int>(row), static_cast<int>(best[row].key)}));
        const auto& passes = session().result()->passes;
        for (int pass = 0; pass < static_cast<int>(passes.size()); ++pass) {
            page().wall()->choose({pass, 0});
            QCOMPARE(slider().isVisible(), passes[static_cast<std::size_t>(pass)].name.starts_with("decoder"));
        }
    }

    void encodersDoNotWrite() {
        QVERIFY(shown_->open("bert"));
        shown_->type("the [MASK] fox");
        QTRY_VERIFY(isReady() && page().outcomes());
        QVERIFY(!guesses().writeButton()->isVisible());
    }
};

ATTNLAB_TEST(TestModelWriting)
#include "test_model_writing.moc"
