// A window of a given size, letters, language and look, and whether it keeps that size.
#pragma once

#include "layout_support.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFont>
#include <QLayout>
#include <QSettings>
#include <QSize>
#include <QStandardPaths>
#include <QString>
#include <QTest>
#include <QWidget>

#include <array>
#include <memory>

namespace attnlab::ui {

inline constexpr QSize smallest_window(1024, 640);
inline constexpr std::array usual_sizes{smallest_window,  QSize(1280, 720),  QSize(1278, 773),
                                        QSize(1280, 800), QSize(1366, 768),  QSize(1440, 900),
                                        QSize(1600, 873), QSize(1920, 1200), QSize(2560, 1440)};

inline QString sizeText(QSize size) { return QStringLiteral("%1 x %2").arg(size.width()).arg(size.height()); }

class LayoutFixture {
protected:
    QFont usual_font_;
    QSize asked_;
    std::unique_ptr<MainWindow> window_;

    /// A window at the first start of the program.
    void begin(QSize size, double font_scale = 1.0, const QString& language = QStringLiteral("en"),
               ThemeChoice look = ThemeChoice::Light) {
        window_.reset();
        QSettings().clear();
        QApplication::setFont(usual_font_);
        applyLanguage(language); // which chooses a font of the usual size
        QFont font = QApplication::font();
        font.setPointSizeF(font.pointSizeF() * font_scale);
        QApplication::setFont(font);
        applyTheme(look);
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        resizeTo(size); // panels keep their share of the window's first size
        window_->files().openSample(QString::fromLatin1(samples().front().id));
    }

    void resizeTo(QSize size) {
        asked_ = size;
        window_->resize(size);
    }

    /// The error in the window's current size; empty if none.
    QString sizeFault() {
        if (!settles(*window_))
            return QStringLiteral("goes on laying out");
        if (window_->size() != asked_)
            return sizeText(window_->size()) + QStringLiteral(" where asked for ") + sizeText(asked_);
        const QSize needed = window_->layout()->totalMinimumSize();
        if (needed.expandedTo(smallest_window) != smallest_window)
            return QStringLiteral("needs ") + sizeText(needed) + needs(*window_, 0);
        return {};
    }

    /// The widgets that require much room, and their children.
    static QString needs(const QWidget& widget, int depth) {
        QString text;
        for (const QObject* child : widget.children()) {
            const auto* part = qobject_cast<const QWidget*>(child);
            if (!part || part->isWindow() || part->isHidden() ||
                part->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
                continue;
            const QSize least = part->minimumSizeHint().expandedTo(part->minimumSize());
            if (least.width() > 250 || least.height() > 180)
                text += QLatin1Char('\n') + QString(2 * depth + 2, QLatin1Char(' ')) +
                        QString::fromLatin1(part->metaObject()->className()) + QLatin1Char(' ') + sizeText(least) +
                        needs(*part, depth + 1);
        }
        return text;
    }

    void prepare() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabLayoutTest");
        applyLanguage(QStringLiteral("en"));
        usual_font_ = QApplication::font();
    }

    void end() {
        window_.reset();
        QApplication::setFont(usual_font_);
        applyLanguage(QStringLiteral("en"));
        applyTheme(ThemeChoice::Light);
        QSettings().clear();
    }
};

} // namespace attnlab::ui
