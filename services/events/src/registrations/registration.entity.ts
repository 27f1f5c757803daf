import type { RegistrationStatus } from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One row for each member and event, whether the place is taken or was given up. */
@Entity({ schema: 'events', name: 'event_registrations' })
export class RegistrationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  eventId!: string;

  @Column('uuid')
  userId!: string;

  @Column('timestamptz', { nullable: true })
  selectedDate!: Date | null;

  @Column('timestamptz')
  registeredAt!: Date;

  @Column('text')
  status!: RegistrationStatus;
}
