// The common part of the tests of core/io.
#pragma once

#include "core/message.h"
#include "core/tensor.h"
#include "tests/core/error_of.h"
#include "tests/places.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <span>
#include <string>

namespace attnlab::test {

inline std::string data_path(const std::string& name) { return std::string(ATTNLAB_TEST_DATA_DIR) + "/" + name; }

inline QByteArray file_bytes(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QByteArray data_bytes(const std::string& name) { return file_bytes(QString::fromStdString(data_path(name))); }

inline void put_file(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write a test file");
}

inline std::filesystem::path to_path(const QString& path) { return path.toStdString(); }

inline std::span<const std::byte> as_span(const QByteArray& bytes) {
    return std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// Equal shape, type and bits: -0.0 differs from 0.0, and a NaN equals only itself.
inline bool same_bits(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && a.dtype() == b.dtype() &&
           std::equal(a.values().begin(), a.values().end(), b.values().begin(), [](double x, double y) {
               return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
           });
}

/// Writes a .npy of float32 zeros that takes no space on the disk.
inline void put_sparse_npy(const QString& path, const Shape& shape) {
    auto header =
        QByteArray::fromStdString("{'descr': '<f4', 'fortran_order': False, 'shape': " + to_string(shape) + "}");
    header = header.leftJustified(117, ' ') + '\n';
    put_file(path, QByteArray("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header);
    if (!QFile::resize(path, 10 + header.size() + 4 * element_count(shape)))
        qFatal("cannot write a sparse file");
}

/// Everything in a folder, including hidden files.
inline QStringList entries(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
}

} // namespace attnlab::test
