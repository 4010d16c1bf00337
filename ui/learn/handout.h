// Prints a lesson: its content, distributed over pages.
#pragma once

#include "core/run_control.h"
#include "ui/drawing/drawing.h"
#include "ui/learn/lesson/question_view.h"

#include <functional>
#include <memory>
#include <QByteArray>
#include <QPageSize>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <vector>

class QPainter;
class QTextDocument;

namespace attnlab::ui {

enum class HandoutKind {
    Questions, ///< for students: room to write, and no answers
    Solutions, ///< all pictures, the right answers and their explanations
};

/// Texts are Markdown with their numbers filled in.
struct HandoutStep {
    int number = 1; ///< of the lesson
    QString title;
    QString text;
    QString formula;                         ///< of resources/formulas; empty if none
    std::shared_ptr<const Drawing> picture;  ///< null if none
    std::shared_ptr<const Drawing> revealed; ///< the picture that the answer is about; null: `picture`
    StepQuestion question;
    bool left_out = false; ///< only a line says that the solutions have it
};

struct Handout {
    QString title;
    QString summary;
    HandoutKind kind = HandoutKind::Questions;
    std::vector<HandoutStep> steps;
};

/// The title with the kind of the handout.
QString titleOf(const Handout& handout);

/// A PDF of all steps. Formulas and pictures are vectors where possible. Needs a QGuiApplication, whose font is used.
/// Throws Cancelled.
QByteArray handoutData(const Handout& handout, QPageSize::PageSizeId paper, const RunControl& control = {});

// Distributes content vertically over pages for printing.

/// All in points; a page's corner is (0, 0). Add all content first, then call pages().
class Pager {
public:
    explicit Pager(const QSizeF& page) : page_(page) {}

    using Paint = std::function<void(QPainter&, const QRectF& place)>;

    struct Piece {
        double top = 0.0;
        double height = 0.0;
        Paint paint;
        std::shared_ptr<QTextDocument> text; ///< instead of `paint`: a part of this text
        double text_top = 0.0;               ///< start of that part
        double indent = 0.0;
    };
    struct Page {
        std::vector<Piece> pieces;
        double bottom = 0.0;
    };

    double width() const { return page_.width(); }
    double height() const { return page_.height(); }

    /// Adds a gap before the next content, unless that starts a page.
    void addGap(double height) { gap_ += height; }
    /// Adds content that cannot be divided.
    void add(double height, Paint paint, bool with_next = false);
    /// The same, reduced down to the height `least` if it then fits.
    void addFlexible(double height, double least, Paint paint, bool with_next = false);
    /// The same, with nothing between the two heights.
    void addEither(double height, double least, Paint paint, bool with_next = false);

    struct TextOptions {
        double indent = 0.0;    ///< from the left
        bool whole = false;     ///< on a single page
        bool with_next = false; ///< its last line stays with the following content
    };
    /// Adds text that may continue over pages. Short paragraphs are not divided, long ones have at least two lines on
    /// either side, and text that ends in a colon stays with what follows.
    void addText(const std::shared_ptr<QTextDocument>& text, const TextOptions& options);
    void addText(const std::shared_ptr<QTextDocument>& text) { addText(text, TextOptions()); }

    std::vector<Page> pages() const;
    void paint(const Page& page, QPainter& painter) const;

private:
    /// The indivisible units of a page.
    struct Block {
        double gap = 0.0;
        double least = 0.0;
        bool is_picture = false;
        bool has_sizes = false; ///< either its height or `least`
        bool with_next = false;
        Piece piece;
    };
    class Placing;
    void push(Block block);

    QSizeF page_;
    double gap_ = 0.0;
    std::vector<Block> blocks_;
};

} // namespace attnlab::ui
