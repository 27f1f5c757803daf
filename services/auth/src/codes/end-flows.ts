import type { EntityManager } from 'typeorm';

/** No code or link that was sent so far opens the account any more: its password or its address has changed. */
export async function endFlows(manager: EntityManager, userId: string): Promise<void> {
  await manager.query(
    'UPDATE auth.code_flows SET ended_at = now(), sealed = NULL WHERE user_id = $1 AND ended_at IS NULL',
    [userId],
  );
}
