import { IsOptional } from 'class-validator';
import { defineMessage } from './message.js';
import { PageRequest, type Page } from './paging.js';
import type { Event } from './events.js';
import { IsId, IsMoment } from './validation.js';

export type RegistrationStatus = 'registered' | 'cancelled';

/** One member's place at one event. */
export interface Registration {
  id: string;
  userId: string;
  selectedDate: string | null;
  registeredAt: string;
  status: RegistrationStatus;
}

export class RegisterRequest {
  @IsId()
  eventId!: string;

  /** A moment within the event (D39). */
  @IsOptional()
  @IsMoment()
  selectedDate?: string;
}

export interface RegisterResponse {
  /** False when the caller had a place already. */
  created: boolean;
  registration: Registration;
}

/** EVENT_NOT_FOUND, REGISTRATION_CLOSED or EVENT_FULL; safe to repeat. */
export const Register = defineMessage({
  service: 'events',
  name: 'registrations.register',
  access: 'member',
  request: RegisterRequest,
})<RegisterResponse>();

export class UnregisterRequest {
  @IsId()
  eventId!: string;
}

/** Does nothing when there is no place to give up; REGISTRATION_CLOSED once the event has started. */
export const Unregister = defineMessage({
  service: 'events',
  name: 'registrations.unregister',
  access: 'member',
  request: UnregisterRequest,
})<void>();

export class MyEventsRequest extends PageRequest {}

/** The events that the caller is registered for, soonest first. */
export const ListMyEvents = defineMessage({
  service: 'events',
  name: 'registrations.myEvents',
  access: 'member',
  request: MyEventsRequest,
})<Page<Event>>();

/** A registration as administrators see it. */
export interface RegistrationWithMember extends Registration {
  member: { id: string; firstName: string; lastName: string; email: string; profileImageUrl: string | null };
}

export class ListRegistrationsRequest extends PageRequest {
  @IsId()
  eventId!: string;
}

export const ListRegistrations = defineMessage({
  service: 'events',
  name: 'registrations.list',
  access: 'admin',
  request: ListRegistrationsRequest,
})<Page<RegistrationWithMember>>();
