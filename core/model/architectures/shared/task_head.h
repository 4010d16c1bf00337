// Heads for a task: classes of a whole input, classes of each token, or where an answer begins and ends.
#pragma once

#include "core/model/architectures.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// The names of `id2label` for `count` classes, "LABEL_0" where it has none.
std::vector<std::string> class_names(const Config& config, std::int64_t count);

/// How a family of models makes classes of a whole input.
struct ClassHead {
    std::string transform = {}; ///< a layer of the hidden width before the classes; empty: none
    std::string_view activation = "tanh";
    std::string output = "classifier"; ///< without its bias where the file has none
    Head::Pooling pooling = Head::Pooling::First;
    std::string token_output = "classifier"; ///< for the classes of each token
    std::string span_output = "qa_outputs";  ///< for where an answer begins and ends
};

/// Whether `problem_type` says that the outputs are numbers, not classes: the description gets a note instead of a
/// head.
bool is_of_numbers(const Config& config, Description& description);
/// Each class has a probability of its own: one class, or several labels.
bool has_independent_classes(const Config& config, std::int64_t count);

/// Adds the head that `architectures` names, ...ForSequenceClassification, ...ForTokenClassification or
/// ...ForQuestionAnswering, and the names of its classes. Nothing for others, or where the head's tensor is missing.
void add_task_head(const Config& config, const Tensors& outside, std::int64_t hidden, const ClassHead& form,
                   Description& description);
/// The same of decoders, whose last position has the classes, by a matrix "score".
void add_score_head(const Config& config, const Tensors& outside, std::int64_t hidden, Description& description);

} // namespace attnlab::model
