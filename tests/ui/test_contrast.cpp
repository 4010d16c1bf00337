// What can be read and seen in every theme: the colours themselves, and the controls that are drawn with them.
#include "tests/test_main.h"
#include "ui/drawing/colormap.h"
#include "ui/matrix/stages/thumbnail_grid.h"
#include "ui/pages/exhibits/bucket_sort_view.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QStyle>
#include <QTest>
#include <QToolButton>

using namespace attnlab::ui;

namespace {

constexpr double least_for_text = 4.5, least_for_strong_text = 7.0, least_for_shapes = 3.0;

struct NamedColor {
    const char* name;
    QColor Theme::*color;
};
constexpr NamedColor theme_backgrounds[] = {{"window", &Theme::window},
                                            {"card", &Theme::card},
                                            {"control", &Theme::control},
                                            {"accent_soft", &Theme::accent_soft}};

QString pairName(const char* theme, const NamedColor& front, const NamedColor& back) {
    return QStringLiteral("%1: %2 on %3")
        .arg(QLatin1String(theme), QLatin1String(front.name), QLatin1String(back.name));
}

/// A background with `control` in its middle.
class Backdrop : public QWidget {
public:
    explicit Backdrop(QWidget* control) : control_(control) {
        constexpr int margin = 12;
        control->setParent(this);
        control->adjustSize();
        control->move(margin, margin);
        resize(control->size() + QSize(2 * margin, 2 * margin));
        show();
    }

    /// The largest contrast to the background of the pixels from outside the left edge to `depth` inside.
    double edgeContrast(int depth) const {
        const QImage seen = const_cast<Backdrop*>(this)->grab().toImage();
        const int y = control_->geometry().center().y();
        const QColor back = seen.pixelColor(1, y);
        double best = 1.0;
        for (int x = control_->x() - 2; x < control_->x() + depth; ++x)
            best = std::max(best, contrastOf(back, seen.pixelColor(x, y)));
        return best;
    }

    int pixelsOf(const QColor& color, int depth) const {
        const QImage seen = const_cast<Backdrop*>(this)->grab().toImage();
        const int y = control_->geometry().center().y();
        int count = 0;
        for (int x = control_->x(); x < control_->x() + depth; ++x)
            count += seen.pixelColor(x, y) == color ? 1 : 0;
        return count;
    }

private:
    QWidget* control_;
};

struct FramedControl {
    const char* name;
    QWidget* (*make)();
};

template <class Box>
Box* withAnItem(Box* box) {
    box->addItem(QStringLiteral("one"));
    return box;
}

const FramedControl framed_controls[] = {
    {"push button", [] { return static_cast<QWidget*>(new QPushButton(QStringLiteral("Draw"))); }},
    {"tool button",
     [] {
         auto* button = new QToolButton;
         button->setText(QStringLiteral("log"));
         return static_cast<QWidget*>(button);
     }},
    {"combo box", [] { return static_cast<QWidget*>(withAnItem(new QComboBox)); }},
    {"line edit", [] { return static_cast<QWidget*>(new QLineEdit(QStringLiteral("0.5"))); }},
    {"spin box", [] { return static_cast<QWidget*>(new QSpinBox); }},
    {"number", [] { return static_cast<QWidget*>(new QDoubleSpinBox); }},
    {"chip",
     [] {
         auto* chip = new Chip;
         chip->setText(QStringLiteral("causal"));
         return static_cast<QWidget*>(chip);
     }},
    {"switch",
     [] {
         auto* segments = new SegmentSwitch;
         segments->addTab(QStringLiteral("Matrix"));
         segments->addTab(QStringLiteral("Steps"));
         segments->setCurrentIndex(1);
         return static_cast<QWidget*>(segments);
     }},
};

} // namespace

class TestContrast : public QObject {
    Q_OBJECT

    static const QList<std::pair<const char*, ThemeChoice>>& looks() {
        static const QList<std::pair<const char*, ThemeChoice>> all{{"light", ThemeChoice::Light},
                                                                    {"dark", ThemeChoice::Dark},
                                                                    {"black on white", ThemeChoice::ContrastLight},
                                                                    {"white on black", ThemeChoice::ContrastDark}};
        return all;
    }
    static void addLooks() {
        QTest::addColumn<ThemeChoice>("choice");
        for (const auto& [name, choice] : looks())
            QTest::newRow(name) << choice;
    }

private slots:
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void colorsStandOut_data() {
        QTest::addColumn<QColor>("front");
        QTest::addColumn<QColor>("back");
        QTest::addColumn<double>("least");
        const auto row = [](const char* name, const Theme& look, const NamedColor& front, const NamedColor& back,
                            double least) {
            QTest::newRow(qPrintable(pairName(name, front, back))) << look.*front.color << look.*back.color << least;
        };
        for (const auto& [name, choice] : looks()) {
            const Theme& look = themeOf(choice);
            const double text = look.high_contrast ? least_for_strong_text : least_for_text;
            for (const NamedColor& back : theme_backgrounds) {
                for (const NamedColor& front : {NamedColor{"text", &Theme::text}, NamedColor{"muted", &Theme::muted},
                                                NamedColor{"accent", &Theme::accent}})
                    row(name, look, front, back, text);
                row(name, look, {"outline", &Theme::outline}, back, least_for_shapes);
            }
            for (const NamedColor& back : {theme_backgrounds[0], theme_backgrounds[1]}) {
                row(name, look, {"pin", &Theme::pin}, back, least_for_text); // the chosen word
                row(name, look, {"warning_text", &Theme::warning_text}, back, text);
                row(name, look, {"error_text", &Theme::error_text}, back, text);
            }
            row(name, look, {"on_accent", &Theme::on_accent}, {"accent", &Theme::accent}, text);
            row(name, look, {"warning_text", &Theme::warning_text}, {"warning_soft", &Theme::warning_soft}, text);
            row(name, look, {"error_text", &Theme::error_text}, {"error_soft", &Theme::error_soft}, text);
            row(name, look, {"text", &Theme::text}, {"hatch_back", &Theme::hatch_back}, text);
            row(name, look, {"hatch_line", &Theme::hatch_line}, {"hatch_back", &Theme::hatch_back}, least_for_shapes);
            row(name, look, {"text", &Theme::text}, {"ahead", &Theme::ahead}, text);
            // What cannot be read is no weight of 0, and no difference of 0.
            constexpr double least_between_surfaces = 1.2;
            for (const auto& map : colormaps()) {
                ColorScale scale{.map = &map, .automatic = true};
                const auto& colors = shownOn(look, scale).map->colors;
                const auto zero = map.diverging ? colors.size() / 2 : 0;
                QTest::addRow("%s: ahead beside the zero of %s", name, qPrintable(map.id))
                    << look.ahead << QColor(colors[zero]) << least_between_surfaces;
            }
        }
    }
    void colorsStandOut() {
        QFETCH(QColor, front);
        QFETCH(QColor, back);
        QFETCH(double, least);
        const double contrast = contrastOf(front, back);
        QVERIFY2(contrast >= least, qPrintable(QString::number(contrast)));
    }

    void contrastIsThatOfWcag() {
        QCOMPARE(contrastOf(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrastOf(Qt::white, Qt::black), 21.0);
        QCOMPARE(contrastOf(Qt::red, Qt::red), 1.0);
        QVERIFY(qAbs(contrastOf(QColor("#767676"), Qt::white) - 4.54) < 0.01);
    }

    void paletteIsReadable_data() { addLooks(); }
    void paletteIsReadable() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        const QPalette palette = QApplication::palette();
        const double least = theme().high_contrast ? least_for_strong_text : least_for_text;
        for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled})
            for (const auto& [front, back] :
                 {std::pair(QPalette::WindowText, QPalette::Window), std::pair(QPalette::Text, QPalette::Base),
                  std::pair(QPalette::ButtonText, QPalette::Button),
                  std::pair(QPalette::PlaceholderText, QPalette::Base),
                  std::pair(QPalette::ToolTipText, QPalette::ToolTipBase), std::pair(QPalette::Link, QPalette::Window)})
                QVERIFY2(contrastOf(palette.color(group, front), palette.color(group, back)) >= least,
                         qPrintable(QStringLiteral("%1 on %2").arg(int(front)).arg(int(back))));
        QVERIFY(contrastOf(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= least);
    }

    void bordersOfControlsAreSeen_data() {
        QTest::addColumn<ThemeChoice>("choice");
        QTest::addColumn<int>("which");
        for (const auto& [name, choice] : looks())
            for (int i = 0; i < static_cast<int>(std::size(framed_controls)); ++i)
                QTest::newRow(qPrintable(
                    QStringLiteral("%1, %2").arg(QLatin1String(name), QLatin1String(framed_controls[i].name))))
                    << choice << i;
    }
    void bordersOfControlsAreSeen() {
        QFETCH(ThemeChoice, choice);
        QFETCH(int, which);
        applyTheme(choice);
        const Backdrop stage(framed_controls[which].make());
        const double contrast = stage.edgeContrast(2);
        QVERIFY2(contrast >= least_for_shapes, qPrintable(QString::number(contrast)));
    }

    void indicatorsAreSeen_data() { addLooks(); }
    void indicatorsAreSeen() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        for (const bool checked : {false, true}) {
            auto* box = new QCheckBox(QStringLiteral("After softmax"));
            auto* radio = new QRadioButton(QStringLiteral("One"));
            box->setChecked(checked);
            radio->setChecked(checked);
            QVERIFY(Backdrop(box).edgeContrast(4) >= least_for_shapes);
            QVERIFY(Backdrop(radio).edgeContrast(4) >= least_for_shapes);
        }
        auto* slider = new QSlider(Qt::Horizontal);
        slider->setValue(50);
        QVERIFY(Backdrop(slider).edgeContrast(20) >= least_for_shapes);
    }

    void controlsAreOfOneHeight() {
        applyTheme(ThemeChoice::Light);
        const QFont usual = QApplication::font();
        for (const double share : {1.0, 1.5, 2.0}) {
            QFont font = usual;
            font.setPointSizeF(usual.pointSizeF() * share);
            for (const auto& control : framed_controls) {
                const std::unique_ptr<QWidget> made(control.make());
                const bool is_chip = qobject_cast<Chip*>(made.get()); // whose smaller text is no reason to be lower
                if (!is_chip)
                    made->setFont(font);
                const int expected = controlHeight(is_chip ? usual : font);
                QVERIFY2(made->sizeHint().height() == expected, qPrintable(QStringLiteral("%1: %2 instead of %3")
                                                                               .arg(QLatin1String(control.name))
                                                                               .arg(made->sizeHint().height())
                                                                               .arg(expected)));
            }
        }
        QFont thirteen;
        thirteen.setPixelSize(13);
        QCOMPARE(controlHeight(thirteen), metrics::control_height);
    }

    void focusIsARingOfTwoPixels_data() { addLooks(); }
    void focusIsARingOfTwoPixels() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        for (const auto& control : framed_controls) {
            auto* made = control.make();
            made->setFocusPolicy(Qt::StrongFocus);
            if (auto* segments = qobject_cast<SegmentSwitch*>(made))
                segments->setCurrentIndex(0);
            Backdrop stage(made);
            QApplication::setActiveWindow(&stage);
            made->setFocus();
            QTRY_VERIFY(made->hasFocus());
            QVERIFY2(stage.pixelsOf(theme().accent, 3) >= 2, control.name);
        }
    }

    void scrollBarsAreThinAndSeen_data() { addLooks(); }
    void scrollBarsAreThinAndSeen() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        QScrollArea area;
        area.setFrameShape(QFrame::NoFrame);
        auto* content = new QWidget;
        content->resize(100, 1000);
        area.setWidget(content);
        area.resize(200, 200);
        area.show();
        auto* bar = area.verticalScrollBar();
        QCOMPARE(bar->width(), metrics::scroll_extent);
        const QImage seen = area.grab().toImage();
        const QRect place(bar->mapTo(&area, QPoint()), bar->size());
        int thick = 0;
        const QColor back = seen.pixelColor(place.left(), place.bottom() - 5);
        for (int x = place.left(); x <= place.right(); ++x)
            thick += contrastOf(back, seen.pixelColor(x, place.top() + 15)) >= least_for_shapes ? 1 : 0;
        QVERIFY2(thick >= metrics::scroll_thumb - 2 && thick <= metrics::scroll_thumb,
                 qPrintable(QString::number(thick)));
        // No arrows: the first pixels belong to the thumb, the last are empty.
        QVERIFY(contrastOf(back, seen.pixelColor(place.center().x(), place.top() + 2)) >= least_for_shapes);
        QTest::mouseClick(bar, Qt::LeftButton, {}, QPoint(5, bar->height() - 2));
        QTRY_VERIFY(bar->value() > 0);
    }

    void dividersAreSeen_data() { addLooks(); }
    void dividersAreSeen() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        QMainWindow window;
        window.setCentralWidget(new QWidget);
        auto* dock = new QDockWidget;
        dock->setWidget(new QWidget);
        window.addDockWidget(Qt::LeftDockWidgetArea, dock);
        window.resize(400, 300);
        window.show();
        const QImage panels = window.grab().toImage();
        const QPoint between(dock->geometry().right() + 1, dock->geometry().center().y());
        double best = 1.0;
        for (int x = between.x(); x < window.centralWidget()->x(); ++x)
            best = std::max(best, contrastOf(theme().window, panels.pixelColor(x, between.y())));
        QVERIFY2(best >= least_for_shapes, qPrintable(QString::number(best)));

        Splitter parts(Qt::Horizontal);
        auto* first = new QWidget;
        first->setFocusPolicy(Qt::StrongFocus);
        parts.addWidget(first);
        parts.addWidget(new QWidget);
        parts.resize(400, 100);
        parts.show();
        QVERIFY(QTest::qWaitForWindowActive(&parts));
        first->setFocus();
        auto* handle = parts.handle(1);
        const auto bar_height = [&] {
            const QImage seen = handle->grab().toImage();
            int count = 0;
            for (int y = 0; y < seen.height(); ++y)
                count += contrastOf(theme().window, seen.pixelColor(seen.width() / 2, y)) >= least_for_shapes ? 1 : 0;
            return count;
        };
        QVERIFY(bar_height() >= 20);
        QVERIFY(bar_height() < 40);
        QTest::keyClick(first, Qt::Key_Shift); // focus is shown while the keyboard is in use
        handle->setFocus();
        QVERIFY(handle->hasFocus());
        QVERIFY2(bar_height() > 90, qPrintable(QStringLiteral("%1 of %2").arg(bar_height()).arg(handle->height())));
    }

    void progressIsSeen_data() { addLooks(); }
    void progressIsSeen() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        auto* bar = new QProgressBar;
        bar->setValue(0);
        bar->setTextVisible(false);
        QVERIFY(Backdrop(bar).edgeContrast(4) >= least_for_shapes);
    }

    void linesToBucketsAreSeen_data() { addLooks(); }
    void linesToBucketsAreSeen() {
        QFETCH(ThemeChoice, choice);
        for (std::int64_t count : {2, 5, 8, 32})
            for (std::int64_t bucket = 0; bucket < count; ++bucket)
                QVERIFY2(contrastOf(bucketColor(bucket, count, themeOf(choice)), themeOf(choice).card) >=
                             least_for_shapes,
                         qPrintable(QStringLiteral("%1 of %2").arg(bucket).arg(count)));
    }

    /// The chosen tile of a wall of colours has a frame of two lines, one of which is seen on any colour, and each tile
    /// has a border.
    void chosenTilesAreSeen_data() { addLooks(); }
    void chosenTilesAreSeen() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        const Theme& look = theme();
        for (const QColor& fill : {look.border, look.pin, look.accent, look.card, look.text, look.outline})
            for (const bool is_chosen : {false, true}) {
                QWidget back;
                back.setAutoFillBackground(true);
                QPalette palette;
                palette.setColor(QPalette::Window, look.card);
                back.setPalette(palette);
                constexpr int side = 13, around = 2;
                back.resize(side + 4 * around, side + 4 * around);
                auto* tile = new MatrixTile(&back);
                tile->setDense(true);
                tile->setSelection(true);
                tile->setFilled(true);
                tile->setImage([fill] {
                    QImage one(1, 1, QImage::Format_RGB32);
                    one.fill(fill);
                    return one;
                });
                tile->setPictureSize({side, side});
                tile->setGeometry(around, around, side + 2 * around, side + 2 * around);
                tile->setChecked(is_chosen);
                const QImage seen = back.grab().toImage();
                const int middle = seen.height() / 2;
                const auto contrast_to = [&](const QColor& color) {
                    double best = 1.0;
                    for (int x = 0; x < seen.width() / 2; ++x)
                        best = std::max(best, contrastOf(color, seen.pixelColor(x, middle)));
                    return best;
                };
                QCOMPARE(seen.pixelColor(seen.width() / 2, middle), fill);
                QVERIFY(contrast_to(look.card) >= least_for_shapes);
                if (is_chosen)
                    QVERIFY2(contrast_to(fill) >= least_for_shapes, qPrintable(fill.name()));
            }
    }

    void gridsAreSeen_data() { addLooks(); }
    void gridsAreSeen() {
        QFETCH(ThemeChoice, choice);
        applyTheme(choice);
        const auto grid = static_cast<QRgb>(QApplication::style()->styleHint(QStyle::SH_Table_GridLineColor));
        QVERIFY(contrastOf(QColor(grid), theme().card) >= least_for_shapes);
    }

    void motionIsReducedOnDemand() {
        const bool platform = QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
        QCOMPARE(reducedMotion(), platform);
        setReducedMotion(true);
        QVERIFY(reducedMotion());
        setReducedMotion(false);
        QCOMPARE(reducedMotion(), platform);
    }
};

ATTNLAB_TEST(TestContrast)
#include "test_contrast.moc"
