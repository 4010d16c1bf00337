#include "ui/panels/key_grid/key_picture.h"

#include "core/inputs.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QImageReader>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr int tallest = 320;
constexpr int faintest = 40, strongest = 215; ///< opacity of a cell over an image, of 255

bool isPicture(const Shape& shape) {
    return shape.size() == 2 || (shape.size() == 3 && (shape[2] == 1 || shape[2] == 3));
}

} // namespace

QImage imageOf(const Tensor& tensor) {
    if (!isPicture(tensor.shape()) || tensor.size() == 0)
        return {};
    const auto values = tensor.values();
    const bool bytes = std::any_of(values.begin(), values.end(), [](double v) { return v > 1.0; });
    const double unit = bytes ? 1.0 : 255.0;
    const auto channels = tensor.rank() == 3 ? tensor.dim(2) : 1;
    const auto level = [&](std::int64_t at) {
        const double value = values[static_cast<std::size_t>(at)] * unit;
        return value >= 0.0 ? static_cast<int>(std::min(value + 0.5, 255.0)) : 0; // NaN is black
    };
    QImage image(static_cast<int>(tensor.dim(1)), static_cast<int>(tensor.dim(0)), QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto at = (std::int64_t{y} * image.width() + x) * channels;
            image.setPixel(x, y,
                           channels == 3 ? qRgb(level(at), level(at + 1), level(at + 2))
                                         : qRgb(level(at), level(at), level(at)));
        }
    }
    return image;
}

Tensor tensorOf(const QImage& image, int longest) {
    QImage small = image.convertToFormat(QImage::Format_RGB32);
    if (std::max(small.width(), small.height()) > longest)
        small = small.scaled(longest, longest, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    Tensor tensor({small.height(), small.width(), 3}, 0.0, DType::Float32);
    auto out = tensor.mutable_values().begin();
    for (int y = 0; y < small.height(); ++y) {
        for (int x = 0; x < small.width(); ++x) {
            const QRgb pixel = small.pixel(x, y);
            for (const int level : {qRed(pixel), qGreen(pixel), qBlue(pixel)})
                *out++ = static_cast<double>(static_cast<float>(level) / 255.0f);
        }
    }
    return tensor;
}

KeyPicture::KeyPicture(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Chart);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void KeyPicture::setRow(const MatrixData& weights, int row, KeyGrid grid, const ColorScale& scale) {
    const bool same_shape = grid == grid_;
    weights_ = weights;
    row_ = row;
    grid_ = grid;
    scale_ = scale;
    if (!same_shape)
        updateGeometry();
    update();
}

void KeyPicture::setImage(const QImage& image) {
    image_ = image;
    updateGeometry();
    update();
}

void KeyPicture::setMarked(std::optional<int> key) {
    const bool moved = key != marked_;
    marked_ = key;
    moved ? sayTableCursor(*this) : sayTableCells(*this);
    update();
}

double KeyPicture::weightOf(int key) const { return weights_.view()(row_, key); }

int KeyPicture::heightForWidth(int width) const {
    const double aspect = image_.isNull() ? static_cast<double>(grid_.rows) / static_cast<double>(grid_.columns)
                                          : static_cast<double>(image_.height()) / image_.width();
    return std::clamp(static_cast<int>(width * aspect), 16, tallest);
}

QSize KeyPicture::sizeHint() const { return {240, heightForWidth(240)}; }

QRectF KeyPicture::area() const {
    const double aspect = image_.isNull() ? static_cast<double>(grid_.rows) / static_cast<double>(grid_.columns)
                                          : static_cast<double>(image_.height()) / image_.width();
    const QRectF room = QRectF(rect()).adjusted(1, 1, -1, -1);
    const QSizeF size = QSizeF(1.0, aspect).scaled(room.size(), Qt::KeepAspectRatio);
    return {QPointF(room.center().x() - size.width() / 2, room.top()), size};
}

QRectF KeyPicture::cellRect(int key) const {
    const QRectF all = area();
    const double width = all.width() / static_cast<double>(grid_.columns);
    const double height = all.height() / static_cast<double>(grid_.rows);
    const auto column = key % grid_.columns, row = key / grid_.columns;
    return {all.left() + width * static_cast<double>(column), all.top() + height * static_cast<double>(row), width,
            height};
}

std::optional<int> KeyPicture::keyAt(const QPointF& position) const {
    const QRectF all = area();
    if (!all.contains(position))
        return std::nullopt;
    const auto column = std::min(
        static_cast<std::int64_t>((position.x() - all.left()) / all.width() * static_cast<double>(grid_.columns)),
        grid_.columns - 1);
    const auto row =
        std::min(static_cast<std::int64_t>((position.y() - all.top()) / all.height() * static_cast<double>(grid_.rows)),
                 grid_.rows - 1);
    return static_cast<int>(row * grid_.columns + column);
}

void KeyPicture::paintEvent(QPaintEvent*) {
    if (!scale_.map || weights_.values.size() == 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (!image_.isNull())
        painter.drawImage(area(), image_);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int key = 0; key < grid_.rows * grid_.columns; ++key) {
        // Whole pixels avoid seams between neighbours.
        const QRectF cell = cellRect(key);
        const QRect pixels(QPoint(qRound(cell.left()), qRound(cell.top())),
                           QPoint(qRound(cell.right()) - 1, qRound(cell.bottom()) - 1));
        if (weights_.isBlocked(row_, key)) {
            paintHatch(painter, pixels);
            continue;
        }
        const double weight = weightOf(key);
        if (std::isnan(weight))
            continue;
        QColor color = QColor::fromRgba(shownOn(theme(), scale_).color(weight));
        if (!image_.isNull())
            color.setAlpha(faintest + static_cast<int>((strongest - faintest) * scale_.position(weight)));
        painter.fillRect(pixels, color);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme().border);
    painter.drawRect(area());
    if (marked_ && *marked_ < grid_.rows * grid_.columns) {
        for (const auto& [color, width] : {std::pair(theme().card, 5), std::pair(theme().pin, 2)}) {
            painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            painter.drawRect(cellRect(*marked_));
        }
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0, 0, -1, -1));
    }
}

void KeyPicture::mousePressEvent(QMouseEvent* event) {
    if (const auto key = keyAt(event->position()))
        emit keyClicked(*key);
}

void KeyPicture::keyPressEvent(QKeyEvent* event) {
    const auto columns = static_cast<int>(grid_.columns), count = static_cast<int>(grid_.rows) * columns;
    const int key = marked_.value_or(0);
    const int next = event->key() == Qt::Key_Left    ? key - 1
                     : event->key() == Qt::Key_Right ? key + 1
                     : event->key() == Qt::Key_Up    ? key - columns
                     : event->key() == Qt::Key_Down  ? key + columns
                                                     : -1;
    if (next >= 0 && next < count)
        emit keyClicked(next);
    else
        QWidget::keyPressEvent(event);
}

QString KeyPicture::textOf(int key) const {
    return tr("row %1, column %2 (%3): %4", "of the picture that keys come from")
        .arg(key / grid_.columns)
        .arg(key % grid_.columns)
        .arg(weights_.columnLabel(key), exactText(weightOf(key)));
}

std::optional<std::pair<int, int>> KeyPicture::tableCursor() const {
    const int key = marked_.value_or(-1), columns = tableColumns();
    return key >= 0 && key < tableRows() * columns ? std::optional(std::pair(key / columns, key % columns))
                                                   : std::nullopt;
}

bool KeyPicture::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto key = keyAt(tipPosition(*event));
        showTip(*event, key ? textOf(*key) : QString(), *this);
        return true;
    }
    return QWidget::event(event);
}

KeyPictureCard::KeyPictureCard(QWidget* parent)
    : Card(parent), picture_(new KeyPicture(this)), complaint_(mutedLabel(this)) {
    complaint_->setWordWrap(true);
    body()->addWidget(picture_);
    body()->addWidget(complaint_);
    hide();
}

void KeyPictureCard::setProblem(const AttentionProblem& problem) {
    grid_ = problem.key_grid;
    const auto found = problem.tensors.find(key_image_name);
    const Tensor image = found == problem.tensors.end() ? Tensor() : found->second;
    if (!image.shares_storage_with(image_))
        picture_->setImage(imageOf(image));
    image_ = image;
}

void KeyPictureCard::setRow(const MatrixData* weights, int row, std::optional<int> key, const ColorScale& scale) {
    showWithin(this, grid_ && weights);
    if (!grid_ || !weights)
        return;
    const auto keys = weights->view().columns, cells = grid_->rows * grid_->columns;
    setTitle(tr("On the picture: what “%1” reads").arg(weights->rowLabel(row)));
    setHeadingNote(tr("%1 × %2", "rows x columns of the key grid").arg(grid_->rows).arg(grid_->columns));
    complaint_->setText(cells > keys ? tr("The grid has %1 cells, but there are %2 keys.").arg(cells).arg(keys)
                                     : QString());
    showWithin(complaint_, cells > keys);
    showWithin(picture_, cells <= keys);
    picture_->setAccessibleName(title());
    if (cells > keys)
        return;
    picture_->setRow(*weights, row, *grid_, scale);
    picture_->setMarked(key);
}

QString KeyPictureCard::complaint() const { return complaint_->isHidden() ? QString() : complaint_->text(); }

KeyGridDialog::KeyGridDialog(const AttentionProblem& problem, std::int64_t keys, QWidget* parent)
    : QDialog(parent), problem_(problem), keys_(keys),
      enabled_(new QCheckBox(tr("The &keys are the cells of a picture, row by row"))), rows_(new QSpinBox),
      columns_(new QSpinBox), verdict_(new Label), image_(new Label),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Arrange the keys as an image"));
    const KeyGrid grid = problem.key_grid.value_or(squarest_grid(keys));
    for (auto* size : {rows_, columns_})
        size->setRange(1, 1 << 20);
    rows_->setValue(static_cast<int>(grid.rows));
    columns_->setValue(static_cast<int>(grid.columns));
    enabled_->setChecked(true);
    build();
    settle();
}

void KeyGridDialog::build() {
    auto* form = new QFormLayout;
    form->addRow(tr("&Rows"), rows_);
    form->addRow(tr("&Columns"), columns_);
    auto* choose = new QPushButton(tr("Picture &behind the keys…"));
    auto* remove = new QPushButton(tr("Re&move the picture"));
    auto* line = new QHBoxLayout;
    line->addWidget(choose);
    line->addWidget(remove);
    line->addStretch();
    image_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(enabled_);
    layout->addLayout(form);
    layout->addWidget(verdict_);
    layout->addLayout(line);
    layout->addWidget(image_);
    layout->addStretch();
    layout->addWidget(buttons_);
    setMinimumWidth(fontMetrics().averageCharWidth() * 60);
    connect(enabled_, &QCheckBox::toggled, this, &KeyGridDialog::settle);
    connect(rows_, &QSpinBox::valueChanged, this, &KeyGridDialog::settle);
    connect(columns_, &QSpinBox::valueChanged, this, &KeyGridDialog::settle);
    connect(choose, &QPushButton::clicked, this, &KeyGridDialog::chooseImage);
    connect(remove, &QPushButton::clicked, this, [this] {
        problem_.tensors.erase(key_image_name);
        settle();
    });
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void KeyGridDialog::settle() {
    const bool on = enabled_->isChecked();
    const auto cells = std::int64_t{rows_->value()} * columns_->value();
    rows_->setEnabled(on);
    columns_->setEnabled(on);
    verdict_->setText(!on              ? tr("The weights of a row are shown as bars alone.")
                      : cells == keys_ ? tr("%1 cells, one for each key.").arg(cells)
                                       : tr("%1 cells, but there are %2 keys.").arg(cells).arg(keys_));
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(!on || cells == keys_);
    const auto found = problem_.tensors.find(key_image_name);
    image_->setText(found == problem_.tensors.end()
                        ? tr("No picture: the weights alone are drawn.")
                        : tr("A picture of %1 × %2 pixels.").arg(found->second.dim(1)).arg(found->second.dim(0)));
}

void KeyGridDialog::chooseImage() {
    QStringList patterns;
    for (const auto& format : QImageReader::supportedImageFormats())
        patterns << QStringLiteral("*.") + QString::fromLatin1(format);
    const auto path = QFileDialog::getOpenFileName(this, tr("Picture behind the keys"), {},
                                                   tr("Pictures (%1)").arg(patterns.join(QLatin1Char(' '))));
    if (!path.isEmpty())
        readImage(path);
}

void KeyGridDialog::readImage(const QString& path) {
    QImageReader reader(path);
    reader.setAutoTransform(true);
    const QImage image = reader.read();
    if (image.isNull()) {
        image_->setText(tr("%1 could not be read as a picture: %2").arg(path, reader.errorString()));
        return;
    }
    problem_.tensors.insert_or_assign(key_image_name, tensorOf(image));
    settle();
}

AttentionProblem KeyGridDialog::result() const {
    auto problem = problem_;
    problem.key_grid.reset();
    if (enabled_->isChecked())
        problem.key_grid = KeyGrid{rows_->value(), columns_->value()};
    return problem;
}

} // namespace attnlab::ui
