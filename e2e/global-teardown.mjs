import { endOrFail } from '../scripts/jest/open-handles.cjs';

const { refusedByRedis } = await import('../scripts/src/stack/redis-users.ts');

export default async function globalTeardown() {
  const stack = globalThis.meetmarkStack;
  try {
    const refused = stack === undefined ? [] : await refusedByRedis(stack.redisUrl);
    if (refused.length > 0) throw new Error(`Redis refused its users: ${refused.join('; ')}`);
  } finally {
    await stack?.stop();
    endOrFail();
  }
}
