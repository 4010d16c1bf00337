// The colours of queries, keys and values: told apart by everybody, and the same in every view.
#include "core/inputs.h"
#include "tests/test_main.h"
#include "tests/ui/exhibit_traces.h"
#include "tests/ui/traces.h"
#include "ui/drawing/formula_view.h"
#include "ui/drawing/role_color.h"
#include "ui/learn/cards/cards_area.h"
#include "ui/learn/lab/arrows_board.h"
#include "ui/learn/lab/inputs_editor.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/exhibits/tile_walk_view.h"
#include "ui/pages/matrix_page.h"
#include "ui/pages/step/step_view.h"
#include "ui/widgets/labels.h"

#include <array>
#include <cmath>
#include <QDir>
#include <QFile>
#include <QPainter>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTabBar>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

using Triple = std::array<double, 3>;
using Matrix3 = std::array<Triple, 3>;

constexpr std::array roles = {AttentionRole::Query, AttentionRole::Key, AttentionRole::Value};
constexpr std::array themes = {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::ContrastLight,
                               ThemeChoice::ContrastDark};

/// Machado, Oliveira, Fernandes 2009, severity 1: normal sight, protanopia, deuteranopia, tritanopia; of linear RGB.
constexpr std::array<Matrix3, 4> sights{
    {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

Triple times(const Matrix3& matrix, const Triple& x) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            result[i] += matrix[i][j] * x[j];
    return result;
}

/// CIE L*a*b* of a colour as somebody sees it.
Triple labOf(const QColor& color, const Matrix3& sight) {
    Triple linear{color.redF(), color.greenF(), color.blueF()};
    for (double& part : linear)
        part = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    linear = times(sight, linear);
    for (double& part : linear)
        part = std::clamp(part, 0.0, 1.0);
    constexpr Matrix3 xyz{{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
    auto f = times(xyz, linear);
    const Triple white{0.9505, 1.0, 1.089};
    for (std::size_t k = 0; k < 3; ++k) {
        const double share = f[k] / white[k];
        f[k] = share > 0.008856 ? std::cbrt(share) : 7.787 * share + 16.0 / 116.0;
    }
    return {116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])};
}

double differenceOf(const QColor& one, const QColor& other, const Matrix3& sight) {
    const auto a = labOf(one, sight), b = labOf(other, sight);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Edges are mixed with the background by a fraction.
bool contains(const QImage& image, const QColor& color) {
    constexpr double hardly = 3.0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (differenceOf(image.pixelColor(x, y), color, sights[0]) < hardly)
                return true;
    return false;
}

/// Of the drawing painted in the current theme.
QImage paintedImage(const Drawing& drawing, const QSize& size, const QFont& font = QApplication::font()) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme().card);
    QPainter painter(&image);
    drawing.paint(painter, QRectF(QPointF(), QSizeF(size)), {theme(), font});
    return image;
}

} // namespace

class TestRoleColor : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void stagesHaveRoles() {
        QVERIFY(roleOf("query") == AttentionRole::Query);
        QVERIFY(roleOf("encoder.0.self.rotated_key") == AttentionRole::Key);
        QVERIFY(roleOf("projected_value") == AttentionRole::Value);
        for (const auto* none : {"scores", "weights", "output", "key_pages", "key_padding_mask", "query_offset", ""})
            QVERIFY2(!roleOf(none), none);
    }

    void rolesAreLegible() {
        for (const auto choice : themes) {
            const Theme& look = themeOf(choice);
            for (const auto role : roles)
                for (const auto& back : {look.window, look.card, look.control, look.accent_soft}) {
                    const double contrast = contrastOf(roleColor(role, look), back);
                    QVERIFY2(contrast >= (look.high_contrast ? 7.0 : 4.5), qPrintable(QString::number(contrast)));
                }
        }
    }

    void theColourBlindTellThemApart() {
        constexpr double clearly = 20.0; // 2.3 is just noticeable
        for (const auto choice : themes) {
            const Theme& look = themeOf(choice);
            for (std::size_t k = 0; k < roles.size(); ++k) {
                const QColor one = roleColor(roles[k], look), next = roleColor(roles[(k + 1) % 3], look);
                for (const auto& sight : sights)
                    QVERIFY2(differenceOf(one, next, sight) >= clearly,
                             qPrintable(QString("%1 and %2").arg(one.name(), next.name())));
                QVERIFY(differenceOf(one, look.pin, sights[0]) >= clearly);
            }
        }
    }

    void formulasHaveThem() {
        QFile file(":/attnlab/formulas/attention_sqrt_dk.svg");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto svg = file.readAll();
        for (const auto role : roles) // as the script writes them
            QVERIFY(svg.contains(roleColor(role, themeOf(ThemeChoice::Light)).name().toLatin1()));
        applyTheme(ThemeChoice::Dark);
        FormulaView view;
        view.setFormula("attention_sqrt_dk");
        view.setMaximumScale(6.0);
        view.resize(view.sizeHint());
        const QImage image = view.grab().toImage();
        for (const auto role : roles) {
            QVERIFY(contains(image, roleColor(role, theme())));
            QVERIFY(!contains(image, roleColor(role, themeOf(ThemeChoice::Light))));
        }
        // In one colour where a choice is refused.
        QImage plain(view.size(), QImage::Format_RGB32);
        plain.fill(theme().card);
        QPainter painter(&plain);
        Formula("attention_sqrt_dk", theme().muted).paint(painter, QRectF(QPointF(), QSizeF(view.size())));
        painter.end();
        QVERIFY(contains(plain, theme().muted) && !contains(plain, roleColor(AttentionRole::Key, theme())));
    }

    /// k is an index below a sum, and v a learned vector in additive scores.
    void onlyTheirOwnLettersAreColoured() {
        const auto contents = [](const char* id) {
            QFile file(QStringLiteral(":/attnlab/formulas/%1.svg").arg(QLatin1String(id)));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const auto has = [&](const char* id, AttentionRole role) {
            return contents(id).contains(roleColor(role, themeOf(ThemeChoice::Light)).name().toLatin1());
        };
        QVERIFY(!contents("stage_weights").isEmpty() && !has("stage_weights", AttentionRole::Key));
        QVERIFY(has("additive", AttentionRole::Query) && !has("additive", AttentionRole::Value));
        QVERIFY(has("stage_output", AttentionRole::Value));
    }

    /// Every formula whose text has the letter, in words and indices aside; v in additive scores is no value.
    void everyFormulaHasThem_data() {
        QTest::addColumn<QString>("id");
        for (const auto& file : QDir(":/attnlab/formulas").entryList({"*.svg"}))
            QTest::newRow(qPrintable(file)) << file;
    }

    void everyFormulaHasThem() {
        QFETCH(QString, id);
        QFile file(":/attnlab/formulas/" + id);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString svg = QString::fromUtf8(file.readAll());
        QString text = QRegularExpression("<title>(.*)</title>").match(svg).captured(1);
        QVERIFY(!text.isEmpty());
        text.remove("v · tanh");
        text.remove(QRegularExpression("\\w*_[\\w,]+|\\w{3,}"));
        for (std::size_t k = 0; k < roles.size(); ++k) {
            const QString letter = QStringLiteral("QKV").mid(static_cast<int>(k), 1);
            static constexpr auto pattern = "(?<!\\w)[%1%2]{1,2}(?!\\w)";
            const bool named = letter == "V"
                                   ? text.contains(QRegularExpression("(?<![\\wQK])[Vv](?!\\w)"))
                                   : text.contains(QRegularExpression(QString(pattern).arg(letter, letter.toLower())));
            if (named)
                QVERIFY2(svg.contains(roleColor(roles[k], themeOf(ThemeChoice::Light)).name()),
                         qPrintable(letter + " in " + text));
        }
    }

    void tilesOfFlashHaveThem() {
        ViewState state;
        TileWalkView view(state);
        view.resize(900, 600);
        view.show();
        view.setTrace(withTiles(problemOf(1, 4, 4, 3), 2, 2));
        QCoreApplication::processEvents();
        for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(choice);
            QFont large = QApplication::font(); // thin letters have no pixel of their full colour
            large.setPixelSize(32);
            const QImage image = paintedImage(view.drawing(), QSize(1400, 1000), large);
            QVERIFY(contains(image, roleColor(AttentionRole::Query, theme())));
            QVERIFY(contains(image, roleColor(AttentionRole::Key, theme())));
        }
    }

    void inputsOfABoardHaveThem() {
        lab::Scene scene;
        scene.settings.resize(1);
        scene.tensors = problemOf(1, 3, 3, 2).tensors;
        SceneModel model;
        model.begin(scene, {});
        QTRY_VERIFY(model.result() && !model.isComputing());
        InputsEditor editor(model, nullptr);
        editor.open();
        for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(choice);
            for (int k = 0; k < editor.tabs()->count(); ++k) {
                const auto role = roleOf(editor.tabs()->tabData(k).toString().toStdString());
                QVERIFY(role);
                QTRY_COMPARE(editor.tabs()->tabTextColor(k), roleColor(*role, theme()));
            }
        }
        QCOMPARE(editor.tabs()->count(), 3);
    }

    void arrowsHaveThem() {
        const auto trace = run();
        for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(choice);
            const auto drawing = ArrowsDrawing::of(trace, 0, 3.0);
            const QSize size(800, 600);
            const QImage image = paintedImage(drawing, size);
            /// Where no name and no other arrow is.
            const auto middle_has = [&](ArrowKind kind, int row, AttentionRole role) {
                const QRectF area{QPointF(), QSizeF(size)};
                const ArrowTip tip{kind, row};
                const QPointF to = drawing.positionOf(tip, area, QApplication::font());
                const double unit = drawing.positionOf({ArrowKind::Key, 0}, area, QApplication::font()).x() -
                                    drawing.positionOf({ArrowKind::Key, 1}, area, QApplication::font()).x();
                const QPointF point = drawing.tipOf(tip);
                const QPoint at = (to - 0.4 * unit * QPointF(point.x(), -point.y())).toPoint();
                return contains(image.copy(QRect(at - QPoint(2, 2), QSize(5, 5))), roleColor(role, theme()));
            };
            QVERIFY(middle_has(ArrowKind::Query, 0, AttentionRole::Query));
            QVERIFY(middle_has(ArrowKind::Query, 1, AttentionRole::Query)); // though the planes are about the other
            for (const int row : {0, 1}) {
                QVERIFY(middle_has(ArrowKind::Key, row, AttentionRole::Key));
                QVERIFY(middle_has(ArrowKind::Value, row, AttentionRole::Value));
            }
        }
    }

    void stepsHaveThem() {
        StepView view;
        view.setTrace(computed(twoKeyProblem()));
        const auto has = [&](AttentionRole role) {
            return contains(paintedImage(*view.picture(), QSize(900, 600)), roleColor(role, theme()));
        };
        QFont large = QApplication::font();
        large.setPixelSize(32);
        view.setStep("sum"); // the row "q · k"
        const QImage ledger = paintedImage(*view.picture(), QSize(1600, 1000), large);
        QVERIFY(contains(ledger, roleColor(AttentionRole::Query, theme())));
        QVERIFY(contains(ledger, roleColor(AttentionRole::Key, theme())));
        for (const auto choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
            applyTheme(choice);
            int found = 0;
            for (const auto* label : view.findChildren<QLabel*>())
                if (label->text() == "query" || label->text() == "key") {
                    const auto role = label->text() == "key" ? AttentionRole::Key : AttentionRole::Query;
                    QTRY_COMPARE(label->palette().color(label->foregroundRole()), roleColor(role, theme()));
                    ++found;
                }
            QCOMPARE(found, 2);
        }
        view.setByTerms(true);
        QVERIFY(has(AttentionRole::Query) && has(AttentionRole::Key) && !has(AttentionRole::Value));
        view.setStep("mix");
        QVERIFY(has(AttentionRole::Value)); // beside the row "q · k"
    }

    void titlesFollowStageAndTheme() {
        ViewState view;
        MatrixPage page(view);
        page.setTrace(computed(milkProblem()));
        page.show();
        const auto color = [&] {
            for (const auto* label : page.findChildren<ElidedLabel*>())
                if (label->text() == page.title())
                    return label->palette().color(QPalette::WindowText);
            return QColor();
        };
        view.setStage("key");
        QCOMPARE(color(), roleColor(AttentionRole::Key, theme()));
        applyTheme(ThemeChoice::Dark); // widgets receive it by an event
        QTRY_COMPARE(color(), roleColor(AttentionRole::Key, theme()));
        view.setStage("weights");
        QTRY_COMPARE(color(), theme().text);

        CardView card;
        card.show();
        CardContent content;
        content.title = "query";
        content.role = AttentionRole::Query;
        card.setContent(content, false, false);
        const auto* title = card.findChild<ElidedLabel*>();
        QCOMPARE(title->palette().color(QPalette::WindowText), roleColor(AttentionRole::Query, theme()));
        applyTheme(ThemeChoice::Light);
        QTRY_COMPARE(title->palette().color(QPalette::WindowText), roleColor(AttentionRole::Query, theme()));
    }

    void tilesHaveThem() {
        ViewState view;
        StageStrip strip(view);
        strip.resize(1200, 90);
        AttentionProblem linformer;
        linformer.spec.variant = "linformer";
        linformer.tensors = problemOf(1, 6, 6, 4).tensors;
        linformer.spec.parameters.set("k", std::int64_t{2});
        complete_inputs(linformer, 4);
        strip.setTrace(computed(linformer));
        strip.show();
        view.setStage("weights");
        QVERIFY(strip.tile("projected_value"));
        QVERIFY(contains(strip.tile("projected_value")->grab().toImage(), roleColor(AttentionRole::Value, theme())));
        QVERIFY(!contains(strip.tile("scores")->grab().toImage(), roleColor(AttentionRole::Value, theme())));
    }

private:
    /// Arrows along the axes, so that lines have pixels of their full colour.
    static Trace run() {
        AttentionProblem problem;
        problem.tensors = {{"query", Tensor({2, 2}, {0.0, -2.0, -2.0, 0.0})},
                           {"key", Tensor({2, 2}, {1.0, 0.0, 0.0, 2.0})},
                           {"value", Tensor({2, 2}, {-2.0, 0.0, 0.0, -2.0})}};
        return reference_backend().run(problem, {});
    }
};

ATTNLAB_TEST(TestRoleColor)
#include "test_role_color.moc"
