import styles from './card-skeletons.module.css';

const PLACES = 6;

export function CardSkeletons({ className }: { className?: string }) {
  return (
    <div className={className} aria-hidden="true">
      {Array.from({ length: PLACES }, (_, place) => (
        <div key={place} className={styles.card}>
          <div className={styles.picture} />
          <div className={styles.lines}>
            <i />
            <i />
            <i />
            <i />
          </div>
        </div>
      ))}
    </div>
  );
}
