import type {
  Answers,
  PastRegistration,
  Registration,
  RegistrationStatus,
  PlaceShows,
} from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn, ViewColumn, ViewEntity } from 'typeorm';

/** What every registration has. */
export abstract class RegistrationRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  eventId!: string;

  @Column('timestamptz')
  registeredAt!: Date;

  @Column('text')
  status!: RegistrationStatus;
}

/** One row for each member and event, whether the place is taken or given up. */
@Entity({ schema: 'events', name: 'event_registrations' })
export class RegistrationEntity extends RegistrationRow {
  @Column('uuid')
  userId!: string;

  @Column('timestamptz', { nullable: true })
  selectedDate!: Date | null;

  @Column('text')
  showMe!: PlaceShows;

  /** When the place is lost unless the member's address is verified before. */
  @Column({ type: 'timestamptz', insert: false, update: false, nullable: true })
  lapsesAt!: Date | null;

  /** What the organiser called somebody whose place it was before they took it over. */
  @Column('text', { select: false, nullable: true })
  addedAs?: string | null;

  /** To the event's questions. */
  @Column('jsonb', { select: false, nullable: true })
  answers?: Answers | null;

  /** How the registration ended; null while it stands, and for those that ended before this was noted. */
  @Column('text', { select: false, nullable: true })
  endedAs?: PastRegistration['status'] | null;

  @Column('timestamptz', { select: false, nullable: true })
  endedAt?: Date | null;
}

export const presentRegistration = (row: Omit<RegistrationEntity, 'eventId'>): Registration => ({
  id: row.id,
  userId: row.userId,
  selectedDate: row.selectedDate?.toISOString() ?? null,
  registeredAt: row.registeredAt.toISOString(),
  status: row.status,
  showMe: row.showMe,
});

/** For the member alone. */
export const presentOwn = (row: Omit<RegistrationEntity, 'eventId'>): Registration => ({
  ...presentRegistration(row),
  ...(row.lapsesAt && { lapsesAt: row.lapsesAt.toISOString() }),
});

/** Published by the auth service. */
abstract class MemberView {
  @ViewColumn()
  id!: string;

  @ViewColumn()
  firstName!: string;

  @ViewColumn()
  lastName!: string;

  @ViewColumn()
  profileImageUrl!: string | null;
}

/** What members see of each other. */
@ViewEntity({ schema: 'auth', name: 'listed_member', synchronize: false })
export class MemberCardView extends MemberView {
  @ViewColumn()
  linkedInUrl!: string | null;
}

/** For administrators. */
@ViewEntity({ schema: 'auth', name: 'member_contact', synchronize: false })
export class MemberContactView extends MemberView {
  @ViewColumn()
  email!: string;
}
