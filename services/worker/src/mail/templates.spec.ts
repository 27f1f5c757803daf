import { PALETTES } from '@meetmark/contracts/palette';
import { test as testMail } from '../admin/test-mail.js';
import { addressTaken } from '../auth/address-taken-mail.js';
import { codeMail } from '../auth/code-mail.js';
import { emailChanged } from '../auth/email-changed-mail.js';
import { passwordChanged } from '../auth/password-changed-mail.js';
import { secondFactor } from '../auth/second-factor-mail.js';
import { welcome } from '../auth/welcome-mail.js';
import { eventCancelled } from '../events/event-cancelled-mail.js';
import { eventChanged } from '../events/event-changed-mail.js';
import { promoted } from '../events/promoted-mail.js';
import { registrationConfirmed } from '../events/registration-confirmed-mail.js';
import { reminder } from '../events/reminder-mail.js';
import { unregistered } from '../events/unregistered-mail.js';
import { namedInEvent } from '../events/named-in-event-mail.js';
import { waitlistDismissed } from '../events/waitlist-dismissed-mail.js';
import { defineTemplate, type MailContent } from './content.js';
import { type MailFrame, renderHtml, renderText } from './render.js';

const SITE = 'https://meet.example';
const frame: MailFrame = {
  communityName: 'Northern <Digital> & Co',
  supportEmail: 'a?cc=x@b.co',
  locale: 'en-US',
  settingsUrl: `${SITE}/profile`,
  unsubscribeUrl: `${SITE}/unsubscribe?token=token`,
};

/** Every mail there is, with the same text wherever somebody can have typed it. */
const mailsWith = (typed: string): Record<string, MailContent> => {
  const person = { communityName: typed, firstName: typed };
  const event = {
    ...person,
    title: typed,
    location: typed,
    when: 'Thursday, 6 PM',
    eventUrl: `${SITE}/events/1`,
    giveUpUrl: `${SITE}/events/1/give-up`,
    homeUrl: `${SITE}/`,
    locale: 'en-US',
  };
  const home = { homeUrl: `${SITE}/` };
  const forgot = { forgotPasswordUrl: `${SITE}/forgot-password` };
  return {
    welcome: welcome({ ...person, ...home, ...forgot, passwordEnded: false }),
    welcomeAnew: welcome({ ...person, ...home, ...forgot, passwordEnded: true }),
    ...Object.fromEntries(
      (['verify', 'keep', 'sign-in', 'reset', 'change-present', 'change-new'] as const).map((purpose) => [
        `code to ${purpose}`,
        codeMail({ ...person, purpose, code: '042137', lifetime: 10, url: `${SITE}/confirm#x` }),
      ]),
    ),
    link: codeMail({ ...person, purpose: 'reset', code: null, lifetime: 10, url: `${SITE}/confirm#x` }),
    addressTaken: addressTaken({ ...person, ...forgot }),
    passwordChanged: passwordChanged({
      ...person,
      when: 'now',
      why: 'email-reverted',
      ...forgot,
      supportEmail: typed,
    }),
    emailChanged: emailChanged({
      ...person,
      supportEmail: typed,
      revertUrl: `${SITE}/revert-email#x`,
      hours: 72,
    }),
    emailChangedByAdministrator: emailChanged({ ...person, supportEmail: typed, revertUrl: null, hours: 72 }),
    secondFactor: secondFactor({
      ...{ ...person, ...forgot, supportEmail: typed },
      change: 'added',
      factor: typed,
      when: 'now',
    }),
    registrationConfirmed: registrationConfirmed(event),
    eventChanged: eventChanged({
      ...event,
      changed: ['time', 'location', 'online', 'price', 'title', 'details'],
      now: { title: typed, time: 'Thursday, 6 PM', location: typed, online: 'another one', price: 'Free' },
      was: { title: typed, time: 'Friday, 6 PM', location: typed, online: 'none', price: '£10' },
      notes: [typed],
    }),
    eventCancelled: eventCancelled({ ...event, waiting: false, page: true, reason: typed }),
    eventDeleted: eventCancelled({ ...event, waiting: true, page: false, reason: null }),
    namedInEvent: namedInEvent({ ...event, role: 'speaker' }),
    promoted: promoted(event),
    reminder: reminder(event),
    unregistered: unregistered(event),
    waitlistDismissed: waitlistDismissed(event),
    test: testMail({ ...person, when: 'now' }),
  };
};
const NAMES = Object.keys(mailsWith('x'));
const mail = (name: string, typed: string): MailContent => {
  const content = mailsWith(typed)[name];
  if (content === undefined) throw new Error(name);
  return content;
};

const HOSTILE = {
  'a new header': 'Ann\r\nBcc: victim@example.com\r\n\r\nbody',
  'a script': '<script>alert(1)</script>',
  'an attribute': '"><img src=x onerror=alert(1)>',
  'an entity': '&lt;b&gt; &amp;',
  'a formula': '=cmd|/c calc!A1',
  'an address that carries a header': 'a?cc=x@b.co',
  'replacement patterns': "$& $1 $' $`",
};

describe.each(NAMES)('the mail %s', (name) => {
  it('says who it is for and why it came, in both parts', () => {
    const content = mail(name, 'Zoë');
    for (const part of [renderText(content, frame), renderHtml(content, frame)]) {
      expect(part).toContain('Hello Zoë');
      expect(part).toContain('You');
      expect(part).not.toMatch(/undefined|null|NaN|\[object/);
    }
  });

  it.each(Object.entries(HOSTILE))('is not broken by %s that somebody typed', (_, typed) => {
    const content = mail(name, typed);
    const html = renderHtml(content, frame);
    expect(content.subject).not.toMatch(/[\r\n]/);
    expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
    expect(tagsOf(html)).toEqual(tagsOf(renderHtml(mail(name, 'Zoë'), frame)));
    expect(linesOf(renderText(content, frame))).toBe(linesOf(renderText(mail(name, 'Zoë'), frame)));
    expect(wordsOf(html)).toContain(typed.replaceAll(/\s+/g, ' '));
  });

  it('keeps emoji and right-to-left text whole, and drops marks that would turn the words around', () => {
    const html = renderHtml(mail(name, '🦊 \u202Eevil\u202C שלום'), frame);
    expect(html).toContain('\u2068🦊 evil שלום\u2069');
    expect(html).not.toMatch(/[\u202a-\u202e]/);
  });

  it('points to our own site only', () => {
    const html = renderHtml(mail(name, 'https://evil.example'), frame);
    const targets = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target);
    expect(targets.filter((target) => !target?.startsWith(SITE))).toEqual(['mailto:a%3Fcc=x@b.co']);
  });
});

describe('a template', () => {
  const template = defineTemplate<{ firstName: string; location: string | null }>('sample', (variables) => ({
    subject: variables.firstName,
    preview: variables.location ?? 'nowhere',
    blocks: [],
    reason: '',
  }));

  it('cannot be rendered with a variable missing, whatever the compiler was told', () => {
    expect(() => template({ location: null } as Parameters<typeof template>[0])).toThrow(
      'template sample needs the variable firstName',
    );
  });

  it('takes null where its type allows it', () => {
    expect(template({ firstName: 'Ann', location: null })).toMatchObject({ preview: 'nowhere' });
  });
});

describe('the frame', () => {
  const content = mail('reminder', 'Ann');

  it('offers to stop the mail in both parts, if it can be stopped', () => {
    expect(renderText(content, frame)).toContain(`Stop these mails: ${frame.unsubscribeUrl}`);
    expect(renderHtml(content, frame)).toContain(`href="${frame.unsubscribeUrl}"`);
    const account = { ...frame, unsubscribeUrl: null };
    expect(renderText(content, account) + renderHtml(content, account)).not.toContain('Stop these mails');
  });

  it('has colours for light and for dark', () => {
    const html = renderHtml(content, frame);
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).toContain('background-color:#ffffff');
  });

  it('has the colours of the web application and no others', () => {
    const palette = colours(JSON.stringify(PALETTES));
    expect([...colours(renderHtml(content, frame))].filter((colour) => !palette.has(colour))).toEqual([]);
  });
});

const colours = (text: string) => new Set(text.match(/#[0-9a-f]{6}\b/g));
const tagsOf = (html: string) => html.match(/<\/?[a-z]+/g);
const linesOf = (text: string) => text.split('\n').length;

const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", middot: '·' };

/** The words of an HTML part as a reader sees them. */
const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&([^;]+);/g, (_, name: string) => CHARACTERS[name] ?? '')
    .replaceAll(/\s+/g, ' ');
