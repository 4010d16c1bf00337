#include "ui/document/file_bytes.h"

#include "core/io/file_bytes.h"
#include "ui/document/file_name.h"

namespace attnlab::ui {

void writeBytes(const QString& path, const QByteArray& bytes, const RunControl& control) {
    io::write_file(toPath(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), control);
}

} // namespace attnlab::ui
