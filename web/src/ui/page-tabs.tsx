import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import styles from './page-tabs.module.css';

interface PageTabsProps {
  label: string;
  tabs: readonly { to: string; label: string }[];
}

export function PageTabs({ label, tabs }: PageTabsProps) {
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  return (
    <nav ref={row} aria-label={label} className={styles.tabs}>
      {tabs.map(({ to, label: words }) => (
        <NavLink key={to} to={to} end preventScrollReset>
          {words}
        </NavLink>
      ))}
    </nav>
  );
}
