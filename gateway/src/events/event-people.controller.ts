import {
  AnswerEventRole,
  DomainError,
  EVENT_ROLES,
  FindMembers,
  FindMembersForEvent,
  ListEventRoles,
  MemberSearch,
  type FoundMember,
} from '@meetmark/contracts';
import { Controller, Get, Param, Put } from '@nestjs/common';
import { Access, Limited } from '../http/access.js';
import { Fields, Filter, Id } from '../http/fields.js';
import { Describe, listOf } from '../openapi/describe.js';
import { Services } from '../services.js';
import { Person } from '../users/users.dto.js';
import { EventRole, EventRoleBody } from './events.dto.js';

/** A member who is named as host or speaker says whether they are shown. */
@Controller('api/event-roles')
export class EventRolesController {
  constructor(private readonly services: Services) {}

  @Describe({ summary: 'Where the caller is named as host or speaker', answers: { 200: listOf(EventRole) } })
  @Get()
  @Access('member')
  list(): Promise<EventRole[]> {
    return this.services.read(ListEventRoles, {});
  }

  @Describe({
    summary: 'Agree to be shown as host or speaker of an event, or not any more',
    answers: { 200: EventRole },
    refuses: ['ROLE_NOT_FOUND'],
  })
  @Put(':id/:role')
  @Access('member')
  answer(
    @Id() eventId: string,
    @Param('role') role: string,
    @Fields(EventRoleBody) { agreed }: EventRoleBody,
  ): Promise<EventRole> {
    const known = EVENT_ROLES.find((name) => name === role);
    if (known === undefined) throw new DomainError('ROLE_NOT_FOUND');
    return this.services.call(AnswerEventRole, { eventId, role: known, agreed });
  }
}

/** Members by name, to name them as hosts or speakers of an event. */
@Controller('api/admin')
export class MemberSearchController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary:
      'Members whose name has `q`, ten at most, to name them in a new event: no address, and only whose address is verified',
    answers: { 200: listOf(Person) },
  })
  @Get('members/search')
  @Access('organiser')
  @Limited('member-searches')
  find(@Filter(MemberSearch) filter: MemberSearch): Promise<FoundMember[]> {
    return this.services.read(FindMembers, filter);
  }

  @Describe({
    summary: 'The same, to name them in an event that the caller manages',
    answers: { 200: listOf(Person) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/members/search')
  @Access('manager')
  @Limited('member-searches')
  findForEvent(@Id() eventId: string, @Filter(MemberSearch) { q }: MemberSearch): Promise<FoundMember[]> {
    return this.services.read(FindMembersForEvent, { eventId, q });
  }
}
