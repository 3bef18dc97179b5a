// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/beam_words.h"

#include "base/error.h"
#include "base/index.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace attn::ui {

namespace {

// In files, by BeamFate.
constexpr const char* fateNames[] = {"continued", "fell out", "ended", "length limit", "left", "alive"};

constexpr QChar wordMark(0x00B7); // of readableToken()
constexpr std::ptrdiff_t mostLookedAt = 1000; // tokens, for such a mark
constexpr qsizetype longestEnd = 120; // characters of a long text that are measured, at either end

QString rankText(const BeamTree& tree, int node)
{
    return Figure::tr("rank %1 of %2").arg(*tree.nodes[node].rank + 1).arg(indexSize(tree.ranking));
}

QString optionalNumber(const std::optional<int>& number)
{
    return number ? QString::number(*number) : QString();
}

} // namespace

QString shortFate(const BeamTree& tree, int node)
{
    const BeamNode& last = tree.nodes[node];
    const bool several = tree.ranking.size() > 1;
    switch (last.fate) {
    case BeamFate::Continued:
    case BeamFate::Alive:
        break;
    case BeamFate::FellOut:
        return Figure::tr("fell out at step %1").arg(*tree.droppedAt(node));
    case BeamFate::Ended:
        return last.rank && several ? rankText(tree, node) : Figure::tr("finished");
    case BeamFate::AtLimit:
        return several ? Figure::tr("length limit, %1").arg(rankText(tree, node)) : Figure::tr("length limit");
    case BeamFate::Left:
        return Figure::tr("alive when the search stopped");
    }
    return {};
}

QString fateText(const BeamTree& tree, int node)
{
    const BeamNode& last = tree.nodes[node];
    switch (last.fate) {
    case BeamFate::Continued:
        break;
    case BeamFate::FellOut:
        return Figure::tr("Fell out of the beam at step %1.").arg(*tree.droppedAt(node));
    case BeamFate::Ended:
        return last.rank ? Figure::tr("Finished, %1: %2.").arg(rankText(tree, node), scoreText(tree, *last.rank))
                         : Figure::tr("Finished.");
    case BeamFate::AtLimit:
        return Figure::tr("At the length limit, %1: %2.").arg(rankText(tree, node), scoreText(tree, *last.rank));
    case BeamFate::Left:
        return Figure::tr("Alive when the search stopped: it could not win any more.");
    case BeamFate::Alive:
        return Figure::tr("Alive: the search goes on.");
    }
    return {};
}

QString nodeText(const BeamTree& tree, int node)
{
    const BeamNode& shown = tree.nodes[node];
    const double probability = std::exp(double{shown.logProbability});
    QStringList parts{Figure::tr("Step %1: \u201C%2\u201D, probability %3, sum of log probabilities %4.")
                          .arg(QString::number(shown.position), readableToken(shown.text),
                               numberText(probability, probabilityText(probability)), decimal(shown.sum, 3))};
    if (shown.given)
        parts << Figure::tr("Given, not found.");
    if (const QString fate = fateText(tree, node); !fate.isEmpty())
        parts << fate;
    return parts.join(QLatin1Char(' '));
}

QString scoreText(const BeamTree& tree, int place)
{
    const BeamTree::Final& final = tree.ranking[place];
    // The length that the search divided by; of a model that goes on from a text, without that text.
    const double ratio = final.sum / final.score;
    const bool divides = ratio > 0 && ratio < std::numeric_limits<int>::max();
    const int length = divides ? static_cast<int>(std::lround(ratio)) : tree.nodes[final.node].position + 1;
    return QStringLiteral("%1 = %2 / %3").arg(decimal(final.score, 3), decimal(final.sum, 3)).arg(length);
}

QString apart(const QString& text, const QStringList& others, const QFontMetricsF& metrics, double width)
{
    if (text.size() <= 2 * longestEnd && metrics.horizontalAdvance(text) <= width)
        return text;
    const QStringList words = text.split(QLatin1Char(' '));
    const qsizetype count = words.size();
    std::set<qsizetype> shown; // words
    std::set<qsizetype> differing;
    for (const QString& other : others) {
        const QStringList theirs = other.split(QLatin1Char(' '));
        const qsizetype shared = std::min(count, theirs.size());
        qsizetype from = 0; // of what differs
        while (from < shared && words[from] == theirs[from])
            ++from;
        qsizetype after = 0; // it, in words that both end with
        while (after < shared - from && words[count - 1 - after] == theirs[theirs.size() - 1 - after])
            ++after;
        if (from == count && theirs.size() == count)
            continue; // alike
        shown.insert(std::min(from, count - 1));
        for (qsizetype word = from; word < count - after; ++word)
            differing.insert(word);
    }
    const auto written = [&](const std::set<qsizetype>& some) {
        QStringList line;
        qsizetype next = 0;
        for (const qsizetype word : some) {
            if (word > next)
                line << QChar(0x2026);
            line << words[word];
            next = word + 1;
        }
        if (next < count)
            line << QChar(0x2026);
        return line.join(QLatin1Char(' '));
    };
    const auto show = [&](qsizetype word) {
        const auto [place, isNew] = shown.insert(word);
        const bool fits = !isNew || metrics.horizontalAdvance(written(shown)) <= width;
        if (!fits)
            shown.erase(place);
        return fits;
    };
    const bool begins = show(0);
    const bool told = std::ranges::all_of(differing, show);
    for (qsizetype word = 1; begins && told && word < count && show(word);)
        ++word;
    const QString line = written(shown);
    return metrics.horizontalAdvance(line) <= width ? line : metrics.elidedText(line, Qt::ElideMiddle, width);
}

bool marksWords(const BeamTree& tree)
{
    const auto end = tree.nodes.begin() + std::min(std::ssize(tree.nodes), mostLookedAt);
    return std::any_of(tree.nodes.begin(), end,
                       [](const BeamNode& node) { return readableToken(node.text).startsWith(wordMark); });
}

QString joinedTokens(const QStringList& tokens, bool marked)
{
    QString text = tokens.value(0);
    for (qsizetype i = 1; i < tokens.size(); ++i) {
        const QString& token = tokens[i];
        const bool begins = marked && token.startsWith(wordMark);
        if (!marked || begins || token.startsWith(QLatin1Char('<')))
            text += QLatin1Char(' ');
        text += begins ? token.mid(1) : token;
    }
    return text;
}

QByteArray beamCsv(const FigureSpec&, const Trace& trace)
{
    const BeamTree tree = beamTree(trace);
    if (tree.nodes.empty())
        throw Error(ErrorKind::Input, Figure::tr("data").toStdString(),
                    Figure::tr("there is nothing to write").toStdString(),
                    Figure::tr("run a sentence first").toStdString());
    QString text = QStringLiteral("node,parent,step,token_id,token,log_probability,sum,fate,dropped_at,rank\r\n");
    for (int node = 0; node < indexSize(tree.nodes); ++node) {
        const BeamNode& shown = tree.nodes[node];
        const QStringList fields{QString::number(node),
                                 optionalNumber(shown.parent),
                                 QString::number(shown.position),
                                 QString::number(shown.token),
                                 csvField(QString::fromStdString(shown.text)),
                                 csvNumber(shown.logProbability),
                                 csvNumber(shown.sum),
                                 QLatin1String(fateNames[static_cast<int>(shown.fate)]),
                                 optionalNumber(tree.droppedAt(node)),
                                 shown.rank ? QString::number(*shown.rank + 1) : QString()};
        text += fields.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    }
    return text.toUtf8();
}

} // namespace attn::ui
