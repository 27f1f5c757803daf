import { Controller } from '@nestjs/common';
import {
  CreateAccount,
  DeleteAccount,
  ListAccounts,
  SendAccountResetCode,
  SetAccountAdmin,
  SetAccountPassword,
  SummariseAccounts,
  UpdateAccount,
  type AccountFigures,
  type KeyedCreateUserRequest,
  type Page,
  type SetAdminRequest,
  type SetPasswordRequest,
  type UpdateUserRequest,
  type User,
  type UserFilter,
  type UserIdRequest,
} from '@meetmark/contracts';
import { Handles, type Call } from '@meetmark/platform';
import { AccountList } from './account-list.js';
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

  @Handles(DeleteAccount)
  delete({ userId }: UserIdRequest, call: Call): Promise<void> {
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
