const { refusedByRedis } = await import('../scripts/src/stack/redis-users.ts');

export default async function globalTeardown() {
  const stack = globalThis.meetmarkStack;
  if (stack === undefined) return;
  try {
    const refused = await refusedByRedis(stack.redisUrl);
    if (refused.length > 0) throw new Error(`Redis refused its users: ${refused.join('; ')}`);
  } finally {
    await stack.stop();
  }
}
