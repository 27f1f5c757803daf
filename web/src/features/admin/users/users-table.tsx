import type { User } from '@meetmark/contracts';
import { adminText, adminUsersText as text } from '../../../strings/admin';
import { Badge } from '../../../ui/marks';
import { EmptyState } from '../../../ui/feedback';
import { useFormats } from '../../../ui/use-formats';
import { useMember } from '../../auth/session';
import { type Column, ListTable, Person, type RowAction, RowActions } from '../shared/list-table';
import type { AccountAction } from './use-user-actions';

interface UsersTableProps {
  users: User[] | undefined;
  busy: boolean;
  sendResetCode: (user: User) => Promise<void>;
  onEdit: (user: User) => void;
  /** Asks before the account is changed. */
  onAsk: (about: AccountAction, user: User) => void;
}

export function UsersTable({ users, busy, sendResetCode, onEdit, onAsk }: UsersTableProps) {
  const formats = useFormats();
  const me = useMember();

  const actionsFor = (user: User): RowAction[] => {
    const edit = { label: adminText.edit, run: () => onEdit(user) };
    if (user.id === me.id) return [edit];
    return [
      { label: text.sendResetCode, run: () => sendResetCode(user) },
      user.isAdmin
        ? { label: text.removeAdmin, run: () => onAsk('demote', user) }
        : { label: text.makeAdmin, run: () => onAsk('promote', user) },
      { label: text.resetEmail, run: () => onAsk('resetEmail', user) },
      ...(user.hasSecondFactor
        ? [{ label: text.removeFactors, run: () => onAsk('removeFactors', user) }]
        : []),
      edit,
      { label: adminText.delete, danger: true, run: () => onAsk('remove', user) },
    ];
  };

  const columns: Column<User>[] = [
    {
      key: 'user',
      title: text.user,
      place: 'lead',
      cell: (user) => (
        <Person person={user}>{user.id === me.id && <Badge tone="quiet">{text.you}</Badge>}</Person>
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
      cell: (user) =>
        user.isAdmin ? <Badge tone="good">{text.admin}</Badge> : <Badge tone="quiet">{text.user}</Badge>,
    },
    {
      key: 'actions',
      title: adminText.actions,
      place: 'actions',
      cell: (user) => (
        <RowActions subject={`${user.firstName} ${user.lastName}`} actions={actionsFor(user)} />
      ),
    },
  ];
  return (
    <ListTable
      caption={text.list}
      columns={columns}
      rows={users}
      busy={busy}
      empty={<EmptyState title={text.empty} />}
    />
  );
}
