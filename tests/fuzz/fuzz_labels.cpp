#include "core/io/csv.h"
#include "core/io/saved/workspace_file.h"
#include "core/utf8.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

using namespace attnlab;

namespace {

/// A table refuses a first column of nothing but these: they may be numbers with separators of thousands.
bool may_be_numbers(const std::vector<std::string>& labels) {
    return std::all_of(labels.begin(), labels.end(), [](const std::string& label) {
        return label.find_first_not_of("0123456789.,'% +-eE\xC2\xA0\xE2\x80\xAF") == std::string::npos;
    });
}

} // namespace

/// Labels, one a line, as in workspaces and tables. In both, invalid UTF-8 becomes U+FFFD, once.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto rest = fuzz::text(data, size);
    AttentionProblem problem;
    for (std::size_t end = 0; !rest.empty(); rest.erase(0, end + 1)) {
        end = std::min(rest.find('\n'), rest.size());
        problem.query_tokens.push_back(rest.substr(0, end));
        io::excerpt(problem.query_tokens.back(), 1 + problem.query_tokens.size() % 7);
        if (end == rest.size())
            break;
    }
    if (problem.query_tokens.empty())
        return 0;
    try {
        AttentionProblem again;
        io::spec_from_json(io::spec_to_json(problem), again);
        fuzz::require(again.query_tokens.size() == problem.query_tokens.size());
        const auto once = again;
        io::spec_from_json(io::spec_to_json(once), again);
        fuzz::require(again == once);
        if (may_be_numbers(problem.query_tokens))
            return 0;
        const Tensor values({std::ssize(problem.query_tokens), 2}, 0.5);
        const auto table = io::read_table(io::write_table(values, '\t', problem.query_tokens), "table");
        std::ranges::transform(problem.query_tokens, problem.query_tokens.begin(), with_replacements);
        fuzz::require(table.row_labels == problem.query_tokens);
    } catch (const Error&) {
        std::abort();
    }
    return 0;
}
