import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { useSession } from '../../features/auth/session';
import { layoutText } from '../../strings/common';
import { MenuIcon } from '../../ui/icons';
import { late } from '../../ui/late';
import { BrandMark } from './brand-mark';
import styles from './header.module.css';
import { navigationFor, SIGN_IN } from './navigation';
import { SchemeToggle } from './scheme-toggle';

const NavigationDrawer = late(() => import('./navigation-drawer'));
const UserMenu = lazy(() => import('../../features/auth/user-menu'));

/** Brand, navigation of the area one is in, administrator's toggle, theme and account menu. */
export function Header() {
  const { name } = useCommunity();
  const { user } = useSession();
  const { pathname } = useLocation();
  const [drawerOpen, setDrawerOpen] = useState(false);
  const navigation = navigationFor(pathname, user);
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link to="/" className={styles.brand}>
          <BrandMark />
          <span className={styles.name}>{name}</span>
        </Link>
        <nav aria-label={navigation.label} className={styles.nav}>
          {navigation.links.map(({ to, label }) => (
            <NavLink key={to} to={to} end className={styles.link}>
              {label}
            </NavLink>
          ))}
        </nav>
        <div className={styles.tools}>
          <SchemeToggle />
          {navigation.toggle && (
            <Link to={navigation.toggle.to} className={styles.toggle}>
              {navigation.toggle.label}
            </Link>
          )}
          {user ? (
            <Suspense fallback={<span className={styles.menuPlace} />}>
              <UserMenu user={user} />
            </Suspense>
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
            onClick={() => setDrawerOpen(true)}
          />
        </div>
      </div>
      {drawerOpen && <NavigationDrawer navigation={navigation} close={() => setDrawerOpen(false)} />}
    </header>
  );
}
