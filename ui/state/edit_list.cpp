// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/edit_list.h"

#include "base/index.h"
#include "edits/edit.h"
#include "figures/kinds/edit_words.h"
#include "question/question.h"
#include "state/strings.h"

#include <QJsonObject>
#include <QScopedValueRollback>
#include <QUndoCommand>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

namespace attn::ui {

namespace {

constexpr int mostUndone = 200;
constexpr QLatin1String keptEdit("edit");
constexpr QLatin1String keptOn("on");

// Fault of a text whatever it is asked of.
QString problemOf(const std::string& text)
{
    try {
        (void)parseEdit(text);
        return {};
    } catch (const EditError& error) {
        return QString::fromStdString(withoutEdit(error));
    }
}

EditList::Entry entryOf(std::string text, bool on = true)
{
    QString problem = problemOf(text);
    return {std::move(text), on, std::move(problem)};
}

} // namespace

// The whole list before and after.
class EditList::Change final : public QUndoCommand
{
public:
    Change(EditList& list, Entries after, const QString& what, int number)
        : QUndoCommand(what)
        , m_list(list)
        , m_before(list.m_entries)
        , m_after(std::move(after))
        , m_number(number)
    {
    }

    int id() const override { return m_number == 0 ? -1 : m_number; }
    bool mergeWith(const QUndoCommand* other) override
    {
        m_after = static_cast<const Change*>(other)->m_after;
        return true;
    }
    void undo() override { m_list.put(m_before); }
    void redo() override { m_list.put(m_after); }

private:
    EditList& m_list;
    Entries m_before;
    Entries m_after;
    int m_number;
};

EditList::EditList(Study& study, QObject* parent)
    : QAbstractListModel(parent)
    , m_study(study)
    , m_sentence(study.edited())
{
    m_history.setUndoLimit(mostUndone);
    follow(study.edited().edits);
    connect(&study, &Study::questionChanged, this, &EditList::followQuestion);
}

std::vector<std::string> EditList::applied() const
{
    std::vector<std::string> texts;
    for (const Entry& entry : m_entries) {
        if (entry.applies())
            texts.push_back(entry.text);
    }
    return texts;
}

bool EditList::applies(const std::vector<std::string>& texts) const
{
    return !texts.empty() && std::all_of(texts.begin(), texts.end(), [this](const std::string& text) {
        return std::any_of(m_entries.begin(), m_entries.end(),
                           [&text](const Entry& entry) { return entry.applies() && entry.text == text; });
    });
}

void EditList::add(const std::vector<std::string>& texts, std::optional<int> before)
{
    if (texts.empty())
        return;
    Entries next = m_entries;
    std::size_t at = before ? static_cast<std::size_t>(*before) : next.size();
    for (const std::string& text : texts)
        next.insert(next.begin() + static_cast<std::ptrdiff_t>(at++), entryOf(text));
    change(std::move(next), tr("add an edit"));
}

void EditList::toggle(const std::vector<std::string>& texts)
{
    const bool away = applies(texts);
    Entries next = m_entries;
    for (const std::string& text : texts) {
        const auto same = [&text](const Entry& entry) { return entry.text == text; };
        if (away) {
            std::erase_if(next, same);
            continue;
        }
        const auto found = std::find_if(next.begin(), next.end(), same);
        if (found == next.end())
            next.push_back(entryOf(text));
        else
            *found = entryOf(text);
    }
    change(std::move(next), away ? tr("take an edit away") : tr("edit"));
}

void EditList::removeAll(std::vector<int> rows)
{
    std::sort(rows.rbegin(), rows.rend());
    Entries next = m_entries;
    for (const int row : rows)
        next.erase(next.begin() + row);
    change(std::move(next), tr("take an edit away"));
}

void EditList::move(int from, int to)
{
    moveRows({}, from, 1, {}, to > from ? to + 1 : to);
}

bool EditList::moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before)
{
    const int size = rowCount();
    const bool fits = !from.isValid() && !to.isValid() && row >= 0 && count > 0 && row + count <= size && before >= 0
        && before <= size && (before < row || before > row + count);
    if (!fits)
        return false;
    Entries next = m_entries;
    const auto begin = next.begin();
    if (before < row)
        std::rotate(begin + before, begin + row, begin + row + count);
    else
        std::rotate(begin + row, begin + row + count, begin + before);
    auto done = std::make_unique<Change>(*this, next, tr("move an edit"), 0);
    beginMoveRows({}, row, row + count - 1, {}, before);
    m_entries = std::move(next);
    endMoveRows();
    m_history.push(done.release());
    return true;
}

void EditList::setText(int row, const QString& text)
{
    Entries next = m_entries;
    const std::string typed = text.trimmed().toStdString();
    if (typed.empty())
        next.erase(next.begin() + row);
    else
        next.at(static_cast<std::size_t>(row)) = entryOf(typed, m_entries[static_cast<std::size_t>(row)].on);
    change(std::move(next), tr("change an edit"));
}

void EditList::setOn(int row, bool on)
{
    Entries next = m_entries;
    next.at(static_cast<std::size_t>(row)).on = on;
    change(std::move(next), on ? tr("tick an edit") : tr("untick an edit"));
}

void EditList::slide(int number, const std::string& instead, const std::string& text)
{
    Entries next = m_entries;
    const auto found = std::find_if(next.rbegin(), next.rend(),
                                    [&instead](const Entry& entry) { return entry.text == instead && entry.on; });
    if (found == next.rend())
        next.push_back(entryOf(text));
    else
        *found = entryOf(text);
    change(std::move(next), tr("set a weight"), number);
}

std::vector<std::string> EditList::textsIn(const QString& lines)
{
    std::vector<std::string> texts;
    for (QString line : lines.split(QLatin1Char('\n'))) {
        line = line.trimmed();
        if (line.startsWith(QLatin1String("--edit")))
            line = line.mid(6).trimmed();
        const bool quoted =
            line.size() > 1 && (line.front() == u'\'' || line.front() == u'"') && line.back() == line.front();
        if (quoted)
            line = line.mid(1, line.size() - 2);
        if (!line.isEmpty())
            texts.push_back(line.toStdString());
    }
    return texts;
}

QString EditList::text(bool onlyApplied) const
{
    QStringList lines;
    for (const Entry& entry : m_entries) {
        if (entry.applies() || !onlyApplied)
            lines << QString::fromStdString(entry.text);
    }
    return lines.join(QLatin1Char('\n'));
}

void EditList::refuse(const std::vector<std::string>& asked, const std::vector<EditProblem>& problems)
{
    Entries next = m_entries;
    auto entry = next.begin();
    auto problem = problems.begin();
    for (Index i = 0; i < indexSize(asked) && problem != problems.end(); ++i) {
        entry = std::find_if(entry, next.end(), [&](const Entry& one) {
            return one.applies() && one.text == asked[static_cast<std::size_t>(i)];
        });
        if (entry == next.end())
            return; // the list is another one by now
        if (problem->number == i)
            entry->problem = QString::fromStdString((problem++)->problem);
        ++entry;
    }
    put(std::move(next), false);
}

void EditList::retry()
{
    Entries next = m_entries;
    for (Entry& entry : next) {
        if (!entry.problem.isEmpty())
            entry.problem = problemOf(entry.text);
    }
    put(std::move(next), false);
}

QJsonArray EditList::kept() const
{
    QJsonArray kept;
    for (const Entry& entry : m_entries)
        kept.append(QJsonObject{{keptEdit, QString::fromStdString(entry.text)}, {keptOn, entry.on}});
    return kept;
}

// Applies the edits that the question has, and no others.
void EditList::restore(const QJsonArray& kept)
{
    const std::vector<std::string> now = m_study.edited().edits;
    Entries next;
    for (const auto& value : kept) {
        const QJsonObject entry = value.toObject();
        const QString text = entry.value(keptEdit).toString().trimmed();
        if (!text.isEmpty())
            next.push_back(entryOf(text.toStdString(), entry.value(keptOn).toBool()));
    }
    show(std::move(next));
    follow(now);
    m_history.clear();
}

void EditList::change(Entries next, const QString& what, int number)
{
    if (next != m_entries)
        m_history.push(new Change(*this, std::move(next), what, number));
}

void EditList::put(Entries next, bool byUser)
{
    show(std::move(next));
    const std::vector<std::string> now = applied();
    if (now == m_study.edited().edits)
        return;
    {
        const QScopedValueRollback telling(m_telling, true);
        m_study.edit([&now](Question& question) { question.edits = now; });
    }
    if (byUser)
        Q_EMIT appliedChanged();
}

// Inserts and removes as few rows as possible.
void EditList::show(Entries next)
{
    const auto sameText = [](const Entry& a, const Entry& b) { return a.text == b.text; };
    const auto [front, nextFront] =
        std::mismatch(m_entries.begin(), m_entries.end(), next.begin(), next.end(), sameText);
    const auto [back, nextBack] = std::mismatch(m_entries.rbegin(), std::make_reverse_iterator(front), next.rbegin(),
                                                std::make_reverse_iterator(nextFront), sameText);
    const auto first = static_cast<int>(front - m_entries.begin());
    const auto gone = static_cast<int>(back.base() - front);
    const auto come = static_cast<int>(nextBack.base() - nextFront);
    const int stay = std::min(gone, come);
    if (gone > stay) {
        beginRemoveRows({}, first + stay, first + gone - 1);
        m_entries.erase(m_entries.begin() + first + stay, m_entries.begin() + first + gone);
        endRemoveRows();
    } else if (come > stay) {
        beginInsertRows({}, first + stay, first + come - 1);
        m_entries.insert(m_entries.begin() + first + stay, nextFront + stay, nextFront + come);
        endInsertRows();
    }
    const bool other = m_entries != next;
    m_entries = std::move(next);
    for (const Entry& entry : m_entries)
        name(entry.text);
    if (other && !m_entries.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

// By the words of the run that it was made on: those of the next one may be others because of it.
void EditList::name(const std::string& text)
{
    const QString words = editInWords(text, m_study.trace());
    if (words != QString::fromStdString(text))
        m_words.try_emplace(text, words);
}

QString EditList::words(const std::string& text) const
{
    const auto named = m_words.find(text);
    return named == m_words.end() ? editInWords(text, m_study.trace()) : named->second;
}

// Edits that did not fit one sentence are not tried on another.
void EditList::followQuestion()
{
    const Question& edited = m_study.edited();
    if (!sameSentence(edited, m_sentence)) {
        m_sentence = edited;
        m_words.clear();
        Entries next = m_entries;
        for (Entry& entry : next)
            entry.on = entry.applies();
        show(std::move(next));
        m_history.clear();
    }
    follow(edited.edits);
}

// Removes edits that apply no more; those that are only kept stay where they are.
void EditList::follow(const std::vector<std::string>& edits)
{
    if (m_telling || edits == applied())
        return;
    Entries next;
    auto entry = m_entries.begin();
    const auto keepUntil = [&](Entries::iterator end) {
        for (; entry != end; ++entry) {
            if (!entry->applies())
                next.push_back(*entry);
        }
    };
    for (const std::string& text : edits) {
        const auto same = std::find_if(entry, m_entries.end(),
                                       [&text](const Entry& one) { return one.applies() && one.text == text; });
        if (same != m_entries.end()) {
            keepUntil(same);
            ++entry;
        }
        next.push_back({text, true, {}});
    }
    keepUntil(m_entries.end());
    show(std::move(next));
}

int EditList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : indexSize(m_entries);
}

QVariant EditList::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Entry& entry = m_entries[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return words(entry.text);
    case Qt::EditRole:
        return QString::fromStdString(entry.text);
    case Qt::CheckStateRole:
        return static_cast<int>(entry.on ? Qt::Checked : Qt::Unchecked);
    case ProblemRole:
        return entry.problem;
    case Qt::ToolTipRole:
        return plainTip(QString::fromStdString(entry.text)
                        + (entry.problem.isEmpty() ? QString() : QLatin1Char('\n') + entry.problem));
    case Qt::AccessibleTextRole:
        return entry.problem.isEmpty() ? words(entry.text)
                                       : tr("%1, not applied: %2").arg(words(entry.text), entry.problem);
    default:
        return {};
    }
}

bool EditList::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || (role != Qt::EditRole && role != Qt::CheckStateRole))
        return false;
    if (role == Qt::EditRole)
        setText(index.row(), value.toString());
    else
        setOn(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags EditList::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemIsUserCheckable
        | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

} // namespace attn::ui
