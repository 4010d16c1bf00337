// Draws icons in the sizes of the hicolor theme: make_icons FOLDER CONTEXT/NAME=FILE.svg...
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QString>
#include <QSvgRenderer>

#include <cstdio>

namespace {

bool draw(const QString& file, int size, const QString& target) {
    QSvgRenderer svg(file);
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    svg.render(&painter);
    painter.end();
    return svg.isValid() && QDir().mkpath(QFileInfo(target).path()) && image.save(target);
}

} // namespace

int main(int argc, char** argv) {
    for (int i = 2; i < argc; ++i) {
        const QString icon = QString::fromLocal8Bit(argv[i]).section(QLatin1Char('='), 0, 0);
        const QString file = QString::fromLocal8Bit(argv[i]).section(QLatin1Char('='), 1);
        for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
            const auto target =
                QStringLiteral("%1/hicolor/%2x%2/%3.png").arg(QString::fromLocal8Bit(argv[1])).arg(size).arg(icon);
            if (!draw(file, size, target)) {
                std::fprintf(stderr, "make_icons: %s cannot be drawn as %s\n", qPrintable(file), qPrintable(target));
                return 1;
            }
        }
    }
    return 0;
}
