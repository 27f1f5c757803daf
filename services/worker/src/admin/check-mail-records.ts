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
import { cutText } from '@meetmark/contracts/cut-text';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Sender } from '../mail/sender.js';
import { HandlesJob } from '../queue/job-handler.js';

const DEADLINE = 3_000;
/** `timeout` is in milliseconds and doubles for the second try. */
const ATTEMPT = { timeout: 1_000, tries: 2 };
/** Maximum domains searched for a DMARC policy: the domain itself, then its parents. */
const MOST_DOMAINS = 5;
const KEPT = 1_000;

export const resolver = { provide: Resolver, useFactory: () => new Resolver(ATTEMPT) };

/** The DKIM pattern requires a key, because a record with an empty key means that the key was revoked. */
const KNOWN_BY: Record<MailRecordName, RegExp> = {
  spf: /^v=spf1(?:\s|$)/i,
  dkim: /(?:^|;)\s*p=\s*[^;\s]/i,
  dmarc: /^v=DMARC1\s*(?:;|$)/i,
};

/** Suggested if no record was found. The mail provider supplies the parts in `<…>`. */
const TO_WRITE: Record<MailRecordName, string> = {
  spf: 'v=spf1 include:<provider> ~all',
  dkim: 'v=DKIM1; k=rsa; p=<key>',
  dmarc: 'v=DMARC1; p=none',
};

/** DNS errors that mean "no record". With any other error, the result is unknown. */
const NONE = new Set(['ENODATA', 'ENOTFOUND']);

interface Found {
  state: RecordState;
  text: string | null;
}
const UNKNOWN: Found = { state: 'unknown', text: null };
const MISSING: Found = { state: 'missing', text: null };

@Injectable()
export class CheckMailRecordsJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sender: Sender,
    private readonly dns: Resolver,
  ) {}

  @HandlesJob(CheckMailRecords)
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
        buildRecord('spf', domain, spf),
        buildRecord('dkim', key, dkim),
        buildRecord('dmarc', `_dmarc.${domain}`, dmarc),
      ];
    } finally {
      answered.abort();
    }
  }

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
      return { state: isClear ? 'found' : 'several', text: cutText(text, KEPT) };
    } catch (error) {
      const { code } = error as { code?: string };
      return code !== undefined && NONE.has(code) ? MISSING : UNKNOWN;
    }
  }
}

const buildRecord = (name: MailRecordName, host: string | null, { state, text }: Found): MailRecord => ({
  name,
  state,
  host,
  value: state === 'missing' ? TO_WRITE[name] : text,
});
