// Numbers on the clipboard, for spreadsheets.
#pragma once

#include "core/tensor.h"

#include <cstdint>
#include <memory>
#include <QStringList>

class QMimeData;

namespace attnlab::ui {

/// More would keep the window waiting, and no spreadsheet takes them.
inline constexpr std::int64_t most_copied_cells = 1'000'000;

/// The numbers as tab-separated text and as an HTML table, both exact. Empty label lists are omitted.
std::unique_ptr<QMimeData> mimeOf(const MatrixView& cells, const QStringList& row_labels = {},
                                  const QStringList& column_labels = {});

} // namespace attnlab::ui
