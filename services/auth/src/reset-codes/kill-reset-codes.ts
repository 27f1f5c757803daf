import type { EntityManager } from 'typeorm';

/** No code that was sent so far opens the account any more: its password or its address has changed. */
export async function killResetCodes(manager: EntityManager, userId: string): Promise<void> {
  await manager.query(
    `UPDATE auth.password_reset_tokens SET used_at = now(), sealed_code = NULL
     WHERE user_id = $1 AND used_at IS NULL`,
    [userId],
  );
}
