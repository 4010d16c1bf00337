// The keys that widgets handle themselves, for the list of keyboard shortcuts.
#pragma once

#include <QList>
#include <QMetaType>
#include <QString>

class QWidget;

namespace attnlab::ui {

struct OwnKey {
    QString keys; ///< "Enter", "Shift + arrow keys"
    QString does;

    bool operator==(const OwnKey&) const = default;
};

/// The keys of one kind of widget.
struct OwnKeys {
    QString place; ///< the user's name for it
    QList<OwnKey> keys;
};

/// Called by a widget beside the code that handles these keys.
void declareKeys(QWidget& widget, const OwnKeys& keys);

/// Those of all widgets in `window`, shown or not: each place once, in the order of the widgets.
QList<OwnKeys> declaredKeys(const QWidget& window);

} // namespace attnlab::ui

Q_DECLARE_METATYPE(attnlab::ui::OwnKeys)
