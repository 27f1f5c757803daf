import { calendarUid, type Event } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import ICAL from 'ical.js';
import { ApiClient, createdEvent, eventFields, signedUp } from '../support/api-client.js';
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

describe('A member who registers', () => {
  const admin = new ApiClient(url);
  let event: Event;
  let address: string;

  beforeAll(async () => {
    await admin.signIn(administrator);
    event = await createdEvent(admin);
    const { client, person } = await signedUp(url);
    address = person.email;
    await client.post(`/api/events/${event.id}/register`);
    await client.post(`/api/events/${event.id}/register`);
  });

  it('gets one email with a calendar entry at the right time', async () => {
    const mails = await calendarMails(address, event.id);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toContain(event.title);
    expect(calendarEntry(mails[0])).toMatchObject({
      uid: calendarUid(event.id),
      start: wholeSecond(event.startDate),
    });
  });

  it('gets one email about two quick edits, with the final location', async () => {
    const edited = eventFields({ ...pick(event), location: 'Sheffield' });
    await admin.put(`/api/events/${event.id}`, { ...edited, location: 'Hull' });
    await admin.put(`/api/events/${event.id}`, edited);
    const mails = await calendarMails(address, event.id);
    expect(mails).toHaveLength(2);
    expect(mails[0]?.text).toContain('Sheffield');
    expect(mails[0]?.text).not.toContain('Hull');
  });

  it('gets an email that cancels the calendar entry when the event is deleted', async () => {
    const before = calendarEntry((await calendarMails(address, event.id))[0]);
    await admin.delete(`/api/events/${event.id}`);
    const mails = await calendarMails(address, event.id);
    expect(mails).toHaveLength(3);
    const entry = calendarEntry(mails[0]);
    expect(entry).toMatchObject({ method: 'CANCEL', uid: calendarUid(event.id) });
    expect(entry.sequence).toBeGreaterThan(before.sequence);
  });
});

const pick = ({ title, startDate, endDate, description, price, capacity }: Event) => ({
  title,
  startDate,
  endDate,
  description,
  price,
  capacity,
});
