import type { ProcessStatus } from '@meetmark/contracts';
import { adminSystemText as text } from '../../../strings/admin';
import { Badge } from '../../../ui/marks';
import styles from './system-page.module.css';

export function ProcessList({ processes }: { processes: ProcessStatus[] }) {
  return (
    <ul className={styles.processes}>
      {processes.map(({ name, replicas }) => (
        <li key={name} className={styles.process}>
          <div>
            <p className={styles.name}>{name}</p>
            <p className={styles.soft}>{text.replicas(replicas)}</p>
          </div>
          {replicas > 0 ? (
            <Badge tone="good">{text.running}</Badge>
          ) : (
            <Badge tone="accent">{text.notRunning}</Badge>
          )}
        </li>
      ))}
    </ul>
  );
}
