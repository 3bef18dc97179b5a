// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs_model.h"

#include "state/run_words.h"
#include "state/strings.h"

#include <algorithm>
#include <utility>

namespace attn::ui {

RunsModel::RunsModel(Study& study, QObject* parent)
    : QAbstractItemModel(parent)
    , m_study(study)
{
    m_rows = read(); // which looks for what it knows already
    connect(&study, &Study::runsChanged, this, &RunsModel::refresh);
    connect(&study, &Study::shownRunChanged, this, &RunsModel::tellAll);
}

void RunsModel::Rows::add(Row row)
{
    byId.emplace(row.id, all.size());
    std::vector<int>& siblings = children[row.parent];
    row.place = static_cast<int>(siblings.size());
    siblings.push_back(row.id);
    all.push_back(std::move(row));
}

RunsModel::Rows RunsModel::read() const
{
    Rows rows;
    for (const Run& run : m_study.runs().runs()) {
        Row row;
        row.id = run.id;
        row.parent = run.parent;
        row.name = runName(m_study.runs(), run);
        row.note = text(run.note);
        row.trace = &run.trace.provenance();
        row.steps = run.trace.stepCount();
        row.finished = run.finished();
        const Row* const before = find(run.id);
        if (before != nullptr && before->trace == row.trace && before->steps == row.steps
            && before->finished == row.finished) {
            row.output = before->output;
            row.logProbability = before->logProbability;
        } else {
            row.output = runOutput(run.trace);
            row.logProbability = runLogProbability(run.trace);
        }
        rows.add(std::move(row));
    }
    return rows;
}

void RunsModel::refresh()
{
    Rows rows = read();
    const auto sameRun = [](const Row& a, const Row& b) { return a.id == b.id && a.parent == b.parent; };
    const bool areOthers = std::exchange(m_session, m_study.sessions()) != m_study.sessions(); // of the same numbers
    const bool grew = !areOthers && rows.all.size() == m_rows.all.size() + 1
        && std::equal(m_rows.all.begin(), m_rows.all.end(), rows.all.begin(), sameRun);
    if (grew) {
        const QModelIndex below = indexOf(rows.all.back().parent);
        const int row = rowCount(below);
        beginInsertRows(below, row, row);
        m_rows = std::move(rows);
        endInsertRows();
        tellAll();
    } else if (!areOthers
               && std::equal(m_rows.all.begin(), m_rows.all.end(), rows.all.begin(), rows.all.end(), sameRun)) {
        m_rows = std::move(rows);
        tellAll();
    } else {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
}

void RunsModel::tellAll()
{
    for (const Row& row : m_rows.all) {
        const QModelIndex index = indexOf(row.id);
        Q_EMIT dataChanged(index, index);
    }
}

const RunsModel::Row* RunsModel::find(std::optional<int> id) const
{
    const auto found = id ? m_rows.byId.find(*id) : m_rows.byId.end();
    return found == m_rows.byId.end() ? nullptr : &m_rows.all[found->second];
}

const std::vector<int>& RunsModel::children(std::optional<int> parent) const
{
    static const std::vector<int> none;
    const auto found = m_rows.children.find(parent);
    return found == m_rows.children.end() ? none : found->second;
}

QModelIndex RunsModel::indexOf(std::optional<int> run) const
{
    const Row* const row = find(run);
    if (row == nullptr)
        return {};
    return createIndex(row->place, 0, static_cast<quintptr>(row->id));
}

std::optional<int> RunsModel::runAt(const QModelIndex& index)
{
    return index.isValid() ? std::optional(static_cast<int>(index.internalId())) : std::nullopt;
}

QModelIndex RunsModel::index(int row, int column, const QModelIndex& parent) const
{
    const std::vector<int>& ids = children(runAt(parent));
    if (row < 0 || row >= static_cast<int>(ids.size()) || column != 0)
        return {};
    return createIndex(row, 0, static_cast<quintptr>(ids[static_cast<std::size_t>(row)]));
}

QModelIndex RunsModel::parent(const QModelIndex& child) const
{
    const Row* const row = find(runAt(child));
    return row == nullptr ? QModelIndex() : indexOf(row->parent);
}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    return static_cast<int>(children(runAt(parent)).size());
}

int RunsModel::columnCount(const QModelIndex& /*parent*/) const
{
    return 1;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    const Row* const row = find(runAt(index));
    if (row == nullptr)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return row->name;
    case Qt::EditRole:
        return nameToEdit(*row);
    case Qt::ToolTipRole:
        return toolTip(*row);
    case Qt::AccessibleTextRole:
        return accessibleText(*row);
    case IdRole:
        return row->id;
    case OutputRole:
        return m_study.growing() == row->id ? row->output + QStringLiteral(" …") : row->output;
    case LogProbabilityRole:
        return row->logProbability ? QVariant(*row->logProbability) : QVariant();
    case NoteRole:
        return row->note;
    case ShownRole:
        return m_study.shown() == row->id;
    case AgainstRole:
        return m_study.against() == row->id;
    default:
        return {};
    }
}

// Name as it was typed; the one that is shown spells some characters out.
QString RunsModel::nameToEdit(const Row& row) const
{
    const Run* const run = m_study.runs().find(row.id);
    return run == nullptr || run->change.empty() ? row.name : text(run->change);
}

QString RunsModel::accessibleText(const Row& row) const
{
    QStringList parts{row.name, row.output};
    if (row.logProbability)
        parts << tr("log probability ") + logProbabilityText(*row.logProbability);
    parts << row.note << (m_study.shown() == row.id ? tr("on show") : QString())
          << (m_study.against() == row.id ? tr("compared with") : QString());
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
}

QString RunsModel::toolTip(const Row& row) const
{
    QString tip = QStringLiteral("<qt><b>") + shortened(row.name).toHtmlEscaped() + QStringLiteral("</b>");
    for (const QString& line : {row.output, row.note}) {
        if (!line.isEmpty())
            tip += QStringLiteral("<br>") + shortened(line).toHtmlEscaped();
    }
    if (const Run* const run = m_study.runs().find(row.id); run != nullptr && run->question) {
        for (const std::string& edit : run->question->edits)
            tip +=
                QStringLiteral("<br><code>--edit ") + shortened(text(edit)).toHtmlEscaped() + QStringLiteral("</code>");
    }
    return tip + QStringLiteral("</qt>");
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const auto run = runAt(index);
    if (!run || (role != Qt::EditRole && role != NoteRole))
        return false;
    if (role == Qt::EditRole)
        m_study.rename(*run, value.toString());
    else
        m_study.annotate(*run, value.toString());
    return true;
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable : Qt::NoItemFlags;
}

} // namespace attn::ui
