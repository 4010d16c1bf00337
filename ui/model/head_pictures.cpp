#include "ui/model/head_pictures.h"

#include "core/model/figures.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr std::int64_t picture_side = 48;
constexpr double white = 255.0;

} // namespace

std::int64_t pictureStep(std::int64_t queries, std::int64_t keys) {
    return std::max<std::int64_t>(1, (std::max(queries, keys) + picture_side - 1) / picture_side);
}

QImage pictureOfWeights(const Tensor& pooled, double low, double high) {
    const auto numbers = matrix_at(pooled, 0);
    QImage picture(static_cast<int>(numbers.columns), static_cast<int>(numbers.rows), QImage::Format_Indexed8);
    for (int row = 0; row < picture.height(); ++row)
        for (int column = 0; column < picture.width(); ++column) {
            const double part = (numbers(row, column) - low) / (high - low);
            picture.scanLine(row)[column] =
                static_cast<uchar>(std::lround(white * (part > 0.0 ? std::min(part, 1.0) : 0.0)));
        }
    return picture;
}

void summarise(PassHeads& heads, const model::Pass& pass, const std::vector<std::string>& equalities,
               const RunControl& control) {
    heads.heads = pass.heads;
    heads.queries = pass.queries;
    heads.keys = pass.keys;
    for (const auto& summary : model::summaries_of(pass, equalities, pictureStep(pass.queries, pass.keys), control)) {
        heads.figures.push_back(summary.figures);
        heads.pictures.push_back(pictureOfWeights(summary.pooled, 0.0, 1.0));
    }
}

} // namespace attnlab::ui
