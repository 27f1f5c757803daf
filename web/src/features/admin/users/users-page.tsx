import type { User } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useCallback, useState } from 'react';
import { adminUsersText as text } from '../../../strings/admin';
import { ErrorState } from '../../../ui/error-state';
import { PlusIcon } from '../../../ui/icons';
import { Choice } from '../shared/choice';
import { DeleteDialog } from '../shared/delete-dialog';
import { PageHeading } from '../shared/page-heading';
import { Pager } from '../shared/pager';
import { SearchBox } from '../shared/search-box';
import toolbar from '../shared/toolbar.module.css';
import { useCounts } from '../shared/use-counts';
import { useFilters } from '../shared/use-filters';
import { usePageWalk } from '../shared/use-page-walk';
import { AddUserDialog } from './add-user-dialog';
import { EditUserDialog } from './edit-user-dialog';
import { ExportUsersButton } from './export-users-button';
import { useUserActions } from './use-user-actions';
import { firstUsersPath, type UserFilters, type UserSort, usersPageQuery } from './users.api';
import { UsersTable } from './users-table';

const DEFAULTS: UserFilters = { q: '', role: 'all', sort: '-createdAt' };
const CHOICES = {
  role: ['all', 'admin', 'user'],
  sort: Object.keys(text.sorts) as UserSort[],
} as const;

export function UsersPage() {
  const count = useCounts();
  const [filters, changeFilters] = useFilters(DEFAULTS, CHOICES);
  const walk = usePageWalk(firstUsersPath(filters));
  const users = useQuery(usersPageQuery(walk.path));
  const actions = useUserActions();
  const [adding, setAdding] = useState(false);
  const [edited, setEdited] = useState<User | null>(null);
  const [doomed, setDoomed] = useState<User | null>(null);
  const search = useCallback((q: string) => changeFilters({ q }), [changeFilters]);

  return (
    <>
      <PageHeading title={text.title} lead={users.data && text.lead(count(users.data.total))}>
        <ExportUsersButton />
        <Button type="primary" icon={<PlusIcon size={18} />} onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      </PageHeading>
      <div className={toolbar.toolbar} role="search">
        <SearchBox label={text.searchHint} value={filters.q} onSearch={search} />
        <Choice
          label={text.role}
          value={filters.role}
          options={text.roles}
          onChange={(role) => changeFilters({ role })}
        />
        <Choice
          label={text.sort}
          value={filters.sort}
          options={text.sorts}
          onChange={(sort) => changeFilters({ sort })}
        />
      </div>
      {users.isError && !users.data ? (
        <ErrorState error={users.error} retry={() => void users.refetch()} />
      ) : (
        <UsersTable
          users={users.data?.items}
          busy={users.isPlaceholderData}
          actions={actions}
          onEdit={setEdited}
          onDelete={setDoomed}
        />
      )}
      {users.data && <Pager list={text.list} walk={walk} data={users.data} />}

      <AddUserDialog open={adding} onClose={() => setAdding(false)} />
      <EditUserDialog user={edited} onClose={() => setEdited(null)} />
      <DeleteDialog
        subject={doomed}
        title={text.deleteTitle}
        question={(user) => text.deleteQuestion(`${user.firstName} ${user.lastName}`, user.email)}
        warning={() => text.deleteWarning}
        confirm={text.deleteConfirm}
        onConfirm={(user) => void actions.remove(user)}
        onClose={() => setDoomed(null)}
      />
    </>
  );
}
