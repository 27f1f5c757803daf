import type { DoorSnapshot } from '@meetmark/contracts';
import { type DBSchema, openDB } from 'idb';
import type { Seen } from './guest-list';

interface Kept {
  snapshot: DoorSnapshot | null;
  seen: Seen[];
}

/** Data of one door link. Its key is the token's digest, so nobody can find the data without the token. */
export interface DoorStore {
  read: () => Promise<Kept>;
  saveSnapshot: (snapshot: DoorSnapshot) => Promise<void>;
  put: (item: Seen) => Promise<void>;
  remove: (keys: string[]) => Promise<void>;
  clear: () => Promise<void>;
}

interface Row {
  link: string;
  order: number;
  item: Seen;
}

interface Schema extends DBSchema {
  snapshots: { key: string; value: { link: string; snapshot: DoorSnapshot } };
  seen: { key: string; value: Row; indexes: { link: string } };
}

/** Milliseconds that unsent items are kept after a link's end. */
const KEPT_FOR = 7 * 24 * 3_600_000;

/** @param link digest of the link's token */
export async function openStore(link: string): Promise<DoorStore> {
  const database = await openDB<Schema>('door', 1, {
    upgrade(made) {
      made.createObjectStore('snapshots', { keyPath: 'link' });
      made.createObjectStore('seen', { keyPath: 'item.key' }).createIndex('link', 'link');
    },
  });
  const rows = async (of: string) =>
    (await database.getAllFromIndex('seen', 'link', of)).sort((a, b) => a.order - b.order);
  const clear = async (of: string) => {
    const change = database.transaction(['snapshots', 'seen'], 'readwrite');
    const keys = await change.objectStore('seen').index('link').getAllKeys(of);
    await Promise.all([
      change.objectStore('snapshots').delete(of),
      ...keys.map((key) => change.objectStore('seen').delete(key)),
      change.done,
    ]);
  };
  let order = Math.max(0, ...(await rows(link)).map((row) => row.order));
  for (const { link: other, snapshot } of await database.getAll('snapshots')) {
    const since = Date.now() - Date.parse(snapshot.expiresAt);
    if (since > KEPT_FOR || (since > 0 && (await rows(other)).length === 0)) await clear(other);
  }
  return {
    read: async () => ({
      snapshot: (await database.get('snapshots', link))?.snapshot ?? null,
      seen: (await rows(link)).map(({ item }) => item),
    }),
    saveSnapshot: async (snapshot) => void (await database.put('snapshots', { link, snapshot })),
    put: async (item) => {
      const there = await database.get('seen', item.key);
      await database.put('seen', { link, order: there?.order ?? (order += 1), item });
    },
    remove: async (keys) => {
      const change = database.transaction('seen', 'readwrite');
      await Promise.all([...keys.map((key) => change.store.delete(key)), change.done]);
    },
    clear: () => clear(link),
  };
}

export function memoryStore(): DoorStore {
  let kept: Kept = { snapshot: null, seen: [] };
  const without = (keys: string[]) => kept.seen.filter(({ key }) => !keys.includes(key));
  return {
    read: () => Promise.resolve(kept),
    saveSnapshot: (snapshot) => Promise.resolve(void (kept = { ...kept, snapshot })),
    put: (item) => {
      const there = kept.seen.some(({ key }) => key === item.key);
      const seen = there ? kept.seen.map((old) => (old.key === item.key ? item : old)) : [...kept.seen, item];
      return Promise.resolve(void (kept = { ...kept, seen }));
    },
    remove: (keys) => Promise.resolve(void (kept = { ...kept, seen: without(keys) })),
    clear: () => Promise.resolve(void (kept = { snapshot: null, seen: [] })),
  };
}
