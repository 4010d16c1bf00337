#include "gpu/kernel_verdicts.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <unistd.h>

namespace attnlab::gpu {
namespace {

/// device, driver, build, kernel, verdict, why
constexpr std::size_t field_count = 6;
constexpr std::uintmax_t most_file_bytes = 1 << 20;

std::optional<std::array<std::string, field_count>> fields_of(const std::string& line) {
    std::array<std::string, field_count> fields;
    std::size_t start = 0;
    for (std::size_t k = 0; k < field_count; ++k) {
        const auto end = line.find('\t', start);
        if ((end == std::string::npos) != (k + 1 == field_count))
            return std::nullopt;
        fields[k] = line.substr(start, end == std::string::npos ? end : end - start);
        start = end + 1;
    }
    if (fields[4] != "right" && fields[4] != "wrong")
        return std::nullopt;
    return fields;
}

std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
}

} // namespace

KernelVerdicts::KernelVerdicts(std::filesystem::path file, VerdictKey key)
    : file_(std::move(file)), key_{one_line(std::move(key.device)), one_line(std::move(key.driver)),
                                   one_line(std::move(key.build))} {
    load();
}

void KernelVerdicts::load() {
    std::error_code failed;
    if (file_.empty() || std::filesystem::file_size(file_, failed) > most_file_bytes || failed)
        return;
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) {
        const auto fields = fields_of(line);
        if (!fields)
            continue;
        const auto& [device, driver, build, kernel, verdict, why] = *fields;
        if (device != key_.device)
            others_.push_back(line);
        else if (driver == key_.driver && build == key_.build)
            verdicts_[kernel] = {kernel, verdict == "right", why};
    }
}

/// A program that writes at the same time may win; its verdicts are as good.
void KernelVerdicts::store() const {
    if (file_.empty())
        return;
    std::error_code failed;
    std::filesystem::create_directories(file_.parent_path(), failed);
    auto part = file_;
    part += "." + std::to_string(::getpid());
    {
        std::ofstream out(part);
        for (const auto& line : others_)
            out << line << '\n';
        for (const auto& [name, verdict] : verdicts_)
            out << key_.device << '\t' << key_.driver << '\t' << key_.build << '\t' << name << '\t'
                << (verdict.right ? "right" : "wrong") << '\t' << one_line(verdict.why) << '\n';
        if (!out.flush())
            failed = std::make_error_code(std::errc::io_error);
    }
    if (!failed)
        std::filesystem::rename(part, file_, failed);
    if (failed)
        std::filesystem::remove(part, failed);
}

std::optional<KernelVerdict> KernelVerdicts::verdict(const std::string& kernel) const {
    const std::lock_guard lock(mutex_);
    const auto found = verdicts_.find(kernel);
    return found == verdicts_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<KernelVerdict> KernelVerdicts::verdicts() const {
    const std::lock_guard lock(mutex_);
    std::vector<KernelVerdict> all;
    for (const auto& [name, verdict] : verdicts_)
        all.push_back(verdict);
    return all;
}

bool KernelVerdicts::trusts(const std::string& kernel) const {
    const auto found = verdict(kernel);
    return found && found->right;
}

void KernelVerdicts::put(const KernelVerdict& verdict) {
    const std::lock_guard lock(mutex_);
    verdicts_[verdict.kernel] = verdict;
    store();
}

void KernelVerdicts::forget() {
    const std::lock_guard lock(mutex_);
    verdicts_.clear();
}

} // namespace attnlab::gpu
