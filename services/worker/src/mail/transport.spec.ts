import { until } from '@meetmark/testing';
import { SmtpSink } from '@meetmark/testing/mailbox/smtp-sink';
import { MAIL_QUEUES } from '../queue/job-queues.js';
import type { WorkerConfig } from '../worker.config.js';
import { createMailTransport } from './transport.js';

const mail = { from: 'events@example.org', to: 'nora@example.org', subject: 'Hello', text: 'Hello' };

describe('the mail transport', () => {
  let sink: SmtpSink;
  beforeAll(async () => {
    sink = await SmtpSink.start();
  });
  afterAll(() => sink.close());
  beforeEach(() => sink.received.splice(0));

  const open = (smtpUrl: string) => createMailTransport({ smtpUrl, mailConcurrency: 1 } as WorkerConfig);
  const send = async (smtpUrl: string) => {
    const transport = open(smtpUrl);
    try {
      return await transport.sendMail(mail).then(
        () => 'sent',
        (error: { code?: string }) => error.code,
      );
    } finally {
      transport.close();
    }
  };
  const plain = () => `smtp://127.0.0.1:${sink.port}`;

  it.each(['', '?ignoreTLS=true', '?requireTLS=false', '?opportunisticTLS=true', '?tls=on'])(
    'sends nothing without TLS: smtp://…%s',
    async (parameters) => {
      expect(await send(plain() + parameters)).not.toBe('sent');
      expect(sink.received).toEqual([]);
    },
  );

  it('sends emails of all mail queues at the same time', async () => {
    const transport = open(`${plain()}?tls=off`);
    sink.slowness = 1_000;
    let answered = 0;
    const sent = MAIL_QUEUES.map(() => transport.sendMail(mail).then(() => (answered += 1)));
    await until('a mail of each queue', 60_000, () => Promise.resolve(sink.received.length === sent.length));
    expect(answered).toBe(0);
    await Promise.all(sent);
    sink.slowness = 0;
    transport.close();
  });

  it('sends an email without TLS when the URL contains tls=off', async () => {
    expect(await send(`${plain()}?tls=off`)).toBe('sent');
    expect(sink.received).toHaveLength(1);
  });
});
