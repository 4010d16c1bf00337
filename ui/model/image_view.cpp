#include "ui/model/image_view.h"

#include "core/explain/reading_words.h"
#include "ui/matrix/slice.h"
#include "ui/model/patch_map.h"
#include "ui/widgets/text.h"

#include <QBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

PatchMap::Patches patchesOf(const ModelResult& result) {
    const auto& patches = result.model->description().first().embedding.patches;
    return {static_cast<int>(patches->rows()), static_cast<int>(patches->columns()), patches->class_token != nullptr};
}

} // namespace

ImageView::ImageView(QWidget* parent) : HeadView(parent), map_(new PatchMap) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(map_);
    connect(map_, &PatchMap::queryChosen, this, &HeadView::rowChosen);
}

bool ImageView::canShow(const HeadOnShow& head) const { return !head.result->picture.isNull() && head.weights; }

void ImageView::setHead(const HeadOnShowPtr& head, const QString&) {
    head_ = head && canShow(*head) ? head : nullptr;
    note_.clear();
    if (head_)
        map_->setImage(head_->result->picture, patchesOf(*head_->result));
    else
        map_->setImage({}, {});
    emit noteChanged();
}

void ImageView::setRow(std::optional<int> query, const explain::Reading&) {
    if (!head_ || !query)
        return;
    const auto& weights = head_->stage()->value;
    std::vector<double> row;
    for (std::int64_t key = 0; key < weights.dim(-1); ++key)
        row.push_back(weights.at({0, 0, *query, key}));
    const auto& tokens = head_->heads().tokens.queries;
    const QString name = textOf(tokens[static_cast<std::size_t>(*query)]);
    const bool has_class = patchesOf(*head_->result).class_token;
    const auto brightest = std::max_element(row.begin() + (has_class ? 1 : 0), row.end());
    note_ = tr("%1 reads patch %2 most: %3")
                .arg(name, textOf(tokens[static_cast<std::size_t>(brightest - row.begin())]),
                     textOf(explain::share_text(*brightest)));
    if (has_class)
        note_ += tr(" · the class token: %1").arg(textOf(explain::share_text(row.front())));
    map_->setRow(query, row, note_);
    emit noteChanged();
}

std::optional<MatrixData> ImageView::matrix() const {
    return head_ ? sliceOf(head_->weights->trace, *head_->stage(), 0, 0) : std::nullopt;
}

} // namespace attnlab::ui
