import type { EventPage } from '@meetmark/contracts';
import { inTurns } from '@meetmark/testing';
import { type ApiClient, createdEvent } from '../../support/api-client.js';
import { mailTo } from '../../support/mailbox.js';
import { aMember, type Person, theAdministrator, visitor } from '../support/people.js';

const DATES = { startDate: '2031-05-01T17:00:00.000Z', endDate: '2031-05-01T19:00:00.000Z' };
const START = DATES.startDate;

/**
 * Text that would be executed or interpreted if it were inserted into markup, scripts, SQL, templates or
 * formulas.
 */
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
  'javascript:alert(1)',
  '[press](javascript:alert(1))',
  '![x](x"onerror="alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[a](https://x.example/"onmouseover="alert(1))',
  '<a href="javascript:alert(1)">x</a>',
];
let administrator: ApiClient;
let member: Person;
beforeAll(async () => {
  [administrator, member] = [await theAdministrator(), await aMember()];
});

const saying = (text: string) => ({
  ...DATES,
  ...{
    title: text,
    description: `Words ${text}`,
    descriptionFormat: 'markdown' as const,
    location: text,
    price: '5',
  },
  paymentNote: text,
  venue: { name: text, address: text, note: text, mapUrl: 'https://map.example' },
  onlineUrl: 'https://meet.example/room',
  onlineNote: text,
  accessibility: text,
  agenda: [{ startsAt: START, endsAt: null, title: text, note: text }],
  speakers: [{ name: text, role: text, bio: text, linkUrl: 'https://speaker.example' }],
  resources: [{ title: text, url: 'https://slides.example' }],
  recap: text,
  questions: [{ kind: 'choice' as const, label: text, options: [text, 'Other'] }],
});

async function fetchPage({ id }: { id: string }) {
  const response = await fetch(`${administrator.url}/events/${id}`, { headers: { accept: 'text/html' } });
  expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
  return response.text();
}

async function mailAbout(text: string, number: number) {
  const { id } = await createdEvent(administrator, { ...saying(text), title: `${text} ${number}` });
  await member.client.expect(201, 'POST', `/api/events/${id}/register`);
  return mailTo(member.person.email, new RegExp(`^You are registered: .* ${number}$`, 's'));
}

/** HTML that our Markdown renderer writes for a safe link. */
const WRITTEN_LINK = /<a href="https?:\/\/[^"<>]*" target="_blank" rel="noopener noreferrer nofollow">/g;
const extractShape = (html: string) =>
  html
    .replaceAll(WRITTEN_LINK, '')
    .replaceAll(/(<script type="application\/(?:ld\+)?json"[^>]*>).*?(?=<\/script>)/gs, '$1')
    .match(/<[a-z](?:[^>"]|"[^"]*")*>/gi)
    ?.map((element) => element.replaceAll(/"[^"]*"/g, '""'));
const LEADS_ASTRAY = /(href|src)="?(javascript|data):/i;

describe('hostile text', () => {
  let usual: ReturnType<typeof extractShape>;
  beforeAll(async () => {
    usual = extractShape(await fetchPage(await createdEvent(administrator, saying('Words'))));
  });

  it.each(PAYLOADS)('stays plain text on the event page and in its structured data: %j', async (payload) => {
    const event = await createdEvent(administrator, saying(payload));
    const { title, content } = (await visitor().get<EventPage>(`/api/events/${event.id}`)).body;
    const { venue, agenda, speakers, resources, recap } = content;
    const typed = [title, venue!.name, venue!.address, venue!.note, agenda[0]!.title, agenda[0]!.note, recap];
    const people = [speakers[0]!.name, speakers[0]!.role, speakers[0]!.bio, resources[0]!.title];
    expect(new Set([...typed, ...people])).toEqual(new Set([payload]));
    const html = await fetchPage(event);
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)!;
    expect(JSON.parse(data)).toMatchObject({
      name: payload,
      location: { name: payload, address: payload },
      performer: [{ name: payload, jobTitle: payload }],
      subEvent: [{ name: payload, description: payload }],
    });
    if (/[<>]/.test(payload)) expect(html).not.toContain(payload);
    expect(html).not.toMatch(LEADS_ASTRAY);
    expect(extractShape(html)).toEqual(usual);
  });

  it('stays plain text in emails about the event', async () => {
    const [safe, ...hostile] = await inTurns(['Words', ...PAYLOADS], 4, mailAbout);
    for (const [index, { html, text }] of hostile.entries()) {
      const payload = PAYLOADS[index]!;
      expect(text).toContain(payload);
      expect(html).not.toMatch(LEADS_ASTRAY);
      expect([payload, extractShape(html)]).toEqual([payload, extractShape(safe!.html)]);
    }
  });
});
