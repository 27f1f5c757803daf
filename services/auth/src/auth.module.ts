import { Module } from '@nestjs/common';
import { DatabaseModule } from '@meetmark/platform';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountList } from './accounts/account-list.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { AccountsService } from './accounts/accounts.service.js';
import { AuditTrail } from './accounts/audit-trail.js';
import { Administrators } from './administrators/administrators.js';
import { FirstAdministrator } from './administrators/first-administrator.js';
import { CodeFlows } from './codes/code-flows.js';
import { CodesController } from './codes/codes.controller.js';
import { CodesService } from './codes/codes.service.js';
import { EmailChanges } from './codes/email-changes.js';
import { Verification } from './codes/verification.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { PasswordsController } from './passwords/passwords.controller.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { PicturesController } from './pictures/pictures.controller.js';
import { PicturesService } from './pictures/pictures.service.js';
import { ProfilesController } from './profiles/profiles.controller.js';
import { ProfilesService } from './profiles/profiles.service.js';
import { SecondFactorsController } from './second-factors/second-factors.controller.js';
import { SecondFactorsRepository } from './second-factors/second-factors.repository.js';
import { SecondFactorsService } from './second-factors/second-factors.service.js';
import { SecondStepService } from './second-factors/second-step.service.js';
import { SessionUserCache } from './session-users/session-user.cache.js';
import { SessionUsersController } from './session-users/session-users.controller.js';
import { SessionUsersService } from './session-users/session-users.service.js';
import { UserChanges } from './session-users/user-changes.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { EarlierSignUps } from './sign-in/earlier-sign-ups.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { TestMailsController } from './system/test-mails.controller.js';
import { ChangedEmails } from './users/changed-emails.js';
import { UserEntity } from './users/user.entity.js';

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
    PasswordHasher,
    PasswordsService,
    PicturesService,
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
