import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { anyFreePort } from '../embedded/ports.js';

export interface ReceivedMail {
  /** Recipients of the envelope. The headers might not contain them. */
  recipients: string[];
  raw: string;
  mail: Email;
}

type SinkManners =
  | 'take'
  /** Keeps the email, then answers 421 and disconnects. The sender sends the email again. */
  | 'take-and-hang-up'
  /** Answers 452: try again later. */
  | 'not-now'
  /** Answers 550 for every recipient. */
  | 'refuse-recipients';

/** Milliseconds that a closing server gives its clients to disconnect. */
const CLOSE_WITHIN = 50;

export class SmtpSink {
  readonly received: ReceivedMail[] = [];
  manners: SinkManners = 'take';
  /** Milliseconds to wait before confirming a stored email. */
  slowness = 0;
  private server: SMTPServer | undefined;

  private constructor(readonly port: number) {}

  static async start(): Promise<SmtpSink> {
    const sink = new SmtpSink(await anyFreePort());
    await sink.open();
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}?tls=off`;
  }

  async open(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: CLOSE_WITHIN,
      onRcptTo: ({ address }, _session, answer) =>
        answer(this.manners === 'refuse-recipients' ? refusal(550, `No such mailbox: <${address}>`) : null),
      // If a client disconnects while it sends an email, the second `answer` receives the error.
      onData: (stream, session, answer) => void this.take(stream, session).then(answer, answer),
    });
    server.on('error', () => undefined);
    this.server = server;
    server.listen(this.port, '127.0.0.1');
    await once(server.server, 'listening');
  }

  async close(): Promise<void> {
    const server = this.server;
    if (server === undefined) return;
    await new Promise<void>((closed) => server.close(closed));
  }

  to(address: string): ReceivedMail[] {
    return this.received.filter(({ recipients }) => recipients.includes(address));
  }

  async keep(recipients: string[], raw: string): Promise<void> {
    this.received.push({ recipients, raw, mail: await PostalMime.parse(raw) });
  }

  private async take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    if (this.manners === 'not-now') return refusal(452, 'Come back later');
    const raw = Buffer.concat(chunks).toString('utf8');
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    await this.keep(recipients, raw);
    if (this.manners === 'take-and-hang-up') return refusal(421, 'Hanging up');
    if (this.slowness > 0) await new Promise((resolve) => setTimeout(resolve, this.slowness));
    return null;
  }
}

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });
