// Shows an error in a dialog.
#pragma once

#include "core/message.h"
#include "ui/widgets/label.h"

#include <optional>

namespace attnlab::ui {

/// Hidden without an error; in the theme's red.
class ErrorLabel : public Label {
    Q_OBJECT
public:
    explicit ErrorLabel(QWidget* parent = nullptr);

    void say(const std::optional<Message>& error);
    /// Empty while hidden.
    QString said() const;
};

} // namespace attnlab::ui
