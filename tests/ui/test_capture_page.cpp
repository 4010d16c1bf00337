// A capture in the window: every head of every pass, as the page of a model shows them.
#include "core/io/file_formats.h"
#include "core/model/one_head.h"
#include "tests/test_main.h"
#include "tests/ui/capture_support.h"
#include "tests/ui/model_page_support.h"
#include "ui/document/document.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/model/head_panel.h"
#include "ui/model/model_page.h"
#include "ui/model/model_session.h"
#include "ui/model/weights_view.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_box.h"
#include "ui/window/actions.h"
#include "ui/window/windows.h"

#include <algorithm>
#include <QComboBox>
#include <QJsonArray>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <span>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

Tensor tensorOf(std::span<const float> numbers, const Shape& shape) {
    return {shape, std::vector<double>(numbers.begin(), numbers.end()), DType::Float32};
}

/// Random numbers for a pass, (B,H,L,E) with S = L.
void addCapturedPass(TensorMap& tensors, const std::string& name, const Shape& shape, unsigned seed) {
    for (const char* what : {".query", ".key", ".value"}) {
        Tensor tensor(shape, 0.0, DType::Float32);
        for (double& value : tensor.mutable_values()) {
            seed = seed * 1664525u + 1013904223u;
            value = static_cast<float>(seed >> 8) / static_cast<float>(1 << 24) - 0.5F;
        }
        tensors[name + what] = tensor;
    }
}

QJsonObject capturedPass(const char* name, int heads) {
    return {{"name", name}, {"heads", heads}, {"key_value_heads", heads}};
}

} // namespace

class TestCapturePage : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<ModelWindow> window_;

    MainWindow& window() { return window_->window(); }
    ModelPage& page() { return window_->page(); }
    ModelMode& mode() { return window_->mode(); }
    ModelSession& session() { return *window().findChild<ModelSession*>(); }

    bool isShown() {
        return QTest::qWaitFor(
            [&] {
                return mode().isOn() && session().capture() && session().result() &&
                       session().result()->capture == session().capture() && page().head()->view()->matrix();
            },
            60000);
    }
    /// What the model on show has computed, as a capture.
    QString captureOfModel() {
        TensorMap tensors;
        QJsonArray passes;
        for (const auto& heads_of : session().result()->passes) {
            const auto pass = heads_of.whole();
            const auto name = pass->name;
            tensors[name + ".query"] = tensorOf(pass->query, {1, pass->heads, pass->queries, pass->width});
            tensors[name + ".key"] = tensorOf(pass->key, {1, pass->key_value_heads, pass->keys, pass->width});
            tensors[name + ".value"] = tensorOf(pass->value, {1, pass->key_value_heads, pass->keys, pass->width});
            QJsonObject one{{"name", QString::fromStdString(name)},
                            {"heads", static_cast<int>(pass->heads)},
                            {"key_value_heads", static_cast<int>(pass->key_value_heads)},
                            {"scale", pass->scale},
                            {"causal", pass->causal},
                            {"query_tokens", "t"},
                            {"key_tokens", "t"}};
            if (pass->window > 0)
                one["window"] = static_cast<int>(pass->window);
            if (pass->soft_cap > 0.0)
                one["soft_cap"] = pass->soft_cap;
            if (!pass->sinks.empty())
                tensors[name + ".sinks"] = tensorOf(pass->sinks, {pass->heads});
            passes << one;
        }
        QJsonArray labels;
        for (const auto& label : session().result()->passes.front().tokens.queries)
            labels << QString::fromStdString(label);
        const auto path = folder_.filePath("model.safetensors");
        return test::writeCapture(path, tensors,
                                  {{"schema", 1},
                                   {"title", "A model"},
                                   {"tokens", QJsonObject{{"t", QJsonArray{QJsonValue(labels)}}}},
                                   {"passes", passes}})
                   ? path
                   : QString();
    }
    QString captureOf(const char* file, int heads, int tokens, unsigned seed, const Shape& more = {1}) {
        TensorMap tensors;
        for (const char* name : {"decoder.0.self", "decoder.1.self"})
            addCapturedPass(tensors, name, {more[0], heads, tokens, 4}, seed++);
        const auto path = folder_.filePath(file);
        return test::writeCapture(path, tensors,
                                  {{"schema", 1},
                                   {"passes", QJsonArray{capturedPass("decoder.0.self", heads),
                                                         capturedPass("decoder.1.self", heads)}}})
                   ? path
                   : QString();
    }
    MatrixData matrixOf(HeadIndex place) {
        page().wall()->choose(place);
        return QTest::qWaitFor(
                   [&] {
                       return page().headOnShow() && page().headOnShow()->place == place &&
                              page().headOnShow()->result == session().result();
                   },
                   60000)
                   ? page().heatmap()->matrix()
                   : MatrixData();
    }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabCapturePageTest"); }
    void init() { window_ = std::make_unique<ModelWindow>(); }
    void cleanup() { window_.reset(); }

    void likeTheModel_data() {
        QTest::addColumn<QString>("model");
        for (const char* name : {"gpt2", "mistral", "gemma2", "gpt_oss", "bert"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    /// The same heads, pictures, figures and words as the run that it was taken from.
    void likeTheModel() {
        QFETCH(QString, model);
        QVERIFY(window_->open(model.toLatin1()));
        const auto of_model = session().result();
        const auto path = captureOfModel();
        window().open({path});
        QVERIFY(isShown());
        QCOMPARE(page().wall()->shown().size(),
                 of_model->passes.size() * static_cast<std::size_t>(of_model->passes.front().heads));
        for (const auto place : page().wall()->shown()) {
            const auto one = of_model->heads(place).one(place.head);
            const auto expected = one.pass->weights(one.index);
            const auto matrix = matrixOf(place);
            QCOMPARE(matrix.values.size(), std::ssize(expected));
            for (std::size_t i = 0; i < expected.size(); ++i)
                QVERIFY(std::abs(matrix.values.values()[i] - static_cast<double>(expected[i])) < 1e-5);
            QCOMPARE(passTitle(*session().result(), place.pass), passTitle(*of_model, place.pass));
            const auto &a = of_model->figures(place), &b = session().result()->figures(place);
            QVERIFY(std::abs(a.entropy - b.entropy) < 1e-5);
            QCOMPARE(explain::what_it_does(b), explain::what_it_does(a));
        }
        QCOMPARE(session().result()->passes.front().tokens.queries, of_model->passes.front().tokens.queries);
        QVERIFY(page().arcs()->isVisible());
        QVERIFY(!page().text()->isVisible());
        QVERIFY(!page().offButton()->isVisible());
        QVERIFY(page().title().contains("head"));
        page().head()->show(page().head()->rollout());
        QCOMPARE(page().head()->view(), page().head()->rollout());
        QTRY_VERIFY(page().head()->rollout()->matrix());
    }

    void aPassInTheWorkspace() {
        const auto path = captureOf("c.safetensors", 3, 6, 1);
        window().open({path});
        QVERIFY(isShown());
        QCOMPARE(window().document().problem().tensors.at("query").shape(), (Shape{1, 3, 6, 4}));
        const auto expected = matrixOf({1, 2});
        page().workspaceButton()->click();
        QVERIFY(!mode().isOn());
        QTRY_VERIFY(!window().isComputing() && window().computed());
        QCOMPARE(window().viewState().head(), 2);
        const auto& weights = window().computed()->trace.find("weights")->value;
        QCOMPARE(weights.dim(1), 3);
        for (std::int64_t i = 0; i < expected.values.size(); ++i)
            QVERIFY(std::abs(weights.value(2 * 36 + i) - expected.values.value(i)) < 1e-6);
    }

    /// A loop of a notebook stays where the user is, and keeps the head.
    void shownAgain() {
        QSignalSpy opened(&window().files(), &FileController::opened);
        window().shownFiles().show({captureOf("a.safetensors", 3, 6, 1)});
        QVERIFY(isShown());
        const auto before = matrixOf({1, 1});
        page().heatmap()->zoomIn();
        const auto cells = page().heatmap()->visibleCells();
        window().shownFiles().show({captureOf("b.safetensors", 3, 6, 9)});
        QTRY_COMPARE(opened.size(), 2);
        QVERIFY(isShown());
        QTRY_VERIFY(page().headOnShow()->result == session().result());
        QCOMPARE(page().wall()->chosen(), std::optional(HeadIndex{1, 1}));
        QVERIFY(!(page().heatmap()->matrix().values == before.values));
        QVERIFY(!page().heatmap()->isFitted());
        QCOMPARE(page().heatmap()->visibleCells(), cells);
        mode().leave();
        window().shownFiles().show({captureOf("a.safetensors", 3, 6, 1)});
        QTRY_COMPARE(opened.size(), 3);
        QVERIFY(!mode().isOn()); // the user has gone to the workspace
        QTRY_VERIFY(!window().isComputing());
        window().actions().go_model->trigger();
        QVERIFY(isShown());
        QTRY_COMPARE(page().heatmap()->matrix().values, before.values);
        mode().leave();
        window().open({captureOf("a.safetensors", 3, 6, 1)}); // the user has asked for it
        QVERIFY(isShown());
    }

    /// Fifty times a second: the page keeps up or skips, and the last one is shown.
    void aLoop() {
        for (int i = 1; i <= 50; ++i) {
            window().shownFiles().show(
                {captureOf(i % 2 ? "a.safetensors" : "b.safetensors", 3, 6, static_cast<unsigned>(i))});
            QTest::qWait(20);
        }
        QTRY_VERIFY(!window().isComputing() && !window().files().isShowing());
        QVERIFY(isShown());
        const auto last = session().capture()->tensors.at("decoder.0.self.query").value(0);
        captureOf("last.safetensors", 3, 6, 50);
        QCOMPARE(
            last,
            io::read_tensors(folder_.filePath("last.safetensors").toStdString()).at("decoder.0.self.query").value(0));
        QTRY_COMPARE(page().headOnShow()->result, session().result());
        QVERIFY(window().document().undoStack()->count() < 10);
    }

    void sequences() {
        window().open({captureOf("batch.safetensors", 2, 5, 1, {3})});
        QVERIFY(isShown());
        QVERIFY(page().texts()->sequence()->isVisible());
        const auto first = matrixOf({0, 0});
        page().texts()->sequence()->setValue(2);
        QTRY_VERIFY(session().result()->sequence == 2 && page().headOnShow()->result == session().result());
        QVERIFY(!(matrixOf({0, 0}).values == first.values));
        page().workspaceButton()->click();
        QTRY_VERIFY(!window().isComputing() && window().computed());
        QCOMPARE(window().viewState().batch(), 2);
    }

    /// More tokens than cells: pooled by a worker.
    void aLongText() {
        window().open({captureOf("long.safetensors", 1, 3000, 1)});
        QVERIFY(isShown());
        const auto matrix = matrixOf({1, 0});
        QCOMPARE(matrix.row_step, 3);
        QCOMPARE(matrix.values.shape(), (Shape{1000, 1000}));
        QVERIFY(page().head()->note().contains(QStringLiteral("3 × 3 tokens")));
    }

    void otherNames() {
        TensorMap tensors;
        QJsonArray passes;
        int seed = 1;
        for (const char* name : {"decoder.0.self", "decoder.0.self@1", "decoder.0.cross", "<b>mine</b>"}) {
            addCapturedPass(tensors, name, {1, seed, 4, 2}, static_cast<unsigned>(seed));
            passes << capturedPass(name, seed++);
        }
        const auto path = folder_.filePath("names.safetensors");
        QVERIFY(test::writeCapture(path, tensors, {{"schema", 1}, {"passes", passes}}));
        window().open({path});
        QVERIFY(isShown());
        QCOMPARE(page().wall()->shown().size(), std::size_t{10});
        page().wall()->choose({3, 2});
        QTRY_COMPARE(page().title(), QString("<b>mine</b> · head 2"));
        QVERIFY(!page().head()->tabs()->isTabVisible(2)); // no layers, so no rollout
    }

    /// The note of a head names what its attention function ignored.
    void marks() {
        TensorMap tensors;
        addCapturedPass(tensors, "a", {1, 2, 4, 2}, 1);
        addCapturedPass(tensors, "b", {1, 2, 4, 2}, 2);
        auto marked = capturedPass("b", 2);
        marked["ignored"] = QJsonArray{"mask"};
        const auto path = folder_.filePath("marks.safetensors");
        QVERIFY(
            test::writeCapture(path, tensors, {{"schema", 1}, {"passes", QJsonArray{capturedPass("a", 2), marked}}}));
        window().open({path});
        QVERIFY(isShown());
        matrixOf({0, 0});
        QVERIFY(!page().head()->note().contains("ignored"));
        matrixOf({1, 0});
        QVERIFY2(page().head()->note().contains("b: the attention function ignored: the mask"),
                 qPrintable(page().head()->note()));
    }

    void anotherLanguage() {
        window().open({captureOf("c.safetensors", 3, 6, 1)});
        QVERIFY(isShown());
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY(isShown());
    }

    void aModelAfterIt() {
        window().open({captureOf("c.safetensors", 3, 6, 1)});
        QVERIFY(isShown());
        QVERIFY(window_->open("gpt2"));
        QVERIFY(!session().capture());
        QVERIFY(page().arcs()->isVisible() && page().offButton()->isVisible());
    }

    void tooManyHeads() {
        TensorMap tensors;
        addCapturedPass(tensors, "a", {1, 1 << 14, 1, 1}, 1);
        addCapturedPass(tensors, "b", {1, 1, 1, 1}, 1);
        const auto path = folder_.filePath("many.safetensors");
        QVERIFY(test::writeCapture(
            path, tensors, {{"schema", 1}, {"passes", QJsonArray{capturedPass("a", 1 << 14), capturedPass("b", 1)}}}));
        window().open({path});
        const auto says_why = [&] {
            const auto boxes = page().findChildren<StateBox*>();
            return std::ranges::count_if(boxes, [](const StateBox* box) {
                return box->isVisible() && box->state().look == PictureState::Look::Error &&
                       box->state().why.contains("16385");
            });
        };
        QTRY_COMPARE(says_why(), 1);
        QVERIFY(!window().messageBar()->isVisible()); // once
    }
};

ATTNLAB_TEST(TestCapturePage)
#include "test_capture_page.moc"
