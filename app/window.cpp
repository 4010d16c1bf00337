#include "app/window.h"

#include "app/output.h"
#include "app/spec_options.h"
#include "ui/document/file_controller.h"
#include "ui/document/file_name.h"
#include "ui/document/settings.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/language.h"
#include "ui/widgets/motion.h"
#include "ui/widgets/theme.h"
#include "ui/window/application.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"

#include <QCommandLineParser>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

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

/// A message of Qt while it searches for a display.
struct Said {
    QtMsgType type;
    QByteArray category;
    QString text;
};
QList<Said> held_back;

/// Without a display Qt does not return, but aborts the process after a fatal message.
void holdBack(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    held_back << Said{type, context.category, text};
    if (type != QtFatalMsg)
        return;
    // The messages of its platforms give the reason.
    const auto why = std::find_if(held_back.begin(), held_back.end(), [](const Said& said) {
                         return said.category.startsWith("qt.qpa") || said.type == QtFatalMsg;
                     })->text.trimmed();
    const Message message{ATTNLAB_TEXT("no window can be opened: %1; 'attnlab render' and 'attnlab compute' need none"),
                          {why.toStdString()}};
    printError("attnlab: " + message.english());
    std::_Exit(1);
}

/// Throws or exits with code 1 without a display.
std::unique_ptr<ui::Application> makeApplication(int& argc, char** argv) {
    if (!hasDisplay())
        throw Error(
            Message{ATTNLAB_TEXT("there is no display to open a window on; 'attnlab render' and 'attnlab compute' need "
                                 "none")});
    const auto usual = qInstallMessageHandler(holdBack);
    auto application = std::make_unique<ui::Application>(argc, argv);
    qInstallMessageHandler(usual);
    for (const auto& said : held_back)
        usual(said.type, QMessageLogContext(nullptr, 0, nullptr, said.category.constData()), said.text);
    return application;
}

} // namespace

int openWindow(int argc, char** argv, Backends backends, const MapEngine* maps) {
    const auto application = makeApplication(argc, argv);
    QCommandLineParser parser;
    parser.addPositionalArgument("FILE", "Workspaces or arrays to open.", "[FILE...]");
    QStringList arguments; // those that Qt has not consumed
    std::transform(argv, argv + argc, std::back_inserter(arguments), ui::fromFileName);
    if (!parser.parse(arguments))
        throw UsageError(parser.errorText().toStdString());

    QGuiApplication::setDesktopFileName(QStringLiteral("org.attnlab.AttnLab")); // resources/desktop
    application->setWindowIcon(ui::icon(QStringLiteral("app")));
    ui::applyTheme(ui::settings::themeChoice());
    ui::setReducedMotion(ui::settings::reducedMotion());
    ui::applyLanguage(ui::settings::language());
    ui::Windows windows(backends, maps);
    QObject::connect(application.get(), &ui::Application::failed, &windows, &ui::Windows::report);
    auto& files = windows.open().files();
    if (parser.positionalArguments().isEmpty())
        files.reopenLast();
    else
        files.open(parser.positionalArguments());
    return application->exec();
}

} // namespace attnlab::app
