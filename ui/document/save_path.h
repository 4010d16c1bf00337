// Asks for the path of a file to write.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace attnlab::ui {

struct SaveRequest {
    QString title;
    QString name;         ///< proposed, without suffix
    QStringList suffixes; ///< "npz"; the first is added if the user types none of them
    QString filter;
    std::function<QStringList(const QString& path)> files = {}; ///< the files written for a path; empty: that path
};

/// Starts in the last folder. Empty when the user cancels, also after a question about overwriting.
QString choosePathToSave(QWidget* window, const SaveRequest& request);

} // namespace attnlab::ui
