#include "ui/window/menus.h"

#include "ui/document/file_controller.h"
#include "ui/document/file_name.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/widgets/language.h"
#include "ui/widgets/motion.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"

#include <QActionGroup>
#include <QMenu>

#include <functional>
#include <utility>

namespace attnlab::ui {
namespace {

/// Fills a menu with entries of which one is checked.
void fillChoices(QMenu* menu, const QList<std::pair<QString, bool>>& choices, const std::function<void(int)>& choose) {
    menu->clear();
    delete menu->findChild<QActionGroup*>();
    auto* group = new QActionGroup(menu);
    for (int i = 0; i < choices.size(); ++i) {
        auto* action = group->addAction(menu->addAction(choices[i].first));
        action->setCheckable(true);
        action->setChecked(choices[i].second);
        QObject::connect(action, &QAction::triggered, menu, [choose, i] { choose(i); });
    }
}

} // namespace

Menus::Menus(Actions& actions, FileController& files, const QList<QAction*>& panels, const QList<QAction*>& places,
             QObject* parent)
    : QObject(parent), actions_(actions), files_(files), panels_(panels), places_(places) {
    connect(&files_, &FileController::recentFilesChanged, this, &Menus::fill);
    // Other windows change files and looks too.
    connect(actions_.recent, &QMenu::aboutToShow, this, &Menus::fillRecent);
    connect(actions_.recent_models, &QMenu::aboutToShow, this, &Menus::fillRecentModels);
    connect(actions_.theme, &QMenu::aboutToShow, this, &Menus::fillLooks);
    fill();
}

void Menus::fill() {
    fillRecent();
    fillRecentModels();
    fillSamples();
    actions_.panels->clear();
    actions_.panels->addActions(panels_);
    actions_.panels->addSeparator();
    actions_.panels->addActions(places_);
    fillLooks();
    fillLanguages();
}

void Menus::fillRecent() {
    auto* recent = actions_.recent;
    recent->clear();
    for (const auto& path : settings::recentFiles())
        recent->addAction(menuText(shownName(path)), this, [this, path] { files_.open({path}); });
    if (recent->isEmpty()) {
        recent->addAction(tr("No files yet"))->setEnabled(false);
        return;
    }
    recent->addSeparator();
    recent->addAction(tr("Clear this list"), this, [this] {
        settings::clearRecentFiles();
        fill();
    });
}

void Menus::fillRecentModels() {
    auto* recent = actions_.recent_models;
    recent->clear();
    for (const auto& path : settings::recentModels())
        recent->addAction(menuText(shownName(path)), this, [this, path] { emit modelChosen(path); });
    if (recent->isEmpty()) {
        recent->addAction(tr("No models yet"))->setEnabled(false);
        return;
    }
    recent->addSeparator();
    recent->addAction(tr("Clear this list"), this, [this] {
        settings::clearRecentModels();
        fill();
    });
}

void Menus::fillSamples() {
    actions_.samples->clear();
    for (const auto& sample : samples()) {
        auto* action = actions_.samples->addAction(
            sample.displayTitle(), this, [this, id = QString::fromLatin1(sample.id)] { files_.openSample(id); });
        action->setToolTip(sample.displayHelp());
    }
}

void Menus::fillLooks() {
    const auto now = settings::themeChoice();
    fillChoices(actions_.theme,
                {{tr("As the system"), now == ThemeChoice::System},
                 {tr("Light"), now == ThemeChoice::Light},
                 {tr("Dark"), now == ThemeChoice::Dark},
                 {tr("High contrast, black on white"), now == ThemeChoice::ContrastLight},
                 {tr("High contrast, white on black"), now == ThemeChoice::ContrastDark}},
                [this](int i) {
                    settings::setThemeChoice(static_cast<ThemeChoice>(i));
                    applyTheme(static_cast<ThemeChoice>(i));
                    QMetaObject::invokeMethod(this, &Menus::fill, Qt::QueuedConnection);
                });
    actions_.theme->addSeparator();
    auto* motion = actions_.theme->addAction(tr("Reduce motion"), this, [](bool reduced) {
        settings::setReducedMotion(reduced);
        setReducedMotion(reduced);
    });
    motion->setCheckable(true);
    motion->setChecked(settings::reducedMotion());
}

void Menus::fillLanguages() {
    QList<std::pair<QString, bool>> names;
    for (const auto& language : languages())
        names << std::pair{QString::fromUtf8(language.name), currentLanguage() == QLatin1String(language.code)};
    fillChoices(actions_.language, names, [this](int i) {
        const QString code = QString::fromLatin1(languages()[static_cast<std::size_t>(i)].code);
        settings::setLanguage(code);
        // Deferred, since switching rebuilds the menu that emits this.
        QMetaObject::invokeMethod(
            this, [code] { applyLanguage(code); }, Qt::QueuedConnection);
    });
}

} // namespace attnlab::ui
