import { firstGrapheme } from '@meetmark/contracts/first-grapheme';
import { layoutText } from '@meetmark/i18n/texts/common';
import { Button } from 'antd';
import { useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { useSession } from '../../features/auth/session';
import { MenuIcon, MoonIcon, RefreshIcon, SunIcon } from '../../ui/icons';
import { lazyComponent, lazyDialog, lazyPart, lazyExtra } from '../../ui/lazy';
import { OfflineNotice, useBackOnline } from '../../ui/offline';
import { useSchemeSwitch } from '../theme/theme-provider';
import { Letter, Logo } from './brand-mark';
import styles from './header.module.css';
import { navigationFor, PROPOSALS, SIGN_IN } from './navigation';

export const ProposalCount = lazyExtra(() => import('../../features/admin/proposals/proposal-count'));
const MoreLinks = lazyPart(() => import('./more-links'));
const NavigationDrawer = lazyDialog(() => import('./navigation-drawer'));
const UserMenu = lazyComponent(() => import('../../features/auth/user-menu'), {
  Failed: UserMenuUnavailable,
  waiting: <span className={styles.menuPlace} />,
});

function UserMenuUnavailable({ again }: { again: () => void }) {
  useBackOnline(again);
  return (
    <Button
      type="text"
      shape="circle"
      icon={<RefreshIcon />}
      aria-label={layoutText.userMenuUnavailable}
      onClick={again}
    />
  );
}

const EVENTS = '/admin/events';

export function Header() {
  const community = useCommunity();
  const { user } = useSession();
  const { pathname, key: entry } = useLocation();
  // stores the history entry for which the drawer is open, so that Back closes the drawer
  const [drawerOf, setDrawerOf] = useState<string | null>(null);
  const drawerOpen = drawerOf === entry;
  const navigation = navigationFor(pathname, user, community);
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link to="/" className={styles.brand}>
          {community.logoUrl ? (
            <Logo src={community.logoUrl} />
          ) : (
            <Letter>{firstGrapheme(community.name)}</Letter>
          )}
          <span className={styles.name}>{community.name}</span>
        </Link>
        <nav aria-label={navigation.label} className={styles.nav}>
          {navigation.links.map(({ to, label }) => (
            <NavLink key={to} to={to} end={to !== EVENTS} className={styles.link}>
              {label}
              {to === PROPOSALS && <ProposalCount />}
            </NavLink>
          ))}
          {navigation.more && <MoreLinks links={navigation.more} />}
        </nav>
        <div className={styles.tools}>
          <SchemeToggle />
          {navigation.toggle && (
            <Link to={navigation.toggle.to} className={styles.toggle}>
              {navigation.toggle.label}
            </Link>
          )}
          {user ? (
            <UserMenu user={user} />
          ) : (
            <Link to={SIGN_IN.to} className={styles.toggle}>
              {SIGN_IN.label}
            </Link>
          )}
          <Button
            type="text"
            className={styles.burger}
            icon={<MenuIcon />}
            aria-label={layoutText.openMenu}
            aria-expanded={drawerOpen}
            onClick={() => setDrawerOf(entry)}
          />
        </div>
      </div>
      <OfflineNotice announced />
      {drawerOpen && <NavigationDrawer navigation={navigation} close={() => setDrawerOf(null)} />}
    </header>
  );
}

function SchemeToggle() {
  const { scheme, choose } = useSchemeSwitch();
  const dark = scheme === 'dark';
  return (
    <Button
      type="text"
      shape="circle"
      icon={dark ? <SunIcon /> : <MoonIcon />}
      aria-label={dark ? layoutText.switchToLight : layoutText.switchToDark}
      onClick={() => choose(dark ? 'light' : 'dark')}
    />
  );
}
