import type { DoorResult, Guest, NewDoorLink } from '@meetmark/contracts';
import { inTurns } from '@meetmark/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../load.js';
import type { Member } from '../caller.js';
import type { Rig } from '../rig.js';
import type { Fault, Scenario } from '../trial.js';

const GUESTS = 60;
const ADDED_AT_A_TIME = 4;
const QUEUED = 20;
const LINK_ENDED = 401;
const BETWEEN_SCANS = 60;
const BEFORE_THE_FAULT = 1_000;
const AWAY = 4_000;
const AGAIN_AFTER = 300;
const PATIENCE = 60_000;

interface Scan {
  key: string;
  guestId: string;
  at: string;
}

class Evening {
  private constructor(
    private readonly rig: Rig,
    readonly event: string,
    readonly guests: string[],
    private readonly link: NewDoorLink,
  ) {}

  static async begin(rig: Rig): Promise<Evening> {
    const [event = ''] = await rig.events(1);
    const names = Array.from({ length: GUESTS }, (_, n) => `Guest ${n}`);
    const guests = await inTurns(names, ADDED_AT_A_TIME, (name) =>
      rig.administrator.expect<Guest>(201, 'POST', `/api/admin/events/${event}/guests`, { name }),
    );
    const path = `/api/admin/events/${event}/door-links`;
    const link = await rig.administrator.expect<NewDoorLink>(201, 'POST', path);
    return new Evening(
      rig,
      event,
      guests.map(({ id }) => id),
      link,
    );
  }

  phone = (): Member =>
    Object.assign(this.rig.visitor, { defaults: { authorization: `Bearer ${this.link.token}` } });

  scan = (guestId: string): Scan => ({ key: randomUUID(), guestId, at: new Date().toISOString() });

  send = (phone: Member, items: Scan[]) =>
    phone.send('POST', '/api/door/check-ins', { sentAt: new Date().toISOString(), items });

  revoke = () =>
    this.rig.administrator.expect(
      204,
      'DELETE',
      `/api/admin/events/${this.event}/door-links/${this.link.id}`,
    );

  /** Scans all guests with one phone. Like the door page, it resends scans until the server answers. */
  async letEverybodyIn({ ledger, broken }: Scenario, guests: string[]): Promise<void> {
    const phone = this.phone();
    let queue: Scan[] = [];
    const said = new Map<string, DoorResult['result']>();
    const flush = async () => {
      const items = queue;
      const outcome = await ask(ledger, 'check-in', async () => {
        const reply = await this.send(phone, items);
        if (reply.status === 200)
          for (const { key, result } of reply.body as DoorResult[]) said.set(key, result);
        return reply;
      });
      if (outcome === 'ok') queue = queue.filter((item) => !items.includes(item));
      if (outcome === 'refused') broken('a scan was refused');
    };
    for (const guest of guests) {
      queue.push(this.scan(guest));
      await flush();
      await pause(BETWEEN_SCANS);
    }
    for (
      const until = Date.now() + PATIENCE;
      queue.length > 0 && Date.now() < until;
      await pause(AGAIN_AFTER)
    )
      await flush();
    if (queue.length > 0) broken(`${queue.length} scans never got an answer`);
    const lost = [...said.values()].filter((result) => result !== 'ok' && result !== 'already').length;
    if (said.size !== guests.length || lost > 0)
      broken(`of ${guests.length} scans ${said.size} have an answer, ${lost} of them a wrong one`);
  }
}

const doorFault = (
  fault: Pick<Fault, 'id' | 'title'> & Partial<Fault>,
  happens: (rig: Rig) => Promise<unknown>,
): Fault => ({
  recoverWithin: null,
  touches: [],
  load: false,
  felt: true,
  ...fault,
  async run(scenario) {
    const { rig, broken, ledger } = scenario;
    const evening = await Evening.begin(rig);
    const { guests, event } = evening;
    await Promise.all([
      evening.letEverybodyIn(scenario, guests),
      evening.letEverybodyIn(scenario, guests.toReversed()),
      pause(BEFORE_THE_FAULT).then(() => happens(rig)),
    ]);
    const { rows } = await rig.owner.query<{ scans: number; people: number; inside: number }>(
      `SELECT count(*)::integer AS scans, count(DISTINCT registration_id)::integer AS people,
         (SELECT count(*)::integer FROM events.event_registrations WHERE event_id = $1 AND checked_in_at IS NOT NULL) AS inside
       FROM events.check_ins WHERE event_id = $1`,
      [event],
    );
    const [{ scans, people, inside }] = rows as [{ scans: number; people: number; inside: number }];
    if (people !== GUESTS || inside !== GUESTS || scans > 2 * GUESTS)
      broken(
        `${GUESTS} people, scanned by two phones, made ${scans} check-ins of ${people}, ${inside} are in`,
      );
    const counted = await ask(ledger, 'door', () => evening.phone().send('GET', '/api/door'));
    if (counted !== 'ok') broken('the door does not answer afterwards');
  },
});

const awayFor = async (proxy: Rig['redis']) => {
  await proxy.set({ kind: 'down' });
  await pause(AWAY);
  await proxy.set({ kind: 'pass' });
};

export const doorWithoutRedis = doorFault(
  { id: 'F21a', title: 'two phones let sixty people in while Redis is away for 4 s' },
  (rig) => awayFor(rig.redis),
);

export const doorWithoutPostgres = doorFault(
  { id: 'F21b', title: 'two phones let sixty people in while PostgreSQL is away for 4 s' },
  (rig) => awayFor(rig.database),
);

export const doorWithoutGateway = doorFault(
  {
    id: 'F21c',
    title: 'two phones let sixty people in while one gateway of two is killed',
    touches: ['gateway'],
    felt: false,
  },
  async (rig) => {
    await rig.stack.stack.kill('gateway', 1, 'SIGKILL');
    await pause(AWAY);
    await rig.stack.stack.restart('gateway', 1);
  },
);

export const doorRevoked: Fault = {
  id: 'F21d',
  title: 'a door link is revoked while a phone with 20 scans is offline',
  recoverWithin: null,
  touches: [],
  load: false,
  async run({ rig, ledger, broken }) {
    const evening = await Evening.begin(rig);
    const offline = evening.guests.slice(0, QUEUED).map(evening.scan);
    const online = evening.guests.slice(QUEUED).map(evening.scan);
    await ask(ledger, 'check-in', () => evening.send(evening.phone(), online));
    await evening.revoke();
    // Sends the scans twice, as a phone does if it misses the first answer.
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await evening.send(evening.phone(), offline);
      if (status !== LINK_ENDED || (body as { code?: string }).code !== 'DOOR_LINK_ENDED')
        broken(`scans by a revoked link are answered ${status}`);
    }
    const { refusals, counts } = await rig.administrator.expect<{
      refusals: { name: string | null; reason: string }[];
      counts: { checkedIn: number };
    }>(200, 'GET', `/api/admin/events/${evening.event}/door`);
    const named = new Set(
      refusals.filter(({ reason, name }) => reason === 'revoked' && name !== null).map(({ name }) => name),
    );
    if (refusals.length !== QUEUED || named.size !== QUEUED)
      broken(`of ${QUEUED} refused scans the organisers are shown ${refusals.length}, ${named.size} people`);
    if (counts.checkedIn !== GUESTS - QUEUED)
      broken(`${counts.checkedIn} are in, ${GUESTS - QUEUED} were scanned by a link that worked`);
  },
};
