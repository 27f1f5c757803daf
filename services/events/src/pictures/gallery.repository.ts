import type { EntityManager } from 'typeorm';

// The statements about galleries. Each runs with the manager of its caller's transaction.

/** As the column has it; `hash` is that of events.pictures. */
export interface StoredItem {
  id: string;
  hash: string;
  alt: string;
}

/** In their order; the row is locked by who changes them. */
export async function galleryOf(manager: EntityManager, eventId: string): Promise<StoredItem[]> {
  const [row] = await manager.sql<{ gallery: StoredItem[] }[]>`
    SELECT gallery_pictures AS gallery FROM events.events WHERE id = ${eventId}`;
  return row?.gallery ?? [];
}

export const keepGallery = (manager: EntityManager, eventId: string, gallery: StoredItem[]) =>
  manager.sql`
    UPDATE events.events SET gallery_pictures = ${JSON.stringify(gallery)}::jsonb, updated_at = now()
    WHERE id = ${eventId}`;

/** Whether any event shows it: the index on the column answers. */
export async function isInGallery(manager: EntityManager, hash: string): Promise<boolean> {
  const found = await manager.sql<unknown[]>`
    SELECT FROM events.events WHERE gallery_pictures <> '[]'
      AND gallery_pictures @> jsonb_build_array(jsonb_build_object('hash', ${hash}::text)) LIMIT 1`;
  return found.length > 0;
}
