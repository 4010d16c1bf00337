#include "app/window.h"

#include "app/backends.h"
#include "app/build_report.h"
#include "app/device_backends.h"
#include "app/output.h"
#include "app/spec_options.h"
#include "gpu/cuda_backend.h"
#include "ui/document/file_controller.h"
#include "ui/document/local_files.h"
#include "ui/document/settings.h"
#include "ui/remote/requests.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"

#include <QCommandLineParser>
#include <QFileInfo>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>

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

void declare(QCommandLineParser& parser) {
    parser.addPositionalArgument("FILE", "Workspaces or arrays to open.", "[FILE...]");
    parser.addOptions({{"new-window", "Open a window of its own, where another would show the files."},
                       {"watch", "Show a file, or the newest of a folder, whenever it has been written.", "PATH"}});
}

QStringList words(int argc, char** argv) {
    QStringList all;
    std::transform(argv, argv + argc, std::back_inserter(all), ui::fromFileName);
    return all;
}

/// True where files alone are named and a window that is open takes them. Throws Error where it refuses them.
bool isShownElsewhere(int argc, char** argv) {
    QCommandLineParser parser;
    declare(parser);
    if (!parser.parse(words(argc, argv)) || parser.isSet("new-window") || parser.isSet("watch") ||
        parser.positionalArguments().isEmpty())
        return false;
    ui::Request request;
    for (const auto& file : parser.positionalArguments())
        request.paths << QFileInfo(file).absoluteFilePath();
    std::optional<ui::Answer> answer;
    try {
        answer = ui::ask(ui::windowSocket(ui::runtimeFolder()), request);
    } catch (const Error&) {
        return false; // no window listens where others could
    }
    if (answer && !answer->ok)
        throw Error({ATTNLAB_TEXT("the window that is open: %1"), {answer->why.toStdString()}});
    return answer.has_value();
}

/// Until the last window closes; then another program may, while this one still ends.
void listen(ui::Listener& listener, ui::Windows& windows) {
    try {
        QObject::connect(&listener, &ui::Listener::asked, &windows, &ui::Windows::answer);
        QObject::connect(&listener, &ui::Listener::failed, &windows, &ui::Windows::report);
        QObject::connect(qGuiApp, &QGuiApplication::lastWindowClosed, &listener, &ui::Listener::close);
        QObject::connect(qApp, &QCoreApplication::aboutToQuit, &listener, &ui::Listener::close);
        listener.listenWhenFree(ui::runtimeFolder());
    } catch (const Error& error) {
        printError("attnlab: warning: " + std::string(error.what()));
    }
}

} // namespace

int openWindow(int argc, char** argv) {
    if (isShownElsewhere(argc, argv))
        return 0;
    const auto application = makeApplication(argc, argv);
    QCommandLineParser parser;
    declare(parser);
    if (!parser.parse(words(argc, argv))) // those that Qt has not consumed
        throw UsageError(parser.errorText().toStdString());
    if (parser.isSet("watch") && !parser.positionalArguments().isEmpty())
        throw UsageError("--watch: is given together with '" + parser.positionalArguments().first().toStdString() +
                         "', expected one file or folder");

    QGuiApplication::setDesktopFileName(QStringLiteral("org.attnlab.AttnLab")); // resources/desktop
    application->setWindowIcon(ui::icon(QStringLiteral("app")));
    ui::installAccessibility();
    ui::applyTheme(ui::settings::themeChoice());
    ui::setReducedMotion(ui::settings::reducedMotion());
    ui::applyLanguage(ui::settings::language());
    setWhenNotReady(WhenNotReady::Refuse);
    ui::Windows windows(windowBackends(), &deviceMaps(gpu::Precision::Float32), QString::fromStdString(buildReport()));
    QObject::connect(application.get(), &ui::Application::failed, &windows, &ui::Windows::report);
    auto& window = windows.open();
    // It computes on the cores until the device is ready.
    const DeviceWatch device(getDeviceReady, [&windows](const Message& line) {
        QMetaObject::invokeMethod(&windows, [&windows, line] { windows.setDeviceLine(line); });
    });
    ui::Listener listener;
    listen(listener, windows);
    if (parser.isSet("watch"))
        window.shownFiles().watch(QFileInfo(parser.value("watch")).absoluteFilePath());
    else if (parser.positionalArguments().isEmpty())
        window.files().reopenLast();
    else
        window.open(parser.positionalArguments());
    return application->exec();
}

} // namespace attnlab::app
