#include "ui/window/start_gallery.h"

#include "core/backend.h"
#include "core/model/model.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/model/model_result.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr int columns = 3;
constexpr QSize picture_size(220, 84), largest_image(256, 256);

/// The matrix that the sample shows when it opens; a null image without one.
QImage pictureOf(const Sample& sample, const Theme& look, const RunControl& control) {
    std::string view_json;
    const auto problem = sample.read(&view_json);
    ViewState view;
    viewFromJson(view_json, view);
    const Trace trace = reference_backend().run(problem, control);
    const Stage* stage = stageToShow(trace, view.stage().toStdString());
    const auto matrix = stage ? sliceOf(trace, *stage, view.batch(), headWithin(trace, view.head())) : std::nullopt;
    return matrix ? matrixImage(*matrix, shownOn(look, scaleFor(trace, *stage, view.batch(), {})), largest_image)
                  : QImage();
}

/// The head of the trained model that reads the name which it says next; a null image if it cannot be read.
QImage pictureOfModel(const std::filesystem::path& folder, const Theme& look, const RunControl& control) {
    try {
        const auto model = std::make_shared<const model::Model>(model::Model::open(folder, control));
        ModelRequest request;
        request.text = QString::fromLatin1(sample_model_text);
        const auto result = computeModel(model, folder, request, nullptr, control);
        const PassHeads& last = result->passes.back();
        QImage picture = last.pictures.front();
        ValueRange range;
        range.include(1.0);
        const auto scale = shownOn(look, colorScale({}, range, false, true));
        picture.setColorTable(QList<QRgb>(scale.map->colors.begin(), scale.map->colors.end()));
        picture = picture.convertToFormat(QImage::Format_ARGB32);
        for (int row = 0; row < std::min(picture.height(), static_cast<int>(last.ahead.size())); ++row)
            for (int column = last.ahead[static_cast<std::size_t>(row)]; column < picture.width(); ++column)
                picture.setPixel(column, row, qRgba(0, 0, 0, 0)); // what no query may read
        return picture;
    } catch (const Error&) { // opening the model says why
        return {};
    }
}

} // namespace

SampleCard::SampleCard(const QString& title, const QString& help, QWidget* parent)
    : CardButton(new QVBoxLayout, parent), frame_(new QWidget(this)) {
    auto& column = static_cast<QBoxLayout&>(*layout());
    column.setContentsMargins(10, 10, 10, 10);
    column.setSpacing(4);
    column.addWidget(frame_);
    frame_->setAttribute(Qt::WA_TransparentForMouseEvents);
    title_ = addWords(column, QPalette::Text);
    title_->setText(title);
    addWords(column, QPalette::PlaceholderText)->setText(help);
    column.addStretch(1);
    setAccessibleName(title);
    setAccessibleDescription(help);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    fit();
}

void SampleCard::fit() {
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    frame_->setFixedHeight(std::max(picture_size.height(), 5 * fontMetrics().height()));
}

void SampleCard::setPicture(const QImage& picture) {
    picture_ = picture;
    update();
}

void SampleCard::paintEvent(QPaintEvent*) {
    const bool has_focus = showsFocus(*this);
    paintFrame(has_focus ? theme().accent : theme().outline, has_focus, isDown());
    if (picture_.isNull())
        return;
    QPainter painter(this);
    const QRect room = frame_->geometry();
    QSize size = picture_.size().scaled(room.size(), Qt::KeepAspectRatio);
    size.setHeight(std::max(size.height(), room.height() / 3)); // of a few queries beside many keys
    QRect place(QPoint(), size);
    place.moveCenter(room.center());
    painter.drawImage(place, picture_);
}

void SampleCard::changeEvent(QEvent* event) {
    CardButton::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

StartGallery::StartGallery(QWidget* parent)
    : QDialog(parent), pictures_([this](const std::vector<QImage>& pictures) {
          for (std::size_t i = 0; i < pictures.size(); ++i)
              cards_[i]->setPicture(pictures[i]);
      }) {
    setWindowTitle(tr("Samples"));
    auto* first = new QPushButton(tr("&Type a sentence"));
    auto* file = new QPushButton(tr("Open a &file…"));
    auto* model = new QPushButton(tr("Open a &model…"));
    auto* close = new QPushButton(tr("Close"));
    first->setToolTip(tr("A new document: type your own words"));
    const std::pair<QPushButton*, void (StartGallery::*)()> ways[] = {{first, &StartGallery::newRequested},
                                                                      {file, &StartGallery::openRequested},
                                                                      {model, &StartGallery::openModelRequested}};
    auto* row = new QHBoxLayout;
    for (const auto& [button, signal] : ways) {
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, signal = signal] {
            accept();
            emit(this->*signal)();
        });
    }
    row->addStretch(1);
    row->addWidget(close);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 8, 0);
    for (const auto& sample : samples()) {
        auto* card = new SampleCard(sample.displayTitle(), sample.displayHelp());
        cards_.push_back(card);
        connect(card, &QPushButton::clicked, this, [this, id = QString::fromLatin1(sample.id)] {
            accept();
            emit sampleChosen(id);
        });
    }
    if (!sampleModelFolder().empty()) {
        auto* card = new SampleCard(tr("A trained model: what comes after “to”?"),
                                    tr("A small GPT-2 of 3 layers reads “When Mary and John went to the store, John "
                                       "gave a drink to”. Type your own text, and switch heads off."));
        cards_.push_back(card);
        connect(card, &QPushButton::clicked, this, [this] {
            accept();
            emit modelChosen();
        });
    }
    for (const auto group : {SampleGroup::Start, SampleGroup::Masks, SampleGroup::Faster, SampleGroup::Models})
        column->addWidget(makeGroup(group));
    auto* whole = new QVBoxLayout(this);
    whole->addLayout(row);
    whole->addWidget(new FittingScrollArea(content, FittingScrollArea::Scrolls::Down), 1);
    resize(QSize(840, 620).boundedTo(parent ? parent->window()->size() : QSize(840, 620)));
    if (!cards_.empty())
        cards_.front()->setFocus();
    requestPictures();
}

QWidget* StartGallery::makeGroup(SampleGroup group) {
    auto* part = new QWidget;
    auto* grid = new QGridLayout(part);
    grid->setContentsMargins(0, 4, 0, 8);
    grid->setSpacing(8);
    auto* heading = mutedLabel(part, true);
    setAccessibleRole(*heading, QAccessible::Heading);
    heading->setText(group == SampleGroup::Start    ? tr("Start here")
                     : group == SampleGroup::Masks  ? tr("Masks")
                     : group == SampleGroup::Faster ? tr("Faster attention")
                                                    : tr("Whole models"));
    heading->setAccessibleName(heading->text());
    grid->addWidget(heading, 0, 0, 1, columns);
    int place = 0;
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        const bool is_model = i >= samples().size();
        if ((is_model ? SampleGroup::Models : samples()[i].group) != group)
            continue;
        grid->addWidget(cards_[i], 1 + place / columns, place % columns);
        ++place;
    }
    for (int column = 0; column < columns; ++column)
        grid->setColumnStretch(column, 1);
    return part;
}

void StartGallery::requestPictures() {
    pictures_.request([look = theme()](const RunControl& control) {
        std::vector<QImage> pictures;
        for (const auto& sample : samples())
            pictures.push_back(pictureOf(sample, look, control));
        if (const auto folder = sampleModelFolder(); !folder.empty())
            pictures.push_back(pictureOfModel(folder, look, control));
        return pictures;
    });
}

} // namespace attnlab::ui
