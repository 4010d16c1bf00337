#include "ui/save_path.h"

#include "ui/ask.h"
#include "ui/settings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace attnlab::ui {
namespace {

struct SavePath {
    Q_DECLARE_TR_FUNCTIONS(SavePath)
};

} // namespace

QString choosePathToSave(QWidget* window, const SaveRequest& request) {
    const QString first = QLatin1Char('.') + request.suffixes.front();
    const QString chosen = QFileDialog::getSaveFileName(
        window, request.title, QDir(settings::lastFolder()).filePath(request.name + first), request.filter);
    const bool complete = std::ranges::any_of(request.suffixes, [&](const QString& suffix) {
        return chosen.endsWith(QLatin1Char('.') + suffix, Qt::CaseInsensitive);
    });
    if (chosen.isEmpty() || complete)
        return chosen;
    // The dialog has asked about the name as it was typed, not about the one that it becomes.
    const QString path = chosen + first;
    const bool replace =
        !QFileInfo::exists(path) ||
        ask(window, QMessageBox::Warning, {request.title, SavePath::tr("%1 already exists. Replace it?").arg(path)},
            QMessageBox::Yes | QMessageBox::No, QMessageBox::No) == QMessageBox::Yes;
    return replace ? path : QString();
}

} // namespace attnlab::ui
