import { Module } from '@nestjs/common';
import { DatabaseModule } from '@meetmark/platform';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsController, MailTrialsController } from './accounts/accounts.controller.js';
import { AccountList } from './accounts/accounts.repository.js';
import { AccountsService } from './accounts/accounts.service.js';
import { Administrators, FirstAdministrator } from './accounts/administrators.js';
import { SetupService } from './accounts/setup.service.js';
import { SetupController, SignInController } from './accounts/sign-in.controller.js';
import { SignInService } from './accounts/sign-in.service.js';
import { CodesController } from './codes/codes.controller.js';
import { CodesService } from './codes/codes.service.js';
import { EmailChanges } from './codes/email-changes.js';
import { Verification } from './codes/verification.js';
import { CodeFlows } from './flows/code-flows.js';
import { CodeFlowsRepository } from './flows/code-flows.repository.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { avatars, PicturesController } from './pictures/pictures.controller.js';
import { ProfilesController } from './profiles/profiles.controller.js';
import { ProfilesService } from './profiles/profiles.service.js';
import { SecondFactorsController } from './second-factors/second-factors.controller.js';
import { SecondFactorsRepository } from './second-factors/second-factors.repository.js';
import { SecondFactorsService } from './second-factors/second-factors.service.js';
import { SecondStepService } from './second-factors/second-step.service.js';
import { SessionUserCache, SessionUsersService } from './users/session-user.cache.js';
import { SessionUsersController } from './users/session-users.controller.js';
import { AuditTrail, UserChanges } from './users/user-changes.js';
import { UserEntity } from './users/user.entity.js';
import { Ownership } from './users/users.repository.js';

@Module({
  imports: [
    DatabaseModule.forOwner({ schema: 'auth', entities: [UserEntity] }),
    TypeOrmModule.forFeature([UserEntity]),
  ],
  controllers: [
    AccountsController,
    CodesController,
    PicturesController,
    ProfilesController,
    SecondFactorsController,
    SessionUsersController,
    SetupController,
    SignInController,
    MailTrialsController,
  ],
  providers: [
    AccountList,
    AccountsService,
    Administrators,
    AuditTrail,
    CodeFlows,
    CodeFlowsRepository,
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
    SetupService,
    SignInService,
    UserChanges,
    Verification,
  ],
})
export class AuthModule {}
