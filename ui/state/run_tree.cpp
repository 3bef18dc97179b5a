// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/run_tree.h"

#include "base/parsed_number.h"
#include "state/effective_question.h"
#include "trace/given_tokens.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace attn::ui {

namespace {

constexpr double stepBytes = 2000; // a step with its candidates

double bytesOf(const Run& run)
{
    const auto length = static_cast<double>(run.trace.source().size()) + run.trace.stepCount();
    double bytes = run.archive ? static_cast<double>(run.archive->size()) : 0;
    bytes += run.trace.stepCount() * stepBytes;
    for (const Site& site : run.trace.sites())
        bytes += run.trace.heads(site) * length * length * sizeof(float);
    return bytes;
}

Question comparable(const Run& run)
{
    Question question = run.model ? effectiveQuestion(*run.question, *run.model) : *run.question;
    question.model = run.question->model;
    return question;
}

// Whether a text only goes on where it ended.
bool continues(const QuestionDifference& difference, const Run& run)
{
    if (difference.size() != 1 || std::string_view(difference.front().key) != "generate"
        || run.question->decoding.search == Search::Beam)
        return false;
    const auto number = [](const std::optional<std::string>& text) {
        return parsedNumber<int>(text.value_or(std::string())).value_or(0);
    };
    return number(difference.front().before) > 0
        && number(difference.front().after) > number(difference.front().before);
}

// Tokens that a run was made to begin with and another did not produce.
std::size_t putTokens(const Run& before, const Run& run)
{
    const std::vector<TokenId> given = givenTokens(run.trace);
    return run.trace.provenance().prefixIds.empty() ? 0 : given.size() - stepsAlong(before.trace, given).size();
}

bool onlyDrawnAgain(const QuestionDifference& difference)
{
    return difference.size() == 1 && std::string_view(difference.front().key) == "seed";
}

template<class Runs>
auto* findIn(Runs& runs, std::optional<int> id)
{
    const auto found = std::find_if(runs.begin(), runs.end(), [id](const Run& run) { return run.id == id; });
    return found == runs.end() ? nullptr : &*found;
}

} // namespace

std::optional<QuestionDifference> difference(const Run& before, const Run& run)
{
    if (!before.question || !run.question)
        return std::nullopt;
    return attn::difference(comparable(before), comparable(run));
}

const Run* RunTree::find(std::optional<int> id) const
{
    return findIn(m_runs, id);
}

Run* RunTree::find(std::optional<int> id)
{
    return findIn(m_runs, id);
}

std::vector<int> RunTree::children(std::optional<int> parent) const
{
    std::vector<int> ids;
    for (const Run& run : m_runs) {
        if (run.parent == parent)
            ids.push_back(run.id);
    }
    return ids;
}

RunTree::Place RunTree::placeOf(const Run& run, std::optional<int> from) const
{
    if (!run.question) { // an archive, or what was kept of a run
        const auto same = std::find_if(m_runs.begin(), m_runs.end(), [&run](const Run& earlier) {
            return !earlier.question && earlier.opened == run.opened;
        });
        return {same == m_runs.end() ? std::nullopt : std::optional(same->id), {}};
    }
    Place place;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    bool beside = false;
    for (const Run* ancestor = find(from); ancestor != nullptr; ancestor = find(ancestor->parent)) {
        const auto differs = difference(*ancestor, run);
        if (!differs)
            continue;
        if (differs->empty() || continues(*differs, run))
            return {ancestor->id, {}};
        if (const std::size_t distance = differs->size() + putTokens(*ancestor, run); distance <= least) {
            least = distance;
            place.parent = ancestor->id;
            beside = onlyDrawnAgain(*differs);
        }
    }
    if (const Run* const nearest = find(place.parent); beside && nearest->parent)
        place.parent = nearest->parent;
    if (!place.parent)
        return place;
    for (const int child : children(place.parent)) {
        const auto differs = difference(*find(child), run);
        if (differs && differs->empty())
            return {child, {}};
    }
    return place;
}

int RunTree::add(Run run)
{
    int last = 0;
    for (const Run& earlier : m_runs)
        last = std::max(last, earlier.id);
    run.id = last + 1;
    m_runs.push_back(std::move(run));
    return last + 1;
}

void RunTree::remove(int id)
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(), [id](const Run& run) { return run.id == id; });
    if (found == m_runs.end())
        return;
    const std::optional<int> parent = found->parent;
    m_runs.erase(found);
    for (Run& run : m_runs) {
        if (run.parent == id)
            run.parent = parent;
    }
}

int RunTree::removeOldest(std::optional<int> shown, std::optional<int> against)
{
    std::vector<double> sizes;
    sizes.reserve(m_runs.size());
    for (const Run& run : m_runs)
        sizes.push_back(bytesOf(run));
    double bytes = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    int removed = 0;
    for (const bool marked : {false, true}) {
        for (std::size_t i = 0; i < m_runs.size();) {
            if (m_runs.size() <= mostRuns && bytes <= mostBytes)
                return removed;
            const Run& run = m_runs[i];
            if (run.id == shown || run.id == against || (!run.change.empty() || !run.note.empty()) != marked) {
                ++i;
                continue;
            }
            bytes -= sizes[i];
            sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(i));
            remove(run.id);
            ++removed;
        }
    }
    return removed;
}

void RunTree::replace(std::vector<Run> runs)
{
    m_runs = std::move(runs);
}

} // namespace attn::ui
