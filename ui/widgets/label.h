// A label for plain text.
#pragma once

#include <QLabel>

namespace attnlab::ui {

/// Shows its text literally, whereas a QLabel interprets text that looks like HTML and opens the files that it refers
/// to: tokens, names and messages come from untrusted files.
class Label : public QLabel {
public:
    explicit Label(QWidget* parent = nullptr) : QLabel(parent) { setTextFormat(Qt::PlainText); }
    explicit Label(const QString& text, QWidget* parent = nullptr) : Label(parent) { setText(text); }
};

} // namespace attnlab::ui
