import type { ReactNode } from 'react';
import { authText } from '../../strings/auth';
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

/** Circles that meet, as in the brand's mark: the landing page's only ornament. */
export function HeroArt() {
  return (
    <svg
      className={styles.art}
      viewBox="0 0 1200 640"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <circle cx="1010" cy="90" r="250" className={styles.sun} />
      <circle cx="1200" cy="330" r="250" className={styles.coral} />
      <g className={styles.rings}>
        <circle cx="90" cy="640" r="120" />
        <circle cx="90" cy="640" r="190" />
        <circle cx="90" cy="640" r="260" />
        <circle cx="90" cy="640" r="330" />
      </g>
    </svg>
  );
}
