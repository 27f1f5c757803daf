import type { Import } from '@meetmark/contracts';
import { importsText as text } from '@meetmark/i18n/texts/imports';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState } from '../../../ui/feedback';
import { Badge, type BadgeTone } from '../../../ui/marks';
import { useFormats } from '../../../ui/use-formats';
import { type Column, SelectFilter } from '../shared/list-table';
import { PagedList, usePagination } from '../shared/paged-list';
import { firstRowsPath, type ListedRow, type RowsFilter, rowsPageQuery } from './imports.api';
import styles from './imports.module.css';

const TONES: Record<ListedRow['verdict'] | NonNullable<ListedRow['outcome']>, BadgeTone> = {
  new: 'good',
  changed: 'accent',
  unchanged: 'quiet',
  problem: 'bad',
  created: 'good',
  updated: 'accent',
  undone: 'quiet',
  kept: 'warm',
};

const FILTERS: Record<keyof typeof text.filters, RowsFilter> = {
  all: {},
  new: { verdict: 'new' },
  changed: { verdict: 'changed' },
  unchanged: { verdict: 'unchanged' },
  problem: { verdict: 'problem' },
  kept: { outcome: 'kept' },
};

export function ImportRows({ entry: { id, state } }: { entry: Import }) {
  const [filter, setFilter] = useState<keyof typeof FILTERS>('all');
  const pagination = usePagination(firstRowsPath(id, FILTERS[filter]));
  const page = useQuery({ ...rowsPageQuery(pagination.path), refetchOnMount: 'always' });
  const formats = useFormats();
  const columns: Column<ListedRow>[] = [
    {
      key: 'title',
      title: text.event,
      place: 'lead',
      cell: (row) => (
        <div>
          {row.eventId ? (
            <Link to={`/admin/events/${row.eventId}`} dir="auto">
              {row.title}
            </Link>
          ) : (
            <span dir="auto">{row.title ?? text.untitled}</span>
          )}
          <Remarks row={row} />
        </div>
      ),
    },
    { key: 'number', title: text.row, cell: ({ number }) => formats.count(number) },
    {
      key: 'starts',
      title: text.starts,
      onPhone: true,
      cell: ({ startDate, timeZone }) =>
        startDate === null || Number.isNaN(Date.parse(startDate))
          ? startDate
          : formats.eventMoment({ timeZone, format: 'in_person' }, startDate),
    },
    {
      key: 'verdict',
      title: text.verdict,
      onPhone: true,
      cell: ({ verdict, outcome }) => (
        <Badge tone={TONES[outcome ?? verdict]}>
          {outcome === null ? text.verdicts[verdict] : text.outcomes[outcome]}
        </Badge>
      ),
    },
  ];
  return (
    <div>
      <div className={styles.filter}>
        <SelectFilter label={text.filter} value={filter} options={text.filters} change={setFilter} />
      </div>
      <PagedList
        key={state}
        list={text.rows}
        columns={columns}
        compact
        pagination={pagination}
        page={page}
        empty={<EmptyState title={text.none} />}
      />
    </div>
  );
}

function Remarks({ row: { faults, assumedEnd, repeats } }: { row: ListedRow }) {
  return (
    <>
      {faults.map((fault) => (
        <p key={fault} className={styles.problem}>
          {fault}
        </p>
      ))}
      {repeats && <p className={styles.soft}>{text.repeats}</p>}
      {assumedEnd && <p className={styles.soft}>{text.assumedEnd}</p>}
    </>
  );
}
