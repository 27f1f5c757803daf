import type { AuditAction, AuditEntry, User } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { adminAuditText as text } from '@meetmark/i18n/texts/admin';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { readPage, withQuery } from '../../../api/pages';
import { FRESHNESS } from '../../../api/query-client';
import { EmptyState } from '../../../ui/feedback';
import { useFilters } from '../../../ui/use-filters';
import { useFormats } from '../../../ui/use-formats';
import { translateName } from '../shared/former-member';
import { AdminHeading } from '../shared/admin-heading';
import { type Column, SelectFilter } from '../shared/list-table';
import { PagedList, usePagination } from '../shared/paged-list';
import toolbar from '../shared/admin.module.css';
import { type AuditFilters, auditPageQuery, firstAuditPath } from './audit.api';
import { Changes } from './changes';

const DEFAULTS: AuditFilters = { subjectId: '', actorId: '', action: '' };
const ACTIONS = Object.keys(text.actions) as AuditAction[];
const CHOICES = { action: ['', ...ACTIONS] } as const;
const ACTION_OPTIONS = { '': text.anyAction, ...text.actions };

export function AuditPage() {
  const formats = useFormats();
  const [filters, changeFilters] = useFilters(DEFAULTS, CHOICES);
  const pagination = usePagination(firstAuditPath(filters));
  const entries = useQuery(auditPageQuery(pagination.path));
  const actors = useActorOptions(filters.actorId, entries.data?.items);
  const filtered = filters.subjectId !== '' || filters.actorId !== '' || filters.action !== '';

  const columns: Column<AuditEntry>[] = [
    {
      key: 'action',
      title: text.action,
      place: 'lead',
      cell: ({ action }) => <span className="strong">{text.actions[action]}</span>,
    },
    {
      key: 'subject',
      title: text.subject,
      cell: ({ subjectName }) => (
        <span className="anywhere">{subjectName === null ? text.none : translateName(subjectName)}</span>
      ),
    },
    {
      key: 'changed',
      title: text.changed,
      cell: (entry) => <Changes entry={entry} />,
    },
    {
      key: 'actor',
      title: text.actor,
      cell: ({ actorId, actorName }) => (
        <Button type="link" className={toolbar.actor} onClick={() => changeFilters({ actorId })}>
          {translateName(actorName)}
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
      <AdminHeading panel="audit" text={text} />
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
      <PagedList
        list={text.list}
        pagination={pagination}
        page={entries}
        columns={columns}
        empty={<EmptyState title={filtered ? text.emptyFiltered : text.empty} />}
      />
    </>
  );
}

function useActorOptions(chosen: string, entries: AuditEntry[] | undefined): Record<string, string> {
  const { data: administrators } = useQuery(administratorsQuery);
  const options: Record<string, string> = { '': text.anyone };
  for (const { id, firstName, lastName } of administrators ?? []) options[id] = `${firstName} ${lastName}`;
  if (!options[chosen])
    options[chosen] = translateName(
      entries?.find(({ actorId }) => actorId === chosen)?.actorName ?? text.someone,
    );
  return options;
}

const administratorsQuery = queryOptions({
  queryKey: ['/api/admin/users', 'administrators'],
  queryFn: async ({ signal }) => {
    const path = withQuery('/api/admin/users', { role: 'admin', sort: 'name', limit: LIMITS.pageSizeMax });
    return (await readPage<User>(path, signal)).items;
  },
  staleTime: FRESHNESS.adminUsers,
  refetchOnMount: true,
});
