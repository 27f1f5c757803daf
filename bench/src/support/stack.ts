import { openCaller, testConfig } from '@meetmark/platform/testing/open-service';
import { urlForRole } from '@meetmark/scripts/stack/environment';
import { getKeys } from '@meetmark/scripts/stack/secrets';
import { startTestStack, type TestStack, type TestStackOptions } from '@meetmark/scripts/stack/test-stack';
import pg from 'pg';

export async function withStack<T>(
  options: TestStackOptions,
  work: (stack: TestStack, owner: pg.Pool) => Promise<T>,
): Promise<T> {
  const stack = await startTestStack(options);
  const owner = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
  try {
    return await work(stack, owner);
  } finally {
    await owner.end();
    await stack.stop();
  }
}

export const connectCaller = ({ redisUrl, secrets }: TestStack) =>
  openCaller(
    testConfig({
      redisUrl: urlForRole(redisUrl, 'gateway', secrets.redisPasswords.gateway),
      ...getKeys(secrets),
    }),
  );
