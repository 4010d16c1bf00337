// A label that shows what it is given.
#pragma once

#include <QLabel>

namespace attnlab::ui {

/// Shows its text letter by letter, where a QLabel takes what looks like HTML for HTML and opens the files that it
/// names: tokens, names and messages come from files of others.
class Label : public QLabel {
public:
    explicit Label(QWidget* parent = nullptr) : QLabel(parent) { setTextFormat(Qt::PlainText); }
    explicit Label(const QString& text, QWidget* parent = nullptr) : Label(parent) { setText(text); }
};

} // namespace attnlab::ui
