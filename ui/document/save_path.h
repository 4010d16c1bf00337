// Asks where a file shall be written.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace attnlab::ui {

struct SaveRequest {
    QString title;
    QString name;         ///< proposed, without suffix
    QStringList suffixes; ///< "npz"; the first is added where the user types none of them
    QString filter;
    std::function<QStringList(const QString& path)> files = {}; ///< that are written for a path; none: that path
};

/// In the last folder. Empty where the user thinks better of it, also once a file of that name is there already.
QString choosePathToSave(QWidget* window, const SaveRequest& request);

} // namespace attnlab::ui
