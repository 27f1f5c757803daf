import {
  BeginSecondStep,
  type BeginSecondStepRequest,
  type CompletedSignIn,
  CompleteSecondStep,
  type CompleteSecondStepRequest,
  DomainError,
  type PasskeyOptionsRequest,
  type PendingSignIn,
  Reauthenticate,
  type ReauthenticateRequest,
  SECOND_FACTOR,
  SecondFactorMail,
  type SecondStepFields,
  type SecondStepMethod,
  SecondStepPasskeyOptions,
} from '@meetmark/contracts';
import {
  type Call,
  Handles,
  requireIdentity,
  inTransaction,
  openSealedText,
  OutboxWriter,
  sealText,
} from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuthConfig } from '../auth.config.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { hashSecret } from '../flows/code-secrets.js';
import { lockCaller } from '../users/caller.js';
import { UserChanges } from '../users/user-changes.js';
import { lockUser } from '../users/users.repository.js';
import { UserEntity } from '../users/user.entity.js';
import { hashRecoveryCode, newToken, stepOfCode, totpSeal } from './codes.js';
import { requestOptions, signedPasskey } from './passkeys.js';
import { SecondFactorsRepository, type PendingRow } from './second-factors.repository.js';

/** Consumes a code or passkey. Returns false if a concurrent request consumed it first. */
type Use = (manager: EntityManager) => Promise<boolean>;

@Controller()
export class SecondStepService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AuthConfig,
    private readonly factors: SecondFactorsRepository,
    private readonly changes: UserChanges,
    private readonly outbox: OutboxWriter,
    private readonly hasher: PasswordHasher,
  ) {}

  @Handles(BeginSecondStep)
  async begin({ userId, wanted }: BeginSecondStepRequest): Promise<PendingSignIn | null> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: userId });
    if (user === null) throw new DomainError('UNAUTHORIZED');
    if (!user.secondFactor) return null;
    const kinds = new Set((await this.factors.list(userId)).map(({ kind }) => kind));
    const methods: SecondStepMethod[] = [...kinds, 'recovery'];
    const token = newToken();
    await this.factors.begin(hashSecret(token), userId, user.sessionEpoch, wanted);
    return { token, methods };
  }

  @Handles(SecondStepPasskeyOptions)
  async passkeyOptions({ token, site }: PasskeyOptionsRequest): Promise<object> {
    const hash = hashSecret(token);
    const userId = await this.factors.userOfPending(hash);
    if (userId === null) throw new DomainError('SECOND_FACTOR_EXPIRED');
    const options = await requestOptions(site, await this.factors.passkeys(userId));
    if (!(await this.factors.setChallenge(hash, options.challenge)))
      throw new DomainError('SECOND_FACTOR_EXPIRED');
    return options;
  }

  @Handles(CompleteSecondStep)
  async complete(request: CompleteSecondStepRequest): Promise<CompletedSignIn> {
    refuseUnlessOne(request);
    const hash = hashSecret(request.token);
    const pending = await this.factors.countAttempt(hash);
    if (pending === null) throw new DomainError('SECOND_FACTOR_EXPIRED');
    const use = await this.judge(request, pending);
    if (use === null) throw new DomainError('SECOND_FACTOR_INCORRECT');
    const { user } = await this.changes.commit(pending.userId, async (manager) => {
      const locked = await lockUser(manager, pending.userId);
      if (locked === null || locked.sessionEpoch !== pending.epoch)
        throw new DomainError('SECOND_FACTOR_EXPIRED');
      if (!(await this.factors.finish(manager, hash))) throw new DomainError('SECOND_FACTOR_EXPIRED');
      if (!(await use(manager))) throw new DomainError('SECOND_FACTOR_INCORRECT');
    });
    if (user === null) throw new DomainError('SECOND_FACTOR_EXPIRED');
    return { ...user, wanted: pending.wanted ?? undefined };
  }

  @Handles(Reauthenticate)
  async reauthenticate({ password, code }: ReauthenticateRequest, call: Call): Promise<void> {
    const { sub } = requireIdentity(call);
    if ((password === undefined) === (code === undefined)) throw notOne('password', 'code');
    if (code === undefined) {
      const user = await this.dataSource.manager.findOneBy(UserEntity, { id: sub });
      if (!(await this.hasher.verify(user?.passwordHash ?? undefined, password!)))
        throw new DomainError('CURRENT_PASSWORD_INCORRECT');
      return;
    }
    const use = await this.judgeCode(code, sub);
    const used =
      use !== null &&
      (await inTransaction(this.dataSource, async (manager) => {
        await lockCaller(manager, call);
        return use(manager);
      }));
    if (!used) throw new DomainError('SECOND_FACTOR_INVALID');
  }

  private async judge(given: CompleteSecondStepRequest, pending: PendingRow): Promise<Use | null> {
    if (given.passkey !== undefined) return this.judgePasskey(given, pending);
    if (given.recoveryCode !== undefined) return this.useOfRecoveryCode(given.recoveryCode, pending.userId);
    return this.judgeCode(given.code!, pending.userId);
  }

  private async judgePasskey(
    { site, passkey }: CompleteSecondStepRequest,
    { userId, challenge }: PendingRow,
  ) {
    if (challenge === null) return null;
    const signed = await signedPasskey(site, challenge, passkey!, await this.factors.passkeys(userId));
    if (signed === null) return null;
    return (manager: EntityManager) => this.factors.usePasskey(manager, signed.id, signed.counter);
  }

  private useOfRecoveryCode(code: string, userId: string): Use {
    return async (manager) => {
      if (!(await this.factors.useRecoveryCode(manager, userId, hashRecoveryCode(userId, code))))
        return false;
      const at = new Date().toISOString();
      await this.outbox.add(manager, SecondFactorMail, {
        userId,
        change: 'recovery-code-used',
        factor: null,
        at,
      });
      return true;
    };
  }

  /** Refuses every code after a hundred wrong ones in a day, because six digits can be guessed. */
  private async judgeCode(code: string, userId: string): Promise<Use | null> {
    if ((await this.factors.countWrongCode(userId)) > SECOND_FACTOR.wrongCodesPerDay) return null;
    for (const { id, sealedSecret } of await this.factors.totpSecrets(userId)) {
      const secret = openSealedText(sealedSecret, totpSeal(userId), this.config.secondFactorSecrets);
      if (secret === null)
        throw new Error(
          'No secret in SECOND_FACTOR_SECRETS decrypts a stored second factor: add the one that encrypted it',
        );
      const step = stepOfCode(secret, code);
      if (step === null) continue;
      return async (manager) => {
        await this.factors.takeWrongCodeBack(manager, userId);
        const sealed = sealText(secret, totpSeal(userId), this.config.secondFactorSecrets);
        return this.factors.useStep(manager, id, step, sealed);
      };
    }
    return null;
  }
}

function refuseUnlessOne({ code, recoveryCode, passkey }: SecondStepFields): void {
  const given = [code, recoveryCode, passkey].filter((each) => each !== undefined);
  if (given.length !== 1) throw notOne('code', 'recoveryCode', 'passkey');
}

const notOne = (...names: [string, ...string[]]) =>
  new DomainError('VALIDATION_FAILED', {
    fields: { [names[0]]: [`Give exactly one of ${names.join(', ')}`] },
  });
