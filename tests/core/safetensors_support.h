// Files for the tests of .safetensors.
#pragma once

#include "core/io/safetensors.h"
#include "tests/core/io_support.h"

#include <QTemporaryDir>
#include <QtEndian>

namespace attnlab::test {

/// A file with this header and these bytes after it.
inline QByteArray file(const QByteArray& header, const QByteArray& data = {}) {
    QByteArray length(8, '\0');
    qToLittleEndian<quint64>(static_cast<quint64>(header.size()), length.data());
    return length + header + data;
}

inline QByteArray entry(const QByteArray& name, const QByteArray& dtype, const QByteArray& shape,
                        const QByteArray& offsets) {
    return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

/// One tensor "w" that takes all of the data.
inline QByteArray single(const QByteArray& dtype, const QByteArray& shape, const QByteArray& data) {
    return file("{" + entry("w", dtype, shape, "[0," + QByteArray::number(data.size()) + "]") + "}", data);
}

inline TensorMap read(const QByteArray& bytes, const io::ReadLimits& limits = {}) {
    return io::read_safetensors(as_span(bytes), "f.safetensors", limits);
}

/// The bytes written for them.
inline QByteArray written(const TensorMap& tensors) {
    const QTemporaryDir folder;
    const auto path = folder.filePath("x.safetensors");
    io::write_safetensors(to_path(path), tensors);
    return file_bytes(path);
}

} // namespace attnlab::test
