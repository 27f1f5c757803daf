import type { EntityManager } from 'typeorm';

/** Says in whose name the transaction changes rows; triggers that keep who changed what read it. */
export async function editAs(manager: EntityManager, userId: string): Promise<void> {
  await manager.query("SELECT set_config('meetmark.editor', $1, true)", [userId]);
}
