#include "app/window.h"

#include "app/spec_options.h"
#include "ui/application.h"
#include "ui/file_controller.h"
#include "ui/file_name.h"
#include "ui/icon.h"
#include "ui/language.h"
#include "ui/main_window.h"
#include "ui/message_bar.h"
#include "ui/settings.h"
#include "ui/theme.h"

#include <QCommandLineParser>

#include <algorithm>
#include <iterator>

namespace attnlab::app {
namespace {

bool hasDisplay() {
#ifdef Q_OS_LINUX
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
#else
    return true;
#endif
}

} // namespace

int openWindow(int argc, char** argv, Backends backends, const MapEngine* maps) {
    if (!hasDisplay())
        throw Error(
            Message{ATTNLAB_TEXT("there is no display to open a window on; 'attnlab render' and 'attnlab compute' need "
                                 "none")});
    ui::Application application(argc, argv);
    QCommandLineParser parser;
    parser.addPositionalArgument("FILE", "Workspaces or arrays to open.", "[FILE...]");
    QStringList arguments; // those that Qt has left
    std::transform(argv, argv + argc, std::back_inserter(arguments), ui::fromFileName);
    if (!parser.parse(arguments))
        throw UsageError(parser.errorText().toStdString());

    application.setWindowIcon(ui::icon(QStringLiteral("app")));
    ui::applyTheme(ui::settings::themeChoice());
    ui::applyLanguage(ui::settings::language());
    ui::MainWindow window(backends);
    window.setMapEngine(maps);
    QObject::connect(&application, &ui::Application::failed, &window, [&window](const Message& why) {
        window.messageBar()->showMessage(ui::MessageBar::Kind::Error, why);
    });
    window.show();
    window.files().openSample(QStringLiteral("milk_or_cat_sweet"));
    window.files().startRecovery();
    window.files().open(parser.positionalArguments(), {});
    return application.exec();
}

} // namespace attnlab::app
