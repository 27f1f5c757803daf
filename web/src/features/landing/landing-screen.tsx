import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { usePageTitle } from '../../ui/screen-heading';
import { BrowseEvents } from '../events/browse-events';
import { AuthPanel } from '../auth/auth-panel';
import { Hero } from './hero';
import styles from './hero.module.css';

/** The screen of a visitor: the community, signing in, and the public events. */
export default function LandingScreen() {
  usePageTitle();
  const { name, tagline } = useCommunity();
  const [search] = useSearchParams();
  const panel = useRef<HTMLDivElement>(null);
  const wantsIn = search.has('signin');

  useEffect(() => {
    if (wantsIn) panel.current?.querySelector<HTMLInputElement>('input[type="email"]')?.focus();
  }, [wantsIn]);

  return (
    <>
      <Hero name={name} tagline={tagline}>
        <div ref={panel} className={styles.panel}>
          <AuthPanel />
        </div>
      </Hero>
      <div id="events" className={styles.events}>
        <BrowseEvents heading="h2" />
      </div>
    </>
  );
}
