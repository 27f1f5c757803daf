import styles from './hero.module.css';

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
