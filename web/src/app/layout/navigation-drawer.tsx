import { Drawer } from 'antd';
import { useState } from 'react';
import { NavLink } from 'react-router-dom';
import { useSession } from '../../features/auth/session';
import { commonText, layoutText } from '../../strings/common';
import { ProposalCount } from './header';
import { furtherLinks, type Navigation, PROPOSALS, SIGN_IN } from './navigation';
import styles from './header.module.css';

/** The navigation on a phone. */
export default function NavigationDrawer({
  navigation,
  close,
}: {
  navigation: Navigation;
  close: () => void;
}) {
  const { user } = useSession();
  const [open, setOpen] = useState(true);
  const leave = () => setOpen(false);
  const known = new Set(navigation.links.map(({ to }) => to));
  const links = [
    ...navigation.links,
    ...furtherLinks(user).filter(({ to }) => !known.has(to)),
    ...(navigation.toggle ? [navigation.toggle] : []),
    ...(user ? [] : [SIGN_IN]),
  ];
  return (
    <Drawer
      open={open}
      title={layoutText.menu}
      placement="right"
      size={320}
      closable={{ 'aria-label': commonText.close }}
      onClose={leave}
      // Only then is the focus back at the button that opened it.
      afterOpenChange={(isOpen) => isOpen || close()}
      className={styles.drawer}
    >
      <nav aria-label={navigation.label} className={styles.drawerNav}>
        {links.map(({ to, label }) => (
          <NavLink key={to} to={to} end className={styles.drawerLink} onClick={leave}>
            {label}
            {to === PROPOSALS && <ProposalCount />}
          </NavLink>
        ))}
      </nav>
    </Drawer>
  );
}
