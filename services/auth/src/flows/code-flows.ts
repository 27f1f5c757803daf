import { Injectable } from '@nestjs/common';
import {
  AddressTakenMail,
  type AskedPurpose,
  type Asker,
  CODE,
  CodeMail,
  codeSeal,
  type FlowPurpose,
  type FlowState,
  type SealedCode,
  type WantedPlace,
} from '@meetmark/contracts';
import { OutboxWriter, sealText } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AuthConfig } from '../auth.config.js';
import {
  type AccountCode,
  CodeFlowsRepository,
  type CodePurpose,
  type OpenFlow,
  type OpenRsvp,
} from './code-flows.repository.js';
import { hashCode, hashNetwork, hashSecret, isCode, newCode, newLink } from './code-secrets.js';

const STEPS: Record<AskedPurpose, CodePurpose[]> = {
  verify: ['verify'],
  'sign-in': ['sign-in'],
  reset: ['reset'],
  email: ['change-present', 'change-new'],
  rsvp: ['rsvp'],
  contact: ['contact'],
};
export function toFlowPurpose(purpose: AccountCode): FlowPurpose;
export function toFlowPurpose(purpose: CodePurpose): AskedPurpose;
export function toFlowPurpose(purpose: CodePurpose): AskedPurpose {
  return purpose === 'change-present' || purpose === 'change-new' ? 'email' : purpose;
}

interface NewCode {
  purpose: CodePurpose;
  email: string;
  userId?: string;
  newEmail?: string;
  /** Null for a code that an administrator sends, because it works in any browser. */
  asker: Asker | null;
  /** Hash of the browser that confirmed the previous step. Only that browser may use the code. */
  browserHash?: Buffer;
  /** Sends no email, because the caller passes the link on. */
  silent?: boolean;
  /** Account that already uses the email address. Its owner gets a notification instead of a code. */
  takenFrom?: string;
  eventId?: string;
  wanted?: WantedPlace & Pick<OpenRsvp, 'firstName' | 'lastName'>;
}

export const isForAccount = (flow: OpenFlow): flow is OpenFlow & { purpose: AccountCode } =>
  flow.purpose !== 'contact';
export const isRsvp = (flow: OpenFlow): flow is OpenRsvp => flow.purpose === 'rsvp';

const flowName = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
const flowId = (name: string) =>
  Buffer.from(name, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** A code is tied to the requesting browser and the email address. */
@Injectable()
export class CodeFlows {
  constructor(
    private readonly rows: CodeFlowsRepository,
    private readonly config: AuthConfig,
    private readonly outbox: OutboxWriter,
  ) {}

  /** Runs the same statements with and without an account. Ends earlier codes for the same purpose. */
  async open(manager: EntityManager, asked: NewCode): Promise<{ flow: string; link: string }> {
    const { purpose, email, asker, wanted, takenFrom } = asked;
    const [id, code, link] = [uuid(), newCode(), newLink()];
    const secrets = this.config.resetCodeSecrets;
    const browserHash = asked.browserHash ?? (asker && hashSecret(asker.browser));
    const networkHash = asker && hashNetwork(asker.network, secrets);
    // locks the user's row first, like all other transactions, to prevent deadlocks
    const userId = asked.userId ?? (await this.rows.findAndLockHolder(manager, email));
    // locks the mailbox, so that no concurrent request changes the counts below
    await this.rows.lockMailbox(manager, email);
    await this.rows.lockEarlier(manager, { email, browserHash });
    await this.rows.endEarlier(manager, {
      purposes: STEPS[toFlowPurpose(purpose)],
      browserHash,
      email,
      eventId: wanted?.eventId ?? null,
    });
    const lane = await this.findLane(manager, asked, userId, networkHash);
    const sent = await this.rows.takeSlot(manager, { email, lane, browserHash, networkHash });
    const { unconfirmed, mails, last, slot, now } = sent;
    const mailAt =
      slot ??
      (mails >= CODE.quickMails && last !== null
        ? new Date(Math.max(now.getTime(), last.getTime() + CODE.mailsApart))
        : now);
    const isCoded = unconfirmed < CODE.openPerDay;
    // an email to a contact has no link, so it would be useless without a code
    const silent = asked.silent === true || (purpose === 'contact' && !isCoded);
    const withCode = !silent && takenFrom === undefined && isCoded;
    const sealed: SealedCode = { code: withCode ? code : null, link };
    const expires = mailAt.getTime() + CODE.lifetime;
    await this.rows.insert(manager, {
      id,
      purpose,
      user_id: userId,
      email,
      new_email: asked.newEmail ?? null,
      browser_hash: browserHash,
      network_hash: networkHash,
      code_hash: withCode ? hashCode(id, code, secrets) : null,
      link_hash: hashSecret(link),
      sealed:
        silent || takenFrom !== undefined ? null : sealText(JSON.stringify(sealed), codeSeal(id), secrets),
      mail_at: silent ? null : mailAt,
      expires_at: new Date(expires),
      link_expires_at: new Date(purpose === 'verify' ? mailAt.getTime() + CODE.verifyLinkLifetime : expires),
      event_id: wanted?.eventId ?? asked.eventId ?? null,
      first_name: wanted?.firstName ?? null,
      last_name: wanted?.lastName ?? null,
      show_me: wanted?.showMe ?? null,
      waitlist: wanted ? (wanted.waitlist ?? false) : null,
      answers: wanted?.answers === undefined ? null : JSON.stringify(wanted.answers),
      locale: asker?.locale ?? null,
      lane,
    });
    if (silent) return { flow: flowName(id), link };
    const due = mailAt > now ? { notBefore: mailAt } : {};
    if (takenFrom === undefined) await this.outbox.add(manager, CodeMail, { flowId: id }, due);
    else await this.outbox.add(manager, AddressTakenMail, { userId: takenFrom, flowId: id }, due);
    return { flow: flowName(id), link };
  }

  async tryCode({ browser }: Asker, purpose: AskedPurpose, code: string): Promise<OpenFlow | null> {
    return this.fitting(code, await this.rows.countTryOfBrowser(hashSecret(browser), STEPS[purpose]));
  }

  async confirmableRsvp({ browser }: Asker, flow: string, code: string): Promise<OpenRsvp | null> {
    const found = this.fitting(
      code,
      await this.rows.countTryOfNamed(flowId(flow), hashSecret(browser), 'rsvp'),
    );
    return found && isRsvp(found) ? found : null;
  }

  async tryContactCode({ browser }: Asker, flow: string, code: string): Promise<OpenFlow | null> {
    return this.fitting(code, await this.rows.countTryOfNamed(flowId(flow), hashSecret(browser), 'contact'));
  }

  /** Codes sent by an administrator work in any browser: five tries per network, and twenty in total. */
  async tryResetCode({ browser, network }: Asker, email: string, code: string): Promise<OpenFlow | null> {
    const networkKey = hashNetwork(network, this.config.resetCodeSecrets).toString('hex');
    const asked = { email, browserHash: hashSecret(browser), network: networkKey };
    return this.fitting(code, await this.rows.countTryOfReset(asked));
  }

  ofLink(link: string): Promise<OpenFlow | null> {
    return this.rows.ofLink(hashSecret(link));
  }

  async state(browser: string, purpose: AskedPurpose, flow?: string): Promise<FlowState> {
    const id = flow === undefined ? null : flowId(flow);
    const state = await this.rows.fetchState(hashSecret(browser), STEPS[purpose], id);
    return { status: state?.confirmed ? 'confirmed' : state?.open ? 'open' : 'none' };
  }

  addressChange(manager: EntityManager, userId: string, browser: string): Promise<OpenFlow | null> {
    const change = { userId, browserHash: hashSecret(browser), purposes: STEPS.email };
    return this.rows.findLatest(manager, change);
  }

  endAddressChange(manager: EntityManager, userId: string): Promise<void> {
    return this.rows.end(manager, userId, STEPS.email);
  }

  private fitting(code: string, tried: OpenFlow[]): OpenFlow | null {
    const secrets = this.config.resetCodeSecrets;
    return tried.find(({ id, codeHash }) => codeHash !== null && isCode(codeHash, id, code, secrets)) ?? null;
  }

  /**
   * An email waits only for other emails in the same lane. Known devices, known networks and administrators
   * have their own lanes. Null is the lane that everyone else shares.
   */
  private async findLane(
    manager: EntityManager,
    { purpose, asker, silent }: NewCode,
    userId: string | null,
    networkHash: Buffer | null,
  ): Promise<Buffer | null> {
    if (purpose === 'change-new' || silent) return null; // the email address may belong to someone else
    if (asker === null) return hashSecret('administrator');
    const isHere = await this.rows.isInNetwork(manager, { userId, network: asker.network });
    if (isHere === null) return null;
    if (asker.device !== undefined) return hashSecret(`device ${asker.device}`);
    return isHere ? networkHash : null;
  }
}
