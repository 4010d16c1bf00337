// Files written by PyTorch, NumPy, safetensors and Transformers, in the window: it asks about ambiguities, shows equal
// numbers, and reports what it left out.
#include "tests/own_cases.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/window/main_window.h"

#include "core/parameter.h"
#include "core/recognition/recognition.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"

#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>

using namespace attnlab;
using namespace attnlab::ui;
using namespace attnlab::test;

namespace {

/// The choices made in the dialog.
Choices choicesOf(const OwnCase& own, Choices choices) {
    const auto number = [&](const char* name) -> std::optional<std::int64_t> {
        for (const auto& setting : own.values("--set"))
            if (setting.startsWith(QLatin1String(name) + QLatin1Char('=')))
                return setting.section(QLatin1Char('='), 1).toLongLong();
        return std::nullopt;
    };
    choices.num_heads = number("num_heads");
    choices.num_kv_heads = number("num_kv_heads");
    for (const auto& layout : own.values("--layout"))
        choices.layout = layout.toStdString();
    for (const auto& prefix : own.values("--prefix"))
        choices.group = prefix.toStdString();
    for (const auto& role : own.values("--role"))
        choices.roles[role.section(QLatin1Char('='), 0, -2).toStdString()] =
            role.section(QLatin1Char('='), -1).toStdString();
    return choices;
}

/// The settings made in the panels once the arrays are loaded.
AttentionSpec settingOf(const OwnCase& own, AttentionSpec spec) {
    for (const auto& scale : own.values("--scale"))
        spec.scale = parse_scale(scale.toStdString());
    for (const auto& position : own.values("--position"))
        spec.position = parse_position(position.toStdString());
    for (const auto& mask : own.values("--mask"))
        spec.masks.push_back(parse_mask(mask.toStdString()));
    if (own.values("--mask-true").contains("keeps"))
        spec.mask_true = MaskTrue::Keeps;
    if (own.values("--set").contains("add_zero_attn=true"))
        spec.parameters.set("add_zero_attn", true);
    return spec;
}

} // namespace

class TestOwnFixtures : public QObject {
    Q_OBJECT

    const std::vector<OwnCase> cases_ = own_cases();
    std::unique_ptr<MainWindow> window_;

    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing(), 10000); }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabOwnFixturesTest");
        window_ = std::make_unique<MainWindow>(Backends(backends));
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->show();
    }
    void cleanupTestCase() { window_.reset(); }

    void theWindowShowsTheirNumbers_data() { add_rows(cases_); }
    void theWindowShowsTheirNumbers() {
        QFETCH(int, row);
        const auto& own = cases_[static_cast<std::size_t>(row)];
        QSettings().clear(); // no choice is remembered
        int asked = 0;
        auto& files = window_->files();
        files.setArrayChooser([&](const auto&, const Choices& choices) {
            ++asked;
            return std::optional(choicesOf(own, choices));
        });
        QSignalSpy opened(&files, &FileController::opened);
        files.open(own.files);
        const auto chooses = own.options.contains("--layout") || own.options.contains("--role") ||
                             own.values("--set").join(' ').contains("num_heads");
        QTRY_COMPARE(opened.count(), own.asks ? 2 : 1);
        if (!own.asks && chooses) { // choices that files never contain: Choose in the bar of remarks
            QVERIFY(files.mayChooseArrays());
            files.chooseArrays();
            QTRY_COMPARE(opened.count(), 2);
        }
        QCOMPARE(asked > 0, own.asks || chooses);
        for (const auto& result : opened)
            QVERIFY(result.first().toBool());
        auto& document = window_->document();
        const auto spec = settingOf(own, document.problem().spec);
        if (!(spec == document.problem().spec))
            document.setSpec(spec, "Set");
        settle();
        QCOMPARE(QString::fromStdString(document.problem().spec.variant), own.mechanism);
        QVERIFY(window_->computed());
        for (const auto& [stage, expected] : own.expected()) {
            const auto* found = window_->computed()->trace.find(stage);
            QVERIFY2(found, stage.c_str());
            const auto differs = difference(found->value, expected, own.tolerance);
            QVERIFY2(differs.isEmpty(), qPrintable(QString::fromStdString(stage) + ": " + differs));
        }
        QStringList said;
        for (const auto& remark : document.remarks())
            said << remark.text();
        for (const auto& name : own.unused)
            QVERIFY2(!said.filter(name + " is not used: ").isEmpty(), qPrintable(name));
        QVERIFY2(said.filter("random numbers").isEmpty(), qPrintable(said.join('\n')));
    }
};

ATTNLAB_TEST(TestOwnFixtures)
#include "test_own_fixtures.moc"
