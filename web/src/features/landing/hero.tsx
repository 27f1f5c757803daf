import { authText } from '@meetmark/i18n/texts/auth';
import type { MouseEvent, ReactNode } from 'react';
import type { AuthMode } from '../auth/auth-panel';
import styles from './hero.module.css';

interface HeroProps {
  name: string;
  headline: string;
  tagline: string;
  coming?: string;
  art?: ReactNode;
  /** With 'button', even wide screens show sign-in buttons instead of the panel. */
  ways?: string;
  next?: ReactNode;
  enter?: (event: MouseEvent, mode: AuthMode) => void;
  /**
   * The sign-in panel. Null if the panel opens as a sheet. Undefined until the script is loaded, which shows
   * a placeholder.
   */
  children?: ReactNode;
}

const WAYS_IN: { mode: AuthMode; href: string; label: string }[] = [
  { mode: 'signup', href: '/?signup=1', label: authText.signUpTab },
  { mode: 'login', href: '/?signin=1', label: authText.signIn },
];

export const getSignInWays = (signInButton: boolean) => (signInButton ? 'button' : 'panel');

export function Hero({
  name,
  headline,
  tagline,
  coming = authText.browseEvents,
  art = <HeroArt />,
  ways,
  next,
  enter,
  children,
}: HeroProps) {
  return (
    <section className={styles.hero} data-ways={ways}>
      {art}
      <div className={styles.words}>
        <p className={styles.name}>{name}</p>
        <h1>{headline}</h1>
        <p className={styles.tagline}>{tagline}</p>
        <p className={styles.ways}>
          <a href="#events" className={styles.jump}>
            {coming}
          </a>
          {!children && (
            <span className={styles.waysIn}>
              {WAYS_IN.map(({ mode, href, label }) => (
                <a
                  key={mode}
                  href={href}
                  className={styles.enter}
                  onClick={enter && ((event) => enter(event, mode))}
                  aria-haspopup={enter && 'dialog'}
                >
                  {label}
                </a>
              ))}
            </span>
          )}
        </p>
        {next}
      </div>
      {children === undefined ? <div className={styles.panelPlace} /> : children}
    </section>
  );
}

export const HeroPhoto = ({ src }: { src: string }) => (
  <img className={styles.photo} src={src} alt="" fetchPriority="high" />
);

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
