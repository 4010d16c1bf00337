// Reading and writing files of single arrays.
#include "ui/document/array_files.h"

#include "core/io/file_formats.h"
#include "core/io/read_contents.h"
#include "ui/document/background_read.h"
#include "ui/document/background_write.h"
#include "ui/document/document.h"
#include "ui/document/file_name.h"
#include "ui/document/save_path.h"
#include "ui/document/settings.h"
#include "ui/widgets/message_bar.h"

#include <QFileDialog>
#include <QFileInfo>

#include <span>
#include <utility>

namespace attnlab::ui {
namespace {

struct NamedTensor {
    QString name;
    Tensor tensor;
};

/// The array `name` of a file, or its only one.
NamedTensor readArray(const QString& path, const QString& name, const RunControl& control) {
    auto read = io::read_tensors(toPath(path), {.control = &control});
    auto chosen = read.find(name.toStdString());
    if (chosen == read.end() && read.size() != 1)
        throw Error({ATTNLAB_TEXT("%1: holds %2 arrays, expected one, or one called %3"),
                     {toPath(path).string(), std::to_string(read.size()), name.toStdString()}});
    if (chosen == read.end())
        chosen = read.begin();
    return {QString::fromStdString(chosen->first), chosen->second};
}

} // namespace

ArrayFiles::ArrayFiles(const Document& document, MessageBar& messages, BackgroundRead& reading, QWidget* window)
    : document_(document), messages_(messages), reading_(reading), window_(window) {}

QString ArrayFiles::choosePath(const QString& title) {
    return QFileDialog::getOpenFileName(window_, title, settings::lastFolder(),
                                        tr("Arrays (%1);;All files (*)").arg(filePatterns(io::readable_suffixes())));
}

void ArrayFiles::chooseForTensor(const QString& tensor) {
    const auto path = choosePath(tr("Open an array as %1").arg(tensor));
    if (!path.isEmpty())
        reading_.start<NamedTensor>(
            [path, tensor](const RunControl& control) { return readArray(path, tensor, control); },
            [this, path, tensor](const NamedTensor& read) { emit tensorRead(tensor, read.tensor, path); });
}

void ArrayFiles::chooseArray(std::function<void(const Tensor&, const QString&)> use) {
    const auto path = choosePath(tr("Open an array"));
    if (!path.isEmpty())
        reading_.start<NamedTensor>(
            [path](const RunControl& control) { return readArray(path, QStringLiteral("attn_mask"), control); },
            [use = std::move(use)](const NamedTensor& read) { use(read.tensor, read.name); });
}

void ArrayFiles::chooseToCompare(UseContents use) {
    const auto path = choosePath(tr("Compare with the arrays of a file"));
    if (!path.isEmpty())
        readToCompare(path, std::move(use));
}

void ArrayFiles::readToCompare(const QString& path, UseContents use) {
    using Read = std::shared_ptr<const Contents>;
    reading_.start<Read>(
        [path](const RunControl& control) {
            const auto file = toPath(path);
            auto contents =
                std::make_shared<const Contents>(io::read_contents(std::span(&file, 1), {.control = &control}));
            if (contents->arrays.empty())
                throw Error({ATTNLAB_TEXT("%1: holds no arrays to compare with"), {file.string()}});
            return contents;
        },
        [path, use = std::move(use)](const Read& contents) { use(contents, shownName(QFileInfo(path).fileName())); });
}

void ArrayFiles::chooseToSaveTensor(const QString& tensor) {
    QStringList suffixes{QStringLiteral("npy")};
    for (const auto& suffix : io::writable_suffixes())
        suffixes << QString::fromStdString(suffix);
    const auto path = choosePathToSave(window_, {tr("Save %1").arg(tensor), tensor, suffixes,
                                                 tr("Arrays (%1)").arg(filePatterns(io::writable_suffixes()))});
    const auto name = tensor.toStdString();
    const auto& tensors = document_.problem().tensors;
    const auto found = tensors.find(name);
    if (path.isEmpty() || found == tensors.end())
        return;
    const auto outcome =
        writeInBackground(window_, tr("Saving…"), [&, values = found->second](const RunControl& control) {
            io::write_tensors(toPath(path), {{name, values}}, control);
        });
    if (outcome.error)
        messages_.showMessage(MessageBar::Kind::Error, *outcome.error, BackgroundRead::topic);
    else if (outcome.ok())
        messages_.showMessage(MessageBar::Kind::Notice, tr("Saved as %1").arg(shownName(path)), BackgroundRead::topic);
}

} // namespace attnlab::ui
