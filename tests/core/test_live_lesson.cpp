// A lesson that answers the requests of a page: changes, results and texts as JSON.
#include "core/io/json.h"
#include "core/lessons/lesson_files.h"
#include "core/lessons/live_lesson.h"
#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "tests/test_main.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <QTest>

using namespace attnlab;
using lessons::LiveLesson;
using nlohmann::json;

namespace {

constexpr const char* scene = R"({"version": 1, "steps": [{
  "id": "growth",
  "inputs": {"draw": {"L": 3, "S": 4, "E": 4, "Ev": 2, "distribution": "normal", "seed": 5}},
  "settings": [{"id": "none", "scale": "none"}, {"id": "root", "scale": "sqrt_dk", "masks": ["causal"]}],
  "board": "scale_lab", "stage": "scaled", "show": ["numbers", "curve"],
  "curve": {"measure": "variance", "over": "E"}, "live": ["E", "scale"],
  "question": {"options": {"yes": "E = 4", "no": "E > 4"}, "hides": ["root.scaled"]}}]})";
constexpr const char* words =
    "# Growth\nOf d.\n\n## growth: Step\nd is {{E | 0}}, %.\n\n### question\nIs d four?\n- yes: "
    "yes\n- no: no\n\n### answer\nIt is {{E | 0}}.\n\n### why no: It is less.\n\n### card root: "
    "by the root\n";

constexpr const char* tiles = R"({"version": 1, "steps": [{
  "id": "tiles", "inputs": {"draw": {"L": 4, "S": 4, "E": 2, "Ev": 2, "distribution": "normal", "seed": 5}},
  "settings": [{"id": "flash", "variant": "flash", "set": {"block_q": 2, "block_k": 2}, "masks": ["causal"]}],
  "board": "tiles", "setting": "flash", "tile": [1, 0]}]})";
constexpr const char* costs = R"({"version": 1, "steps": [{
  "id": "costs", "inputs": {"cache": {"num_heads": 8, "groups": 4}},
  "settings": [{"id": "all", "sharing": "multi_head"}, {"id": "some", "sharing": "grouped"}],
  "board": "costs", "costs": ["cache_bytes"], "over": "context", "live": ["context", "groups"]}]})";

LiveLesson opened(const std::string& board = scene, const std::string& text = words) {
    lessons::LessonFiles files;
    files.in_lesson = [&](const std::string& name) -> std::optional<std::string> {
        return name == "scene.json" ? std::optional(board) : name == "en.md" ? std::optional(text) : std::nullopt;
    };
    return LiveLesson(lessons::load_lesson("live", files));
}

json stage_called(const json& result, std::size_t setting, const std::string& name, std::size_t& index) {
    const auto& stages = result.at("settings").at(setting).at("stages");
    for (index = 0; index < stages.size(); ++index)
        if (stages[index].at("name") == name)
            return stages[index];
    return {};
}

/// The numbers of a stage.
std::vector<double> numbers(const LiveLesson& live, const json& result, std::size_t setting, const std::string& name) {
    std::size_t index = 0;
    if (stage_called(result, setting, name, index).is_null())
        return {};
    const auto span = live.stage(setting, index);
    return {span.begin(), span.end()};
}

/// A list of an update, where null stands for the element as it was.
json with_kept(const json& before, json list) {
    for (std::size_t k = 0; k < list.size(); ++k)
        if (list[k].is_null())
            list[k] = before[k];
    return list;
}

/// What an update makes of a board, and of a result.
json with_board(json before, const json& changes) {
    const auto settings = with_kept(before["settings"], changes["settings"]);
    before.update(changes);
    before["settings"] = settings;
    return before;
}
json with_result(const json& before, json changes) {
    for (std::size_t k = 0; k < changes["settings"].size(); ++k) {
        auto& setting = changes["settings"][k];
        const auto was = k < before["settings"].size() ? before["settings"][k] : json::object();
        for (const char* key : {"inputs", "notes"})
            if (!setting.contains(key) && was.contains(key))
                setting[key] = was[key];
        setting["stages"] = with_kept(was.value("stages", json::array()), setting["stages"]);
    }
    return changes;
}

} // namespace

class LiveLessonTest : public QObject {
    Q_OBJECT
private slots:
    void describes_steps_and_board() {
        const auto live = opened();
        const auto contents = json::parse(live.contents());
        QCOMPARE(contents["titles"]["en"].get<std::string>(), std::string("Growth"));
        QCOMPARE(contents["steps"].size(), std::size_t{1});
        QVERIFY(contents["steps"][0]["question"].get<bool>());
        const auto board = json::parse(live.board());
        QCOMPARE(board["draw"]["E"].get<int>(), 4);
        QCOMPARE(board["settings"].size(), std::size_t{2});
        QCOMPARE(board["settings"][1]["spec"]["masks"][0]["id"].get<std::string>(), std::string("causal"));
        QVERIFY(board["live"] == (json{"E", "scale"}));
        QVERIFY(board["options"] == (json{"yes", "no"}));
    }

    void computes_what_the_reference_computes() {
        auto live = opened();
        const auto result = json::parse(live.compute());
        const auto expected = lab::compute(live.lesson().steps.front().scene);
        for (std::size_t k = 0; k < 2; ++k)
            for (const auto& stage : expected.settings[k].trace.stages) {
                std::size_t index = 0;
                QCOMPARE(stage_called(result, k, stage.name, index)["shape"].get<Shape>(), stage.value.shape());
                const auto cells = live.stage(k, index);
                QVERIFY2(std::equal(cells.begin(), cells.end(), stage.value.values().begin(),
                                    [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }),
                         stage.name.c_str());
            }
        QVERIFY(result["settings"][0]["numbers"].contains("variance"));
    }

    void changes_sizes_specs_and_cells() {
        auto live = opened();
        live.change(R"({"draw": {"E": 16}})");
        QCOMPARE(json::parse(live.board())["draw"]["E"].get<int>(), 16);
        auto result = json::parse(live.compute());
        QVERIFY(result["settings"][0]["inputs"][0]["shape"] == (json{3, 16}));

        auto spec = json::parse(live.board())["settings"][0]["spec"];
        const auto before = numbers(live, result, 0, "scores");
        const auto parameter = std::string(scale_mode("temperature").parameters.front().name);
        spec["scale"] = {{"id", "temperature"}, {"parameters", {{parameter, 2.0}}}};
        live.change(json{{"setting", 0}, {"spec", spec}}.dump());
        result = json::parse(live.compute());
        const auto scaled = numbers(live, result, 0, "scaled");
        QCOMPARE(scaled.size(), before.size());
        for (std::size_t cell = 0; cell < scaled.size(); ++cell)
            QCOMPARE(scaled[cell], before[cell] / 2.0);

        live.change(R"({"setting": 0, "tensor": "query", "cell": 17, "value": 7.5})");
        QVERIFY(json::parse(live.board())["draw"].is_null()); // the numbers are the reader's now
        live.compute();
        QCOMPARE(live.input(0, "query")[17], 7.5);
        QCOMPARE(live.input(1, "query")[17], 7.5);
        live.change(R"({"draw": {"E": 8}})");
        live.compute();
        QCOMPARE(live.input(0, "query").size(), std::size_t{24});
        QVERIFY(live.input(0, "query")[17] != 7.5);
    }

    void an_update_leaves_out_what_is_as_before_data() {
        QTest::addColumn<QByteArray>("request");
        QTest::newRow("a width") << QByteArray(R"({"draw": {"E": 16}})");
        QTest::newRow("keys") << QByteArray(R"({"draw": {"S": 9}})");
        QTest::newRow("a scale") << QByteArray(R"({"setting": 1, "spec": {"variant": "scaled_dot_product",
            "scale": {"id": "temperature", "parameters": {}}, "masks": [{"id": "causal", "parameters": {}}]}})");
        QTest::newRow("a mask less") << QByteArray(
            R"({"setting": 1, "spec": {"variant": "scaled_dot_product", "scale": {"id": "sqrt_dk"}}})");
        QTest::newRow("a mechanism with other inputs")
            << QByteArray(R"({"setting": 0, "spec": {"variant": "bilinear"}})");
        QTest::newRow("float32") << QByteArray(R"({"setting": 0, "float32": true})");
        QTest::newRow("a cell") << QByteArray(R"({"setting": 0, "tensor": "query", "cell": 1, "value": 2})");
        QTest::newRow("another setting") << QByteArray(R"({"add": true})");
        QTest::newRow("a setting less") << QByteArray(R"({"remove": 0})");
        QTest::newRow("a part") << QByteArray(R"({"part": "rows", "shown": true})");
        QTest::newRow("the mean of the heads") << QByteArray(R"({"head": -1})");
        QTest::newRow("an error of a setting") << QByteArray(R"({"setting": 0, "spec": {"position": {"id": "rope"}}})");
    }
    void an_update_leaves_out_what_is_as_before() {
        QFETCH(QByteArray, request);
        auto live = opened(), other = opened();
        auto board = json::parse(live.board()), result = json::parse(live.compute());
        const auto compare = [&](const json& update) {
            board = with_board(board, update["board"]);
            result = with_result(result, update["result"]);
            QCOMPARE(board.dump(), json::parse(other.board()).dump());
            QCOMPARE(result.dump(), json::parse(other.compute()).dump());
        };
        for (const auto& step : {request, QByteArray(R"({"draw": {"E": 3}})"), QByteArray(R"({"undo": true})")}) {
            const auto update = json::parse(live.update(step.toStdString()));
            other.change(step.toStdString());
            compare(update);
        }
        const auto again = json::parse(live.update(R"({"token": -1})"));
        QVERIFY(!again["board"].contains("show"));
        QVERIFY(again["board"]["settings"][0].is_null());
        for (const auto& stage : again["result"]["settings"][0]["stages"])
            QVERIFY(stage.is_null());
    }

    void heads_of_one_card_change() {
        auto live = opened(R"({"version": 1, "steps": [{
          "id": "growth", "inputs": {"draw": {"L": 3, "S": 4, "E": 4, "Ev": 2, "distribution": "normal", "seed": 5}},
          "settings": [{"id": "none"}], "board": "matrices", "live": ["head"],
          "cards": [{"id": "a", "setting": "none", "head": 0}, {"id": "b", "setting": "none", "head": 1}]}]})",
                           "# Heads\nOf cards.\n\n## growth: Step\nHeads.\n");
        const auto heads = [&] {
            const auto cards = json::parse(live.board())["cards"];
            return json{cards[0]["head"], cards[1]["head"]};
        };
        QVERIFY(json::parse(live.board())["own_heads"].get<bool>());
        live.change(R"({"head": 2, "card": 1})");
        QVERIFY(heads() == (json{0, 2}));
        live.change(R"({"head": -1, "card": 0})");
        QVERIFY(heads() == (json{nullptr, 2}));
        live.change(R"({"head": 3})");
        QVERIFY(heads() == (json{3, 3}));
        QVERIFY(json::parse(live.board())["own_heads"].get<bool>()); // as written
        QVERIFY_THROWS_EXCEPTION(Error, live.change(R"({"head": 1, "card": 2})"));
    }

    /// Masks are cropped and padded, matrices of a mechanism made again.
    void arrays_of_settings_follow_the_draw() {
        auto live = opened();
        auto spec = json::parse(live.board())["settings"][0]["spec"];
        spec["masks"] = json::array({{{"id", "key_padding"}, {"parameters", json::object()}}});
        live.change(json{{"setting", 0}, {"spec", spec}}.dump());
        spec["variant"] = "bilinear";
        spec["masks"] = json::array({{{"id", "neighborhood"}, {"parameters", json::object()}}});
        live.change(json{{"setting", 1}, {"spec", spec}}.dump());
        for (const auto& [keys, width] : {std::pair{64, 8}, {4, 128}, {6, 2}}) {
            live.change(json{{"draw", {{"L", keys}, {"S", keys}, {"E", width}}}}.dump());
            const auto settings = json::parse(live.compute())["settings"];
            for (const auto& setting : settings)
                QVERIFY2(!setting.contains("error"), setting.dump().c_str());
            QCOMPARE(live.input(0, "key_padding_mask").size(), static_cast<std::size_t>(keys));
            QCOMPARE(live.input(1, "bilinear_w").size(), static_cast<std::size_t>(width * width));
        }
        live.change(R"({"setting": 0, "tensor": "key_padding_mask", "cell": 5, "value": 0})");
        live.compute();
        QCOMPARE(live.input(0, "key_padding_mask")[5], 0.0);
    }

    /// The sum is that of the number, or there is none.
    void a_number_of_the_output_is_its_sum() {
        auto live = opened();
        for (const auto& [norm, mixed] : {std::pair{"none", true}, {"rms", false}}) {
            auto spec = json::parse(live.board())["settings"][0]["spec"];
            spec["variant"] = "differential";
            spec["parameters"] = {{"norm", norm}};
            live.change(json{{"setting", 0}, {"spec", spec}}.dump());
            const auto result = json::parse(live.compute());
            std::size_t output = 0;
            const auto shape = stage_called(result, 0, "output", output)["shape"].get<Shape>();
            const auto numbers = live.stage(0, output);
            for (std::int64_t query = 0; query < shape[shape.size() - 2]; ++query)
                for (std::int64_t feature = 0; feature < shape.back(); ++feature) {
                    const auto mix = json::parse(live.mix(0, output, 0, 0, query, feature));
                    QCOMPARE(mix.contains("parts"), mixed);
                    double sum = 0.0;
                    for (const auto& part : mix.value("parts", json::array()))
                        sum += part[2].get<double>();
                    const double number = numbers[static_cast<std::size_t>(query * shape.back() + feature)];
                    QVERIFY(!mixed || std::abs(sum - number) < 1e-12);
                }
        }
        QCOMPARE(live.mix(0, 0, 0, 0, 0, 99), std::string("{}"));
    }

    void a_mechanism_gets_its_inputs_data() {
        QTest::addColumn<QString>("id");
        for (const auto& mechanism : mechanisms())
            QTest::newRow(std::string(mechanism.id).c_str()) << QString::fromStdString(std::string(mechanism.id));
    }
    void a_mechanism_gets_its_inputs() {
        QFETCH(QString, id);
        auto live = opened();
        auto spec = json::parse(live.board())["settings"][0]["spec"];
        spec["variant"] = id.toStdString();
        spec["parameters"] = json::object();
        // The shapes of these contradict those of the scene.
        static const std::map<std::string, std::string> refused = {{"reformer", "value: has shape"}},
                                                        failed = {{"dynamic_context", "value: has width %1"}};
        const auto begins = [&](const std::string& words, const std::map<std::string, std::string>& expected) {
            const auto found = expected.find(id.toStdString());
            return found == expected.end() ? words.empty() : !words.empty() && words.starts_with(found->second);
        };
        std::string refusal;
        try {
            live.change(json{{"setting", 0}, {"spec", spec}}.dump());
        } catch (const Error& error) {
            refusal = error.what();
        }
        QVERIFY2(begins(refusal, refused), refusal.c_str());
        const auto used = json::parse(live.board())["settings"][0]["spec"]["variant"].get<std::string>();
        QCOMPARE(used, refusal.empty() ? id.toStdString() : std::string("scaled_dot_product"));
        const auto result = json::parse(live.compute())["settings"][0];
        const auto error = result.value("error", json::array({""}))[0].get<std::string>();
        QVERIFY2(begins(error, failed), result.dump().c_str());
        if (!error.empty())
            return;
        QVERIFY(!result["stages"].empty());
    }

    void an_error_changes_nothing_data() {
        QTest::addColumn<QByteArray>("request");
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("a size") << QByteArray(R"({"draw": {"E": 0}})");
        QTest::newRow("an unknown key") << QByteArray(R"({"draw": {"D": 4}})");
        QTest::newRow("an unknown setting")
            << QByteArray(R"({"setting": 2, "tensor": "query", "cell": 0, "value": 1})");
        QTest::newRow("an unknown input") << QByteArray(R"({"setting": 0, "tensor": "q", "cell": 0, "value": 1})");
        QTest::newRow("a cell outside") << QByteArray(R"({"setting": 0, "tensor": "query", "cell": 12, "value": 1})");
        QTest::newRow("a step of no training") << QByteArray(R"({"training": 1})");
        QTest::newRow("a part") << QByteArray(R"({"part": "nothing", "shown": true})");
        QTest::newRow("a painted cell outside")
            << QByteArray(R"({"setting": 0, "paint": {"query": 3, "key": 0, "blocked": true}})");
        QTest::newRow("an unknown scale")
            << QByteArray(R"({"setting": 0, "spec": {"scale": {"id": "nonsense", "parameters": {}}}})");
    }
    void an_error_changes_nothing() {
        QFETCH(QByteArray, request);
        auto live = opened();
        const auto before = live.board();
        QVERIFY_THROWS_EXCEPTION(Error, live.change(request.toStdString()));
        QCOMPARE(live.board(), before);
        live.compute();
    }

    void a_question_covers_its_cells() {
        auto live = opened();
        live.show(0, LiveLesson::Phase::Asking);
        auto result = json::parse(live.compute());
        for (const double value : numbers(live, result, 1, "scaled"))
            QVERIFY(std::isnan(value));
        QVERIFY(!std::isnan(numbers(live, result, 0, "scaled").front()));
        auto texts = json::parse(live.texts("en"));
        QCOMPARE(texts["question"].get<std::string>(), std::string("Is d four?"));
        QCOMPARE(texts["answer"].get<std::string>(), std::string("It is 4."));
        QCOMPARE(live.right_option(), std::string("yes"));
        live.show(0, LiveLesson::Phase::Answered);
        result = json::parse(live.compute());
        QVERIFY(!std::isnan(numbers(live, result, 1, "scaled").front()));
    }

    void texts_follow_the_scene() {
        auto live = opened();
        live.compute();
        QVERIFY(json::parse(live.texts("en"))["body"].get<std::string>().starts_with("d is 4"));
        live.change(R"({"draw": {"E": 64}})");
        live.compute();
        QVERIFY(json::parse(live.texts("zh_CN"))["body"].get<std::string>().starts_with("d is 64"));
        QCOMPARE(json::parse(live.texts("en"))["cards"]["root"].get<std::string>(), std::string("by the root"));
    }

    void a_cell_has_its_arithmetic() {
        auto live = opened();
        const auto result = json::parse(live.compute());
        const auto cell = json::parse(live.cell(1, 0, 0, 2, 1));
        QCOMPARE(cell["terms"].size(), std::size_t{4});
        double sum = 0.0;
        for (const auto& term : cell["terms"])
            sum += term[2].get<double>();
        const auto scores = numbers(live, result, 1, "scores"), weights = numbers(live, result, 1, "weights");
        QVERIFY(std::abs(sum - scores[9]) < 1e-12);
        QCOMPARE(cell["lines"].back()["value"].get<double>(), weights[9]);
        QVERIFY(!cell["blocked"].get<bool>());
        QVERIFY(json::parse(live.cell(1, 0, 0, 0, 3))["blocked"].get<bool>());
        QCOMPARE(live.cell(1, 0, 0, 0, 4), std::string("{}"));
    }

    void a_curve_has_a_point_for_each_size() {
        auto live = opened();
        live.compute();
        const auto curve = json::parse(live.curve());
        QCOMPARE(curve["over"].get<std::string>(), std::string("E"));
        QCOMPARE(curve["present"].get<int>(), 4);
        QCOMPARE(curve["values"].size(), std::size_t{2});
        const auto sizes = curve["sizes"].get<std::vector<int>>();
        QCOMPARE(sizes.back(), 1024);
        QCOMPARE(curve["values"][0].size(), sizes.size());
        const auto at = static_cast<std::size_t>(std::ranges::find(sizes, 4) - sizes.begin());
        const auto result = json::parse(live.compute());
        QCOMPARE(curve["values"][0][at].get<double>(), result["settings"][0]["numbers"]["variance"].get<double>());
        live.show(0, LiveLesson::Phase::Asking);
        live.compute();
        QCOMPARE(live.curve(), std::string("{}"));
    }

    void a_row_is_explained_operation_by_operation() {
        auto live = opened();
        const auto result = json::parse(live.compute());
        const auto row = json::parse(live.row(1, 0, 0, 2));
        const auto weights = numbers(live, result, 1, "weights"), output = numbers(live, result, 1, "output");
        QCOMPARE(row["queries"].get<int>(), 3);
        QCOMPARE(row["lines"].back()["operation"].get<std::string>(), std::string("divide"));
        for (std::size_t key = 0; key < 4; ++key) {
            QCOMPARE(row["lines"].back()["values"][key].get<double>(), weights[8 + key]);
            QCOMPARE(row["blocked"][key].get<bool>(), key == 3);
        }
        QCOMPARE(row["output"][1].get<double>(), output[5]);
        QCOMPARE(live.row(1, 0, 0, 3), std::string("{}"));
    }

    void exhibits_and_costs_are_described() {
        auto live = opened(tiles, "# T\nT\n\n## tiles: T\nT\n");
        const auto exhibit = json::parse(live.compute())["settings"][0]["exhibits"].at(0);
        QCOMPARE(exhibit["kind"].get<std::string>(), std::string("tiles"));
        QCOMPARE(exhibit["key_tiles"].get<int>(), 2);
        QVERIFY(exhibit["skipped"] == (json{0, 1, 0, 0}));
        QVERIFY(json::parse(live.board())["tile"] == (json{1, 0}));

        live = opened(costs, "# C\nC\n\n## costs: C\nC\n");
        live.compute();
        auto cost = json::parse(live.board())["costs"].at(0);
        QCOMPARE(cost["unit"].get<std::string>(), std::string("bytes"));
        QCOMPARE(cost["values"][0].get<double>(), 2.0 * cost["values"][1].get<double>());
        QCOMPARE(cost["curves"][1].size(), cost["sizes"].size());
        live.change(R"({"cache": {"groups": 8}})");
        cost = json::parse(live.board())["costs"].at(0);
        QCOMPARE(cost["values"][0].get<double>(), cost["values"][1].get<double>());
        QVERIFY_THROWS_EXCEPTION(Error, live.change(R"({"cache": {"groups": 3}})"));
    }

    void the_leak_test_and_rows_follow_the_view() {
        auto live = opened();
        QVERIFY(!json::parse(live.compute())["settings"][1].contains("leak"));
        for (const char* part : {"leak", "rows", "additive"})
            live.change(json{{"part", part}, {"shown", true}}.dump());
        live.change(R"({"token": 1})");
        const auto result = json::parse(live.compute());
        const auto& leak = result["settings"][1]["leak"];
        QCOMPARE(leak["moved"][0].get<double>(), 0.0); // the first query does not read key 1
        QVERIFY(leak["blocked"][0].get<bool>() && !leak["blocked"][2].get<bool>());
        QVERIFY(leak["moved"][2].get<double>() > 0.0);
        const auto& card = result["cards"][1];
        QCOMPARE(card["rows"].size(), std::size_t{3});
        QCOMPARE(card["rows"][0]["effective_keys"].get<double>(), 1.0);
        QCOMPARE(card["mask"]["values"][1].get<std::string>(), std::string("-inf"));
        QCOMPARE(card["mask"]["values"][0].get<double>(), 0.0);
    }

    void boards_change_by_requests() {
        auto live = opened();
        live.change(R"({"add": true})");
        QCOMPARE(json::parse(live.compute())["settings"].size(), std::size_t{3});
        live.change(R"({"remove": 0})");
        QCOMPARE(json::parse(live.board())["settings"][0]["id"].get<std::string>(), std::string("root"));

        live.change(R"({"setting": 0, "paint": {"query": 2, "key": 0, "blocked": true}})");
        QCOMPARE(numbers(live, json::parse(live.compute()), 0, "weights")[8], 0.0);
        live.change(R"({"setting": 0, "paint": {"query": 2, "key": 0, "blocked": false}})");
        QVERIFY(numbers(live, json::parse(live.compute()), 0, "weights")[8] > 0.0);
        QCOMPARE(json::parse(live.board())["settings"][0]["spec"]["masks"].size(), std::size_t{1});

        live.change(R"({"setting": 0, "float32": true})");
        const auto weight = numbers(live, json::parse(live.compute()), 0, "weights")[8];
        QCOMPARE(static_cast<double>(static_cast<float>(weight)), weight);
    }

    void changes_are_undone() {
        auto live = opened();
        const auto first = live.board();
        QVERIFY_THROWS_EXCEPTION(Error, live.change(R"({"undo": true})"));
        for (const char* request : {R"({"draw": {"E": 8}, "step": "a"})", R"({"draw": {"E": 16}, "step": "a"})",
                                    R"({"setting": 0, "tensor": "query", "cell": 0, "value": 3, "step": "b"})"})
            live.change(request);
        QVERIFY_THROWS_EXCEPTION(Error, live.change(R"({"draw": {"E": 0}, "step": "c"})"));
        live.compute();
        QCOMPARE(live.input(0, "query")[0], 3.0);
        live.change(R"({"undo": true})");
        live.compute();
        QVERIFY(live.input(0, "query")[0] != 3.0);
        QCOMPARE(json::parse(live.board())["draw"]["E"].get<int>(), 16);
        live.change(R"({"draw": {"E": 32}, "step": "a"})"); // a step of its own, after what was undone
        live.change(R"({"undo": true})");
        QCOMPARE(json::parse(live.board())["draw"]["E"].get<int>(), 16);
        live.change(R"({"undo": true})");
        QCOMPARE(live.board(), first);
        live.change(R"({"token": 1})");
        live.show(0, LiveLesson::Phase::Open);
        QVERIFY(!json::parse(live.board())["undo"].get<bool>());
    }

    void choices_have_every_mechanism() {
        const auto choices = json::parse(lessons::choices_json());
        QCOMPARE(choices["mechanisms"].size(), mechanisms().size());
        QCOMPARE(choices["scales"].size(), scale_modes().size());
        for (const auto& scale : choices["scales"])
            QVERIFY(scale["title"].is_string() && scale["parameters"].is_array());
    }
};

ATTNLAB_TEST(LiveLessonTest)
#include "test_live_lesson.moc"
