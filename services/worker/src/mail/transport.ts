import type { FactoryProvider } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { WorkerConfig } from '../worker.config.js';

/** Milliseconds. */
const CONNECT = 5_000;
const GREETING = 10_000;
/** Servers look a message through before they take it. */
const SILENCE = 30_000;
const IDLE = 60_000;

/** Connections to the mail server of SMTP_URL, kept open between mails. */
export const createMailTransport = ({ smtpUrl, mailConcurrency }: WorkerConfig) =>
  createTransport({
    ...serverOf(smtpUrl),
    pool: true,
    maxConnections: mailConcurrency,
    // the job queue tries again, later and in sight; the pool would at once, and perhaps send twice
    maxRequeues: 0,
    connectionTimeout: CONNECT,
    dnsTimeout: CONNECT,
    greetingTimeout: GREETING,
    socketTimeout: SILENCE,
    idleTimeout: IDLE,
    // nothing of a mail is ever read from a file or an address
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** TLS or nothing, unless the address itself says otherwise: what a server in between takes away must not be missed. */
function serverOf(smtpUrl: string) {
  const url = new URL(smtpUrl);
  for (const parameter of ['tls', 'ignoreTLS', 'requireTLS', 'opportunisticTLS'])
    url.searchParams.delete(parameter);
  const isPlain = sendsPlain(smtpUrl);
  return { url: url.href, ignoreTLS: isPlain, requireTLS: !isPlain };
}

/** Whether mails and credentials travel as they are. */
export const sendsPlain = (smtpUrl: string): boolean =>
  smtpUrl.startsWith('smtp:') && new URL(smtpUrl).searchParams.get('tls') === 'off';

export type MailTransport = ReturnType<typeof createMailTransport>;

export const MAIL_TRANSPORT = Symbol('MAIL_TRANSPORT');

export const mailTransport: FactoryProvider<MailTransport> = {
  provide: MAIL_TRANSPORT,
  inject: [WorkerConfig],
  useFactory: createMailTransport,
};
