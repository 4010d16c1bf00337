// The page of a model: opening, typing, heads, switching them off, taking one to the workspace.
#include "core/io/file_formats.h"
#include "core/model/one_head.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/model_session.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/text_panel.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <string_view>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelPage : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    static QString modelNamed(const char* name) {
        return QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/") + QLatin1String(name);
    }
    ModelMode& mode() { return *window_->modelMode(); }
    ModelPage& page() { return *mode().page(); }
    ModelSession& session() { return *window_->findChild<ModelSession*>(); }
    void open(const char* name) {
        mode().open(modelNamed(name));
        QTRY_VERIFY_WITH_TIMEOUT(mode().isOn() && page().wall()->chosen(), 30000);
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabModelTest");
    }

    void init() {
        QSettings().clear();
        applyLanguage(QStringLiteral("en"));
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->show();
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        QTRY_VERIFY(!window_->isComputing());
    }

    void cleanup() {
        window_.reset();
        applyLanguage(QStringLiteral("en"));
    }

    void whatIsNotReadIsNamed() {
        open("llama");
        QVERIFY(mode().page()->notes()->isHidden());
        const QTemporaryDir folder;
        for (const auto& file : QDir(modelNamed("llama")).entryInfoList(QDir::Files))
            QVERIFY(QFile::copy(file.filePath(), folder.filePath(file.fileName())));
        QFile config(folder.filePath("config.json"));
        QVERIFY(config.setPermissions(QFile::ReadOwner | QFile::WriteOwner) && config.open(QIODevice::ReadWrite));
        auto text = config.readAll();
        QVERIFY(config.seek(0));
        config.write(text.replace(text.indexOf('{'), 1, "{\"unheard_of\": \"<b>3</b>\","));
        config.close();
        mode().open(folder.path());
        QTRY_VERIFY_WITH_TIMEOUT(mode().page()->notes()->isVisible(), 30000);
        const auto words = mode().page()->notes()->text();
        QVERIFY2(words.contains("'unheard_of' is \"<b>3</b>\""), qPrintable(words));
    }

    /// The mark is that of the numbers on show.
    void bfloat16IsMarked() {
        open("llama");
        QVERIFY(page().bfloat16()->isVisible() && !page().bfloat16()->isChecked());
        QVERIFY(page().precision()->isHidden() && page().notes()->isHidden());
        const auto result = page().headOnShow();
        const auto weights = [](const SelectedHeadPtr& head) { return head->stage()->value.values().back(); };
        const auto title = page().title();
        page().bfloat16()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(page().precision()->isVisible(), 30000);
        QCOMPARE(page().precision()->text(), QStringLiteral("bfloat16"));
        QTRY_VERIFY(page().headOnShow() != result);
        QCOMPARE(page().title(), title + QStringLiteral(" · bfloat16"));
        QVERIFY(page().notes()->isVisible() && page().notes()->text().contains("bfloat16"));
        QVERIFY(weights(page().headOnShow()) != weights(result));
        page().bfloat16()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(page().precision()->isHidden(), 30000);
        QTRY_COMPARE(page().title(), title);
        QCOMPARE(weights(page().headOnShow()), weights(result));
        // Another model begins in float32.
        page().bfloat16()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(page().precision()->isVisible(), 30000);
        open("gpt2");
        QTRY_VERIFY_WITH_TIMEOUT(page().precision()->isHidden() && !page().bfloat16()->isChecked(), 30000);
    }

    void aTextOutlivesAModelOfImages() {
        open("gpt2");
        auto& session = *window_->findChild<ModelSession*>();
        session.setText(QStringLiteral("Alice saw Bob"));
        session.setOther(QStringLiteral("Bob saw Alice"));
        mode().open(modelNamed("vit"));
        QTRY_VERIFY_WITH_TIMEOUT(session.model() && !session.model()->tokenizer(), 30000);
        QVERIFY(!session.request().other);
        open("gpt2");
        QTRY_VERIFY_WITH_TIMEOUT(session.model()->tokenizer() && !session.isRunning(), 30000);
        QCOMPARE(session.request().text, QStringLiteral("Alice saw Bob"));
        QCOMPARE(session.request().other, QStringLiteral("Bob saw Alice"));
        QCOMPARE(page().text()->toPlainText(), QStringLiteral("Alice saw Bob"));
    }

    void everyHeadOfEveryLayer() {
        open("gpt2");
        const auto& shown = page().wall()->shown();
        QCOMPARE(shown.size(), 12u); // as its config.json says: 3 layers of 4 heads
        QVERIFY(page().workspaceButton()->isEnabled());
        QCOMPARE(page().title(), QStringLiteral("Layer 0 · head 0"));
        QTest::keyClick(page().wall()->tile({0, 0}), Qt::Key_Down);
        QTest::keyClick(page().wall()->tile({1, 0}), Qt::Key_Right);
        QCOMPARE(page().title(), QStringLiteral("Layer 1 · head 1"));
        const auto* tile = page().wall()->tile({1, 1});
        QVERIFY(tile->isChecked());
        QTRY_VERIFY(tile->accessibleName().contains(QStringLiteral("entropy: ")));
        QVERIFY(window_->windowTitle().startsWith(QStringLiteral("gpt2")));
    }

    /// Many folders of models are called "model".
    void theTitleSaysTheKindOfModel() {
        const QTemporaryDir folder;
        for (const char* name : {"bart", "t5"}) {
            const QString link = folder.filePath(QLatin1String(name)) + QStringLiteral("-here");
            QVERIFY(QDir().mkdir(link));
            QVERIFY(QFile::link(modelNamed(name), link + QStringLiteral("/model")));
            mode().open(link + QStringLiteral("/model"));
            QTRY_VERIFY_WITH_TIMEOUT(
                window_->windowTitle().startsWith(QStringLiteral("model (%1)").arg(QLatin1String(name))), 30000);
        }
    }

    void everythingFollowsTheText() {
        open("gpt2");
        const auto rows = [this] { return page().heatmap()->source().axes().rows.count; };
        const auto first = rows();
        page().text()->setPlainText(QStringLiteral("one two"));
        QTRY_VERIFY(rows() < first);
        const auto few = rows();
        QCOMPARE(page().arcs()->tokens().count(RibbonTokens::Side::Queries), static_cast<int>(few));
        page().text()->setPlainText(QStringLiteral("one two three four five six"));
        QTRY_VERIFY(rows() > few);
        QCOMPARE(page().arcs()->tokens().count(RibbonTokens::Side::Queries), static_cast<int>(rows()));
        page().text()->clear();
        QTRY_VERIFY(!page().wall()->chosen());
        QVERIFY(!page().workspaceButton()->isEnabled());
    }

    /// The tokens are the text: a word is changed on its chip, and the chips give way to the field of all of it.
    void theTokensAreTheText() {
        open("gpt2");
        auto* sentence = page().sentence();
        auto* field = page().text();
        auto* chips = page().arcs();
        window_->activateWindow();
        const auto count = [chips] { return chips->tokens().count(RibbonTokens::Side::Queries); };
        const int before = count();
        field->setPlainText(QStringLiteral("one two three"));
        QTRY_VERIFY(count() != before);
        QVERIFY(!field->isVisible() && chips->isVisible());
        const QSize room = sentence->size();
        // Several words in the place of the last token, by a double click.
        const int tokens = count();
        const QRectF chip = chips->chipRect(RibbonTokens::Side::Queries, tokens - 1);
        QTest::mouseDClick(chips, Qt::LeftButton, {}, chip.center().toPoint());
        QVERIFY(sentence->wordField() && !sentence->isEditing() && !field->isVisible());
        const QString last = sentence->wordField()->text();
        QVERIFY(!last.isEmpty() && QStringLiteral("three").endsWith(last));
        QCOMPARE(sentence->size(), room); // nothing moves
        QTest::keyClicks(sentence->wordField(), "four five six");
        QCOMPARE(field->toPlainText(), QStringLiteral("one two three")); // until Enter
        QTest::keyClick(sentence->wordField(), Qt::Key_Return);
        QTRY_VERIFY(count() > tokens && !sentence->wordField());
        QVERIFY(chips->isVisible() && chips->hasFocus());
        const QString text = QStringLiteral("one two three").chopped(last.size()) + QStringLiteral("four five six");
        QCOMPARE(field->toPlainText(), text);
        // What is typed at the chips goes to the end; Escape brings the text before back.
        QTest::keyClick(chips, Qt::Key_S);
        QVERIFY(sentence->isEditing() && field->hasFocus());
        QCOMPARE(field->toPlainText(), text + QStringLiteral(" s"));
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(field->toPlainText(), text);
        QVERIFY(!sentence->isEditing());
        QTest::keyClick(chips, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field->toPlainText(), text + QStringLiteral(" s"));
        // A question mark is text here, and the key of a command elsewhere.
        QTest::keyClick(chips, '?');
        QVERIFY(sentence->isEditing());
        QCOMPARE(field->toPlainText(), text + QStringLiteral(" s?"));
        QTest::keyClick(field, Qt::Key_Escape);
        // The button, and leaving the field.
        page().texts()->editButton()->click();
        QVERIFY(sentence->isEditing() && field->hasFocus());
        page().texts()->compareButton()->setFocus();
        QVERIFY(!sentence->isEditing());
        // Without tokens there is nothing but the field.
        field->clear();
        QTRY_VERIFY(!page().wall()->chosen());
        QVERIFY(field->isVisible() && !chips->isVisible());
    }

    /// The tokens of both are below each other; the fields of a model that writes another text are beside each other.
    void twoTextsHaveFieldsOfTheirOwn() {
        open("gpt2");
        auto* texts = page().texts();
        window_->activateWindow();
        QVERIFY(texts->isFieldElsewhere() && !page().second()->isVisible());
        texts->compareButton()->click();
        QVERIFY(page().second()->isVisible() && page().second()->isAncestorOf(texts->other()));
        QTRY_VERIFY(page().second()->wordField() && page().second()->arcs()->isVisible() && page().arcs()->isVisible());
        QVERIFY(!texts->other()->isVisible());
        QTest::keyClick(page().second()->wordField(), Qt::Key_Escape);
        QTRY_COMPARE(page().second()->arcs()->tokens().count(RibbonTokens::Side::Queries),
                     page().arcs()->tokens().count(RibbonTokens::Side::Queries));
        texts->compareButton()->click();
        QVERIFY(!page().second()->isVisible() && page().arcs()->isVisible());
        open("t5");
        QTRY_VERIFY(!texts->isFieldElsewhere() && texts->isAncestorOf(page().text()));
        texts->compareButton()->click();
        QVERIFY(texts->isAncestorOf(texts->other()) && texts->other()->isVisible());
        QCOMPARE(page().text()->height(), texts->other()->height());
        open("gpt2");
        QTRY_VERIFY(texts->isFieldElsewhere() && !texts->isAncestorOf(page().text()));
    }

    void ordersByAFigure() {
        open("gpt2");
        const auto by_layer = page().wall()->shown();
        page().order()->setCurrentIndex(1); // entropy
        const auto by_entropy = page().wall()->shown();
        QCOMPARE(by_entropy.size(), by_layer.size());
        QVERIFY(!std::equal(by_layer.begin(), by_layer.end(), by_entropy.begin()));
        QRect last;
        for (const auto place : by_entropy) {
            const QRect at = page().wall()->tile(place)->geometry();
            QVERIFY(at.isValid() && !at.intersects(last));
            QVERIFY(!page().wall()->tile(place)->text().isEmpty());
            last = at;
        }
    }

    /// The usual score: the mean over the rows whose token was there before.
    void inductionIsOverRepeatedTokens() {
        open("gpt2");
        const auto& figures = headFigures();
        const auto induction = std::ranges::find_if(
            figures, [](const HeadFigure& figure) { return std::string_view(figure.id) == "induction"; });
        QVERIFY(induction != figures.end());
        page().text()->setPlainText(QStringLiteral("the quick brown fox the quick brown fox"));
        QTRY_VERIFY(!session().isOutdated() && !session().isRunning());
        const auto& result = *session().result();
        const auto& ids = result.plain->input.ids;
        const auto& pass = *result.plain->passes.front();
        const auto weights = pass.weights(1);
        double sum = 0.0;
        int rows = 0;
        for (std::int64_t row = 1; row < pass.queries; ++row) {
            double after = 0.0;
            bool was_there = false;
            for (std::int64_t earlier = 0; earlier < row; ++earlier)
                if (ids[static_cast<std::size_t>(earlier)] == ids[static_cast<std::size_t>(row)]) {
                    was_there = true;
                    after += static_cast<double>(weights[static_cast<std::size_t>(row * pass.keys + earlier + 1)]);
                }
            sum += after;
            rows += was_there ? 1 : 0;
        }
        QVERIFY(rows >= 4);
        QVERIFY(std::abs(induction->of(result, {0, 1}).value() - sum / rows) < 1e-6);
    }

    void unknownTokensAreCounted() {
        open("bert");
        page().text()->setPlainText(QStringLiteral("the quick fox"));
        QTRY_VERIFY(!session().isOutdated() && page().texts()->counter().startsWith(QStringLiteral("5 of ")));
        QVERIFY(!page().texts()->counter().contains(QStringLiteral("unknown")));
        page().text()->setPlainText(QString::fromUtf8("the [UNK] 漢 fox 😀")); // one is spelled by the text
        QTRY_VERIFY2(page().texts()->counter().endsWith(QStringLiteral(" · 2 unknown")),
                     qPrintable(page().texts()->counter()));
    }

    /// Letters without a token are counted, and their tokens are called by their bytes.
    void lettersReadAsBytes_data() {
        QTest::addColumn<bool>("sample");
        QTest::addColumn<QString>("counted");
        QTest::addColumn<QString>("problem");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tokens");
        QTest::newRow("sample") << true << QStringLiteral(" · 2 unreadable")
                                << QStringLiteral(
                                       "“é 漢” is unknown: the sample model reads small letters, common words "
                                       "and first names")
                                << QStringLiteral("the café 漢") << QStringLiteral("0xC3 0xA9 ␣ 0xE6 0xBC 0xA2");
        QTest::newRow("another model") << false << QStringLiteral(" · 2 letters read as bytes") << QString()
                                       << QStringLiteral("the 漢漢") << QStringLiteral("0xE6");
    }
    void lettersReadAsBytes() {
        QFETCH(bool, sample);
        QFETCH(QString, counted);
        QFETCH(QString, problem);
        QFETCH(QString, text);
        QFETCH(QString, tokens);
        if (sample)
            window_->actions().sample_model->trigger();
        else
            open("gpt2");
        QTRY_VERIFY_WITH_TIMEOUT(page().wall()->chosen(), 30000);
        page().text()->setPlainText(text);
        QTRY_VERIFY2(page().texts()->counter().contains(counted), qPrintable(page().texts()->counter()));
        QCOMPARE(page().texts()->problem(), problem);
        QTRY_VERIFY(!session().isOutdated());
        const auto& chips = page().arcs()->tokens();
        QStringList shown;
        for (int token = 0; token < chips.count(RibbonTokens::Side::Queries); ++token)
            shown << chips.shown(RibbonTokens::Side::Queries, token);
        QVERIFY2(shown.join(QLatin1Char(' ')).contains(tokens), qPrintable(shown.join(QLatin1Char(' '))));
        page().text()->setPlainText(QStringLiteral("the cat"));
        QTRY_VERIFY(!page().texts()->counter().contains(counted) && page().texts()->problem().isEmpty());
    }

    void aHeadIsSwitchedOff() {
        open("gpt2");
        const QString before = page().outcomes()->accessibleName();
        QVERIFY(!before.isEmpty());
        page().offButton()->click();
        QTRY_VERIFY(page().outcomes()->accessibleName() != before);
        QVERIFY(page().outcomes()->accessibleName().contains(QStringLiteral("with all heads")));
        QTRY_VERIFY(page().wall()->tile({0, 0})->accessibleName().contains(QStringLiteral("switched off")));
        page().offButton()->click();
        QTRY_COMPARE(page().outcomes()->accessibleName(), before);
    }

    void aHeadInTheWorkspace_data() {
        QTest::addColumn<QString>("model");
        for (const char* name : {"gpt2", "bert", "mistral", "gemma2", "gpt_oss", "t5", "llama", "qwen3"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    /// Unedited it has the model's weights.
    void aHeadInTheWorkspace() {
        QFETCH(QString, model);
        open(model.toLatin1().constData());
        const auto expected = page().heatmap()->matrix();
        const auto weights = expected.view();
        page().workspaceButton()->click();
        QVERIFY(!mode().isOn());
        QTRY_VERIFY(!window_->isComputing() && window_->computed());
        const Stage* stage = window_->computed()->trace.find("weights");
        QVERIFY(stage);
        QCOMPARE(stage->value.dim(-2), weights.rows);
        QVERIFY(stage->value.dim(-1) >= weights.columns); // one more for a sink
        for (std::int64_t row = 0; row < weights.rows; ++row)
            for (std::int64_t column = 0; column < weights.columns; ++column)
                QVERIFY2(std::abs(stage->value.at({0, 0, row, column}) - weights(row, column)) < 2e-6,
                         qPrintable(QStringLiteral("%1, %2").arg(row).arg(column)));
    }

    void theWorkspaceIsUnchanged() {
        const auto problem = window_->document().problem();
        const QString title = window_->windowTitle();
        open("gpt2");
        QVERIFY(!window_->actions().undo->isEnabled());
        mode().leave();
        QCOMPARE(window_->windowTitle(), title);
        QVERIFY(window_->document().problem() == problem);
        window_->actions().go_model->trigger();
        QVERIFY(mode().isOn()); // it is still open
        window_->learnMode()->showList();
        QVERIFY(!mode().isOn());
        QVERIFY(window_->learnMode()->isOn());
        window_->actions().go_model->trigger();
        QVERIFY(!window_->learnMode()->isOn());
    }

    void anotherLanguage() {
        open("gpt2");
        const auto count = page().wall()->shown().size();
        const auto title = window_->windowTitle();
        QVERIFY(!window_->actions().compare_file->isEnabled());
        applyLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(mode().isOn());
        QCOMPARE(page().wall()->shown().size(), count);
        QTest::qWait(50); // titles of documents come late
        QCOMPARE(window_->windowTitle(), title);
        QVERIFY(!page().title().contains(QStringLiteral("head")));
    }

    void withoutAModelTheSampleModelOpens() {
        window_->actions().go_model->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(mode().isOn() && page().wall()->chosen(), 30000);
        const auto sentence = page().text()->toPlainText();
        QVERIFY(sentence.startsWith(QStringLiteral("When Mary and John")));
        QCOMPARE(page().arcs()->tokens().count(RibbonTokens::Side::Queries), 15); // a start, 13 words, a comma
        QVERIFY(page().outcomes()->accessibleName().contains(QStringLiteral("Mary")));
        QVERIFY(window_->windowTitle().startsWith(QStringLiteral("sample")));
        page().text()->setPlainText(QStringLiteral("I like the cat"));
        mode().leave();
        window_->actions().go_model->trigger(); // what was typed is still there
        QCOMPARE(page().text()->toPlainText(), QStringLiteral("I like the cat"));
        window_->actions().sample_model->trigger();
        QTRY_COMPARE(page().text()->toPlainText(), sentence);
    }

    void whatIsNoModel() {
        QTemporaryDir folder;
        QFile config(folder.filePath(QStringLiteral("config.json")));
        QVERIFY(config.open(QFile::WriteOnly));
        config.write(R"({"model_type": "unheard_of"})");
        config.close();
        QVERIFY(QFile::copy(modelNamed("gpt2") + QStringLiteral("/model.safetensors"),
                            folder.filePath(QStringLiteral("model.safetensors"))));
        mode().open(folder.path());
        QTRY_VERIFY(window_->messageBar()->isVisible());
        QVERIFY(!mode().isOn());
        QVERIFY(window_->messageBar()->text().contains(QStringLiteral("unheard_of")));
    }
};

ATTNLAB_TEST(TestModelPage)
#include "test_model_page.moc"
