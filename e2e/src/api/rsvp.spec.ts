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
const fetchCount = async ({ id }: Event) =>
  (await visitor().get<{ count: number }>(`/api/events/${id}/count`)).body.count;
const signedIn = async (browser: ApiClient) => (await browser.get<User>('/api/user')).body;

describe('a visitor', () => {
  it('gets a registration, an account and a session by confirming an emailed code', async () => {
    const event = await createdEvent(administrator);
    const guest = await guestAt(event);
    expect(await fetchCount(event)).toBe(0);
    const { status, body } = await guest.confirm();
    expect([status, body]).toMatchObject([
      200,
      {
        eventId: event.id,
        registration: { status: 'registered', showMe: 'linkedin' },
        user: { hasPassword: false },
      },
    ]);
    expect(await signedIn(guest.browser)).toMatchObject({ email: guest.email, firstName: 'Greta' });
    expect((await guest.browser.get<Event[]>('/api/my-events')).body.map(({ id }) => id)).toEqual([event.id]);
    await mailTo(guest.email, /registered/i);
    const again = (await guest.confirm()) as unknown as { status: number; body: ErrorBody };
    expect([again.status, again.body.message]).toEqual([400, 'Invalid or expired code']);
  });

  it('signs in as an existing member through the emailed link in another browser', async () => {
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

  it('signs in and can join the waiting list when the last place is gone', async () => {
    const event = await createdEvent(administrator, { capacity: 1, waitlistEnabled: true });
    const guests = [await guestAt(event), await guestAt(event)];
    expect(await fetchCount(event)).toBe(0);
    const answers = await Promise.all(guests.map((guest) => guest.confirm()));
    const late = answers.findIndex(({ body }) => body.registration === null);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[late]!.body).toMatchObject({ refusal: { code: 'EVENT_FULL' } });
    expect(await fetchCount(event)).toBe(1);
    const waiting = await guests[late]!.browser.post(`/api/events/${event.id}/register`, { waitlist: true });
    expect(waiting).toMatchObject({ status: 201, body: { waiting: { position: 1 } } });
    expect((await visitor().post(`/api/events/${event.id}/rsvp`, newcomerFields())).status).toBe(409);
    const third = await (await guestAt(event, { waitlist: true })).confirm();
    expect(third.body).toMatchObject({ registration: { status: 'waitlisted' }, waiting: { position: 2 } });
  });

  it.each([
    ['cancelled', 'EVENT_CANCELLED', ({ id }: Event) => administrator.post(`/api/events/${id}/cancel`, {})],
    ['deleted', 'EVENT_NOT_FOUND', ({ id }: Event) => administrator.delete(`/api/events/${id}`)],
  ])(
    'signs in without a registration when the event was %s before the confirmation',
    async (_, code, end) => {
      const event = await createdEvent(administrator);
      const guest = await guestAt(event);
      expect((await end(event)).status).toBeLessThan(300);
      expect(await guest.confirm()).toMatchObject({
        status: 200,
        body: { registration: null, refusal: { code } },
      });
      expect((await guest.browser.get('/api/user')).status).toBe(200);
    },
  );

  it('gets a registration or a refusal when the event is cancelled during confirmation', async () => {
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

  it('gets one registration from four simultaneous confirmations', async () => {
    const event = await createdEvent(administrator);
    const guest = await guestAt(event);
    const answers = await Promise.all([guest.confirm(), guest.confirm(), guest.confirm(), guest.confirm()]);
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 4 });
    expect(new Set(answers.map(({ body }) => body.registration?.id)).size).toBe(1);
    expect(await fetchCount(event)).toBe(1);
  });

  it('stays unregistered when an email scanner opens every link', async () => {
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
    expect(await fetchCount(event)).toBe(0);
    expect((await guest.browser.get('/api/confirm?purpose=rsvp')).body).toEqual({ status: 'open' });
    expect((await guest.confirm()).body.registration).not.toBeNull();
  });
});

const newcomerFields = () => {
  const { email, firstName, lastName } = newcomer();
  return { email, firstName, lastName };
};
