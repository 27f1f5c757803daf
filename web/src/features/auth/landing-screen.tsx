import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { authText } from '../../strings/auth';
import { usePageTitle } from '../../ui/page-title';
import { BrowseEvents } from '../events/browse-events';
import { AuthPanel } from './auth-panel';
import { HeroArt } from './hero-art';
import styles from './landing-screen.module.css';

/** What a visitor meets: who the community is, the way in, and the public events (D6). */
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
      <section className={styles.hero}>
        <HeroArt />
        <div className={styles.words}>
          <p className={styles.name}>{name}</p>
          <h1>{authText.heroTitle}</h1>
          <p className={styles.tagline}>{tagline}</p>
          <a href="#events" className={styles.jump}>
            {authText.browseEvents}
          </a>
        </div>
        <div ref={panel} className={styles.panel}>
          <AuthPanel />
        </div>
      </section>
      <div id="events" className={styles.events}>
        <BrowseEvents heading="h2" />
      </div>
    </>
  );
}
