// Files with the arrays of an attention.
#pragma once

#include "core/io/file_formats.h"

#include <QString>
#include <QTemporaryDir>

namespace attnlab::ui {

class WrittenArrays {
protected:
    QTemporaryDir folder_;

    /// The path of a new file whose queries are all `value`.
    QString numbers(const QString& name, const Shape& shape, double value) {
        auto path = folder_.filePath(name);
        io::write_tensors(
            path.toStdString(),
            {{"query", Tensor(shape, value)}, {"key", Tensor(shape, 1.0)}, {"value", Tensor(shape, 1.0)}});
        return path;
    }
};

} // namespace attnlab::ui
