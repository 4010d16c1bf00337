// Arrays of files for tests of the recognition.
#pragma once

#include "core/random.h"
#include "core/recognition/recognition.h"

#include <QString>
#include <QStringList>

namespace attnlab::test {

using Arrays = std::vector<std::pair<std::string, Shape>>;

inline Contents contents_of(const Arrays& arrays) {
    Contents contents;
    for (const auto& [name, shape] : arrays)
        contents.arrays.push_back({name, random_normal(shape, 1), "file"});
    return contents;
}

/// "key=k query=q | lse": the inputs with their arrays, then the unused ones.
inline QString summary(const Recognition& recognition) {
    QStringList used, unused;
    for (const auto& use : recognition.used)
        used << QString::fromStdString(use.role + "=" + use.name);
    for (const auto& array : recognition.unused)
        unused << QString::fromStdString(array.name);
    used.sort();
    unused.sort();
    return used.join(' ') + (unused.isEmpty() ? QString() : " | " + unused.join(' '));
}

inline QString notes_of(const Recognition& recognition) {
    QStringList notes;
    for (const auto& note : recognition.notes)
        notes << QString::fromStdString(note.english());
    return notes.join('\n');
}

inline QString why_not(const Recognition& recognition, const std::string& name) {
    for (const auto& array : recognition.unused)
        if (array.name == name)
            return QString::fromStdString(array.why.english());
    return {};
}

} // namespace attnlab::test
