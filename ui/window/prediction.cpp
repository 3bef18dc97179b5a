// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/prediction.h"

#include "analysis/words.h"
#include "base/encoding.h"
#include "base/index.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

// Head between the two texts that is looked at: the chosen one, or the mean of the last layer's.
std::optional<SiteChoice> lookedAt(const Trace& trace, const Selection& selection)
{
    if (trace.hasOneText() || trace.sites().empty())
        return std::nullopt;
    const bool chosen = selection.site().stage == Stage::Cross && trace.heads(selection.site()) > 0;
    const Site site = chosen ? selection.site() : trace.sites().back();
    if (site.stage != Stage::Cross || trace.columnAxis(site) != AttentionAxis::Tokens)
        return std::nullopt;
    const auto head = chosen ? selection.head().head() : std::nullopt;
    if (head || trace.heads(site) == 1)
        return SiteChoice{site, std::min(head.value_or(0), trace.heads(site) - 1)};
    return SiteChoice{site, meanOfHeads};
}

} // namespace

Prediction::Prediction(Study& study, Selection& selection, StepPanel& steps, StageView& stage)
    : m_study(study)
    , m_selection(selection)
    , m_steps(steps)
{
    connect(&stage, &StageView::wordChosen, this, &Prediction::guess);
    connect(&study, &Study::traceReplaced, this, [this] { m_asks = false; });
    connect(&steps, &StepPanel::wordWritten, this, [this] {
        if (m_said && std::exchange(m_asks, false))
            Q_EMIT revealed();
    });
}

bool Prediction::ask(int step)
{
    m_asks = false;
    m_said.reset();
    m_words.clear();
    const Trace& trace = m_study.trace();
    const auto place = lookedAt(trace, m_selection);
    if (!place || step < 0 || step >= trace.steps(m_selection.leaf()))
        return false;
    const Encoding target = trace.target(m_selection.leaf());
    const auto words = wordAxis(target);
    const auto written = std::ranges::find_if(
        words, [step](const AxisGroup& word) { return step >= word.first && step < word.first + word.count; });
    if (written == words.end() || isSpecial(target, written->first))
        return false;
    m_step = step;
    m_asked = readableToken(written->label);
    const Numbers weights = readWeights(trace, *place, m_selection.leaf(), {step, 1});
    for (const AxisGroup& word : wordAxis(trace.source())) {
        Word one{readableToken(word.label), word.first};
        const bool spoken = std::ranges::any_of(one.label, [](QChar c) { return c.isLetterOrNumber(); });
        if (!spoken || isSpecial(trace.source(), word.first))
            continue;
        for (int token = word.first; token < std::min<int>(weights.columns, word.first + word.count); ++token)
            one.weight += static_cast<double>(weights.at(0, token));
        m_words.push_back(std::move(one));
    }
    constexpr std::size_t fewest = 2;
    constexpr std::size_t most = 16; // that a card has room for
    if (m_words.size() < fewest || m_words.size() > most)
        return false;
    m_asks = true;
    m_steps.holdAt(step);
    return true;
}

void Prediction::drop()
{
    if (std::exchange(m_asks, false))
        m_steps.release();
}

const Prediction::Word& Prediction::most() const
{
    return *std::ranges::max_element(m_words, {}, &Word::weight);
}

std::vector<GuideButton> Prediction::buttons()
{
    std::vector<GuideButton> buttons;
    for (const Word& word : m_words)
        buttons.push_back({QStringLiteral("bet%1").arg(word.token), word.label, false, true, false,
                           [this, token = word.token] { guess(token); }});
    return buttons;
}

QString Prediction::verdict() const
{
    const Word& said = m_words.at(static_cast<std::size_t>(m_said.value_or(0)));
    return said.token == most().token
        ? tr("You win: \u201C%1\u201D, %2").arg(said.label, percent(said.weight))
        : tr("\u201C%1\u201D, %2. You said \u201C%3\u201D: %4")
              .arg(most().label, percent(most().weight), said.label, percent(said.weight));
}

void Prediction::guess(int token)
{
    const auto word = std::ranges::find(m_words, token, &Word::token);
    if (!m_asks || m_said || word == m_words.end())
        return;
    m_said = static_cast<int>(word - m_words.begin());
    m_steps.writeHeld();
}

} // namespace attn::ui
