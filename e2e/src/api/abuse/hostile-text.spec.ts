import type { Event } from '@meetmark/contracts';
import { type ApiClient, createdEvent } from '../../support/api-client.js';
import { theAdministrator, visitor } from '../support/people.js';

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
