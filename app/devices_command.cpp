#include "app/commands.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "gpu/cuda_backend.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace attnlab::app {
namespace {

/// 12040 is 12.4; 0 is none.
QString versionText(int version) {
    return version == 0 ? QString() : QStringLiteral("%1.%2").arg(version / 1000).arg(version % 1000 / 10);
}

QString capabilityText(int capability) { return QStringLiteral("%1.%2").arg(capability / 10).arg(capability % 10); }

QJsonObject asJson(const gpu::Devices& found) {
    QJsonArray list;
    for (const auto& device : found.devices)
        list.append(QJsonObject{{"name", QString::fromStdString(device.name)},
                                {"compute_capability", capabilityText(device.capability)},
                                {"memory", static_cast<qint64>(device.memory)},
                                {"multiprocessors", device.multiprocessors}});
    QJsonObject object{{"devices", list},
                       {"driver_version", versionText(found.driver_version)},
                       {"runtime_version", versionText(found.runtime_version)}};
    if (found.why_none)
        object.insert("why_none", QString::fromStdString(found.why_none->english()));
    return object;
}

void print(const gpu::Devices& found) {
    for (const auto& device : found.devices)
        printOut("%s: compute capability %s, %.1f GB, %d multiprocessors\n", device.name.c_str(),
                 qPrintable(capabilityText(device.capability)), static_cast<double>(device.memory) / 1e9,
                 device.multiprocessors);
    if (found.why_none)
        printOut("none: %s\n", found.why_none->english().c_str());
    if (found.runtime_version != 0)
        printOut("CUDA driver: %s, runtime: %s\n",
                 found.driver_version == 0 ? "none" : qPrintable(versionText(found.driver_version)),
                 qPrintable(versionText(found.runtime_version)));
}

} // namespace

int devicesCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription(
        "Lists the CUDA devices that the cuda backend can use, or says why there is none.");
    parser.addOption({"json", "As JSON."});
    if (!parse(parser, arguments))
        return 0;
    if (!parser.positionalArguments().isEmpty())
        throw UsageError("devices: has '" + parser.positionalArguments().first().toStdString() +
                         "', expected options only");
    const auto& found = gpu::devices();
    if (parser.isSet("json"))
        printOut("%s", QJsonDocument(asJson(found)).toJson().constData());
    else
        print(found);
    return 0;
}

} // namespace attnlab::app
