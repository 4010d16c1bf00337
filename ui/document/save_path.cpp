#include "ui/document/save_path.h"

#include "ui/document/settings.h"
#include "ui/widgets/ask.h"

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
    if (chosen.isEmpty())
        return {};
    QString path = complete ? chosen : chosen + first;
    QStringList existing;
    // The file dialog has asked only about the typed name, not about those derived from it.
    for (const auto& file : request.files ? request.files(path) : QStringList{path})
        if (file != chosen && QFileInfo::exists(file))
            existing << QFileInfo(file).fileName();
    if (existing.isEmpty())
        return path;
    const QString question =
        SavePath::tr("%n files are there already and will be replaced: %1", nullptr, static_cast<int>(existing.size()))
            .arg(existing.mid(0, 5).join(QStringLiteral(", ")));
    const bool replace = ask(window, {request.title, question}, QMessageBox::Ok | QMessageBox::Cancel,
                             QMessageBox::Ok) == QMessageBox::Ok;
    return replace ? path : QString();
}

} // namespace attnlab::ui
