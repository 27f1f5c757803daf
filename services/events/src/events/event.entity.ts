import { type Event, type EventFormat, type Page, pictureUrl } from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { presentRegistration, type RegistrationEntity } from '../registrations/registration.entity.js';

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

  /** Of the calendar entry (RFC 5545): increases with every change that the entry shows. */
  @Column('integer', { default: 0 })
  sequence!: number;

  /** A trigger increases it with every change of a field of the form. */
  @Column({ type: 'integer', insert: false, update: false })
  version!: number;

  /** Maintained by a trigger on the registrations; this service has no right to write it. */
  @Column({ type: 'integer', insert: false, update: false })
  registrationCount!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  /** The caller's own, where a query joined it. */
  ownRegistration?: RegistrationEntity | null;
}

export const presentEvent = (row: EventEntity): Event => ({
  id: row.id,
  title: row.title,
  description: row.description,
  startDate: row.startDate.toISOString(),
  endDate: row.endDate.toISOString(),
  location: row.location,
  format: row.format,
  isAllDay: row.isAllDay,
  bannerImageUrl: row.bannerHash === null ? null : pictureUrl('banners', row.bannerHash),
  price: row.price,
  capacity: row.capacity,
  createdById: row.createdById,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
  registrationCount: row.registrationCount,
  registrations: row.ownRegistration ? [presentRegistration(row.ownRegistration)] : [],
});

export const presentEvents = ({ items, ...page }: Page<EventEntity>): Page<Event> => ({
  ...page,
  items: items.map(presentEvent),
});
