#include "ui/document/likely_roles.h"

#include "core/recognition/array_names.h"
#include "core/recognition/mask_arrays.h"
#include "core/variants.h"

#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace attnlab::ui {
namespace {

struct Usual {
    const char* role;
    const char* hint; ///< in names: parts between dots, underscores and other separators
};

constexpr Usual usual[] = {{"query", "q|qs|query|queries"},
                           {"key", "k|ks|key|keys"},
                           {"value", "v|vs|value|values"},
                           {"attn_mask", "mask|causal"},
                           {"key_padding_mask", "padding|pad|valid|lengths"},
                           {"attn_bias", "bias|additive|alibi"},
                           {"weights", "weights|weight|attn|attention|attentions|probs|probabilities|softmax|p"},
                           {"x", "x|hidden|states|input|tokens|embedding|embeddings"}};

bool hints(const QString& name, const char* pattern) {
    const QRegularExpression part(QStringLiteral("(^|[^a-z])(%1)([^a-z]|$)").arg(QLatin1String(pattern)));
    return part.match(name).hasMatch();
}

/// A score of 0 to 3 for the role, by shape and numbers.
int fitOf(const HeldArray& array, std::string_view role, bool weights) {
    const auto& tensor = array.tensor;
    const bool flags = tensor.dtype() == DType::Bool || tensor.dtype() == DType::Int64;
    const bool square = tensor.rank() >= 2 && tensor.dim(-1) == tensor.dim(-2);
    if (role == "weights")
        return weights ? 3 : 0;
    if (role == "attn_mask")
        return flags && tensor.rank() >= 2 ? (square || tensor.rank() > 2 ? 3 : 2) : 0;
    if (role == "key_padding_mask")
        return flags && tensor.rank() <= 2 ? (square ? 2 : 3) : 0;
    if (role == "attn_bias")
        return !flags && !weights && square && tensor.rank() >= 3 ? 1 : 0;
    return !flags && !weights && tensor.rank() >= 2 ? 1 : 0;
}

} // namespace

RoleList rolesFor(const HeldArray& array) {
    const auto name = QString::fromStdString(array.name).toLower();
    const auto known = known_name(array.name);
    bool weights = false;
    try {
        weights = looks_like_weights(array.tensor);
    } catch (const Error&) { // its numbers cannot be read: reported when they are tried
    }
    std::vector<std::pair<int, const char*>> ranked;
    for (const auto& [role, hint] : usual)
        ranked.emplace_back(
            (known && known->role == role ? 8 : 0) + (hints(name, hint) ? 4 : 0) + fitOf(array, role, weights), role);
    std::ranges::stable_sort(ranked, std::ranges::greater(), &std::pair<int, const char*>::first);
    RoleList roles;
    for (const auto& [points, role] : ranked)
        roles.likely << QString::fromLatin1(role);
    std::set<QString> others;
    for (const auto& variant : variants())
        for (const auto& input : variant.inputs)
            others.insert(QString::fromUtf8(input.name.data(), static_cast<qsizetype>(input.name.size())));
    for (const auto& other : others)
        if (!roles.likely.contains(other))
            roles.others << other;
    return roles;
}

} // namespace attnlab::ui
