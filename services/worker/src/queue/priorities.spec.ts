import { RegistrationConfirmedMail, ReminderMail } from '@meetmark/contracts';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';

describe('the mail queue', () => {
  const workers = workersForTests();

  it('sends a confirmation before reminders that were queued earlier', async () => {
    const event = await insertEvent(workers.owner);
    const place = async () => {
      const { id: userId } = await insertUser(workers.owner);
      return insertRegistration(workers.owner, { eventId: event.id, userId });
    };
    for (let index = 0; index < 10; index += 1)
      await workers.ask('events', ReminderMail, {
        registrationId: (await place()).id,
        startDate: event.startDate.toISOString(),
      });
    const { id: registrationId, registeredAt } = await place();
    await workers.ask('events', RegistrationConfirmedMail, {
      registrationId,
      registeredAt: registeredAt.toISOString(),
    });
    await workers.start();
    await workers.allDone();
    const subjects = workers.smtp.received.map(({ mail }) => mail.subject);
    expect(subjects).toHaveLength(11);
    expect(subjects[0]).toMatch(/^You are registered/);
  });
});
