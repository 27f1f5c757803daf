import type { AuditAction, AuditEntry } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { adminAuditText as text } from '../../../strings/admin';
import { EmptyState } from '../../../ui/feedback';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { useFilters } from '../../../ui/use-filters';
import { useFormats } from '../../../ui/use-formats';
import { type Column, ListTable } from '../shared/list-table';
import { PagedList } from '../shared/paged-list';
import { SelectFilter } from '../shared/select-filter';
import toolbar from '../shared/toolbar.module.css';
import { usePageWalk } from '../shared/use-page-walk';
import { administratorsQuery, type AuditFilters, auditPageQuery, firstAuditPath } from './audit.api';
import styles from './audit-page.module.css';

const DEFAULTS: AuditFilters = { actorId: '', action: '' };
const ACTIONS = Object.keys(text.actions) as AuditAction[];
const CHOICES = { action: ['', ...ACTIONS] } as const;
const ACTION_OPTIONS = { '': text.anyAction, ...text.actions };

/** The append-only record of what administrators did. */
export function AuditPage() {
  usePageTitle(text.title);
  const formats = useFormats();
  const [filters, changeFilters] = useFilters(DEFAULTS, CHOICES);
  const walk = usePageWalk(firstAuditPath(filters));
  const entries = useQuery(auditPageQuery(walk.path));
  const actors = useActorOptions(filters.actorId, entries.data?.items);
  const filtered = filters.actorId !== '' || filters.action !== '';

  const columns: Column<AuditEntry>[] = [
    {
      key: 'action',
      title: text.action,
      place: 'lead',
      cell: ({ action }) => <span className={styles.action}>{text.actions[action]}</span>,
    },
    {
      key: 'subject',
      title: text.subject,
      cell: ({ subjectName }) => <span className={styles.name}>{subjectName ?? text.none}</span>,
    },
    {
      key: 'changed',
      title: text.changed,
      cell: ({ changed }) => (changed.length === 0 ? text.none : changed.map(inWords).join(', ')),
    },
    {
      key: 'actor',
      title: text.actor,
      cell: ({ actorId, actorName }) => (
        <Button type="link" className={styles.actor} onClick={() => changeFilters({ actorId })}>
          {actorName}
        </Button>
      ),
    },
    {
      key: 'at',
      title: text.at,
      oneLine: true,
      cell: ({ at }) => <time dateTime={at}>{formats.dateTime(at)}</time>,
    },
  ];
  return (
    <>
      <ScreenHeading title={text.title} intro={text.intro} />
      <div className={toolbar.toolbar} role="search">
        <SelectFilter
          label={text.actor}
          value={filters.actorId}
          options={actors}
          change={(actorId) => changeFilters({ actorId })}
        />
        <SelectFilter
          label={text.action}
          value={filters.action}
          options={ACTION_OPTIONS}
          change={(action) => changeFilters({ action })}
        />
        {filtered && <Button onClick={() => changeFilters(DEFAULTS)}>{text.clear}</Button>}
      </div>
      <PagedList list={text.list} walk={walk} page={entries}>
        {(rows, busy) => (
          <ListTable
            caption={text.list}
            columns={columns}
            rows={rows}
            busy={busy}
            empty={<EmptyState title={filtered ? text.emptyFiltered : text.empty} />}
          />
        )}
      </PagedList>
    </>
  );
}

/** Everyone, the administrators, and whoever is chosen: they may be gone or no administrator any more. */
function useActorOptions(chosen: string, entries: AuditEntry[] | undefined): Record<string, string> {
  const { data: administrators } = useQuery(administratorsQuery);
  const options: Record<string, string> = { '': text.anyone };
  for (const { id, firstName, lastName } of administrators ?? []) options[id] = `${firstName} ${lastName}`;
  if (!options[chosen])
    options[chosen] = entries?.find(({ actorId }) => actorId === chosen)?.actorName ?? text.someone;
  return options;
}

/** 'startDate' as 'start date'. */
const inWords = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
