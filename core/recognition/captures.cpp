// Implements the part of core/recognition/reading.h about captures: the file itself says what its arrays are.
#include "core/capture/capture.h"
#include "core/recognition/reading.h"

#include <algorithm>
#include <set>
#include <utility>

namespace attnlab {
namespace {

const CapturedPass* chosen_pass(const Capture& capture, Reading& reading) {
    if (const auto& name = reading.choices.group) {
        if (const auto* pass = capture.find(*name))
            return pass;
        throw Error({ATTNLAB_TEXT("pass: '%1' is not in %2, expected one of %3"),
                     {*name, capture.file, listed(capture.pass_names())}});
    }
    if (capture.passes.size() == 1)
        return &capture.passes.front();
    const auto names = capture.pass_names();
    reading.result.questions.push_back({Question::Kind::Group,
                                        {ATTNLAB_TEXT("%1 holds %2 passes, of which --pass chooses one: %3"),
                                         {capture.file, std::to_string(names.size()), listed(names)}},
                                        names});
    return nullptr;
}

/// What the array of a pass became; empty where it is not read.
std::string role_of(const std::string& array, const CapturedPass& pass) {
    for (const char* input : {"query", "key", "value", "weights"})
        if (array == pass.array(input))
            return input;
    if (array == pass.array("sinks") || array == pass.bias)
        return "attn_bias";
    return array == pass.mask ? "attn_mask" : "";
}

} // namespace

void read_capture(Reading& reading) {
    const auto& capture = *reading.contents.capture;
    const auto& choices = reading.choices;
    if (!choices.layout.empty())
        throw Error({ATTNLAB_TEXT("layout: has %1, but a capture says itself how its arrays lie"), {choices.layout}});
    if (!choices.roles.empty())
        throw Error({ATTNLAB_TEXT("role: has %1, but a capture says itself what its arrays are"),
                     {choices.roles.begin()->first}});
    const auto* pass = chosen_pass(capture, reading);
    if (pass) {
        reading.result.problem = problem_of(capture, *pass);
        for (auto& remark : pass->remarks())
            reading.note(std::move(remark));
    }
    const auto& problem = reading.result.problem;
    const auto of_pass = pass ? pass->arrays() : std::vector<std::string>{};
    for (const auto& array : reading.contents.arrays) {
        const bool is_own = array.file == capture.file && std::ranges::find(of_pass, array.name) != of_pass.end();
        const auto role = is_own ? role_of(array.name, *pass) : std::string();
        if (array.file != capture.file)
            reading.unused(array, {ATTNLAB_TEXT("a capture has all of its arrays in its own file")});
        else if (!is_own)
            reading.unused(array, {ATTNLAB_TEXT("belongs to another pass of the capture")});
        else if (role.empty() || !problem.tensors.contains(role))
            reading.unused(array, {ATTNLAB_TEXT("is computed anew from query and key")});
        else
            reading.used(array, role);
    }
    if (!choices.variant.empty())
        reading.result.problem.spec.variant = choices.variant;
}

} // namespace attnlab
