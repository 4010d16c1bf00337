// What lessons call to read samples and models, in a module that has neither: pages have the numbers of both written
// out (ui/export/live_page.cpp), so these functions are not reached. They throw Error for a lesson that needs them.
#include "core/io/npz.h"
#include "core/model/model.h"
#include "core/model/model_results.h"
#include "core/model/one_head.h"
#include "core/model/pass_figures.h"

namespace attnlab {
namespace {

[[noreturn]] void fail_without_files() {
    throw Error("A page has neither samples nor models, expected the numbers themselves");
}

} // namespace

io::Archive io::read_npz(std::span<const std::byte>, std::string_view, const ReadLimits&, OtherTypes) {
    fail_without_files();
}

namespace model {

std::vector<std::string> Model::pass_names() const { fail_without_files(); }
Result Model::run(Input, const Options&, const RunControl&, const Result*) const { fail_without_files(); }
std::vector<double> probabilities(const Result&, std::int64_t) { fail_without_files(); }
std::vector<std::string> labels_of(const Model&, const std::vector<std::int64_t>&, const RunControl&) {
    fail_without_files();
}
AttentionProblem problem_of(const Pass&, std::int64_t, const PassTokens&, std::int64_t) { fail_without_files(); }
AttentionProblem problem_of(const Pass&, const PassTokens&, std::int64_t) { fail_without_files(); }
std::vector<explain::HeadFigures> figures_of(const Pass&, std::span<const std::string>, const RunControl&) {
    fail_without_files();
}

} // namespace model
} // namespace attnlab
