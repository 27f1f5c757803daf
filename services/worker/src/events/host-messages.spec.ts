import { HostMessageMail } from '@meetmark/contracts';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { workersForTests } from '../testing/test-worker.js';

const BODY = 'May I bring <b>my</b> dog?\nHello Ada,\r\nYou get this mail because: $& \u202Eevil';

describe('a message to the host of an event', () => {
  const workers = workersForTests();
  let host: string;
  beforeEach(async () => {
    await workers.reset('events.host_messages');
    workers.smtp.manners = 'take';
    host = (await insertUser(workers.owner, { firstName: 'Grace', lastName: 'Hopper' })).id;
  });

  const written = async (given: { name?: string; email?: string; title?: string } = {}) => {
    const { name = 'Vera Visitor', email = 'vera@example.org', title = 'Tea' } = given;
    const event = await insertEvent(workers.owner, { createdById: host, title });
    const id = uuid();
    await workers.owner.query(
      `INSERT INTO events.host_messages (id, event_id, host_id, writer_hash, name, email, body)
       VALUES ($1, $2, $3, sha256('x'), $4, $5, $6)`,
      [id, event.id, host, name, email, BODY],
    );
    await workers.ask('events', HostMessageMail, { messageId: id });
    return id;
  };
  const kept = () => workers.owner.query<object[]>('SELECT name, email, body FROM events.host_messages');
  const FORGOTTEN = [{ name: null, email: null, body: null }];

  it('emails a quoted message with the writer as reply address, then erases the message', async () => {
    await written();
    await workers.startHandlers();
    const { mail, recipients, raw } = await workers.onlyMail();
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
    expect(mail.text).toContain("at vera@example.org. They won't see your address until you reply.");
    expect(raw).not.toContain('\u202E');
    expect(await kept()).toEqual(FORGOTTEN);
  });

  it('adds no recipients from the writer’s name or the event title', async () => {
    const hostile = 'Ann Bcc: victim@example.com, "x" <victim@example.com>';
    await written({ name: hostile, title: hostile });
    await workers.startHandlers();
    const { mail, recipients } = await workers.onlyMail();
    expect(recipients).toHaveLength(1);
    expect([mail.bcc, mail.cc]).toEqual([undefined, undefined]);
    expect(mail.replyTo?.map(({ address }) => address)).toEqual(['vera@example.org']);
  });

  it('uses the host’s language', async () => {
    await workers.owner.query('UPDATE auth.users SET locale = $1 WHERE id = $2', ['de', host]);
    await written();
    await workers.startHandlers();
    const { mail } = await workers.onlyMail();
    expect(mail.subject).toBe('Vera Visitor schreibt Ihnen zu Tea');
    expect(mail.html).toContain('<html lang="de">');
  });

  it('keeps a message after a temporary failure and erases it after a permanent refusal', async () => {
    workers.smtp.manners = 'not-now';
    await workers.start();
    await written();
    await workers.eventually('an attempt', async () => {
      const [row] = await workers.owner.query<{ attempts: number }[]>('SELECT attempts FROM events.outbox');
      return row!.attempts > 0;
    });
    expect(await kept()).toMatchObject([{ email: 'vera@example.org' }]);
    workers.smtp.manners = 'refuse-recipients';
    await workers.allDone();
    expect(await kept()).toEqual(FORGOTTEN);
  });

  it('does not send a message that was erased', async () => {
    await written();
    await workers.owner.query('UPDATE events.host_messages SET name = NULL, email = NULL, body = NULL');
    await workers.startHandlers();
    await workers.allDone();
    expect(workers.smtp.received).toEqual([]);
  });
});
