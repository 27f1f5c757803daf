import { layoutText } from '@meetmark/i18n/texts/common';
import { useId } from 'react';
import { NavLink } from 'react-router-dom';
import { useSession } from '../../features/auth/session';
import { Sheet } from '../../ui/sheet';
import { ProposalCount } from './header';
import { HELP, type Navigation, type NavigationLink, PROPOSALS, SIGN_IN } from './navigation';
import styles from './header.module.css';

export default function NavigationDrawer({
  navigation,
  close,
}: {
  navigation: Navigation;
  close: () => void;
}) {
  const { user } = useSession();
  const moreId = useId();
  const { label, links, more, toggle } = navigation;
  const last = [...(toggle ? [toggle] : []), ...(user ? [] : [HELP, SIGN_IN])];
  return (
    <Sheet title={layoutText.menu} size={320} className={styles.drawer} close={close}>
      {(leave) => {
        const entry = ({ to, label: words }: NavigationLink) => (
          <NavLink key={to} to={to} end className={styles.drawerLink} onClick={leave}>
            {words}
            {to === PROPOSALS && <ProposalCount />}
          </NavLink>
        );
        return (
          <nav aria-label={label} className={styles.drawerNav}>
            {links.map(entry)}
            {more && (
              <div role="group" aria-labelledby={moreId} className={styles.drawerMore}>
                <p id={moreId}>{layoutText.more}</p>
                {more.map(entry)}
              </div>
            )}
            {last.map(entry)}
          </nav>
        );
      }}
    </Sheet>
  );
}
