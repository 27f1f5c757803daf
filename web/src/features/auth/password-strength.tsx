import { authText } from '../../strings/auth';
import styles from './auth-panel.module.css';

const LEVELS = 4;
/** Bits of a guess-free password from which each further bar lights up. */
const THRESHOLDS = [30, 48, 64];

const CLASSES: [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^a-zA-Z\d]/, 33],
];

/** 0 (easy to guess) to 3 (strong), from length, kinds of characters and repetition. A hint only: nothing is refused (D17). */
export function strengthOf(password: string): number {
  const alphabet = CLASSES.reduce((size, [kind, count]) => size + (kind.test(password) ? count : 0), 0);
  const distinct = new Set(password).size;
  const bits = Math.min(password.length, distinct * 2) * Math.log2(Math.max(alphabet, 1));
  return THRESHOLDS.filter((threshold) => bits >= threshold).length;
}

export function PasswordStrength({ password }: { password: string }) {
  const strength = strengthOf(password);
  if (!password) return <span>{authText.strengthHint}</span>;
  return (
    <span className={styles.strength}>
      <span className={styles.bars} aria-hidden="true">
        {Array.from({ length: LEVELS }, (_, bar) => (
          <i key={bar} data-on={bar <= strength || undefined} />
        ))}
      </span>
      <span>{authText.strength[strength]}</span>
    </span>
  );
}
