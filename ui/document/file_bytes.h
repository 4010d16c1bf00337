// Writes Qt's byte arrays by the engine's file functions.
#pragma once

#include "core/attention.h"

#include <QByteArray>
#include <QString>

namespace attnlab::ui {

/// Writes the file atomically (io::write_file). Throws Error, Cancelled.
void writeBytes(const QString& path, const QByteArray& bytes, const RunControl& control = {});

} // namespace attnlab::ui
