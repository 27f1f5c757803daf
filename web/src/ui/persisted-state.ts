/** Stands in for a storage that the browser refuses (a setting, a full disk): it lasts as long as the page. */
const fallback = new Map<string, string>();

export function readPersisted(key: string, storage: () => Storage = () => localStorage): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return fallback.get(key) ?? null;
  }
}

/** Keeps a value; null forgets it. */
export function persist(
  key: string,
  value: string | null,
  storage: () => Storage = () => localStorage,
): void {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    if (value === null) fallback.delete(key);
    else fallback.set(key, value);
  }
}

/** Forgets every value whose key begins so. */
export function forgetPersisted(prefix: string): void {
  for (const key of fallback.keys()) if (key.startsWith(prefix)) fallback.delete(key);
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // a browser that refuses its storage holds nothing in it
  }
}

/** What is typed and not saved yet: it outlives a closed tab, and not signing out. */
export const TYPED = 'typed:';

/** A `storage` for `readPersisted` and `persist` whose values end with the tab. */
export const inThisTab = () => sessionStorage;
