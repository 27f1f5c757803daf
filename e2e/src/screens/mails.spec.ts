import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import {
  AccountClosedMail,
  AddressTakenMail,
  allJobs,
  AnnouncementMail,
  CodeMail,
  DataExportMail,
  DigestMail,
  EmailChangedMail,
  type Event,
  EventCancelledMail,
  HostMessageMail,
  EventChanged,
  EventChangedMail,
  type Job,
  type MailPreferences,
  MessageMail,
  MessageTestMail,
  NamedInEventMail,
  PasswordChangedMail,
  type PayloadOf,
  PlaceRemovedMail,
  PromotedMail,
  ProposalDecidedMail,
  RegistrationConfirmedMail,
  ReminderMail,
  SecondFactorMail,
  SendAnnouncement,
  SendMessage,
  SubscriptionConfirmMail,
  TestMail,
  UnregisteredMail,
  type User,
  WaitlistDismissedMail,
  WaitlistJoinedMail,
  WelcomeMail,
} from '@meetmark/contracts';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { answered, ApiClient, createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { PHONE, resize } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { query } from '../support/database.js';
import { type Mail, mailTo, shownHtml } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

const { SCREENSHOTS } = process.env;
const { url, databaseUrl, administrator } = sharedStack();
const JOIN = 'https://video.example/room';
const MAP = 'https://www.openstreetmap.org/search?query=';

const DESCRIBED = {
  description:
    'Every dashboard says something else. Three practitioners show how they measure now: media mix models on a laptop, honest holdout tests, and the questions that they stopped asking.\n\nBring your own numbers: after the talks there is time to look at them together, in groups of four, with somebody who has done it before.',
};

const WRITTEN = {
  subject: 'A warmer room, and what to bring',
  body: 'Good news: we have **the large room** on the second floor, with heating.\n\n### What to bring\n\n- a laptop with _your own_ numbers\n- something to write with\n\n1. Ring at the blue door\n2. Take the lift\n\n> Doors open at six.\n\nSee you there!',
  segment: 'registered',
} as const;

type Four = [Person, Person, Person, Person];
type Person = ReturnType<typeof newcomer>;
const FAN_OUTS = [EventChanged, SendMessage, SendAnnouncement].map(({ name }) => name);
const ALL_LISTS = {
  ...{ eventUpdates: true, reminders: true, messages: true },
  ...{ announcements: true, digest: true },
};

describe('Meetmark', () => {
  const admin = new ApiClient(url);
  const member = new ApiClient(url);
  const person = newcomer('Linda');
  const { visit } = browserForTests();
  let user: User;
  let event: Event;
  let registration: { id: string; registeredAt: string };
  const mails = new Map<string, Mail>();

  const ask = <J extends Job>(outbox: 'auth' | 'events', job: J, payload: PayloadOf<J>) =>
    query(databaseUrl, `INSERT INTO ${outbox}.outbox (id, job, payload) VALUES (gen_random_uuid(), $1, $2)`, [
      job.name,
      payload,
    ]);
  const takenFlow = async () => {
    const flowId = randomUUID();
    await query(
      databaseUrl,
      `INSERT INTO auth.code_flows (id, purpose, email, link_hash, mail_at, expires_at, link_expires_at)
       VALUES ($1::uuid, 'change-new', $2, sha256($1::text::bytea), now(), now(), now())`,
      [flowId, person.email],
    );
    return flowId;
  };
  const register = async (id: string) =>
    (await member.post<{ registration: typeof registration }>(`/api/events/${id}/register`)).body
      .registration;

  /**
   * Requests a change of the email address. Without a password in `proof`, the change must first be confirmed
   * from the current address.
   */
  const changeAddress = (proof: object) => {
    const { firstName, lastName } = person;
    return member.expect(200, 'PUT', '/api/user/profile', {
      firstName,
      lastName,
      email: moving.email,
      ...proof,
    });
  };
  const [stranger, coming, moving, reader] = ['Sam', 'Vera', 'Mo', 'Rea'].map((name) =>
    newcomer(name),
  ) as Four;
  const leaver = newcomer('Lea');
  const writer = newcomer('Vera').email;
  const ask202 = (client: ApiClient, path: string, body: object) => client.expect(202, 'POST', path, body);

  const added = async (guest: { email: string }) =>
    (
      await admin.post<{ id: string }>(`/api/admin/events/${event.id}/guests`, {
        ...{ name: 'Grace', raiseCapacity: true },
        ...guest,
      })
    ).body;

  /** Puts the member on the waiting list of a new event. Returns the event's id. */
  const waitFor = async (title: string) => {
    const { id } = await createdEvent(admin, { title, capacity: 1, waitlistEnabled: true });
    await admin.post(`/api/events/${id}/register`);
    await member.post(`/api/events/${id}/register`, { waitlist: true });
    return id;
  };
  const decide = async (title: string, { words, eventId }: { words?: string; eventId?: string }) => {
    const [proposal] = await query<{ id: string }>(
      databaseUrl,
      `INSERT INTO events.proposals (id, proposer_id, title, start_date, end_date, decided_at, words, event_id)
       VALUES (gen_random_uuid(), $1, $2, now() + interval '9 days', now() + interval '10 days', now(), $3, $4)
       RETURNING id`,
      [user.id, title, words, eventId],
    );
    await ask('events', ProposalDecidedMail, { userId: user.id, proposalId: proposal!.id });
  };
  const listTopics = async () =>
    (await member.get<{ id: string }[]>('/api/topics')).body.slice(0, 2).map(({ id }) => id);

  const KINDS: Record<string, [make: () => Promise<unknown>, subject: RegExp, to?: string]> = {
    [WelcomeMail.name]: [() => Promise.resolve('the account was made'), /^Welcome/],
    [CodeMail.name]: [() => member.post('/api/forgot-password', { email: person.email }), /reset code/],
    'mail.code.sign-in': [
      () => ask202(new ApiClient(url), '/api/sign-in-code', { email: person.email }),
      /sign-in code$/,
    ],
    'mail.code.verify': [() => new ApiClient(url).signUp(stranger), /^Confirm your email/, stranger.email],
    'mail.code.rsvp': [
      () => ask202(new ApiClient(url), `/api/events/${event.id}/rsvp`, { ...coming, password: undefined }),
      /^Your registration code/,
      coming.email,
    ],
    'mail.code.rsvp-known': [
      () => ask202(new ApiClient(url), `/api/events/${event.id}/rsvp`, { ...person, password: undefined }),
      /^Your registration code/,
    ],
    'mail.code.contact': [
      () => ask202(new ApiClient(url), `/api/events/${event.id}/host-messages/code`, { email: writer }),
      /^Your code for a message/,
      writer,
    ],
    'mail.code.change-present': [() => changeAddress({}), /^Confirm the change of your .+ email address$/],
    'mail.code.change-new': [
      () => changeAddress({ currentPassword: person.password }),
      /^Confirm your new email address/,
      moving.email,
    ],
    [PasswordChangedMail.name]: [
      () => ask('auth', PasswordChangedMail, { userId: user.id, at: new Date().toISOString() }),
      /password was changed/,
    ],
    [SecondFactorMail.name]: [
      () =>
        ask('auth', SecondFactorMail, {
          ...{ userId: user.id, change: 'added', factor: 'Telephone' },
          at: new Date().toISOString(),
        }),
      /second factor/,
    ],
    [EmailChangedMail.name]: [
      () => ask('auth', EmailChangedMail, { userId: user.id, oldEmail: person.email }),
      /email address was changed/,
    ],
    [AccountClosedMail.name]: [
      async () => {
        const { client } = await signedUp(url, leaver);
        await client.expect(204, 'DELETE', '/api/user');
      },
      /account is closed/,
      leaver.email,
    ],
    [AddressTakenMail.name]: [
      async () => ask('auth', AddressTakenMail, { userId: user.id, flowId: await takenFlow() }),
      /^You have an account/,
    ],
    [DataExportMail.name]: [() => member.expect(202, 'POST', '/api/user/export'), /^Your .+ data is ready$/],
    [TestMail.name]: [() => ask('auth', TestMail, { userId: user.id }), /^Test email/],
    [RegistrationConfirmedMail.name]: [
      async () => (registration = await register(event.id)),
      /^You are registered: Attribution/,
    ],
    [PromotedMail.name]: [
      async () => {
        await admin.post(`/api/events/${event.id}/register`, { waitlist: true });
        const { id: registrationId, registeredAt } = registration;
        await ask('events', PromotedMail, { registrationId, registeredAt });
      },
      /^You have a place/,
    ],
    [ReminderMail.name]: [
      () => ask('events', ReminderMail, { registrationId: registration.id, startDate: event.startDate }),
      /^Coming up/,
    ],
    [EventChangedMail.name]: [
      () =>
        ask('events', EventChangedMail, {
          eventId: event.id,
          userId: user.id,
          sequence: 1,
          changed: ['time', 'location', 'price', 'title'],
          before: {
            title: 'Attribution',
            time: JSON.stringify(['2031-05-01T17:00:00.000Z', '2031-05-01T19:00:00.000Z', false]),
            location: JSON.stringify(['online', null]),
            price: JSON.stringify(null),
          },
          notes: ['The hall is warmer, and it has a lift.'],
        }),
      /^Changed/,
    ],
    'mail.note': [
      () =>
        ask('events', EventChangedMail, {
          ...{ eventId: event.id, userId: user.id, sequence: 1, changed: [] },
          notes: ['Bring a jumper: the heating is being mended.'],
        }),
      /^About/,
    ],
    [EventCancelledMail.name]: [
      () =>
        ask('events', EventCancelledMail, {
          userId: user.id,
          event: { ...event, sequence: 1, page: true, reason: 'Our speaker is ill. We look for a new date.' },
        }),
      /^Canceled/,
    ],
    [NamedInEventMail.name]: [
      () => createdEvent(admin, { title: 'Workshop: search', hosts: [user.id] }),
      /^You were named as a host/,
    ],
    'mail.co-host': [
      () =>
        createdEvent(admin, {
          title: 'Workshop: drafts',
          status: 'draft',
          ...{ hosts: [user.id], coHosts: [user.id] },
        }),
      /^Invitation to co-host/,
    ],
    'mail.guest': [
      () => added({ email: 'guest@example.org' }),
      /^You are registered: Attribution/,
      'guest@example.org',
    ],
    'mail.guest-removed': [
      async () => {
        const { id } = await added({ email: 'removed@example.org' });
        await mailTo('removed@example.org', /registered: Attribution/);
        await admin.expect(204, 'DELETE', `/api/admin/events/${event.id}/guests/${id}`, {});
      },
      /^Your registration was canceled/,
      'removed@example.org',
    ],
    [MessageMail.name]: [
      () => admin.post(`/api/admin/events/${event.id}/messages`, WRITTEN),
      /^A warmer room/,
    ],
    [MessageTestMail.name]: [
      () =>
        ask('events', MessageTestMail, {
          subject: WRITTEN.subject,
          body: WRITTEN.body,
          userId: user.id,
          eventId: event.id,
          replyTo: 'author',
        }),
      /^Test: A warmer room/,
    ],
    [WaitlistDismissedMail.name]: [
      async () => admin.delete(`/api/events/${await waitFor('Dinner for eight')}/waitlist/${user.id}`),
      /^No longer on the waiting list/,
    ],
    [WaitlistJoinedMail.name]: [() => waitFor('Supper for eight'), /^You are on the waiting list: Supper/],
    [PlaceRemovedMail.name]: [
      async () => {
        const { id } = await createdEvent(admin, { title: 'Walk along the canal' });
        const place = await register(id);
        await mailTo(person.email, /registered: Walk/);
        const reason = 'The boat takes fewer people than we thought.';
        await admin.expect(204, 'DELETE', `/api/admin/events/${id}/guests/${place.id}`, { reason });
      },
      /^Your registration was canceled/,
    ],
    [HostMessageMail.name]: [
      async () => {
        const [own] = await query<{ id: string }>(
          databaseUrl,
          `INSERT INTO events.host_messages (id, event_id, host_id, writer_hash, name, email, body)
           VALUES (gen_random_uuid(), $1, $2, sha256('writer'), 'Vera Visitor', $3, $4) RETURNING id`,
          [event.id, user.id, writer, 'May I bring my dog?\nIt is small, and sleeps through every talk.'],
        );
        await ask('events', HostMessageMail, { messageId: own!.id });
      },
      /^Vera Visitor writes about/,
    ],
    [ProposalDecidedMail.name]: [
      async () => {
        const words = 'We have no room on that day. Would a Tuesday in March do?';
        await decide('A day of lightning talks', { words });
      },
      /^Declined: A day of lightning talks/,
    ],
    'mail.proposal-accepted': [
      async () => {
        const { id } = await createdEvent(admin, {
          title: 'A day of posters',
          status: 'draft',
          ...{ hosts: [user.id], coHosts: [user.id] },
        });
        await decide('A day of posters', { eventId: id });
      },
      /^Accepted: A day of posters/,
    ],
    [AnnouncementMail.name]: [
      async () => {
        const topics = await listTopics();
        for (const id of topics) await member.expect(204, 'PUT', `/api/user/topics/${id}`);
        await createdEvent(admin, {
          ...DESCRIBED,
          title: 'Holdout tests for small budgets',
          topics,
          announce: true,
        });
      },
      /^New: Holdout tests/,
    ],
    [SubscriptionConfirmMail.name]: [
      async () => {
        const topics = await listTopics();
        await ask202(new ApiClient(url), '/api/subscriptions', { email: reader.email, topics, digest: true });
      },
      /^Confirm your email address/,
      reader.email,
    ],
    [DigestMail.name]: [
      async () => {
        await createdEvent(admin, { title: 'Nearly there: a day of lightning talks' });
        await query(
          databaseUrl,
          `UPDATE events.digests SET since = now() - interval '1 day', until = now() + interval '1 hour'`,
        );
        const [digest] = await query<{ week: string }>(
          databaseUrl,
          'SELECT week::text FROM events.digests ORDER BY week DESC LIMIT 1',
        );
        await ask('events', DigestMail, { userId: user.id, week: digest!.week });
      },
      /^This week at/,
    ],
    [UnregisteredMail.name]: [
      async () => {
        const { id } = await createdEvent(admin, { title: 'Coffee before work' });
        await register(id);
        await mailTo(person.email, /registered: Coffee/);
        await member.delete(`/api/events/${id}/register`);
      },
      /no longer registered: Coffee/,
    ],
  };

  beforeAll(async () => {
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
    await admin.signIn(administrator);
    event = await createdEvent(admin, {
      title: 'Attribution without cookies: what still works',
      format: 'hybrid',
      venue: { name: 'The Mill', address: '12 Wharf Street, Leeds LS2 7EQ', note: 'Blue door', mapUrl: null },
      location: 'The Mill, 12 Wharf Street, Leeds LS2 7EQ',
      onlineUrl: JOIN,
      price: '12.50',
      paymentNote: 'Card or cash at the door',
      capacity: 1,
      waitlistEnabled: true,
      description: DESCRIBED.description,
    });
    await admin.post('/api/admin/users', { ...person, isAdmin: false });
    user = await member.signIn(person);
    for (const [name, [make, subject, to = person.email]] of Object.entries(KINDS)) {
      await make();
      mails.set(name, await mailTo(to, subject));
    }
  });

  const preferences = async () => (await member.get<MailPreferences>('/api/user/mail-preferences')).body;

  it('sends an email for every email job in the contracts', () => {
    const kinds = allJobs().filter(
      ({ queue, name }) => ['mail', 'messages', 'announcements'].includes(queue) && !FAN_OUTS.includes(name),
    );
    expect([...mails.keys()]).toEqual(expect.arrayContaining(kinds.map(({ name }) => name)));
  });

  it('sends emails that are accessible on a phone and do not scroll sideways', async () => {
    const { page } = await visit({ viewport: PHONE });
    const faults: [mail: string, faults: unknown[]][] = [];
    for (const [name, mail] of mails) {
      await page.setContent(shownHtml(mail));
      const found: unknown[] = await page.evaluate(() =>
        [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
      );
      for (const width of [PHONE.width, 700]) {
        await resize(page, { width, height: 900 });
        const picture = async (scheme: string) => {
          const path = `${SCREENSHOTS}/${name.replaceAll('.', '-')}-${width}-${scheme}.png`;
          if (SCREENSHOTS) await page.screenshot({ path, fullPage: true });
        };
        // The elements and their colours are the same at both widths.
        if (SCREENSHOTS || width === PHONE.width) found.push(...(await faultsInBothSchemes(page, picture)));
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (sideways > 0) found.push(`scrolls ${sideways} px sideways at ${width} px`);
      }
      faults.push([name, found]);
    }
    expect(faults).toEqual([...mails.keys()].map((name) => [name, []]));
  });

  it('uses only JPEG images from our site and attachments', async () => {
    for (const { html } of mails.values())
      for (const [, source = ''] of html.matchAll(/<img\s+src="([^"]+)"/g)) {
        if (source.startsWith('cid:')) continue;
        expect(source.startsWith(url)).toBe(true);
        const { status, headers } = await answered(source);
        expect([source, status, headers.get('content-type')]).toEqual([source, 200, 'image/jpeg']);
      }
  });

  it('sends links that open titled screens on a phone and change nothing', async () => {
    const links = new Set([...mails.values()].flatMap(extractLinks));
    const maps = [...links].filter((link) => link.startsWith(MAP));
    expect(maps).toContain(`${MAP}${encodeURIComponent('The Mill, 12 Wharf Street, Leeds LS2 7EQ')}`);
    expect([...links].filter((link) => link.includes('/unsubscribe')).length).toBeGreaterThanOrEqual(4);
    const ours = [...links].filter((link) => !maps.includes(link) && link !== JOIN);
    // Links that differ only in ids, slugs and tokens open the same screen.
    const describe = (link: string) => link.replaceAll(/(?<=\/e\/)[^/?#]+|[\w-]{22,}/g, '*');
    const { page } = await visit({ viewport: PHONE });
    for (const link of new Map(ours.map((each) => [describe(each), each])).values()) {
      await page.goto('about:blank');
      const response = await page.goto(link);
      expect([link, response?.status()]).toEqual([link, 200]);
      const name = await page.getByRole('main').getByRole('heading', { level: 1 }).first().innerText();
      expect([link, name]).not.toEqual([link, '404 Page Not Found']);
      expect(name).not.toBe('');
      if (link.endsWith('#add-to-calendar')) await page.getByRole('link', { name: /Google/ }).waitFor();
    }
    const account = await query(databaseUrl, 'SELECT FROM auth.users WHERE email = $1', [coming.email]);
    expect(account).toEqual([]);
    expect(await preferences()).toEqual(ALL_LISTS);
  });
});

function extractLinks({ html, text, headers }: Mail): string[] {
  const ofHtml = [...html.matchAll(/href="(http[^"]+)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  const ofText = text.match(/https?:\/\/\S+/g) ?? [];
  const ofHeaders = JSON.stringify(headers).match(/https?:\/\/[^>"\\]+/g) ?? [];
  return [...ofHtml, ...ofText, ...ofHeaders];
}
