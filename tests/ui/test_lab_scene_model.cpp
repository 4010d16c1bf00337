// The model behind boards: computes in the background, only the latest change counts, no exception escapes.
#include "tests/test_main.h"
#include "ui/learn/lab/scene_model.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

lab::Scene sceneOf(const lab::RandomInputs& draw) {
    lab::Scene scene;
    scene.draw = draw;
    for (const char* scale : {"none", "sqrt_dk"}) {
        lab::SceneSetting setting{.id = scale, .spec = {}, .tensors = {}};
        setting.spec.scale.id = scale;
        scene.settings.push_back(setting);
    }
    return scene;
}

} // namespace

class TestLabSceneModel : public QObject {
    Q_OBJECT

    SceneModel* model_ = nullptr;

    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!model_->isComputing(), 20000); }
    static bool matches(const SceneModel& model) {
        const auto expected = lab::compute(model.scene());
        for (const auto& setting : model.scene().settings) {
            const Trace* got = model.result()->trace_of(model.computedScene(), setting.id);
            const Trace* wanted = expected.trace_of(model.scene(), setting.id);
            if (!got || !wanted || !(got->find("weights")->value == wanted->find("weights")->value))
                return false;
        }
        return model.computedScene() == model.scene();
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { model_ = new SceneModel; }
    void cleanup() { delete model_; }

    void computesWhatItBeginsWith() {
        QVERIFY(!model_->result() && !model_->isComputing());
        model_->begin(sceneOf({.E = 8, .seed = 3}), {});
        QVERIFY(model_->isComputing());
        settle();
        QVERIFY(matches(*model_));
        QVERIFY(!model_->isChanged());
    }

    void theLatestChangeWins() {
        model_->begin(sceneOf({.E = 8}), {});
        for (std::int64_t width = 2; width <= 60; ++width) {
            model_->setDraw({.E = width});
            if (width % 7 == 0)
                QTest::qWait(1);
        }
        settle();
        QCOMPARE(model_->scene().draw->E, std::int64_t{60});
        QVERIFY(matches(*model_));
        QVERIFY(model_->isChanged());
    }

    void aShortRunIsShownThoughANewerChangeWaits() {
        model_->begin(sceneOf({.E = 8}), {});
        settle();
        std::vector<std::int64_t> shown;
        connect(model_, &SceneModel::computed, this, [&] { shown.push_back(model_->computedScene().draw->E); });
        model_->setDraw({.E = 16});
        QCoreApplication::processEvents(); // its run starts
        model_->setDraw({.E = 32});
        settle();
        QCOMPARE(shown, (std::vector<std::int64_t>{16, 32}));
    }

    void changesOfOneEventMakeOneRun() {
        model_->begin(sceneOf({.E = 8}), {});
        settle();
        QSignalSpy computed(model_, &SceneModel::computed);
        model_->setDraw({.E = 16});
        auto setting = model_->scene().settings[0];
        setting.spec.scale.id = "dk";
        model_->setSetting(0, setting);
        settle();
        QCOMPARE(computed.count(), 1);
        QVERIFY(matches(*model_));
    }

    void aViewComputesNothing() {
        model_->begin(sceneOf({.E = 8}), {});
        settle();
        QSignalSpy computed(model_, &SceneModel::computed), viewed(model_, &SceneModel::viewChanged);
        auto view = model_->view();
        view.stage = "scaled";
        model_->setView(view);
        model_->setView(view);
        QVERIFY(!model_->isComputing());
        QCOMPARE(viewed.count(), 1);
        QTest::qWait(20);
        QCOMPARE(computed.count(), 0);
    }

    void resetComesBackToTheBeginning() {
        lab::BoardSpec view;
        view.stage = "scores";
        const auto scene = sceneOf({.E = 8});
        model_->begin(scene, view);
        settle();
        const auto before = model_->result()->trace_of(scene, "none")->find("weights")->value;
        model_->setDraw({.E = 100, .seed = 9});
        model_->setView({});
        settle();
        QVERIFY(!(model_->result()->trace_of(scene, "none")->find("weights")->value == before));
        model_->reset();
        settle();
        QVERIFY(!model_->isChanged());
        QVERIFY(model_->view() == view);
        QVERIFY(model_->result()->trace_of(scene, "none")->find("weights")->value == before);
    }

    void aBadSceneIsSaidAndTheResultStays() {
        model_->begin(sceneOf({.E = 8}), {});
        settle();
        QSignalSpy failed(model_, &SceneModel::failed);
        const auto before = model_->result();
        model_->setDraw({.E = 0});
        settle();
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].value<Message>().english().find("E is 0") != std::string::npos);
        QCOMPARE(model_->result(), before);
        // An initial scene with an error shows nothing of the previous one.
        model_->begin(sceneOf({.E = -1}), {});
        settle();
        QCOMPARE(failed.count(), 2);
        QVERIFY(!model_->result());
    }

    void aBadSettingLeavesTheOthers() {
        auto scene = sceneOf({.E = 8});
        scene.settings[1].spec.scale.id = "nothing of that name";
        model_->begin(scene, {});
        settle();
        QVERIFY(model_->result()->trace_of(scene, "none"));
        QVERIFY(!model_->result()->trace_of(scene, "sqrt_dk"));
        QVERIFY(model_->result()->settings[1].error);
    }

    void goesAwayWhileItComputes() {
        model_->begin(sceneOf({.L = 500, .S = 500, .E = 2048}), {});
        QCoreApplication::processEvents();
        QVERIFY(model_->isComputing());
    }
};

ATTNLAB_TEST(TestLabSceneModel)
#include "test_lab_scene_model.moc"
