#include "core/model/architectures/shared/task_head.h"

namespace attnlab::model {
namespace {

bool is_named(const Config& config, std::string_view ending) {
    return config.has("architectures") && has_head(config, {ending});
}

Linear output_to(const Tensors& outside, const std::string& name, std::int64_t hidden) {
    return outside.linear(name, hidden, outside.rows_of(name + ".weight"), outside.has(name + ".bias"));
}

} // namespace

std::vector<std::string> class_names(const Config& config, std::int64_t count) {
    std::vector<std::string> names;
    const auto labels = config.object("id2label");
    for (std::int64_t id = 0; id < count; ++id) {
        const auto absent = "LABEL_" + std::to_string(id);
        names.push_back(labels ? labels->text(std::to_string(id), absent) : absent);
    }
    return names;
}

bool is_of_numbers(const Config& config, Description& description) {
    if (config.text("problem_type", "") != "regression")
        return false;
    description.unread.settings.push_back(
        {config.node().name_of_text(), "problem_type", "\"regression\"",
         ATTNLAB_TEXT("the head gives numbers instead of classes, and AttnLab does not show them")});
    return true;
}

bool has_independent_classes(const Config& config, std::int64_t count) {
    return count == 1 || config.text("problem_type", "") == "multi_label_classification";
}

void add_task_head(const Config& config, const Tensors& outside, std::int64_t hidden, const ClassHead& form,
                   Description& description) {
    const auto has = [&](const std::string& name) { return outside.has(name + ".weight"); };
    Head head;
    if (is_named(config, "ForSequenceClassification") && has(form.output)) {
        if (is_of_numbers(config, description))
            return;
        if (!form.transform.empty()) {
            head.transform = outside.linear(form.transform, hidden, hidden, true);
            head.activation = find_activation(form.activation);
        }
        head.output = output_to(outside, form.output, hidden);
        head.pooling = form.pooling;
        if (form.pooling == Head::Pooling::Last)
            head.padding = config.integer("pad_token_id");
        head.is_independent = has_independent_classes(config, head.output.outputs);
    } else if (is_named(config, "ForTokenClassification") && has(form.token_output)) {
        head.output = output_to(outside, form.token_output, hidden);
    } else if (is_named(config, "ForQuestionAnswering") && outside.rows_of(form.span_output + ".weight") == 2) {
        head.output = output_to(outside, form.span_output, hidden);
        head.outcomes = Head::Outcomes::Span;
    } else {
        return;
    }
    if (head.outcomes != Head::Outcomes::Span) {
        head.outcomes = Head::Outcomes::Classes;
        description.labels = class_names(config, head.output.outputs);
    }
    description.head = head;
}

void add_score_head(const Config& config, const Tensors& outside, std::int64_t hidden, Description& description) {
    add_task_head(config, outside, hidden, {.output = "score", .pooling = Head::Pooling::Last}, description);
}

} // namespace attnlab::model
