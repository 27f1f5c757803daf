import type { ConfirmedRsvp, Confirmation, ErrorBody, Event, RequestedRsvp, User } from '@meetmark/contracts';
import { tally } from '@meetmark/testing';
import { type ApiClient, createdEvent, newcomer } from '../support/api-client.js';
import { codeIn, mailTo } from '../support/mailbox.js';
import { aMember, theAdministrator, visitor } from './support/people.js';

let administrator: ApiClient;
beforeAll(async () => {
  administrator = await theAdministrator();
});

interface Guest {
  browser: ApiClient;
  email: string;
  confirm: () => ReturnType<typeof confirm>;
  mail: { text: string; html: string };
  link: string;
}
const confirm = (browser: ApiClient, body: { flow: string; code: string }) =>
  browser.post<ConfirmedRsvp>('/api/rsvp/confirm', body);

/** Somebody who has asked for a registration, and has its mail. */
async function guestAt(event: Event, given: { email?: string; waitlist?: boolean } = {}): Promise<Guest> {
  const [browser, { firstName, lastName, email: own }] = [visitor(), newcomer('Greta')];
  const { email = own, ...more } = given;
  const asked = await browser.post<RequestedRsvp>(`/api/events/${event.id}/rsvp`, {
    ...{ email, firstName, lastName },
    ...more,
  });
  expect(asked.status).toBe(202);
  const mail = await mailTo(email, new RegExp(event.title));
  const link = /#rsvp\.([\w-]{22})/.exec(mail.text)?.[1] ?? '';
  const body = { flow: asked.body.flow, code: codeIn(mail) };
  return { browser, email, mail, link, confirm: () => confirm(browser, body) };
}
const countOf = async ({ id }: Event) =>
  (await visitor().get<{ count: number }>(`/api/events/${id}/count`)).body.count;
const signedIn = async (browser: ApiClient) => (await browser.get<User>('/api/user')).body;

describe('a visitor', () => {
  it('registers with an address and the code from its mail, and has an account and a session then', async () => {
    const event = await createdEvent(administrator);
    const guest = await guestAt(event);
    expect(await countOf(event)).toBe(0);
    const { status, body } = await guest.confirm();
    expect([status, body]).toMatchObject([
      200,
      {
        eventId: event.id,
        registration: { status: 'registered', showMe: 'name' },
        user: { hasPassword: false },
      },
    ]);
    expect(await signedIn(guest.browser)).toMatchObject({ email: guest.email, firstName: 'Greta' });
    expect((await guest.browser.get<Event[]>('/api/my-events')).body.map(({ id }) => id)).toEqual([event.id]);
    await mailTo(guest.email, /registered/i);
    const again = (await guest.confirm()) as unknown as { status: number; body: ErrorBody };
    expect([again.status, again.body.message]).toEqual([400, 'Invalid or expired code']);
  });

  it('with the address of a member signs in as them, by the link in any browser, and the one that asked is told', async () => {
    const event = await createdEvent(administrator);
    const { person, user } = await aMember('Ada');
    const guest = await guestAt(event, { email: person.email });
    const elsewhere = visitor();
    const { body } = await elsewhere.post<Confirmation>('/api/confirm/link', { token: guest.link });
    expect(body).toMatchObject({
      user: { id: user.id, firstName: 'Ada' },
      registration: { userId: user.id },
    });
    expect(await signedIn(elsewhere)).toMatchObject({ id: user.id });
    expect((await guest.browser.get('/api/confirm?purpose=rsvp')).body).toEqual({ status: 'confirmed' });
    expect((await guest.browser.get('/api/user')).status).toBe(401);
  });

  it('whose place went meanwhile is signed in and told, and can wait', async () => {
    const event = await createdEvent(administrator, { capacity: 1 });
    const guests = [await guestAt(event), await guestAt(event)];
    expect(await countOf(event)).toBe(0);
    const answers = await Promise.all(guests.map((guest) => guest.confirm()));
    const late = answers.findIndex(({ body }) => body.registration === null);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[late]!.body).toMatchObject({ refusal: { code: 'EVENT_FULL' } });
    expect(await countOf(event)).toBe(1);
    const waiting = await guests[late]!.browser.post(`/api/events/${event.id}/register`, { waitlist: true });
    expect(waiting).toMatchObject({ status: 201, body: { waiting: { position: 1 } } });
    expect((await visitor().post(`/api/events/${event.id}/rsvp`, newcomerFields())).status).toBe(409);
    const third = await (await guestAt(event, { waitlist: true })).confirm();
    expect(third.body).toMatchObject({ registration: { status: 'waitlisted' }, waiting: { position: 2 } });
  });

  it.each([
    ['cancelled', 'EVENT_CANCELLED', ({ id }: Event) => administrator.post(`/api/events/${id}/cancel`, {})],
    ['deleted', 'EVENT_NOT_FOUND', ({ id }: Event) => administrator.delete(`/api/events/${id}`)],
  ])('is told when the event was %s between asking and confirming', async (_, code, end) => {
    const event = await createdEvent(administrator);
    const guest = await guestAt(event);
    expect((await end(event)).status).toBeLessThan(300);
    expect(await guest.confirm()).toMatchObject({
      status: 200,
      body: { registration: null, refusal: { code } },
    });
    expect((await guest.browser.get('/api/user')).status).toBe(200);
  });

  it('who confirms while the event is being cancelled has a place or is told, never both', async () => {
    const event = await createdEvent(administrator);
    const guests = await Promise.all(Array.from({ length: 4 }, () => guestAt(event)));
    const [cancelled, ...answers] = await Promise.all([
      administrator.post(`/api/events/${event.id}/cancel`, {}),
      ...guests.map((guest) => guest.confirm()),
    ]);
    expect([cancelled.status, ...answers.map(({ status }) => status)]).toEqual(Array(5).fill(200));
    const placed = answers.filter(({ body }) => body.registration !== null).length;
    for (const { body } of answers)
      expect(body.registration === null ? body.refusal?.code : 'a place').toMatch(/EVENT_CANCELLED|a place/);
    const { body } = await administrator.get<Event>(`/api/events/${event.id}`);
    expect(body.registrationCount).toBe(placed);
  });

  it('gets one account and one place from several uses of the code at the same moment', async () => {
    const event = await createdEvent(administrator);
    const guest = await guestAt(event);
    const answers = await Promise.all([guest.confirm(), guest.confirm(), guest.confirm(), guest.confirm()]);
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 4 });
    expect(new Set(answers.map(({ body }) => body.registration?.id)).size).toBe(1);
    expect(await countOf(event)).toBe(1);
  });

  it('finds nothing changed by a scanner that opened every link of the mail', async () => {
    const event = await createdEvent(administrator);
    const guest = await guestAt(event);
    const links = new Set(`${guest.mail.text} ${guest.mail.html}`.match(/https?:\/\/[^\s"'<>]+/g));
    expect([...links].some((link) => link.includes(guest.link))).toBe(true);
    for (const link of links) {
      const { pathname, search } = new URL(link.replaceAll('&amp;', '&'));
      const scanner = visitor();
      expect((await scanner.get(pathname + search)).status).toBe(200);
      expect((await scanner.get('/api/user')).status).toBe(401);
    }
    expect(await countOf(event)).toBe(0);
    expect((await guest.browser.get('/api/confirm?purpose=rsvp')).body).toEqual({ status: 'open' });
    expect((await guest.confirm()).body.registration).not.toBeNull();
  });
});

const newcomerFields = () => {
  const { email, firstName, lastName } = newcomer();
  return { email, firstName, lastName };
};
