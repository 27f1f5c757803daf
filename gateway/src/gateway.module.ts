import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { DatabaseModule } from '@meetmark/platform';
import { AnswersModule } from './answers/answers.module.js';
import { EventsController } from './api/events.controller.js';
import { RegistrationsController } from './api/registrations.controller.js';
import { Services } from './api/services.js';
import { SignInController } from './api/sign-in.controller.js';
import { UserController } from './api/user.controller.js';
import { CommunityModule } from './community/community.module.js';
import { ErrorsFilter } from './http/errors.filter.js';
import { LimitsModule } from './limits/limits.module.js';
import { RedisModule } from './redis/redis.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { Pages } from './site/pages.js';
import { SiteController } from './site/site.controller.js';

@Module({
  imports: [
    RedisModule,
    AnswersModule,
    CommunityModule,
    DatabaseModule.forOwner({ schema: 'gateway', entities: [] }),
    SessionsModule,
    LimitsModule,
  ],
  controllers: [SignInController, UserController, EventsController, RegistrationsController, SiteController],
  providers: [Services, Pages, { provide: APP_FILTER, useClass: ErrorsFilter }],
})
export class GatewayModule {}
