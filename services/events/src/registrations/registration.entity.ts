import type {
  Answers,
  PastRegistration,
  Registration,
  RegistrationStatus,
  PlaceShows,
} from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn, ViewColumn, ViewEntity } from 'typeorm';

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

@Entity({ schema: 'events', name: 'event_registrations' })
export class RegistrationEntity extends RegistrationRow {
  @Column('uuid')
  userId!: string;

  @Column('timestamptz', { nullable: true })
  selectedDate!: Date | null;

  @Column('text')
  showMe!: PlaceShows;

  /** Name that an organiser entered before the member took over the registration. */
  @Column('text', { select: false, nullable: true })
  addedAs?: string | null;

  @Column('jsonb', { select: false, nullable: true })
  answers?: Answers | null;

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

@ViewEntity({ schema: 'auth', name: 'listed_member', synchronize: false })
export class MemberCardView extends MemberView {
  @ViewColumn()
  linkedInUrl!: string | null;
}

@ViewEntity({ schema: 'auth', name: 'member_contact', synchronize: false })
export class MemberContactView extends MemberView {
  @ViewColumn()
  email!: string;

  @ViewColumn()
  unconfirmed!: boolean;
}
