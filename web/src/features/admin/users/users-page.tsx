import type { User } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useCallback, useState } from 'react';
import { adminUsersText as text } from '../../../strings/admin-users';
import { Choice, optionsOf } from '../../../ui/choice';
import { PlusIcon } from '../../../ui/icons';
import { usePageTitle } from '../../../ui/page-title';
import { ScreenHeading } from '../../../ui/screen-heading';
import { DeleteDialog } from '../shared/delete-dialog';
import { PagedList } from '../shared/paged-list';
import { SearchBox } from '../shared/search-box';
import { SelectFilter } from '../shared/select-filter';
import toolbar from '../shared/toolbar.module.css';
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
const ROLE_OPTIONS = optionsOf(text.roles);

export function UsersPage() {
  usePageTitle(text.title);
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
      <ScreenHeading title={text.title} intro={text.intro}>
        <ExportUsersButton />
        <Button type="primary" icon={<PlusIcon size={18} />} onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      </ScreenHeading>
      <div className={toolbar.toolbar} role="search">
        <SearchBox label={text.searchHint} value={filters.q} onSearch={search} />
        <Choice
          label={text.role}
          value={filters.role}
          options={ROLE_OPTIONS}
          change={(role) => changeFilters({ role })}
        />
        <SelectFilter
          label={text.sort}
          value={filters.sort}
          options={text.sorts}
          change={(sort) => changeFilters({ sort })}
        />
      </div>
      <PagedList list={text.list} walk={walk} page={users}>
        {(rows, busy) => (
          <UsersTable users={rows} busy={busy} actions={actions} onEdit={setEdited} onDelete={setDoomed} />
        )}
      </PagedList>

      {adding && <AddUserDialog close={() => setAdding(false)} />}
      {edited && <EditUserDialog user={edited} close={() => setEdited(null)} />}
      {doomed && (
        <DeleteDialog
          title={text.deleteTitle}
          question={text.deleteQuestion(`${doomed.firstName} ${doomed.lastName}`, doomed.email)}
          warning={text.deleteWarning}
          confirm={text.deleteConfirm}
          onConfirm={() => void actions.remove(doomed)}
          close={() => setDoomed(null)}
        />
      )}
    </>
  );
}
