import type { User } from '@meetmark/contracts';
import { adminText, adminUsersText as text } from '../../../strings/admin';
import { Badge } from '../../../ui/marks';
import { EmptyState } from '../../../ui/feedback';
import { useFormats } from '../../../ui/use-formats';
import { useMember } from '../../auth/session';
import { EditIcon } from '../../../ui/icons';
import { type Column, Person, type RowAction, RowActions, RowMenu } from '../shared/list-table';
import { PagedList, type PagedListProps } from '../shared/paged-list';
import type { AccountAction } from './use-user-actions';

interface UsersTableProps extends Pick<PagedListProps<User>, 'pagination' | 'page' | 'selection'> {
  sendResetCode: (user: User) => Promise<void>;
  onEdit: (user: User) => void;
  onShow: (user: User) => void;
  /** Asks before the account is changed. */
  onAsk: (about: AccountAction, user: User) => void;
}

export function UsersTable({ sendResetCode, onEdit, onShow, onAsk, ...list }: UsersTableProps) {
  const formats = useFormats();
  const me = useMember();

  const seldom = (user: User): RowAction[] => [
    { label: text.sendResetCode, run: () => sendResetCode(user) },
    user.isAdmin
      ? { label: text.removeAdmin, run: () => onAsk('demote', user) }
      : { label: text.makeAdmin, run: () => onAsk('promote', user) },
    { label: text.resetEmail, run: () => onAsk('resetEmail', user) },
    ...(user.hasSecondFactor ? [{ label: text.removeFactors, run: () => onAsk('removeFactors', user) }] : []),
    { label: adminText.delete, danger: true, run: () => onAsk('remove', user) },
  ];

  const columns: Column<User>[] = [
    {
      key: 'user',
      title: text.user,
      place: 'lead',
      cell: (user) => (
        <Person person={user} show={() => onShow(user)}>
          {user.id === me.id && <Badge tone="quiet">{text.you}</Badge>}
        </Person>
      ),
    },
    {
      key: 'joined',
      title: text.joined,
      oneLine: true,
      cell: (user) => formats.shortDate(user.createdAt),
    },
    {
      key: 'role',
      title: text.role,
      cell: (user) => (
        <Badge tone={user.role === 'member' ? 'quiet' : 'good'}>{text.roleNames[user.role]}</Badge>
      ),
    },
    {
      key: 'actions',
      title: adminText.actions,
      place: 'actions',
      cell: (user) => (
        <RowActions
          subject={`${user.firstName} ${user.lastName}`}
          actions={[{ label: adminText.edit, icon: <EditIcon />, run: () => onEdit(user) }]}
        >
          {user.id !== me.id && (
            <RowMenu subject={`${user.firstName} ${user.lastName}`} actions={seldom(user)} />
          )}
        </RowActions>
      ),
    },
  ];
  return (
    <PagedList
      {...list}
      list={text.list}
      columns={columns}
      compact
      nameOf={({ firstName, lastName }) => `${firstName} ${lastName}`}
      empty={<EmptyState title={text.empty} />}
    />
  );
}
