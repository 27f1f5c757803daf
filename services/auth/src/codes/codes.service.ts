import { Controller } from '@nestjs/common';
import {
  CancelEmailChange,
  ConfirmCode,
  type ConfirmCodeRequest,
  ConfirmContact,
  type ConfirmContactRequest,
  type ConfirmedFlow,
  ConfirmLink,
  type ConfirmLinkRequest,
  ConfirmRsvp,
  type ConfirmRsvpRequest,
  DomainError,
  type ErrorCode,
  type FlowPurpose,
  type FlowState,
  GetFlow,
  type GetFlowRequest,
  type LegalVersions,
  type Nothing,
  RequestCode,
  type RequestCodeRequest,
  RequestContact,
  type RequestContactRequest,
  type RequestedRsvp,
  RequestRsvp,
  type RequestRsvpRequest,
  RequestVerification,
  type RequestVerificationRequest,
  ResendEmailCode,
  type ResendEmailCodeRequest,
  ResetPassword,
  type ResetPasswordRequest,
  type RevertedEmail,
  RevertEmail,
  type RevertEmailRequest,
  type SessionUser,
} from '@meetmark/contracts';
import { type Call, Handles, inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { refuseShortPassword, setPassword } from '../passwords/passwords.service.js';
import { UserChanges } from '../users/user-changes.js';
import { lockCaller } from '../users/caller.js';
import { addUser, EMAIL_EXISTS, findUserByEmail, lockUser, Ownership } from '../users/users.repository.js';
import type { UserEntity } from '../users/user.entity.js';
import { hashSecret } from '../flows/code-secrets.js';
import { CodeFlows, toFlowPurpose, isForAccount, isRsvp } from '../flows/code-flows.js';
import {
  type AccountCode,
  CodeFlowsRepository,
  type OpenFlow,
  type OpenRsvp,
} from '../flows/code-flows.repository.js';
import { EmailChanges } from './email-changes.js';
import { Verification } from './verification.js';

interface Outcome {
  /** Purpose actually fulfilled, if it differs from the requested one. */
  purpose?: FlowPurpose;
  signsIn?: boolean;
  next?: 'new-address';
  passwordEnded?: boolean;
}

interface Joining {
  byCode: boolean;
  /** Legal pages that a new account accepts. */
  accepted?: LegalVersions;
}

@Controller()
export class CodesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly flows: CodeFlows,
    private readonly rows: CodeFlowsRepository,
    private readonly hasher: PasswordHasher,
    private readonly changes: UserChanges,
    private readonly verification: Verification,
    private readonly emailChanges: EmailChanges,
    private readonly outbox: OutboxWriter,
    private readonly ownership: Ownership,
  ) {}

  /** Behaves the same with and without an account. Without an account, stores a code but sends no email. */
  @Handles(RequestCode)
  async request({ email, purpose, asker }: RequestCodeRequest): Promise<void> {
    await inTransaction(this.dataSource, (manager) => this.flows.open(manager, { purpose, email, asker }));
  }

  /** Behaves the same with and without an account, because only the confirmation looks up the account. */
  @Handles(RequestRsvp)
  async requestRsvp({ email, asker, ...wanted }: RequestRsvpRequest): Promise<RequestedRsvp> {
    const { flow } = await inTransaction(this.dataSource, (manager) =>
      this.flows.open(manager, { purpose: 'rsvp', email, asker, wanted }),
    );
    return { flow };
  }

  @Handles(RequestContact)
  async requestContact({ email, asker, eventId }: RequestContactRequest): Promise<{ flow: string }> {
    const { flow } = await inTransaction(this.dataSource, (manager) =>
      this.flows.open(manager, { purpose: 'contact', email, asker, eventId }),
    );
    return { flow };
  }

  @Handles(ConfirmContact)
  async confirmContact({ flow: name, code, asker }: ConfirmContactRequest): Promise<{ proof: string }> {
    const flow = await this.flows.tryContactCode(asker, name, code);
    if (flow === null || !(await this.rows.proveContact(flow.id))) throw new DomainError('CODE_INVALID');
    return { proof: flow.id };
  }

  @Handles(RequestVerification)
  async requestVerification({ asker }: RequestVerificationRequest, call: Call): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const { id: userId, email, emailVerifiedAt } = await lockCaller(manager, call);
      if (emailVerifiedAt !== null) throw new DomainError('EMAIL_VERIFIED');
      await this.flows.open(manager, { purpose: 'verify', email, userId, asker });
    });
  }

  @Handles(GetFlow)
  state({ browser, purpose, flow }: GetFlowRequest): Promise<FlowState> {
    return this.flows.state(browser, purpose, flow);
  }

  @Handles(ConfirmCode)
  async confirm({ purpose, code, asker }: ConfirmCodeRequest, call: Call): Promise<ConfirmedFlow> {
    const flow = await this.flows.tryCode(asker, purpose, code);
    return this.useCode(flow, call, 'CODE_INVALID');
  }

  @Handles(ConfirmRsvp)
  async confirmRsvp({ flow: name, code, asker }: ConfirmRsvpRequest, call: Call): Promise<ConfirmedFlow> {
    const flow = await this.flows.confirmableRsvp(asker, name, code);
    if (flow === null) throw new DomainError('CODE_INVALID');
    return this.join(flow, call, { byCode: true, accepted: asker.legal });
  }

  @Handles(ConfirmLink)
  async confirmLink(request: ConfirmLinkRequest, call: Call): Promise<ConfirmedFlow> {
    const { token, newPassword } = request;
    const flow = await this.flows.ofLink(token);
    if (flow !== null && isRsvp(flow))
      return this.join(chosenIn(flow, request), call, { byCode: false, accepted: request.asker?.legal });
    if (flow?.purpose !== 'reset') return this.useCode(flow, call, 'CODE_INVALID');
    return this.choosePassword(flow, newPassword ?? '', call, 'CODE_INVALID');
  }

  @Handles(ResetPassword)
  async resetPassword(
    { email, token, newPassword, asker }: ResetPasswordRequest,
    call: Call,
  ): Promise<SessionUser> {
    // before the code's try is counted
    refuseShortPassword(newPassword);
    this.hasher.refuseWhenFull();
    const flow = await this.flows.tryResetCode(asker, email, token);
    const { member } = await this.choosePassword(flow, newPassword, call, 'RESET_CODE_INVALID');
    return member!;
  }

  @Handles(ResendEmailCode)
  async resendEmailCode({ asker }: ResendEmailCodeRequest, call: Call): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const user = await lockCaller(manager, call);
      const flow = await this.flows.addressChange(manager, user.id, asker.browser);
      if (flow === null) throw new DomainError('CODE_INVALID');
      await this.emailChanges.send(manager, user, { step: flow.purpose, newEmail: flow.newEmail!, asker });
    });
  }

  @Handles(CancelEmailChange)
  async cancelEmailChange(_: Nothing, call: Call): Promise<SessionUser> {
    const { user } = await this.changes.commitOwn(call, (manager, { id }) =>
      this.emailChanges.cancel(manager, id),
    );
    return user;
  }

  @Handles(RevertEmail)
  revertEmail({ token }: RevertEmailRequest): Promise<RevertedEmail> {
    return this.emailChanges.revert(token);
  }

  private async join(flow: OpenRsvp, call: Call, how: Joining): Promise<ConfirmedFlow> {
    const holder = await findUserByEmail(this.dataSource.manager, flow.email);
    if (holder === null) await this.ownership.required();
    const userId = holder?.id ?? uuid();
    try {
      const { user, result } = await this.changes.commit(
        userId,
        async (manager) => {
          if (holder === null) await this.addMember(manager, userId, flow, how.accepted);
          return this.useUpRsvp(manager, userId, flow, call, how.byCode);
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
      // A concurrent sign-up, or a concurrent confirmation of the same code, has created the account.
      const madeMeanwhile = holder === null && error instanceof DomainError && error.code === 'EMAIL_EXISTS';
      if (!madeMeanwhile) throw error;
      return this.join(flow, call, how);
    }
  }

  private async addMember(
    manager: EntityManager,
    id: string,
    flow: OpenRsvp,
    accepted?: LegalVersions,
  ): Promise<void> {
    const { email, firstName, lastName, locale } = flow;
    if (firstName === '' || lastName === '')
      throw new DomainError('VALIDATION_FAILED', { fields: missingNames({ firstName, lastName }) });
    const person = { id, email, firstName, lastName, locale, linkedInUrl: null, accepted };
    await addUser(manager, this.outbox, { ...person, passwordHash: null, isAdmin: false, verified: true });
  }

  private async useUpRsvp(
    manager: EntityManager,
    userId: string,
    flow: OpenRsvp,
    call: Call,
    byCode: boolean,
  ): Promise<Outcome> {
    const user = await lockUser(manager, userId);
    if (user === null || user.email.toLowerCase() !== flow.email) throw new DomainError('CODE_INVALID');
    const byItsOwner = isSignedInAs(call, user);
    if (await this.rows.useUp(manager, flow)) {
      const outcome = await this.applyPurpose(manager, user, flow, byItsOwner);
      await this.rows.keepForRepeating(manager, flow, { userId, byCode });
      return outcome;
    }
    // If the browser has used the code but isn't signed in, the first answer was lost. The browser may repeat
    // the request.
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
    return this.useCode(flow, call, refusal, passwordHash);
  }

  private async useCode(
    flow: OpenFlow | null,
    call: Call,
    refusal: ErrorCode,
    passwordHash?: string,
  ): Promise<ConfirmedFlow> {
    const { userId } = flow ?? {};
    if (flow === null || !isForAccount(flow) || !userId) throw new DomainError(refusal);
    const { user, result } = await this.changes.commit(
      userId,
      async (manager): Promise<Outcome> => {
        // To prevent deadlocks, locks the user's row first, as all other transactions do.
        const locked = await lockUser(manager, userId);
        // Locks another account with the new email address. Its deletion would also delete this code.
        if (flow.purpose === 'change-new') await this.rows.findAndLockHolder(manager, flow.email);
        const addressOf = flow.purpose === 'change-new' ? flow.newEmail : locked?.email.toLowerCase();
        if (locked === null || addressOf !== flow.email || !(await this.rows.useUp(manager, flow)))
          throw new DomainError(refusal);
        return this.applyPurpose(manager, locked, flow, isSignedInAs(call, locked), passwordHash);
      },
      // another account has taken the new email address
      { users_email_key: refusal },
    );
    const {
      purpose = toFlowPurpose(flow.purpose),
      signsIn = false,
      next = null,
      passwordEnded = false,
    } = result;
    return { purpose, member: user, signsIn, next, passwordEnded };
  }

  private async applyPurpose(
    manager: EntityManager,
    user: UserEntity,
    flow: OpenFlow & { purpose: AccountCode },
    byItsOwner: boolean,
    passwordHash?: string,
  ): Promise<Outcome> {
    switch (flow.purpose) {
      case 'verify':
      case 'rsvp':
      case 'sign-in': {
        const passwordEnded = await this.verification.proved(manager, user, { byItsOwner });
        return { signsIn: flow.purpose !== 'verify' || !byItsOwner, passwordEnded };
      }
      case 'reset':
        await this.verification.proved(manager, user, { byItsOwner, withPassword: true });
        await setPassword(manager, this.outbox, user.id, passwordHash!);
        return {};
      case 'change-present': {
        const passwordEnded = await this.verification.proved(manager, user, { byItsOwner });
        // A stranger may have requested this change of the email address, so it ends here.
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
 * Uses values typed with a registration only in the same browser, because anyone can enter any email address.
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

const isSignedInAs = ({ identity }: Call, user: UserEntity) =>
  identity !== null && identity.sub === user.id && identity.epoch === user.sessionEpoch;
