import { Module } from '@nestjs/common';
import { DatabaseModule } from '@meetmark/platform';
import { AccountList } from './accounts/accounts.repository.js';
import { AccountsService } from './accounts/accounts.service.js';
import { ClosingService } from './accounts/closing.service.js';
import { Administrators, FirstAdministrator } from './accounts/administrators.js';
import { SetupService } from './accounts/setup.service.js';
import { SignInService } from './accounts/sign-in.service.js';
import { CodesService } from './codes/codes.service.js';
import { EmailChanges } from './codes/email-changes.js';
import { Verification } from './codes/verification.js';
import { DataExportsService } from './data-exports/data-exports.service.js';
import { CodeFlows } from './flows/code-flows.js';
import { CodeFlowsRepository } from './flows/code-flows.repository.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { avatars, ProfilesService } from './profiles/profiles.service.js';
import { SecondFactorsRepository } from './second-factors/second-factors.repository.js';
import { SecondFactorsService } from './second-factors/second-factors.service.js';
import { SecondStepService } from './second-factors/second-step.service.js';
import { SessionUserCache } from './users/session-user.cache.js';
import { SessionUsersService } from './users/session-users.service.js';
import { AuditTrail, UserChanges } from './users/user-changes.js';
import { UserEntity } from './users/user.entity.js';
import { Ownership } from './users/users.repository.js';

@Module({
  imports: [DatabaseModule.forOwner({ schema: 'auth', entities: [UserEntity] })],
  controllers: [
    AccountList,
    AccountsService,
    ClosingService,
    CodesService,
    DataExportsService,
    PasswordsService,
    ProfilesService,
    SecondFactorsService,
    SecondStepService,
    SessionUsersService,
    SetupService,
    SignInService,
  ],
  providers: [
    Administrators,
    AuditTrail,
    CodeFlows,
    CodeFlowsRepository,
    EmailChanges,
    FirstAdministrator,
    Ownership,
    PasswordHasher,
    avatars,
    SecondFactorsRepository,
    SessionUserCache,
    UserChanges,
    Verification,
  ],
})
export class AuthModule {}
