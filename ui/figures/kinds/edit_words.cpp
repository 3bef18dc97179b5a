// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/edit_words.h"

#include "analysis/words.h"
#include "base/index.h"
#include "edits/edit.h"
#include "figures/figure.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"

#include <QStringList>

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

namespace attn::ui {

namespace {

constexpr qsizetype mostNamedTokens = 3;

// By Stage, as an edit is written.
constexpr const char* stageWords[] = {QT_TRANSLATE_NOOP("attn::ui", "encoder"),
                                      QT_TRANSLATE_NOOP("attn::ui", "decoder"), QT_TRANSLATE_NOOP("attn::ui", "cross"),
                                      QT_TRANSLATE_NOOP("attn::ui", "pooling")};

bool isOneOf(const IndexSet& set)
{
    return set.ranges().size() == 1 && set.ranges().front().first == set.ranges().front().last;
}

// The tokens of a set, whole words as one; none where the text has them not.
std::optional<QString> tokenNames(const IndexSet& set, const Encoding& text)
{
    const std::vector<AxisGroup> pieces = tokenAxis(text);
    QStringList names;
    for (const AxisGroup& word : wordAxis(text)) {
        std::vector<Index> chosen;
        set.forEach(word.first, word.first + word.count - 1, [&chosen](Index token) { chosen.push_back(token); });
        if (indexSize(chosen) == word.count)
            names << readableToken(word.label);
        else
            for (const Index token : chosen)
                names << readableToken(pieces.at(static_cast<std::size_t>(token)).label);
    }
    if (names.isEmpty() || set.ranges().back().last >= indexSize(pieces))
        return std::nullopt;
    const qsizetype left = names.size() - mostNamedTokens;
    if (left > 0)
        names = names.first(mostNamedTokens) << QStringLiteral("+%1").arg(left);
    return names.join(QLatin1Char(' '));
}

QString changeWords(const AttentionEdit& edit, const QString& cells)
{
    switch (edit.change) {
    case AttentionChange::Hide:
        return Figure::tr("%1 hidden").arg(cells);
    case AttentionChange::Zero:
        return Figure::tr("%1 = %2").arg(cells, decimal(0, 0));
    case AttentionChange::Set:
        return Figure::tr("%1 = %2").arg(cells, decimal(static_cast<double>(edit.value), 2));
    case AttentionChange::Scale:
        return Figure::tr("%1 \u00D7 %2").arg(cells, decimal(static_cast<double>(edit.value), 2));
    case AttentionChange::Uniform:
        return Figure::tr("%1 made uniform").arg(cells);
    case AttentionChange::Renormalize:
        break;
    }
    return Figure::tr("%1 renormalised").arg(cells);
}

// Stage, layer and head, as far as the run has more than one; what `named` says already is left out.
QString siteWords(const AttentionEdit& edit, const std::vector<Site>& sites, Site site, int heads, bool named)
{
    const auto others = [&](auto same) { return std::ranges::any_of(sites, [&](Site one) { return !same(one); }); };
    const bool layers = std::ranges::count(sites, site.stage, &Site::stage) > 1;
    QStringList parts;
    if (others([&](Site one) { return one.stage == site.stage; }))
        parts << translated(stageWords[static_cast<std::size_t>(site.stage)]);
    if (layers && isOneOf(edit.layers))
        parts << Figure::tr("layer %1").arg(edit.layers.least());
    if (heads > 1 && isOneOf(edit.heads) && !named)
        parts << Figure::tr("head %1").arg(edit.heads.least());
    return parts.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(parts.join(QStringLiteral(", ")));
}

std::optional<QString> wordsFor(const AttentionEdit& edit, const Trace& trace, std::optional<StepId> leaf)
{
    const std::vector<Site> sites = trace.sites();
    const auto site = std::ranges::find_if(sites, [&](Site one) {
        return one.stage == edit.stage && (edit.layers.isAll() || edit.layers.contains(one.layer));
    });
    if (site == sites.end())
        return std::nullopt;
    const int heads = trace.heads(*site);
    if (edit.rows.isAll() && edit.columns.isAll() && edit.change == AttentionChange::Zero && isOneOf(edit.heads))
        return Figure::tr("head %1 off").arg(edit.heads.least()) + siteWords(edit, sites, *site, heads, true);
    const auto columns =
        edit.columns.isAll() ? Figure::tr("everything") : tokenNames(edit.columns, trace.columnTokens(*site, leaf));
    const auto rows = edit.rows.isAll() ? QString() : tokenNames(edit.rows, trace.rowTokens(*site, leaf));
    const bool isShorter = !rows && leaf && site->stage == Stage::Cross && isOneOf(edit.rows); // than the one edited
    if (!columns || (!rows && !isShorter))
        return std::nullopt;
    const QString changed = changeWords(edit, *columns);
    if (isShorter)
        return Figure::tr("%1 at step %2").arg(changed, QString::number(edit.rows.least()))
            + siteWords(edit, sites, *site, heads, false);
    return (rows->isEmpty() ? changed : Figure::tr("%1 for %2").arg(changed, *rows))
        + siteWords(edit, sites, *site, heads, false);
}

std::optional<QString> wordsFor(const SourceEdit& edit, const Trace& trace, std::optional<StepId>)
{
    const auto name = tokenNames(IndexSet({{edit.position, edit.position}}), trace.source());
    if (!name)
        return std::nullopt;
    const QString word =
        edit.change == SourceChange::Word ? QString::fromStdString(edit.word) : Figure::tr("token %1").arg(edit.token);
    switch (edit.change) {
    case SourceChange::Hide:
        return Figure::tr("%1 hidden").arg(*name);
    case SourceChange::Grey:
        return Figure::tr("%1 grey").arg(*name);
    case SourceChange::Token:
    case SourceChange::Word:
        break;
    }
    // The run that was made with it has the new token there.
    const auto& edits = trace.provenance().edits;
    return std::ranges::find(edits, editText(edit)) == edits.end() ? Figure::tr("%1 instead of %2").arg(word, *name)
                                                                   : Figure::tr("%1 put in").arg(*name);
}

} // namespace

QString editInWords(const std::string& spec, const Trace& trace, std::optional<StepId> leaf)
{
    std::optional<QString> words;
    try {
        words = std::visit([&](const auto& edit) { return wordsFor(edit, trace, leaf); }, parseEdit(spec));
    } catch (const EditError&) { // is shown as it is written
    }
    constexpr qsizetype most = 60;
    const QString text = words.value_or(QString::fromStdString(spec)).simplified();
    return text.size() > most ? text.left(most - 1) + QChar(0x2026) : text;
}

} // namespace attn::ui
