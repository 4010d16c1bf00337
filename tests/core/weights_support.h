// Files for the tests of the weights of models.
#pragma once

#include "core/model/weights/weight_files.h"
#include "tests/core/safetensors_support.h"

#include <QTemporaryDir>

#include <vector>

namespace attnlab::test {

/// The bytes of numbers of one type.
template <class T>
QByteArray bytes_of(const std::vector<T>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), static_cast<qsizetype>(numbers.size() * sizeof(T))};
}

struct StoredTensor {
    QByteArray name, dtype, shape;
    QByteArray data;
};

/// A .safetensors file of these.
inline QByteArray safetensors_of(const std::vector<StoredTensor>& tensors) {
    QByteArray header, data;
    for (const auto& tensor : tensors) {
        const auto begin = QByteArray::number(data.size());
        data += tensor.data;
        header += (header.isEmpty() ? "" : ",") + entry(tensor.name, tensor.dtype, tensor.shape,
                                                        "[" + begin + "," + QByteArray::number(data.size()) + "]");
    }
    return file("{" + header + "}", data);
}

inline std::vector<float> rows_of(const model::Weight& weight, std::int64_t first, std::int64_t count) {
    std::vector<float> numbers(static_cast<std::size_t>(count * weight.columns()));
    weight.read_rows(first, count, numbers);
    return numbers;
}

inline std::vector<float> all_of(const model::Weight& weight) { return rows_of(weight, 0, weight.rows()); }

/// A folder that is gone with the test.
struct ModelFolder {
    QTemporaryDir folder;

    ModelFolder() = default;
    ModelFolder(const QString& name, const QByteArray& bytes) { put(name, bytes); }
    void put(const QString& name, const QByteArray& bytes) const { put_file(path(name), bytes); }
    QString path(const QString& name) const { return folder.filePath(name); }
    std::shared_ptr<const model::WeightFiles> open() const { return model::open_weights(to_path(folder.path())); }
    /// What open() says, without the folder.
    QString refusal() const {
        return error_of([&] { open(); }).replace(folder.path() + "/", "").replace(folder.path(), "FOLDER");
    }
};

} // namespace attnlab::test
