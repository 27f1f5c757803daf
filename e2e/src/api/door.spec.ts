import type { Guest, GuestCode, ScannedCode } from '@meetmark/contracts';
import { createdEvent, newcomer } from '../support/api-client.js';
import { codeIn, mailTo } from '../support/mailbox.js';
import { theAdministrator, visitor } from './support/people.js';

const HOUR = 3_600_000;

it('a guest’s emailed code for the door stays the same when they claim their registration', async () => {
  const administrator = await theAdministrator();
  const guest = newcomer('Grace');
  const { id, title } = await createdEvent(administrator, { capacity: 1, startsIn: HOUR });
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
});
