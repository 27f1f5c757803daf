import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type ConfirmCodeRequest,
  type ConfirmContactRequest,
  type ConfirmedFlow,
  type ConfirmLinkRequest,
  type ConfirmRsvpRequest,
  type ErrorCode,
  type FlowPurpose,
  type FlowState,
  type GetFlowRequest,
  type RequestCodeRequest,
  type RequestContactRequest,
  type RequestedRsvp,
  type RequestRsvpRequest,
  type RequestVerificationRequest,
  type ResendEmailCodeRequest,
  type ResetPasswordRequest,
  type RevertedEmail,
  type RevertEmailRequest,
  type SessionUser,
} from '@meetmark/contracts';
import { type Call, inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { PasswordsService, refuseShortPassword } from '../passwords/passwords.service.js';
import { UserChanges } from '../users/user-changes.js';
import { lockCaller } from '../users/caller.js';
import { addUser, EMAIL_EXISTS, findUserByEmail, lockUser, Ownership } from '../users/users.repository.js';
import type { UserEntity } from '../users/user.entity.js';
import { hashSecret } from '../flows/code-secrets.js';
import { CodeFlows, flowOf, isForAccount, isRsvp } from '../flows/code-flows.js';
import {
  type AccountCode,
  CodeFlowsRepository,
  type OpenFlow,
  type OpenRsvp,
} from '../flows/code-flows.repository.js';
import { EmailChanges } from './email-changes.js';
import { Verification } from './verification.js';

interface Acted {
  /** What it has become, where that is not what it was asked for. */
  purpose?: FlowPurpose;
  signsIn?: boolean;
  next?: 'new-address';
  passwordEnded?: boolean;
}

/** Codes and links that were mailed: asked for, and acted upon. */
@Injectable()
export class CodesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly flows: CodeFlows,
    private readonly rows: CodeFlowsRepository,
    private readonly hasher: PasswordHasher,
    private readonly passwords: PasswordsService,
    private readonly changes: UserChanges,
    private readonly verification: Verification,
    private readonly emailChanges: EmailChanges,
    private readonly outbox: OutboxWriter,
    private readonly ownership: Ownership,
  ) {}

  /** Answers and works alike whether or not the account exists: without one, a code is written too and mailed nowhere. */
  async request({ email, purpose, asker }: RequestCodeRequest): Promise<void> {
    await inTransaction(this.dataSource, (manager) => this.flows.open(manager, { purpose, email, asker }));
  }

  /** The same for an address with an account and one without: who has it is looked for when the code comes back. */
  async requestRsvp({ email, asker, ...wanted }: RequestRsvpRequest): Promise<RequestedRsvp> {
    const { flow } = await inTransaction(this.dataSource, (manager) =>
      this.flows.open(manager, { purpose: 'rsvp', email, asker, wanted }),
    );
    return { flow };
  }

  async requestContact({ email, asker, eventId }: RequestContactRequest): Promise<{ flow: string }> {
    const { flow } = await inTransaction(this.dataSource, (manager) =>
      this.flows.open(manager, { purpose: 'contact', email, asker, eventId }),
    );
    return { flow };
  }

  /** Proves an address, and touches no account that may have it. */
  async confirmContact({ flow: name, code, asker }: ConfirmContactRequest): Promise<{ proof: string }> {
    const flow = await this.flows.confirmableContact(asker, name, code);
    if (flow === null || !(await this.rows.proveContact(flow.id))) throw new DomainError('CODE_INVALID');
    return { proof: flow.id };
  }

  async requestVerification({ asker, eventId }: RequestVerificationRequest, call: Call): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const { id: userId, email, emailVerifiedAt } = await lockCaller(manager, call);
      if (emailVerifiedAt !== null) throw new DomainError('EMAIL_VERIFIED');
      await this.flows.open(manager, { purpose: 'verify', email, userId, asker, eventId });
    });
  }

  state({ browser, purpose, flow }: GetFlowRequest): Promise<FlowState> {
    return this.flows.state(browser, purpose, flow);
  }

  async confirm({ purpose, code, asker }: ConfirmCodeRequest, call: Call): Promise<ConfirmedFlow> {
    const flow = await this.flows.confirmable(asker, purpose, code);
    return this.act(flow, call, 'CODE_INVALID');
  }

  async confirmRsvp({ flow: name, code, asker }: ConfirmRsvpRequest, call: Call): Promise<ConfirmedFlow> {
    const flow = await this.flows.confirmableRsvp(asker, name, code);
    if (flow === null) throw new DomainError('CODE_INVALID');
    return this.join(flow, call, true);
  }

  async confirmLink(request: ConfirmLinkRequest, call: Call): Promise<ConfirmedFlow> {
    const { token, newPassword } = request;
    const flow = await this.flows.ofLink(token);
    if (flow !== null && isRsvp(flow)) return this.join(chosenIn(flow, request), call, false);
    if (flow?.purpose !== 'reset') return this.act(flow, call, 'CODE_INVALID');
    return this.choosePassword(flow, newPassword ?? '', call, 'CODE_INVALID');
  }

  /** Uses a code up for a new password and ends every session of the account. */
  async resetPassword(
    { email, token, newPassword, asker }: ResetPasswordRequest,
    call: Call,
  ): Promise<SessionUser> {
    refuseShortPassword(newPassword);
    const flow = await this.flows.resettable(asker, email, token);
    const { member } = await this.choosePassword(flow, newPassword, call, 'RESET_CODE_INVALID');
    return member!;
  }

  async resendEmailCode({ asker }: ResendEmailCodeRequest, call: Call): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const user = await lockCaller(manager, call);
      const flow = await this.flows.addressChange(manager, user.id, asker.browser);
      if (flow === null) throw new DomainError('CODE_INVALID');
      await this.emailChanges.send(manager, user, { step: flow.purpose, newEmail: flow.newEmail!, asker });
    });
  }

  async cancelEmailChange(call: Call): Promise<SessionUser> {
    const { user } = await this.changes.commitOwn(call, (manager, { id }) =>
      this.emailChanges.cancel(manager, id),
    );
    return user;
  }

  revertEmail({ token }: RevertEmailRequest): Promise<RevertedEmail> {
    return this.emailChanges.revert(token);
  }

  /** Into the account with the address, which the code or link proves, or into a new one. */
  private async join(flow: OpenRsvp, call: Call, byCode: boolean): Promise<ConfirmedFlow> {
    const holder = await findUserByEmail(this.dataSource.manager, flow.email);
    if (holder === null) await this.ownership.required();
    const userId = holder?.id ?? uuid();
    try {
      const { user, result } = await this.changes.commit(
        userId,
        async (manager) => {
          if (holder === null) await this.addMember(manager, userId, flow);
          return this.useUpRsvp(manager, userId, flow, call, byCode);
        },
        EMAIL_EXISTS,
      );
      const { eventId, waitlist, showMe, answers } = flow;
      const { passwordEnded = false } = result;
      return {
        ...{ purpose: 'rsvp', member: user, signsIn: true, next: null, passwordEnded },
        wanted: { eventId, waitlist, showMe: showMe ?? undefined, answers: answers ?? undefined },
      };
    } catch (error) {
      // The account was made at this moment: by the same code, or by somebody who signed up with the address.
      const madeMeanwhile = holder === null && error instanceof DomainError && error.code === 'EMAIL_EXISTS';
      if (!madeMeanwhile) throw error;
      return this.join(flow, call, byCode);
    }
  }

  private async addMember(manager: EntityManager, id: string, flow: OpenRsvp): Promise<void> {
    const { email, firstName, lastName, locale } = flow;
    if (firstName === '' || lastName === '')
      throw new DomainError('VALIDATION_FAILED', { fields: missingNames({ firstName, lastName }) });
    const person = { id, email, firstName, lastName, locale, linkedInUrl: null };
    await addUser(manager, this.outbox, { ...person, passwordHash: null, isAdmin: false, verified: true });
  }

  private async useUpRsvp(
    manager: EntityManager,
    userId: string,
    flow: OpenRsvp,
    call: Call,
    byCode: boolean,
  ): Promise<Acted> {
    const user = await lockUser(manager, userId);
    if (user === null || user.email.toLowerCase() !== flow.email) throw new DomainError('CODE_INVALID');
    const byItsOwner = isSignedInAs(call, user);
    if (await this.rows.useUp(manager, flow)) {
      const acted = await this.do(manager, user, flow, byItsOwner);
      await this.rows.keepForRepeating(manager, flow, { userId, byCode });
      return acted;
    }
    // once more because the answer was lost: a browser that has had it is signed in
    if (!byCode || byItsOwner || !(await this.rows.isRepeatable(manager, flow, userId)))
      throw new DomainError('CODE_INVALID');
    return {};
  }

  private async choosePassword(
    flow: OpenFlow | null,
    newPassword: string,
    call: Call,
    refusal: ErrorCode,
  ): Promise<ConfirmedFlow> {
    refuseShortPassword(newPassword);
    if (flow?.userId == null) throw new DomainError(refusal);
    const passwordHash = await this.hasher.hash(newPassword);
    return this.act(flow, call, refusal, passwordHash);
  }

  /** Uses the code or link up and does what it was for, in one transaction. */
  private async act(
    flow: OpenFlow | null,
    call: Call,
    refusal: ErrorCode,
    passwordHash?: string,
  ): Promise<ConfirmedFlow> {
    const { userId } = flow ?? {};
    if (flow === null || !isForAccount(flow) || !userId) throw new DomainError(refusal);
    const { user, result } = await this.changes.commit(
      userId,
      async (manager): Promise<Acted> => {
        // The user's row first, as everywhere: two orders of locking would be a deadlock.
        const locked = await lockUser(manager, userId);
        const addressOf = flow.purpose === 'change-new' ? flow.newEmail : locked?.email.toLowerCase();
        if (locked === null || addressOf !== flow.email || !(await this.rows.useUp(manager, flow)))
          throw new DomainError(refusal);
        return this.do(manager, locked, flow, isSignedInAs(call, locked), passwordHash);
      },
      // Somebody else has the new address by now.
      { users_email_key: refusal },
    );
    const { purpose = flowOf(flow.purpose), signsIn = false, next = null, passwordEnded = false } = result;
    return { purpose, member: user, signsIn, next, passwordEnded };
  }

  private async do(
    manager: EntityManager,
    user: UserEntity,
    flow: OpenFlow & { purpose: AccountCode },
    byItsOwner: boolean,
    passwordHash?: string,
  ): Promise<Acted> {
    switch (flow.purpose) {
      case 'verify':
      case 'rsvp':
      case 'sign-in': {
        const passwordEnded = await this.verification.proved(manager, user, { byItsOwner });
        return { signsIn: flow.purpose !== 'verify' || !byItsOwner, passwordEnded };
      }
      case 'reset':
        await this.verification.proved(manager, user, { byItsOwner, withPassword: true });
        await this.passwords.set(manager, user.id, passwordHash!);
        return {};
      case 'change-present': {
        const passwordEnded = await this.verification.proved(manager, user, { byItsOwner });
        // what the one who made the account wanted has ended with it
        if (passwordEnded) return { purpose: 'verify', signsIn: true, passwordEnded };
        const { newEmail, browserHash } = flow;
        await this.emailChanges.send(manager, user, {
          step: 'change-new',
          newEmail: newEmail!,
          asker: null,
          browserHash: browserHash!,
        });
        return { next: 'new-address' };
      }
      case 'change-new':
        return { passwordEnded: await this.emailChanges.takeEffect(manager, user, flow.email, byItsOwner) };
    }
  }
}

/**
 * The rsvp with what the reader of its link chooses. What was typed when it was asked for counts in that browser alone: somebody else may have
 * typed it beside this address.
 */
function chosenIn(flow: OpenRsvp, { asker, ...chosen }: ConfirmLinkRequest): OpenRsvp {
  const typedHere = asker === undefined || flow.browserHash?.equals(hashSecret(asker.browser)) === true;
  const typed = typedHere ? flow : { ...UNTYPED, locale: asker.locale ?? null };
  return {
    ...{ ...flow, ...typed },
    firstName: chosen.firstName ?? typed.firstName,
    lastName: chosen.lastName ?? typed.lastName,
    showMe: chosen.showMe ?? typed.showMe,
    waitlist: chosen.waitlist ?? typed.waitlist,
    answers: chosen.answers ?? typed.answers,
  };
}

const UNTYPED = { firstName: '', lastName: '', showMe: null, waitlist: false, answers: null };

const missingNames = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  ...(firstName === '' && { firstName: ['First name is required'] }),
  ...(lastName === '' && { lastName: ['Last name is required'] }),
});

/** Whether the browser that confirms is signed in to the account. */
const isSignedInAs = ({ identity }: Call, user: UserEntity) =>
  identity !== null && identity.sub === user.id && identity.epoch === user.sessionEpoch;
