import { Injectable } from '@nestjs/common';
import {
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
export function flowOf(purpose: AccountCode): FlowPurpose;
export function flowOf(purpose: CodePurpose): AskedPurpose;
export function flowOf(purpose: CodePurpose): AskedPurpose {
  return purpose === 'change-present' || purpose === 'change-new' ? 'email' : purpose;
}

/** What a code is opened for. */
interface NewCode {
  purpose: CodePurpose;
  /** Where the code is mailed to. */
  email: string;
  /** Given where it is known; else the account with the address, if there is one. */
  userId?: string;
  newEmail?: string;
  /** Null: any browser may use the code (an administrator sends it). */
  asker: Asker | null;
  /** The browser of an earlier step goes on, and is known by its hash alone. */
  browserHash?: Buffer;
  /** No mail is sent: the caller hands the link on. */
  silent?: boolean;
  /** With a verification: where the account has just taken a place that lapses. With a contact: to whose host is written. */
  eventId?: string;
  /** With an rsvp: what is made once the address is confirmed, and whose a new account is. */
  wanted?: WantedPlace & Pick<OpenRsvp, 'firstName' | 'lastName'>;
}

/** Whether it acts upon an account. A contact proves an address alone. */
export const isForAccount = (flow: OpenFlow): flow is OpenFlow & { purpose: AccountCode } =>
  flow.purpose !== 'contact';
export const isRsvp = (flow: OpenFlow): flow is OpenRsvp => flow.purpose === 'rsvp';

/** A flow as its browser calls it: the id of the row, in the form of the other random values. */
const flowName = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
const flowId = (name: string) =>
  Buffer.from(name, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Opens flows, and finds them again by their codes and links: a code belongs to the browser that asked and to the address. */
@Injectable()
export class CodeFlows {
  constructor(
    private readonly rows: CodeFlowsRepository,
    private readonly config: AuthConfig,
    private readonly outbox: OutboxWriter,
  ) {}

  /**
   * Writes a code and a link in the caller's transaction and asks for their mail. Older ones of the same flow end; those of other browsers
   * and addresses stay, and so does what the browser wants at other events. The same statements run whether or not the address has an account.
   */
  async open(manager: EntityManager, asked: NewCode): Promise<{ flow: string; link: string }> {
    const { purpose, email, asker, wanted } = asked;
    const [id, code, link] = [uuid(), newCode(), newLink()];
    const secrets = this.config.resetCodeSecrets;
    const browserHash = asked.browserHash ?? (asker && hashSecret(asker.browser));
    const networkHash = asker && hashNetwork(asker.network, secrets);
    // The user's row first, as everywhere: two orders of locking would be a deadlock.
    const userId = asked.userId ?? (await this.rows.holderOf(manager, email));
    // One at a time for each address: what is counted below still holds when the row is written.
    await this.rows.lockAddress(manager, email);
    await this.rows.endEarlier(manager, {
      purposes: STEPS[flowOf(purpose)],
      browserHash,
      email,
      eventId: wanted?.eventId ?? null,
    });
    const lane = await this.laneOf(manager, asked, userId, networkHash);
    const sent = await this.rows.takeSlot(manager, { email, lane, browserHash, networkHash });
    const { open, mails, last, slot, now } = sent;
    const mailAt =
      slot ??
      (mails >= CODE.quickMails && last !== null
        ? new Date(Math.max(now.getTime(), last.getTime() + CODE.mailsApart))
        : now);
    const isCoded = open < CODE.openPerDay;
    // the mail of a contact has no link that could take the place of the code
    const silent = asked.silent === true || (purpose === 'contact' && !isCoded);
    const withCode = !silent && isCoded;
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
      sealed: silent ? null : sealText(JSON.stringify(sealed), codeSeal(id), secrets),
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
    if (!silent)
      await this.outbox.add(manager, CodeMail, { flowId: id }, mailAt > now ? { notBefore: mailAt } : {});
    return { flow: flowName(id), link };
  }

  /** The flow of a code that was asked for by this very browser. */
  async confirmable({ browser }: Asker, purpose: AskedPurpose, code: string): Promise<OpenFlow | null> {
    return this.fitting(code, await this.rows.countTryOfBrowser(hashSecret(browser), STEPS[purpose]));
  }

  /**
   * The rsvp of a code that was asked for by this very browser. One that it has confirmed is found as well, for an answer that was lost,
   * and has five tries more.
   */
  async confirmableRsvp({ browser }: Asker, flow: string, code: string): Promise<OpenRsvp | null> {
    const found = this.fitting(
      code,
      await this.rows.countTryOfNamed(flowId(flow), hashSecret(browser), 'rsvp'),
    );
    return found && isRsvp(found) ? found : null;
  }

  /** The same of a contact. */
  async confirmableContact({ browser }: Asker, flow: string, code: string): Promise<OpenFlow | null> {
    return this.fitting(code, await this.rows.countTryOfNamed(flowId(flow), hashSecret(browser), 'contact'));
  }

  /** Beside the browser's own, the code that an administrator sent to the address: five tries a network, twenty in all. */
  async resettable({ browser, network }: Asker, email: string, code: string): Promise<OpenFlow | null> {
    const networkKey = hashNetwork(network, this.config.resetCodeSecrets).toString('hex');
    const asked = { email, browserHash: hashSecret(browser), network: networkKey };
    return this.fitting(code, await this.rows.countTryOfReset(asked));
  }

  /** The flow that a mailed link names. It works as long as it lasts, however many codes were tried. */
  ofLink(link: string): Promise<OpenFlow | null> {
    return this.rows.ofLink(hashSecret(link));
  }

  /** A flow of a browser, or its newest. */
  async state(browser: string, purpose: AskedPurpose, flow?: string): Promise<FlowState> {
    const id = flow === undefined ? null : flowId(flow);
    const state = await this.rows.stateOf(hashSecret(browser), STEPS[purpose], id);
    return { status: state?.confirmed ? 'confirmed' : state?.open ? 'open' : 'none' };
  }

  /** The browser's address change that is not confirmed yet, also one whose code has expired. */
  addressChange(manager: EntityManager, userId: string, browser: string): Promise<OpenFlow | null> {
    const change = { userId, browserHash: hashSecret(browser), purposes: STEPS.email };
    return this.rows.newestOf(manager, change);
  }

  endAddressChange(manager: EntityManager, userId: string): Promise<void> {
    return this.rows.end(manager, userId, STEPS.email);
  }

  private fitting(code: string, tried: OpenFlow[]): OpenFlow | null {
    const secrets = this.config.resetCodeSecrets;
    return tried.find(({ id, codeHash }) => codeHash !== null && isCode(codeHash, id, code, secrets)) ?? null;
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
    const isHere = await this.rows.isInNetwork(manager, { userId, network: asker.network });
    if (isHere === null) return null;
    if (asker.device !== undefined) return hashSecret(`device ${asker.device}`);
    return isHere ? networkHash : null;
  }
}
