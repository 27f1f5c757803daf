import type { FactoryProvider } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { MAIL_QUEUES } from '../queue/job-queues.js';
import { WorkerConfig } from '../worker.config.js';

/** Milliseconds. */
const CONNECT = 5_000;
const GREETING = 10_000;
/** Servers scan a message before they accept it. */
const SILENCE = 30_000;
const IDLE = 60_000;

/** Connections to the mail server of SMTP_URL, kept open between mails. */
export const createMailTransport = ({ smtpUrl, mailConcurrency }: WorkerConfig) =>
  createTransport({
    ...serverOf(smtpUrl),
    pool: true,
    maxConnections: MAIL_QUEUES.length * mailConcurrency,
    // the job queue retries later and visibly; the pool would retry at once, and could send twice
    maxRequeues: 0,
    connectionTimeout: CONNECT,
    dnsTimeout: CONNECT,
    greetingTimeout: GREETING,
    socketTimeout: SILENCE,
    idleTimeout: IDLE,
    // no part of a mail is read from a file or an address
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** Requires TLS unless the address turns it off, so that a server in between cannot strip it unnoticed. */
function serverOf(smtpUrl: string) {
  const url = new URL(smtpUrl);
  for (const parameter of ['tls', 'ignoreTLS', 'requireTLS', 'opportunisticTLS'])
    url.searchParams.delete(parameter);
  const isPlain = sendsPlain(smtpUrl);
  return { url: url.href, ignoreTLS: isPlain, requireTLS: !isPlain };
}

/** Whether mails and credentials travel unencrypted. */
export const sendsPlain = (smtpUrl: string): boolean =>
  smtpUrl.startsWith('smtp:') && new URL(smtpUrl).searchParams.get('tls') === 'off';

export type MailTransport = ReturnType<typeof createMailTransport>;

export const MAIL_TRANSPORT = Symbol('MAIL_TRANSPORT');

export const mailTransport: FactoryProvider<MailTransport> = {
  provide: MAIL_TRANSPORT,
  inject: [WorkerConfig],
  useFactory: createMailTransport,
};
