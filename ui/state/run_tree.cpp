// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/run_tree.h"

#include "base/plain_text.h"
#include "state/model_summary.h"
#include "trace/trace.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

namespace attn::ui {

namespace {

constexpr double stepBytes = 2000; // a step with its candidates

double bytesOf(const Run& run)
{
    const auto source = static_cast<double>(run.trace.source().size());
    const double steps = run.trace.stepCount(); // of all hypotheses
    const double longest = static_cast<double>(run.trace.path().size()) + 1;
    double bytes = run.archive ? static_cast<double>(run.archive->size()) : 0;
    bytes += steps * stepBytes;
    for (const Site& site : run.trace.sites()) {
        const double rows = site.stage == Stage::Encoder ? source : steps + 1;
        const double columns = site.stage == Stage::Decoder ? longest : source;
        bytes += run.trace.computes(site) ? static_cast<double>(run.trace.keptBytes(site))
                                          : run.trace.heads(site) * rows * columns * sizeof(float);
    }
    return bytes;
}

// True for runs that somebody has named, noted or read from a file: they are not taken away.
bool isKept(const Run& run)
{
    return run.archive || !run.change.empty() || !run.note.empty();
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
        if (!differ(ancestor->model, run.model) && (differs->empty() || continues(*differs, run)))
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
        const Run& sibling = *find(child);
        const auto differs = difference(sibling, run);
        if (differs && differs->empty() && !differ(sibling.model, run.model))
            return {child, {}};
    }
    return place;
}

int RunTree::add(Run run)
{
    int last = 0;
    for (const Run& earlier : m_runs)
        last = std::max(last, earlier.id);
    int id = last < std::numeric_limits<int>::max() ? last + 1 : 1; // a file may have used the largest
    while (find(id) != nullptr)
        ++id;
    run.id = id;
    m_runs.push_back(std::move(run));
    return id;
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
    std::map<int, double> sizes; // by id, so the oldest first
    for (const Run& run : m_runs) {
        if (!isKept(run))
            sizes.emplace(run.id, bytesOf(run));
    }
    double bytes = 0;
    for (const auto& [id, size] : sizes)
        bytes += size;
    std::size_t count = sizes.size();
    int removed = 0;
    for (const auto& [id, size] : sizes) {
        if (count <= mostRuns && bytes <= mostBytes)
            break;
        if (id == shown || id == against)
            continue;
        bytes -= size;
        --count;
        remove(id);
        ++removed;
    }
    return removed;
}

void RunTree::replace(std::vector<Run> runs)
{
    m_runs = std::move(runs);
}

} // namespace attn::ui
