// Boards that are saved as lessons of one step, and read back.
#include "core/lab/board.h"
#include "core/lab/scene.h"
#include "core/lessons/checks.h"
#include "core/lessons/lesson_files.h"
#include "core/lessons/saved_board.h"
#include "core/stages/mask.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attnlab;
using namespace attnlab::lessons;

namespace {

const QString resources = QStringLiteral(ATTNLAB_SOURCE_DIR "/resources");

bool sameNumbers(const Tensor& one, const Tensor& other) {
    return one.shape() == other.shape() && std::ranges::equal(one.values(), other.values(), [](double a, double b) {
               return a == b || (std::isnan(a) && std::isnan(b));
           });
}

QString refusal(const lab::Scene& scene) {
    try {
        scene_json_of(scene, {});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

Lesson reopened(const lab::Scene& scene, const lab::BoardSpec& view) {
    const QTemporaryDir folder;
    const auto path = folder.filePath("board.attnlesson").toStdString();
    save_board(path, scene, view, {"en", "A board", "As it was saved."});
    return load_lesson(path, files_below(path, resources.toStdString()));
}

} // namespace

class SavedBoardTest : public QObject {
    Q_OBJECT
private slots:
    void labs_come_back_as_they_were_data() {
        QTest::addColumn<int>("board");
        QTest::newRow("scale lab") << static_cast<int>(lab::BoardKind::ScaleLab);
        QTest::newRow("mask lab") << static_cast<int>(lab::BoardKind::MaskLab);
    }
    void labs_come_back_as_they_were() {
        QFETCH(int, board);
        auto scene = lab::free_lab_scene(static_cast<lab::BoardKind>(board));
        auto view = lab::free_lab_view(static_cast<lab::BoardKind>(board));
        scene.draw->E = 300;
        scene.draw->seed = 99;
        scene.settings.back().spec.mask_fill = {-7.5, MaskFill::Mode::Add};
        scene.settings.back().precision = lab::Precision::Float32;
        scene.settings.front().spec.masks = {parse_mask("window:2")};
        view.pin = lab::BoardCell{2, 1};
        view.stage = "masked";
        view.show.erase(lab::BoardPart::Leak);
        const auto lesson = reopened(scene, view);
        QCOMPARE(lesson.steps.size(), std::size_t{1});
        const auto& step = lesson.steps.front();
        QVERIFY(step.scene == scene);
        QVERIFY(step.view == view);
        QVERIFY(check_step(lesson, step).mistakes.empty());
    }

    void numbers_stay_when_the_draw_is_edited() {
        auto scene = lab::free_lab_scene(lab::BoardKind::ScaleLab);
        const auto drawn = lab::draw_inputs(*scene.draw);
        scene.tensors = drawn;
        scene.draw.reset();
        const auto view = lab::free_lab_view(lab::BoardKind::ScaleLab);
        const auto step = reopened(scene, view).steps.front();
        QVERIFY(step.scene == scene);
        QVERIFY(!step.view.is_live(lab::BoardControl::E)); // needs a draw
        QVERIFY(step.view.is_live(lab::BoardControl::Scale));
        QVERIFY(!step.view.shows(lab::BoardPart::Curve));
    }

    void every_shipped_step_comes_back_data() {
        QTest::addColumn<QString>("folder");
        for (const auto& folder : QDir(resources + "/lessons").entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            QTest::addRow("%s", qPrintable(folder)) << folder;
    }
    void every_shipped_step_comes_back() {
        QFETCH(QString, folder);
        const auto path = (resources + "/lessons/" + folder).toStdString();
        const auto lesson = load_lesson(path, files_below(path, resources.toStdString()));
        for (const auto& step : lesson.steps) {
            const auto again = reopened(step.scene, step.view).steps.front();
            QVERIFY2(again.view == step.view, step.id.c_str());
            const auto first = lab::compute(step.scene), second = lab::compute(again.scene);
            QCOMPARE(second.settings.size(), first.settings.size());
            for (std::size_t k = 0; k < first.settings.size(); ++k) {
                QVERIFY(!second.settings[k].error);
                const auto &one = first.settings[k].trace, &other = second.settings[k].trace;
                QCOMPARE(other.stages.size(), one.stages.size());
                for (std::size_t s = 0; s < one.stages.size(); ++s)
                    QVERIFY2(sameNumbers(one.stages[s].value, other.stages[s].value), one.stages[s].name.c_str());
                QCOMPARE(other.measures.size(), one.measures.size());
                for (std::size_t m = 0; m < one.measures.size(); ++m)
                    QCOMPARE(other.measures[m].value, one.measures[m].value);
            }
        }
    }

    void a_setting_keeps_the_tokens_of_its_own_text() {
        lab::Scene scene;
        scene.tensors = {{"query", Tensor({2, 1}, {1.0, 2.0})},
                         {"key", Tensor({2, 1}, {1.0, 2.0})},
                         {"value", Tensor({2, 1}, {1.0, 2.0})}};
        scene.query_tokens = {"dog", "man"};
        lab::SceneSetting first, second;
        first.id = "first";
        second.id = "second";
        second.query_tokens = {"man", "dog"};
        second.key_tokens = {"Mann", "Hund"};
        scene.settings = {first, second};
        const auto step = reopened(scene, {}).steps.front();
        QVERIFY(step.scene == scene);
        const auto result = lab::compute(step.scene);
        const std::vector<std::string> own{"man", "dog"}, keys{"Mann", "Hund"};
        QCOMPARE(result.settings[0].trace.query_tokens, scene.query_tokens);
        QCOMPARE(result.settings[1].trace.query_tokens, own);
        QCOMPARE(result.settings[1].trace.key_tokens, keys);
    }

    void moved_arrows_stay_where_they_are() {
        lab::Scene scene;
        scene.tensors = {{"query", Tensor({1, 2}, {1.0, 0.5})},
                         {"key", Tensor({2, 2}, {1.0, 0.0, 0.3, -1.2})},
                         {"value", Tensor({2, 2}, {2.0, 0.0, 0.0, 2.0})}};
        scene.settings.push_back({.id = "head", .spec = {}, .tensors = {}});
        scene = lab::with_moved_arrow(scene, "key", 1, 0.74, 9.0, 3.0);
        QCOMPARE(scene.tensors.at("key").value(2), 0.7);
        QCOMPARE(scene.tensors.at("key").value(3), 3.0);
        lab::BoardSpec view;
        view.board = lab::BoardKind::Arrows;
        view.live = {lab::BoardControl::Cells};
        QVERIFY(reopened(scene, view).steps.front().scene == scene);
    }

    void refuses_what_a_lesson_cannot_hold() {
        lab::Scene scene;
        scene.settings.push_back({.id = "head", .spec = {}, .tensors = {}});
        scene.tensors = {{"query", Tensor({1, 1}, std::nan(""))}};
        QVERIFY(refusal(scene).contains("query: has NaN"));
        scene.tensors = {{"query", Tensor(Shape{0, 2})}};
        QVERIFY(refusal(scene).contains("query: has shape (0, 2)"));
    }
};

ATTNLAB_TEST(SavedBoardTest)
#include "test_saved_board.moc"
