import { persist, readPersisted } from '../../ui/persisted-state';

/** Milliseconds. A member who returns within this time continues the same visit. */
const ONE_VISIT = 3_600_000;

/** Returns the time of the previous visit, or null on the first. Also records the current time. */
export function lastVisit(userId: string, now: number): string | null {
  const key = `visits:${userId}`;
  const [last = '', before = ''] = (readPersisted(key) ?? '').split(' ');
  const isSameVisit = now - Date.parse(last) < ONE_VISIT;
  const previous = isSameVisit ? before : last;
  persist(key, `${new Date(now).toISOString()} ${previous}`);
  return Number.isNaN(Date.parse(previous)) ? null : previous;
}
