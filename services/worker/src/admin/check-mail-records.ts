import { Resolver } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { domainToASCII } from 'node:url';
import {
  CheckMailRecords,
  type MailRecord,
  type MailRecordName,
  type PayloadOf,
  type RecordState,
} from '@meetmark/contracts';
import { DataSource } from 'typeorm';
import { Sender } from '../mail/sender.js';
import { HandlesJob, type JobHandler } from '../queue/job-handler.js';

/** Milliseconds for all of a check. */
const DEADLINE = 3_000;
/** A server that does not answer is asked for the second time after this, and has twice as long then. */
const ATTEMPT = { timeout: 1_000, tries: 2 };
/** A domain and those that it is a part of, whose policy is looked for: the nearest. */
const MOST_DOMAINS = 5;
/** Characters of a record that are kept. */
const KEPT = 1_000;

/** The name servers that this machine uses. */
export const resolver = { provide: Resolver, useFactory: () => new Resolver(ATTEMPT) };

/** What a record is known by. A key that is empty has been revoked. */
const KNOWN_BY: Record<MailRecordName, RegExp> = {
  spf: /^v=spf1(?:\s|$)/i,
  dkim: /(?:^|;)\s*p=\s*[^;\s]/i,
  dmarc: /^v=DMARC1\s*(?:;|$)/i,
};

/** What belongs there where none is. The mail provider says what stands for a word in `<…>`. */
const TO_WRITE: Record<MailRecordName, string> = {
  spf: 'v=spf1 include:<provider> ~all',
  dkim: 'v=DKIM1; k=rsa; p=<key>',
  dmarc: 'v=DMARC1; p=none',
};

/** Answers of the DNS that say: there is none. Everything else says nothing. */
const NONE = new Set(['ENODATA', 'ENOTFOUND']);

interface Found {
  state: RecordState;
  text: string | null;
}
const UNKNOWN: Found = { state: 'unknown', text: null };
const MISSING: Found = { state: 'missing', text: null };

/** Looks up the records by which mail servers elsewhere tell that our mails are genuine, and keeps what it finds for owners. */
@HandlesJob(CheckMailRecords)
export class CheckMailRecordsJob implements JobHandler<PayloadOf<typeof CheckMailRecords>> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sender: Sender,
    private readonly dns: Resolver,
  ) {}

  async handle({ selector }: PayloadOf<typeof CheckMailRecords>): Promise<void> {
    const domain = domainToASCII(this.sender.domain) || this.sender.domain;
    const records = await this.lookUp(domain, selector);
    await this.dataSource.query(
      `INSERT INTO admin.mail_check (domain, selector, records) VALUES ($1, $2, $3)
       ON CONFLICT (is_last) DO UPDATE
       SET domain = excluded.domain, selector = excluded.selector, records = excluded.records, checked_at = now()`,
      [domain, selector, JSON.stringify(records)],
    );
  }

  private async lookUp(domain: string, selector: string | null): Promise<MailRecord[]> {
    const key = selector === null ? null : `${selector}._domainkey.${domain}`;
    const answered = new AbortController();
    const deadline = pause(DEADLINE, UNKNOWN, { signal: answered.signal }).catch(() => UNKNOWN);
    const inTime = (found: Promise<Found>) => Promise.race([found, deadline]);
    try {
      const [spf, dkim, dmarc] = await Promise.all([
        inTime(this.find('spf', domain)),
        key === null ? UNKNOWN : inTime(this.find('dkim', key)),
        inTime(this.policy(domain)),
      ]);
      return [
        recordOf('spf', domain, spf),
        recordOf('dkim', key, dkim),
        recordOf('dmarc', `_dmarc.${domain}`, dmarc),
      ];
    } finally {
      answered.abort();
    }
  }

  /** That of the domain, else of one that it is a part of, which holds for it too. */
  private async policy(domain: string): Promise<Found> {
    const labels = domain.split('.');
    const domains = labels
      .map((_, at) => labels.slice(at).join('.'))
      .filter((name, at) => at === 0 || name.includes('.'))
      .slice(0, MOST_DOMAINS);
    const answers = await Promise.all(domains.map((name) => this.find('dmarc', `_dmarc.${name}`)));
    const first = (state: RecordState) => answers.find((answer) => answer.state === state);
    return first('found') ?? first('several') ?? first('unknown') ?? MISSING;
  }

  private async find(name: MailRecordName, host: string): Promise<Found> {
    try {
      const texts = (await this.dns.resolveTxt(host)).map((pieces) => pieces.join(''));
      const known = texts.filter((each) => KNOWN_BY[name].test(each));
      if (known.length === 0) return MISSING;
      const isClear = name === 'dkim' || known.length === 1;
      const text = isClear ? known[0]! : known.join('\n');
      return { state: isClear ? 'found' : 'several', text: text.slice(0, KEPT) };
    } catch (error) {
      const { code } = error as { code?: string };
      return code !== undefined && NONE.has(code) ? MISSING : UNKNOWN;
    }
  }
}

const recordOf = (name: MailRecordName, host: string | null, { state, text }: Found): MailRecord => ({
  name,
  state,
  host,
  value: state === 'missing' ? TO_WRITE[name] : text,
});
