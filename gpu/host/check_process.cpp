// Implements the part of self_check.h about child processes, the parent's side.
#include "gpu/self_check.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace attnlab::gpu {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Ends and reaps its child.
class RunningChild {
public:
    explicit RunningChild(const Child& child) : child_(child) {}
    RunningChild(const RunningChild&) = delete;
    RunningChild& operator=(const RunningChild&) = delete;
    ~RunningChild() {
        ::close(child_.lines);
        if (!ended_) {
            ::kill(child_.process, SIGKILL);
            wait_until(now() + 2.0); // a process that the driver holds may stay longer
        }
    }

    enum class Event { Line, End, Nothing };
    /// Waits a tenth of a second at most.
    Event next(std::string& line) {
        if (take_line(line))
            return Event::Line;
        pollfd ready{child_.lines, POLLIN, 0};
        if (::poll(&ready, 1, 100) <= 0)
            return Event::Nothing;
        char bytes[4096];
        const auto count = ::read(child_.lines, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR)
            return Event::Nothing;
        if (count <= 0)
            return Event::End;
        text_.append(bytes, static_cast<std::size_t>(count));
        return take_line(line) ? Event::Line : Event::Nothing;
    }
    /// How it ended, in English.
    std::string how_ended() {
        if (!wait_until(now() + 2.0))
            return "closed its output and did not end";
        if (!status_)
            return "ended, and how is not known: the system kept no exit code";
        if (WIFSIGNALED(*status_))
            return std::string("crashed: ") + ::strsignal(WTERMSIG(*status_));
        return "ended with exit code " + std::to_string(WEXITSTATUS(*status_));
    }

private:
    bool take_line(std::string& line) {
        const auto end = text_.find('\n');
        if (end == std::string::npos)
            return false;
        line = text_.substr(0, end);
        text_.erase(0, end + 1);
        return true;
    }
    bool wait_until(double end) {
        for (;;) {
            int status = 0;
            const auto found = ::waitpid(child_.process, &status, WNOHANG);
            if (found > 0)
                status_ = status;
            if (found != 0 && !(found < 0 && errno == EINTR))
                return ended_ = true;
            if (now() >= end)
                return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }

    const Child child_;
    std::string text_;
    /// Empty while it runs, and where its end was lost: SIGCHLD is ignored, or another part of the program waited.
    std::optional<int> status_;
    bool ended_ = false;
};

/// The checks of one parent, over as many children as it takes.
class Checks {
public:
    Checks(std::vector<std::string> names, KernelVerdicts& verdicts, const RunControl& control,
           const std::function<void(const std::string&)>& begins, const CheckLimits& limits)
        : left_(std::move(names)), all_(left_.size()), verdicts_(verdicts), control_(control), begins_(begins),
          limits_(limits) {}

    bool done() const { return left_.empty(); }

    void run(const StartChild& start) {
        RunningChild child(start(left_));
        current_.clear();
        const auto before = left_.size();
        double limit = now() + limits_.start_seconds;
        for (std::string line;;) {
            control_.checkpoint();
            const auto event = child.next(line);
            if (event == RunningChild::Event::Line) {
                take(line);
                limit = now() + limits_.kernel_seconds;
                if (done())
                    return;
            } else if (event == RunningChild::Event::End) {
                return give_up(child.how_ended(), before);
            } else if (now() > limit) {
                return give_up("did not end in time", before);
            }
        }
    }

private:
    void take(const std::string& line) {
        const auto tab = line.find('\t');
        const auto what = line.substr(0, 6), name = line.substr(std::min<std::size_t>(6, line.size()), tab - 6);
        if (what == "begin ") {
            current_ = name;
            if (begins_)
                begins_(name);
        } else if ((what == "right " || what == "wrong ") && name == current_) {
            put(what == "right ", tab == std::string::npos ? "" : line.substr(tab + 1));
        }
    }
    void put(bool right, const std::string& why) {
        verdicts_.put({current_, right, why});
        std::erase(left_, current_);
        current_.clear();
        control_.report(1.0 - static_cast<double>(left_.size()) / static_cast<double>(all_));
    }
    /// The kernel in progress is to blame.
    void give_up(const std::string& why, std::size_t before) {
        if (!current_.empty())
            put(false, why);
        else if (left_.size() == before)
            throw Error({ATTNLAB_TEXT("The check of a device's kernels could not begin: its process %1"), {why}});
    }

    std::vector<std::string> left_;
    const std::size_t all_;
    KernelVerdicts& verdicts_;
    const RunControl& control_;
    const std::function<void(const std::string&)>& begins_;
    const CheckLimits limits_;
    std::string current_;
};

} // namespace

StartChild child_of(std::vector<std::string> command) {
    return [command = std::move(command)](const std::vector<std::string>& names) {
        auto words = command;
        words.insert(words.end(), names.begin(), names.end());
        std::vector<char*> arguments;
        for (auto& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            throw Error(
                {ATTNLAB_TEXT("The check of a device's kernels could not begin: its process %1"), {"has no pipe"}});
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        Child child;
        const int failed =
            ::posix_spawn(&child.process, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        if (failed != 0) {
            ::close(ends[0]);
            throw Error({ATTNLAB_TEXT("The check of a device's kernels could not begin: its process %1"),
                         {std::string("does not start: ") + std::generic_category().message(failed)}});
        }
        child.lines = ends[0];
        return child;
    };
}

void check_in_children(const StartChild& start, std::vector<std::string> names, KernelVerdicts& verdicts,
                       const RunControl& control, const std::function<void(const std::string& kernel)>& begins,
                       const CheckLimits& limits) {
    Checks checks(std::move(names), verdicts, control, begins, limits);
    while (!checks.done())
        checks.run(start);
}

} // namespace attnlab::gpu
