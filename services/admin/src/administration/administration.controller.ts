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
  Summarise,
  UpdateAccount,
  UpdateUser,
  type CreateUserRequest,
  type Nothing,
  type Page,
  type SetAdminRequest,
  type SetPasswordRequest,
  type Summary,
  type UpdateUserRequest,
  type User,
  type UserFilter,
  type UserIdRequest,
} from '@meetmark/contracts';
import { Handles, RpcClient, type Call } from '@meetmark/platform';
import { AdministrationService } from './administration.service.js';

/** Owns no user row: what concerns accounts alone is passed on to auth as it is, in the caller's name. */
@Controller()
export class AdministrationController {
  constructor(
    private readonly administration: AdministrationService,
    private readonly rpc: RpcClient,
  ) {}

  @Handles(ListUsers)
  listUsers(filter: UserFilter): Promise<Page<User>> {
    return this.rpc.call(ListAccounts, filter);
  }

  @Handles(CreateUser)
  createUser(request: CreateUserRequest): Promise<User> {
    return this.rpc.call(CreateAccount, request);
  }

  @Handles(UpdateUser)
  updateUser(request: UpdateUserRequest): Promise<User> {
    return this.rpc.call(UpdateAccount, request);
  }

  @Handles(DeleteUser)
  deleteUser({ userId }: UserIdRequest, call: Call): Promise<void> {
    return this.administration.deleteUser(userId, call);
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

  @Handles(Summarise)
  summarise(_request: Nothing): Promise<Summary> {
    return this.administration.summarise();
  }
}
