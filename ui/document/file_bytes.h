// Bytes of Qt into files of the engine.
#pragma once

#include "core/attention.h"

#include <QByteArray>
#include <QString>

namespace attnlab::ui {

/// Writes the whole file or leaves what was there (io::write_file). Throws Error, Cancelled.
void writeBytes(const QString& path, const QByteArray& bytes, const RunControl& control = {});

} // namespace attnlab::ui
