// Implements `attnlab devices`: the CUDA devices, their kernels and the verdicts on them.
#include "app/command_table.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/flash/flash_forward.h"
#include "core/flash/matrix_unit.h"
#include "core/model/weight_products.h"
#include "gpu/cuda_backend.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <iterator>

namespace attnlab::app {
namespace {

/// 12040 is 12.4; 0 is none.
QString versionText(int version) {
    return version == 0 ? QString() : QStringLiteral("%1.%2").arg(version / 1000).arg(version % 1000 / 10);
}

QString capabilityText(int capability) { return QStringLiteral("%1.%2").arg(capability / 10).arg(capability % 10); }

QJsonArray asJson(const gpu::CheckState& state) {
    QJsonArray list;
    for (const auto& verdict : state.verdicts) {
        QJsonObject kernel{{"name", QString::fromStdString(verdict.kernel)}, {"trusted", verdict.right}};
        if (!verdict.right)
            kernel.insert("why", QString::fromStdString(verdict.why));
        list.append(kernel);
    }
    for (const auto& name : state.unchecked)
        list.append(QJsonObject{{"name", QString::fromStdString(name)}, {"trusted", QJsonValue()}});
    return list;
}

QString nameText(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

/// "1.08"
std::string timesText(double gain) { return QString::number(gain, 'f', 2).toStdString(); }

/// Of everything that the unit computes, measured if that is not known; nothing where it is not measured.
std::vector<flash::MatrixChoice> matrixChoices() {
    const auto* unit = flash::matrix_kernel();
    std::vector<flash::MatrixChoice> choices;
    if (!unit || unit->is_chosen_always)
        return choices;
    for (const auto& [precision, use] : flash::matrix_tasks)
        choices.push_back(flash::choice_of(*unit, precision, use));
    choices.push_back(model::unit_choice_for_weights(*unit));
    return choices;
}

QJsonObject coresAsJson() {
    QJsonObject cores{{"instruction_set", QString::fromStdString(flash::instruction_set())},
                      {"threads", flash::thread_count()}};
    if (const auto why_none = flash::matrix_unit_unavailable_reason())
        cores.insert("why_no_amx", QString::fromStdString(why_none->english()));
    QJsonArray measured;
    for (const auto& choice : matrixChoices()) {
        QJsonObject one{{"precision", nameText(name_of(choice.precision))},
                        {"use", nameText(name_of(choice.use))},
                        {"times_as_fast", choice.failure ? QJsonValue() : QJsonValue(choice.gain)},
                        {"used", choice.is_used()}};
        if (!choice.is_used())
            one.insert("why_not", QString::fromStdString(choice.why_not(flash::matrix_kernel()->name).english()));
        measured.append(one);
    }
    cores.insert("matrix_unit", measured);
    return cores;
}

void printCores() {
    printOut("cores: %s, %d threads", flash::instruction_set().c_str(), flash::thread_count());
    if (const auto why_none = flash::matrix_unit_unavailable_reason())
        printOut(" (%s)", why_none->english().c_str());
    printOut("\n");
    const auto* unit = flash::matrix_kernel();
    if (unit && unit->is_chosen_always)
        printOut("%s: computes everything in bfloat16 and split, without a measurement\n", unit->name);
    for (const auto& choice : matrixChoices()) {
        const std::string what(choice.failure ? choice.failure->english()
                                              : timesText(choice.gain) + " times as fast as " +
                                                    (choice.use == flash::MatrixUse::Weights ? "oneDNN" : "vectors"));
        printOut("%s, %s, %s: %s, %s\n", unit->name, std::string(name_of(choice.precision)).c_str(),
                 std::string(name_of(choice.use)).c_str(), what.c_str(), choice.is_used() ? "used" : "not used");
    }
}

QJsonObject asJson(const gpu::Devices& found) {
    QJsonArray list;
    for (const auto& device : found.devices)
        list.append(QJsonObject{{"name", QString::fromStdString(device.name)},
                                {"compute_capability", capabilityText(device.capability)},
                                {"memory", static_cast<qint64>(device.memory)},
                                {"multiprocessors", device.multiprocessors}});
    QJsonObject object{{"devices", list},
                       {"kernels", asJson(gpu::check_state())},
                       {"cores", coresAsJson()},
                       {"driver_version", versionText(found.driver_version)},
                       {"runtime_version", versionText(found.runtime_version)}};
    if (found.why_none)
        object.insert("why_none", QString::fromStdString(found.why_none->english()));
    return object;
}

void print(const gpu::CheckState& state) {
    const auto right = std::count_if(state.verdicts.begin(), state.verdicts.end(),
                                     [](const gpu::KernelVerdict& verdict) { return verdict.right; });
    printOut("kernels of the first device: %d trusted, %d not, %d not checked yet\n", static_cast<int>(right),
             static_cast<int>(std::ssize(state.verdicts) - right), static_cast<int>(state.unchecked.size()));
    for (const auto& verdict : state.verdicts)
        if (!verdict.right)
            printOut("  %s is not trusted: %s\n", verdict.kernel.c_str(), verdict.why.c_str());
}

/// Whether every kernel is right.
bool checkAll() {
    flash::forget_choices();
    gpu::forget_verdicts();
    gpu::check_device({}, [](const std::string& kernel) { printError("checks " + kernel); });
    const auto verdicts = gpu::check_state().verdicts;
    return std::all_of(verdicts.begin(), verdicts.end(),
                       [](const gpu::KernelVerdict& verdict) { return verdict.right; });
}

void print(const gpu::Devices& found) {
    for (const auto& device : found.devices)
        printOut("%s: compute capability %s, %.1f GB, %d multiprocessors\n", device.name.c_str(),
                 qPrintable(capabilityText(device.capability)), static_cast<double>(device.memory) / 1e9,
                 device.multiprocessors);
    if (found.why_none)
        printOut("none: %s\n", found.why_none->english().c_str());
    if (!found.devices.empty())
        print(gpu::check_state());
    if (found.runtime_version != 0)
        printOut("CUDA driver: %s, runtime: %s\n",
                 found.driver_version == 0 ? "none" : qPrintable(versionText(found.driver_version)),
                 qPrintable(versionText(found.runtime_version)));
    printCores();
}

} // namespace

int devicesCommand(const QStringList& arguments) {
    // How the program starts itself for a check.
    if (arguments.value(1) == QLatin1String("--check-these")) {
        std::vector<std::string> names;
        for (const auto& name : arguments.mid(2))
            names.push_back(name.toStdString());
        return gpu::check_as_child(names);
    }
    CommandParser parser;
    parser.setApplicationDescription(
        "Lists the CUDA devices that the cuda backend can use, or the reason why there is none. Also prints what the "
        "cpu backend computes with. The first device is used. Before the first use with a driver, a process of its own "
        "checks the kernels against the processor. Kernels that are wrong, hang or crash are left out. If the "
        "processor has AMX, one measurement for each machine decides where bfloat16 and split use AMX: where it is "
        "faster than vectors. float32 never uses it.");
    parser.addOption({"json", "As JSON."});
    parser.addOption(
        {"check", "Check every kernel and measure AMX again. The exit code is 3 when a kernel is not trusted."});
    if (!parse(parser, arguments))
        return 0;
    if (!parser.positionalArguments().isEmpty())
        throw UsageError("devices: has '" + parser.positionalArguments().first().toStdString() +
                         "', expected options only");
    const auto& found = gpu::devices();
    const bool right = !parser.isSet("check") || checkAll();
    if (parser.isSet("json"))
        printOut("%s", QJsonDocument(asJson(found)).toJson().constData());
    else
        print(found);
    return right ? 0 : 3;
}

} // namespace attnlab::app
