import { layoutText } from '@meetmark/contracts/texts/common';
import { NavLink } from 'react-router-dom';
import { useSession } from '../../features/auth/session';
import { Sheet } from '../../ui/sheet';
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
  const known = new Set(navigation.links.map(({ to }) => to));
  const links = [
    ...navigation.links,
    ...furtherLinks(user).filter(({ to }) => !known.has(to)),
    ...(navigation.toggle ? [navigation.toggle] : []),
    ...(user ? [] : [SIGN_IN]),
  ];
  return (
    <Sheet title={layoutText.menu} size={320} className={styles.drawer} close={close}>
      {(leave) => (
        <nav aria-label={navigation.label} className={styles.drawerNav}>
          {links.map(({ to, label }) => (
            <NavLink key={to} to={to} end className={styles.drawerLink} onClick={leave}>
              {label}
              {to === PROPOSALS && <ProposalCount />}
            </NavLink>
          ))}
        </nav>
      )}
    </Sheet>
  );
}
