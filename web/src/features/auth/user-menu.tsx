import type { User } from '@meetmark/contracts';
import { accountMenuText } from '@meetmark/contracts/texts/account';
import { layoutText } from '@meetmark/contracts/texts/common';
import { Button, Dropdown, type MenuProps } from 'antd';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Avatar } from '../../ui/marks';
import { CalendarIcon, icon, KeyIcon, SignOutIcon, UserIcon } from '../../ui/icons';
import { lazyDialog } from '../../ui/lazy';
import { giveFocusBack, keepFocus } from '../../ui/more-menu';
import { useOnce } from '../../ui/action-button';
import { useSignOut } from './auth.api';
import styles from './account.module.css';

const ChangePasswordDialog = lazyDialog(() => import('./change-password-dialog'));

// here, and not in the set that every page carries
const HelpIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M9.7 9.6a2.4 2.4 0 1 1 3.3 2.3c-.7.3-1 .8-1 1.6M12 16.6h.01" />
  </>,
);

/** Inside the header, so that assistive technology finds the menu where the button is. */
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
      // pages beside the application (web/scripts/handbook.ts)
      onClick: () => window.location.assign('/help'),
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
            // What had the focus before the dialog is an item of the menu, which is closed by now.
            trigger.current?.focus();
          }}
        />
      )}
    </>
  );
}
