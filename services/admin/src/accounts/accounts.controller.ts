import { Controller } from '@nestjs/common';
import {
  CreateAccount,
  CreateUser,
  DeleteUser,
  ListAccounts,
  ListUsers,
  SendAccountResetCode,
  SendResetCode,
  SetAccountAdmin,
  SetAccountPassword,
  SetUserAdmin,
  SetUserPassword,
  UpdateAccount,
  UpdateUser,
  type KeyedCreateUserRequest,
  type Page,
  type SetAdminRequest,
  type SetPasswordRequest,
  type UpdateUserRequest,
  type User,
  type UserFilter,
  type UserIdRequest,
} from '@meetmark/contracts';
import { Handles, RpcClient, type Call } from '@meetmark/platform';
import { DeletionService } from './deletion.service.js';

@Controller()
export class AccountsController {
  constructor(private readonly deletion: DeletionService) {}

  @Handles(DeleteUser)
  deleteUser({ userId }: UserIdRequest, call: Call): Promise<void> {
    return this.deletion.deleteUser(userId, call);
  }
}

/** What the gateway of 1.0.0 sends: auth is asked on behalf of the caller. Goes with its messages when 1.1 is the version before. */
@Controller()
export class PassedOnController {
  constructor(private readonly rpc: RpcClient) {}

  @Handles(ListUsers)
  listUsers(filter: UserFilter): Promise<Page<User>> {
    return this.rpc.call(ListAccounts, filter);
  }

  @Handles(CreateUser)
  createUser(request: KeyedCreateUserRequest): Promise<User> {
    return this.rpc.call(CreateAccount, request);
  }

  @Handles(UpdateUser)
  updateUser(request: UpdateUserRequest): Promise<User> {
    return this.rpc.call(UpdateAccount, request);
  }

  @Handles(SetUserPassword)
  setPassword(request: SetPasswordRequest): Promise<User> {
    return this.rpc.call(SetAccountPassword, request);
  }

  @Handles(SetUserAdmin)
  setAdmin(request: SetAdminRequest): Promise<User> {
    return this.rpc.call(SetAccountAdmin, request);
  }

  @Handles(SendResetCode)
  sendResetCode(request: UserIdRequest): Promise<void> {
    return this.rpc.call(SendAccountResetCode, request);
  }
}
