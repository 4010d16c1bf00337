#include "ui/widgets/inert_document.h"

#include <QImage>

namespace attnlab::ui {

QVariant InertDocument::nothing(int type) {
    if (type != ImageResource)
        return QByteArray("");
    QImage image(1, 1, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    return image;
}

QVariant InertDocument::loadResource(int type, const QUrl&) { return nothing(type); }

} // namespace attnlab::ui
