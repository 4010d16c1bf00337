// Files for the tests of .pt: archives and pickles written byte by byte.
#pragma once

#include "core/io/torch_file.h"
#include "tests/core/io_support.h"

#include <QList>
#include <QtEndian>

namespace attnlab::test::torch {

struct Member {
    QByteArray name;
    QByteArray bytes;
    quint16 method = 0;
    quint16 flags = 0;
};

template <class T>
QByteArray little(T value) {
    QByteArray bytes(sizeof(T), '\0');
    qToLittleEndian<T>(value, bytes.data());
    return bytes;
}

/// An uncompressed zip archive. Its checksums are 0, which means absent.
inline QByteArray zip_of(const QList<Member>& members) {
    QByteArray archive, directory;
    for (const auto& member : members) {
        const auto size = little(static_cast<quint32>(member.bytes.size()));
        const auto shared = little<quint16>(20) + little(member.flags) + little(member.method) + little<quint32>(0) +
                            little<quint32>(0) + size + size + little(static_cast<quint16>(member.name.size())) +
                            little<quint16>(0);
        directory += "PK\1\2" + little<quint16>(20) + shared + QByteArray(10, '\0') +
                     little(static_cast<quint32>(archive.size())) + member.name;
        archive += "PK\3\4" + shared + member.name + member.bytes;
    }
    const auto count = little(static_cast<quint16>(members.size()));
    return archive + directory + "PK\5\6" + QByteArray(4, '\0') + count + count +
           little(static_cast<quint32>(directory.size())) + little(static_cast<quint32>(archive.size())) +
           little<quint16>(0);
}

// The building blocks of a pickle.
inline QByteArray text(const QByteArray& utf8) { return "X" + little(static_cast<quint32>(utf8.size())) + utf8; }
inline QByteArray number(qint32 value) { return "J" + little(value); }
inline QByteArray long_number(qint64 value) { return QByteArray("\x8a\x08", 2) + little(value); }
inline QByteArray global(const QByteArray& module, const QByteArray& name) { return "c" + module + "\n" + name + "\n"; }
inline QByteArray tuple(const QList<QByteArray>& items) { return "(" + items.join() + "t"; }
inline QByteArray sizes(const QList<qint64>& values) {
    QByteArray items;
    for (const auto value : values)
        items += long_number(value);
    return "(" + items + "t";
}
inline QByteArray called(const QByteArray& function, const QList<QByteArray>& arguments) {
    return function + tuple(arguments) + "R";
}
inline QByteArray pickle(const QByteArray& value) { return QByteArray("\x80\x02", 2) + value + "."; }

/// By default four float32 numbers in data/0.
inline QByteArray storage(qint64 count = 4, const QByteArray& type = "FloatStorage", const QByteArray& key = "0") {
    return tuple({text("storage"), global("torch", type), text(key), text("cpu"), long_number(count)}) + "Q";
}
inline QByteArray tensor(const QByteArray& of_storage, qint64 offset, const QList<qint64>& shape,
                         const QList<qint64>& strides) {
    return called(global("torch._utils", "_rebuild_tensor_v2"),
                  {of_storage, long_number(offset), sizes(shape), sizes(strides), QByteArray("\x89"),
                   global("collections", "OrderedDict") + ")R"});
}
inline QByteArray dictionary(const QList<QPair<QByteArray, QByteArray>>& items) {
    QByteArray all;
    for (const auto& [key, value] : items)
        all += text(key) + value;
    return "}(" + all + "u";
}

/// The numbers 0.5, 1.5, 2.5, 3.5.
inline QByteArray four_floats() {
    QByteArray bytes;
    for (const float value : {0.5F, 1.5F, 2.5F, 3.5F})
        bytes += little(std::bit_cast<quint32>(value));
    return bytes;
}

/// An archive of `value` and four_floats().
inline QByteArray torch_file(const QByteArray& value, const QList<Member>& more = {}) {
    QList<Member> members{{"f/data.pkl", pickle(value)}, {"f/data/0", four_floats()}};
    return zip_of(members + more);
}

/// A storage as the format before PyTorch 1.6 refers to it, by default the same numbers.
inline QByteArray legacy_storage(qint64 count = 4, const QByteArray& type = "FloatStorage", const QByteArray& key = "0",
                                 const QByteArray& part = "N") {
    return tuple({text("storage"), global("torch", type), text(key), text("cpu"), long_number(count), part}) + "Q";
}

/// A file of that format, part by part.
struct LegacyFile {
    QByteArray value;
    QByteArray keys = "](" + text("0") + "e";
    QByteArray storages = little<qint64>(4) + four_floats();
    QByteArray version = number(1001);
    QByteArray machine = dictionary({{"little_endian", "\x88"}});

    QList<QByteArray> parts() const {
        return {QByteArray("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."),
                pickle(version),
                pickle(machine),
                pickle(value),
                pickle(keys),
                storages};
    }
    QByteArray bytes() const { return parts().join(); }
};

inline io::TorchFile read(const QByteArray& bytes, const io::ReadLimits& limits = {}) {
    return io::read_torch(as_span(bytes), "f.pt", limits);
}

} // namespace attnlab::test::torch
