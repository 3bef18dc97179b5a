// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"
#include "base/encoding.h"
#include "base/index.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/heard_sound.h"
#include "figures/parts/no_numbers.h"
#include "figures/parts/patched_picture.h"
#include "figures/parts/styled_figure.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr double largestLetters = 1.7; // by those of labels
constexpr double wordPadding = 5; // left and right of a word's letters
constexpr double betweenWords = 3;
constexpr double linesHeight = 46; // between the two texts
constexpr double leastLinesHeight = 30; // where there is little room
constexpr double aboveWords = 8;
constexpr double belowWords = 8; // and their numbers
constexpr double aroundLetters = 6; // above and below them together
constexpr int rowsOfText = 3; // of a text that stands alone
constexpr double thickestLine = 7;
constexpr double highestArc = 0.9; // of a line between words of one text, twice its height, by the room above them
constexpr double leastLine = 0.02; // share of the strongest weight of a row: weaker ones have no line
constexpr double leastNumber = 0.1; // weights from here on are written out
constexpr double strongestGround = 0.55; // opacity of the colour of the largest weight: letters stay readable on it
constexpr float changedGround = 0.28F; // opacity of what stands out because edits changed it
constexpr std::size_t mostCells = 40'000; // of the map, for all words to be looked at in turn; else only the chosen one
constexpr int racing = 4; // candidates
constexpr double pictureHeight = 2; // of a picture that was read, by that of a line of words
constexpr std::size_t mostPlaces = 24; // of a picture or sound that lines come from
constexpr double fadedPlaces = 0.7; // of their light, where nothing is looked at
constexpr int largestThumbnail = 256; // pixels

// Times of a word's birth, as shares of its moment: light comes, candidates race, the winner flies to its place.
constexpr double lightEnds = 0.5;
constexpr double raceBegins = 0.35;
constexpr double raceEnds = 0.75;
constexpr double flightBegins = 0.72;

// From 0 to 1 between two moments, slowly at both ends.
double eased(double moment, double begin, double end)
{
    const double share = std::clamp((moment - begin) / (end - begin), 0.0, 1.0);
    return share * share * (3 - 2 * share);
}

// The same with a picture that is soon painted; the last one that was made is kept.
std::shared_ptr<const SourceMedia> thumbnailOf(const std::shared_ptr<const SourceMedia>& media)
{
    struct Made
    {
        std::mutex mutex;
        std::weak_ptr<const SourceMedia> of;
        std::shared_ptr<const SourceMedia> small;
    };
    static Made made;
    if (!media->picture || std::max(media->picture->width, media->picture->height) <= largestThumbnail)
        return media;
    const std::lock_guard lock(made.mutex);
    if (made.of.lock() == media)
        return made.small;
    const Picture& whole = *media->picture;
    const QImage image =
        QImage(whole.rgb.data(), whole.width, whole.height, qsizetype{3} * whole.width, QImage::Format_RGB888)
            .scaled(largestThumbnail, largestThumbnail, Qt::KeepAspectRatio, Qt::SmoothTransformation)
            .convertToFormat(QImage::Format_RGB888);
    auto picture = std::make_shared<Picture>(Picture{image.width(), image.height(), {}});
    for (int y = 0; y < image.height(); ++y)
        picture->rgb.insert(picture->rgb.end(), image.constScanLine(y), image.constScanLine(y) + 3 * image.width());
    auto small = std::make_shared<SourceMedia>(*media);
    small->picture = std::move(picture);
    made.of = media;
    made.small = std::move(small);
    return made.small;
}

// The text that was read and below it the text that was written, word by word, with lines from the chosen word to what
// it was read from. FigureSpec::moment shows how that word comes to be. Of one text that is only read, its words alone.
class StageFigure final : public StyledFigure
{
public:
    StageFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
        : StyledFigure(spec, size)
        , m_moment(spec.moment)
        , m_columns(spec.overColumns)
    {
        m_titled = false;
        readWords(spec, trace);
        readMap(spec, trace);
        readPicked(spec);
        readCandidates(spec, trace);
        readMedia(trace);
        layOut();
        describe();
    }

    FigureHit hitTest(QPointF point) const override
    {
        for (const Line& line : m_lines) {
            for (int i = line.first; i < line.end; ++i) {
                if (m_words[i].box.contains(point) && isWritten(i))
                    return hitOfWord(i);
            }
            const auto isIn = [&](double row) { return point.y() >= row && point.y() < row + line.height; };
            const double x = point.x();
            if (line.first > line.begin && isIn(line.y) && x >= m_left
                && x < m_left + m_dots) // what is left out leads on
                return hitOfWord(line.first - 1);
            if (line.end < line.stop && isIn(line.lastRow) && x >= m_size.width() - margin - m_dots)
                return hitOfWord(line.end);
        }
        return {};
    }

    int rows() const override { return indexSize(m_words); }
    int columns() const override { return m_words.empty() ? 0 : 1; }

    QRectF cellRect(int row, int column) const override
    {
        return column == 0 && row >= 0 && row < rows() ? m_words[row].box : QRectF();
    }

    QRectF textBox() const override
    {
        if (m_lines.empty() || (!m_readsWords && !m_isGiven))
            return {};
        const Line& line = m_isGiven ? m_lines.back() : m_lines.front();
        return {m_left, line.y, m_size.width() - m_left - margin, line.lastRow + line.height - line.y};
    }

    FigureTable table() const override
    {
        FigureTable table = StyledFigure::table();
        table.text = table.tip = [this](FigureCell cell) -> QString {
            if (cell.row == FigureTable::header)
                return m_chosen && !m_pooled ? tr("weight for \u201C%1\u201D").arg(m_words[*m_chosen].label)
                                             : tr("weight");
            return cell.column == FigureTable::header ? m_words[cell.row].label : said(cell.row, m_chosen);
        };
        table.place = [this](const FigureHit& hit) -> std::optional<FigureCell> {
            const auto word = wordOf(hit);
            return word ? std::optional(FigureCell{*word, 0}) : std::nullopt;
        };
        if (m_chosen && !m_pooled)
            table.chosenRows = {*m_chosen};
        return table;
    }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        const auto pointed = wordAt(highlight);
        // A word that was read shows who looked at it, one that was written what it looked at.
        const bool toReaders = pointed && !m_words[*pointed].written && m_twoTexts && m_whole && !m_moment;
        const auto shown = pointed && !toReaders && m_whole && m_words[*pointed].step ? pointed : m_chosen;
        for (const Line& line : m_lines)
            drawLabel(painter, m_style.small, m_style.colors.muted, line.nameBox, Qt::AlignLeft, line.name);
        if (m_media)
            paintMedia(painter, shown);
        if (toReaders)
            paintReaders(painter, *pointed);
        else if (shown)
            paintLooks(painter, *shown);
        // A cell that is pointed at elsewhere has the cursor at the word that looks.
        const int lookedAt = highlight.cursor ? highlight.column.value_or(-1) : -1;
        paintWords(painter, shown, pointed, toReaders, lookedAt);
        if (m_moment && m_chosen)
            paintBirth(painter, *m_chosen);
    }

private:
    struct Word
    {
        QString label;
        int token = 0; // its first, of the text that it is in
        int count = 1;
        bool written = false;
        std::optional<int> step = {}; // that writes it, or looks from it
        int firstColumn = -1; // of the map; -1: it is not looked at
        bool changed = false; // by the edits of the run
        QString before = {}; // in its place without them; empty: it is not known
        QString gloss = {}; // empty: none
        QRectF box = {}; // null: there is no room for it
    };
    // One of the two texts: the words of it that there is room for.
    struct Line
    {
        QString name;
        QRectF nameBox = {};
        int begin = 0; // of all its words
        int stop = 0;
        int first = 0; // that are shown
        int end = 0;
        double y = 0;
        double height = 0; // of a row
        double lastRow = 0; // its y
        double share = 1; // of the height of a line of words
    };

    // --- what is shown

    void readWords(const FigureSpec& spec, const Trace& trace)
    {
        m_twoTexts = !trace.stepsAreTokens();
        m_isGiven = trace.match() != nullptr;
        m_wroteNothing = !m_isGiven && writtenNothing(trace, spec.leaf);
        m_goesOn = trace.continuesSource() && !trace.source().tokens.empty();
        m_untilStep = spec.untilStep;
        // Patches and spans of time are seen in views of their own, and are no words.
        m_readsWords = trace.source().boxes.empty() && trace.source().times.empty();
        if (trace.hasOneText() && !m_readsWords) {
            m_moment.reset();
        } else if (trace.hasOneText()) {
            const Encoding text = trace.stepTokens(spec.leaf);
            m_firstStep = trace.firstStepToken();
            for (Word& word : wordsOf(text)) {
                word.written = word.token >= std::max(m_firstStep, trace.firstGenerated());
                word.firstColumn = word.token;
                word.step = trace.stepOf(word.token + word.count - 1)
                    ? std::optional(std::max(0, word.token - m_firstStep))
                    : std::nullopt;
                m_words.push_back(std::move(word));
            }
        } else {
            for (Word& word : m_readsWords ? wordsOf(trace.source()) : std::vector<Word>()) {
                word.firstColumn = word.token;
                m_words.push_back(std::move(word));
            }
            for (Word& word : wordsOf(trace.target(spec.leaf))) {
                word.written = true;
                word.gloss = spec.gloss != nullptr ? spec.gloss(word.label) : QString();
                word.step = word.token;
                m_words.push_back(std::move(word));
            }
            // A few articles alone, of a sentence that is not known, help nobody.
            const auto written = std::ranges::count(m_words, true, &Word::written);
            const auto glossed =
                std::ranges::count(m_words, false, [](const Word& word) { return word.gloss.isEmpty(); });
            for (Word& word : m_words)
                word.gloss = 2 * glossed < written ? QString() : word.gloss;
        }
        if (spec.against)
            markChanged(trace, spec.leaf, spec.against->trace);
        m_step = shownStep(spec, trace);
        for (int i = 0; i < indexSize(m_words); ++i) { // a special token, which is not shown, is no word
            if (isOfStep(m_words[i]))
                m_chosen = i;
        }
        if (m_chosen && !m_words[*m_chosen].written) // it was there from the beginning
            m_moment.reset();
    }

    bool isOfStep(const Word& word) const
    {
        const int token = m_step.value_or(0) + m_firstStep;
        return m_step && word.step && token >= word.token && token < word.token + word.count;
    }

    void markChanged(const Trace& trace, std::optional<StepId> leaf, const Trace& before)
    {
        const std::vector<AxisGroup> others = wordAxis(before.stepTokens());
        const std::vector<AxisGroup> words = wordAxis(trace.stepTokens(leaf));
        for (const auto& [number, other] : changedWords(words, others)) {
            const int token = words[static_cast<std::size_t>(number)].first;
            const auto word =
                std::ranges::find_if(m_words, [token](const Word& one) { return one.written && one.token == token; });
            if (word == m_words.end())
                continue;
            word->changed = true;
            if (other)
                word->before = readableToken(others[static_cast<std::size_t>(*other)].label);
        }
    }

    static std::vector<Word> wordsOf(const Encoding& text)
    {
        std::vector<Word> words;
        for (const AxisGroup& group : wordAxis(text)) {
            const bool shown =
                !isSpecial(text, group.first) || isMaskPiece(text.tokens[static_cast<std::size_t>(group.first)]);
            if (shown)
                words.push_back({.label = readableToken(group.label), .token = group.first, .count = group.count});
        }
        return words;
    }

    void readMap(const FigureSpec& spec, const Trace& trace)
    {
        MapSpec wanted = stepAttention(spec, trace).mapSpec();
        wanted.words = spec.words; // its numbers are those of the pictures
        m_pooled = trace.hasOneText() && trace.rowAxis(wanted.site) == AttentionAxis::Text && !m_words.empty();
        if (m_pooled)
            m_chosen = 0;
        else if (trace.hasOneText() && trace.rowAxis(wanted.site) != AttentionAxis::Tokens)
            m_chosen.reset();
        if ((!trace.hasRowsOfSteps(wanted.site) && !m_pooled) || trace.columnAxis(wanted.site) != AttentionAxis::Tokens)
            return;
        const Map axes = mapAxes(trace, wanted);
        m_whole = axes.rows.groups.size() * axes.columns.groups.size() <= mostCells;
        if (!m_whole && !m_pooled) {
            if (!m_step)
                return;
            const auto row = axes.rows.indexOf(*m_step);
            if (!row)
                return;
            wanted.rows = ShownSpan{*row, *row};
        }
        m_map = mapOf(trace, wanted);
    }

    // Patches and spans of time that are picked have no words: those that were written are shaded by how much they look
    // at them.
    void readPicked(const FigureSpec& spec)
    {
        if (m_readsWords || !m_twoTexts || spec.shading != Shading::Attending || !m_whole || m_untilStep || m_moment)
            return;
        for (int i = 0; i < indexSize(m_words) && !spec.picked.empty(); ++i) {
            const auto row = mapRow(i);
            double sum = 0;
            for (const int token : spec.picked) {
                const auto column = row ? m_map.columns.indexOf(token) : std::nullopt;
                sum += column ? double{m_map.drawn(*row, *column)} : 0;
            }
            m_looks.push_back(sum);
        }
    }

    void readCandidates(const FigureSpec& spec, const Trace& trace)
    {
        if (!m_moment || !m_chosen || !m_words[*m_chosen].written)
            return;
        auto all = candidatesAt(trace, spec.leaf, m_words[*m_chosen].step);
        std::ranges::stable_sort(all, std::ranges::greater(), &BarListContent::Entry::value);
        if (indexSize(all) > racing) {
            const auto taken = std::ranges::find_if(all.begin() + racing, all.end(), &BarListContent::Entry::taken);
            if (taken != all.end())
                std::iter_swap(all.begin() + racing - 1, taken);
            all.resize(racing);
        }
        m_candidates = std::move(all);
    }

    // What other models read in place of words, and write of.
    void readMedia(const Trace& trace)
    {
        const auto& media = trace.media();
        if (m_readsWords || trace.hasOneText() || m_isGiven || !media || (!media->picture && !media->audio))
            return;
        m_media = thumbnailOf(media);
        m_source = trace.source();
        std::vector<int> tokens(m_source.ids.size());
        std::iota(tokens.begin(), tokens.end(), 0);
        if (media->picture)
            m_picture = PatchedPicture(m_media, m_source, tokens);
    }

    std::optional<int> mapRow(int word) const
    {
        if (m_map.numbers.rows == 0 || !m_words[word].step)
            return std::nullopt;
        if (m_pooled)
            return 0;
        // Of a word of several tokens the one whose step is chosen.
        const auto row = m_map.rows.indexOf(isOfStep(m_words[word]) ? *m_step : *m_words[word].step);
        return row && *row < m_map.numbers.rows ? row : std::nullopt;
    }

    // Of all tokens of a word together; none: there is no such number.
    std::optional<double> weight(int from, int to, float (Map::*number)(Index, Index) const = &Map::at) const
    {
        const auto row = mapRow(from);
        if (!row || m_words[to].firstColumn < 0)
            return std::nullopt;
        double sum = 0;
        bool any = false;
        std::optional<Index> last;
        for (int token = m_words[to].firstColumn; token < m_words[to].firstColumn + m_words[to].count; ++token) {
            const auto column = m_map.columns.indexOf(token);
            if (!column || m_map.isBlank(*row, *column) || std::exchange(last, column) == column)
                continue;
            sum += double{(m_map.*number)(*row, *column)};
            any = true;
        }
        return any ? std::optional(sum) : std::nullopt;
    }

    // The word that was written and looked at a word most.
    std::optional<int> readerOf(int to) const
    {
        std::optional<int> reader;
        for (int from = 0; from < indexSize(m_words); ++from) {
            const bool looks = m_words[from].written && isWritten(from);
            if (looks && (!reader || std::abs(drawn(from, to)) > std::abs(drawn(*reader, to))))
                reader = from;
        }
        return reader;
    }

    bool isHidden(int from, int to) const
    {
        const auto row = mapRow(from);
        const auto column = m_words[to].firstColumn < 0 ? std::nullopt : m_map.columns.indexOf(m_words[to].firstColumn);
        return row && column && m_map.state(*row, *column) == CellState::Hidden;
    }

    // What is drawn of it: nothing of what is no number.
    double drawn(int from, int to) const { return weight(from, to, &Map::drawn).value_or(0); }

    double strongest(int from) const
    {
        double most = 0;
        for (int to = 0; to < indexSize(m_words); ++to)
            most = std::max(most, std::abs(drawn(from, to)));
        return most;
    }

    // A run that is written once more shows only what the step has come to; the word that comes is on its way.
    bool isWritten(int word) const
    {
        if (m_moment && word == m_chosen)
            return false;
        return !m_untilStep || !m_words[word].written || !m_step || *m_words[word].step <= *m_step;
    }

    // --- where it stands

    void layOut()
    {
        const int reads = static_cast<int>(std::ranges::count(m_words, false, &Word::written));
        const QFontMetricsF small(m_style.small);
        if (m_readsWords || m_media)
            m_lines.push_back({.name = tr("READS"), .begin = 0, .stop = reads});
        if (m_media && m_media->picture)
            m_lines.back().share = pictureHeight;
        const bool goesOnLater = m_goesOn && !m_wroteNothing && reads == indexSize(m_words);
        if (m_twoTexts && !goesOnLater)
            m_lines.push_back(
                {.name = m_isGiven ? tr("TEXT") : tr("WRITES"), .begin = reads, .stop = indexSize(m_words)});
        double gutter = 0;
        for (const Line& line : m_lines)
            gutter = std::max(gutter, small.horizontalAdvance(line.name));
        m_left = margin + gutter + 2 * wordPadding;
        const double width = std::max(1.0, m_size.width() - m_left - margin);
        const QFontMetricsF metrics(m_style.font);
        double widest = 0;
        for (const Line& line : m_lines)
            widest = std::max(widest, widthOf(line.begin, line.stop, metrics, width));
        m_font = m_style.font;
        double larger = std::clamp(widest > 0 ? width / widest : largestLetters, 1.0, largestLetters);
        const double overColumns = largestOverColumns(metrics);
        m_overColumns = overColumns >= 1;
        if (m_overColumns)
            larger = std::min(larger, overColumns);
        const auto lines = static_cast<double>(m_lines.size());
        double shares = 0;
        for (const Line& line : m_lines)
            shares += line.share;
        const double room = m_size.height() - aboveWords - small.height() - belowWords; // of texts and lines
        if (m_size.height() > 0 && lines > 0) {
            const double most = (room - (lines - 1) * leastLinesHeight) / shares - aroundLetters;
            larger = std::min(larger, std::max(1.0, most / metrics.height()));
        }
        m_font.setPixelSize(std::max(1, static_cast<int>(m_style.font.pixelSize() * larger)));
        const QFontMetricsF letters(m_font);
        const double high = letters.height() + aroundLetters;
        if (m_size.height() > 0 && lines > 1)
            m_between = std::max(leastLinesHeight, (room - shares * high) / (lines - 1));
        double y = aboveWords;
        for (Line& line : m_lines) {
            line.y = y;
            line.height = high * line.share;
            line.nameBox = QRectF(margin, y, gutter + 1, line.height);
            line.lastRow = y;
            const double pitch = high + small.height() + 1; // and its numbers
            const int rows = lines > 1 || m_overColumns || !m_readsWords ? 1
                : m_size.height() <= 0                                   ? rowsOfText
                                       : std::min(rowsOfText, static_cast<int>((room + pitch - high) / pitch));
            if (rows > 1 && widthOf(line.begin, line.stop, letters, width) > width)
                wrap(line, letters, width, pitch, rows);
            else
                place(line, letters, width);
            y = line.lastRow + line.height + m_between;
        }
        if (m_size.height() <= 0)
            m_size.setHeight(m_lines.empty() ? 1 : y - m_between + small.height() + belowWords);
    }

    // Where the picture or sound stands.
    QRectF frame() const
    {
        const Line& line = m_lines.front();
        const double width = std::max(1.0, m_size.width() - m_left - margin);
        return {m_left, line.y, m_media->picture ? std::min(width, line.height * m_picture.aspect()) : width,
                line.height};
    }

    // A place of a picture or sound; null: it is none.
    QRectF placeOf(int token, const QRectF& frame) const
    {
        if (m_media->picture)
            return m_picture.patch(token, frame);
        const TimeSpan* const time =
            token < indexSize(m_source.times) ? &m_source.times[static_cast<std::size_t>(token)] : nullptr;
        const double seconds = static_cast<double>(m_media->audio->size()) / std::max(1, m_media->rate);
        if (time == nullptr || !time->isPlace() || !(static_cast<double>(time->begin) < seconds))
            return {};
        const double scale = frame.width() / seconds;
        const auto left = static_cast<double>(time->begin) * scale;
        const double right = std::min(seconds, static_cast<double>(time->end)) * scale;
        return {frame.left() + left, frame.top(), right - left, frame.height()};
    }

    // How much a word looks at each place; empty: that is not known.
    std::vector<double> looksAtPlaces(int from) const
    {
        std::vector<double> looks;
        const auto row = mapRow(from);
        for (int token = 0; row && token < indexSize(m_source); ++token) {
            const auto column = m_map.columns.indexOf(token);
            looks.push_back(column && !m_map.isBlank(*row, *column) ? double{m_map.drawn(*row, *column)} : 0);
        }
        return looks;
    }

    // How much larger letters may be for words that were read to stand over their columns; less than 1: they do not.
    double largestOverColumns(const QFontMetricsF& metrics) const
    {
        if (m_columns.empty() || !m_readsWords || m_lines.front().begin == m_lines.front().stop)
            return 0;
        double most = largestLetters;
        const Line& line = m_lines.front();
        for (int i = line.begin; i < line.stop; ++i) {
            const auto column = m_columns.find(m_words[i].token);
            if (column == m_columns.end())
                return 0;
            const double half = labelWidth(m_words[i].label, metrics) / 2;
            const double room = 2 * wordPadding + betweenWords;
            most = std::min({most, (column->second - m_left) / (half + wordPadding),
                             (m_size.width() - margin - column->second) / (half + wordPadding)});
            if (const auto before = i > line.begin ? m_columns.find(m_words[i - 1].token) : m_columns.end();
                before != m_columns.end())
                most = std::min(most,
                                (column->second - before->second - room)
                                    / (half + labelWidth(m_words[i - 1].label, metrics) / 2));
        }
        return most;
    }

    double widthOf(int word, const QFontMetricsF& metrics) const
    {
        const double gloss = labelWidth(m_words[word].gloss, QFontMetricsF(m_style.small));
        return std::max(labelWidth(m_words[word].label, metrics), gloss) + 2 * wordPadding + betweenWords;
    }

    // Width of a stretch of words; those after `enough` is reached are not measured.
    double widthOf(int begin, int end, const QFontMetricsF& metrics, double enough) const
    {
        double width = 0;
        for (int i = begin; i < end && width <= enough; ++i)
            width += widthOf(i, metrics);
        return width;
    }

    // The word that a line is shown around where it is too long.
    int middleOf(const Line& line) const
    {
        if (m_chosen && *m_chosen >= line.begin && *m_chosen < line.stop)
            return *m_chosen;
        int best = line.begin;
        double most = 0;
        for (int i = line.begin; m_chosen && i < line.stop; ++i) {
            if (const double value = std::abs(drawn(*m_chosen, i)); value > most) {
                most = value;
                best = i;
            }
        }
        return best;
    }

    // So many rows of a long text as there is room for, around the chosen word.
    void wrap(Line& line, const QFontMetricsF& metrics, double width, double pitch, int most)
    {
        m_dots = metrics.horizontalAdvance(QChar(0x2026)) + betweenWords;
        const double room = width - 2 * m_dots;
        std::vector<int> begins; // of all rows
        double x = room;
        for (int i = line.begin; i < line.stop; ++i) {
            const double wide = widthOf(i, metrics);
            if (x + wide > room && (begins.empty() || x > 0)) {
                begins.push_back(i);
                x = 0;
            }
            x += wide;
        }
        const int count = indexSize(begins);
        const auto middle = static_cast<int>(std::ranges::upper_bound(begins, middleOf(line)) - begins.begin()) - 1;
        const int first = std::clamp(middle - most / 2, 0, std::max(0, count - most));
        const int last = std::min(count, first + most) - 1;
        begins.push_back(line.stop);
        line.first = begins[static_cast<std::size_t>(first)];
        line.end = begins[static_cast<std::size_t>(last) + 1];
        QString letters;
        for (int i = line.first; i < line.end; ++i)
            letters += m_words[i].label;
        const bool fromRight = isRightToLeft(letters);
        for (int row = first; row <= last; ++row) {
            line.lastRow = line.y + (row - first) * pitch;
            x = line.first > line.begin ? m_dots : 0;
            for (int i = begins[static_cast<std::size_t>(row)]; i < begins[static_cast<std::size_t>(row) + 1]; ++i) {
                const double wide = widthOf(i, metrics) - betweenWords;
                const double left = fromRight ? m_size.width() - margin - x - wide : m_left + x;
                m_words[i].box = QRectF(left, line.lastRow, std::min(wide, width), line.height);
                x += wide + betweenWords;
            }
        }
    }

    void place(Line& line, const QFontMetricsF& metrics, double width)
    {
        line.first = line.begin;
        line.end = line.stop;
        if (m_overColumns && line.begin == 0) {
            for (int i = line.begin; i < line.stop; ++i) {
                const double wide = widthOf(i, metrics) - betweenWords;
                m_words[i].box = QRectF(m_columns.at(m_words[i].token) - wide / 2, line.y, wide, line.height);
            }
            return;
        }
        const double dots = m_dots = metrics.horizontalAdvance(QChar(0x2026)) + betweenWords;
        if (widthOf(line.begin, line.stop, metrics, width) > width) {
            const int middle = middleOf(line);
            double left = width - 2 * dots - widthOf(middle, metrics);
            line.first = middle;
            line.end = std::min(line.stop, middle + 1);
            bool grows = true;
            while (grows) {
                grows = false;
                if (line.end < line.stop && widthOf(line.end, metrics) <= left) {
                    left -= widthOf(line.end++, metrics);
                    grows = true;
                }
                if (line.first > line.begin && widthOf(line.first - 1, metrics) <= left) {
                    left -= widthOf(--line.first, metrics);
                    grows = true;
                }
            }
        }
        QString letters;
        for (int i = line.first; i < line.end; ++i)
            letters += m_words[i].label;
        const bool fromRight = isRightToLeft(letters);
        double x = line.first > line.begin ? dots : 0;
        if (m_overColumns && line.first < line.end && line.end - line.first == line.stop - line.begin) // below them
            x = std::clamp(m_words.front().box.left() - m_left, 0.0,
                           std::max(0.0, width - widthOf(line.begin, line.stop, metrics, width)));
        for (int i = line.first; i < line.end; ++i) {
            const double wide = widthOf(i, metrics) - betweenWords;
            const double left = fromRight ? m_size.width() - margin - x - wide : m_left + x;
            m_words[i].box = QRectF(left, line.y, std::min(wide, width), line.height);
            x += wide + betweenWords;
        }
    }

    // --- how it is drawn

    QColor ofSign(double value) const
    {
        const ThemeColors& colors = m_style.colors;
        return m_map.isSigned ? colors.ofSign(value) : colors.bar;
    }

    // The light that has reached a word by now.
    double light() const { return m_moment ? eased(*m_moment, 0, lightEnds) : 1; }

    static QPainterPath between(const QPointF& above, const QPointF& below)
    {
        const double half = (below.y() - above.y()) / 2;
        QPainterPath path(above);
        path.cubicTo(above + QPointF(0, half), below - QPointF(0, half), below);
        return path;
    }

    // Over the line that both points stand on.
    QPainterPath over(const QPointF& from, const QPointF& to) const
    {
        const QPointF up(0, std::min(std::abs(to.x() - from.x()) / 3, highestArc * m_between));
        QPainterPath path(from);
        path.cubicTo(from - up, to - up, to);
        return path;
    }

    static QRectF widened(const QRectF& box, double width)
    {
        const double more = std::max(0.0, width - box.width()) / 2;
        return box.adjusted(-more - 1, 0, more + 1, 0);
    }

    static double thickness(double share) { return 0.8 + (thickestLine - 0.8) * share; }

    // Line from a word that was looked at, which if it was read begins `gap` below it.
    void paintLine(QPainter& painter, int looked, double gap, const QPointF& context, double share, double value) const
    {
        const QPointF below(m_words[looked].box.center().x(),
                            m_words[looked].box.bottom() + (gap > 0 ? gap + thickness(share) / 2 : 0));
        paintLine(painter, m_words[looked].written ? over(contextOf(looked), context) : between(below, context), share,
                  value);
    }

    void paintLine(QPainter& painter, const QPainterPath& path, double share, double value) const
    {
        QColor color = ofSign(value);
        color.setAlphaF(static_cast<float>(0.25 + 0.6 * share));
        QPen pen(color, thickness(share), Qt::SolidLine, Qt::RoundCap);
        if (const double reached = light(); reached < 1) { // from what is read
            const double length = std::max(1.0, path.length()) / pen.widthF();
            pen.setCapStyle(Qt::FlatCap);
            pen.setDashPattern({std::max(0.001, length * reached), 2 * length});
        }
        painter.strokePath(path, pen);
    }

    // The picture or sound; what is looked at is lit, as far as light has come.
    void paintMedia(QPainter& painter, std::optional<int> shown) const
    {
        const QRectF whole = frame();
        const std::vector<double> looks = shown ? looksAtPlaces(*shown) : std::vector<double>();
        double most = 0;
        for (const double look : looks)
            most = std::max(most, std::abs(look));
        std::vector<double> parts;
        for (const double look : looks)
            parts.push_back(most > 0 ? std::abs(look) / most : 1);
        if (m_media->picture) {
            for (double& part : parts)
                part = 1 - fadedPlaces * light() * (1 - part);
            m_picture.paint(painter, whole, {.parts = parts, .overlay = Overlay::Light}, m_style);
        } else {
            const SavedPainter saved(painter);
            paintWave(painter, m_media.get(), whole, m_style);
        }
        for (int token = 0; token < indexSize(parts) && !m_media->picture; ++token) {
            QColor ground = ofSign(looks[static_cast<std::size_t>(token)]);
            ground.setAlphaF(static_cast<float>(strongestGround * light() * parts[static_cast<std::size_t>(token)]));
            painter.fillRect(placeOf(token, whole), ground);
        }
        if (most > 0 && m_words[*shown].written && !m_words[*shown].box.isNull())
            paintPlaces(painter, *shown, looks, most);
    }

    // Lines of the places that a word looks at most.
    void paintPlaces(QPainter& painter, int from, const std::vector<double>& looks, double most) const
    {
        std::vector<int> tokens(looks.size());
        std::iota(tokens.begin(), tokens.end(), 0);
        const auto size = [&](int token) { return std::abs(looks[static_cast<std::size_t>(token)]); };
        const auto end = tokens.begin() + std::min(std::ssize(tokens), static_cast<std::ptrdiff_t>(mostPlaces));
        std::ranges::partial_sort(tokens, end, std::ranges::greater(), size);
        const QRectF whole = frame();
        for (auto token = tokens.begin(); token != end && size(*token) >= 2 * leastLine * most; ++token) {
            const QRectF place = placeOf(*token, whole);
            if (place.isNull())
                continue;
            const QPointF above(place.center().x(), m_media->picture ? place.center().y() : place.bottom());
            paintLine(painter, between(above, contextOf(from)), size(*token) / most / 2,
                      looks[static_cast<std::size_t>(*token)]);
        }
    }

    // The point above a written word where lines end.
    QPointF contextOf(int word) const
    {
        const QRectF& box = m_words[word].box;
        return {box.center().x(), box.top()};
    }

    void paintLooks(QPainter& painter, int from) const
    {
        const double most = strongest(from);
        if (!(most > 0) || m_words[from].box.isNull() || !m_words[from].written)
            return;
        const double numbers = most >= leastNumber ? 1 + QFontMetricsF(m_style.small).height() : 0; // are below words
        for (int to = 0; to < indexSize(m_words); ++to) {
            const double value = drawn(from, to);
            if (to == from || m_words[to].box.isNull() || !(std::abs(value) >= leastLine * most))
                continue;
            paintLine(painter, to, numbers, contextOf(from), std::abs(value) / std::max(most, 0.5), value);
        }
    }

    void paintReaders(QPainter& painter, int to) const
    {
        for (int from = 0; from < indexSize(m_words); ++from) {
            if (!m_words[from].written || m_words[from].box.isNull() || !isWritten(from))
                continue;
            const double value = drawn(from, to);
            if (std::abs(value) >= leastNumber / 2)
                paintLine(painter, to, 0, contextOf(from), std::min(1.0, std::abs(value)), value);
        }
    }

    // The ground of a word is what the shown one looks at, or how much it looks at the one that is pointed at.
    void paintWords(QPainter& painter, std::optional<int> shown, std::optional<int> pointed, bool toReaders,
                    int lookedAt) const
    {
        const ThemeColors& colors = m_style.colors;
        double most = toReaders ? std::abs(drawn(readerOf(*pointed).value_or(0), *pointed))
            : shown             ? strongest(*shown)
                                : 0;
        if (!m_looks.empty()) { // on the scale of the picture: where no word looks, none is coloured
            const auto largest = m_map.largest();
            most = largest ? std::abs(double{m_map.drawn(largest->first, largest->second)}) : 0;
            for (const double look : m_looks)
                most = std::max(most, std::abs(look));
        }
        const QFontMetricsF small(m_style.small);
        for (const Line& line : m_lines) {
            paintEllipses(painter, line);
            for (int i = line.first; i < line.end; ++i) {
                const Word& word = m_words[i];
                if (!isWritten(i))
                    continue;
                const double value = !m_looks.empty() ? m_looks[static_cast<std::size_t>(i)]
                    : toReaders                       ? (word.written ? drawn(i, *pointed) : 0)
                    : shown                           ? drawn(*shown, i)
                                                      : 0;
                if (most > 0 && value != 0) {
                    QColor ground = ofSign(value);
                    ground.setAlphaF(
                        static_cast<float>(strongestGround * light() * std::min(1.0, std::abs(value) / most)));
                    painter.setPen(Qt::NoPen);
                    painter.setBrush(ground);
                    painter.drawRoundedRect(word.box, 4, 4);
                    painter.setBrush(Qt::NoBrush);
                    if (std::abs(value) >= leastNumber && !m_moment && word.gloss.isEmpty())
                        drawLabel(painter, m_style.small, colors.muted,
                                  {word.box.left() - 10, word.box.bottom() + 1, word.box.width() + 20, small.height()},
                                  Qt::AlignHCenter, signedOrPlain(value));
                }
                drawLabel(painter, m_style.small, colors.muted,
                          {word.box.left(), word.box.bottom() + 1, word.box.width(), small.height()}, Qt::AlignHCenter,
                          word.gloss);
                if (word.changed) {
                    QColor glow = colors.accent;
                    glow.setAlphaF(changedGround);
                    painter.setPen(Qt::NoPen);
                    painter.setBrush(glow);
                    painter.drawRoundedRect(word.box, 4, 4);
                    painter.setBrush(Qt::NoBrush);
                }
                const bool isChosen = i == m_chosen && m_looks.empty() && !m_pooled;
                if (isChosen || i == pointed || i == lookedAt) {
                    painter.setPen(QPen(isChosen ? colors.accent : colors.cursor, 1.5));
                    painter.drawRoundedRect(word.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
                }
                QFont font = m_font;
                font.setStrikeOut(shown && isHidden(*shown, i));
                drawLabel(painter, font, isChosen ? colors.accent : colors.ink, word.box, Qt::AlignHCenter, word.label);
            }
        }
        if (m_twoTexts && m_lines.back().begin == m_lines.back().stop)
            drawLabel(
                painter, m_style.font, colors.muted,
                {m_left, m_lines.back().y, std::max(1.0, m_size.width() - m_left - margin), m_lines.back().height},
                Qt::AlignLeft,
                m_isGiven                         ? tr("Type a text to see where its words look.")
                    : m_wroteNothing              ? tr("Nothing: the model ended at once.")
                    : m_words.empty() && !m_media ? tr("Nothing has been read yet.")
                                                  : tr("The output appears here."));
    }

    void paintEllipses(QPainter& painter, const Line& line) const
    {
        QRectF room(m_left, line.y, std::max(1.0, m_size.width() - m_left - margin), line.height);
        if (line.first > line.begin)
            drawLabel(painter, m_font, m_style.colors.muted, room, Qt::AlignLeft, QChar(0x2026));
        room.moveTop(line.lastRow);
        if (line.end < line.stop)
            drawLabel(painter, m_font, m_style.colors.muted, room, Qt::AlignRight, QChar(0x2026));
    }

    QString signedOrPlain(double value) const { return m_map.isSigned ? signedDecimal(value, 2) : decimal(value, 2); }

    // What was read comes together above the word's place, candidates race there, and the winner flies to it.
    void paintBirth(QPainter& painter, int word) const
    {
        const Word& born = m_words[word];
        if (born.box.isNull() || !born.written)
            return;
        const ThemeColors& colors = m_style.colors;
        const double raced = eased(*m_moment, raceBegins, raceEnds);
        const double flown = eased(*m_moment, flightBegins, 1);
        const QPointF context = contextOf(word);
        painter.setPen(Qt::NoPen);
        QColor glow = colors.accent;
        glow.setAlphaF(static_cast<float>(0.7 * light() * (1 - flown)));
        painter.setBrush(glow);
        painter.drawEllipse(context, 2 + 4 * light(), 2 + 4 * light());
        painter.setBrush(Qt::NoBrush);
        painter.setOpacity(1 - flown); // what it takes the place of
        if (!m_untilStep)
            drawLabel(painter, m_font, colors.muted, widened(born.box, labelWidth(born.before, QFontMetricsF(m_font))),
                      Qt::AlignHCenter, born.before);
        painter.setOpacity(1);
        painter.setPen(QPen(colors.grid, 1, Qt::DashLine));
        painter.drawRoundedRect(born.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        const QFontMetricsF small(m_style.small);
        const double pitch = m_between / racing;
        constexpr double mostLetters = 80;
        constexpr double bars = 90;
        const double end = std::max(scaleEnd(m_candidates), 1e-6); // a race is seen where all are unlikely
        double labels = 0;
        double longest = 0;
        for (const auto& candidate : m_candidates) {
            labels = std::max(labels, std::min(mostLetters, labelWidth(candidate.label, small)) + 4);
            longest = std::max(longest, bars * ValueScale(0, end).part(candidate.value));
        }
        const bool toLeft = context.x() + 16 + labels + bars > m_size.width();
        const double left = toLeft ? context.x() - 16 - labels - bars : context.x() + 16;
        QRectF from = born.box;
        QString winner = born.label;
        painter.setOpacity(std::min(1.0, 2 * raced) * (1 - flown)); // no line crosses the race
        if (!m_candidates.empty())
            painter.fillRect(QRectF(left, born.box.top() - m_between, labels + longest + 4, racing * pitch),
                             colors.background);
        for (int i = 0; i < indexSize(m_candidates); ++i) {
            const auto& candidate = m_candidates[i];
            const QRectF label(left, born.box.top() - m_between + i * pitch, labels - 4, pitch);
            painter.setOpacity(raced * (1 - flown));
            painter.fillRect(QRectF(label.right() + 4, label.top() + 1.5,
                                    std::max(1.0, bars * raced * ValueScale(0, end).part(candidate.value)),
                                    std::max(1.0, pitch - 3)),
                             candidate.taken ? colors.accent : colors.bar);
            if (candidate.taken) {
                winner = flown > 0 ? born.label : candidate.label; // its mark of a beginning word, as others have it
                from = label;
                from.setLeft(std::max(label.left(), label.right() - labelWidth(winner, small)));
            } else {
                drawLabel(painter, m_style.small, colors.ink, label, Qt::AlignRight, candidate.label);
            }
        }
        painter.setOpacity(raced);
        const QPointF at = from.center() + (born.box.center() - from.center()) * flown;
        QFont font = m_font;
        const double size = m_style.small.pixelSize() + (m_font.pixelSize() - m_style.small.pixelSize()) * flown;
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
        QRectF box = born.box;
        box.moveCenter(at);
        if (raced > 0)
            drawLabel(painter, font, colors.accent, box.adjusted(-8, 0, 8, 0), Qt::AlignHCenter, winner);
        painter.setOpacity(1);
    }

    // --- what is said of it

    // What a hit of this figure is at; likewise marks made of one.
    template<class Place>
    std::optional<int> wordIn(const Place& place, bool written) const
    {
        return place && *place >= 0 && *place < indexSize(m_words) && m_words[*place].written == written
            ? std::optional(*place)
            : std::nullopt;
    }
    std::optional<int> wordAt(const Highlight& highlight) const
    {
        if (highlight.cursor)
            return highlight.cursor->row < rows() ? std::optional(highlight.cursor->row) : std::nullopt;
        const auto row = wordIn(highlight.row, true);
        return row ? row : wordIn(highlight.column, false);
    }
    std::optional<int> wordOf(const FigureHit& hit) const
    {
        const auto row = wordIn(hit.row, true);
        return row ? row : wordIn(hit.column, false);
    }

    FigureHit hitOfWord(int index) const
    {
        const Word& word = m_words[index];
        FigureHit hit;
        hit.part = word.written ? FigureHit::Part::RowLabel : FigureHit::Part::ColumnLabel;
        (word.written ? hit.row : hit.column) = index;
        if (word.step)
            hit.rowToken = word.step;
        if (word.firstColumn >= 0)
            hit.columnToken = word.firstColumn;
        hit.text = said(index, !word.written && m_twoTexts && m_whole && !m_moment ? readerOf(index) : m_chosen);
        if (m_firstStep > 0 && !word.step)
            hit.text += tr(" \u00B7 the text begins with it: no step writes it");
        return hit;
    }

    QString said(int word, std::optional<int> from) const
    {
        if (!m_looks.empty())
            return m_words[word].label + QStringLiteral("   ") + decimal(m_looks[static_cast<std::size_t>(word)], 4);
        const QString name = m_words[word].gloss.isEmpty()
            ? m_words[word].label
            : QStringLiteral("%1 (%2)").arg(m_words[word].label, m_words[word].gloss);
        const auto value = from && !m_moment ? weight(*from, word) : std::nullopt; // nothing is told beforehand
        if (!value)
            return name;
        return (m_pooled ? QString() : m_words[*from].label + QStringLiteral(" \u2190 ")) + name + QStringLiteral("   ")
            + numberText(*value, decimal(*value, 4));
    }

    void describe()
    {
        QStringList read;
        QStringList written;
        for (const Word& word : m_words)
            (word.written ? written : read) << word.label;
        m_description = m_twoTexts
            ? tr("Reads: %1. Writes: %2.").arg(read.join(QLatin1Char(' ')), written.join(QLatin1Char(' ')))
            : tr("Reads: %1.").arg(read.join(QLatin1Char(' ')));
    }

    std::optional<double> m_moment;
    std::map<int, double> m_columns;
    bool m_overColumns = false; // stand the words that were read
    bool m_twoTexts = true;
    bool m_isGiven = false; // beside a picture, and not written
    bool m_wroteNothing = false;
    int m_firstStep = 0; // the token that step 0 is about
    bool m_goesOn = false; // with what is read, where it is asked to: until then there is one text
    bool m_untilStep = false;
    bool m_pooled = false; // the text itself looks at its words, and none of them
    bool m_whole = false; // the map has all rows
    std::vector<Word> m_words; // those that were read first
    std::optional<int> m_step;
    std::optional<int> m_chosen; // word of the step
    Map m_map; // of tokens; without numbers: no attention
    std::vector<double> m_looks; // of words at what is picked of a picture or sound; empty: nothing is
    std::vector<BarListContent::Entry> m_candidates; // of a word that is being written
    bool m_readsWords = true;
    std::shared_ptr<const SourceMedia> m_media; // read in place of words; null: words are, or it is not known
    Encoding m_source; // its places
    PatchedPicture m_picture;
    std::vector<Line> m_lines;
    double m_left = 0; // where words begin
    double m_between = linesHeight; // the two texts
    double m_dots = 0; // width of an ellipsis
    QFont m_font;
};

} // namespace

// The sentences themselves, as the interface.
extern const FigureKind stageKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<StageFigure>(spec, trace, size);
    },
    .numbers = heatmapContent,
    .drawsSite = false,
    .cost = shownMapCost};

} // namespace attn::ui
