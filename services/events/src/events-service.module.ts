import { CommunityModule, DatabaseModule, PreparedStatements } from '@meetmark/platform';
import { Module } from '@nestjs/common';
import { CalendarController } from './calendar/calendar.controller.js';
import { CalendarFeedEntity, DeletedEventEntity } from './calendar/calendar.entities.js';
import { CalendarFeedsService } from './calendar/calendar-feeds.service.js';
import { CalendarService } from './calendar/calendar.service.js';
import { CalendarWriter } from './calendar/calendar-writer.js';
import { DoorController } from './door/door.controller.js';
import { DoorService } from './door/door.service.js';
import { GuestCodes } from './door/guest-codes.js';
import type { EventsConfig } from './events.config.js';
import { EventEditingService } from './events/event-editing.service.js';
import { EventEntity } from './events/event.entity.js';
import { EventManagers } from './events/event-managers.js';
import { EventLifeService } from './events/event-life.service.js';
import { EventsController } from './events/events.controller.js';
import { EventsService } from './events/events.service.js';
import { HandOverController } from './events/hand-over-of-1.0.0.js';
import { MemberCardView, MemberContactView, RegistrationEntity } from './events/registration.entity.js';
import { RenderingUpkeep } from './events/rendered-texts.js';
import { GuestEntity } from './guests/guest.entity.js';
import { GuestsController } from './guests/guests.controller.js';
import { GuestsService } from './guests/guests.service.js';
import { HostMessagesController } from './host-messages/host-messages.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessagesService } from './messages/messages.service.js';
import { GalleryService } from './pictures/gallery.service.js';
import { banners, PicturesController } from './pictures/pictures.controller.js';
import { ProposalsController } from './proposals/proposals.controller.js';
import { ProposalsService } from './proposals/proposals.service.js';
import { PublicCache } from './public-cache.js';
import { RegistrationListsService } from './registrations/registration-lists.service.js';
import { RegistrationsController } from './registrations/registrations.controller.js';
import { PerEventBulkhead, RegistrationsService } from './registrations/registrations.service.js';
import { WaitingListService } from './registrations/waiting-list.service.js';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.js';
import { TopicsController } from './topics/topics.controller.js';
import { TopicsService } from './topics/topics.service.js';

const entities = [
  EventEntity,
  RegistrationEntity,
  GuestEntity,
  CalendarFeedEntity,
  DeletedEventEntity,
  MemberCardView,
  MemberContactView,
];

@Module({
  imports: [
    DatabaseModule.forOwner({
      schema: 'events',
      entities,
      settings: (config) => ({
        'meetmark.unverified_places': (config as EventsConfig).unverifiedPlaces,
        'meetmark.unproved_places': (config as EventsConfig).unprovedPlaces,
      }),
    }),
    CommunityModule,
  ],
  controllers: [
    CalendarController,
    DoorController,
    EventsController,
    GuestsController,
    HandOverController,
    HostMessagesController,
    MessagesController,
    PicturesController,
    ProposalsController,
    RegistrationsController,
    SubscriptionsController,
    TopicsController,
  ],
  providers: [
    banners,
    CalendarFeedsService,
    CalendarService,
    CalendarWriter,
    DoorService,
    EventEditingService,
    EventLifeService,
    EventManagers,
    EventsService,
    GalleryService,
    GuestCodes,
    GuestsService,
    MessagesService,
    PerEventBulkhead,
    PreparedStatements,
    ProposalsService,
    PublicCache,
    RegistrationListsService,
    RegistrationsService,
    RenderingUpkeep,
    TopicsService,
    WaitingListService,
  ],
})
export class EventsServiceModule {}
