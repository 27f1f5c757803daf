import styles from './header.module.css';

export const Letter = ({ children }: { children?: string }) => (
  <span className={styles.mark} aria-hidden="true">
    {children}
  </span>
);

export const Logo = ({ src }: { src: string }) => (
  <img className={styles.logo} src={src} alt="" height={34} />
);
