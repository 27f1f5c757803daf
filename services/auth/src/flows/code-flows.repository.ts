import {
  type AskedPurpose,
  CODE,
  EMAIL_REVERT_LIFETIME,
  type GivenAnswers,
  toMailbox,
  type ShowMe,
} from '@meetmark/contracts';
import { type ProductLocale } from '@meetmark/i18n/locales';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Without the password, an email change needs two codes: to the current address, then to the new one. */
export type CodePurpose = Exclude<AskedPurpose, 'email'> | 'change-present' | 'change-new';

export type AccountCode = Exclude<CodePurpose, 'contact'>;

interface NewFlow {
  id: string;
  purpose: CodePurpose;
  user_id: string | null;
  email: string;
  new_email: string | null;
  browser_hash: Buffer | null;
  network_hash: Buffer | null;
  code_hash: Buffer | null;
  link_hash: Buffer;
  sealed: string | null;
  mail_at: Date | null;
  expires_at: Date;
  link_expires_at: Date;
  event_id: string | null;
  first_name: string | null;
  last_name: string | null;
  show_me: ShowMe | null;
  waitlist: boolean | null;
  answers: string | null;
  locale: ProductLocale | null;
  lane: Buffer | null;
}

export interface OpenFlow {
  id: string;
  purpose: CodePurpose;
  userId: string | null;
  email: string;
  newEmail: string | null;
  browserHash: Buffer | null;
  codeHash: Buffer | null;
}

export interface OpenRsvp extends OpenFlow {
  purpose: 'rsvp';
  firstName: string;
  lastName: string;
  eventId: string;
  showMe: ShowMe | null;
  waitlist: boolean;
  answers: GivenAnswers | null;
  locale: ProductLocale | null;
}

interface SentLately {
  unconfirmed: number;
  mails: number;
  last: Date | null;
  /** Due time of the pending email that the new email replaces, if there is one. */
  slot: Date | null;
  now: Date;
}

/** In a `sql` template, a function inserts the SQL that it returns, or the parameters in an array. */
const openFlow =
  () => `id, purpose, user_id AS "userId", email, new_email AS "newEmail", browser_hash AS "browserHash",
  code_hash AS "codeHash", event_id AS "eventId", first_name AS "firstName", last_name AS "lastName", show_me AS "showMe", waitlist, answers, locale`;

/** Passes even null as a parameter, so that the statement takes equally long without an account. */
const orNull = (value: string | Buffer | null) => () => [value];

/** Methods with a manager run in the caller's transaction. */
@Injectable()
export class CodeFlowsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async findAndLockHolder(manager: EntityManager, email: string): Promise<string | null> {
    const [row] = await manager.sql<{ id: string }[]>`
      SELECT id FROM auth.users WHERE lower(email) = ${email} FOR KEY SHARE`;
    return row?.id ?? null;
  }

  async lockMailbox(manager: EntityManager, email: string): Promise<void> {
    await manager.sql`SELECT pg_advisory_xact_lock(hashtextextended('auth.code_flows ' || ${toMailbox(email)}, 0))`;
  }

  /** Locks the rows in order of id, to prevent deadlocks. */
  async lockEarlier(
    manager: EntityManager,
    { email, browserHash }: { email: string; browserHash: Buffer | null },
  ): Promise<void> {
    await manager.sql`
      SELECT FROM auth.code_flows
      WHERE (ended_at IS NULL OR mail_at > now()) AND (email = ${email} OR browser_hash = ${orNull(browserHash)})
      ORDER BY id FOR NO KEY UPDATE`;
  }

  /** If `browserHash` is null, ends only flows of the email address that aren't tied to a browser. */
  async endEarlier(
    manager: EntityManager,
    flow: { purposes: CodePurpose[]; browserHash: Buffer | null; email: string; eventId: string | null },
  ): Promise<void> {
    const { purposes, browserHash, email, eventId } = flow;
    await manager.sql`
      UPDATE auth.code_flows SET ended_at = now(), sealed = NULL
      WHERE ended_at IS NULL AND purpose = ANY(${purposes}) AND (purpose <> 'rsvp' OR event_id = ${orNull(eventId)})
        AND (browser_hash = ${orNull(browserHash)} OR (${orNull(browserHash)}::bytea IS NULL AND browser_hash IS NULL AND email = ${email}))`;
  }

  async insert(manager: EntityManager, flow: NewFlow): Promise<void> {
    const columns = Object.keys(flow);
    const parameters = columns.map((_, at) => `$${at + 1}`);
    await manager.query(
      `INSERT INTO auth.code_flows (${columns.join(', ')}) VALUES (${parameters.join(', ')})`,
      Object.values(flow),
    );
  }

  async isInNetwork(
    manager: EntityManager,
    { userId, network }: { userId: string | null; network: string },
  ): Promise<boolean | null> {
    const [proved] = await manager.sql<{ here: boolean }[]>`
      SELECT EXISTS (
        SELECT FROM gateway.session_network
        WHERE user_id = u.id AND epoch = u.session_epoch AND network = ${network} AND expire > now()) AS here
      FROM auth.users u WHERE u.id = ${orNull(userId)} AND u.email_verified_at IS NOT NULL`;
    return proved?.here ?? null;
  }

  /** Cancels the pending email of the same browser or network. Treats all addresses of a mailbox as one. */
  async takeSlot(
    manager: EntityManager,
    asked: { email: string; lane: Buffer | null; browserHash: Buffer | null; networkHash: Buffer | null },
  ): Promise<SentLately> {
    const { email, lane, browserHash, networkHash } = asked;
    const mailbox = toMailbox(email);
    const [lately] = await manager.sql<[SentLately]>`
      WITH waiting AS (
        SELECT id, mail_at FROM auth.code_flows
        WHERE mailbox = ${mailbox} AND mail_at > now() AND lane IS NOT DISTINCT FROM ${orNull(lane)}
          AND (network_hash = ${orNull(networkHash)} OR browser_hash = ${orNull(browserHash)} OR ${orNull(lane)}::bytea IS NOT NULL)
      ), taken AS (
        UPDATE auth.code_flows SET mail_at = NULL, sealed = NULL WHERE id IN (SELECT id FROM waiting)
      )
      SELECT count(*) FILTER (WHERE code_hash IS NOT NULL AND confirmed_at IS NULL)::integer AS unconfirmed,
        count(*) FILTER (WHERE mail_at > now() - interval '30 minutes' AND lane IS NOT DISTINCT FROM ${orNull(lane)})::integer AS mails,
        max(mail_at) FILTER (WHERE lane IS NOT DISTINCT FROM ${orNull(lane)}) AS last, (SELECT min(mail_at) FROM waiting) AS slot, now() AS now
      FROM auth.code_flows WHERE mailbox = ${mailbox} AND created_at > now() - interval '24 hours'`;
    return lately;
  }

  // Each try is committed before the code is compared, so that concurrent guesses can't exceed the limit.

  async countTryOfBrowser(browserHash: Buffer, purposes: CodePurpose[]): Promise<OpenFlow[]> {
    const [rows] = await this.dataSource.sql<[OpenFlow[], number]>`
      UPDATE auth.code_flows SET tries = tries + 1
      WHERE browser_hash = ${browserHash} AND purpose = ANY(${purposes}) AND tries < ${CODE.tries}
        AND ended_at IS NULL AND code_hash IS NOT NULL AND expires_at > now()
      RETURNING ${openFlow}`;
    return rows;
  }

  async countTryOfNamed(id: string, browserHash: Buffer, purpose: 'rsvp' | 'contact'): Promise<OpenFlow[]> {
    const [rows] = await this.dataSource.sql<[OpenFlow[], number]>`
      UPDATE auth.code_flows SET tries = tries + 1
      WHERE id = ${id} AND browser_hash = ${browserHash} AND purpose = ${purpose}
        AND tries < CASE WHEN confirmed_epoch IS NULL AND (purpose = 'rsvp' OR confirmed_at IS NULL) THEN ${CODE.tries}::integer ELSE ${2 * CODE.tries}::integer END
        AND (ended_at IS NULL OR confirmed_epoch IS NOT NULL OR (purpose = 'contact' AND confirmed_at IS NOT NULL)) AND code_hash IS NOT NULL AND expires_at > now()
      RETURNING ${openFlow}`;
    return rows;
  }

  async countTryOfReset(asked: { email: string; browserHash: Buffer; network: string }): Promise<OpenFlow[]> {
    const { email, browserHash, network } = asked;
    const [rows] = await this.dataSource.sql<[OpenFlow[], number]>`
      UPDATE auth.code_flows SET tries = tries + 1,
        tries_by_network = CASE WHEN browser_hash IS NOT NULL THEN tries_by_network ELSE jsonb_set(tries_by_network,
          ARRAY[${network}::text], to_jsonb(coalesce((tries_by_network ->> ${network}::text)::integer, 0) + 1)) END
      WHERE email = ${email} AND purpose = 'reset' AND (
          (browser_hash = ${browserHash} AND tries < ${CODE.tries})
          OR (browser_hash IS NULL AND tries < ${CODE.triesAnywhere}
            AND coalesce((tries_by_network ->> ${network}::text)::integer, 0) < ${CODE.tries}))
        AND ended_at IS NULL AND code_hash IS NOT NULL AND expires_at > now()
      RETURNING ${openFlow}`;
    return rows;
  }

  /** The link works even after too many wrong codes. */
  async ofLink(linkHash: Buffer): Promise<OpenFlow | null> {
    const [row] = await this.dataSource.sql<OpenFlow[]>`
      SELECT ${openFlow} FROM auth.code_flows
      WHERE link_hash = ${linkHash} AND ended_at IS NULL AND link_expires_at > now()`;
    return row ?? null;
  }

  /** Also returns true if an earlier request has confirmed the contact. */
  async proveContact(id: string): Promise<boolean> {
    const [, proved] = await this.dataSource.sql<[unknown[], number]>`
      UPDATE auth.code_flows SET ended_at = coalesce(ended_at, now()), confirmed_at = coalesce(confirmed_at, now()), sealed = NULL
      WHERE id = ${id} AND purpose = 'contact' AND expires_at > now() AND (ended_at IS NULL OR confirmed_at IS NOT NULL)`;
    return proved === 1;
  }

  async useUp(manager: EntityManager, { id }: OpenFlow): Promise<boolean> {
    const [, used] = await manager.sql<[unknown[], number]>`
      UPDATE auth.code_flows SET ended_at = now(), confirmed_at = now(), sealed = NULL
      WHERE id = ${id} AND ended_at IS NULL AND link_expires_at > now()`;
    return used === 1;
  }

  async keepForRepeating(
    manager: EntityManager,
    { id }: OpenFlow,
    { userId, byCode }: { userId: string; byCode: boolean },
  ): Promise<void> {
    await manager.sql`
      UPDATE auth.code_flows SET user_id = ${userId},
        confirmed_epoch = CASE WHEN ${byCode} THEN (SELECT session_epoch FROM auth.users WHERE id = ${userId}) END
      WHERE id = ${id}`;
  }

  async isRepeatable(manager: EntityManager, { id }: OpenFlow, userId: string): Promise<boolean> {
    const rows = await manager.sql<unknown[]>`
      SELECT FROM auth.code_flows flow JOIN auth.users u ON u.id = flow.user_id AND u.session_epoch = flow.confirmed_epoch
      WHERE flow.id = ${id} AND flow.user_id = ${userId}`;
    return rows.length > 0;
  }

  /** @param id null for the browser's latest flow */
  async fetchState(
    browserHash: Buffer,
    purposes: CodePurpose[],
    id: string | null,
  ): Promise<{ confirmed: boolean; open: boolean } | null> {
    const [row] = await this.dataSource.sql<{ confirmed: boolean; open: boolean }[]>`
      SELECT confirmed_at IS NOT NULL AS confirmed, ended_at IS NULL AND link_expires_at > now() AS open
      FROM auth.code_flows WHERE browser_hash = ${browserHash} AND purpose = ANY(${purposes}) AND id = coalesce(${orNull(id)}, id)
      ORDER BY created_at DESC, id DESC LIMIT 1`;
    return row ?? null;
  }

  async findLatest(
    manager: EntityManager,
    flow: { userId: string; browserHash: Buffer; purposes: CodePurpose[] },
  ): Promise<OpenFlow | null> {
    const { userId, browserHash, purposes } = flow;
    const [row] = await manager.sql<OpenFlow[]>`
      SELECT ${openFlow} FROM auth.code_flows
      WHERE browser_hash = ${browserHash} AND user_id = ${userId} AND purpose = ANY(${purposes}) AND ended_at IS NULL
      ORDER BY created_at DESC LIMIT 1`;
    return row ?? null;
  }

  async end(manager: EntityManager, userId: string, purposes: CodePurpose[]): Promise<void> {
    await manager.sql`
      UPDATE auth.code_flows SET ended_at = now(), sealed = NULL
      WHERE user_id = ${userId} AND purpose = ANY(${purposes}) AND ended_at IS NULL`;
  }
}

export async function endFlows(manager: EntityManager, userId: string): Promise<void> {
  await manager.sql`
    UPDATE auth.code_flows SET ended_at = now(), sealed = NULL WHERE user_id = ${userId} AND ended_at IS NULL`;
}

// A way back is a link that undoes a change of an account's email address.

export async function openWayBack(
  manager: EntityManager,
  wayBack: { id: string; userId: string; email: string; linkHash: Buffer; sealed: string },
): Promise<void> {
  const { id, userId, email, linkHash, sealed } = wayBack;
  await manager.sql`
    INSERT INTO auth.email_reverts (id, user_id, email, link_hash, sealed, expires_at)
    VALUES (${id}, ${userId}, ${email}, ${linkHash}, ${sealed}, now() + ${EMAIL_REVERT_LIFETIME} * interval '1 millisecond')`;
}

export async function findWayBack(
  manager: EntityManager,
  linkHash: Buffer,
): Promise<{ id: string; userId: string; changedAt: Date } | null> {
  const [row] = await manager.sql<{ id: string; userId: string; changedAt: Date }[]>`
    SELECT id, user_id AS "userId", created_at AS "changedAt" FROM auth.email_reverts
    WHERE link_hash = ${linkHash} AND ended_at IS NULL AND expires_at > now()`;
  return row ?? null;
}

/**
 * Also ends the links of later email changes, so that none of them can undo the restoration. Returns null if
 * the link had already ended.
 */
export async function takeWayBack(manager: EntityManager, id: string): Promise<string | null> {
  const [rows] = await manager.sql<[{ id: string; email: string }[], number]>`
    UPDATE auth.email_reverts SET ended_at = now(), sealed = NULL
    WHERE ended_at IS NULL AND expires_at > now() AND (user_id, created_at) IN (
      SELECT later.user_id, later.created_at FROM auth.email_reverts later JOIN auth.email_reverts this
        ON this.id = ${id} AND later.user_id = this.user_id AND later.created_at >= this.created_at)
    RETURNING id, email`;
  return rows.find((row) => row.id === id)?.email ?? null;
}
