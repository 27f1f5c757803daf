import type { Topic } from '@meetmark/contracts';
import { createdEvent, eventFields, newcomer } from '../../support/api-client.js';
import { gif, pngOf, withPicture } from '@meetmark/testing/factories/pictures';
import { NOBODY, profileWith, type Refusal } from './refusal.js';

const DAY = 24 * 3_600_000;

const newGuest = { name: 'Greta Guest', email: 'greta@example.org' };
const message = { subject: 'A new room', body: 'We meet **upstairs**.' };

/** What is refused about events and pictures. */
export const EVENT_REFUSALS: Refusal[] = [
  {
    code: 'DATE_RANGE_INVALID',
    when: 'an event ends before it starts',
    act: ({ administrator }) =>
      administrator.client.post('/api/events', eventFields({ endDate: '2020-01-01T00:00:00Z' })),
  },
  {
    code: 'EVENT_NOT_FOUND',
    when: 'an event is gone',
    words: 'not found',
    act: ({ member }) => member.client.post(`/api/events/${NOBODY}/register`),
  },
  {
    code: 'NOT_REGISTERED',
    when: 'who is not coming says what others may learn of them',
    words: 'not registered',
    act: ({ member, event }) => member.client.put(`/api/events/${event.id}/register`, { showMe: 'no' }),
  },
  {
    code: 'ALREADY_SIGNED_IN',
    when: 'a member registers by address',
    words: 'signed in',
    act: ({ member, event }) => {
      const { email, firstName, lastName } = member.person;
      return member.client.post(`/api/events/${event.id}/rsvp`, { email, firstName, lastName });
    },
  },
  {
    code: 'PROPOSAL_NOT_FOUND',
    when: 'a proposal is decided that nobody made',
    words: 'proposal',
    act: ({ administrator }) => administrator.client.post(`/api/admin/proposals/${NOBODY}/accept`),
  },
  {
    code: 'TOPIC_NOT_FOUND',
    when: 'somebody follows a topic that is gone',
    words: 'topic',
    act: ({ member }) => member.client.put(`/api/user/topics/${NOBODY}`),
  },
  {
    code: 'SUBSCRIPTION_LINK_INVALID',
    when: 'a sign-up for mails is confirmed by a link that is not ours',
    words: 'sign up',
    act: ({ visitor }) => visitor.post('/api/subscriptions/confirm', { token: 'not-signed' }),
  },
  {
    code: 'TOPIC_EXISTS',
    when: 'a topic is called like another one',
    act: async ({ administrator: { client } }) => {
      const { body } = await client.get<Topic[]>('/api/topics');
      return client.put(`/api/topics/${body[0]!.id}`, { name: body[1]!.name });
    },
  },
  {
    code: 'GUEST_NOT_FOUND',
    when: 'somebody who is not on the guest list has paid',
    words: 'guest list',
    act: ({ administrator, event }) =>
      administrator.client.send('PATCH', `/api/admin/events/${event.id}/guests/${NOBODY}`, { paid: true }),
  },
  {
    code: 'GUEST_EXISTS',
    when: 'an address is added to a guest list twice',
    words: 'already',
    act: async ({ administrator, event }) => {
      const add = () => administrator.client.post(`/api/admin/events/${event.id}/guests`, newGuest);
      await add();
      return add();
    },
  },
  {
    code: 'EVENT_NOT_PUBLISHED',
    when: 'somebody is added to the guest list of a draft',
    act: async ({ administrator: { client } }) => {
      const { id } = await createdEvent(client, { status: 'draft' });
      return client.post(`/api/admin/events/${id}/guests`, newGuest);
    },
  },
  {
    code: 'DOOR_LINK_NOT_FOUND',
    when: 'a door link is ended that was never made',
    act: ({ administrator, event }) =>
      administrator.client.delete(`/api/admin/events/${event.id}/door-links/${NOBODY}`),
  },
  {
    code: 'DOOR_LINK_LIMIT',
    when: 'an event has twenty door links',
    words: 'end one',
    act: async ({ administrator: { client }, event }) => {
      const make = () => client.post(`/api/admin/events/${event.id}/door-links`);
      for (let made = 0; made < 20; made += 1) await make();
      return make();
    },
  },
  {
    code: 'DOOR_LINK_ENDED',
    when: 'a door link was never made',
    act: ({ visitor }) => visitor.get('/api/door', { authorization: `Bearer ${'x'.repeat(43)}` }),
  },
  {
    code: 'CHECK_IN_CLOSED',
    when: 'a member checks in days before the event',
    words: '2 hours before',
    act: async ({ administrator, member }) => {
      const { id } = await createdEvent(administrator.client, { startsIn: 3 * DAY });
      await member.client.post(`/api/events/${id}/register`);
      const door = await administrator.client.get<{ venueCode: string }>(`/api/admin/events/${id}/door`);
      return member.client.post(`/api/events/${id}/check-in`, { venueCode: door.body.venueCode });
    },
  },
  {
    code: 'HOST_NOT_REACHABLE',
    when: 'somebody writes to the host of a draft',
    act: async ({ administrator: { client } }) => {
      const { id } = await createdEvent(client, { status: 'draft' });
      return client.post(`/api/events/${id}/host-messages`, { message: 'May I bring my dog?' });
    },
  },
  {
    code: 'MESSAGE_NOT_FOUND',
    when: 'a message is read that nobody wrote',
    act: ({ administrator, event }) =>
      administrator.client.get(`/api/admin/events/${event.id}/messages/${NOBODY}`),
  },
  {
    code: 'MESSAGE_WITHOUT_RECIPIENTS',
    when: 'a message goes to a waiting list on which nobody is',
    words: 'nobody',
    act: ({ administrator, event }) =>
      administrator.client.post(`/api/admin/events/${event.id}/messages`, {
        ...message,
        segment: 'waiting',
      }),
  },
  {
    code: 'MESSAGE_SENT',
    when: 'a message is changed that was cancelled',
    words: 'cannot be changed',
    act: async ({ administrator: { client }, other }) => {
      const { id } = await createdEvent(client);
      await other.client.post(`/api/events/${id}/register`);
      const path = `/api/admin/events/${id}/messages`;
      const sendAt = new Date(Date.now() + DAY).toISOString();
      const planned = { ...message, segment: 'registered', sendAt };
      const { body } = await client.post<{ id: string }>(path, planned);
      await client.delete(`${path}/${body.id}`);
      return client.put(`${path}/${body.id}`, planned);
    },
  },
  {
    code: 'PICTURE_NOT_FOUND',
    when: 'a picture is asked for that nobody has',
    act: ({ visitor }) => visitor.get(`/media/avatars/${'0'.repeat(64)}.webp`),
  },
  {
    code: 'VALIDATION_FAILED',
    when: 'a picture is kept that is not the own one',
    words: 'profileImageUrl must be',
    act: profileWith({ profileImageUrl: `/media/avatars/${'0'.repeat(64)}.webp` }),
  },
  {
    code: 'CALENDAR_NOT_FOUND',
    when: 'a feed was never made',
    act: ({ visitor }) => visitor.get(`/api/calendar/${'x'.repeat(43)}.ics`),
  },
  {
    code: 'UNSUBSCRIBE_LINK_INVALID',
    when: 'a link was not signed by us',
    act: ({ visitor }) => visitor.get('/api/unsubscribe/not-signed/list'),
  },
  {
    code: 'EVENT_FULL',
    when: 'every seat is taken',
    words: 'full capacity',
    act: ({ member, full }) => member.client.post(`/api/events/${full.id}/register`),
  },
  ...(['POST', 'DELETE'] as const).map((method): Refusal => ({
    code: 'REGISTRATION_CLOSED',
    when: `the event has started (${method})`,
    words: 'Registration is closed: this event has already started',
    act: ({ member, started }) => member.client.send(method, `/api/events/${started.id}/register`),
  })),
  {
    code: 'EVENT_CANCELLED',
    when: 'what is cancelled is published',
    words: 'has been cancelled',
    act: async ({ administrator: { client } }) => {
      const { id } = await createdEvent(client);
      await client.post(`/api/events/${id}/cancel`);
      return client.post(`/api/events/${id}/publish`);
    },
  },
  {
    code: 'ROLE_NOT_FOUND',
    when: 'who is no host agrees to be one',
    act: ({ member, event }) => member.client.put(`/api/event-roles/${event.id}/host`, { agreed: true }),
  },
  {
    code: 'EVENT_IS_DRAFT',
    when: 'a draft is cancelled',
    words: 'draft',
    act: async ({ administrator: { client } }) => {
      const { id } = await createdEvent(client, { status: 'draft' });
      return client.post(`/api/events/${id}/cancel`);
    },
  },
  {
    code: 'REGISTRATION_NOT_OPEN',
    when: 'registration opens tomorrow',
    words: 'not opened',
    act: async ({ administrator: { client }, member }) => {
      const registrationOpensAt = new Date(Date.now() + DAY).toISOString();
      const { id } = await createdEvent(client, { registrationOpensAt });
      return member.client.post(`/api/events/${id}/register`);
    },
  },
  {
    code: 'REGISTRATION_ENDED',
    when: 'registration closed yesterday',
    words: 'has closed',
    act: async ({ administrator: { client }, member }) => {
      const registrationClosesAt = new Date(Date.now() - DAY).toISOString();
      const { id } = await createdEvent(client, { registrationClosesAt });
      return member.client.post(`/api/events/${id}/register`);
    },
  },
  {
    code: 'SLUG_TAKEN',
    when: 'an event gets the address that another one had',
    words: 'address',
    act: async ({ administrator: { client }, event }) => {
      const { id } = await createdEvent(client);
      await client.expect(200, 'PUT', `/api/events/${event.id}/slug`, { slug: `renamed-${event.id}` });
      return client.put(`/api/events/${id}/slug`, { slug: event.slug });
    },
  },
  {
    code: 'SERIES_EXISTS',
    when: 'a series is made of an event that has one',
    words: 'series',
    act: async ({ administrator: { client } }) => {
      const { id } = await createdEvent(client);
      await client.post(`/api/events/${id}/series`, { every: 'week', count: 2 });
      return client.post(`/api/events/${id}/series`, { every: 'week', count: 2 });
    },
  },
  {
    code: 'NOT_WAITING',
    when: 'a place is given to somebody who does not wait',
    words: 'waiting list',
    act: ({ administrator: { client }, event }) =>
      client.post(`/api/events/${event.id}/waitlist/${NOBODY}/promote`),
  },
  {
    code: 'WAITLIST_NOT_EMPTY',
    when: 'the list is turned off while somebody waits',
    words: 'waiting list',
    act: async ({ administrator: { client }, member, other }) => {
      const { id } = await createdEvent(client, { capacity: 1 });
      for (const person of [member, other])
        await person.client.post(`/api/events/${id}/register`, { waitlist: true });
      return client.put(`/api/events/${id}`, { waitlistEnabled: false });
    },
  },
  {
    code: 'CAPACITY_BELOW_REGISTERED',
    when: 'capacity is cut below those who come',
    act: async ({ administrator, member, event, other }) => {
      for (const { client } of [member, other]) await client.post(`/api/events/${event.id}/register`);
      const answer = await administrator.client.put(`/api/events/${event.id}`, eventFields({ capacity: 1 }));
      for (const { client } of [member, other]) await client.delete(`/api/events/${event.id}/register`);
      return answer;
    },
  },
  {
    code: 'QUESTION_ANSWERED',
    when: 'a question is removed that somebody has answered',
    act: async ({ administrator: { client }, member }) => {
      const question = { id: NOBODY, kind: 'yesNo' as const, label: 'First time?', options: [] };
      const { id } = await createdEvent(client, { questions: [question] });
      const answers = { [NOBODY]: true };
      await member.client.expect(201, 'POST', `/api/events/${id}/register`, { answers });
      return client.put(`/api/events/${id}`, { questions: [] });
    },
  },
  {
    code: 'EDIT_CONFLICT',
    when: 'an event was changed since it was read',
    words: 'has been changed',
    act: async ({ administrator: { client } }) => {
      const { id, version } = await createdEvent(client);
      await client.put(`/api/events/${id}`, { title: 'Renamed', version });
      return client.put(`/api/events/${id}`, { title: 'Again', version });
    },
  },
  {
    code: 'IDEMPOTENCY_CONFLICT',
    when: 'a key is used for something else',
    act: async ({ administrator: { client } }) => {
      const headers = { 'idempotency-key': newcomer().email };
      await client.post('/api/events', eventFields(), headers);
      return client.post('/api/events', eventFields(), headers);
    },
  },
  {
    code: 'PICTURE_TOO_LARGE',
    when: 'a picture has 5 MB and a byte',
    act: profileWith({ profileImageUrl: withPicture(Buffer.alloc(5 * 1024 * 1024 + 1)) }),
  },
  {
    code: 'PICTURE_TOO_LARGE',
    when: 'it has a pixel too many',
    act: async (stage) => profileWith({ profileImageUrl: withPicture(pngOf(8_001, 5_000)) })(stage),
  },
  {
    code: 'PICTURE_TYPE',
    when: 'it is an SVG',
    act: profileWith({ profileImageUrl: withPicture(Buffer.from('<svg/>'), 'image/svg+xml') }),
  },
  {
    code: 'PICTURE_BROKEN',
    when: 'it breaks off',
    act: profileWith({ profileImageUrl: withPicture(gif()) }),
  },
];
