import type { Attendee, ErrorBody, Event, User } from '@meetmark/contracts';
import { type ApiClient, createdEvent, newcomer } from '../../support/api-client.js';
import { mailTo } from '../../support/mailbox.js';
import { aMember, theAdministrator, visitor } from '../support/people.js';

/** Text that becomes something else where it is put together with markup, scripts, SQL, templates or formulas. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "';alert(1)//",
  '</title><svg onload=alert(1)>',
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '{{constructor.constructor("alert(1)")()}}',
  '${7*7}',
  '%3Cscript%3E',
  '&lt;b&gt;',
  "' OR '1'='1",
  "Robert'); DROP TABLE users;--",
  '=HYPERLINK("https://evil.example")',
  '\u202eevil',
  'javascript:alert(1)',
];
let administrator: ApiClient;
beforeAll(async () => {
  administrator = await theAdministrator();
}, 60_000);

describe.each(PAYLOADS)('%j', (payload) => {
  it('as an event is text to whoever reads it', async () => {
    const event = await createdEvent(administrator, {
      title: payload,
      description: payload,
      location: payload,
    });
    const read = await visitor().get<Event>(`/api/events/${event.id}`);
    expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([read.body.title, read.body.description, read.body.location]).toEqual([payload, payload, payload]);
    const page = await fetch(`${administrator.url}/events/${event.id}`, { headers: { accept: 'text/html' } });
    const html = await page.text();
    const scripts = [...html.matchAll(/<script[^>]*type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)];
    expect(JSON.parse(scripts[0]![1]!)).toMatchObject({ name: payload, description: payload });
    if (/[<>]/.test(payload)) expect(html).not.toContain(payload);
    expect(html).not.toMatch(/<(svg|img)[^>]*\bon\w+=/i);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
    await administrator.delete(`/api/events/${event.id}`);
  });
});

describe('a name', () => {
  it('is text to administrators and to other members', async () => {
    const event = await createdEvent(administrator);
    for (const payload of PAYLOADS) {
      const { client } = await aMember(payload);
      await client.post(`/api/events/${event.id}/register`);
    }
    const { body } = await (await aMember()).client.get<Attendee[]>(`/api/events/${event.id}/attendees`);
    expect(body.map(({ firstName }) => firstName).toSorted()).toEqual(PAYLOADS.toSorted());
  }, 60_000);
});

describe('a LinkedIn address', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.org',
    '//evil.example',
    'https://user:secret@evil.example',
    'https:// evil.example',
    'linkedin.com/in/nora',
  ])('is never %j', async (linkedInUrl) => {
    const { status, body } = await visitor().post<ErrorBody>('/api/register', { ...newcomer(), linkedInUrl });
    expect([status, Object.keys(body.details?.fields ?? {})]).toEqual([400, ['linkedInUrl']]);
  });

  it('is stored as browsers read it', async () => {
    const { body } = await visitor().post<User>('/api/register', {
      ...newcomer(),
      linkedInUrl: 'HTTPS://WWW.LinkedIn.com/in/"nora"',
    });
    expect(body.linkedInUrl).toBe('https://www.linkedin.com/in/%22nora%22');
  });
});

describe('a line break', () => {
  it.each([
    ['firstName', 'Nora\r\nBcc: all@example.org'],
    ['lastName', 'Newcomer\nX: y'],
    ['firstName', 'Nora\u2028Bcc: all@example.org'],
    ['firstName', 'Nora\u0007'],
    ['email', 'nora@example.org\r\nBcc: all@example.org'],
    ['email', 'nora@example.org, all@example.org'],
    ['email', '"nora@example.org" <all@example.org>'],
  ])('cannot be in %s: %j', async (field, value) => {
    const { status, body } = await visitor().post<ErrorBody>('/api/register', {
      ...newcomer(),
      [field]: value,
    });
    expect([status, Object.keys(body.details?.fields ?? {})]).toEqual([400, [field]]);
  });

  it('in no form makes a mail go to anybody else', async () => {
    const email = `a?cc=x@b.co&${crypto.randomUUID()}@example.org`.replace('@b.co', '%40b.co');
    const person = { ...newcomer('<b>Nora</b>', 'O"Hara <x@b.co>'), email };
    expect((await visitor().post('/api/register', person)).status).toBe(201);
    const mail = await mailTo(email, /./);
    expect(mail.to).toContain(email);
    expect(JSON.stringify(mail.headers)).not.toMatch(/"(cc|bcc)"/i);
    expect(mail.html).not.toContain('<b>Nora</b>');
  });
});
