import {
  AnnouncementMail,
  MessageMail,
  PasswordChangedMail,
  RegistrationConfirmedMail,
  ReminderMail,
} from '@meetmark/contracts';
import { type EventRow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import type { INestApplicationContext } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { workersForTests } from '../testing/test-worker.js';
import { JobQueues } from './job-queues.js';

describe('the mail queues', () => {
  const workers = workersForTests();
  let worker: INestApplicationContext;
  let event: EventRow;

  beforeAll(async () => {
    worker = await workers.start();
    event = await insertEvent(workers.owner);
  });

  const register = async () => {
    const { id: userId, email } = await insertUser(workers.owner);
    const { id, registeredAt } = await insertRegistration(workers.owner, { eventId: event.id, userId });
    return { userId, email, id, told: { registrationId: id, registeredAt: registeredAt.toISOString() } };
  };

  it('send security notices first, then confirmations, then reminders', async () => {
    const queue = worker.get(JobQueues).get('mail');
    await queue.pause();
    const { userId, id: registrationId, told } = await register();
    const startDate = event.startDate.toISOString();
    for (let index = 0; index < 3; index += 1) {
      await workers.ask('events', ReminderMail, { registrationId, startDate });
      await workers.ask('events', RegistrationConfirmedMail, { ...told, own: true });
    }
    // In the same outbox as the others, so that only the priority decides.
    await workers.ask('events', PasswordChangedMail, { userId, at: new Date().toISOString() });
    const count = () => queue.getJobCountByTypes('wait', 'prioritized');
    await workers.eventually('the queued jobs', async () => (await count()) === 7);
    await queue.resume();
    await workers.allDone();
    const [first, ...others] = workers.smtp.received.map(({ mail }) => mail.subject!.split(':', 1)[0]);
    expect(first).toMatch(/password/);
    expect(others).toEqual([...Array(3).fill('You are registered'), ...Array(3).fill('Coming up')]);
  });

  it('send a confirmation without waiting for messages and announcements', async () => {
    const { userId, id: registrationId } = await register();
    const messageId = uuid();
    await workers.insert('events.messages', {
      ...{ id: messageId, eventId: event.id, authorId: event.createdById, segment: 'registered' },
      ...{ subject: 'A new room', body: 'Upstairs', replyTo: 'community', sendAt: new Date() },
      state: 'sending',
    });
    const announced = await insertEvent(workers.owner);
    await workers.insertTopic([announced.id], [userId]);
    const { email, told } = await register();
    workers.smtp.received.length = 0;
    workers.smtp.slowness = 50;
    for (let index = 0; index < 40; index += 1) {
      await workers.ask('events', MessageMail, { messageId, registrationId });
      await workers.ask('events', AnnouncementMail, { eventId: announced.id, userId });
    }
    await workers.mails(4);
    await workers.ask('events', RegistrationConfirmedMail, told);
    const before = workers.smtp.received.length;
    await workers.eventually('the confirmation', async () => workers.smtp.to(email).length === 1);
    const position = workers.smtp.received.findIndex(({ recipients }) => recipients.includes(email));
    expect(position - before).toBeLessThan(40);
  });
});
