// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/study.h"

#include <QAbstractItemModel>

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace attn::ui {

// The runs of a study as a tree, one column: each below the one that it came from. A name is edited as Qt::EditRole, a
// note as NoteRole.
class RunsModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Role {
        IdRole = Qt::UserRole,
        OutputRole, // on one line
        LogProbabilityRole, // invalid where there is none
        NoteRole,
        ShownRole, // on show
        AgainstRole, // what the one on show is compared with
    };

    explicit RunsModel(Study& study, QObject* parent = nullptr);

    QModelIndex indexOf(std::optional<int> run) const; // invalid: there is none
    static std::optional<int> runAt(const QModelIndex& index);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    // A run as it was told to the views.
    struct Row
    {
        int id = 0;
        std::optional<int> parent;
        int place = 0; // among those of its parent
        QString name;
        QString note;
        QString output;
        std::optional<double> logProbability;
        const void* trace = nullptr; // what the last two were read from,
        int steps = 0; // as far as it had come
        bool finished = false;
    };

    // Rows by what views ask for them by.
    struct Rows
    {
        std::vector<Row> all; // in the order in which they were made
        std::map<int, std::size_t> byId; // in all
        std::map<std::optional<int>, std::vector<int>> children; // ids, by the parent's

        void add(Row row);
    };

    Rows read() const;
    void refresh();
    void tellAll();
    const Row* find(std::optional<int> id) const;
    const std::vector<int>& children(std::optional<int> parent) const;
    QString nameToEdit(const Row& row) const;
    QString accessibleText(const Row& row) const;
    QString toolTip(const Row& row) const;

    Study& m_study;
    Rows m_rows;
    quint64 m_session = 0; // whose runs they are
};

} // namespace attn::ui
