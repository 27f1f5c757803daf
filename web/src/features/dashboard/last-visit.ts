import { persist, readPersisted } from '../../ui/persisted-state';

/** Milliseconds: who comes back within it is still on the same visit. */
const ONE_VISIT = 3_600_000;

/** The moment of the visit before this one; null at the first in this browser. Also notes that the member is here. */
export function lastVisit(userId: string, now: number): string | null {
  const key = `visits:${userId}`;
  const [last = '', before = ''] = (readPersisted(key) ?? '').split(' ');
  const isSameVisit = now - Date.parse(last) < ONE_VISIT;
  const previous = isSameVisit ? before : last;
  persist(key, `${new Date(now).toISOString()} ${previous}`);
  return Number.isNaN(Date.parse(previous)) ? null : previous;
}
