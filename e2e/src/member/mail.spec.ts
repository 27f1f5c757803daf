import { calendarUid } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import ICAL from 'ical.js';
import { createdEvent, signedIn, signedUp } from '../support/api-client.js';
import { query } from '../support/database.js';
import { type Mail, mailsTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

const { url, databaseUrl, administrator } = sharedStack();

async function calendarMails(address: string, eventId: string): Promise<Mail[]> {
  const waiting = `SELECT 1 FROM events.outbox WHERE job LIKE 'mail.%' AND done_at IS NULL AND (payload::text LIKE $1 OR payload->>'registrationId' IN
    (SELECT id::text FROM events.event_registrations WHERE event_id = $2))`;
  await until('the mails about an event', 60_000, async () => {
    const left = await query(databaseUrl, waiting, [`%${eventId}%`, eventId]);
    return left.length === 0;
  });
  const mails = await mailsTo(address);
  return mails.filter(({ attachments }) =>
    attachments.some(({ contentType }) => contentType.includes('calendar')),
  );
}

function calendarEntry(mail: Mail | undefined) {
  const part = mail?.attachments.find(({ contentType }) => contentType.includes('calendar'));
  const calendar = new ICAL.Component(
    ICAL.parse(Buffer.from(part?.content ?? '', 'base64').toString('utf8')),
  );
  const entry = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined);
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: entry.uid,
    start: entry.startDate.toJSDate(),
    sequence: entry.sequence,
  };
}

const wholeSecond = (date: string) => new Date(Math.floor(Date.parse(date) / 1_000) * 1_000);

it('a registered member’s calendar follows an event through edits until its deletion, by email', async () => {
  const admin = await signedIn(administrator);
  const event = await createdEvent(admin);
  const { client, person } = await signedUp(url);
  for (let attempt = 0; attempt < 2; attempt += 1) await client.post(`/api/events/${event.id}/register`);
  const [confirmation, ...repeated] = await calendarMails(person.email, event.id);
  expect(repeated).toEqual([]);
  expect(confirmation?.subject).toContain(event.title);
  const entry = calendarEntry(confirmation);
  expect(entry).toMatchObject({ uid: calendarUid(event.id), start: wholeSecond(event.startDate) });

  for (const location of ['Hull', 'Sheffield'])
    await admin.expect(200, 'PUT', `/api/events/${event.id}`, { location });
  const edited = await calendarMails(person.email, event.id);
  expect(edited).toHaveLength(2);
  expect(edited[0]?.text).toContain('Sheffield');
  expect(edited[0]?.text).not.toContain('Hull');

  await admin.expect(204, 'DELETE', `/api/events/${event.id}`);
  const [cancellation, ...earlier] = await calendarMails(person.email, event.id);
  expect(earlier).toHaveLength(2);
  const last = calendarEntry(cancellation);
  expect(last).toMatchObject({ method: 'CANCEL', uid: entry.uid });
  expect(last.sequence).toBeGreaterThan(calendarEntry(edited[0]).sequence);
});
