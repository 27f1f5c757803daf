import type { FactoryProvider } from '@nestjs/common';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { MAIL_QUEUES } from '../queue/job-queues.js';
import { WorkerConfig } from '../worker.config.js';

/** Timeouts of the mail connection in milliseconds. */
const CONNECT = 5_000;
const GREETING = 10_000;
/** Servers may be silent for a while, because they scan a message before they accept it. */
const SILENCE = 30_000;
const IDLE = 60_000;

export const createMailTransport = ({ smtpUrl, mailConcurrency }: WorkerConfig) =>
  createTransport({
    ...parseServer(smtpUrl),
    pool: true,
    maxConnections: MAIL_QUEUES.length * mailConcurrency,
    // Nodemailer would retry immediately and could send an email twice. The outbox retries failed emails
    // instead.
    maxRequeues: 0,
    connectionTimeout: CONNECT,
    dnsTimeout: CONNECT,
    greetingTimeout: GREETING,
    socketTimeout: SILENCE,
    idleTimeout: IDLE,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** Requires TLS unless the URL turns it off, so that an attacker can't remove TLS from the connection. */
function parseServer(smtpUrl: string) {
  const url = new URL(smtpUrl);
  for (const parameter of ['tls', 'ignoreTLS', 'requireTLS', 'opportunisticTLS'])
    url.searchParams.delete(parameter);
  const isPlain = sendsPlain(smtpUrl);
  return { url: url.href, ignoreTLS: isPlain, requireTLS: !isPlain };
}

export const sendsPlain = (smtpUrl: string): boolean =>
  smtpUrl.startsWith('smtp:') && new URL(smtpUrl).searchParams.get('tls') === 'off';

export interface MailTransport {
  sendMail(message: SendMailOptions): Promise<unknown>;
  close(): void;
}

export const MAIL_TRANSPORT = Symbol('MAIL_TRANSPORT');

export const mailTransport: FactoryProvider<MailTransport> = {
  provide: MAIL_TRANSPORT,
  inject: [WorkerConfig],
  useFactory: createMailTransport,
};
