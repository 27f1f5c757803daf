import type { User } from '@meetmark/contracts';
import { adminText, adminUsersText as text } from '@meetmark/i18n/texts/admin';
import { Badge } from '../../../ui/marks';
import { EmptyState } from '../../../ui/feedback';
import { useFormats } from '../../../ui/use-formats';
import { useMember } from '../../auth/session';
import { EditIcon } from '../../../ui/more-icons';
import { type Column, Person, type RowAction, RowActions, RowMenu, useWideRows } from '../shared/list-table';
import { PagedList, type PagedListProps } from '../shared/paged-list';
import type { AccountAction } from './use-user-actions';

interface UsersTableProps extends Pick<PagedListProps<User>, 'pagination' | 'page' | 'selection'> {
  sendResetCode: (user: User) => Promise<void>;
  onEdit: (user: User) => void;
  onShow: (user: User) => void;
  onAsk: (about: AccountAction, user: User) => void;
}

export function UsersTable({ sendResetCode, onEdit, onShow, onAsk, ...list }: UsersTableProps) {
  const formats = useFormats();
  const me = useMember();
  const wide = useWideRows();

  const getActions = (user: User): { inRow: RowAction[]; inMenu: RowAction[] } => {
    const sendCode = { label: text.sendResetCode, run: () => sendResetCode(user) };
    const changeRight = user.isAdmin
      ? { label: text.removeAdmin, run: () => onAsk('demote', user) }
      : { label: text.makeAdmin, run: () => onAsk('promote', user) };
    const resetEmail = { label: text.resetEmail, run: () => onAsk('resetEmail', user) };
    const removeFactors = user.hasSecondFactor
      ? [{ label: text.removeFactors, run: () => onAsk('removeFactors', user) }]
      : [];
    const remove = { label: adminText.delete, danger: true, run: () => onAsk('remove', user) };
    return wide
      ? { inRow: [changeRight, resetEmail, remove], inMenu: [sendCode, ...removeFactors] }
      : { inRow: [], inMenu: [sendCode, changeRight, resetEmail, ...removeFactors, remove] };
  };

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
      phoneLine: 'titled',
      cell: (user) => formats.shortDate(user.createdAt),
    },
    {
      key: 'role',
      title: text.role,
      phoneLine: 'mark',
      cell: (user) => (
        <Badge tone={user.role === 'member' ? 'quiet' : 'good'}>{text.roleNames[user.role]}</Badge>
      ),
    },
    {
      key: 'actions',
      title: adminText.actions,
      place: 'actions',
      cell: (user) => {
        const subject = `${user.firstName} ${user.lastName}`;
        const edit = { label: adminText.edit, icon: <EditIcon />, run: () => onEdit(user) };
        if (user.id === me.id) return <RowActions subject={subject} actions={[edit]} />;
        const { inRow, inMenu } = getActions(user);
        return (
          <RowActions subject={subject} actions={[edit, ...inRow]}>
            <RowMenu subject={subject} actions={inMenu} />
          </RowActions>
        );
      },
    },
  ];
  return (
    <PagedList
      {...list}
      list={text.list}
      columns={columns}
      compact
      getName={({ firstName, lastName }) => `${firstName} ${lastName}`}
      empty={<EmptyState title={text.empty} />}
    />
  );
}
