import type { ReactNode } from 'react';
import { authText } from '../../strings/auth';
import { HeroArt } from './hero-art';
import styles from './hero.module.css';

interface HeroProps {
  name: string;
  tagline: string;
  /** The way in; before the script has come, the place for it. */
  children?: ReactNode;
}

/** Who the community is, beside the way in. Drawn by the build as well: it is what is seen first (app/first-paint.tsx). */
export function Hero({ name, tagline, children }: HeroProps) {
  return (
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
      {children ?? <div className={styles.panelPlace} />}
    </section>
  );
}
