// Files of GGUF for tests: parts of one, and a file with more in it.
#pragma once

#include "core/model/weights/gguf_file.h"
#include "tests/core/weights_support.h"

#include <vector>

namespace attnlab::test {

/// Bytes of a .gguf file with further keys and tensors.
class PatchedGguf {
public:
    /// `bytes`: of a file with the default alignment.
    explicit PatchedGguf(QByteArray bytes) : bytes_(std::move(bytes)) {}

    void add(const QByteArray& key, bool value) { add(key, 7, bytes_of(std::vector<quint8>{value})); }
    void add(const QByteArray& key, qint32 value) { add(key, 5, bytes_of(std::vector{value})); }
    void add(const QByteArray& key, float value) { add(key, 6, bytes_of(std::vector{value})); }
    void add(const QByteArray& key, const char* value) { add(key, 8, text(value)); }
    void add(const QByteArray& key, const std::vector<qint32>& values) {
        add(key, 9, bytes_of(std::vector<quint32>{5}) + length(values.size()) + bytes_of(values));
    }
    /// `dims` as ggml has them, the last axis first.
    void add_tensor(const QByteArray& name, const std::vector<quint64>& dims, const std::vector<float>& numbers) {
        infos_.push_back(text(name) + bytes_of(std::vector<quint32>{static_cast<quint32>(dims.size())}) +
                         bytes_of(dims) + bytes_of(std::vector<quint32>{0}));
        data_.push_back(bytes_of(numbers));
    }
    void rename(const QByteArray& from, const QByteArray& to) { // of one length
        bytes_.replace(bytes_.indexOf(from), from.size(), to);
    }

    QByteArray result() const {
        const auto header = model::read_gguf_header(io::MemoryBytes(as_span(bytes_)), "m.gguf");
        const auto& last = header.tensors.back();
        const auto end_of_infos = bytes_.lastIndexOf(text(QByteArray::fromStdString(last.name))) + 8 +
                                  static_cast<qsizetype>(last.name.size() + 4 + 8 * last.shape.size() + 4 + 8);
        qsizetype data_begin = bytes_.size();
        for (const auto& tensor : header.tensors)
            data_begin = std::min(data_begin, static_cast<qsizetype>(tensor.begin));
        auto data = bytes_.mid(data_begin);
        auto made = bytes_.left(8) + length(header.tensors.size() + infos_.size()) +
                    length(header.metadata.values().size() + static_cast<std::size_t>(pairs_)) + added_ +
                    bytes_.mid(24, end_of_infos - 24);
        for (std::size_t i = 0; i < infos_.size(); ++i) {
            pad(data);
            made += infos_[i] + length(static_cast<std::size_t>(data.size()));
            data += data_[i];
        }
        pad(made);
        return made + data;
    }

private:
    static QByteArray length(std::size_t count) { return bytes_of(std::vector<quint64>{count}); }
    static QByteArray text(const QByteArray& words) { return length(static_cast<std::size_t>(words.size())) + words; }
    static void pad(QByteArray& bytes) { bytes += QByteArray((32 - bytes.size() % 32) % 32, '\0'); }
    void add(const QByteArray& key, quint32 type, const QByteArray& value) {
        added_ += text(key) + bytes_of(std::vector{type}) + value;
        ++pairs_;
    }

    QByteArray bytes_, added_;
    qsizetype pairs_ = 0;
    std::vector<QByteArray> infos_, data_;
};

} // namespace attnlab::test
