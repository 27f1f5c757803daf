import type { User } from '@meetmark/contracts';
import { adminText, adminUsersText as text } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useCommunity } from '../../../api/community';
import { userQuestion } from '../../../strings/admin';
import { ActionButton } from '../../../ui/action-button';
import { Choice, toOptions } from '../../../ui/choice';
import { DownloadIcon, PlusIcon } from '../../../ui/more-icons';
import { useToasts } from '../../../ui/toasts';
import { useFilters } from '../../../ui/use-filters';
import { useFailure } from '../../auth/session';
import { AdminHeading } from '../shared/admin-heading';
import { ConfirmDialog } from '../shared/confirm-dialog';
import { fileDate, saveCsv, toCsv } from '../shared/csv';
import { usePagination } from '../shared/paged-list';
import { SelectionBar, useSelection } from '../shared/selection';
import { ListToolbar, SelectFilter } from '../shared/list-table';
import { type AccountAction, useUserActions } from './use-user-actions';
import { AddUserDialog, EditUserDialog } from './user-dialogs';
import { UserDrawer } from './user-drawer';
import { UsersTable } from './users-table';
import { firstUsersPath, useExportUsers, type UserFilters, type UserSort, usersPageQuery } from './users.api';

const DEFAULTS: UserFilters = { q: '', role: 'all', sort: '-createdAt' };
const CHOICES = {
  role: ['all', 'admin', 'organiser', 'user'],
  sort: Object.keys(text.sorts) as UserSort[],
} as const;
const ROLE_OPTIONS = toOptions(text.roles);

export function UsersPage() {
  const [filters, changeFilters] = useFilters(DEFAULTS, CHOICES);
  const pagination = usePagination(firstUsersPath(filters));
  const users = useQuery(usersPageQuery(pagination.path));
  const actions = useUserActions();
  const selection = useSelection<User>();
  const [adding, setAdding] = useState(false);
  const [edited, setEdited] = useState<User | null>(null);
  const [shown, setShown] = useState<User | null>(null);
  const [asked, setAsked] = useState<{ user: User; about: AccountAction } | null>(null);

  return (
    <>
      <AdminHeading panel="users" text={text}>
        <ExportUsersButton label={text.export} users={filters} />
        <Button type="primary" icon={<PlusIcon size={18} />} onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      </AdminHeading>
      <ListToolbar hint={text.searchHint} q={filters.q} change={changeFilters}>
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
      </ListToolbar>
      <UsersTable
        pagination={pagination}
        page={users}
        selection={selection}
        onEdit={setEdited}
        onShow={setShown}
        onAsk={(about, user) => setAsked({ about, user })}
        sendResetCode={actions.sendResetCode}
      />

      <SelectionBar list={text.list} selection={selection}>
        <ExportUsersButton label={adminText.exportSelected} users={selection.rows} />
      </SelectionBar>
      {shown && <UserDrawer user={shown} close={() => setShown(null)} />}
      {adding && <AddUserDialog close={() => setAdding(false)} />}
      {edited && <EditUserDialog user={edited} close={() => setEdited(null)} />}
      {asked && (
        <ConfirmDialog
          {...userQuestion(asked.about, asked.user)}
          danger={asked.about === 'remove'}
          alternative={
            asked.about === 'resetEmail'
              ? { label: text.resetCodeInstead, act: () => void actions.sendResetCode(asked.user) }
              : undefined
          }
          onConfirm={() => void actions[asked.about](asked.user)}
          close={() => setAsked(null)}
        />
      )}
    </>
  );
}

function ExportUsersButton({ label, users }: { label: string; users: User[] | UserFilters }) {
  const { locale } = useCommunity();
  const toasts = useToasts();
  const failed = useFailure();
  const exporting = useExportUsers();
  const run = () =>
    exporting.mutate(users, {
      onSuccess: (found) => {
        if (found.length === 0) return toasts.info(text.noData, text.noneToExport);
        saveCsv(`users-export-${fileDate()}.csv`, usersCsv(found, locale));
        toasts.success(commonText.success, text.exported);
      },
      onError: (error) => failed(error, text.exportFailed),
    });
  return (
    <ActionButton icon={<DownloadIcon size={18} />} loading={exporting.isPending} onClick={run}>
      {label}
    </ActionButton>
  );
}

const { csv: words } = text;

export const usersCsv = (users: User[], locale: string): string =>
  toCsv(
    users.map((user) => ({
      [words.id]: user.id,
      [words.email]: user.email,
      [words.firstName]: user.firstName,
      [words.lastName]: user.lastName,
      [words.admin]: user.isAdmin ? words.yes : words.no,
      [words.createdAt]: new Date(user.createdAt).toLocaleDateString(locale),
    })),
    locale,
  );
