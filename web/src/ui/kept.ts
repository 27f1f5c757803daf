/** What this browser remembers for us. Where it may keep nothing (a setting, a full disk), it lasts as long as the page. */
const fallback = new Map<string, string>();

export function kept(key: string, storage: () => Storage = () => localStorage): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return fallback.get(key) ?? null;
  }
}

/** Null forgets it. */
export function keep(key: string, value: string | null, storage: () => Storage = () => localStorage): void {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    if (value === null) fallback.delete(key);
    else fallback.set(key, value);
  }
}

/** As `storage` of the two above: forgotten when the tab is closed. */
export const inThisTab = () => sessionStorage;
