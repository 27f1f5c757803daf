import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DoorResult } from '@meetmark/contracts';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import type pg from 'pg';
import { insertMembers, insertPlaces } from './support/demo-rows.js';
import { type Effort, median, milliseconds, quantile, rate, type Row } from './support/results.js';
import { withStack } from './support/stack.js';

const PHONES = 2;
/** Scans per phone and round. A door link allows 600 calls in 5 minutes. */
const SCANS = 100;
const GUESTS = PHONES * SCANS;
/** Maximum 95th percentile of the response times, in milliseconds. */
const GOAL = 100;

interface Round {
  scans: number[];
  lists: number[];
  perSecond: number;
}

/** Measures scans and reads of the guest list by two phones at one door, on durable servers. */
export async function door({ rounds }: Effort): Promise<Row[]> {
  return withStack({ durable: true }, async (stack, owner) => {
    const members = await insertMembers(owner, GUESTS);
    await round(stack.url, owner, members);
    const measured: Round[] = [];
    for (let each = 0; each < rounds; each += 1) measured.push(await round(stack.url, owner, members));
    const scans = measured.flatMap((each) => each.scans);
    const lists = measured.flatMap((each) => each.lists);
    return [
      {
        path: `a scan at the door, ${PHONES} phones without a pause`,
        ours: `p50 ${milliseconds(median(scans))}, p95 ${milliseconds(quantile(scans, 0.95))}, ${rate(median(measured.map(({ perSecond }) => perSecond)))}`,
        beside: '–',
        ratio: '–',
        goal: `p95 < ${GOAL} ms`,
        met: quantile(scans, 0.95) < GOAL,
      },
      {
        path: `the guest list of a phone, ${GUESTS} guests`,
        ours: `p50 ${milliseconds(median(lists))}, p95 ${milliseconds(quantile(lists, 0.95))}`,
        beside: '–',
        ratio: '–',
        goal: `p95 < ${GOAL} ms`,
        met: quantile(lists, 0.95) < GOAL,
      },
    ];
  });
}

async function round(url: string, owner: pg.Pool, members: string[]): Promise<Round> {
  const { id: eventId } = await insertEvent(owner);
  await insertPlaces(owner, eventId, members);
  const token = await doorLink(owner, eventId);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { rows } = await owner.query<{ id: string }>(
    'SELECT id FROM events.event_registrations WHERE event_id = $1',
    [eventId],
  );
  const scans: number[] = [];
  const lists: number[] = [];
  const phone = async (guests: { id: string }[]) => {
    for (const [n, { id: guestId }] of guests.entries()) {
      const at = new Date().toISOString();
      const body = JSON.stringify({ sentAt: at, items: [{ key: randomUUID(), guestId, at }] });
      const began = performance.now();
      const response = await fetch(`${url}/api/door/check-ins`, { method: 'POST', headers, body });
      const [answer] = (await response.json()) as DoorResult[];
      scans.push(performance.now() - began);
      if (answer?.result !== 'ok') throw new Error(`a scan was answered ${response.status}`);
      if (n % 10 !== 0) continue;
      const asked = performance.now();
      await (await fetch(`${url}/api/door`, { headers })).text();
      lists.push(performance.now() - asked);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: PHONES }, (_, n) => phone(rows.slice(n * SCANS, (n + 1) * SCANS))));
  return { scans, lists, perSecond: (scans.length / (performance.now() - began)) * 1_000 };
}

async function doorLink(owner: pg.Pool, eventId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const { id } = await insertAdministrator(owner);
  await owner.query(
    'INSERT INTO events.door_links (id, event_id, created_by_id, token_hash) VALUES ($1, $2, $3, $4)',
    [randomUUID(), eventId, id, createHash('sha256').update(token).digest()],
  );
  return token;
}
