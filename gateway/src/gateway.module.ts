import { DatabaseModule } from '@meetmark/platform';
import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AnswersModule } from './answers/answers.module.js';
import { CalendarsController } from './api/calendars.controller.js';
import { CodesController } from './api/codes.controller.js';
import { EventChangesController } from './api/event-changes.controller.js';
import { EventAnswers } from './api/event-answers.js';
import { EventsController } from './api/events.controller.js';
import { OwnSessionsController } from './api/own-sessions.controller.js';
import { ProfileController } from './api/profile.controller.js';
import { RegistrationsController } from './api/registrations.controller.js';
import { ReportsController } from './api/reports.controller.js';
import { SecondFactorsController } from './api/second-factors.controller.js';
import { ServicesModule } from './api/services.module.js';
import { SignInController } from './api/sign-in.controller.js';
import { UnsubscribeController } from './api/unsubscribe.controller.js';
import { UserController } from './api/user.controller.js';
import { UsersController } from './api/users.controller.js';
import { CommunityModule } from './community/community.module.js';
import { ErrorsFilter } from './http/errors.filter.js';
import { Heartbeat } from './http/heartbeat.js';
import { Idempotency } from './idempotency/idempotency.js';
import { LimitsModule } from './limits/limits.module.js';
import { ApiDocument } from './openapi/api-document.js';
import { DocsController } from './openapi/docs.controller.js';
import { Doorkeeper } from './overload/doorkeeper.js';
import { PicturesModule } from './pictures/pictures.module.js';
import { RedisModule } from './redis/redis.module.js';
import { Pseudonyms } from './security/pseudonyms.js';
import { SecurityController } from './security/security.controller.js';
import { SecurityEventEntity, SecurityEvents } from './security/security-events.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { CrawlersController } from './site/crawlers.controller.js';
import { FirstAnswers } from './site/first-answers.js';
import { Pages } from './site/pages.js';
import { SiteController } from './site/site.controller.js';

@Module({
  imports: [
    DatabaseModule.forOwner({ schema: 'gateway', entities: [SecurityEventEntity] }),
    RedisModule,
    ServicesModule,
    SessionsModule,
    LimitsModule,
    AnswersModule,
    CommunityModule,
    PicturesModule,
  ],
  controllers: [
    SignInController,
    UserController,
    ProfileController,
    OwnSessionsController,
    SecondFactorsController,
    CodesController,
    CalendarsController,
    EventsController,
    EventChangesController,
    RegistrationsController,
    UsersController,
    ReportsController,
    SecurityController,
    UnsubscribeController,
    DocsController,
    CrawlersController,
    SiteController,
  ],
  providers: [
    ApiDocument,
    Doorkeeper,
    EventAnswers,
    FirstAnswers,
    Heartbeat,
    Idempotency,
    Pages,
    Pseudonyms,
    SecurityEvents,
    { provide: APP_FILTER, useClass: ErrorsFilter },
  ],
})
export class GatewayModule {}
