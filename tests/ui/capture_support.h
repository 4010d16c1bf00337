// Captures for tests of the window.
#pragma once

#include "core/io/safetensors.h"

#include <QByteArray>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QtEndian>

#include <filesystem>
#include <sstream>

namespace attnlab::test {

/// Arrays with what describes their passes (docs/file-formats.md). False where the file cannot be written.
inline bool writeCapture(const QString& path, const TensorMap& tensors, const QJsonObject& description) {
    std::ostringstream plain;
    io::write_safetensors(plain, tensors, "capture");
    const auto bytes = QByteArray::fromStdString(plain.str());
    const auto length = static_cast<qsizetype>(qFromLittleEndian<quint64>(bytes.constData()));
    auto header = QJsonDocument::fromJson(bytes.mid(8, length)).object();
    header[QStringLiteral("__metadata__")] =
        QJsonObject{{"attnlab.capture", QString::fromUtf8(QJsonDocument(description).toJson())}};
    const auto text = QJsonDocument(header).toJson(QJsonDocument::Compact);
    QByteArray size(8, '\0');
    qToLittleEndian<quint64>(static_cast<quint64>(text.size()), size.data());
    QFile out(path);
    return out.open(QIODevice::WriteOnly) && out.write(size + text + bytes.mid(8 + length)) > 0;
}

} // namespace attnlab::test
