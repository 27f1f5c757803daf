import { CommunityModule, DatabaseModule } from '@meetmark/platform';
import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ReportsController, SecurityController } from './admin/admin.controller.js';
import { SettingsChange } from './admin/settings-change.js';
import { SettingsController } from './admin/settings.controller.js';
import { SecurityEventEntity, SecurityEvents } from './admin/security-events.js';
import { RsvpController } from './registrations/rsvp.controller.js';
import { CodesController } from './auth/codes.controller.js';
import { SecondFactorsController } from './auth/second-factors.controller.js';
import { SetupController } from './auth/setup.controller.js';
import { OwnSessionsController, SignInController } from './auth/sign-in.controller.js';
import { EventResponses } from './cache/event-responses.js';
import { ResponseCache } from './cache/response-cache.js';
import { CalendarsController } from './calendars/calendars.controller.js';
import { DoorController, DoorLinksController, OwnCheckInController } from './door/door.controller.js';
import {
  EventPreviewsController,
  EventsController,
  EventSlugsController,
} from './events/events.controller.js';
import { EventExportsController } from './events/event-exports.controller.js';
import { EventRolesController, MemberSearchController } from './events/event-people.controller.js';
import { EventChangesController, VenuesController } from './events/event-changes.controller.js';
import { ProposalQueueController, ProposalsController } from './events/proposals.controller.js';
import { GuestsController } from './guests/guests.controller.js';
import { HostMessagesController } from './events/host-messages.controller.js';
import { ImportUrlsController } from './events/import-urls.controller.js';
import { ImportsController } from './events/imports.controller.js';
import { MessagesController } from './events/messages.controller.js';
import { AdminSecondFactorRule } from './http/admin-second-factor.js';
import { ConsentRule } from './http/consent-rule.js';
import { ErrorsFilter } from './http/errors.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyKeys } from './idempotency/idempotency.repository.js';
import { CoverSizes } from './media/cover-sizes.js';
import { PictureDecoder } from './media/decoder.js';
import { PublicFetch } from './media/fetch-public.js';
import { MapsController } from './media/maps.controller.js';
import { KeptMaps } from './media/maps.repository.js';
import { VenueMaps } from './media/maps.js';
import { MediaController } from './media/media.controller.js';
import { Pictures } from './media/pictures.js';
import { ApiDocument } from './openapi/api-document.js';
import { DocsController } from './openapi/docs.controller.js';
import { AccountTurns } from './rate-limits/account-turns.js';
import { HeavyCalls } from './rate-limits/heavy-calls.js';
import { Misses } from './rate-limits/misses.js';
import { Heartbeat } from './heartbeat.js';
import { Pseudonyms } from './networks.js';
import { ApiLimits } from './rate-limits/api-limits.js';
import { DoorLinks } from './rate-limits/door-links.js';
import { RateLimiter } from './rate-limits/rate-limiter.js';
import { CodeLimits, SignInLimits } from './rate-limits/sign-in-limits.js';
import { GatewayRedis } from './redis/gateway-redis.js';
import { RegistrationsController } from './registrations/registrations.controller.js';
import { WantedPlaces } from './registrations/wanted-places.js';
import { Services } from './services.js';
import { FlowCookies, KnownDevices, PendingSignIns } from './sessions/browser-cookies.js';
import { SessionCache } from './sessions/session-cache.js';
import { GatewaySessionStore } from './sessions/session-store.js';
import { SessionRecords } from './sessions/sessions.repository.js';
import { Sessions } from './sessions/sessions.js';
import { CommunityController } from './site/community.controller.js';
import { CrawlersController } from './site/crawlers.controller.js';
import { DehydratedQueries } from './site/dehydrated-queries.js';
import { IconsController } from './site/icons.controller.js';
import { Installation } from './site/installation.js';
import { Pages } from './site/pages.js';
import { SiteController } from './site/site.controller.js';
import { FeedsController } from './topics/feeds.controller.js';
import { FollowedTopicsController, TopicsController } from './topics/topics.controller.js';
import { DataExportController } from './users/data-export.controller.js';
import { SubscriptionsController } from './users/subscriptions.controller.js';
import { UnsubscribeController } from './users/unsubscribe.controller.js';
import { ClosingController, ProfileController, UserController } from './users/user.controller.js';
import { UsersController } from './users/users.controller.js';

const controllers = [
  ...[SignInController, CodesController, SecondFactorsController, OwnSessionsController, SetupController],
  ...[
    UserController,
    ClosingController,
    ProfileController,
    UsersController,
    UnsubscribeController,
    SubscriptionsController,
    DataExportController,
  ],
  ...[
    EventsController,
    EventChangesController,
    EventExportsController,
    EventPreviewsController,
    EventSlugsController,
    EventRolesController,
    HostMessagesController,
    ImportsController,
    ImportUrlsController,
    ProposalsController,
    ProposalQueueController,
    MemberSearchController,
    VenuesController,
    MessagesController,
    RegistrationsController,
    RsvpController,
    GuestsController,
    DoorController,
    DoorLinksController,
    OwnCheckInController,
    CalendarsController,
    TopicsController,
    FollowedTopicsController,
    FeedsController,
  ],
  ...[ReportsController, SecurityController, SettingsController, MediaController, MapsController],
  ...[DocsController, CommunityController, CrawlersController, IconsController, SiteController],
];
const sessions = [
  ...[Sessions, GatewaySessionStore, SessionCache, SessionRecords],
  ...[FlowCookies, KnownDevices, PendingSignIns],
];
const limits = [
  ...[RateLimiter, AccountTurns, DoorLinks, ApiLimits, HeavyCalls],
  ...[SignInLimits, CodeLimits, Misses],
];
const site = [ApiDocument, DehydratedQueries, Installation, Pages];

@Module({
  imports: [DatabaseModule.forOwner({ schema: 'gateway', entities: [SecurityEventEntity] }), CommunityModule],
  controllers,
  providers: [
    ...[GatewayRedis, Heartbeat, Services, Pseudonyms, SecurityEvents, WantedPlaces, SettingsChange],
    ...[AdminSecondFactorRule, ConsentRule],
    ...sessions,
    ...limits,
    ...[ResponseCache, EventResponses, Idempotency, IdempotencyKeys, PictureDecoder, CoverSizes, Pictures],
    ...[PublicFetch, KeptMaps, VenueMaps],
    ...site,
    { provide: APP_FILTER, useClass: ErrorsFilter },
  ],
})
export class GatewayModule {}
