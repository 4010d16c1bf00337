#include "ui/drawing/role_color.h"

#include <algorithm>
#include <array>

namespace attnlab::ui {
namespace {

struct NamedRole {
    std::string_view name;
    AttentionRole role;
};

constexpr NamedRole named_roles[] = {{"query", AttentionRole::Query},
                                     {"rotated_query", AttentionRole::Query},
                                     {"query_features", AttentionRole::Query},
                                     {"grad_query", AttentionRole::Query},
                                     {"key", AttentionRole::Key},
                                     {"rotated_key", AttentionRole::Key},
                                     {"key_features", AttentionRole::Key},
                                     {"projected_key", AttentionRole::Key},
                                     {"grad_key", AttentionRole::Key},
                                     {"value", AttentionRole::Value},
                                     {"projected_value", AttentionRole::Value},
                                     {"grad_value", AttentionRole::Value}};

} // namespace

std::optional<AttentionRole> roleOf(std::string_view name) {
    if (const auto dot = name.rfind('.'); dot != std::string_view::npos)
        name.remove_prefix(dot + 1);
    const auto found = std::ranges::find(named_roles, name, &NamedRole::name);
    return found == std::end(named_roles) ? std::nullopt : std::optional(found->role);
}

QColor roleColor(AttentionRole role, const Theme& look) {
    // Light, dark, and both with high contrast. The first column is also in scripts/make_formulas.py.
    static constexpr std::array<std::array<QRgb, 4>, 3> colors{{{0xff8022dd, 0xffc792ff, 0xff5a00b3, 0xffc7b2ff},
                                                                {0xff007852, 0xff4bf0b0, 0xff00573d, 0xff40f0a8},
                                                                {0xffbd1590, 0xfff47ab8, 0xff87006b, 0xffffbfe1}}};
    const auto column = (look.high_contrast ? std::size_t{2} : 0) + (look.dark ? 1 : 0);
    return QColor::fromRgba(colors[static_cast<std::size_t>(role)][column]);
}

} // namespace attnlab::ui
