import { Module } from '@nestjs/common';
import { DatabaseModule } from '@meetmark/platform';
import { AdministratorView } from './administrators/administrator.view.js';
import { CalendarFeedEntity } from './calendar/calendar-feed.entity.js';
import { CalendarModule } from './calendar/calendar.module.js';
import type { EventsConfig } from './events.config.js';
import { DeletedEventEntity } from './calendar/deleted-event.entity.js';
import { EventEntity } from './events/event.entity.js';
import { EventsModule } from './events/events.module.js';
import { PictureEntity } from './pictures/picture.entity.js';
import { PicturesModule } from './pictures/pictures.module.js';
import { MemberCardView, MemberContactView } from './registrations/member.views.js';
import { RegistrationEntity } from './registrations/registration.entity.js';
import { RegistrationsModule } from './registrations/registrations.module.js';

const entities = [
  EventEntity,
  RegistrationEntity,
  PictureEntity,
  CalendarFeedEntity,
  DeletedEventEntity,
  AdministratorView,
  MemberCardView,
  MemberContactView,
];

@Module({
  imports: [
    DatabaseModule.forOwner({
      schema: 'events',
      entities,
      settings: (config) => ({ 'meetmark.unverified_places': (config as EventsConfig).unverifiedPlaces }),
    }),
    EventsModule,
    RegistrationsModule,
    PicturesModule,
    CalendarModule,
  ],
})
export class EventsServiceModule {}
