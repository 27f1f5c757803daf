import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, ApiClient, createdEvent, crowd } from '../support/api-client.js';
import { query } from '../support/database.js';
import { sharedStack } from '../support/shared-stack.js';

const MEMBERS = 200;
const SEATS = 50;
const ROUNDS = 4;

/** Retries after a 503, as clients do while the machine is too busy. */
async function answered<T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await pause(100);
  }
}

describe('an event with 50 places', () => {
  const { url, gatewayUrls, databaseUrl, administrator } = sharedStack();
  const admin = new ApiClient(url);
  let members: ApiClient[];

  beforeAll(async () => {
    await admin.signIn(administrator);
    members = await crowd(url, MEMBERS);
  }, 120_000);

  it(`accepts exactly 50 of 200 simultaneous registrations, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const event = await createdEvent(admin, { capacity: SEATS });
      const answers = await Promise.all(
        members.map((member, index) =>
          answered(() =>
            member
              .at(gatewayUrls[index % gatewayUrls.length] ?? url)
              .post<{ message: string }>(`/api/events/${event.id}/register`),
          ),
        ),
      );
      const taken = answers.filter(({ status }) => status === 201 || status === 200);
      const refused = answers.filter(
        ({ status, body }) => status === 409 && body.message === 'This event is at full capacity',
      );
      const others = answers.filter((answer) => !taken.includes(answer) && !refused.includes(answer));
      expect([taken.length, refused.length, others.map(({ status, text }) => `${status} ${text}`)]).toEqual([
        SEATS,
        MEMBERS - SEATS,
        [],
      ]);
      const [row] = await query<{ n: string }>(
        databaseUrl,
        `SELECT count(*) AS n FROM events.event_registrations WHERE event_id = $1 AND status = 'registered'`,
        [event.id],
      );
      expect(Number(row?.n)).toBe(SEATS);
    }
  }, 180_000);
});
