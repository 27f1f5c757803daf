import { Controller } from '@nestjs/common';
import {
  CreateAccount,
  DomainError,
  FollowDeletedAccount,
  type KeyedCreateUserRequest,
  RemoveAccount,
  requireFreshSignIn,
  SendAccountResetCode,
  SetAccountAdmin,
  SetAccountPassword,
  type SetAdminRequest,
  type SetPasswordRequest,
  UpdateAccount,
  type UpdateUserRequest,
  type User,
  type UserIdRequest,
} from '@meetmark/contracts';
import { type Call, editAs, Handles, inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { EmailChanges } from '../codes/email-changes.js';
import { CodeFlows } from '../flows/code-flows.js';
import { actingAdministrator, refuseOwnAccount } from '../users/caller.js';
import { AuditTrail, UserChanges } from '../users/user-changes.js';
import { auditValues, presentUser, UserEntity } from '../users/user.entity.js';
import {
  addUser,
  EMAIL_EXISTS,
  lockForDeletion,
  lockPresent,
  refuseStale,
} from '../users/users.repository.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { setPassword } from '../passwords/passwords.service.js';

/** Each action checks the caller's rights again in its transaction. */
@Controller()
export class AccountsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly flows: CodeFlows,
    private readonly changes: UserChanges,
    private readonly emailChanges: EmailChanges,
    private readonly outbox: OutboxWriter,
    private readonly audit: AuditTrail,
  ) {}

  /** A repeated request with the same id returns the existing account. */
  @Handles(CreateAccount)
  async create({ password, isAdmin, role, ...fields }: KeyedCreateUserRequest, call: Call): Promise<User> {
    const rights = rightsAfter({ isAdmin, role }, NO_RIGHTS);
    const passwordHash = await this.hasher.hash(password);
    const user = await inTransaction(
      this.dataSource,
      async (manager) => {
        const actor = await actingAdministrator(manager, call);
        if (rights.isAdmin || rights.isOrganiser) requireFreshSignIn(call.identity, 'administration');
        const made = fields.id && (await manager.findOneBy(UserEntity, { id: fields.id }));
        if (made) return made;
        const created = await addUser(manager, this.outbox, {
          ...fields,
          linkedInUrl: null,
          passwordHash,
          ...rights,
          verified: true,
        });
        await this.audit.record(manager, 'user.created', actor, created);
        return created;
      },
      EMAIL_EXISTS,
    );
    return presentUser(user);
  }

  @Handles(UpdateAccount)
  async update({ userId, ...request }: UpdateUserRequest, call: Call): Promise<User> {
    return this.change(userId, call, async (manager, user, actor) => {
      const rights = rightsAfter(request, user);
      const { email = user.email, firstName = user.firstName, lastName = user.lastName } = request;
      const fields = { email, firstName, lastName };
      const isSame = rights.isAdmin === user.isAdmin && rights.isOrganiser === user.isOrganiser;
      if (user.id === actor.id && !isSame) throw new DomainError('OWN_ACCOUNT');
      // an email address is as critical as a password, because sign-in codes are sent to it
      if (email !== user.email) requireFreshSignIn(call.identity, 'sensitive');
      else if (!isSame) requireFreshSignIn(call.identity, 'administration');
      await refuseStale(manager, user, request.version, { ...fields, ...rights }, actor);
      const changed = (['email', 'firstName', 'lastName'] as const).filter(
        (key) => user[key] !== fields[key],
      );
      if (changed.length > 0) {
        await manager.update(UserEntity, { id: userId }, fields);
        if (changed.includes('email')) await this.emailChanges.follow(manager, user, email);
        const after = { ...user, ...fields };
        await this.audit.record(manager, 'user.updated', actor, after, changed, auditValues(user, after));
      }
      if (rights.isOrganiser !== user.isOrganiser) {
        await manager.update(UserEntity, { id: userId }, { isOrganiser: rights.isOrganiser });
        const after = { ...user, isOrganiser: rights.isOrganiser };
        await this.audit.record(manager, 'user.updated', actor, user, ['role'], auditValues(user, after));
      }
      const { isOrganiser } = rights;
      await this.setRight(manager, { ...user, ...fields, isOrganiser }, rights.isAdmin, actor);
    });
  }

  @Handles(SetAccountAdmin)
  async setAdmin({ userId, isAdmin }: SetAdminRequest, call: Call): Promise<User> {
    refuseOwnAccount(userId, call);
    return this.change(userId, call, (manager, user, actor) => this.setRight(manager, user, isAdmin, actor));
  }

  @Handles(SetAccountPassword)
  async setPassword({ userId, newPassword }: SetPasswordRequest, call: Call): Promise<User> {
    refuseOwnAccount(userId, call);
    const passwordHash = await this.hasher.hash(newPassword);
    return this.change(userId, call, async (manager, user, actor) => {
      await setPassword(manager, this.outbox, userId, passwordHash);
      await this.audit.record(manager, 'user.passwordSet', actor, user);
    });
  }

  @Handles(RemoveAccount)
  async delete({ userId }: UserIdRequest, call: Call): Promise<void> {
    refuseOwnAccount(userId, call);
    await this.changes.commit(userId, async (manager) => {
      const actor = await actingAdministrator(manager, call);
      const { id } = await lockForDeletion(manager, userId);
      await this.audit.record(manager, 'user.deleted', actor, null);
      await editAs(manager, actor.id); // who takes over the events
      await manager.delete(UserEntity, { id });
      await this.outbox.add(manager, FollowDeletedAccount, {});
    });
  }

  @Handles(SendAccountResetCode)
  async sendResetCode({ userId }: UserIdRequest, call: Call): Promise<void> {
    refuseOwnAccount(userId, call);
    await inTransaction(this.dataSource, async (manager) => {
      const actor = await actingAdministrator(manager, call);
      const user = await lockPresent(manager, userId);
      await this.flows.open(manager, {
        purpose: 'reset',
        email: user.email.toLowerCase(),
        userId,
        asker: null,
      });
      await this.audit.record(manager, 'user.resetCodeSent', actor, user);
    });
  }

  private async change(
    userId: string,
    call: Call,
    work: (manager: EntityManager, user: UserEntity, actor: UserEntity) => Promise<void>,
  ): Promise<User> {
    const changed = await this.changes.commit(userId, async (manager) => {
      const actor = await actingAdministrator(manager, call);
      const user = await lockPresent(manager, userId);
      await editAs(manager, actor.id);
      await work(manager, user, actor);
    });
    if (changed.user === null) throw new DomainError('USER_NOT_FOUND');
    return changed.user.user;
  }

  private async setRight(
    manager: EntityManager,
    user: UserEntity,
    isAdmin: boolean,
    actor: UserEntity,
  ): Promise<void> {
    if (user.isAdmin === isAdmin) return;
    await manager.update(UserEntity, { id: user.id }, { isAdmin });
    const values = auditValues(user, { ...user, isAdmin });
    await this.audit.record(manager, isAdmin ? 'user.promoted' : 'user.demoted', actor, user, [], values);
  }
}

type Rights = Pick<UserEntity, 'isAdmin' | 'isOrganiser'>;

const NO_RIGHTS: Rights = { isAdmin: false, isOrganiser: false };

/**
 * Owners keep their organiser role in the database, so that they have it again when they stop being owners.
 */
function rightsAfter(
  { isAdmin, role }: Pick<UpdateUserRequest, 'isAdmin' | 'role'>,
  present: Rights,
): Rights {
  if (role === undefined) return { isAdmin: isAdmin ?? present.isAdmin, isOrganiser: present.isOrganiser };
  if (role === 'owner') return { isAdmin: true, isOrganiser: present.isOrganiser };
  return { isAdmin: false, isOrganiser: role === 'organiser' };
}
