import type { EventFormat } from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RegistrationEntity } from '../registrations/registration.entity.js';

@Entity({ schema: 'events', name: 'events' })
export class EventEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  title!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('timestamptz')
  startDate!: Date;

  @Column('timestamptz')
  endDate!: Date;

  @Column('text', { nullable: true })
  location!: string | null;

  @Column('text')
  format!: EventFormat;

  @Column('boolean')
  isAllDay!: boolean;

  /** Of the picture in events.pictures. */
  @Column('text', { nullable: true })
  bannerHash!: string | null;

  /** Decimal with two places, or null: free. */
  @Column({ type: 'numeric', precision: 9, scale: 2, nullable: true })
  price!: string | null;

  @Column('integer', { nullable: true })
  capacity!: number | null;

  @Column('uuid')
  createdById!: string;

  /** Of the calendar entry (RFC 5545): raised by every change of what the entry shows. */
  @Column('integer', { default: 0 })
  sequence!: number;

  /** Raised by a trigger with every change of what a form edits. */
  @Column({ type: 'integer', insert: false, update: false })
  version!: number;

  /** Kept by a trigger on the registrations; this service has no right to write it. */
  @Column({ type: 'integer', insert: false, update: false })
  registrationCount!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  /** The caller's own, where a query joined it. */
  ownRegistration?: RegistrationEntity | null;
}
