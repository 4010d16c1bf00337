// Exchanges cells of a tensor with spreadsheets by the clipboard.
#pragma once

#include "core/io/csv.h"

#include <QString>
#include <QStringList>

#include <memory>

class QMimeData;

namespace attnlab::ui {

/// The numbers as tab-separated text and as an HTML table, both exact. Empty label lists are omitted.
std::unique_ptr<QMimeData> mimeOf(const Tensor& cells, const QStringList& row_labels = {},
                                  const QStringList& column_labels = {});

/// Clipboard text as a table: a single number in the user's locale, or a table of io::read_table. Throws Error.
io::Table tableFrom(const QString& text);

} // namespace attnlab::ui
