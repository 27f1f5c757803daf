import { CommunityModule, DatabaseModule, PreparedStatements } from '@meetmark/platform';
import { Module } from '@nestjs/common';
import { CalendarFeedEntity, DeletedEventEntity } from './calendar/calendar.entities.js';
import { CalendarFeedsService } from './calendar/calendar-feeds.service.js';
import { CalendarService } from './calendar/calendar.service.js';
import { CalendarWriter } from './calendar/calendar-writer.js';
import { DoorService } from './door/door.service.js';
import { GuestCodes } from './door/guest-codes.js';
import { EventEditingService } from './events/core/event-editing.service.js';
import { EventEntity } from './events/core/event.entity.js';
import { EventManagers } from './events/core/event-managers.js';
import { EventLifeService } from './events/core/event-life.service.js';
import { EventsService } from './events/core/events.service.js';
import {
  MemberCardView,
  MemberContactView,
  RegistrationEntity,
} from './registrations/registration.entity.js';
import { RenderingUpkeep } from './events/content/rendered-texts.js';
import { GuestEntity } from './guests/guest.entity.js';
import { GuestsService } from './guests/guests.service.js';
import { HostMessagesController } from './host-messages/host-messages.controller.js';
import { ImportsService } from './imports/imports.service.js';
import { MessagesService } from './messages/messages.service.js';
import { banners, GalleryService } from './pictures/gallery.service.js';
import { ProposalsService } from './proposals/proposals.service.js';
import { PublicCache } from './public-cache.js';
import { RegistrationListsService } from './registrations/registration-lists.service.js';
import { PerEventBulkhead, RegistrationsService } from './registrations/registrations.service.js';
import { WaitingListService } from './registrations/waiting-list.service.js';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.js';
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
  imports: [DatabaseModule.forOwner({ schema: 'events', entities }), CommunityModule],
  controllers: [
    CalendarFeedsService,
    CalendarService,
    DoorService,
    EventEditingService,
    EventLifeService,
    EventsService,
    GalleryService,
    GuestsService,
    HostMessagesController,
    ImportsService,
    MessagesService,
    ProposalsService,
    RegistrationListsService,
    RegistrationsService,
    SubscriptionsController,
    TopicsService,
    WaitingListService,
  ],
  providers: [
    banners,
    CalendarWriter,
    EventManagers,
    GuestCodes,
    PerEventBulkhead,
    PreparedStatements,
    PublicCache,
    RenderingUpkeep,
  ],
})
export class EventsServiceModule {}
