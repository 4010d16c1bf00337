// Formulas as rows of the tables have them, for scripts/make_formulas.py, which draws resources/formulas.
#pragma once

namespace attnlab {

struct DrawnFormula {
    const char* latex = ""; ///< what follows \color{accent} gets the accent colour
    const char* plain = ""; ///< for screen readers

    constexpr bool empty() const { return *latex == '\0' || *plain == '\0'; }
};

} // namespace attnlab
