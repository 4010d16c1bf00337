// The folder where the window listens, which belongs to one user alone.
#pragma once

#include <QString>

namespace attnlab::ui {

/// Made where it is missing: attnlab-UID in the user's runtime folder, or in that of temporary files. Throws Error
/// where it is no folder, another user's, or open to others.
QString runtimeFolder();
/// Makes this folder where it is missing. Throws Error as above.
void makeOwnFolder(const QString& folder);
/// The socket of the window in that folder.
QString windowSocket(const QString& folder);

} // namespace attnlab::ui
