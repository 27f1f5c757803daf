import { randomBytes } from 'node:crypto';
import { HostMessageMail } from '@meetmark/contracts';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { handlersForTests } from '../testing/test-worker.js';

const BODY = 'May I bring <b>my</b> dog?\nHello Ada,\r\nYou get this mail because: $& \u202Eevil';

describe('a message to the host of an event', () => {
  const workers = handlersForTests();
  let host: string;
  beforeEach(async () => {
    await workers.reset('events.host_messages');
    host = (await insertUser(workers.owner, { firstName: 'Grace', lastName: 'Hopper' })).id;
  });

  const write = async ({ name = 'Vera Visitor', title = 'Tea' } = {}) => {
    const event = await insertEvent(workers.owner, { createdById: host, title });
    const messageId = uuid();
    await workers.insert('events.host_messages', {
      ...{ id: messageId, eventId: event.id, hostId: host, writerHash: randomBytes(32) },
      ...{ name, email: 'vera@example.org', body: BODY },
    });
    return { messageId };
  };
  const kept = () => workers.owner.query<object[]>('SELECT name, email, body FROM events.host_messages');
  const FORGOTTEN = [{ name: null, email: null, body: null }];

  it('emails a quoted message with the writer as reply address, then erases the message', async () => {
    const { mail, recipients, raw } = await workers.send('events', HostMessageMail, await write());
    expect(mail.subject).toBe('Vera Visitor writes about Tea');
    expect(mail.replyTo).toEqual([{ name: 'Vera Visitor', address: 'vera@example.org' }]);
    expect(recipients).toHaveLength(1);
    const headers = mail.headers.map(({ key }) => key);
    expect(
      headers.filter((key) => ['auto-submitted', 'list-unsubscribe', 'precedence'].includes(key)),
    ).toEqual([]);
    expect(mail.text).toContain(
      '> May I bring <b>my</b> dog?\n> Hello Ada,\n> You get this mail because: $& evil\n',
    );
    expect(mail.html).toContain('May I bring &lt;b&gt;my&lt;/b&gt; dog?<br />Hello Ada,<br />');
    expect(raw).not.toContain('\u202E');
    expect(await kept()).toEqual(FORGOTTEN);
  });

  it('uses the host’s language, and adds no recipients from the writer’s name or the title', async () => {
    await workers.update('auth.users', host, { locale: 'de' });
    const hostile = 'Ann Bcc: victim@example.com, "x" <victim@example.com>';
    const message = await write({ name: hostile, title: hostile });
    const { mail, recipients } = await workers.send('events', HostMessageMail, message);
    expect(mail.html).toContain('<html lang="de">');
    expect(mail.subject).toContain('schreibt Ihnen zu');
    expect(recipients).toHaveLength(1);
    expect([mail.bcc, mail.cc]).toEqual([undefined, undefined]);
    expect(mail.replyTo?.map(({ address }) => address)).toEqual(['vera@example.org']);
  });

  it('keeps a message after a temporary failure and erases it after a permanent refusal', async () => {
    await workers.ask('events', HostMessageMail, await write());
    await workers.failOnce(HostMessageMail, 1);
    expect(await kept()).toMatchObject([{ email: 'vera@example.org' }]);
    workers.smtp.manners = 'refuse-recipients';
    await workers.allDone();
    expect(await kept()).toEqual(FORGOTTEN);
  });

  it('does not send a message that was erased', async () => {
    const message = await write();
    await workers.owner.query('UPDATE events.host_messages SET name = NULL, email = NULL, body = NULL');
    expect(await workers.run('events', HostMessageMail, message)).toEqual([]);
  });
});
