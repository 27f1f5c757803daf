import type { Event } from '@meetmark/contracts';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { ApiClient, createdEvent, crowd, eventFields, type Answer } from '../support/api-client.js';
import { inTurns } from '@meetmark/testing';
import { query } from '../support/database.js';

const REPLICAS = { auth: 3, events: 3, admin: 3 };

describe('With three replicas of each service', () => {
  let stack: TestStack;
  let administrator: ApiClient;

  beforeAll(async () => {
    stack = await startTestStack({ seeded: true, replicas: REPLICAS });
    administrator = new ApiClient(stack.url);
    await administrator.signIn(stack.administrator);
  }, 60_000);
  afterAll(() => stack.stop(), 30_000);

  const rows = async (title: string) => {
    const [found] = await query<{ n: string }>(
      stack.databaseUrl,
      'SELECT count(*) AS n FROM events.events WHERE title = $1',
      [title],
    );
    return Number(found?.n);
  };

  it('100 creates make 100 rows', async () => {
    const fields = eventFields();
    const answers = await inTurns(Array.from({ length: 100 }), 20, () =>
      administrator.post('/api/events', fields),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(201));
    expect(await rows(fields.title)).toBe(100);
  }, 60_000);

  it('1,000 first registrations are 1,000 places, and nobody is told that they had one', async () => {
    const events = await inTurns(Array.from({ length: 100 }), 10, () => createdEvent(administrator));
    const members = await crowd(stack.url, 10);
    const pairs = members.flatMap((member) => events.map((event) => ({ member, event })));
    const answers = await inTurns(pairs, 32, ({ member, event }) =>
      member.post(`/api/events/${event.id}/register`),
    );
    const notNew = answers.filter(({ status }) => status !== 201);
    expect(notNew.map(({ text }) => text)).toEqual([]);
    const counts = await inTurns(events, 10, (event) =>
      administrator.get<{ count: number }>(`/api/events/${event.id}/count`),
    );
    expect(counts.map(({ body }) => body.count)).toEqual(Array(100).fill(10));
  }, 120_000);

  it('a replica that is killed takes only what it was working on: every request is answered, none is done twice', async () => {
    const fields = eventFields();
    const answers: Answer<Event>[] = [];
    let killed: Promise<void> | undefined;
    await inTurns(Array.from({ length: 400 }), 16, async (_, index) => {
      if (index === 150) killed = stack.stack.kill('events', 1, 'SIGKILL');
      answers.push(await administrator.post<Event>('/api/events', fields));
    });
    await killed;
    await stack.stack.restart('events', 1);

    const statuses = new Set(answers.map(({ status }) => status));
    statuses.delete(503);
    expect([...statuses]).toEqual([201]);
    const refused = answers.filter(({ status }) => status === 503);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);

    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(made.length);
    const present = await rows(fields.title);
    // what was refused may have been done, when the replica died between the commit and the answer
    expect(present).toBeGreaterThanOrEqual(made.length);
    expect(present).toBeLessThanOrEqual(answers.length);
  }, 120_000);
});
