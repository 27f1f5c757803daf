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
import { Describe, describeList } from '../openapi/describe.js';
import { Services } from '../services.js';
import { Person } from '../users/users.dto.js';
import { EventRole, EventRoleBody } from './events.dto.js';

@Controller('api/event-roles')
export class EventRolesController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary: 'List your roles at events',
    description: 'The events that name you as host or speaker.',
    answers: { 200: describeList(EventRole) },
  })
  @Get()
  @Access('member')
  list(): Promise<EventRole[]> {
    return this.services.read(ListEventRoles, {});
  }

  @Describe({
    summary: 'Accept or decline a role at an event',
    description:
      '`role` is `host` or `speaker`. The event shows you only while `agreed` is true. You can change it at any time.',
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

@Controller('api/admin')
export class MemberSearchController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary: 'Find hosts and speakers for a new event',
    description:
      'Returns up to ten members with a verified address whose name contains `q`, without their email addresses.',
    answers: { 200: describeList(Person) },
  })
  @Get('members/search')
  @Access('organiser')
  @Limited('member-searches')
  find(@Filter(MemberSearch) filter: MemberSearch): Promise<FoundMember[]> {
    return this.services.read(FindMembers, filter);
  }

  @Describe({
    summary: 'Find hosts and speakers for an existing event',
    description: 'The same as `GET /api/admin/members/search`, for people who manage the event.',
    answers: { 200: describeList(Person) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/members/search')
  @Access('manager')
  @Limited('member-searches')
  findForEvent(@Id() eventId: string, @Filter(MemberSearch) { q }: MemberSearch): Promise<FoundMember[]> {
    return this.services.read(FindMembersForEvent, { eventId, q });
  }
}
