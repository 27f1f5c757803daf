import { Module } from '@nestjs/common';
import { DatabaseModule } from '@meetmark/platform';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsController, TestMailsController } from './accounts/accounts.controller.js';
import { AccountList, AuditTrail } from './accounts/accounts.repository.js';
import { AccountsService } from './accounts/accounts.service.js';
import { EarlierSignUps } from './accounts/earlier-sign-ups.js';
import { PasswordHasher } from './accounts/password-hasher.js';
import { PasswordsController, PasswordsService } from './accounts/passwords.controller.js';
import { SignInController } from './accounts/sign-in.controller.js';
import { SignInService } from './accounts/sign-in.service.js';
import { CodeFlows } from './codes/code-flows.js';
import { CodesController } from './codes/codes.controller.js';
import { CodesService } from './codes/codes.service.js';
import { EmailChanges } from './codes/email-changes.js';
import { Verification } from './codes/verification.js';
import { avatars, PicturesController } from './pictures/pictures.controller.js';
import { SecondFactorsController } from './second-factors/second-factors.controller.js';
import { SecondFactorsRepository } from './second-factors/second-factors.repository.js';
import { SecondFactorsService } from './second-factors/second-factors.service.js';
import { SecondStepService } from './second-factors/second-step.service.js';
import { Administrators, FirstAdministrator } from './users/administrators.js';
import { ProfilesController } from './users/profiles.controller.js';
import { ProfilesService } from './users/profiles.service.js';
import { SessionUserCache } from './users/session-user.cache.js';
import { SessionUsersController, SessionUsersService } from './users/session-users.controller.js';
import { SetupController } from './users/setup.js';
import { UserChanges } from './users/user-changes.js';
import { UserEntity } from './users/user.entity.js';
import { ChangedEmails, Ownership } from './users/users.repository.js';

@Module({
  imports: [
    DatabaseModule.forOwner({ schema: 'auth', entities: [UserEntity] }),
    TypeOrmModule.forFeature([UserEntity]),
  ],
  controllers: [
    AccountsController,
    CodesController,
    PasswordsController,
    PicturesController,
    ProfilesController,
    SecondFactorsController,
    SessionUsersController,
    SetupController,
    SignInController,
    TestMailsController,
  ],
  providers: [
    AccountList,
    AccountsService,
    Administrators,
    AuditTrail,
    ChangedEmails,
    EarlierSignUps,
    CodeFlows,
    CodesService,
    EmailChanges,
    FirstAdministrator,
    Ownership,
    PasswordHasher,
    PasswordsService,
    avatars,
    ProfilesService,
    SecondFactorsRepository,
    SecondFactorsService,
    SecondStepService,
    SessionUserCache,
    SessionUsersService,
    SignInService,
    UserChanges,
    Verification,
  ],
})
export class AuthModule {}
