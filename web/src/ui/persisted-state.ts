/** Stands in for a storage that the browser refuses (a setting, a full disk): it lasts as long as the page. */
const fallback = new Map<string, string>();

export function readPersisted(key: string, storage: () => Storage = () => localStorage): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return fallback.get(key) ?? null;
  }
}

/** Null forgets the value. */
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

/** As `storage` of the two above: what it holds ends with the tab. */
export const inThisTab = () => sessionStorage;
