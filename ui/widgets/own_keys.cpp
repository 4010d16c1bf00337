#include "ui/widgets/own_keys.h"

#include <QVariant>
#include <QWidget>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr auto keys_property = "attnlab_own_keys";

} // namespace

void declareKeys(QWidget& widget, const OwnKeys& keys) { widget.setProperty(keys_property, QVariant::fromValue(keys)); }

QList<OwnKeys> declaredKeys(const QWidget& window) {
    QList<OwnKeys> all;
    for (const auto* widget : window.findChildren<QWidget*>()) {
        const auto declared = widget->property(keys_property);
        if (!declared.isValid())
            continue;
        const auto keys = declared.value<OwnKeys>();
        const auto same = std::ranges::find(all, keys.place, &OwnKeys::place);
        if (same == all.end())
            all << keys;
        else
            for (const auto& key : keys.keys)
                if (!same->keys.contains(key))
                    same->keys << key;
    }
    return all;
}

} // namespace attnlab::ui
