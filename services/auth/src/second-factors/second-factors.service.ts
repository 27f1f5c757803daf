import {
  type AddedFactor,
  BeginPasskey,
  type BeginPasskeyRequest,
  BeginTotp,
  ConfirmPasskey,
  type ConfirmPasskeyRequest,
  ConfirmTotp,
  type ConfirmTotpFields,
  DomainError,
  type FactorIdRequest,
  type FactorKind,
  ListSecondFactors,
  type Nothing,
  type PayloadOf,
  RemoveSecondFactor,
  RemoveSecondFactorsOf,
  RenewRecoveryCodes,
  SecondFactorMail,
  type SecondFactors,
  type SessionUser,
  type UserIdRequest,
} from '@meetmark/contracts';
import {
  type Call,
  Handles,
  requireIdentity,
  openSealedText,
  OutboxWriter,
  sealText,
} from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuthConfig } from '../auth.config.js';
import { actingAdministrator, refuseOwnAccount } from '../users/caller.js';
import { AuditTrail, UserChanges } from '../users/user-changes.js';
import { fullName, UserEntity } from '../users/user.entity.js';
import { lockPresent } from '../users/users.repository.js';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, stepOfCode, totpSeal } from './codes.js';
import { creationOptions, newPasskey } from './passkeys.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

type Change = PayloadOf<typeof SecondFactorMail>['change'];

@Controller()
export class SecondFactorsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AuthConfig,
    private readonly factors: SecondFactorsRepository,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(ListSecondFactors)
  async list(_: Nothing, call: Call): Promise<SecondFactors> {
    const { sub, adminSecondFactorRequired } = requireIdentity(call);
    const [user, factors, recoveryCodesLeft] = await Promise.all([
      this.dataSource.manager.findOneBy(UserEntity, { id: sub }),
      this.factors.list(sub),
      this.factors.recoveryCodesLeft(sub),
    ]);
    const required = user?.isAdmin === true && adminSecondFactorRequired === true;
    return { factors, recoveryCodesLeft, required };
  }

  @Handles(BeginTotp)
  async beginTotp(_: Nothing, call: Call): Promise<{ secret: string }> {
    const { sub } = requireIdentity(call);
    await this.provedCaller(call);
    const secret = newTotpSecret();
    await this.factors.beginSetup(sub, 'totp', this.seal(sub, secret));
    return { secret };
  }

  @Handles(ConfirmTotp)
  async confirmTotp({ code, name }: ConfirmTotpFields, call: Call) {
    const { sub } = requireIdentity(call);
    await this.provedCaller(call);
    const sealed = await this.factors.openSetup(sub, 'totp');
    const secret = sealed && openSealedText(sealed, totpSeal(sub), this.config.secondFactorSecrets);
    const step = secret ? stepOfCode(secret, code) : null;
    if (sealed === null || step === null) throw new DomainError('SECOND_FACTOR_INVALID');
    return this.add(call, 'totp', sealed, (manager) =>
      this.factors.addTotp(manager, sub, name, sealed, step),
    );
  }

  @Handles(BeginPasskey)
  async beginPasskey({ site }: BeginPasskeyRequest, call: Call): Promise<object> {
    const { sub } = requireIdentity(call);
    const user = await this.provedCaller(call);
    const person = { id: sub, email: user.email, name: fullName(user) };
    const options = await creationOptions(site, person, await this.factors.passkeys(sub));
    await this.factors.beginSetup(sub, 'passkey', options.challenge);
    return options;
  }

  @Handles(ConfirmPasskey)
  async confirmPasskey({ site, response, name }: ConfirmPasskeyRequest, call: Call) {
    const { sub } = requireIdentity(call);
    await this.provedCaller(call);
    const challenge = await this.factors.openSetup(sub, 'passkey');
    if (challenge === null) throw new DomainError('SECOND_FACTOR_INVALID');
    const passkey = await newPasskey(site, challenge, response);
    return this.add(call, 'passkey', challenge, (manager) =>
      this.factors.addPasskey(manager, sub, name, passkey),
    );
  }

  @Handles(RemoveSecondFactor)
  async remove({ factorId }: FactorIdRequest, call: Call): Promise<SessionUser> {
    const { user } = await this.changes.commitOwn(call, async (manager, { id }) => {
      const name = await this.factors.remove(manager, id, factorId);
      if (name === null) throw new DomainError('SECOND_FACTOR_NOT_FOUND');
      await noteChange(manager, this.outbox, id, 'removed', name);
    });
    return user;
  }

  @Handles(RenewRecoveryCodes)
  async renewRecoveryCodes(_: Nothing, call: Call): Promise<{ recoveryCodes: string[] }> {
    const { result } = await this.changes.commitOwn(call, async (manager, { id, secondFactor }) => {
      if (!secondFactor) throw new DomainError('SECOND_FACTOR_NOT_FOUND');
      return this.newCodes(manager, id);
    });
    return { recoveryCodes: result };
  }

  @Handles(RemoveSecondFactorsOf)
  async removeOf({ userId }: UserIdRequest, call: Call): Promise<void> {
    refuseOwnAccount(userId, call);
    await this.changes.commit(userId, async (manager) => {
      const actor = await actingAdministrator(manager, call);
      const user = await lockPresent(manager, userId);
      await endSecondFactors(manager, this.factors, this.outbox, user.id);
      await this.audit.record(manager, 'user.secondFactorsRemoved', actor, user);
    });
  }

  /** Requires a verified email address: a stranger who signed up with it could lock out its owner. */
  private async provedCaller(call: Call): Promise<UserEntity> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: requireIdentity(call).sub });
    if (user === null) throw new DomainError('UNAUTHORIZED');
    if (user.emailVerifiedAt === null) throw new DomainError('EMAIL_PROOF_REQUIRED');
    return user;
  }

  /**
   * Adding the first factor ends all sessions, because they began without a second factor. The gateway renews
   * the caller's session.
   */
  private async add(
    call: Call,
    kind: FactorKind,
    setup: string,
    insert: (manager: EntityManager) => Promise<string>,
  ): Promise<AddedFactor & { session: SessionUser }> {
    const { result, user } = await this.changes.commitOwn(call, async (manager, caller) => {
      const { id: sub } = caller;
      if (!(await this.factors.finishSetup(manager, sub, kind, setup)))
        throw new DomainError('SECOND_FACTOR_INVALID');
      const id = await insert(manager);
      const recoveryCodes = caller.secondFactor ? null : await this.newCodes(manager, sub);
      if (!caller.secondFactor)
        await manager.update(UserEntity, { id: sub }, { sessionEpoch: () => 'session_epoch + 1' });
      const factor = (await this.factors.list(sub, manager)).find((each) => each.id === id)!;
      await noteChange(manager, this.outbox, sub, 'added', factor.name);
      return { factor, recoveryCodes };
    });
    return { ...result, session: user };
  }

  private async newCodes(manager: EntityManager, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => hashRecoveryCode(userId, code));
    await this.factors.replaceRecoveryCodes(manager, userId, hashes);
    return codes;
  }

  private seal(userId: string, secret: string): string {
    return sealText(secret, totpSeal(userId), this.config.secondFactorSecrets);
  }
}

export async function endSecondFactors(
  manager: EntityManager,
  factors: SecondFactorsRepository,
  outbox: OutboxWriter,
  userId: string,
): Promise<void> {
  if ((await factors.removeAll(manager, userId)) === 0) throw new DomainError('SECOND_FACTOR_NOT_FOUND');
  await manager.update(UserEntity, { id: userId }, { sessionEpoch: () => 'session_epoch + 1' });
  await noteChange(manager, outbox, userId, 'all-removed', null);
}

const noteChange = (
  manager: EntityManager,
  outbox: OutboxWriter,
  userId: string,
  change: Change,
  factor: string | null,
) => outbox.add(manager, SecondFactorMail, { userId, change, factor, at: new Date().toISOString() });
