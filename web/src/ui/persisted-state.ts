const fallback = new Map<string, string>();

export function readPersisted(key: string, storage: () => Storage = () => localStorage): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return fallback.get(key) ?? null;
  }
}

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

export function forgetPersisted(prefix: string): void {
  for (const key of fallback.keys()) if (key.startsWith(prefix)) fallback.delete(key);
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // without storage there is nothing to remove
  }
}

/** Key prefix of unsaved input. Closing the tab keeps the input; signing out deletes it. */
export const TYPED = 'typed:';

export const inThisTab = () => sessionStorage;
