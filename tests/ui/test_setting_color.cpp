// One colour for one setting.
#include "tests/test_main.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/learn/cards/card_content.h"
#include "ui/widgets/theme.h"

#include <QTest>

#include <set>

using namespace attnlab;
using namespace attnlab::ui;

class TestSettingColor : public QObject {
    Q_OBJECT

    static lab::Scene sceneOf(std::initializer_list<const char*> scales) {
        lab::Scene scene;
        for (const char* scale : scales) {
            auto& setting = scene.settings.emplace_back();
            setting.id = "s" + std::to_string(scene.settings.size());
            setting.spec.scale.id = scale;
        }
        return scene;
    }

private slots:
    void aScaleHasOneColorInEveryScene() {
        const auto first = settingColors(sceneOf({"none", "sqrt_dk"}));
        const auto second = settingColors(sceneOf({"dk", "sqrt_dk", "none"}));
        QCOMPARE(second[1], first[1]);
        QCOMPARE(second[2], first[0]);
        QCOMPARE(settingColors(sceneOf({"sqrt_dk"}))[0], first[1]);
    }

    void aSecondSettingOfAScaleTakesNoColorOfACommonOne() {
        const auto colors = settingColors(sceneOf({"dk", "dk", "sqrt_dk"}));
        const auto common = settingColors(sceneOf({"none", "sqrt_dk", "dk"}));
        QCOMPARE(colors[0], common[2]);
        QVERIFY(std::ranges::find(common, colors[1]) == common.end());
    }

    void settingsOfASceneHaveDifferentColors() {
        const auto colors = settingColors(sceneOf({"temperature", "temperature", "log_n", "none", "none", "sqrt_dk"}));
        QCOMPARE(std::set<int>(colors.begin(), colors.end()).size(), colors.size());
        std::set<QRgb> shown;
        for (int color = 0; color < 8; ++color)
            shown.insert(seriesColor(color, theme()).rgb());
        QCOMPARE(shown.size(), std::size_t{8});
    }
};

ATTNLAB_TEST(TestSettingColor)
#include "test_setting_color.moc"
