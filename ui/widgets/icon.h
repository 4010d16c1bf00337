// The program's own icons, in the colours of the palette.
#pragma once

#include <QIcon>
#include <QString>

namespace attnlab::ui {

/// The icon resources/icons/<name>.svg. It uses the application's palette whenever it is painted, so it follows the
/// theme; disabled, active and selected states have the palette's colours too. A null icon if there is no such file.
QIcon icon(const QString& name);

} // namespace attnlab::ui
