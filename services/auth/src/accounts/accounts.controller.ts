import { Controller } from '@nestjs/common';
import {
  CheckMail,
  type CheckMailRequest,
  CheckMailRecords,
  type AccountFigures,
  CreateAccount,
  DeleteAccount,
  type KeyedCreateUserRequest,
  ListAccounts,
  type Nothing,
  type Page,
  RemoveAccount,
  SendAccountResetCode,
  SendTestMail,
  SetAccountAdmin,
  SetAccountPassword,
  type SetAdminRequest,
  type SetPasswordRequest,
  SummariseAccounts,
  TestMail,
  UpdateAccount,
  type UpdateUserRequest,
  type User,
  type UserFilter,
  type UserIdRequest,
} from '@meetmark/contracts';
import { type Call, Handles, inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { AuthConfig } from '../auth.config.js';
import { actingAdministrator } from '../users/caller.js';
import { AccountList } from './accounts.repository.js';
import { AuditTrail } from '../users/user-changes.js';
import { AccountsService } from './accounts.service.js';

@Controller()
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly list: AccountList,
  ) {}

  @Handles(ListAccounts)
  page(filter: UserFilter): Promise<Page<User>> {
    return this.list.page(filter);
  }

  @Handles(SummariseAccounts)
  summarise(): Promise<AccountFigures> {
    return this.list.summarise();
  }

  @Handles(CreateAccount)
  create(request: KeyedCreateUserRequest, call: Call): Promise<User> {
    return this.accounts.create(request, call);
  }

  @Handles(UpdateAccount)
  update(request: UpdateUserRequest, call: Call): Promise<User> {
    return this.accounts.update(request, call);
  }

  @Handles(RemoveAccount)
  delete({ userId }: UserIdRequest, call: Call): Promise<void> {
    return this.accounts.delete(userId, call);
  }

  /** What admin of 1.0.0 sends. Goes with its message when 1.1 is the version before, as does ADMIN_AUTH_SECRETS. */
  @Handles(DeleteAccount)
  deleteAs1_0_0({ userId }: UserIdRequest, call: Call): Promise<void> {
    return this.accounts.delete(userId, call);
  }

  @Handles(SetAccountPassword)
  setPassword(request: SetPasswordRequest, call: Call): Promise<User> {
    return this.accounts.setPassword(request, call);
  }

  @Handles(SetAccountAdmin)
  setAdmin(request: SetAdminRequest, call: Call): Promise<User> {
    return this.accounts.setAdmin(request, call);
  }

  @Handles(SendAccountResetCode)
  sendResetCode({ userId }: UserIdRequest, call: Call): Promise<void> {
    return this.accounts.sendResetCode(userId, call);
  }
}

@Controller()
export class MailTrialsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AuthConfig,
    private readonly outbox: OutboxWriter,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(SendTestMail)
  send(_request: Nothing, call: Call): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      const actor = await actingAdministrator(manager, call, this.config);
      await this.outbox.add(manager, TestMail, { userId: actor.id });
      await this.audit.record(manager, 'mail.testSent', actor, actor);
    });
  }

  @Handles(CheckMail)
  check({ selector }: CheckMailRequest, call: Call): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      await actingAdministrator(manager, call, this.config);
      await this.outbox.add(manager, CheckMailRecords, { selector });
    });
  }
}
