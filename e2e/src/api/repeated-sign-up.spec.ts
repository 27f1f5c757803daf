import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorBody, User } from '@meetmark/contracts';
import { answered, ApiClient, newcomer } from '../support/api-client.js';
import { sharedStack } from '../support/shared-stack.js';
import { visitor } from './support/people.js';

const { gatewayUrls } = sharedStack();
const AT_ONCE = 60;
const PATIENCE = 60_000;

async function signUp(client: ApiClient, person: object, key: string): Promise<User> {
  for (const end = Date.now() + PATIENCE; ;) {
    const { status, body, headers } = await client.post<User & ErrorBody>('/api/register', person, {
      'idempotency-key': key,
    });
    if (status === 201) return body;
    if (status !== 503 || Date.now() > end) throw new Error(`a sign-up answers ${status} ${body.code}`);
    await pause(Number(headers.get('retry-after')) * 1_000);
  }
}

describe('a sign-up with an Idempotency-Key', () => {
  it('signs the user in on a retry after an aborted request', async () => {
    for (const wait of [0, 20, 60, 120]) {
      const [person, key] = [newcomer(), randomUUID()];
      await answered(`${gatewayUrls[0]}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(person),
        signal: AbortSignal.timeout(wait),
      }).catch(() => undefined);
      const client = new ApiClient(gatewayUrls.at(-1)!);
      const user = await signUp(client, person, key);
      expect((await client.get<User>('/api/user')).body.id).toBe(user.id);
    }
  });

  it('creates sixty accounts when sixty people sign up at the same time', async () => {
    const users = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, n) => {
        const client = new ApiClient(gatewayUrls[n % gatewayUrls.length]!);
        const user = await signUp(client, newcomer(), randomUUID());
        expect((await client.get<User>('/api/user')).body.id).toBe(user.id);
        return user.id;
      }),
    );
    expect(new Set(users).size).toBe(AT_ONCE);
  });

  it('rejects a repeated key with a different body', async () => {
    const [person, key] = [newcomer(), { 'idempotency-key': randomUUID() }];
    expect((await visitor().post('/api/register', person, key)).status).toBe(201);
    for (const other of [{ lastName: 'Other' }, { email: newcomer().email }, { password: 'other horse' }])
      expect(await visitor().post('/api/register', { ...person, ...other }, key)).toMatchObject({
        status: 409,
        body: { code: 'IDEMPOTENCY_CONFLICT' },
      });
  });
});
