import { Module } from '@nestjs/common';
import { CommunityModule, DatabaseModule } from '@meetmark/platform';
import { CalendarFeedEntity, DeletedEventEntity } from './calendar/calendar.entities.js';
import { CalendarModule } from './calendar/calendar.module.js';
import type { EventsConfig } from './events.config.js';
import { EventEntity } from './events/event.entity.js';
import { EventsModule } from './events/events.module.js';
import { DoorModule } from './door/door.module.js';
import { GuestEntity } from './guests/guest.entity.js';
import { GuestsModule } from './guests/guests.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { ProposalsModule } from './proposals/proposals.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { TopicsModule } from './topics/topics.module.js';
import { PicturesModule } from './pictures.module.js';
import {
  MemberCardView,
  MemberContactView,
  RegistrationEntity,
} from './registrations/registration.entity.js';
import { RegistrationsModule } from './registrations/registrations.module.js';

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
    EventsModule,
    RegistrationsModule,
    GuestsModule,
    DoorModule,
    PicturesModule,
    CalendarModule,
    ProposalsModule,
    MessagesModule,
    TopicsModule,
    SubscriptionsModule,
  ],
})
export class EventsServiceModule {}
