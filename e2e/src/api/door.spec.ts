import type {
  DoorResult,
  DoorSnapshot,
  Guest,
  GuestCode,
  NewDoorLink,
  ScannedCode,
} from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import { ApiClient, createdEvent, newcomer } from '../support/api-client.js';
import { codeIn, mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';
import { aMember, held, theAdministrator, visitor } from './support/people.js';

const PEOPLE = 60;
const MINUTE = 60_000;

describe('the door of an event for 60 guests', () => {
  let administrator: ApiClient;
  let event: string;
  let link: NewDoorLink;
  const phone = () => held(new ApiClient(sharedStack().url, { authorization: `Bearer ${link.token}` }));
  const snapshot = async () => (await phone().get<DoorSnapshot>('/api/door')).body;
  const scanned = (guests: { id: string }[], minutesAgo: number) =>
    guests.map(({ id }) => ({
      key: crypto.randomUUID(),
      guestId: id,
      at: new Date(Date.now() - minutesAgo * MINUTE).toISOString(),
    }));
  const send = (items: object[]) =>
    phone().expect<DoorResult[]>(200, 'POST', '/api/door/check-ins', {
      sentAt: new Date().toISOString(),
      items,
    });

  beforeAll(async () => {
    administrator = await theAdministrator();
    const { id } = await createdEvent(administrator, { capacity: PEOPLE, startsIn: MINUTE });
    event = `/api/admin/events/${id}`;
    for (let n = 0; n < PEOPLE; n += 1)
      await administrator.expect<Guest>(201, 'POST', `${event}/guests`, { name: `Guest ${n}` });
    link = await administrator.expect<NewDoorLink>(201, 'POST', `${event}/door-links`);
  }, 120_000);

  it('checks in all 60 guests once from two phones, one of them offline', async () => {
    const { guests } = await snapshot();
    const online = scanned(guests.slice(0, 40), 0);
    for (const item of online) await send([item]);
    const offline = scanned(guests.slice(20), 0);
    expect((await snapshot()).counts).toEqual({ registered: PEOPLE, checkedIn: 40 });
    // The phone is online again. It sends everything twice, because the first response was lost.
    const first = await send(offline);
    expect(first.map(({ result }) => result)).toEqual(offline.map((_, n) => (n < 20 ? 'already' : 'ok')));
    expect(await send(offline)).toEqual(first);
    expect((await snapshot()).counts).toEqual({ registered: PEOPLE, checkedIn: PEOPLE });
    const listed = await administrator.expect<Guest[]>(200, 'GET', `${event}/guests?checkedIn=true`);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(PEOPLE);
    expect(listed).toHaveLength(PEOPLE);
  }, 60_000);

  it('refuses a revoked link and lists a check-in that arrived too late', async () => {
    const { guests } = await snapshot();
    await administrator.expect(204, 'DELETE', `${event}/door-links/${link.id}`);
    await until('the link is refused', 60_000, async () => (await phone().get('/api/door')).status === 401);
    const late = { sentAt: new Date().toISOString(), items: scanned(guests.slice(0, 1), 1) };
    await phone().expect(401, 'POST', '/api/door/check-ins', late);
    const { refusals } = await administrator.expect<{ refusals: object[] }>(200, 'GET', `${event}/door`);
    expect(refusals).toMatchObject([{ linkId: link.id, name: guests[0]!.name, reason: 'revoked' }]);
  }, 60_000);

  it('identifies guests by a code that contains no ids', async () => {
    const { client, user } = await aMember();
    const { id } = await createdEvent(administrator);
    const { registration } = await client.expect<{ registration: { id: string } }>(
      201,
      'POST',
      `/api/events/${id}/register`,
    );
    const { code, url } = await client.expect<GuestCode & { url: string }>(
      200,
      'GET',
      `/api/my-events/${id}/code`,
    );
    expect(new URL(url).pathname).toBe(`/c/${code}`);
    const said = Buffer.from(code, 'base64url');
    expect(said).toHaveLength(16);
    for (const known of [registration.id, user.id, id]) {
      const bytes = Buffer.from(known.replaceAll('-', ''), 'hex');
      for (let at = 0; at < 13; at += 1) expect(said.includes(bytes.subarray(at, at + 4))).toBe(false);
    }
  });

  it('keeps a guest’s emailed code when they claim their registration at a full event', async () => {
    const guest = newcomer('Grace');
    const { id, title } = await createdEvent(administrator, { capacity: 1, startsIn: 60 * MINUTE });
    const path = `/api/admin/events/${id}`;
    await administrator.expect<Guest>(201, 'POST', `${path}/guests`, { name: 'Grace', email: guest.email });
    const mail = await mailTo(guest.email, new RegExp(title));
    expect(mail.text).toMatch(/\/e\/story-[\w-]+#take-over\s/);
    const words = /^Your code for the door: (.+)$/m.exec(mail.text)![1]!.replaceAll(' ', '');
    const person = { email: guest.email, firstName: 'Grace', lastName: 'Guest' };
    const browser = visitor();
    await browser.expect(409, 'POST', `/api/events/${id}/rsvp`, person);
    const { flow } = await browser.expect<{ flow: string }>(202, 'POST', `/api/events/${id}/rsvp`, {
      ...person,
      takeOver: true,
    });
    const code = codeIn(await mailTo(guest.email, /registration code/));
    const confirmed = await browser.expect<{ registration: { status: string } }>(
      200,
      'POST',
      '/api/rsvp/confirm',
      { flow, code },
    );
    expect(confirmed.registration.status).toBe('registered');
    const own = await browser.expect<GuestCode>(200, 'GET', `/api/my-events/${id}/code`);
    expect(own.code).toBe(words);
    const { venueCode } = await administrator.expect<{ venueCode: string }>(200, 'GET', `${path}/door`);
    const venue = await visitor().expect<ScannedCode>(200, 'GET', `/api/codes/${venueCode}`);
    expect(venue).toEqual({ eventId: id });
    expect(await visitor().expect(200, 'GET', `/api/codes/${own.code}`)).toEqual({ eventId: null });
    await browser.expect(200, 'POST', `/api/events/${id}/check-in`, { venueCode });
    const [listed] = await administrator.expect<Guest[]>(200, 'GET', `${path}/guests`);
    expect(listed).toMatchObject({ email: guest.email, checkedInBy: 'self' });
  }, 60_000);
});
