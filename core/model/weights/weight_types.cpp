#include "core/model/weights/weight_types.h"

#include "core/model/weights/widen.h"

#include <algorithm>

namespace attnlab::model {
namespace {

constexpr WeightTypeInfo table[] = {
    {WeightType::F64, "F64", 1, 8, widen_f64},         {WeightType::F32, "F32", 1, 4, widen_f32},
    {WeightType::F16, "F16", 1, 2, widen_f16},         {WeightType::BF16, "BF16", 1, 2, widen_bf16},
    {WeightType::Q8_0, "Q8_0", 32, 34, widen_q8_0},    {WeightType::Q4_0, "Q4_0", 32, 18, widen_q4_0},
    {WeightType::Q4_1, "Q4_1", 32, 20, widen_q4_1},    {WeightType::Q5_0, "Q5_0", 32, 22, widen_q5_0},
    {WeightType::Q5_1, "Q5_1", 32, 24, widen_q5_1},    {WeightType::Q4_K, "Q4_K", 256, 144, widen_q4_k},
    {WeightType::Q5_K, "Q5_K", 256, 176, widen_q5_k},  {WeightType::Q6_K, "Q6_K", 256, 210, widen_q6_k},
    {WeightType::MXFP4, "MXFP4", 32, 17, widen_mxfp4},
};

} // namespace

std::span<const WeightTypeInfo> weight_types() { return table; }

const WeightTypeInfo& info_of(WeightType type) {
    return *std::find_if(std::begin(table), std::end(table),
                         [&](const WeightTypeInfo& candidate) { return candidate.type == type; });
}

std::string_view name_of(WeightType type) { return info_of(type).name; }

} // namespace attnlab::model
