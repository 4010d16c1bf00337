#include "ui/widgets/icon.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace attnlab::ui {
namespace {

QColor colorFor(QIcon::Mode mode) {
    const QPalette palette = QGuiApplication::palette();
    switch (mode) {
    case QIcon::Disabled: {
        // The palette's disabled text is readable; a disabled icon is fainter.
        QColor color = palette.color(QPalette::Disabled, QPalette::ButtonText);
        color.setAlphaF(0.45F);
        return color;
    }
    case QIcon::Selected:
        return palette.color(QPalette::HighlightedText);
    case QIcon::Normal:
    case QIcon::Active:
        break;
    }
    return palette.color(QPalette::ButtonText);
}

class PaletteIconEngine : public QIconEngine {
public:
    PaletteIconEngine(QString name, QByteArray svg) : name_(std::move(name)), svg_(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QColor color = colorFor(mode);
        QByteArray colored = svg_;
        colored.replace("currentColor", color.name().toLatin1());
        QSvgRenderer renderer(colored);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        painter->save();
        painter->setOpacity(painter->opacity() * color.alphaF());
        renderer.render(painter, QRectF(rect));
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        const QString key = QStringLiteral("attnlab-icon/%1/%2x%3/%4")
                                .arg(name_)
                                .arg(size.width())
                                .arg(size.height())
                                .arg(colorFor(mode).name(QColor::HexArgb));
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QString iconName() override { return name_; }
    QString key() const override { return QStringLiteral("attnlab"); }
    QIconEngine* clone() const override { return new PaletteIconEngine(*this); }

private:
    QString name_;
    QByteArray svg_;
};

} // namespace

QIcon icon(const QString& name) {
    QFile file(QStringLiteral(":/attnlab/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new PaletteIconEngine(name, file.readAll()));
}

} // namespace attnlab::ui
