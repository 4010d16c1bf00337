// Which heads matter: the wall of effects, the answer behind the text, pinned outcomes, and texts that are too long.
#include "core/io/safetensors.h"
#include "core/model/effects.h"
#include "core/model/hidden_words.h"
#include "core/model/model_results.h"
#include "tests/test_main.h"
#include "tests/ui/model_page_support.h"
#include "ui/document/document.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/model/answers_view.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_panel.h"
#include "ui/model/model_session.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/try_this.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/state_box.h"
#include "ui/window/actions.h"
#include "ui/window/work_area.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QFontInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QScopeGuard>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QUndoStack>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

using State = HeadEffects::State;

/// A model of tests/data/models with more heads than are tried by themselves: the layers of gpt2, repeated.
QString deepModel(const QTemporaryDir& folder) {
    constexpr int layers = 20, heads = 32, layers_of_gpt2 = 3;
    const QString from = ModelWindow::folderOf("gpt2");
    const auto tensors = io::read_safetensors((from + QStringLiteral("/model.safetensors")).toStdString());
    TensorMap deep;
    for (const auto& [name, tensor] : tensors) {
        const std::string prefix = "transformer.h.";
        if (!name.starts_with(prefix)) {
            deep[name] = tensor;
            continue;
        }
        const auto dot = name.find('.', prefix.size());
        for (int layer = std::stoi(name.substr(prefix.size())); layer < layers; layer += layers_of_gpt2)
            deep[prefix + std::to_string(layer) + name.substr(dot)] = tensor;
    }
    io::write_safetensors(folder.filePath(QStringLiteral("model.safetensors")).toStdString(), deep);
    for (const char* file : {"tokenizer.json", "tokenizer_config.json"})
        QFile::copy(from + QLatin1Char('/') + QLatin1String(file), folder.filePath(QLatin1String(file)));
    QFile source(from + QStringLiteral("/config.json")), config(folder.filePath(QStringLiteral("config.json")));
    if (!source.open(QIODevice::ReadOnly) || !config.open(QIODevice::WriteOnly))
        return {};
    auto settings = QJsonDocument::fromJson(source.readAll()).object();
    settings[QStringLiteral("n_layer")] = layers;
    settings[QStringLiteral("n_head")] = heads;
    config.write(QJsonDocument(settings).toJson());
    return folder.path();
}

QString wordsOf(int count) { return QStringList(count, QStringLiteral("the")).join(QLatin1Char(' ')); }

} // namespace

class TestHeadEffects : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelWindow> shown_;

    ModelPage& page() { return shown_->page(); }
    HeadEffects& effects() { return *page().effects(); }
    HeadsWall& wall() { return *page().wall(); }
    ModelSession& session() { return *shown_->window().findChild<ModelSession*>(); }
    int query() { return page().sentence()->query().value_or(-1); }
    int tokens() { return page().arcs()->tokens().count(RibbonTokens::Side::Queries); }

    void choose(QComboBox& choice, const QString& text) {
        const int index = choice.findText(text);
        QVERIFY2(index >= 0, qPrintable(text));
        choice.setCurrentIndex(index);
        emit choice.activated(index);
    }

    /// The sample model with its text.
    void openSample() {
        shown_->window().actions().sample_model->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->mode().isOn() && wall().chosen() && effects().state() == State::Done, 30000);
    }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabHeadEffectsTest"); }
    void init() { shown_ = std::make_unique<ModelWindow>(); }
    void cleanup() { shown_.reset(); }

    void theWallSaysWhichHeadsMatter() {
        openSample();
        QCOMPARE(page().heads()->tabs()->currentIndex(), static_cast<int>(HeadsPanel::Changes));
        QCOMPARE(page().heads()->title(), QStringLiteral("Which heads matter?"));
        QCOMPARE(effects().found(), 12);
        QCOMPARE(effects().matter(), 3);
        QVERIFY2(page().heads()->note().startsWith(QStringLiteral("3 of 12 heads matter")),
                 qPrintable(page().heads()->note()));
        for (const auto place : wall().shown()) {
            const QString text = wall().effectText(place);
            const bool flips = place == HeadIndex{0, 0} || place == HeadIndex{1, 1};
            const QString expected = flips                      ? QStringLiteral("→ John 9")
                                     : place == HeadIndex{2, 0} ? QStringLiteral("Mary 5")
                                                                : QStringLiteral("nothing");
            QVERIFY2(text.startsWith(expected), qPrintable(text));
            QCOMPARE(wall().tile(place)->text(), text); // there is room for words
        }
        QTRY_VERIFY(wall().tile({1, 1})->accessibleName().contains(QStringLiteral("alone off, the answer is John")));
        QCOMPARE(page().heads()->legend(),
                 QStringLiteral("2.0 writes “Mary” itself; 0.0, 1.1 through later heads (hollow)"));
        wall().choose({1, 1});
        QVERIFY2(page().head()->effect().startsWith(QStringLiteral("This head alone off: the answer is “John”, 9")),
                 qPrintable(page().head()->effect()));
        page().heads()->tabs()->setCurrentIndex(HeadsPanel::Wall);
        QVERIFY(wall().tile({1, 1})->text().isEmpty());
        page().heads()->tabs()->setCurrentIndex(HeadsPanel::Changes);
        page().order()->setCurrentIndex(page().order()->count() - 1);
        QVERIFY(wall().shown()[0] == (HeadIndex{0, 0}) && wall().shown()[1] == (HeadIndex{1, 1}));
        QCOMPARE(wall().shown()[2], (HeadIndex{2, 0}));
    }

    void wordsOfTheWallStay_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<double>("letters"); // their size
        QTest::newRow("Chinese") << QStringLiteral("zh_CN") << 1.0;
        QTest::newRow("125%") << QStringLiteral("en") << 1.25;
        QTest::newRow("Chinese, 125%") << QStringLiteral("zh_CN") << 1.25;
        QTest::newRow("150%") << QStringLiteral("en") << 1.5;
    }
    /// What the answer becomes is the last thing to go, and the matrix of the head stays readable.
    void wordsOfTheWallStay() {
        QFETCH(QString, language);
        QFETCH(double, letters);
        const QFont usual = QApplication::font();
        const auto restore = qScopeGuard([&usual] { QApplication::setFont(usual); });
        QFont larger = usual;
        larger.setPointSizeF(letters * QFontInfo(usual).pointSizeF());
        QApplication::setFont(larger);
        applyLanguage(language);
        QCoreApplication::processEvents();
        openSample();
        for (const auto place : {HeadIndex{0, 0}, HeadIndex{1, 1}})
            QTRY_VERIFY2(wall().tile(place)->text().contains(QStringLiteral("John 9")),
                         qPrintable(wall().tile(place)->text()));
        const auto maps = page().head()->findChildren<HeatmapView*>();
        const auto shown = std::ranges::find_if(maps, [](const HeatmapView* map) { return map->isVisible(); });
        QVERIFY(shown != maps.end());
        const double side = (*shown)->frame().body.width();
        QVERIFY2(side >= 200.0, qPrintable(QString::number(side)));
    }

    /// With the token, and what it reads most.
    void aHeadInTheWorkspaceKeepsWhatIsChosen() {
        openSample();
        wall().choose({2, 0});
        QTRY_VERIFY(page().sentence()->query() && !page().sentence()->reading().keys.empty());
        const Cell cell{query(), static_cast<int>(page().sentence()->reading().keys.front().key)};
        QTRY_VERIFY(page().workspaceButton()->isEnabled());
        page().workspaceButton()->click();
        QTRY_VERIFY(!shown_->mode().isOn() && shown_->window().computed() && !shown_->window().isComputing());
        QCOMPARE(shown_->window().viewState().pinned(), std::optional(cell));
        QCOMPARE(shown_->window().viewState().stage(), QStringLiteral("weights"));
        const Badge& mark = *shown_->window().workArea()->ribbon()->madeUp();
        QTRY_COMPARE(mark.text(), QStringLiteral("real model"));
        AttentionProblem other = shown_->window().document().problem();
        other.tensors.begin()->second.mutable_values()[0] += 1.0;
        shown_->window().document().edit(QStringLiteral("other numbers"), other);
        QTRY_VERIFY(mark.text().isEmpty() || mark.isHidden());
        shown_->window().document().undoStack()->undo();
        QTRY_VERIFY(!mark.isHidden());
        QCOMPARE(mark.text(), QStringLiteral("real model"));
    }

    /// A screen reader reads first what a head does to the answer, then its figures.
    void aHeadSaysFirstWhatItDoes() {
        openSample();
        QTRY_VERIFY(wall().tile({1, 1})->accessibleName().contains(QStringLiteral("the answer is")));
        const QString name = wall().tile({1, 1})->accessibleName();
        QVERIFY2(name.startsWith(QStringLiteral("Layer 1 · head 1, alone off, the answer is ")), qPrintable(name));
        QVERIFY(name.indexOf(QStringLiteral("entropy")) > name.indexOf(QStringLiteral("the answer is")));
        wall().choose({1, 1});
        const QString matrix = page().heatmap()->accessibleName();
        QVERIFY2(matrix.startsWith(QStringLiteral("Weights · Layer 1 · head 1: Heatmap")), qPrintable(matrix));
    }

    void theSampleOffersFirstExperiments() {
        openSample();
        auto* list = page().tryThis();
        QTRY_VERIFY(list->isVisible());
        for (const auto step : {TryThis::TurnOff, TryThis::ChangeName, TryThis::OpenHead})
            QVERIFY(!list->step(step)->isDone());
        list->step(TryThis::TurnOff)->click();
        QTRY_VERIFY_WITH_TIMEOUT(list->step(TryThis::TurnOff)->isDone(), 10000);
        QCOMPARE(wall().chosen(), std::optional(HeadIndex{0, 0})); // changes the answer most
        QVERIFY(session().result()->isOff({0, 0}));
        QVERIFY2(list->step(TryThis::TurnOff)->accessibleName().endsWith("done"),
                 qPrintable(list->step(TryThis::TurnOff)->accessibleName()));
        list->step(TryThis::ChangeName)->click();
        QCOMPARE(page().text()->toPlainText(),
                 QStringLiteral("When Mary and John went to the store, Mary gave a drink to"));
        QTRY_VERIFY_WITH_TIMEOUT(list->step(TryThis::ChangeName)->isDone(), 10000);
        shown_->window().actions().undo->trigger();
        QCOMPARE(page().text()->toPlainText(), QString::fromLatin1(sample_model_text));
        page().text()->setPlainText(QStringLiteral("When Tom and Bob went"));
        QTRY_VERIFY(!list->step(TryThis::ChangeName)->isVisible()); // a text of the user stays
        QTRY_VERIFY_WITH_TIMEOUT(!session().isRunning() && page().workspaceButton()->isEnabled(), 10000);
        list->step(TryThis::OpenHead)->click();
        QTRY_VERIFY(!shown_->mode().isOn());
        QVERIFY(list->step(TryThis::OpenHead)->isDone());
        QCOMPARE(settings::triedSteps().size(), 3);
        // Other models have no such list.
        QVERIFY(shown_->open("gpt2"));
        QTRY_VERIFY(!list->isVisible());
    }

    /// By the rule of the wall, 5% of the probability: the answer may stay.
    void aHeadThatMattersIsTried() {
        openSample();
        auto* step = page().tryThis()->step(TryThis::TurnOff);
        for (const auto& [head, matters] : {std::pair(HeadIndex{2, 3}, false), {HeadIndex{2, 0}, true}}) {
            wall().choose(head);
            page().offButton()->click();
            QTRY_VERIFY_WITH_TIMEOUT(!session().isRunning() && session().result()->isOff(head), 10000);
            QCOMPARE(page().sentence()->next()->isFlipped(), false);
            QCOMPARE(step->isDone(), matters);
            page().offButton()->click();
            QTRY_VERIFY_WITH_TIMEOUT(!session().isRunning() && !session().result()->isOff(head), 10000);
        }
    }

    void aListThatIsDoneIsNotShownAgain() {
        settings::setTriedSteps(
            {QStringLiteral("turn_off"), QStringLiteral("change_name"), QStringLiteral("open_head")});
        TryThis list(session(), effects());
        openSample();
        QCoreApplication::processEvents();
        QVERIFY(list.isHidden());
    }

    /// A second click finds the button where the first one did.
    void theButtonOfAHeadStaysInItsPlace() {
        openSample();
        wall().choose({1, 1});
        auto* button = page().offButton();
        QTRY_VERIFY(button->isEnabled());
        const QRect before(button->mapToGlobal(QPoint()), button->size());
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(!session().isRunning() && session().result()->isOff({1, 1}), 10000);
        QCoreApplication::processEvents();
        QCOMPARE(QRect(button->mapToGlobal(QPoint()), button->size()), before);
    }

    /// The head that reads the name adds to its logit itself; the two before it only make that head read it.
    void waysOfHeadsThatMatter() {
        openSample();
        QTRY_VERIFY(effects().hasDirect());
        const auto& result = *session().result();
        const auto& plain = *result.plain;
        const auto shares = model::probabilities(plain, 0);
        std::vector<std::int64_t> order(shares.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::greater<>(),
                                 [&](auto id) { return shares[static_cast<std::size_t>(id)]; });
        const model::OutcomePair margin{order[0], order[1]};
        const auto direct = model::direct_effects(*result.model, plain, 0, margin.a, margin.b);
        std::map<std::pair<std::string, std::int64_t>, double> adds;
        for (const auto& one : direct.value())
            adds[{one.pass, one.head}] = one.difference;
        int count = 0;
        model::effects_of(*result.model, plain, {.pair = margin}, {}, [&](const model::HeadEffect& effect) {
            const HeadIndex place{effect.pass[8] - '0', static_cast<int>(effect.head)};
            if (effect.moved < HeadEffects::least_share) {
                QVERIFY(!effects().wayOf(place));
                return;
            }
            const double share = -adds.at({effect.pass, effect.head}) / effect.difference_change.value();
            const auto way = share > 0.5 ? HeadEffects::Way::Directly : HeadEffects::Way::Later;
            QCOMPARE(effects().wayOf(place), std::optional(way));
            QCOMPARE(wall().tile(place)->bar()->is_hollow, way == HeadEffects::Way::Later);
            ++count;
        });
        QCOMPARE(count, 3);
        QCOMPARE(effects().wayOf({2, 0}), std::optional(HeadEffects::Way::Directly));
        QCOMPARE(effects().wayOf({1, 1}), std::optional(HeadEffects::Way::Later));
        wall().choose({2, 0});
        QVERIFY2(page().head()->note().startsWith(QStringLiteral("writes to the answer itself")),
                 qPrintable(page().head()->note()));
        wall().choose({1, 1});
        QVERIFY2(page().head()->note().startsWith(QStringLiteral("later heads need it")),
                 qPrintable(page().head()->note()));
        page().head()->offBy()->setCurrentIndex(1); // the average is not what the head adds
        QTRY_VERIFY(effects().state() == State::Done && effects().of({2, 0}));
        QVERIFY(!effects().wayOf({2, 0}));
    }

    /// The sample model knows a few hundred words.
    void wordsThatAreSpelledAreCounted() {
        openSample();
        QVERIFY2(!page().texts()->counter().contains(QStringLiteral("letter")), qPrintable(page().texts()->counter()));
        shown_->type("The dog chased the cat and bit it");
        QTRY_VERIFY2(page().texts()->counter().contains(QStringLiteral("2 words read letter by letter")),
                     qPrintable(page().texts()->counter()));
    }

    /// What is known of the heads stays while they are switched off and on.
    void theAnswerFollowsTheText() {
        openSample();
        auto* next = page().sentence()->next();
        QVERIFY(next->isVisible());
        QCOMPARE(next->answer()->name, QStringLiteral("Mary"));
        // Behind the last token.
        const auto last = page().arcs()->chipRect(RibbonTokens::Side::Queries, tokens() - 1);
        const double apart = next->mapTo(page().sentence(), QPoint()).x() -
                             (page().arcs()->mapTo(page().sentence(), QPoint()).x() + last.right());
        QVERIFY2(apart >= 0.0 && apart < 48.0, qPrintable(QString::number(apart))); // chips get room in steps of 24
        wall().choose({1, 1});
        const QRect chips = page().arcs()->geometry(), room = next->geometry();
        page().offButton()->click();
        QTRY_VERIFY(next->isFlipped());
        QCoreApplication::processEvents();
        QCOMPARE(page().arcs()->geometry(), chips); // the old answer has a place of its own
        QCOMPARE(next->geometry(), room);
        QCOMPARE(next->answer()->name, QStringLiteral("John"));
        QVERIFY(next->accessibleName().contains(QStringLiteral("and was Mary")));
        // Nothing claims that the head reads.
        const auto* answer = page().sentence()->answer();
        QCOMPARE(answer->shownLines().value(0), QStringLiteral("This head is off: nothing is read through it"));
        QVERIFY(page().arcs()->isIdle());
        QCOMPARE(page().head()->title(), QStringLiteral("Layer 1 · head 1 · off"));
        QVERIFY(page().head()->note().startsWith(QStringLiteral("off: these weights have no effect")));
        wall().choose({1, 2});
        QVERIFY(!page().arcs()->isIdle() && !page().head()->title().contains(QStringLiteral("off")));
        QVERIFY(answer->shownLines().value(0).contains(QStringLiteral(" reads ")));
        wall().choose({1, 1});
        QCOMPARE(effects().state(), State::Done);
        QCOMPARE(effects().found(), 12);
        page().offButton()->click();
        QTRY_VERIFY(!next->isFlipped());
        shown_->type("When Mary and John went to the store, Mary gave a drink to");
        QTRY_COMPARE(next->answer()->name, QStringLiteral("John"));
        QTRY_COMPARE(effects().state(), State::Done);
        QCOMPARE(effects().answer()->name, QStringLiteral("John"));
    }

    void meansGiveOtherEffects() {
        openSample();
        const double zero = effects().of({1, 1})->numbers.moved;
        page().head()->offBy()->setCurrentIndex(1);
        QTRY_VERIFY(effects().state() == State::Done && effects().of({1, 1}) &&
                    effects().of({1, 1})->numbers.moved != zero);
    }

    /// "John ... Mary" instead of "Mary ... John": the heads that tell the names apart.
    void headsOfTheSecondText() {
        openSample();
        auto* measure = page().heads()->measure();
        QCOMPARE(measure->findText(QStringLiteral("As in text B")), -1);
        page().texts()->compareButton()->click();
        page().texts()->other()->setPlainText(
            QStringLiteral("When Mary and John went to the store, Mary gave a drink to"));
        QTRY_VERIFY(measure->findText(QStringLiteral("As in text B")) >= 0 && !session().isOutdated());
        page().heads()->tabs()->setCurrentIndex(HeadsPanel::Changes);
        QVERIFY(measure->isVisible());
        choose(*measure, QStringLiteral("As in text B"));
        QCOMPARE(session().offBy(), model::Ablation::By::Other);
        QCOMPARE(page().head()->offBy()->currentText(), QStringLiteral("Replace by text B"));
        QTRY_VERIFY(effects().state() == State::Done && session().result()->other);
        const auto result = session().result();
        int count = 0;
        model::effects_of(
            *result->model, *result->plain, {.by = model::Ablation::By::Other, .other = result->other.get()}, {},
            [&](const model::HeadEffect& effect) {
                const HeadIndex place{static_cast<int>(effect.pass[8] - '0'), static_cast<int>(effect.head)};
                const auto* shown = effects().of(place);
                QVERIFY(shown);
                QCOMPARE(shown->numbers.moved, effect.moved);
                ++count;
            });
        QCOMPARE(count, 12);
        QVERIFY(effects().of({1, 1})->answer.name == QStringLiteral("John"));
        QVERIFY(page().heads()->note().contains(QStringLiteral("as in text B")));
        wall().choose({1, 1});
        QVERIFY2(
            page().head()->effect().startsWith(QStringLiteral("This head alone as in text B: the answer is “John”")),
            qPrintable(page().head()->effect()));
        page().offButton()->click();
        QTRY_COMPARE(page().sentence()->next()->answer()->name, QStringLiteral("John"));
        QCOMPARE(session().result()->result->ablations.front().by, model::Ablation::By::Other);
        // Another number of tokens: nothing is replaced, and the reason is there.
        page().texts()->other()->setPlainText(QStringLiteral("When Mary and John went"));
        QTRY_COMPARE(effects().state(), State::Blocked);
        QVERIFY2(page().heads()->note().contains(QStringLiteral("has 6 tokens, and text A 15")),
                 qPrintable(page().heads()->note()));
        QCOMPARE(page().sentence()->next()->answer()->name, QStringLiteral("Mary"));
        page().texts()->compareButton()->click();
        QCOMPARE(session().offBy(), model::Ablation::By::Zero);
        QTRY_COMPARE(effects().state(), State::Done);
        QVERIFY(measure->findText(QStringLiteral("As in text B")) < 0);
    }

    void whatHeadsAddDirectly() {
        openSample();
        auto* measure = page().heads()->measure();
        QTRY_VERIFY(effects().hasDirect());
        choose(*measure, QStringLiteral("Directly"));
        const auto& plain = *session().result()->plain;
        const auto expected = model::direct_effects(*session().model(), plain, 0, effects().answer()->id, std::nullopt);
        QVERIFY(expected);
        double largest = 0.0;
        for (const auto& one : *expected)
            largest = std::max(largest, std::abs(one.difference));
        for (const auto& one : *expected) {
            const HeadIndex place{one.pass[8] - '0', static_cast<int>(one.head)};
            QCOMPARE(effects().signedOf(place).value(), one.difference);
            QCOMPARE(effects().sizeOf(place).value(), std::abs(one.difference) / largest);
            QCOMPARE(wall().tile(place)->text(), wall().effectText(place));
        }
        QVERIFY(page().heads()->note().contains(QStringLiteral("logit of “Mary” directly")));
        wall().choose({2, 0});
        QVERIFY2(page().head()->effect().startsWith(QStringLiteral("By itself this head adds")),
                 qPrintable(page().head()->effect()));
        choose(*measure, QStringLiteral("Without it"));
        QVERIFY(page().heads()->note().startsWith(QStringLiteral("3 of 12 heads matter")));
        // With a norm behind each attention there is no direct part.
        QVERIFY(shown_->open("gemma2"));
        QTRY_COMPARE(effects().state(), State::Done);
        QVERIFY(measure->findText(QStringLiteral("Directly")) < 0);
    }

    void answersOfEachLayer() {
        openSample();
        page().heads()->tabs()->setCurrentIndex(HeadsPanel::Layers);
        auto* lens = page().heads()->lens();
        QTRY_VERIFY(lens->table());
        const auto& result = *session().result();
        const auto logits = model::lens(*result.model, *result.result, 0);
        const auto check_table = [&] {
            const auto& table = *lens->table();
            QCOMPARE(lens->heatmap()->matrix().view().rows, logits.rows);
            for (std::int64_t row = 0; row < logits.rows; ++row) {
                double sum = 0.0;
                for (std::int64_t i = 0; i < logits.columns; ++i)
                    sum += std::exp(static_cast<double>(logits.row(row)[i]));
                for (std::size_t i = 0; i < table.outcomes.size(); ++i) {
                    const double expected = std::exp(static_cast<double>(logits.row(row)[table.outcomes[i].id])) / sum;
                    const double shown = lens->heatmap()->matrix().view()(row, static_cast<std::int64_t>(i));
                    QVERIFY(std::abs(shown - expected) < 1e-9);
                }
            }
        };
        check_table();
        QCOMPARE(lens->table()->outcomes.front().name, QStringLiteral("Mary"));
        QCOMPARE(lens->table()->likeliest.back().name, QStringLiteral("Mary"));
        QVERIFY2(page().heads()->note().startsWith(QStringLiteral("“Mary” is the likeliest from layer")),
                 qPrintable(page().heads()->note()));
        auto* bars = page().outcomes();
        bars->setFocus(Qt::TabFocusReason);
        QTest::keyClick(bars, Qt::Key_Down);
        QTest::keyClick(bars, Qt::Key_Space);
        QTest::keyClick(bars, Qt::Key_Up);
        QTest::keyClick(bars, Qt::Key_Space);
        QTRY_VERIFY(lens->table()->pair);
        check_table();
        const auto& table = *lens->table();
        QCOMPARE(table.outcomes.front().name, QStringLiteral("John"));
        QCOMPARE(std::ssize(table.differences), logits.rows);
        constexpr double rounding = 1e-4; // of the products in float32
        QVERIFY(std::abs(table.differences.back() - model::logit_difference(*result.plain, 0, table.pair->ids())) <
                rounding);
        QVERIFY(lens->heatmap()->matrix().rowLabel(logits.rows - 1).contains(QStringLiteral(" → Mary, ")));
    }

    void answersWithoutEachWord() {
        openSample();
        auto* tabs = page().heads()->tabs();
        QVERIFY(tabs->isTabVisible(HeadsPanel::Words));
        tabs->setCurrentIndex(HeadsPanel::Words);
        QCOMPARE(page().heads()->title(), QStringLiteral("Which words does the answer depend on?"));
        auto* answers = page().heads()->words();
        QTRY_VERIFY(answers->table());
        const auto& result = *session().result();
        const auto words = model::words_of(*result.model, *result.result, 0);
        const auto logits = model::logits_without(*result.model, *result.result, 0, words);
        const auto& table = *answers->table();
        QCOMPARE(std::ssize(table.likeliest), std::ssize(words) + 1);
        QCOMPARE(table.likeliest.front().name, QStringLiteral("Mary"));
        std::vector<double> differences;
        for (std::size_t row = 0; row < words.size(); ++row) {
            const auto line = logits.row_span(static_cast<std::int64_t>(row));
            QCOMPARE(table.likeliest[row + 1].id, std::ranges::max_element(line) - line.begin());
            QCOMPARE(table.names[static_cast<qsizetype>(row) + 1], QString::fromStdString(words[row].text));
        }
        // The answer is read from the first "Mary": without it, it is another.
        const auto largest = std::ranges::max_element(table.moved) - table.moved.begin();
        QCOMPARE(table.names[largest], QStringLiteral("Mary"));
        QVERIFY(table.likeliest[static_cast<std::size_t>(largest)].name != QStringLiteral("Mary"));
        QVERIFY2(page().heads()->note().startsWith(QStringLiteral("“Mary” matters most: without it the answer is “")),
                 qPrintable(page().heads()->note()));
        QVERIFY(answers->heatmap()->matrix().rowLabel(0).startsWith(QStringLiteral("nothing hidden → Mary")));
        // Leaving the tab stops the work; coming back begins it anew.
        tabs->setCurrentIndex(HeadsPanel::Wall);
        page().text()->setPlainText(QStringLiteral("When Mary and John went to the shop, Mary gave a drink to"));
        QTRY_COMPARE(page().outcomes()->accessibleName().section(QLatin1Char(','), 0, 0).contains(u"John"), true);
        QVERIFY(answers->table()->result != session().result());
        tabs->setCurrentIndex(HeadsPanel::Words);
        QTRY_VERIFY(answers->table()->result == session().result());
        QCOMPARE(answers->table()->likeliest.front().name, QStringLiteral("John"));
    }

    void maryAgainstJohn() {
        openSample();
        auto* bars = page().outcomes();
        QVERIFY2(bars->accessibleName().startsWith(QStringLiteral("Next token: Mary")),
                 qPrintable(bars->accessibleName()));
        bars->setFocus(Qt::TabFocusReason);
        QTest::keyClick(bars, Qt::Key_Space);
        QVERIFY(!effects().pair()); // one alone
        QTest::keyClick(bars, Qt::Key_Down);
        QTest::keyClick(bars, Qt::Key_Space);
        QVERIFY(effects().pair());
        QCOMPARE(effects().pair()->a.name, QStringLiteral("Mary"));
        QCOMPARE(effects().pair()->b.name, QStringLiteral("John"));
        QTRY_COMPARE(effects().state(), State::Done);
        QVERIFY2(page().heads()->note().contains(QStringLiteral("Mary against John")),
                 qPrintable(page().heads()->note()));
        const auto& plain = *session().result()->plain;
        const double all = model::logit_difference(plain, 0, effects().pair()->ids());
        QVERIFY(all > 0.0);
        for (const auto place : {HeadIndex{0, 0}, HeadIndex{1, 1}}) {
            const auto& numbers = effects().of(place)->numbers;
            QVERIFY(*numbers.difference_change < -all); // John is ahead
            bool is_number = false;
            wall().effectText(place).replace(QChar(0x2212), QLatin1Char('-')).toDouble(&is_number);
            QVERIFY2(is_number, qPrintable(wall().effectText(place)));
            QVERIFY(wall().tile(place)->bar()->is_signed && wall().tile(place)->bar()->share < 0.0);
        }
        QVERIFY(*effects().of({1, 0})->numbers.difference_change > 1.0);
        QVERIFY(wall().tile({1, 0})->bar()->share > 0.0);
        wall().choose({1, 1});
        QVERIFY(page().head()->effect().contains(QStringLiteral("“Mary” against “John” changes by")));
        page().guesses()->unpinButton()->click();
        QVERIFY(!effects().pair());
        QTRY_COMPARE(effects().state(), State::Done);
        QVERIFY(!effects().of({1, 1})->numbers.difference_change);
        QVERIFY(!wall().tile({1, 1})->bar()->is_signed);
    }

    void stopsAtOnceAndGoesOn() {
        QVERIFY(shown_->open("bloom"));
        auto* button = page().heads()->effectsButton();
        bool begun = false, stopped = false;
        QElapsedTimer timer;
        // At the first partial result: on a fast machine the next look would be too late.
        const auto stop = connect(&effects(), &HeadEffects::changed, this, [&] {
            if (session().isOutdated() || stopped)
                return;
            if (effects().state() == State::Offered && !std::exchange(begun, true)) { // on a slow machine
                QMetaObject::invokeMethod(button, &QPushButton::click, Qt::QueuedConnection);
            } else if (effects().isWorking() && effects().found() > 0 && effects().found() < effects().count()) {
                stopped = true;
                timer.start();
                button->click();
                stopped = effects().found() < effects().count(); // the last ones may have come at this moment
            }
        });
        // As long as it must be for a partial result on this machine.
        const auto has_all = [&](int words) {
            return !session().isOutdated() && tokens() >= words && effects().state() == State::Done;
        };
        for (int words = 50; !stopped && words <= 1600; words *= 2) {
            begun = false;
            shown_->type(qPrintable(wordsOf(words)));
            QTRY_VERIFY_WITH_TIMEOUT(stopped || has_all(words), 60000);
        }
        disconnect(stop);
        QVERIFY(stopped);
        QVERIFY(button->isVisible()); // to go on
        QCOMPARE(effects().state(), State::Stopped);
        QTRY_VERIFY(!effects().isWorking());
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
        const auto found = effects().found();
        QVERIFY(found > 0 && found < effects().count());
        QTest::qWait(100);
        QCOMPARE(effects().found(), found);
        page().heads()->effectsButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(effects().state(), State::Done, 60000);
        QCOMPARE(effects().found(), effects().count());
        QVERIFY(!page().heads()->effectsButton()->isVisible());
    }

    /// A new text does not wait for the effects of the one before.
    void typingComesFirst() {
        QVERIFY(shown_->open("llama"));
        shown_->type(qPrintable(wordsOf(800)));
        QTRY_VERIFY_WITH_TIMEOUT(tokens() >= 800 && effects().found() > 0, 60000); // a fast machine may have all
        QElapsedTimer timer;
        timer.start();
        shown_->type("the fox");
        QTRY_VERIFY_WITH_TIMEOUT(!session().isOutdated(), 30000);
        QVERIFY2(timer.elapsed() < 1500, qPrintable(QString::number(timer.elapsed())));
        QTRY_COMPARE(effects().state(), State::Done);
    }

    /// And it says how long that takes, by passes that it times.
    void manyHeadsAreTriedOnlyWhenAsked() {
        const QTemporaryDir folder;
        const QString model = deepModel(folder);
        shown_->mode().open(model);
        QTRY_VERIFY_WITH_TIMEOUT(shown_->mode().isOn() && wall().chosen() && effects().count() > 0, 30000);
        QVERIFY(effects().count() > HeadEffects::most_heads);
        QCOMPARE(effects().state(), State::Offered);
        QTRY_VERIFY_WITH_TIMEOUT(effects().secondsExpected() > 0.0, 30000);
        const auto note = [this] { return page().heads()->note(); };
        QVERIFY2(note().startsWith(QStringLiteral("To try all %1 heads takes about ").arg(effects().count())),
                 qPrintable(note()));
        QVERIFY(!effects().isWorking());
        QCOMPARE(effects().found(), 0);
        page().heads()->effectsButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(effects().found() > 0, 30000);
        page().heads()->effectsButton()->click();
        QVERIFY(effects().state() == State::Stopped || effects().state() == State::Done);
        QVERIFY2(note().contains(QStringLiteral("heads ")), qPrintable(note()));
    }

    void modelsWithoutAnAnswerHaveNoEffects() {
        QVERIFY(shown_->open("bert"));
        QCOMPARE(effects().state(), State::None);
        QVERIFY(!page().heads()->tabs()->isTabVisible(HeadsPanel::Changes));
        QCOMPARE(page().heads()->tabs()->currentIndex(), static_cast<int>(HeadsPanel::Wall));
        QVERIFY(!page().sentence()->next()->isVisible());
        shown_->type("the [MASK] brown fox");
        QTRY_COMPARE(effects().state(), State::Done);
        QVERIFY(page().heads()->tabs()->isTabVisible(HeadsPanel::Changes));
        QVERIFY(page().sentence()->next()->isVisible());
        shown_->type("the quick brown fox");
        QTRY_COMPARE(effects().state(), State::None);
    }

    void theLastTokenIsChosenAfterAChange() {
        openSample();
        QCOMPARE(query(), tokens() - 1);
        shown_->type("When Mary and John went to the store");
        QTRY_COMPARE(tokens(), 9);
        QCOMPARE(query(), 8);
        page().sentence()->setQuery(2);
        shown_->type("When Mary and John went to the park");
        QTRY_COMPARE(page().arcs()->tokens().shown(RibbonTokens::Side::Queries, 8), QStringLiteral("park"));
        QCOMPARE(query(), 2); // it is still Mary
        wall().choose({2, 1});
        QCOMPARE(query(), 2);
        shown_->type("When Anna and John went to the park");
        QTRY_COMPARE(page().arcs()->tokens().shown(RibbonTokens::Side::Queries, 2), QStringLiteral("Anna"));
        QCOMPARE(query(), 8);
    }

    void aTextThatIsTooLongKeepsTheLastResult() {
        QVERIFY(shown_->open("gpt2"));
        shown_->type("the quick brown fox");
        QTRY_VERIFY(!session().isRunning() && !session().isOutdated());
        QVERIFY2(page().texts()->counter().endsWith(QStringLiteral(" of 96 tokens")),
                 qPrintable(page().texts()->counter()));
        const auto result = session().result();
        const QSize guesses = page().guesses()->size();
        QString text = QStringLiteral("the quick brown fox");
        for (int i = 0; i < 100; ++i)
            text += QStringLiteral(" the");
        shown_->type(qPrintable(text));
        QTRY_VERIFY(session().isTooLong());
        QVERIFY(session().size().tokens > 96);
        QCOMPARE(page().texts()->counter(), QStringLiteral("%1 of 96 tokens").arg(session().size().tokens));
        QVERIFY(session().result() == result && session().isOutdated());
        QVERIFY(wall().chosen() && page().headOnShow());
        QCOMPARE(page().guesses()->size(), guesses); // nothing moves
        const auto marks = page().text()->extraSelections();
        QCOMPARE(marks.size(), 1);
        QVERIFY(marks.front().cursor.selectionStart() > 18);
        // The field is closed: the line above the words says what is not read.
        const QString hint = page().texts()->hint()->text();
        QVERIFY2(hint.contains(QStringLiteral("at most 96 tokens")) && hint.endsWith(QStringLiteral("the the”")),
                 qPrintable(hint));
        const auto* box =
            page().head()->views()->findChild<StateBox*>(QStringLiteral("stateBox"), Qt::FindDirectChildrenOnly);
        QVERIFY(box && !box->isVisible()); // it is said once, and labels are not covered
        QCOMPARE(page().sentence()->surplus(), QStringLiteral("… %1 not read").arg(session().size().tokens - 96));
        QCOMPARE(marks.front().cursor.selectionEnd(), text.size());
        QVERIFY(page().texts()->cutButton()->isVisible());
        page().texts()->cutButton()->click();
        QTRY_VERIFY(!session().isTooLong() && !session().isOutdated());
        QCOMPARE(session().size().tokens, 96);
        QVERIFY(page().sentence()->surplus().isEmpty());
        QVERIFY(!page().texts()->cutButton()->isVisible());
        // Tokens that end every text are counted, too.
        QVERIFY(shown_->open("bert"));
        shown_->type(qPrintable(wordsOf(400)));
        QTRY_VERIFY(session().isTooLong());
        page().texts()->cutButton()->click();
        QTRY_VERIFY(!session().isTooLong() && !session().isOutdated());
        QCOMPARE(session().size().tokens, session().size().most);
        QVERIFY(shown_->open("gpt2"));
        shown_->type(qPrintable(text));
        QTRY_VERIFY(session().isTooLong());
        shown_->type("the quick brown");
        QTRY_VERIFY(!session().isTooLong() && !session().isOutdated());
        QVERIFY(page().text()->extraSelections().isEmpty());
        QVERIFY(!box->isVisible() && !page().texts()->hint()->text().contains(QStringLiteral("Not read")));
        QVERIFY(session().result() != result);
    }

    /// 32 layers of 32 heads in a window of 1280 x 800.
    void aLargeWallFitsWithoutScrolling() {
        openSample();
        page().heads()->tabs()->setCurrentIndex(HeadsPanel::Changes);
        QTest::qWait(50);
        auto large = std::make_shared<ModelResult>();
        for (int layer = 0; layer < 32; ++layer) {
            PassHeads pass;
            pass.title = QString::number(layer);
            pass.heads = 32;
            pass.figures.resize(32);
            pass.pictures.resize(32, QImage(8, 8, QImage::Format_Indexed8));
            large->passes.push_back(std::move(pass));
        }
        HeadsWall other;
        other.resize(wall().size());
        other.setPictures(HeadsWall::Pictures::Effects);
        other.show();
        other.setResult(large);
        QVERIFY(other.showsColors() && !wall().showsColors());
        for (const auto place : other.shown()) {
            const MatrixTile& tile = *other.tile(place);
            QVERIFY2(other.rect().contains(QRect(tile.mapTo(&other, QPoint()), tile.size())),
                     qPrintable(QStringLiteral("%1 x %2").arg(other.width()).arg(other.height())));
        }
    }
};

ATTNLAB_TEST(TestHeadEffects)
#include "test_head_effects.moc"
