#include "app/json_output.h"

#include "app/output.h"
#include "app/spec_options.h"

#include <cmath>
#include <QJsonDocument>
#include <string>

namespace attnlab::app {
namespace {

constexpr std::int64_t most_numbers = 4'000'000; ///< about 100 MB of text

QJsonValue nested(const Tensor& tensor, int axis, std::int64_t& next) {
    if (axis == tensor.rank())
        return jsonOf(tensor.data()[next++]);
    QJsonArray list;
    for (std::int64_t i = 0; i < tensor.dim(axis); ++i)
        list.append(nested(tensor, axis + 1, next));
    return list;
}

} // namespace

QJsonValue jsonOf(double value) {
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue(QString::fromStdString(to_text(value)));
}

QJsonArray jsonOf(const Shape& shape) {
    QJsonArray sizes;
    for (const auto size : shape)
        sizes.append(static_cast<qint64>(size));
    return sizes;
}

QJsonObject jsonOf(const Gap& gap) {
    return {{"max_absolute", jsonOf(gap.max_absolute)},
            {"mean_absolute", jsonOf(gap.mean_absolute)},
            {"cells", static_cast<qint64>(gap.cells)},
            {"left_out", static_cast<qint64>(gap.left_out)}};
}

QJsonValue jsonOf(const Tensor& tensor) {
    std::int64_t next = 0;
    return nested(tensor, 0, next);
}

void printJson(const QJsonObject& object) { printOut("%s", QJsonDocument(object).toJson().constData()); }

void checkJsonSize(std::int64_t numbers, const char* option) {
    if (numbers > most_numbers)
        throw UsageError("--json: is for up to " + std::to_string(most_numbers) + " numbers, there are " +
                         std::to_string(numbers) + "; " + option);
}

} // namespace attnlab::app
