#include "ui/document/document.h"
#include "ui/drawing/formula_view.h"
#include "ui/panels/mechanism/formula_panel.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include "core/mechanisms.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/test_main.h"

#include <QLayout>
#include <QPainter>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Every formula required by the tables.
QStringList neededFormulas() {
    QStringList ids;
    for (const auto& each : mechanisms())
        ids << textOf(each.id);
    QSet<QString> lines;
    for (const auto& each : mechanisms())
        if (!each.attention_line.empty())
            lines << textOf(each.attention_line);
    for (const auto& mode : scale_modes()) {
        const QString id = textOf(mode.id);
        ids << QStringLiteral("scale_") + id;
        for (const auto* suffix : {"", "_masked", "_after", "_after_masked"})
            if (mode.factor || !QString::fromLatin1(suffix).contains(QStringLiteral("after")))
                for (const auto& line : lines)
                    ids << QStringLiteral("%1_%2%3").arg(line, id, QString::fromLatin1(suffix));
    }
    for (const auto& term : position_terms())
        ids << QStringLiteral("position_") + textOf(term.id);
    for (const auto* stage : {"scores", "scaled", "masked", "weights", "lse", "output", "weights_mean", "entropy",
                              "effective_keys", "max_weight", "jacobian_norm"})
        ids << QStringLiteral("stage_") + QString::fromLatin1(stage);
    return ids;
}

/// Average colour of what is painted, weighted by coverage; invalid if nothing is.
QColor ink(const QImage& image) {
    qint64 alpha = 0, red = 0, green = 0, blue = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            alpha += pixel.alpha();
            red += pixel.red() * pixel.alpha();
            green += pixel.green() * pixel.alpha();
            blue += pixel.blue() * pixel.alpha();
        }
    if (alpha == 0)
        return {};
    const auto share = [alpha](qint64 sum) { return static_cast<int>(sum / alpha); };
    return {share(red), share(green), share(blue)};
}

QImage rendered(const QString& id) {
    const Formula formula(id, theme().text, theme());
    const QSizeF size = formula.size(20);
    QImage image(size.toSize() + QSize(1, 1), QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    formula.paint(painter, QRectF(QPointF(0, 0), size));
    return image;
}

} // namespace

class TestFormulaView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void everyFormulaRendersInBothThemes_data();
    void everyFormulaRendersInBothThemes();
    void accentFollowsTheTheme();
    void viewFollowsThePalette();
    void fitsItsWidth();
    void neverGrowsBeyondItsScale();
    void fallsBackToPlainText();
    void panelShowsTheScaleInForce_data();
    void panelShowsThePosition();
    void panelSaysThatTheMaskReplaces();
    void panelShowsTheScaleInForce();
    void panelFollowsTheDocument();
    void panelIsCompact();
    void everyIconFollowsThePalette_data();
    void everyIconFollowsThePalette();
};

void TestFormulaView::everyFormulaRendersInBothThemes_data() {
    QTest::addColumn<QString>("id");
    for (const auto& id : neededFormulas())
        QTest::addRow("%s", qPrintable(id)) << id;
}

void TestFormulaView::everyFormulaRendersInBothThemes() {
    QFETCH(QString, id);
    QVERIFY(hasFormula(id));
    QVERIFY(!formulaText(id).isEmpty());
    applyTheme(ThemeChoice::Light);
    const QColor light = ink(rendered(id));
    applyTheme(ThemeChoice::Dark);
    const QColor dark = ink(rendered(id));
    QVERIFY(light.isValid());
    QVERIFY(dark.isValid());
    QVERIFY(light.lightness() < 128);
    QVERIFY(dark.lightness() > 128);
}

void TestFormulaView::accentFollowsTheTheme() {
    for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        applyTheme(choice);
        const QImage image = rendered(QStringLiteral("attention_sqrt_dk"));
        const auto holds = [&](const QColor& color) {
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y) == color)
                        return true;
            return false;
        };
        QVERIFY(holds(theme().text));
        QVERIFY(holds(theme().accent));
    }
}

void TestFormulaView::viewFollowsThePalette() {
    applyTheme(ThemeChoice::Light);
    FormulaView view;
    view.setFormula(QStringLiteral("attention_sqrt_dk"));
    view.resize(view.sizeHint());
    view.show();
    const QImage light = view.grab().toImage();
    applyTheme(ThemeChoice::Dark);
    // The widgets receive the palette by an event.
    QTRY_COMPARE(view.palette().color(QPalette::WindowText), theme().text);
    const QImage dark = view.grab().toImage();
    QVERIFY(light != dark);
    const auto lightest = [](const QImage& image) {
        int value = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                value = std::max(value, image.pixelColor(x, y).lightness());
        return value;
    };
    // Light letters on a dark background.
    QVERIFY(lightest(dark) >= theme().text.lightness() - 8);
}

void TestFormulaView::fitsItsWidth() {
    FormulaView view;
    view.setFormula(QStringLiteral("grouped_query"));
    const QSize full = view.sizeHint();
    QCOMPARE(view.heightForWidth(full.width()), full.height());
    QVERIFY(std::abs(view.heightForWidth(full.width() / 2) - full.height() / 2) <= 2);
    QVERIFY(view.minimumSizeHint().width() <= 120);
}

void TestFormulaView::neverGrowsBeyondItsScale() {
    FormulaView view;
    view.setFormula(QStringLiteral("attention_none"));
    QCOMPARE(view.heightForWidth(4000), view.heightForWidth(view.sizeHint().width()));
    const int large = view.sizeHint().height();
    view.setMaximumScale(0.7);
    QVERIFY(std::abs(view.sizeHint().height() - large / 2) <= 2);
}

void TestFormulaView::fallsBackToPlainText() {
    FormulaView view;
    view.setFormula(QStringLiteral("not_typeset"), QStringLiteral("a + b"));
    QCOMPARE(view.accessibleName(), QStringLiteral("a + b"));
    QVERIFY(view.sizeHint().width() > 10);
    view.resize(view.sizeHint());
    const QImage image = view.grab().toImage();
    bool painted = false;
    for (int x = 1; x < image.width() && !painted; ++x)
        painted = image.pixel(x, image.height() / 2) != image.pixel(0, 0);
    QVERIFY(painted);
    view.setFormula(QStringLiteral("attention_sqrt_dk"));
    QCOMPARE(view.accessibleName(), QStringLiteral("softmax(Q Kᵀ / √d_k) V"));
}

void TestFormulaView::panelShowsTheScaleInForce_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("scale");
    QTest::addColumn<bool>("after");
    QTest::addColumn<bool>("masked");
    QTest::addColumn<QString>("formula");
    QTest::newRow("default") << "scaled_dot_product"
                             << "" << false << false << "attention_sqrt_dk";
    QTest::newRow("chosen") << "self"
                            << "dk" << false << false << "attention_dk";
    QTest::newRow("masked") << "multi_head"
                            << "temperature" << false << true << "attention_temperature_masked";
    QTest::newRow("as printed") << "scaled_dot_product"
                                << "" << true << false << "attention_sqrt_dk_after";
    QTest::newRow("masks by itself") << "causal"
                                     << "" << false << false << "attention_sqrt_dk_masked";
    QTest::newRow("no factor") << "self"
                               << "score_norm" << true << false << "attention_score_norm";
    QTest::newRow("another score function") << "bilinear"
                                            << "" << false << true << "score_attention_none_masked";
    QTest::newRow("unknown") << "self"
                             << "tomorrow" << false << false << "";
}

void TestFormulaView::panelShowsThePosition() {
    Document document;
    FormulaPanel panel(document);
    AttentionProblem problem;
    document.reset(problem);
    QVERIFY(panel.positionView()->isHidden());
    problem.spec.position.id = "rope";
    document.reset(problem);
    QVERIFY(!panel.positionView()->isHidden());
    QCOMPARE(panel.positionView()->accessibleName(), formulaText(QStringLiteral("position_rope")));
    QCOMPARE(attentionFormula(problem.spec), QStringLiteral("attention_sqrt_dk"));
    problem.spec.position.id = "alibi"; // a bias is an M
    QCOMPARE(attentionFormula(problem.spec), QStringLiteral("attention_sqrt_dk_masked"));
}

void TestFormulaView::panelSaysThatTheMaskReplaces() {
    Document document;
    FormulaPanel panel(document);
    AttentionProblem problem;
    problem.spec.mask_fill.value = -1e9;
    document.reset(problem);
    QVERIFY(panel.fillView()->isHidden()); // there is no mask
    problem.spec.masks = {{"causal", {}}};
    document.reset(problem);
    QVERIFY(!panel.fillView()->isHidden());
    QVERIFY(panel.fillView()->accessibleName().contains(QStringLiteral("become −1e9")));
    problem.spec.mask_fill.mode = MaskFill::Mode::Add;
    document.reset(problem);
    QVERIFY(panel.fillView()->isHidden());
    problem.spec.mask_fill = {};
    document.reset(problem);
    QVERIFY(panel.fillView()->isHidden());
}

void TestFormulaView::panelShowsTheScaleInForce() {
    QFETCH(QString, variant);
    QFETCH(QString, scale);
    QFETCH(bool, after);
    QFETCH(bool, masked);
    QFETCH(QString, formula);
    AttentionSpec spec;
    spec.variant = variant.toStdString();
    spec.scale.id = scale.toStdString();
    spec.scale_after_softmax = after;
    if (masked)
        spec.masks.push_back({"causal", {}});
    QCOMPARE(attentionFormula(spec), formula);
}

/// The inspector below it needs the room.
void TestFormulaView::panelIsCompact() {
    Document document;
    FormulaPanel panel(document);
    for (const auto& variant : mechanisms()) {
        auto spec = document.problem().spec;
        spec.variant = variant.id;
        document.setSpec(spec, QStringLiteral("test"));
        const int height = panel.layout()->totalHeightForWidth(318), line = panel.fontMetrics().height();
        QVERIFY2(height <= 7.5 * line, qPrintable(QStringLiteral("%1: %2 px, %3 px a line")
                                                      .arg(QString::fromStdString(std::string(variant.id)))
                                                      .arg(height)
                                                      .arg(line)));
    }
}

void TestFormulaView::panelFollowsTheDocument() {
    Document document;
    FormulaPanel panel(document);
    QCOMPARE(panel.attentionView()->id(), QStringLiteral("attention_sqrt_dk"));
    auto spec = document.problem().spec;
    spec.variant = "multi_query";
    spec.scale.id = "dk";
    document.setSpec(spec, QStringLiteral("test"));
    QCOMPARE(panel.attentionView()->id(), QStringLiteral("attention_dk"));
    QCOMPARE(panel.variantView()->id(), QStringLiteral("multi_query"));
    document.undoStack()->undo();
    QCOMPARE(panel.attentionView()->id(), QStringLiteral("attention_sqrt_dk"));
}

void TestFormulaView::everyIconFollowsThePalette_data() {
    QTest::addColumn<QString>("name");
    for (const auto* name :
         {"new",       "open", "save",   "export", "undo",  "redo", "copy",   "paste", "zoom-in", "zoom-out",
          "zoom-fit",  "lock", "unlock", "paint",  "erase", "row",  "column", "fill",  "resize",  "diagonal",
          "rectangle", "add",  "remove", "play",   "pin",   "mean", "theme",  "help",  "warning", "language"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestFormulaView::everyIconFollowsThePalette() {
    QFETCH(QString, name);
    const QIcon drawn = icon(name);
    QVERIFY(!drawn.isNull());
    const auto color = [&](QIcon::Mode mode) { return ink(drawn.pixmap(QSize(48, 48), mode).toImage()); };
    applyTheme(ThemeChoice::Light);
    QVERIFY(color(QIcon::Normal).isValid());
    QVERIFY(color(QIcon::Normal).lightness() < 128);
    const QImage usable = drawn.pixmap(QSize(48, 48)).toImage();
    QVERIFY(drawn.pixmap(QSize(48, 48), QIcon::Disabled).toImage() != usable);
    applyTheme(ThemeChoice::Dark);
    QVERIFY(color(QIcon::Normal).lightness() > 128);
    QVERIFY(icon(QStringLiteral("no such icon")).isNull());
}

ATTNLAB_TEST(TestFormulaView)
#include "test_formula_view.moc"
