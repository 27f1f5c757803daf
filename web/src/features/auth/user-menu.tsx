import type { User } from '@meetmark/contracts';
import { accountMenuText } from '@meetmark/i18n/texts/account';
import { layoutText } from '@meetmark/i18n/texts/common';
import { Button, Dropdown, type MenuProps } from 'antd';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Avatar } from '../../ui/marks';
import { CalendarIcon } from '../../ui/icons';
import { KeyIcon, SignOutIcon, UserIcon } from '../../ui/more-icons';
import { lazyDialog } from '../../ui/lazy';
import { giveFocusBack, keepFocus } from '../../ui/more-menu';
import { useOnce } from '../../ui/action-button';
import { HelpIcon } from '../help/help-icon';
import { useSignOut } from './auth.api';
import styles from './account.module.css';

const ChangePasswordDialog = lazyDialog(() => import('./change-password-dialog'));

/** Puts the menu in the header, so that assistive technology finds it next to its button. */
const besideTrigger = (trigger: HTMLElement) => trigger.parentElement ?? document.body;

export default function UserMenu({ user }: { user: User }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const isOpen = useRef(false);
  const [changingPassword, setChangingPassword] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const signOut = useOnce(useSignOut());
  const items: MenuProps['items'] = [
    {
      key: 'who',
      type: 'group',
      label: (
        <span className={styles.who}>
          <strong>
            {user.firstName} {user.lastName}
          </strong>
          {user.email}
        </span>
      ),
    },
    { type: 'divider' },
    {
      key: 'dashboard',
      icon: <CalendarIcon />,
      label: layoutText.dashboard,
      onClick: () => void navigate('/dashboard'),
    },
    {
      key: 'profile',
      icon: <UserIcon />,
      label: accountMenuText.profileSettings,
      onClick: () => void navigate('/profile'),
    },
    {
      key: 'password',
      icon: <KeyIcon />,
      label: accountMenuText.changePassword,
      onClick: () => setChangingPassword(true),
    },
    {
      key: 'help',
      icon: <HelpIcon />,
      label: accountMenuText.help,
      onClick: () => void navigate('/help'),
    },
    { key: 'out', icon: <SignOutIcon />, label: accountMenuText.signOut, onClick: () => signOut() },
  ];
  return (
    <>
      <Dropdown
        menu={{ items, onFocus: (event) => isOpen.current || keepFocus(event, trigger.current) }}
        trigger={['click']}
        open={open}
        onOpenChange={(next) => {
          isOpen.current = next;
          setOpen(next);
          if (!next) giveFocusBack(trigger.current);
        }}
        autoFocus
        placement="bottomRight"
        classNames={{ root: styles.menu }}
        getPopupContainer={besideTrigger}
      >
        <Button
          ref={trigger}
          type="text"
          shape="circle"
          className={styles.avatar}
          aria-haspopup="menu"
          aria-expanded={open}
        >
          <Avatar person={user} size={38} />
          <span className="visually-hidden">
            {layoutText.userMenu({ name: `${user.firstName} ${user.lastName}` })}
          </span>
        </Button>
      </Dropdown>
      {changingPassword && (
        <ChangePasswordDialog
          close={() => {
            setChangingPassword(false);
            trigger.current?.focus();
          }}
        />
      )}
    </>
  );
}
