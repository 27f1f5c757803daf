import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { anyFreePort } from '../embedded/ports.js';

/** A mail as the server was handed it. */
export interface ReceivedMail {
  /** The addresses it was really for, whatever its headers say. */
  recipients: string[];
  raw: string;
  mail: Email;
}

/** How the sink behaves towards the next mails. */
type SinkManners =
  | 'take'
  /** Reads the whole mail, keeps it, and hangs up with a 421: the sender has to send it again. */
  | 'take-and-hang-up'
  /** 451: come back later. */
  | 'not-now'
  /** 550 for every recipient. */
  | 'refuse-recipients';

/** Milliseconds that idle clients, who keep their connections, have to go by themselves. */
const CLOSE_WITHIN = 50;

/** A mail server for tests that keeps everything it takes, in the order it came. */
export class SmtpSink {
  readonly received: ReceivedMail[] = [];
  manners: SinkManners = 'take';
  /** Milliseconds before a mail is acknowledged, after it was kept. */
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

  /** Listens again, on the same port. */
  async open(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: CLOSE_WITHIN,
      onRcptTo: ({ address }, _session, answer) =>
        answer(this.manners === 'refuse-recipients' ? refusal(550, `No such mailbox: <${address}>`) : null),
      // a client may go away in the middle of its mail
      onData: (stream, session, answer) => void this.take(stream, session).then(answer, answer),
    });
    // a client that was killed in the middle is what some tests are about
    server.on('error', () => undefined);
    this.server = server;
    server.listen(this.port, '127.0.0.1');
    await once(server.server, 'listening');
  }

  /** Refuses connections until it is opened again. */
  async close(): Promise<void> {
    const server = this.server;
    if (server === undefined) return;
    await new Promise<void>((closed) => server.close(closed));
  }

  /** The mails for one address. */
  to(address: string): ReceivedMail[] {
    return this.received.filter(({ recipients }) => recipients.includes(address));
  }

  private async take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    if (this.manners === 'not-now') return refusal(451, 'Come back later');
    const raw = Buffer.concat(chunks).toString('utf8');
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    this.received.push({ recipients, raw, mail: await PostalMime.parse(raw) });
    if (this.manners === 'take-and-hang-up') return refusal(421, 'Hanging up');
    if (this.slowness > 0) await new Promise((resolve) => setTimeout(resolve, this.slowness));
    return null;
  }
}

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });
