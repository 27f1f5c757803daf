import type { User } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useCallback, useState } from 'react';
import { adminUsersText as text } from '../../../strings/admin';
import { Choice, optionsOf } from '../../../ui/choice';
import { PlusIcon } from '../../../ui/icons';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { SearchBox } from '../../../ui/search-box';
import { useFilters } from '../../../ui/use-filters';
import { ConfirmDialog } from '../shared/confirm-dialog';
import { PagedList, usePageWalk } from '../shared/paged-list';
import { SelectFilter } from '../shared/select-filter';
import toolbar from '../shared/admin.module.css';
import { AddUserDialog } from './add-user-dialog';
import { EditUserDialog } from './edit-user-dialog';
import { ExportUsersButton } from './export-users-button';
import { type AccountAction, useUserActions } from './use-user-actions';
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
  const [asked, setAsked] = useState<{ user: User; about: AccountAction } | null>(null);
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
        <SearchBox
          className={toolbar.search}
          label={text.searchHint}
          placeholder={text.searchHint}
          value={filters.q}
          onSearch={search}
        />
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
          <UsersTable
            users={rows}
            busy={busy}
            onEdit={setEdited}
            onAsk={(about, user) => setAsked({ about, user })}
            sendResetCode={actions.sendResetCode}
          />
        )}
      </PagedList>

      {adding && <AddUserDialog close={() => setAdding(false)} />}
      {edited && <EditUserDialog user={edited} close={() => setEdited(null)} />}
      {asked && (
        <ConfirmDialog
          {...text.questions[asked.about](asked.user)}
          danger={asked.about === 'remove'}
          onConfirm={() => void actions[asked.about](asked.user)}
          close={() => setAsked(null)}
        />
      )}
    </>
  );
}
