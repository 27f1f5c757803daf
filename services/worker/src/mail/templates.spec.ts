import { writeFileSync } from 'node:fs';
import {
  AnnouncementMail,
  CodeMail,
  DigestMail,
  MessageMail,
  MessageTestMail,
  ProposalDecidedMail,
} from '@meetmark/contracts';
import { readCatalogues, type Texts } from '@meetmark/i18n/catalogues';
import { PALETTES } from '@meetmark/contracts/palette';
import {
  accountClosed,
  addressTaken,
  passwordChanged,
  secondFactor,
  testMail,
  welcome,
} from '../auth/account-mails.js';
import { dataExport } from '../data-export/data-export.js';
import { codeMail } from '../auth/code-mail.js';
import { emailChanged } from '../auth/email-changed-mail.js';
import {
  placeRemoved,
  promoted,
  registrationConfirmed,
  reminder,
  unregistered,
  waitlistDismissed,
  waitlistJoined,
} from '../events/booking-mails.js';
import { eventAnnounced } from '../events/announcements.js';
import { hostMessage } from '../events/host-messages.js';
import { weeklyDigest } from '../events/digest.js';
import { proposalDecided } from '../events/proposal-mails.js';
import { subscriptionConfirm } from '../events/subscription-mail.js';
import { coHostAsked, eventCancelled, eventChanged, namedInEvent } from '../events/notice-mails.js';
import { listMailJobs } from '../testing/mail-jobs.js';
import { mailWords } from './words.js';
import { LOCALES } from '@meetmark/i18n/locales';
import { markdown } from '@meetmark/platform/mail/blocks';
import { messageMail } from '@meetmark/platform/mail/message-mail';
import {
  defineTemplate,
  type MailContent,
  type MailFrame,
  renderHtml,
  renderText,
} from '@meetmark/platform/mail/content';

const { MAILS } = process.env;
const SITE = 'https://meet.example';
const MAP = 'https://www.openstreetmap.org/search?query=';
const CODE_PURPOSES = [
  ...(['verify', 'sign-in', 'reset', 'change-present', 'change-new'] as const),
  ...(['rsvp', 'rsvp-known', 'contact'] as const),
];
const frame: MailFrame = {
  communityName: 'Northern <Digital> & Co',
  supportEmail: 'a?cc=x@b.co',
  locale: 'en-US',
  brandPalettes: null,
  font: null,
  logoUrl: null,
  legalUrls: { terms: `${SITE}/terms` },
  homeUrl: `${SITE}/`,
  settingsUrl: `${SITE}/profile/notifications`,
  unsubscribeUrl: `${SITE}/unsubscribe?token=token`,
};

const buildMails = (typed: string, locale: string): Record<string, MailContent> => {
  const account = {
    locale,
    communityName: typed,
    supportEmail: typed,
    firstName: typed,
    homeUrl: `${SITE}/`,
    forgotPasswordUrl: `${SITE}/forgot-password`,
  };
  const event = {
    ...{ communityName: typed, firstName: typed, title: typed, about: typed },
    when: {
      text: 'Thursday, June 3, 2027, 6:00 PM',
      ...{ days: 'Thursday, June 3, 2027', hours: '6:00 PM', month: 'Jun', day: '3' },
    },
    place: { text: typed, name: typed, address: typed, note: typed, isOnline: false },
    directionsUrl: `${MAP}${encodeURIComponent(typed)}`,
    join: { url: `${SITE}/join`, note: typed },
    accessibility: typed,
    price: { amount: '£10', symbol: '£', howToPay: typed },
    waitingCount: 4,
    coverUrl: `${SITE}/media/share/1-1.jpg?shape=square`,
    code: { words: 'AbCdEfGh-JkLmNoPqRsT_v', cid: 'picture@code' },
    eventUrl: `${SITE}/events/1`,
    keepUrl: `${SITE}/events/1#keep-place`,
    calendarUrl: `${SITE}/events/1#add-to-calendar`,
    giveUpUrl: `${SITE}/events/1/give-up`,
    takeOverUrl: null,
    profileUrl: `${SITE}/profile/privacy`,
    homeUrl: `${SITE}/`,
    locale,
  };
  const code = { ...account, event: typed, code: '042137', lifetime: 10, url: `${SITE}/confirm#x` };
  const guest = { ...event, giveUpUrl: null, takeOverUrl: `${SITE}/events/1#take-over` };
  const next = [{ title: typed, when: event.when, place: typed, url: `${SITE}/events/2` }];
  const was = {
    ...{ title: typed, time: 'Friday, 6 PM', location: typed, online: null },
    ...{ accessibility: typed, price: '£8' },
  };
  const nothing = { title: null, time: null, location: null, online: null, accessibility: null, price: null };
  return {
    welcome: welcome({ ...account, passwordEnded: false }),
    welcomeAnew: welcome({ ...account, passwordEnded: true }),
    ...Object.fromEntries(
      CODE_PURPOSES.map((purpose) => [
        `code to ${purpose}`,
        codeMail({ ...code, purpose, url: purpose === 'contact' ? null : code.url }),
      ]),
    ),
    link: codeMail({ ...code, purpose: 'reset', event: null, code: null }),
    accountClosed: accountClosed({ ...account, when: 'now' }),
    addressTaken: addressTaken(account),
    passwordChanged: passwordChanged({ ...account, when: 'now', why: 'email-reverted' }),
    emailChanged: emailChanged({ ...account, revertUrl: `${SITE}/revert-email#x`, hours: 72 }),
    emailChangedByAdministrator: emailChanged({ ...account, revertUrl: null, hours: 72 }),
    dataExport: dataExport({ ...account, until: 'tomorrow', url: `${SITE}/profile/privacy` }),
    secondFactor: secondFactor({ ...account, change: 'added', factor: typed, when: 'now' }),
    registrationConfirmed: registrationConfirmed(event),
    guestConfirmed: registrationConfirmed(guest),
    placeRemoved: placeRemoved({ ...event, organisers: typed, waited: false, next }),
    waitingRemoved: placeRemoved({ ...event, organisers: null, waited: true, next: [] }),
    eventChanged: eventChanged({
      ...{ ...event, was },
      changed: ['time', 'location', 'online', 'accessibility', 'price', 'title', 'details'],
      notes: [typed],
    }),
    note: eventChanged({ ...event, was: nothing, changed: [], notes: [typed, typed] }),
    eventCancelled: eventCancelled({ ...event, waiting: false, page: true, organisers: typed, next }),
    eventDeleted: eventCancelled({ ...event, waiting: true, page: false, organisers: null, next: [] }),
    coHostAsked: coHostAsked(event),
    organiserMessage: messageMail(
      { ...event, place: typed, subject: typed, url: `${SITE}/events/1`, author: typed, toAuthor: true },
      'We meet **upstairs**.',
    ),
    hostMessage: hostMessage(
      { ...account, title: typed, name: typed, email: typed, url: `${SITE}/events/1` },
      'We meet upstairs.',
    ),
    proposalAccepted: proposalDecided({ ...account, proposed: typed, words: null, eventUrl: SITE }),
    proposalDeclined: proposalDecided({ ...account, proposed: typed, words: typed, eventUrl: null }),
    eventAnnounced: eventAnnounced({ ...event, topics: [typed, 'Search'] }),
    weeklyDigest: weeklyDigest({ ...account, isMember: true, fresh: next, own: next, nearlyFull: next }),
    digestOfVisitor: weeklyDigest({ ...account, isMember: false, fresh: next, own: [], nearlyFull: [] }),
    namedInEvent: namedInEvent({ ...event, role: 'speaker' }),
    promoted: promoted(event),
    waitlistJoined: waitlistJoined({ ...event, position: 3 }),
    reminder: reminder(event),
    unregistered: unregistered(event),
    waitlistDismissed: waitlistDismissed({ ...event, next }),
    subscriptionConfirm: subscriptionConfirm({
      ...{ communityName: typed, locale, topics: [typed, 'Search'], digest: true },
      confirmUrl: `${SITE}/subscribe/confirm#x`,
    }),
    test: testMail({ ...account, when: 'now' }),
  };
};

const built = new Map<string, Record<string, MailContent>>();

/** Returns an email with `typed` wherever people can enter text. */
function mail(name: string, typed: string, locale = 'en-US'): MailContent {
  const key = `${locale} ${typed}`;
  const mails = built.get(key) ?? buildMails(typed, locale);
  built.set(key, mails);
  return mails[name]!;
}

const NAMES = Object.keys(buildMails('x', 'en-US'));
const NAMED_OTHERWISE: Record<string, string> = {
  [CodeMail.name]: 'code to verify',
  [MessageMail.name]: 'organiserMessage',
  [MessageTestMail.name]: 'organiserMessage',
  [ProposalDecidedMail.name]: 'proposalAccepted',
  [AnnouncementMail.name]: 'eventAnnounced',
  [DigestMail.name]: 'weeklyDigest',
};

it('covers every kind of email that the worker sends', () => {
  const names = listMailJobs().map((name) => NAMED_OTHERWISE[name] ?? name.replace(/^\w+\./, ''));
  expect(NAMES).toEqual(expect.arrayContaining(names));
});

const linesIn = (name: string, locale: string) =>
  renderText(mail(name, 'x', locale), { ...frame, locale })
    .split('\n')
    .filter(
      (line) => /[a-z]{4}/i.test(line) && !/https?:|^Northern|^Thursday|^(> )?We meet|^Test: x/.test(line),
    );

const HOSTILE = {
  'a new header': 'Ann\r\nBcc: victim@example.com\r\n\r\nbody',
  'a script': '<script>alert(1)</script>',
  'an attribute': '"><img src=x onerror=alert(1)>',
  'an entity': '&lt;b&gt; &amp;',
  'a formula': '=cmd|/c calc!A1',
  'an address with a header': 'a?cc=x@b.co',
  'replacement patterns': "$& $1 $' $`",
};

describe.each(NAMES)('the email %s', (name) => {
  const harmless = mail(name, 'Zoë');
  const [harmlessHtml, harmlessText] = [renderHtml(harmless, frame), renderText(harmless, frame)];

  it('contains no English lines in German', () => {
    const english = new Set(linesIn(name, 'en-US'));
    const german = linesIn(name, 'de');
    expect(german).not.toEqual([]);
    expect(german.filter((line) => english.has(line))).toEqual([]);
    const subject = (locale: string) => mail(name, 'x', locale).subject;
    if (name !== 'organiserMessage') expect(subject('de')).not.toBe(subject('en-US'));
  });

  it.each(LOCALES)('names its language in HTML: %s', (locale) => {
    const html = renderHtml(mail(name, 'Search & Statistics', locale), { ...frame, locale });
    expect(html).toContain(`<html lang="${locale}">`);
    if (MAILS) writeFileSync(`${MAILS}/${name.replaceAll(/\W/g, '-')}-${locale}.html`, html);
  });

  it('greets the recipient and shows no undefined value in text and HTML', () => {
    const greeting = name === 'subscriptionConfirm' ? 'Hello,' : 'Hello Zoë';
    for (const part of [harmlessText, harmlessHtml]) {
      expect(part).toContain(greeting);
      expect(part).toContain('You');
      expect(part).not.toMatch(/undefined|null|NaN|\[object/);
    }
  });

  it.each(Object.entries(HOSTILE))('is not broken by user input with %s', (_, typed) => {
    const content = mail(name, typed);
    const html = renderHtml(content, frame);
    expect(content.subject).not.toMatch(/[\r\n]/);
    expect(html).not.toMatch(/<script|<img src=x|onerror=alert\(1\)>/);
    expect(listTags(html)).toEqual(listTags(harmlessHtml));
    expect(countLines(renderText(content, frame))).toBe(countLines(harmlessText));
    expect(extractWords(html)).toContain(typed.replaceAll(/\s+/g, ' '));
  });

  it('keeps emoji and right-to-left text but drops direction overrides', () => {
    const html = renderHtml(mail(name, '🦊 \u202Eevil\u202C שלום'), frame);
    expect(html).toContain('\u2068🦊 evil שלום\u2069');
    expect(html).not.toMatch(/[\u202a-\u202e]/);
  });

  it('links only to our site, a map, attached images and the support email', () => {
    const html = renderHtml(mail(name, 'https://evil.example'), frame);
    const targets = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
    const elsewhere = targets.filter(
      (target) => !target.startsWith(SITE) && !target.startsWith(MAP) && !target.startsWith('cid:'),
    );
    expect(elsewhere).toEqual(['mailto:a%3Fcc=x@b.co']);
  });

  it('repeats the headings, bold text and links of the HTML in plain text', () => {
    for (const [, words = ''] of harmlessHtml.matchAll(/<(?:h1|h2|b|s)(?: [^>]*)?>([^<]*)</g))
      expect(harmlessText).toContain(plainWords(words));
    const links = [...harmlessHtml.matchAll(/<a\s+href="(https[^"]*)"/g)].map(([, url = '']) =>
      plainWords(url),
    );
    expect(links.length).toBeGreaterThan(0);
    for (const url of links) if (url !== frame.homeUrl) expect(harmlessText).toContain(url);
  });
});

it('an email text throws if an argument is missing, and ignores unknown arguments', () => {
  const words = mailWords('en-US');
  // @ts-expect-error `subject` is missing
  expect(() => words.testOf({})).toThrow('a text has no subject');
  // @ts-expect-error `title` isn't an argument of the text
  expect(words.testOf({ subject: 'Hello', title: 'Hello' })).toBe('Test: Hello');
});

it.each(['organiserMessage', 'eventCancelled', 'weeklyDigest'])(
  '%s keeps the start time on one line and shows the venue after it',
  (name) => {
    const html = renderHtml(mail(name, 'The Mill'), frame).replaceAll(/\s+/g, ' ');
    expect(html).toMatch(
      />Thursday, June 3, 2027, <span style="display:inline-block;">6:00 PM<\/span><br \/>The Mill</,
    );
    expect(renderText(mail(name, 'The Mill'), frame)).toMatch(
      /^Thursday, June 3, 2027, 6:00 PM · The Mill$/m,
    );
  },
);

it('an email template throws when a variable is missing, but accepts null', () => {
  const template = defineTemplate<{ venue: string | null }>('sample', ({ venue }) => ({
    ...mail('reminder', 'x'),
    preview: venue ?? 'nowhere',
  }));
  expect(() => template({} as { venue: null })).toThrow('template sample needs the variable venue');
  expect(template({ venue: null })).toMatchObject({ preview: 'nowhere' });
});

describe('Markdown in emails', () => {
  const shown = (words: string) =>
    markdown(words).html.source.replaceAll(/\s+(style|class|dir)="[^"]*"|\s*\n\s*/g, '');

  it.each([
    ['**bold** and *leaning*', '<b>bold</b> and <em>leaning</em>'],
    ['one\ntwo\n\nthree', 'one<br />two</p>'],
    ['### A heading', '<h2>A heading</h2>'],
    ['- a\n- b', '<li><div>a</div></li>'],
    ['3. c', '<ol start="3">'],
    ['> said', '<blockquote><p>said</p></blockquote>'],
    ['[site](https://a.example/?b=1&c=2)', '<a href="https://a.example/?b=1&amp;c=2">site</a>'],
    ['https://a.example', '<a href="https://a.example">https://a.example</a>'],
    ['a ~~b~~ `c`', 'a <s>b</s> <code>c</code>'],
  ])('renders the Markdown %j as HTML', (words, expected) => {
    expect(shown(words)).toContain(expected);
  });

  it.each([
    ['<script>alert(1)</script>'],
    ['<b onclick=alert(1)>x</b>'],
    ['[x](javascript:alert(1))'],
    ['[x](data:text/html,<script>alert(1)</script>)'],
    ['![x](https://evil.example/pixel.png)'],
    ['[x](https://a.example/"onmouseover=alert(1))'],
    ['[x]: javascript:alert(1)\n\n[x]'],
    ['&lt;script&gt;'],
    [`${'>'.repeat(9_000)} deep`],
  ])('produces no unsafe HTML from the Markdown %.40j', (words) => {
    const html = shown(words);
    expect(html).not.toMatch(/<(script|img|b )|href="(javascript|data)|" ?on\w+=/i);
    expect(new Set(listTags(html)?.filter((tag) => !/^<\/?(div|p|a|blockquote)$/.test(tag)))).toEqual(
      new Set(),
    );
  });
});

/**
 * Matches phrases that SpamAssassin's rule `__END_FUTURE_EMAILS` treats as a false promise to unsubscribe.
 * Omits phrases that can't occur in our texts.
 */
const HOLLOW_PROMISE =
  /\b(?:end|stop|cease|discontinue|removed?|not (?:wish|want|like) to|prefer not to|exclude yourself|fore?go)[- ](?:get |receiv(?:ing|e) |or )?(?:these|our|(?:any )?(?:future|further)) (?:(?:e|ad)?-?mail(?:ing)?|message|alert|notice)s?\b/i;

it.each(Object.entries(readCatalogues()))('the email texts in %s contain no spam phrases', (_, all) => {
  const listTexts = (words: Texts): string[] =>
    typeof words === 'string' ? [words] : Object.values(words).flatMap(listTexts);
  expect('Stop these mails').toMatch(HOLLOW_PROMISE);
  const texts = [all['mail-frame'], all['mails']].flatMap((words) => listTexts(words ?? []));
  expect(texts.filter((text) => HOLLOW_PROMISE.test(text))).toEqual([]);
});

describe('the email frame', () => {
  const content = mail('reminder', 'Ann');

  it('shows the unsubscribe link in text and HTML if there is one', () => {
    expect(renderText(content, frame)).toContain(`Unsubscribe from these emails: ${frame.unsubscribeUrl}`);
    expect(renderHtml(content, frame)).toContain(`href="${frame.unsubscribeUrl}"`);
    const account = { ...frame, unsubscribeUrl: null };
    expect(renderText(content, account) + renderHtml(content, account)).not.toContain('Unsubscribe');
  });

  it('links only to existing legal pages, in the language of the email', () => {
    for (const render of [renderText, renderHtml]) {
      expect(render(content, frame)).toContain(`${SITE}/terms`);
      expect(render(content, frame)).toContain('Terms of Service');
      expect(render(content, { ...frame, locale: 'de' })).toContain('Nutzungsbedingungen');
      expect(render(content, frame)).not.toContain('Privacy Policy');
      expect(render(content, { ...frame, legalUrls: {} })).not.toContain('Terms of Service');
    }
  });

  it('links to the email settings only for account holders', () => {
    const [settings, stranger] = ['Your email settings', { ...frame, settingsUrl: null }];
    for (const render of [renderText, renderHtml]) {
      expect(render(content, frame)).toContain(settings);
      expect(render(content, stranger)).not.toMatch(new RegExp(`${settings}|profile|null`));
    }
  });

  it('has colours for light and dark mode', () => {
    const html = renderHtml(content, frame);
    expect(html).toContain('@media (prefers-color-scheme:dark){.page{');
    expect(html).toContain(`[data-ogsb] .card{background-color:${PALETTES.dark.surface}!important;}`);
    expect(html).toContain(`[data-ogsc] .soft{color:${PALETTES.dark.inkSoft}!important;}`);
    expect(html).toContain('background-color:#ffffff');
  });

  it('uses only the colours of the web application', () => {
    const palette = colours(JSON.stringify(PALETTES));
    expect([...colours(renderHtml(content, frame))].filter((colour) => !palette.has(colour))).toEqual([]);
  });
});

const colours = (text: string) => new Set(text.match(/#[0-9a-f]{6}\b/g));
const listTags = (html: string) => html.match(/<\/?[a-z]+/g);
const countLines = (text: string) => text.split('\n').length;

const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", middot: '·' };

const plainWords = (html: string) =>
  html
    .replaceAll(/&([^;]+);/g, (_, name: string) => CHARACTERS[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const extractWords = (html: string) =>
  plainWords(
    html
      .replaceAll(/<style\b[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, ' ')
      .replaceAll(/<img\s[^>]*?\balt="([^"]*)"[^>]*>/g, ' $1 ')
      .replaceAll(/<[^>]*>/g, ' '),
  );
