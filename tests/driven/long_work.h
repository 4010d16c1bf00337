// Every kind of work of the window that may take long.
#pragma once

#include <QString>

#include <string_view>

namespace attnlab::ui {
class MainWindow;
}

namespace attnlab::driven {

struct LongWork {
    std::string_view id;
    void (*begin)(ui::MainWindow& window, const QString& folder); ///< may make files in the folder
    bool has_cancel = true;                                       ///< the window shows a button
};

/// Null for an unknown one.
const LongWork* longWork(std::string_view id);

} // namespace attnlab::driven
