import { Injectable } from '@nestjs/common';
import {
  type Asker,
  CODE,
  CodeMail,
  codeSeal,
  type FlowPurpose,
  type FlowState,
  type SealedCode,
  type GivenAnswers,
  type ProductLocale,
  type ShowMe,
  type WantedPlace,
} from '@meetmark/contracts';
import { OutboxWriter, sealText } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AuthConfig } from '../auth.config.js';
import { hashCode, hashNetwork, hashSecret, isCode, newCode, newLink } from './code-secrets.js';

/** An address changes in two steps, unless the password was shown: a code to the present one, then one to the new one. */
export type CodePurpose = Exclude<FlowPurpose, 'email'> | 'change-present' | 'change-new';

const STEPS: Record<FlowPurpose, CodePurpose[]> = {
  verify: ['verify'],
  'sign-in': ['sign-in'],
  reset: ['reset'],
  email: ['change-present', 'change-new'],
  rsvp: ['rsvp'],
};
export const flowOf = (purpose: CodePurpose): FlowPurpose =>
  purpose === 'change-present' || purpose === 'change-new' ? 'email' : purpose;

/** What a code is opened for. */
export interface NewCode {
  purpose: CodePurpose;
  /** Where it is mailed to. */
  email: string;
  /** Given where it is known; else the account with the address, if there is one. */
  userId?: string;
  newEmail?: string;
  /** Null: any browser may use the code (an administrator sends it). */
  asker: Asker | null;
  /** The browser of an earlier step goes on, and is known by its hash alone. */
  browserHash?: Buffer;
  /** Nothing is mailed: the caller hands the link on. */
  silent?: boolean;
  /** With a verification: where the account has just taken a place that lapses. */
  eventId?: string;
  /** With an rsvp: what is made once the address is confirmed, and whose a new account is. */
  wanted?: WantedPlace & NewPerson;
}

interface NewPerson {
  firstName: string;
  lastName: string;
}

/** A code or link that fitted. */
export interface OpenFlow {
  id: string;
  purpose: CodePurpose;
  userId: string | null;
  email: string;
  newEmail: string | null;
  browserHash: Buffer | null;
  codeHash: Buffer | null;
}

/** An rsvp whose code or link fitted. */
export interface OpenRsvp extends OpenFlow, NewPerson {
  eventId: string;
  showMe: ShowMe | null;
  waitlist: boolean;
  answers: GivenAnswers | null;
  locale: ProductLocale | null;
}

const COLUMNS = `id, purpose, user_id AS "userId", email, new_email AS "newEmail", browser_hash AS "browserHash",
  code_hash AS "codeHash", event_id AS "eventId", first_name AS "firstName", last_name AS "lastName", show_me AS "showMe", waitlist, answers, locale`;

export const isRsvp = (flow: OpenFlow): flow is OpenRsvp => flow.purpose === 'rsvp';

/** A flow as its browser calls it: the id of the row, in the form of the other random values. */
const flowName = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
const flowId = (name: string) =>
  Buffer.from(name, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

interface Figures {
  /** Codes of the last day that were not confirmed. */
  open: number;
  mails: number;
  last: Date | null;
  /** When the mail goes out that waits for this browser or network, which the new one takes over. */
  slot: Date | null;
  now: Date;
}

/** Rows of auth.code_flows: codes belong to the browser that asked and to the address. */
@Injectable()
export class CodeFlows {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AuthConfig,
    private readonly outbox: OutboxWriter,
  ) {}

  /**
   * Writes a code and a link in the caller's transaction and asks for their mail. Older ones of the same flow end; nothing
   * happens to anybody else's, nor to what the browser wants at other events. The same statements run whether or not the address has an account.
   */
  async open(manager: EntityManager, asked: NewCode): Promise<{ flow: string; link: string }> {
    const { purpose, email, asker, wanted } = asked;
    const [id, code, link] = [uuid(), newCode(), newLink()];
    const secrets = this.config.resetCodeSecrets;
    const browserHash = asked.browserHash ?? (asker && hashSecret(asker.browser));
    const networkHash = asker && hashNetwork(asker.network, secrets);
    // The user's row first, as everywhere: two orders of locking would be a deadlock.
    const userId = asked.userId ?? (await this.holderOf(manager, email));
    // One at a time for each address: what is counted below still holds when the row is written.
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('auth.code_flows ' || $1, 0))`, [
      email,
    ]);
    await manager.query(
      `UPDATE auth.code_flows SET ended_at = now(), sealed = NULL
       WHERE ended_at IS NULL AND purpose = ANY($2) AND (purpose <> 'rsvp' OR event_id = $4)
         AND (browser_hash = $1 OR ($1::bytea IS NULL AND browser_hash IS NULL AND email = $3))`,
      [browserHash, STEPS[flowOf(purpose)], email, wanted?.eventId ?? null],
    );
    const lane = await this.laneOf(manager, asked, userId, networkHash);
    const { open, mails, last, slot, now } = await this.figures(
      manager,
      email,
      lane,
      browserHash,
      networkHash,
    );
    const mailAt =
      slot ??
      (mails >= CODE.quickMails && last !== null
        ? new Date(Math.max(now.getTime(), last.getTime() + CODE.mailsApart))
        : now);
    const withCode = asked.silent !== true && open < CODE.openPerDay;
    const sealed: SealedCode = { code: withCode ? code : null, link };
    const expires = mailAt.getTime() + CODE.lifetime;
    await manager.query(
      `INSERT INTO auth.code_flows (id, purpose, user_id, email, new_email, browser_hash, network_hash, code_hash, link_hash,
         sealed, mail_at, expires_at, link_expires_at, event_id, first_name, last_name, show_me, waitlist, answers, locale, lane)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
      [
        id,
        purpose,
        userId,
        email,
        asked.newEmail ?? null,
        browserHash,
        networkHash,
        withCode ? hashCode(id, code, secrets) : null,
        hashSecret(link),
        asked.silent ? null : sealText(JSON.stringify(sealed), codeSeal(id), secrets),
        asked.silent ? null : mailAt,
        new Date(expires),
        new Date(purpose === 'verify' ? mailAt.getTime() + CODE.verifyLinkLifetime : expires),
        wanted?.eventId ?? asked.eventId ?? null,
        wanted?.firstName ?? null,
        wanted?.lastName ?? null,
        wanted?.showMe ?? null,
        wanted && (wanted.waitlist ?? false),
        wanted?.answers === undefined ? null : JSON.stringify(wanted.answers),
        asker?.locale ?? null,
        lane,
      ],
    );
    if (asked.silent !== true)
      await this.outbox.add(manager, CodeMail, { flowId: id }, mailAt > now ? { notBefore: mailAt } : {});
    return { flow: flowName(id), link };
  }

  /** The flow of a code that was asked for by this very browser. */
  confirmable({ browser }: Asker, purpose: FlowPurpose, code: string): Promise<OpenFlow | null> {
    return this.tried(
      code,
      `browser_hash = $1 AND purpose = ANY($2) AND tries < ${CODE.tries}`,
      'tries_by_network',
      [hashSecret(browser), STEPS[purpose]],
    );
  }

  /**
   * The rsvp of a code that was asked for by this very browser. One that it has confirmed is found as well, for an answer that was lost,
   * and has five tries more.
   */
  async confirmableRsvp({ browser }: Asker, flow: string, code: string): Promise<OpenRsvp | null> {
    const found = await this.tried(
      code,
      `id = $1 AND browser_hash = $2 AND purpose = 'rsvp'
         AND tries < CASE WHEN confirmed_epoch IS NULL THEN ${CODE.tries} ELSE ${2 * CODE.tries} END`,
      'tries_by_network',
      [flowId(flow), hashSecret(browser)],
      '(ended_at IS NULL OR confirmed_epoch IS NOT NULL)',
    );
    return found && isRsvp(found) ? found : null;
  }

  /** Beside the browser's own, the code that an administrator sent to the address: five tries a network, twenty in all. */
  resettable({ browser, network }: Asker, email: string, code: string): Promise<OpenFlow | null> {
    const networkKey = hashNetwork(network, this.config.resetCodeSecrets).toString('hex');
    return this.tried(
      code,
      `email = $1 AND purpose = 'reset' AND (
         (browser_hash = $2 AND tries < ${CODE.tries})
         OR (browser_hash IS NULL AND tries < ${CODE.triesAnywhere}
           AND coalesce((tries_by_network ->> $3)::integer, 0) < ${CODE.tries}))`,
      `CASE WHEN browser_hash IS NOT NULL THEN tries_by_network ELSE
         jsonb_set(tries_by_network, ARRAY[$3], to_jsonb(coalesce((tries_by_network ->> $3)::integer, 0) + 1)) END`,
      [email, hashSecret(browser), networkKey],
    );
  }

  /** The flow that a mailed link names. It works as long as it lasts, however many codes were tried. */
  async ofLink(link: string): Promise<OpenFlow | null> {
    const [row] = await this.dataSource.query<OpenFlow[]>(
      `SELECT ${COLUMNS} FROM auth.code_flows WHERE link_hash = $1 AND ended_at IS NULL AND link_expires_at > now()`,
      [hashSecret(link)],
    );
    return row ?? null;
  }

  /** False when somebody was faster, it expired, or a newer one took its place. */
  async useUp(manager: EntityManager, { id }: OpenFlow): Promise<boolean> {
    const [, used] = await manager.query<[unknown[], number]>(
      `UPDATE auth.code_flows SET ended_at = now(), confirmed_at = now(), sealed = NULL
       WHERE id = $1 AND ended_at IS NULL AND link_expires_at > now()`,
      [id],
    );
    return used === 1;
  }

  /** Of an rsvp that was used up: whose it was, and if its code was used, that its answer may be given again. */
  async keepForRepeating(
    manager: EntityManager,
    { id }: OpenFlow,
    userId: string,
    byCode: boolean,
  ): Promise<void> {
    await manager.query(
      `UPDATE auth.code_flows SET user_id = $2,
         confirmed_epoch = CASE WHEN $3 THEN (SELECT session_epoch FROM auth.users WHERE id = $2) END
       WHERE id = $1`,
      [id, userId, byCode],
    );
  }

  /** Whether its browser has confirmed the rsvp by its code, and the sessions that could begin then have not ended since. */
  async isRepeatable(manager: EntityManager, { id }: OpenFlow, userId: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `SELECT FROM auth.code_flows flow JOIN auth.users u ON u.id = flow.user_id AND u.session_epoch = flow.confirmed_epoch
       WHERE flow.id = $1 AND flow.user_id = $2`,
      [id, userId],
    );
    return rows.length > 0;
  }

  /** A flow of a browser, or its newest. */
  async state(browser: string, purpose: FlowPurpose, flow?: string): Promise<FlowState> {
    const [row] = await this.dataSource.query<{ confirmed: boolean; open: boolean }[]>(
      `SELECT confirmed_at IS NOT NULL AS confirmed, ended_at IS NULL AND link_expires_at > now() AS open
       FROM auth.code_flows WHERE browser_hash = $1 AND purpose = ANY($2) AND id = coalesce($3, id)
       ORDER BY created_at DESC, id DESC LIMIT 1`,
      [hashSecret(browser), STEPS[purpose], flow === undefined ? null : flowId(flow)],
    );
    return { status: row?.confirmed ? 'confirmed' : row?.open ? 'open' : 'none' };
  }

  /** The browser's address change that is not confirmed yet, also one whose code has expired. */
  async addressChange(manager: EntityManager, userId: string, browser: string): Promise<OpenFlow | null> {
    const [row] = await manager.query<OpenFlow[]>(
      `SELECT ${COLUMNS} FROM auth.code_flows
       WHERE browser_hash = $1 AND user_id = $2 AND purpose = ANY($3) AND ended_at IS NULL ORDER BY created_at DESC LIMIT 1`,
      [hashSecret(browser), userId, STEPS.email],
    );
    return row ?? null;
  }

  async endAddressChange(manager: EntityManager, userId: string): Promise<void> {
    await manager.query(
      `UPDATE auth.code_flows SET ended_at = now(), sealed = NULL
       WHERE user_id = $1 AND purpose = ANY($2) AND ended_at IS NULL`,
      [userId, STEPS.email],
    );
  }

  /**
   * Counted, and committed, before anything is compared: however many try at once, five are evaluated. `which`, `counts` and `stands`
   * are SQL of this class with the `values`.
   */
  private async tried(
    code: string,
    which: string,
    counts: string,
    values: unknown[],
    stands = 'ended_at IS NULL',
  ): Promise<OpenFlow | null> {
    const [rows] = await this.dataSource.query<[OpenFlow[], number]>(
      `UPDATE auth.code_flows SET tries = tries + 1, tries_by_network = ${counts}
       WHERE ${which} AND ${stands} AND code_hash IS NOT NULL AND expires_at > now()
       RETURNING ${COLUMNS}`,
      values,
    );
    const secrets = this.config.resetCodeSecrets;
    return rows.find(({ id, codeHash }) => codeHash !== null && isCode(codeHash, id, code, secrets)) ?? null;
  }

  private async holderOf(manager: EntityManager, email: string): Promise<string | null> {
    const [row] = await manager.query<{ id: string }[]>(
      'SELECT id FROM auth.users WHERE lower(email) = $1 FOR KEY SHARE',
      [email],
    );
    return row?.id ?? null;
  }

  /**
   * Mails of one lane wait for each other and for no other. Null is that of everybody: requests from many networks make a long row of it. A
   * browser that has signed in to the account before, the network of an open session and an administrator have one of their own; the first
   * two once the address is proved, since until then a stranger may have made the account with it.
   */
  private async laneOf(
    manager: EntityManager,
    { purpose, asker, silent }: NewCode,
    userId: string | null,
    networkHash: Buffer | null,
  ): Promise<Buffer | null> {
    if (purpose === 'change-new' || silent) return null; // the address of somebody else, as far as is known
    if (asker === null) return hashSecret('administrator');
    const [proved] = await manager.query<{ here: boolean }[]>(
      `SELECT EXISTS (
         SELECT FROM gateway.session_network WHERE user_id = u.id AND epoch = u.session_epoch AND network = $2 AND expire > now()) AS here
       FROM auth.users u WHERE u.id = $1 AND u.email_verified_at IS NOT NULL`,
      [userId, asker.network],
    );
    if (proved === undefined) return null;
    if (asker.device !== undefined) return hashSecret(`device ${asker.device}`);
    return proved.here ? networkHash : null;
  }

  /** Of the lane. Also gives up the mail that waits there for the same browser or network: the new one takes its place in the row. */
  private async figures(
    manager: EntityManager,
    email: string,
    lane: Buffer | null,
    browserHash: Buffer | null,
    networkHash: Buffer | null,
  ): Promise<Figures> {
    const [figures] = await manager.query<[Figures]>(
      `WITH waiting AS (
         SELECT id, mail_at FROM auth.code_flows
         WHERE email = $1 AND mail_at > now() AND lane IS NOT DISTINCT FROM $4
           AND (network_hash = $2 OR browser_hash = $3 OR $4::bytea IS NOT NULL)
       ), taken AS (
         UPDATE auth.code_flows SET mail_at = NULL, sealed = NULL WHERE id IN (SELECT id FROM waiting)
       )
       SELECT count(*) FILTER (WHERE code_hash IS NOT NULL AND confirmed_at IS NULL)::integer AS open,
         count(*) FILTER (WHERE mail_at > now() - interval '30 minutes' AND lane IS NOT DISTINCT FROM $4)::integer AS mails,
         max(mail_at) FILTER (WHERE lane IS NOT DISTINCT FROM $4) AS last, (SELECT min(mail_at) FROM waiting) AS slot, now() AS now
       FROM auth.code_flows WHERE email = $1 AND created_at > now() - interval '24 hours'`,
      [email, networkHash, browserHash, lane],
    );
    return figures;
  }
}

/** No code or link that was sent so far opens the account any more: its password or its address has changed. */
export async function endFlows(manager: EntityManager, userId: string): Promise<void> {
  await manager.query(
    'UPDATE auth.code_flows SET ended_at = now(), sealed = NULL WHERE user_id = $1 AND ended_at IS NULL',
    [userId],
  );
}
